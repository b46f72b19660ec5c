// Continuous signals s(t, q, v, c): found before the forces, whose laws then read them as they read those of controllers. What they add to
// the derivatives is a product: d tau / d s of each listener times the gradient of s.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_twist.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Local;
using model::Relative;
using model::SignalInput;

int place_in(std::vector<int>& dofs, int dof) {
  const auto at = std::ranges::find(dofs, dof);
  if (at == dofs.end()) dofs.push_back(dof);
  return static_cast<int>(std::ranges::find(dofs, dof) - dofs.begin());
}

template <class T>
void take_away(const Relative<T>& other, Relative<T>& m) {
  m.r -= other.r, m.v -= other.v, m.w -= other.w;
}

Relative<Local> without_derivatives(const Relative<double>& m) {
  Relative<Local> out;
  out.t = Local(m.t), out.set = m.set;
  out.r = Vec3<Local>(m.r), out.v = Vec3<Local>(m.v), out.w = Vec3<Local>(m.w), out.R = Mat3<Local>(m.R);
  return out;
}

Vec3d first_of(const Vec3<Local>& y) { return {y.x.d[0], y.y.d[0], y.z.d[0]}; }

}  // namespace

SignalReading Equations::reading_of(const SignalInput& given) const {
  using Of = SignalInput::Of;
  const auto thing = static_cast<std::size_t>(given.thing);
  const Place global = tree_.place(model::ground, {}, Mat3d::identity());
  SignalReading out{given, {}, {}, -1, -1, -1, -1, 0, {}};
  const auto see = [&](const Place& from, const Place& to) { out.pairs.push_back(make_pair(tree_, from, to)); };
  switch (given.of) {
    case Of::body: {  // its reference frame, whatever point of a body that bends is there too
      const model::Body& body = model_->bodies[thing];
      const int node = tree_.node_of_body[thing];
      see(global, {node, body.at - tree_.origin[static_cast<std::size_t>(node)], body.axes});
      break;
    }
    case Of::marker: see(global, tree_.place(model_->markers[thing])); break;
    case Of::sensor: {
      const model::Sensor& sensor = model_->sensors[thing];
      const Place in = tree_.place(sensor.in);
      see(in, tree_.place(sensor.to)), see(in, tree_.place(sensor.from));
      break;
    }
    case Of::joint: read_joint(out); break;
    case Of::element: read_element(out); break;
    default: break;
  }
  return out;
}

void Equations::read_joint(SignalReading& out) const {
  const model::Joint& joint = model_->joints[static_cast<std::size_t>(out.given.thing)];
  const Mat3d design = Mat3d::identity();
  if (out.given.what == SignalInput::What::spin) {  // of `to` against `from`, in axes of `to`
    out.pairs.push_back(
        make_pair(tree_, tree_.place(joint.to, joint.at_to, design), tree_.place(joint.from, joint.at_from, design)));
    return;
  }
  const auto scalar = static_cast<std::size_t>(out.given.part);
  out.reference = joint.reference[scalar];
  if (is_cut(out.given.thing)) {
    out.joint = out.given.thing;
    out.cut.emplace(joint, out.given.part);
    out.pairs.push_back(
        make_pair(tree_, tree_.place(joint.from, joint.at_from, design), tree_.place(joint.to, joint.at_to, design)));
    return;
  }
  const Coordinate& at = tree_.coordinates[static_cast<std::size_t>(out.given.thing)][scalar];
  out.iq = at.iq, out.iv = at.iv, out.node = at.node;
}

// An inner state, or a coordinate of its own.
void Equations::read_element(SignalReading& out) const {
  const model::Contribution* what = &model_->contributions[static_cast<std::size_t>(out.given.thing)];
  const int part = out.given.part;
  if (what->inner) {
    out.iv = std::ranges::find(state_forces_, what, &StateItem::force)->first + part;
    return;
  }
  const ContributionItem& item = *std::ranges::find(contributions_, what, &ContributionItem::what);
  if (out.given.what == SignalInput::What::state) {
    out.iv = item.first + part;
    return;
  }
  out.iv = item.first_own + part;
  out.iq = tree_.nodes[static_cast<std::size_t>(item.nodes[static_cast<std::size_t>(part)])].iq;
}

