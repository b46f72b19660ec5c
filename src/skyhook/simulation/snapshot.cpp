#include "skyhook/simulation/snapshot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "skyhook/math/dense.h"
#include "skyhook/math/rotation.h"

namespace skyhook::simulation {

using formalism::recursive::Node;
using formalism::recursive::NodeState;
using formalism::recursive::Pair;
using formalism::recursive::PairMotion;
using formalism::recursive::PairRow;
using formalism::recursive::Tree;

namespace {

// Removes from a joint's wrench what acts along its free motion: drives and forces on coordinates, not reactions.
void remove_free_motion(const Tree& tree, const std::vector<NodeState>& x, int first, int last, Vec3d& f, Vec3d& n) {
  std::array<Vec3d, 3> turns, slides;
  int n_turns = 0, n_slides = 0;
  auto add = [](std::array<Vec3d, 3>& basis, int& count, Vec3d e) {
    for (int k = 0; k < count; ++k) e -= dot(basis[k], e) * basis[k];
    if (count < 3 && norm(e) > 1e-9) basis[count++] = normalized(e);
  };
  for (int i = first; i <= last; ++i) {
    switch (tree.nodes[i].kind) {
      case Node::Kind::turned:
      case Node::Kind::revolute: add(turns, n_turns, x[i].s); break;
      case Node::Kind::slid:
      case Node::Kind::prismatic: add(slides, n_slides, x[i].s); break;
      case Node::Kind::free: f = {}; [[fallthrough]];
      case Node::Kind::ball: n = {}; break;
      case Node::Kind::fixed: break;
    }
  }
  for (int k = 0; k < n_turns; ++k) n -= dot(turns[k], n) * turns[k];
  for (int k = 0; k < n_slides; ++k) f -= dot(slides[k], f) * slides[k];
}

// Of a wrench about the node's origin, what acts on its one coordinate.
double along(const Node& node, const NodeState& x, const Vec3d& f, const Vec3d& n) {
  return node.kind == Node::Kind::turned ? dot(x.s, n) : dot(x.s, f);
}

// Calls act(node, sign) for the nodes between the common ancestor and B (+1) and A (-1).
template <class Act>
void along_path(const Tree& tree, int a, int b, Act&& act) {
  while (a != b) {
    if (a > b)
      act(a, -1.0), a = tree.nodes[a].parent;
    else
      act(b, +1.0), b = tree.nodes[b].parent;
  }
}

}  // namespace

Snapshot::Snapshot(std::shared_ptr<const Equations> active, std::shared_ptr<const Equations> all)
    : a(active->nv()),
      lambda(active->ng()),
      all_multipliers(all->rows().size()),
      positions(all->rows().size()),
      velocities(all->rows().size()),
      reactions(6 * active->model().joints.size()),
      wrenches(active->forces().size()),
      relatives(active->forces().size()),
      coordinate_forces(active->coordinate_forces().size()),
      state_forces(active->state_forces().size()),
      state_rates(active->ns()),
      contributions(active->contributions().size()),
      frictions(active->frictions().size()),
      drives(active->tree().driven.size()),
      active_(std::move(active)),
      all_(std::move(all)),
      solver_(*active_),
      ws_(active_->workspace()),
      ws_all_(all_->workspace()),
      tau_(active_->nv()),
      qdot_(active_->nq()),
      g_(active_->ng()),
      rate_(active_->ng()),
      at_rest_(active_->nv(), 0.0),
      zero_g_(active_->ng(), 0.0),
      g_all_(all_->ng()),
      rate_all_(all_->ng()),
      place_in_all_(all_->rows().size(), -1),
      joint_of_node_(active_->tree().nodes.size(), -1),
      length_(formalism::characteristic_length(active_->model())) {
  std::vector<bool> kept(all_->rows().size(), false);
  for (int k : active_->active()) kept[k] = true;
  for (int k = 0; k < all_->ng(); ++k) {
    const int row = all_->active()[k];
    place_in_all_[row] = k;
    if (!kept[row]) redundant_.push_back(row);
  }
  if (!redundant_.empty()) {
    mass_all_ = Csc(std::make_shared<const Pattern>(all_->mass_pattern()));
    jacobian_all_ = Csc(std::make_shared<const Pattern>(all_->constraint_pattern()));
  }
  for (std::size_t j = 0; j < active_->model().joints.size(); ++j) {
    if (const int node = active_->tree().last_node_of_joint[j]; node >= 0) joint_of_node_[node] = static_cast<int>(j);
  }
  has_drive_ = !active_->tree().driven.empty() || !frictions.empty();
  for (const auto& c : active_->linear_constraints()) has_drive_ = has_drive_ || c.motion != nullptr;
  for (const auto& c : active_->pair_constraints()) {
    for (const PairRow& row : c.rows) has_drive_ = has_drive_ || row.motion != nullptr;
  }
  has_power_ = has_drive_ || !active_->forces().empty() || !active_->coordinate_forces().empty() ||
               !active_->state_forces().empty() || !contributions.empty();
}

void Snapshot::evaluate_motion(double time, CSpan q_now, CSpan v_now) {
  t = time, q = q_now, v = v_now;
  formalism::recursive::set_drives(active_->tree(), t, formalism::recursive::Drives::move, ws_.nodes);
  formalism::recursive::positions_velocities(active_->tree(), q, v, ws_.nodes);
  take_motion();
}

void Snapshot::evaluate_energy(double time, CSpan q_now, CSpan v_now) {
  evaluate_motion(time, q_now, v_now);
  measure_energy();
}

Eval Snapshot::evaluate_drives(double time, CSpan q_now, CSpan v_now) {
  t = time, q = q_now, v = v_now;
  if (const Eval e = solver_.solve(t, q, v, a, lambda, ws_); e != Eval::ok) {
    blame = ws_.blame;
    return e;
  }
  if (!drives.empty()) {  // the forces that the accelerations take
    if (const Eval e = active_->residual({t, q, v, a, lambda, zero_g_}, {tau_, qdot_, g_, rate_}, ws_); e != Eval::ok)
      return blame = ws_.blame, e;
  }
  take_motion();
  measure_drives();
  if (!redundant_.empty()) measure_residuals();  // these are watched
  return Eval::ok;
}

void Snapshot::take_motion() {
  std::swap(nodes, ws_.nodes);
  ws_.nodes.resize(nodes.size());
  measure_forces();
}

Eval Snapshot::evaluate(double time, CSpan q_now, CSpan v_now, bool with_reactions) {
  t = time, q = q_now, v = v_now;
  if (const Eval e = solver_.solve(t, q, v, a, lambda, ws_); e != Eval::ok) {
    blame = ws_.blame;
    return e;
  }
  return complete(with_reactions);
}

Eval Snapshot::evaluate_at_rest(double time, CSpan q_now, CSpan v_now, CSpan multipliers) {
  const int nv = active_->tree().nv;
  std::copy(v_now.begin() + nv, v_now.end(), at_rest_.begin() + nv);
  t = time, q = q_now, v = at_rest_;
  std::fill(a.begin(), a.end(), 0.0);
  std::copy(multipliers.begin(), multipliers.end(), lambda.begin());
  return complete(true, formalism::recursive::Drives::stand);
}

Eval Snapshot::complete(bool with_reactions, formalism::recursive::Drives how) {
  const Eval e = active_->residual({t, q, v, a, lambda, zero_g_, how}, {tau_, qdot_, g_, rate_}, ws_);
  if (e != Eval::ok) {
    blame = ws_.blame;
    return e;
  }
  nodes = ws_.nodes;
  measure_drives();
  measure_residuals();
  if (with_reactions) {
    joint_reactions();
    if (!redundant_.empty()) least_reactions();
  }
  for (NodeState& x : nodes) x.a += active_->gravity();
  measure_forces();
  measure_energy();
  return Eval::ok;
}

// What its subtree needs along the driven coordinate.
void Snapshot::measure_drives() {
  const Tree& tree = active_->tree();
  for (std::size_t k = 0; k < drives.size(); ++k) {
    const NodeState& x = nodes[tree.driven[k].node];
    drives[k] = along(tree.nodes[tree.driven[k].node], x, x.f, x.n);
  }
}

void Snapshot::measure_residuals() {
  const bool all_known = redundant_.empty();
  if (!all_known) all_->constraints(t, q, v, g_all_, rate_all_, ws_all_);
  const Equations& from = all_known ? *active_ : *all_;
  const std::vector<double>&g = all_known ? g_ : g_all_, &rate = all_known ? rate_ : rate_all_;
  for (int k = 0; k < from.ng(); ++k) positions[from.active()[k]] = g[k], velocities[from.active()[k]] = rate[k];
}

void Snapshot::measure_forces() {
  PairMotion m;
  for (std::size_t k = 0; k < wrenches.size(); ++k) {
    const auto& item = active_->forces()[k];
    relative_motion(item.pair, nodes, t, m);
    m.rel.set = active_->setting(*item.force);
    relatives[k] = m.rel;
    wrenches[k] = {};
    item.law->wrench(m.rel, wrenches[k]);
  }
  for (std::size_t k = 0; k < coordinate_forces.size(); ++k) {
    const auto& c = active_->coordinate_forces()[k];
    coordinate_forces[k] = c.force->coordinate->force(q[c.iq] + c.reference, v[c.iv], t, active_->setting(*c.force));
  }
  for (std::size_t k = 0; k < frictions.size(); ++k) frictions[k] = active_->friction_force(k, nodes, lambda);
  measure_state_forces();
  measure_contributions();
}

void Snapshot::measure_contributions() {
  for (std::size_t k = 0; k < contributions.size(); ++k) {
    const auto& item = active_->contributions()[k];
    if (active_->contribution_state(k, t, nodes, v, contributions[k], ws_) != Eval::ok) continue;  // told by the run
    std::ranges::copy(contributions[k].rates, state_rates.begin() + (item.first - active_->tree().nv));
  }
}

void Snapshot::measure_state_forces() {
  PairMotion m;
  Vec3d unit;
  for (std::size_t k = 0; k < state_forces.size(); ++k) {
    const auto& item = active_->state_forces()[k];
    model::Stroke<double> stroke = item.stroke(nodes, t, q, v, m, unit);
    stroke.set = active_->setting(*item.force);
    StateForce& to = state_forces[k];
    to = {stroke.x, stroke.v};
    const Span rates = Span(state_rates).subspan(item.first - active_->tree().nv, item.count);
    to.pull = item.force->inner->evaluate(stroke, item.states(v), rates);
    if (!item.on_coordinate()) (item.is_moment() ? to.n : to.f) = -to.pull * (m.RA * unit);
  }
}

void Snapshot::measure_energy() {
  kinetic = potential = 0;
  without_energy = nullptr;
  const auto store = [this](const model::Contribution* force, double energy) {
    if (!std::isfinite(energy) && !without_energy) without_energy = force;
    potential += energy;
  };
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Node& node = active_->tree().nodes[i];
    if (node.massless) continue;
    const NodeState& x = nodes[i];
    const Vec3d c = x.R * node.com, vc = x.v + cross(x.w, c), w = transpose_times(x.R, x.w);
    kinetic += 0.5 * (node.mass * dot(vc, vc) + dot(w, node.inertia * w));
    potential -= node.mass * dot(active_->gravity(), x.p + c);
  }
  for (std::size_t k = 0; k < relatives.size(); ++k)
    store(active_->forces()[k].force, active_->forces()[k].law->energy(relatives[k]));
  for (const auto& c : active_->coordinate_forces()) store(c.force, c.force->coordinate->energy(q[c.iq] + c.reference));
  for (std::size_t k = 0; k < state_forces.size(); ++k) {
    const auto& item = active_->state_forces()[k];
    store(item.force, item.force->inner->energy(state_forces[k].x, item.states(v)));
  }
  for (std::size_t k = 0; k < contributions.size(); ++k) {
    const auto& item = active_->contributions()[k];
    const auto c = v.subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.states));
    const auto& now = contributions[k];
    potential += item.law().energy({now.motion, c, now.w, now.s, now.p, now.p_rate});
  }
}

