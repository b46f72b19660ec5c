#include "skyhook/simulation/input_probes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "skyhook/formalism/parts.h"
#include "skyhook/math/lanes.h"
#include "skyhook/model/over_ground.h"
#include "skyhook/model/timeless.h"
#include "skyhook/simulation/each_drive.h"

namespace skyhook::simulation {
namespace {

constexpr int most_components = 6;
using InputValues = std::array<double, most_components>;
struct Input {
  std::function<InputValues(double t)> at;
  std::size_t components;
  const model::Motion* motion = nullptr;  // the same, which goes quicker for many times at once
};

constexpr long all_looks = 200000;        // at all inputs together
constexpr int least = 500, most = 10000;  // intervals of one input
constexpr double steep = 0.02;            // of the range of an input within one interval: look closer
constexpr int parts = 8, deepest = 5;
constexpr std::size_t most_points = 40000;
constexpr double still = 1e-6;  // of the range: no change

// An input at many times, component by component: most of what is asked of it goes four times at once.
struct Points {
  std::vector<double> t;
  std::array<std::vector<double>, most_components> value;

  std::size_t size() const { return t.size(); }
  InputValues at(std::size_t k, std::size_t components) const {
    InputValues values{};
    for (std::size_t i = 0; i < components; ++i) values[i] = value[i][k];
    return values;
  }
  void add(double time, const InputValues& values, std::size_t components) {
    t.push_back(time);
    for (std::size_t i = 0; i < components; ++i) value[i].push_back(values[i]);
  }
  void clear() {
    t.clear();
    for (auto& list : value) list.clear();
  }
};

struct Point {
  double t;
  InputValues value;
};

// What is no number does not count.
double range_of(const std::vector<double>& values) {
  constexpr double none = std::numeric_limits<double>::infinity();
  Lanes lows(none), highs(-none);
  std::size_t k = 0;
  for (; k + Lanes::count <= values.size(); k += Lanes::count) {
    const Lanes x = Lanes::load(&values[k]);
    const LaneMask finite = x - x == Lanes(0.0);
    lows = select(finite & (x < lows), x, lows), highs = select(finite & (x > highs), x, highs);
  }
  double low = none, high = -none;
  for (int i = 0; i < Lanes::count; ++i) low = std::min(low, lows[i]), high = std::max(high, highs[i]);
  for (; k < values.size(); ++k) {
    if (std::isfinite(values[k])) low = std::min(low, values[k]), high = std::max(high, values[k]);
  }
  const double size = std::max(std::abs(low), std::abs(high));
  return high - low > 1e-9 * size ? high - low : 0.0;
}

InputValues range_of(const Points& points, std::size_t components) {
  InputValues range{};
  for (std::size_t i = 0; i < components; ++i) range[i] = range_of(points.value[i]);
  return range;
}

bool is_steep(const InputValues& a, const InputValues& b, const InputValues& range, std::size_t components) {
  for (std::size_t i = 0; i < components; ++i) {
    if (range[i] > 0 && std::abs(b[i] - a[i]) > steep * range[i]) return true;
  }
  return false;
}

bool is_steep_anywhere(const std::vector<double>& values, double range) {
  const double most_change = steep * range;
  std::size_t k = 1;
  for (; k + Lanes::count <= values.size(); k += Lanes::count) {
    const Lanes change = Lanes::load(&values[k]) - Lanes::load(&values[k - 1]);
    if (any((change > most_change) | (change < -most_change))) return true;
  }
  for (; k < values.size(); ++k) {
    if (std::abs(values[k] - values[k - 1]) > most_change) return true;
  }
  return false;
}

// The points between a and b, closer where the input changes fast.
void look_closer(const Input& input, const Point& a, const Point& b, const InputValues& range, int depth, Points& out) {
  if (depth == deepest || out.size() > most_points || !is_steep(a.value, b.value, range, input.components)) return;
  Point before = a;
  for (int k = 1; k <= parts; ++k) {
    const double t = a.t + (b.t - a.t) * k / parts;
    const Point here = k == parts ? b : Point{t, input.at(t)};
    look_closer(input, before, here, range, depth + 1, out);
    if (k < parts) out.add(here.t, here.value, input.components);
    before = here;
  }
}

// Filled for one input after the other: half a megabyte each, which is slow to get anew.
struct Room {
  Points coarse, closer;
};

InputValues values_of(const model::Motion2& m) { return {m.value, m.rate, m.acceleration}; }

void look(const Input& input, Points& points) {
  const std::size_t count = points.size();
  for (auto& list : points.value) list.resize(count);
  if (input.motion) {
    const std::vector<model::Motion2> motions = input.motion->at(points.t);
    std::vector<double>&values = points.value[0], &rates = points.value[1], &accelerations = points.value[2];
    for (std::size_t k = 0; k < count; ++k)
      values[k] = motions[k].value, rates[k] = motions[k].rate, accelerations[k] = motions[k].acceleration;
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    const InputValues values = input.at(points.t[k]);
    for (std::size_t i = 0; i < input.components; ++i) points.value[i][k] = values[i];
  }
}

// At the times of room.coarse, and closer; null where it never changes.
const Points* points_of(const Input& input, Room& room) {
  auto& [coarse, out] = room;
  const std::size_t n = input.components;
  look(input, coarse);
  const InputValues range = range_of(coarse, n);
  if (std::ranges::all_of(range, [](double r) { return r == 0; })) return nullptr;  // most forces at rest
  bool is_steep_somewhere = false;
  for (std::size_t i = 0; i < n; ++i)
    is_steep_somewhere = is_steep_somewhere || (range[i] > 0 && is_steep_anywhere(coarse.value[i], range[i]));
  if (!is_steep_somewhere) return &coarse;
  out.clear();
  Point before{coarse.t[0], coarse.at(0, n)};
  out.add(before.t, before.value, n);
  for (std::size_t k = 1; k < coarse.size(); ++k) {
    const Point here{coarse.t[k], coarse.at(k, n)};
    look_closer(input, before, here, range, 0, out);
    out.add(here.t, here.value, n);
    before = here;
  }
  return &out;
}

// The first from k on of which the change to it is not what `way` says (1: up, -1: down, 0: none).
std::size_t end_of_way(const std::vector<double>& values, std::size_t k, int way, double little) {
  const auto goes_on = [&](const Lanes& change) {
    const LaneMask up = change > little, down = change < -little;
    return way > 0 ? all(up) : way < 0 ? all(down) : !any(up | down);
  };
  while (k + Lanes::count <= values.size() && goes_on(Lanes::load(&values[k]) - Lanes::load(&values[k - 1])))
    k += Lanes::count;
  return k;
}

// Where a component begins to change, turns or stops, and halfway between these.
void add_turns(const std::vector<double>& t, const std::vector<double>& values, double range,
               std::vector<double>& out) {
  int way = 0;
  double last = t[0];
  const double little = still * range;
  for (std::size_t k = end_of_way(values, 1, way, little); k < values.size(); ++k) {
    const double change = values[k] - values[k - 1];
    const int next = !(std::abs(change) > little) ? 0 : change > 0 ? 1 : -1;
    if (next == way) continue;
    if (way != 0) out.push_back(0.5 * (last + t[k - 1]));
    out.push_back(t[k - 1]);
    last = t[k - 1], way = next;
    k = end_of_way(values, k + 1, way, little) - 1;
  }
  if (way != 0) out.push_back(0.5 * (last + t.back()));
}

void add_force_inputs(const Snapshot& s, double until, std::vector<Input>& out) {
  const Equations& eq = s.equations();
  const double t0 = s.t;
  const formalism::Parts& laws = eq.parts();
  // A law that does not read the time is an input where the motion carries it along: springs and dampers between parts that hardly
  // move to each other are none.
  constexpr double hardly = 0.01;  // of the model's length
  const auto stays = [&](const auto* law, double speed) {
    const auto* timeless = dynamic_cast<const model::Timeless*>(law);
    return timeless && timeless->is_timeless() &&
           (!timeless->reads_position() || speed * (until - t0) <= hardly * s.length);
  };
  for (std::size_t k = 0; k < laws.wrenches.size(); ++k) {
    const auto& law = laws.wrenches[k].law;
    if (dynamic_cast<const model::Outsider*>(law.get()) || dynamic_cast<const model::OverGround*>(law.get()) ||
        stays(law.get(), norm(s.relatives[k].v)))
      continue;
    const auto force = [law, at = s.relatives[k], t0](double t) {
      model::Relative<double> moved = at;
      moved.t = t, moved.r += (t - t0) * at.v;
      model::Wrench<double> w{};
      law->wrench(moved, w);
      return InputValues{w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z};
    };
    out.push_back({force, 6});
  }
  for (std::size_t k = 0; k < laws.on_coordinates.size(); ++k) {
    const auto& law = laws.on_coordinates[k].what->coordinate;
    const model::Stroke<double> at = s.stroke_of(k);
    if (stays(law.get(), std::abs(at.v))) continue;
    out.push_back(
        {[law, at, t0](double t) { return InputValues{law->force(at.x + (t - t0) * at.v, at.v, t, at.set)}; }, 1});
  }
  for (std::size_t k = 0; k < laws.inner.size(); ++k) {
    const formalism::Parts::Inner& part = laws.inner[k];
    if (stays(part.what->inner.get(), std::abs(s.state_forces[k].v))) continue;
    const auto states =
        std::span(s.v).subspan(static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.count));
    const auto force = [law = part.what->inner, set = eq.setting(*part.what, s.signals), f = s.state_forces[k],
                        c = std::vector<double>(states.begin(), states.end()), t0](double t) {
      std::vector<double> rates(c.size());
      InputValues values{law->evaluate({f.x + (t - t0) * f.v, f.v, t, set}, c, rates)};
      for (std::size_t i = 0; i < rates.size() && i + 1 < values.size(); ++i) values[i + 1] = rates[i];
      return values;
    };
    out.push_back({force, std::min<std::size_t>(states.size() + 1, most_components)});
  }
}

// Roads that go up and down, below wheels that stand. What wheels meet because they move, or because a belt does: LookAhead.
void add_lifted_roads(const Snapshot& s, std::vector<Input>& out) {
  const auto add = [&](const model::Contribution& what, model::Relative<double> at) {
    const model::OverGround* ground = model::over_ground(what);
    if (!ground || !ground->is_lifted()) return;
    at.v = {}, at.t = s.t;
    out.push_back({[ground, at, t0 = s.t](double t) {
                     InputValues values{};
                     ground->look_ahead(at, {t - t0, 0, 1}, values);
                     return values;
                   },
                   static_cast<std::size_t>(std::min(ground->sights(), most_components))});
  };
  const formalism::Parts& laws = s.equations().parts();
  for (std::size_t k = 0; k < laws.wrenches.size(); ++k) add(*laws.wrenches[k].what, s.relatives[k]);
  for (std::size_t k = 0; k < laws.laws.size(); ++k) add(*laws.laws[k].what, s.input_of(k).motion);
}

// Signals whose formulas ask for the time, at the motion of the start.
void add_signal_inputs(const Snapshot& s, std::vector<Input>& out) {
  const auto& signals = s.equations().model().continuous;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    const int time = static_cast<int>(signals[k].inputs.size());
    if (std::ranges::count(signals[k].formula.used_variables(), time) == 0) continue;
    const auto signal = [eq = s.of, at = formalism::State{s.t, s.q, s.v}, k](double t) {
      formalism::State then = at;
      then.t = t;
      return InputValues{eq->signals_at(then)[k]};
    };
    out.push_back({signal, 1});
  }
}