// In their order, so that each finds those that it reads.
void Equations::add_signals() {
  int first = 0;
  for (const int number : model_->continuous_order) {
    const model::ContinuousSignal& what = model_->continuous[static_cast<std::size_t>(number)];
    SignalItem item{&what, number, {}, {}, first};
    for (const SignalInput& given : what.inputs) {
      SignalReading reading = reading_of(given);
      for (const Pair& pair : reading.pairs) {
        for (const int dof : pair.dofs) reading.places.push_back(place_in(item.dofs, dof));
      }
      if (reading.iv >= 0) reading.places.push_back(place_in(item.dofs, reading.iv));
      if (given.of == SignalInput::Of::signal) {
        for (const int dof : signal_item(given.thing).dofs) reading.places.push_back(place_in(item.dofs, dof));
      }
      item.inputs.push_back(std::move(reading));
    }
    first += static_cast<int>(item.dofs.size());
    signals_.push_back(std::move(item));
  }
  add_listeners();
}

const SignalItem& Equations::signal_item(int number) const {
  return *std::ranges::find(signals_, number, &SignalItem::number);
}

void Equations::add_listeners() {
  using Part = SignalListener::Part;
  const auto add = [&](Part part, std::size_t item, const model::Contribution& what, std::vector<int> rows) {
    if (!what.signal.is_continuous) return;
    const auto signal = static_cast<std::size_t>(&signal_item(what.signal.index) - signals_.data());
    listeners_.push_back({part, item, signal, std::move(rows), {}});
  };
  for (std::size_t k = 0; k < forces_.size(); ++k) add(Part::wrench, k, *forces_[k].force, forces_[k].pair.dofs);
  for (std::size_t k = 0; k < coordinate_forces_.size(); ++k)
    add(Part::coordinate, k, *coordinate_forces_[k].force, {coordinate_forces_[k].iv});
  for (std::size_t k = 0; k < state_forces_.size(); ++k)
    add(Part::inner, k, *state_forces_[k].force, state_forces_[k].coordinates());
}

bool Equations::signals_read_turns() const {
  return std::ranges::any_of(signals_, [](const SignalItem& item) {
    return std::ranges::any_of(item.inputs, [](const SignalReading& r) { return r.cut && r.cut->turns(); });
  });
}

void Equations::add_signal_pattern(PatternBuilder& tangent) const {
  for (const SignalListener& listener : listeners_) {
    for (const int j : signals_[listener.signal].dofs) {
      for (const int i : listener.rows) tangent.add(i, j);
    }
  }
}

void Equations::find_signal_slots() const {
  for (SignalListener& listener : listeners_) {
    for (const int j : signals_[listener.signal].dofs) {
      for (const int i : listener.rows)
        listener.slots.push_back(tangent_pattern_.find(i, j) - tangent_pattern_.start[j]);
    }
  }
}

int Equations::longest_signal_path() const {
  int most = 0;
  for (const SignalItem& item : signals_) {
    for (const SignalReading& reading : item.inputs) {
      for (const Pair& pair : reading.pairs) most = std::max(most, pair.n());
    }
  }
  return most;
}

SignalWork Equations::signal_work() const {
  SignalWork work;
  std::size_t inputs = 0, dofs = 0, rows = 0;
  for (const SignalItem& item : signals_) {
    inputs = std::max(inputs, item.inputs.size() + 1);
    dofs += item.dofs.size();
  }
  for (const SignalListener& listener : listeners_) rows = std::max(rows, listener.rows.size());
  work.values.resize(model_->continuous.size());
  work.by_position.resize(dofs), work.by_rate.resize(dofs);
  work.inputs.resize(inputs), work.duals.resize(inputs), work.slopes.resize(inputs);
  work.column.resize(rows);
  return work;
}

double Equations::read(const SignalReading& from, double t, CSpan q, CSpan v, const std::vector<NodeState>& nodes,
                       CSpan found) const {
  using What = SignalInput::What;
  if (from.given.of == SignalInput::Of::controller) return held_->signals[static_cast<std::size_t>(from.given.thing)];
  if (from.given.of == SignalInput::Of::signal) return found[static_cast<std::size_t>(from.given.thing)];
  const bool is_value = from.given.what == What::coordinate;
  if (from.node >= 0) {
    const auto& drive = nodes[static_cast<std::size_t>(from.node)].drive;
    return is_value ? drive.value + from.reference : drive.rate;
  }
  if (from.iv >= 0) return is_value ? q[from.iq] + from.reference : v[from.iv];
  PairMotion m, other;
  relative_motion(from.pairs[0], nodes, t, m);
  if (from.cut) m.rel.set.angles = angles_of(from.joint);
  if (from.pairs.size() > 1) relative_motion(from.pairs[1], nodes, t, other), take_away(other.rel, m.rel);
  return from.value(m.rel);
}