// The same as below along the motion of the frames, c and its own coordinates.
double Snapshot::contribution_power() const {
  double sum = 0;
  std::vector<double> moved, own;
  for (std::size_t k = 0; k < contributions.size(); ++k) {
    const auto& item = active_->contributions()[k];
    if (!item.declared().has_loads) continue;
    const auto& now = contributions[k];
    const auto c = v.subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.states));
    double speed = norm(now.motion.v) / length_ + norm(now.motion.w);
    for (std::size_t i = 0; i < c.size(); ++i)
      speed += std::abs(now.rates[i]) / (std::abs(c[i]) + item.declared().states[i].nominal);
    for (std::size_t i = 0; i < now.p.size(); ++i) speed += std::abs(now.p_rate[i]) / length_;
    if (speed == 0) continue;
    const double h = 1e-5 / speed;
    const auto stored = [&](double d) {
      model::Relative<double> motion = now.motion;
      const double angle = norm(motion.w) * d;
      motion.r += d * motion.v;
      if (angle != 0) motion.R = axis_rotation(normalized(motion.w), angle) * motion.R;
      moved.assign(c.begin(), c.end());
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += d * now.rates[i];
      own.assign(now.p.begin(), now.p.end());
      for (std::size_t i = 0; i < own.size(); ++i) own[i] += d * now.p_rate[i];
      return item.law().energy({motion, moved, now.w, now.s, own, now.p_rate});
    };
    for (std::size_t i = 0; i < now.p.size(); ++i) sum += now.forces[i] * now.p_rate[i];
    sum += dot(now.loads.f, now.motion.v) + dot(now.loads.n, now.motion.w) + (stored(h) - stored(-h)) / (2 * h);
  }
  return sum;
}

