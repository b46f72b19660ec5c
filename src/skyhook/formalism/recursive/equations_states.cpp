// Force elements with inner states: tau gets the force, and behind the coordinates of the tree stand the rows c' - d(x, v, c, t).
#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cmath>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_response.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Inner;
using model::Local;
using model::Stroke;

double worth(double x) { return x; }
double worth(const Inner& x) {  // its derivatives; not finite if one of them is not
  double sum = x.v;
  for (const double d : x.d) sum += d;
  return sum;
}

// Eval::ok where all are numbers.
template <class T>
Eval judge(const char* what, const T& pull, std::span<const T> rates, const model::Contribution& force,
           std::string& blame) {
  if (!std::isfinite(worth(pull))) {
    blame = fmt::format("{} of {} \"{}\" is not a number", what, force.type, force.name);
    return Eval::recoverable;
  }
  for (std::size_t k = 0; k < rates.size(); ++k) {
    if (std::isfinite(worth(rates[k]))) continue;
    blame = fmt::format("{} of state \"{}.{}\" is not a number", what, force.name, force.inner->states()[k].name);
    return Eval::recoverable;
  }
  return Eval::ok;
}

// Responses of a scalar to a variation of three of the local variables.
double respond_one(const Local& y, Direction first, const Vec3d& x) {
  return y.d[first] * x.x + y.d[first + 1] * x.y + y.d[first + 2] * x.z;
}

Vec3d one_of(const PathBlock& block, int row, int k) {
  const Vec3l all = block.all_of(row, k);
  return {all.x[0], all.y[0], all.z[0]};
}

// Of x and v over the coordinates of the path, which the block holds.
void gradients(const StateItem& item, const PairMotion& m, const Along<Local>& now, const PathBlock& block,
               std::vector<StrokeGradient>& out) {
  const Vec3d unit{now.unit.x.v, now.unit.y.v, now.unit.z.v};
  for (int k = 0; k < item.pair.n(); ++k) {
    const Vec3d turn = transpose_times(m.R_A, one_of(block, PathBlock::turn, k));
    const Vec3d shift = transpose_times(m.R_A, one_of(block, PathBlock::shift, k));
    const Vec3d spin = transpose_times(m.R_A, one_of(block, PathBlock::spin, k));
    const Vec3d slip = transpose_times(m.R_A, one_of(block, PathBlock::slip, k));
    StrokeGradient& to = out[static_cast<std::size_t>(k)];
    to.unit = dot(unit, item.is_moment() ? turn : shift);
    to.x = respond_one(now.x, by_shift, shift) + respond_one(now.x, by_turn, turn);
    to.v = respond_one(now.v, by_shift, shift) + respond_one(now.v, by_turn, turn) +
           respond_one(now.v, by_velocity, slip) + respond_one(now.v, by_spin, spin);
    to.v_of_rate = respond_one(now.v, by_velocity, shift) + respond_one(now.v, by_spin, turn);
  }
}

Local chain_rule(const Inner& f, const Along<Local>& at) {
  Local out(f.v);
  for (std::size_t k = 0; k < out.d.size(); ++k) out.d[k] = f.d[0] * at.x.d[k] + f.d[1] * at.v.d[k];
  return out;
}

// All that has a state in it: the rows of the states, and the columns of the force.
void write_states(const StateItem& item, const Inner& pull, std::span<const Inner> rates,
                  const std::vector<StrokeGradient>& to, const Blocks& out) {
  const int n = item.pair.n();
  for (int k = 0; k < item.count; ++k) {
    for (int j = 0; j < n; ++j) {
      const int dof = item.pair.dofs[j], slot = item.rows[k * n + j];
      out.stiffness[dof][slot] = -(rates[k].d[0] * to[j].x + rates[k].d[1] * to[j].v);
      out.damping[dof][slot] = -rates[k].d[1] * to[j].v_of_rate;
      out.damping[item.first + k][item.columns[k * n + j]] = pull.d[2 + k] * to[j].unit;
    }
    for (int m = 0; m < item.count; ++m) out.damping[item.first + m][item.own[k * item.count + m]] = -rates[k].d[2 + m];
    out.mass[item.first + k][item.own[k * item.count + k]] = 1.0;
  }
}

}  // namespace

void Equations::add_state_force(const model::Contribution& force, int first) {
  StateItem item;
  item.force = &force, item.first = first, item.count = static_cast<int>(force.inner->states().size());
  assert(item.count <= model::most_inner_states);
  if (force.joint < 0) {
    item.pair = make_pair(tree_, tree_.place(force.from), tree_.place(force.to));
  } else if (const model::Joint& joint = model_->joints[force.joint]; tree_.last_node_of_joint[force.joint] < 0) {
    const Mat3d design = Mat3d::identity();
    item.pair =
        make_pair(tree_, tree_.place(joint.from, joint.at_from, design), tree_.place(joint.to, joint.at_to, design));
    item.cut.emplace(joint, force.dof, nullptr);
  } else {
    const Coordinate& c = tree_.coordinates[force.joint][force.dof];
    item.iq = c.iq, item.iv = c.iv, item.reference = joint.reference[force.dof];
    item.pair.dofs = {c.iv};
  }
  state_forces_.push_back(std::move(item));
}