Eval Equations::find_signals(double t, CSpan q, CSpan v, const std::vector<NodeState>& nodes, SignalWork& work,
                             std::string& blame) const {
  for (const SignalItem& item : signals_) {
    const std::size_t inputs = item.inputs.size();
    for (std::size_t k = 0; k < inputs; ++k) work.inputs[k] = read(item.inputs[k], t, q, v, nodes, work.values);
    work.inputs[inputs] = t;
    double& value = work.values[static_cast<std::size_t>(item.number)];
    value = item.what->formula.evaluate(CSpan(work.inputs).first(inputs + 1));
    if (std::isfinite(value)) continue;
    blame = fmt::format("signal \"{}\" is not a number", item.what->name);
    return Eval::recoverable;
  }
  return Eval::ok;
}

// Of the formula to its inputs, two at a time.
void Equations::slopes_of(const SignalItem& item, const Input& in, Workspace& ws) const {
  SignalWork& work = ws.signals;
  const std::size_t inputs = item.inputs.size();
  for (std::size_t k = 0; k < inputs; ++k)
    work.duals[k] = Dual<2>(read(item.inputs[k], in.t, in.q, in.v, ws.nodes, work.values));
  work.duals[inputs] = Dual<2>(in.t);
  for (std::size_t k = 0; k < inputs; k += 2) {
    const std::size_t count = std::min<std::size_t>(2, inputs - k);
    for (std::size_t l = 0; l < count; ++l) work.duals[k + l].d[l] = 1.0;
    const Dual<2> f = item.what->formula.evaluate(std::span<const Dual<2>>(work.duals).first(inputs + 1));
    for (std::size_t l = 0; l < count; ++l) work.slopes[k + l] = f.d[l], work.duals[k + l].d[l] = 0.0;
  }
}