// The same as below along the motion of x and c.
double Snapshot::state_power() const {
  double sum = 0;
  std::array<double, model::most_inner_states> moved{};
  for (std::size_t k = 0; k < state_forces.size(); ++k) {
    const auto& item = active_->state_forces()[k];
    const StateForce& f = state_forces[k];
    const auto c = item.states(v);
    double speed = std::abs(f.v) / length_;
    for (int i = 0; i < item.count; ++i) {
      const int state = item.first + i - active_->tree().nv;
      speed += std::abs(state_rates[state]) / (std::abs(c[i]) + active_->tree().states[state].nominal);
    }
    if (speed == 0) continue;
    const double h = 1e-5 / speed;
    const auto stored = [&](double s) {
      for (int i = 0; i < item.count; ++i) moved[i] = c[i] + s * state_rates[item.first + i - active_->tree().nv];
      return item.force->inner->energy(f.x + s * f.v, CSpan(moved).first(item.count));
    };
    sum += (stored(h) - stored(-h)) / (2 * h) - f.pull * f.v;
  }
  return sum;
}

// Power of an element less what it takes from its store: dU/dt by a central difference along the relative motion.
double Snapshot::power(CSpan multipliers) const {
  double sum = 0;
  for (std::size_t k = 0; k < relatives.size(); ++k) {
    const auto& m = relatives[k];
    const double speed = norm(m.v) + length_ * norm(m.w);
    if (speed == 0) continue;
    sum += dot(wrenches[k].f, m.v) + dot(wrenches[k].n, m.w);
    const double h = 1e-5 * length_ / speed;
    auto stored = [&](double s) {
      model::Relative<double> moved = m;
      const double angle = norm(m.w) * s;
      moved.r += s * m.v;
      if (angle != 0) moved.R = axis_rotation(normalized(m.w), angle) * m.R;
      return active_->forces()[k].law->energy(moved);
    };
    sum += (stored(h) - stored(-h)) / (2 * h);
  }
  for (std::size_t k = 0; k < coordinate_forces.size(); ++k) {
    const auto& c = active_->coordinate_forces()[k];
    if (v[c.iv] == 0) continue;
    const double x = q[c.iq] + c.reference, h = 1e-5;
    sum += v[c.iv] *
           (coordinate_forces[k] + (c.force->coordinate->energy(x + h) - c.force->coordinate->energy(x - h)) / (2 * h));
  }
  sum += state_power() + contribution_power();
  for (std::size_t k = 0; k < frictions.size(); ++k) {
    const auto friction = active_->friction_force(k, nodes, multipliers);
    sum += friction.force * friction.speed;
  }
  for (std::size_t k = 0; k < drives.size(); ++k) sum += drives[k] * nodes[active_->tree().driven[k].node].drive.rate;
  for (const auto& c : active_->linear_constraints()) {  // a drive does the work -lambda u'
    if (c.motion && c.row >= 0) sum -= multipliers[c.row] * c.motion->at(t).rate;
  }
  for (const auto& c : active_->pair_constraints()) {
    for (const PairRow& row : c.rows) {
      if (!row.motion || row.row < 0) continue;
      const auto length = row.motion->at(t);
      sum -= multipliers[row.row] * length.value * length.rate / row.length;
    }
  }
  return sum;
}