void add_drive_inputs(const model::Model& model, std::vector<Input>& out) {
  for_each_drive(model, [&](const Owner&, int, const model::Motion& motion) {
    if (motion.is_constant()) return;
    out.push_back({[&motion](double t) { return values_of(motion.at(t)); }, 3, &motion});
  });
}

}  // namespace

double InputProbes::limit(double t) const {
  const auto next = std::ranges::upper_bound(from, t);
  return next == from.end() ? std::numeric_limits<double>::infinity()
                            : limits[static_cast<std::size_t>(next - from.begin())];
}

InputProbes probe_inputs(const Snapshot& start, double until) {
  std::vector<Input> inputs;
  add_force_inputs(start, until, inputs);
  add_lifted_roads(start, inputs);
  add_signal_inputs(start, inputs);
  add_drive_inputs(start.equations().model(), inputs);
  InputProbes out;
  if (inputs.empty() || !(until > start.t)) return out;
  const int intervals = static_cast<int>(std::clamp<long>(all_looks / static_cast<long>(inputs.size()), least, most));
  std::vector<std::pair<double, double>> pairs;
  std::vector<double> turns;
  Room room;
  for (int k = 0; k <= intervals; ++k) room.coarse.t.push_back(start.t + (until - start.t) * k / intervals);
  for (const Input& input : inputs) {
    const Points* const points = points_of(input, room);
    if (!points) continue;  // it does not change
    const InputValues range = range_of(*points, input.components);
    for (std::size_t i = 0; i < input.components; ++i) {
      if (!(range[i] > 0)) continue;
      turns.clear();
      add_turns(points->t, points->value[i], range[i], turns);
      for (std::size_t k = 0; k + 2 < turns.size(); ++k) pairs.emplace_back(turns[k], turns[k + 2]);
    }
  }
  std::ranges::sort(pairs);
  double earliest = std::numeric_limits<double>::infinity();  // of all that are still ahead
  for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair)
    earliest = pair->second = std::min(earliest, pair->second);
  for (const auto& [from, limit] : pairs) out.from.push_back(from), out.limits.push_back(limit);
  return out;
}

}  // namespace skyhook::simulation