// What the reading of a pair of frames adds, times `slope`. The other pair stands still.
void Equations::add_pair_gradient(const SignalReading& from, std::size_t number, double slope, const SignalItem& item,
                                  double t, Workspace& ws) const {
  PairMotion m, other;
  const Pair& pair = from.pairs[number];
  relative_motion(pair, ws.nodes, t, m);
  if (from.cut) m.rel.set.angles = angles_of(from.joint);
  set_point(m.rel, ws.local), set_rotation(m.rel, ws.local);
  ws.local.set = m.rel.set;
  Relative<Local> seen = ws.local;
  if (from.pairs.size() > 1) {
    relative_motion(from.pairs[1 - number], ws.nodes, t, other);
    take_away(without_derivatives(other.rel), seen);
    if (number == 1) seen.r = -seen.r, seen.v = -seen.v, seen.w = -seen.w;
  }
  const Local y = from.value(seen);
  ws.block.move(pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
  const int* const place = from.places.data() + (number == 0 ? 0 : from.pairs[0].n());
  for (int k = 0; k < pair.n(); ++k) {
    const LocalTwist by = local_twist(ws.block, m, k);
    ws.signals.by_position[item.first + place[k]] += slope * recursive::by_position(y, by);
    ws.signals.by_rate[item.first + place[k]] += slope * recursive::by_rate(y, by);
  }
}

// After find_signals() at the same motion.
Eval Equations::signal_gradients(const Input& in, Workspace& ws) const {
  SignalWork& work = ws.signals;
  std::ranges::fill(work.by_position, 0.0), std::ranges::fill(work.by_rate, 0.0);
  for (const SignalItem& item : signals_) {
    slopes_of(item, in, ws);
    for (std::size_t k = 0; k < item.inputs.size(); ++k) {
      const SignalReading& from = item.inputs[k];
      const double slope = work.slopes[k];
      for (std::size_t p = 0; p < from.pairs.size(); ++p) add_pair_gradient(from, p, slope, item, in.t, ws);
      if (from.iv >= 0) {
        const bool is_value = from.given.what == SignalInput::What::coordinate;
        (is_value ? work.by_position : work.by_rate)[item.first + from.places[0]] += slope;
      }
      if (from.given.of == SignalInput::Of::signal) {
        const SignalItem& other = signal_item(from.given.thing);
        for (std::size_t j = 0; j < from.places.size(); ++j) {
          work.by_position[item.first + from.places[j]] += slope * work.by_position[other.first + j];
          work.by_rate[item.first + from.places[j]] += slope * work.by_rate[other.first + j];
        }
      }
    }
    for (std::size_t j = 0; j < item.dofs.size(); ++j) {
      if (std::isfinite(work.by_position[item.first + j] + work.by_rate[item.first + j])) continue;
      ws.blame = fmt::format("the derivative of signal \"{}\" is not a number", item.what->name);
      return Eval::recoverable;
    }
  }
  return Eval::ok;
}

// d tau / d s of one that listens, by its rows.
void Equations::listener_column(const SignalListener& listener, const Input& in, Workspace& ws) const {
  using Part = SignalListener::Part;
  const Span out = ws.signals.column;
  PairMotion m;
  if (listener.part == Part::coordinate) {
    const CoordinateItem& c = coordinate_forces_[listener.item];
    model::Setting set = setting(*c.force, ws.signals.values);
    set.differentiates = true;
    out[0] = -c.force->coordinate->force(Dual<2>(in.q[c.iq] + c.reference), Dual<2>(in.v[c.iv]), in.t, set).d[0];
    return;
  }
  const auto move = [&](const Pair& pair) {
    ws.block.move(pair, m, ws.nodes, tree_derivatives_.axes(ws.derivatives), tree_derivatives_.width());
  };
  if (listener.part == Part::wrench) {
    const ForceItem& item = forces_[listener.item];
    relative_motion(item.pair, ws.nodes, in.t, m);
    m.rel.set = setting(*item.force, ws.signals.values);
    m.rel.set.differentiates = true;
    model::Wrench<Local> w{};
    item.law->wrench(without_derivatives(m.rel), w);
    move(item.pair);
    const Vec3d f = first_of(w.f), n = first_of(w.n);
    for (int k = 0; k < item.pair.n(); ++k) {
      const LocalTwist by = local_twist(ws.block, m, k);
      out[k] = -(dot(f, by.shift) + dot(n, by.turn));
    }
    return;
  }
  const StateItem& item = state_forces_[listener.item];
  Vec3d unit;
  const auto at = item.stroke(ws.nodes, in.t, in.q, in.v, setting(*item.force, ws.signals.values), m, unit);
  std::array<model::Inner, model::most_inner_states> c, rates;
  for (int k = 0; k < item.count; ++k) c[k] = model::Inner(in.v[item.first + k]);
  model::Stroke<model::Inner> stroke{model::Inner(at.x), model::Inner(at.v), in.t, at.set};
  stroke.set.differentiates = true;
  const auto count = static_cast<std::size_t>(item.count);
  const model::Inner pull = item.force->inner->evaluate(stroke, std::span<const model::Inner>(c).first(count),
                                                        std::span<model::Inner>(rates).first(count));
  const int n = item.pair.n();
  if (item.on_coordinate()) {
    out[0] = pull.d[0];
  } else {
    move(item.pair);
    for (int k = 0; k < n; ++k) {
      const LocalTwist by = local_twist(ws.block, m, k);
      out[k] = pull.d[0] * dot(unit, item.is_moment() ? by.turn : by.shift);
    }
  }
  for (int k = 0; k < item.count; ++k) out[n + k] = -rates[k].d[0];
}

Eval Equations::signal_derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  if (listeners_.empty()) return Eval::ok;
  if (const Eval e = signal_gradients(in, ws); e != Eval::ok) return e;
  for (const SignalListener& listener : listeners_) {
    listener_column(listener, in, ws);
    const SignalItem& signal = signals_[listener.signal];
    const std::size_t rows = listener.rows.size();
    for (std::size_t j = 0; j < signal.dofs.size(); ++j) {
      const double q = ws.signals.by_position[signal.first + j], v = ws.signals.by_rate[signal.first + j];
      const int* const slots = listener.slots.data() + j * rows;
      for (std::size_t i = 0; i < rows; ++i) {
        out.stiffness[signal.dofs[j]][slots[i]] += ws.signals.column[i] * q;
        out.damping[signal.dofs[j]][slots[i]] += ws.signals.column[i] * v;
      }
    }
  }
  return Eval::ok;
}

}  // namespace skyhook::formalism::recursive