bool Snapshot::is_reversed(int joint) const {
  return active_->topology().links[active_->topology().link_of_joint[joint]].reversed;
}

// The joint's point on `to`: where `to` is the parent, a slide takes it away from the node's origin.
Vec3d Snapshot::reaction_point(int joint) const {
  const auto& j = active_->model().joints[joint];
  const auto place = active_->tree().place(j.to, j.at_to, Mat3d::identity());
  return nodes[place.node].p + nodes[place.node].R * place.r;
}

void Snapshot::joint_reactions() {
  const auto& tree = active_->tree();
  std::fill(all_multipliers.begin(), all_multipliers.end(), 0.0);
  for (int k = 0; k < active_->ng(); ++k) all_multipliers[active_->active()[k]] = lambda[k];
  auto store = [&](int joint, const Vec3d& f, const Vec3d& n) {
    for (int k = 0; k < 3; ++k) reactions[6 * joint + k] = f[k], reactions[6 * joint + 3 + k] = n[k];
  };
  for (std::size_t j = 0; j < active_->model().joints.size(); ++j) {
    const int last = tree.last_node_of_joint[j];
    if (last < 0) continue;
    Vec3d f = nodes[last].f, n = nodes[last].n;
    remove_free_motion(tree, nodes, tree.first_node_of_joint[j], last, f, n);
    const int joint = static_cast<int>(j);
    if (is_reversed(joint)) f = -f, n = -n + cross(nodes[last].p - reaction_point(joint), f);
    store(joint, f, n);
  }
  PairMotion m;
  for (const auto& c : active_->pair_constraints()) {
    if (c.joint < 0) continue;
    relative_motion(c.pair, nodes, t, m);
    model::Wrench<double> w{};
    for (const PairRow& row : c.rows) {
      if (row.row >= 0) add_row_wrench(row, m.rel, lambda[row.row], w);
    }
    store(c.joint, -(m.RA * w.f), -(m.RA * w.n));
  }
}

