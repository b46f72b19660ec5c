#include "skyhook/formalism/energy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/rotation.h"

namespace skyhook::formalism {

void measure_energy(Snapshot& s) {
  const recursive::Equations& eq = s.equations();
  s.kinetic = s.potential = 0;
  s.without_energy = nullptr;
  const auto store = [&s](const model::Contribution* force, double energy) {
    if (!std::isfinite(energy) && !s.without_energy) s.without_energy = force;
    s.potential += energy;
  };
  for (std::size_t i = 1; i < s.nodes.size(); ++i) {
    const recursive::Node& node = eq.tree().nodes[i];
    if (node.massless) continue;
    const recursive::NodeState& x = s.nodes[i];
    const Vec3d c = x.R * node.com, vc = x.v + cross(x.w, c), w = transpose_times(x.R, x.w);
    s.kinetic += 0.5 * (node.mass * dot(vc, vc) + dot(w, node.inertia * w));
    s.potential -= node.mass * dot(eq.gravity(), x.p + c);
  }
  for (const recursive::CoupledNodes& c : eq.tree().coupled) {
    for (int i = 0; i < c.count; ++i) {
      for (int j = 0; j < i; ++j) s.kinetic += c.off_diagonal(i, j) * s.v[c.first_v + i] * s.v[c.first_v + j];
    }
  }
  for (const recursive::ModalNode& modal : eq.tree().modal) {
    const recursive::Node& node = eq.tree().nodes[modal.node];
    const recursive::NodeState& x = s.nodes[modal.node];
    s.kinetic += recursive::modal_kinetic_energy(node, x);
    s.potential += recursive::strain_energy(node, s.q) -
                   dot(eq.gravity(), node.moments->mass * x.p + recursive::modal_first_moment(node, x));
  }
  for (const recursive::MeshNode& m : eq.tree().meshes) {
    const CSpan q = CSpan(s.q).subspan(m.iq), v = CSpan(s.v).subspan(m.iv);
    s.kinetic += recursive::mesh_kinetic_energy(*m.mesh, v);
    s.potential += m.mesh->forces->energy(q) - dot(eq.gravity(), recursive::mesh_first_moment(*m.mesh, q));
  }
  for (std::size_t k = 0; k < s.relatives.size(); ++k)
    store(eq.forces()[k].force, eq.forces()[k].law->energy(s.relatives[k]));
  for (const auto& c : eq.coordinate_forces()) store(c.force, c.force->coordinate->energy(s.q[c.iq] + c.reference));
  for (std::size_t k = 0; k < s.state_forces.size(); ++k) {
    const auto& item = eq.state_forces()[k];
    store(item.force, item.force->inner->energy(s.state_forces[k].x, item.states(CSpan(s.v))));
  }
  for (std::size_t k = 0; k < s.contributions.size(); ++k) {
    const auto& item = eq.contributions()[k];
    store(item.what, item.law().energy(s.input_of(k)));
  }
}

namespace {

// Along the rotation `w`, for a time so short that the angle is below 1e-4: its sine and cosine are those of their series.
class ShortTurn {
 public:
  explicit ShortTurn(const Vec3d& w) : speed_(norm(w)), axis_(speed_ > 0 ? (1.0 / speed_) * w : w) {}
  bool turns() const { return speed_ > 0; }
  Mat3d after(double time) const {
    const double angle = speed_ * time, square = angle * angle;
    return axis_rotation(axis_, 1.0 - square / 2 + square * square / 24,
                         angle * (1.0 - square / 6 + square * square / 120));
  }