void Equations::find_state_slots() const {
  const auto slot = [&](int i, int j) { return tangent_pattern_.find(i, j) - tangent_pattern_.start[j]; };
  for (StateItem& item : state_forces_) {
    for (const int j : item.pair.dofs) {
      for (const int i : item.pair.dofs) item.slots.push_back(slot(i, j));
    }
    for (int k = 0; k < item.count; ++k) {
      const int state = item.first + k;
      for (const int j : item.pair.dofs) item.columns.push_back(slot(j, state)), item.rows.push_back(slot(state, j));
      for (int m = 0; m < item.count; ++m) item.own.push_back(slot(state, item.first + m));
    }
  }
}

// Forces between frames go to the nodes; those on coordinates and the rates are kept for finish_states() and others.
Eval Equations::apply_states(const Input& in, Workspace& ws) const {
  if (state_forces_.empty()) return Eval::ok;
  PairMotion m;
  Vec3d unit;
  for (std::size_t k = 0; k < state_forces_.size(); ++k) {
    const StateItem& item = state_forces_[k];
    const Stroke<double> stroke =
        item.stroke(ws.nodes, in.t, in.q, in.v, setting(*item.force, ws.signals.values), m, unit);
    const Span rates = Span(ws.rates).subspan(item.first - tree_.nv, item.count);
    ws.pulls[k] = item.force->inner->evaluate(stroke, item.states(in.v), rates);
    if (const Eval e = judge<double>("force", ws.pulls[k], rates, *item.force, ws.blame); e != Eval::ok) return e;
    if (ws.keeps_forces) ws.forces.state_forces[k] = {stroke.x, stroke.v, ws.pulls[k], {}, {}};
    if (item.on_coordinate()) continue;
    const Vec3d push = ws.pulls[k] * (m.R_A * unit);  // on A; tension pulls B back
    if (ws.keeps_forces) (item.is_moment() ? ws.forces.state_forces[k].n : ws.forces.state_forces[k].f) = -push;
    add_wrench(item.pair, m, item.is_moment() ? Vec3d{} : push, item.is_moment() ? push : Vec3d{}, 1.0, ws.nodes);
  }
  return Eval::ok;
}

void Equations::finish_states(const Input& in, Span tau, const Workspace& ws) const {
  for (std::size_t k = 0; k < ws.rates.size(); ++k) tau[tree_.nv + k] = in.a[tree_.nv + k] - ws.rates[k];
}

Eval Equations::state_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  if (state_forces_.empty()) return Eval::ok;
  PairMotion m;
  Vec3d unit;
  std::array<Inner, model::most_inner_states> c, rates;
  for (const StateItem& item : state_forces_) {
    const auto count = static_cast<std::size_t>(item.count);
    const Stroke<double> at = item.stroke(ws.nodes, in.t, in.q, in.v, setting(*item.force, ws.signals.values), m, unit);
    for (int k = 0; k < item.count; ++k) c[k] = Inner::variable(in.v[item.first + k], 2 + k);
    const Stroke<Inner> stroke{Inner::variable(at.x, 0), Inner::variable(at.v, 1), in.t, at.set};
    const std::span<Inner> found = std::span(rates).first(count);
    const Inner pull = item.force->inner->evaluate(stroke, std::span<const Inner>(c).first(count), found);
    if (const Eval e = judge<Inner>("derivative", pull, found, *item.force, ws.blame); e != Eval::ok) return e;
    if (item.on_coordinate()) {
      out.stiffness[item.iv][item.slots[0]] += pull.d[0];
      out.damping[item.iv][item.slots[0]] += pull.d[1];
      ws.strokes[0] = {};
    } else {
      set_point(m.rel, ws.local), set_rotation(m.rel, ws.local);
      ws.local.set = at.set;
      const Along<Local> now = item.along(ws.local);
      ws.block.move(item.pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
      gradients(item, m, now, ws.block, ws.strokes);
      model::Wrench<Local> w{};
      (item.is_moment() ? w.n : w.f) = -chain_rule(pull, now) * now.unit;
      wrench_responses(m, w, item.pair.n(), ws.block);
      ws.block.add_position_block(item.pair, item.slots, true, out.stiffness);
      ws.block.add_velocity_block(item.pair, item.slots, true, out.damping);
    }
    write_states(item, pull, found, ws.strokes, out);
  }
  return Eval::ok;
}

}  // namespace skyhook::formalism::recursive