// Self-stresses: one for each redundant row d, with the active rows k that balance it: G^T (e_d - sum c_k e_k) = 0.
void Snapshot::find_modes() {
  all_->matrices(t, q, {mass_all_.value, jacobian_all_.value}, ws_all_);
  const int nv = all_->nv(), na = active_->ng();
  const DenseMatrix dense = transpose(DenseMatrix(jacobian_all_));
  const double size = largest(dense.value);
  modes_.resize(redundant_.size());
  std::unique_ptr<LeastNorm> qr;  // only if a redundant row is not simply zero
  for (std::size_t k = 0; k < redundant_.size(); ++k) {
    Mode& mode = modes_[k];
    mode.rows.assign(1, {redundant_[k], 1.0});
    const auto column = dense.value.begin() + static_cast<long>(place_in_all_[redundant_[k]]) * nv;
    const Vector row(column, column + nv);
    if (largest(row) <= 1e-11 * size) continue;
    if (!qr) {
      DenseMatrix kept(nv, na);
      for (int i = 0; i < na; ++i) {
        for (int j = 0; j < nv; ++j) kept(j, i) = dense(j, place_in_all_[active_->active()[i]]);
      }
      qr = std::make_unique<LeastNorm>(kept, 1e-12);
    }
    const Vector c = qr->solve(row);
    for (int i = 0; i < na; ++i) {
      if (std::abs(c[i]) > 1e-13) mode.rows.push_back({active_->active()[i], -c[i]});
    }
  }
}