 private:
  double speed_;
  Vec3d axis_;
};

// Power of loads less what they take from their store: dU/dt by a central difference along the motion of the frames, c and own coordinates.
double contribution_power(const Snapshot& s) {
  const recursive::Equations& eq = s.equations();
  double sum = 0;
  static thread_local std::vector<double> moved, own;  // a step allocates nothing
  for (std::size_t k = 0; k < s.contributions.size(); ++k) {
    const auto& item = eq.contributions()[k];
    if (!item.acts()) continue;
    const auto& now = s.contributions[k];
    const auto c = CSpan(s.v).subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.states));
    double speed = norm(now.motion.v) / s.length + norm(now.motion.w);
    for (std::size_t i = 0; i < c.size(); ++i)
      speed += std::abs(now.rates[i]) / (std::abs(c[i]) + item.declared().states[i].nominal);
    for (std::size_t i = 0; i < now.p.size(); ++i) speed += std::abs(now.p_rate[i]) / s.length;
    if (speed == 0) continue;
    const double h = 1e-5 / speed;
    const ShortTurn turn(now.motion.w);
    const auto stored = [&](double d) {
      model::Relative<double> motion = now.motion;
      motion.r += d * motion.v;
      if (turn.turns()) motion.R = turn.after(d) * motion.R;
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

// The same along the motion of x and c.
double state_power(const Snapshot& s) {
  const recursive::Equations& eq = s.equations();
  double sum = 0;
  std::array<double, model::most_inner_states> moved{};
  for (std::size_t k = 0; k < s.state_forces.size(); ++k) {
    const auto& item = eq.state_forces()[k];
    const Snapshot::StateForce& f = s.state_forces[k];
    const auto c = item.states(CSpan(s.v));
    double speed = std::abs(f.v) / s.length;
    for (int i = 0; i < item.count; ++i) {
      const int state = item.first + i - eq.tree().nv;
      speed += std::abs(s.state_rates[state]) / (std::abs(c[i]) + eq.tree().states[state].nominal);
    }
    if (speed == 0) continue;
    const double h = 1e-5 / speed;
    const auto stored = [&](double d) {
      for (int i = 0; i < item.count; ++i) moved[i] = c[i] + d * s.state_rates[item.first + i - eq.tree().nv];
      return item.force->inner->energy(f.x + d * f.v, CSpan(moved).first(item.count));
    };
    sum += (stored(h) - stored(-h)) / (2 * h) - f.pull * f.v;
  }
  return sum;
}

}  // namespace

// The same along the relative motion.
double power(const Snapshot& s, CSpan multipliers) {
  const recursive::Equations& eq = s.equations();
  double sum = 0;
  for (std::size_t k = 0; k < s.relatives.size(); ++k) {
    const auto& m = s.relatives[k];
    const double speed = norm(m.v) + s.length * norm(m.w);
    if (speed == 0) continue;
    sum += dot(s.wrenches[k].f, m.v) + dot(s.wrenches[k].n, m.w);
    const double h = 1e-5 * s.length / speed;
    const ShortTurn turn(m.w);
    const bool turns = turn.turns() && !eq.forces()[k].between_points;
    auto stored = [&](double d) {
      model::Relative<double> moved = m;
      moved.r += d * m.v;
      if (turns) moved.R = turn.after(d) * m.R;
      return eq.forces()[k].law->energy(moved);
    };
    sum += (stored(h) - stored(-h)) / (2 * h);
  }
  for (std::size_t k = 0; k < s.coordinate_forces.size(); ++k) {
    const auto& c = eq.coordinate_forces()[k];
    if (s.v[c.iv] == 0) continue;
    const double x = s.q[c.iq] + c.reference, h = 1e-5;
    sum += s.v[c.iv] * (s.coordinate_forces[k] +
                        (c.force->coordinate->energy(x + h) - c.force->coordinate->energy(x - h)) / (2 * h));
  }
  sum += state_power(s) + contribution_power(s);
  for (const recursive::ModalNode& modal : eq.tree().modal) {
    const std::vector<double>& D = eq.tree().nodes[modal.node].moments->D;
    for (int i = 0; i < modal.modes; ++i) {
      for (int j = 0; j < modal.modes; ++j)
        sum -= s.v[modal.iv + i] * D[static_cast<std::size_t>(i * modal.modes + j)] * s.v[modal.iv + j];
    }
  }
  for (const recursive::MeshNode& m : eq.tree().meshes)
    sum -= m.mesh->forces->dissipation(CSpan(s.q).subspan(m.iq), CSpan(s.v).subspan(m.iv));
  for (std::size_t k = 0; k < s.frictions.size(); ++k) {
    const auto friction = eq.friction_force(k, s.nodes, multipliers);
    sum += friction.force * friction.speed;
  }
  for (std::size_t k = 0; k < s.drives.size(); ++k) sum += s.drives[k] * s.nodes[eq.tree().driven[k].node].drive.rate;
  for (const auto& c : eq.linear_constraints()) {  // a drive does the work -s.lambda u'
    if (c.motion && c.row >= 0) sum -= multipliers[c.row] * c.motion->at(s.t).rate;
  }
  for (const auto& c : eq.pair_constraints()) {
    for (const recursive::PairRow& row : c.rows) {
      if (!row.motion || row.row < 0) continue;
      const auto length = row.motion->at(s.t);
      sum -= multipliers[row.row] * length.value * length.rate / row.length;
    }
  }
  return sum;
}

bool drives_keep_their_rates(const Snapshot& s) {
  const recursive::Equations& eq = s.equations();
  const auto is_driven = [](const auto& x) { return x.motion != nullptr; };
  return std::ranges::all_of(eq.tree().driven,
                             [&](const auto& d) { return s.nodes[d.node].drive.acceleration == 0; }) &&
         std::ranges::none_of(eq.linear_constraints(), is_driven) &&
         std::ranges::none_of(eq.pair_constraints(),
                              [&](const auto& c) { return std::ranges::any_of(c.rows, is_driven); });
}

double kinetic_of_modal(const Snapshot& s, std::size_t k, const Vec3d& v_centre, const Vec3d& w, CSpan modes) {
  const recursive::Equations& eq = s.equations();
  const recursive::Tree& tree = eq.tree();
  const recursive::ModalNode& modal = tree.modal[k];
  const recursive::Node& node = tree.nodes[static_cast<std::size_t>(modal.node)];
  recursive::NodeState x = s.nodes[static_cast<std::size_t>(modal.node)];
  x.w = w, x.v = v_centre - cross(w, x.R * node.com);
  std::vector<double> all(static_cast<std::size_t>(modal.iv), 0.0);
  all.insert(all.end(), modes.begin(), modes.end());
  recursive::modal_velocity(node, all, x);
  return recursive::modal_kinetic_energy(node, x);
}

}  // namespace skyhook::formalism