void Snapshot::least_reactions() {
  find_modes();
  const auto& tree = all_->tree();
  const int joints = static_cast<int>(all_->model().joints.size());
  // Response of every joint on the loop to a unit multiplier of each row.
  std::vector<std::vector<std::pair<int, std::array<double, 6>>>> response(all_->rows().size());
  PairMotion m;
  const int rows =
      static_cast<int>(all_->rows().size());  // the numbers of joints are followed by those of rows, and of drives
  std::vector<int> drive_of_node(tree.nodes.size(), -1);
  for (std::size_t k = 0; k < drives.size(); ++k) drive_of_node[tree.driven[k].node] = static_cast<int>(k);
  auto put = [](std::vector<std::pair<int, std::array<double, 6>>>& to, int joint, const Vec3d& f, const Vec3d& n) {
    to.push_back({joint, {f.x, f.y, f.z, n.x, n.y, n.z}});
  };
  // A wrench on B at its point and the opposite on A: what the joints and drives between them bear of it.
  const auto spread = [&](std::vector<std::pair<int, std::array<double, 6>>>& to, const Pair& pair, const Vec3d& at,
                          const Vec3d& f, const Vec3d& n) {
    along_path(tree, pair.A.node, pair.B.node, [&](int node, double sign) {
      if (const int drive = drive_of_node[node]; drive >= 0) {
        const Vec3d n_node = n + cross(at - nodes[node].p, f);
        const bool turns = tree.nodes[node].kind == Node::Kind::turned;
        const double part = sign * along(tree.nodes[node], nodes[node], f, n_node);
        put(to, joints + rows + drive, {turns ? 0.0 : part, 0, 0}, {turns ? part : 0.0, 0, 0});
      }
      const int joint = joint_of_node_[node];
      if (joint < 0) return;
      const bool reversed = is_reversed(joint);
      const double s = reversed ? -sign : sign;
      Vec3d f_joint = f, n_joint = n + cross(at - nodes[node].p, f);
      remove_free_motion(tree, nodes, tree.first_node_of_joint[joint], node, f_joint, n_joint);
      if (reversed) n_joint += cross(nodes[node].p - reaction_point(joint), f_joint);
      put(to, joint, s * f_joint, s * n_joint);
    });
  };
  for (const auto& c : all_->pair_constraints()) {
    if (c.active_rows == 0) continue;
    relative_motion(c.pair, nodes, t, m);
    for (const PairRow& row : c.rows) {
      if (row.row < 0) continue;
      model::Wrench<double> w{};
      add_row_wrench(row, m.rel, 1.0, w);
      const Vec3d f = m.RA * w.f, n = m.RA * w.n;
      auto& to = response[row.row_all];
      if (c.joint >= 0)
        put(to, c.joint, -f, -n);
      else
        put(to, joints + row.row_all, {1, 0, 0}, {});
      spread(to, c.pair, m.pB, f, n);
    }
  }
  for (std::size_t k = 0; k < all_->contributions().size(); ++k) {
    const auto& item = all_->contributions()[k];
    const auto& now = contributions[k];
    for (std::size_t r = 0; r < now.rows.size(); ++r) {
      if (item.rows[r] < 0) continue;
      auto& to = response[item.rows_all[r]];
      put(to, joints + item.rows_all[r], {1, 0, 0}, {});
      spread(to, item.pair, now.at, now.to_global * now.rows[r].f, now.to_global * now.rows[r].n);
    }
  }
  for (const auto& c : all_->linear_constraints()) {  // a force, or a moment if it acts on an angle
    if (c.row < 0) continue;
    const bool turns = tree.nodes[tree.node_of_v[c.terms[0].iv]].kind == Node::Kind::revolute;
    put(response[c.row_all], joints + c.row_all, turns ? Vec3d{} : Vec3d{1, 0, 0}, turns ? Vec3d{1, 0, 0} : Vec3d{});
  }

  const int count = static_cast<int>(modes_.size());
  std::map<int, std::vector<std::pair<int, std::array<double, 6>>>> by_joint;  // joint -> (mode, response)
  for (int k = 0; k < count; ++k) {
    std::map<int, std::array<double, 6>> sum;
    for (const auto& [row, factor] : modes_[k].rows) {
      for (const auto& [joint, w] : response[row]) {
        auto& s = sum[joint];
        for (int i = 0; i < 6; ++i) s[i] += factor * w[i];
      }
    }
    for (const auto& [joint, w] : sum) by_joint[joint].push_back({k, w});
  }
  const double weight[6] = {1, 1, 1, 1 / (length_ * length_), 1 / (length_ * length_), 1 / (length_ * length_)};
  DenseMatrix N(count, count);
  Vector b(count, 0.0);
  for (const auto& [joint, list] : by_joint) {
    for (const auto& [k, wk] : list) {
      for (int i = 0; i < 6; ++i) {
        const double now = joint < joints          ? reactions[6 * joint + i]
                           : wk[i] == 0            ? 0.0
                           : joint < joints + rows ? all_multipliers[joint - joints]
                                                   : drives[joint - joints - rows];
        b[k] -= weight[i] * wk[i] * now;
        for (const auto& [l, wl] : list) N(k, l) += weight[i] * wk[i] * wl[i];
      }
    }
  }
  Vector z = solve_symmetric(N, b);
  Vector left = N * z;
  for (int k = 0; k < count; ++k) left[k] -= b[k];
  if (!(largest(left) <= 1e-9 * largest(b))) z = LeastNorm(N, 1e-12).solve(b);  // modes that do the same
  if (!std::isfinite(largest(z))) return;
  for (const auto& [joint, list] : by_joint) {
    for (const auto& [k, w] : list) {
      for (int i = 0; i < 6 && joint < joints; ++i) reactions[6 * joint + i] += z[k] * w[i];
      if (joint >= joints + rows) drives[joint - joints - rows] += z[k] * (w[0] + w[3]);
    }
  }
  for (int k = 0; k < count; ++k) {
    for (const auto& [row, factor] : modes_[k].rows) all_multipliers[row] += factor * z[k];
  }
}

}  // namespace skyhook::simulation
