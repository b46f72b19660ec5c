#include "skyhook/simulation/input_probes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "skyhook/formalism/parts.h"
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

struct Point {
  double t;
  InputValues value;
};

InputValues range_of(std::span<const Point> points, std::size_t components) {
  InputValues range{};
  for (std::size_t i = 0; i < components; ++i) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Point& p : points) {
      if (!std::isfinite(p.value[i])) continue;
      low = std::min(low, p.value[i]), high = std::max(high, p.value[i]);
    }
    const double size = std::max(std::abs(low), std::abs(high));
    range[i] = high - low > 1e-9 * size ? high - low : 0.0;
  }
  return range;
}

bool is_steep(const Point& a, const Point& b, const InputValues& range, std::size_t components) {
  for (std::size_t i = 0; i < components; ++i) {
    if (range[i] > 0 && std::abs(b.value[i] - a.value[i]) > steep * range[i]) return true;
  }
  return false;
}

// The points between a and b, closer where the input changes fast.
void look_closer(const Input& input, const Point& a, const Point& b, const InputValues& range, int depth,
                 std::vector<Point>& out) {
  if (depth == deepest || out.size() > most_points || !is_steep(a, b, range, input.components)) return;
  Point before = a;
  for (int k = 1; k <= parts; ++k) {
    const double t = a.t + (b.t - a.t) * k / parts;
    const Point here = k == parts ? b : Point{t, input.at(t)};
    look_closer(input, before, here, range, depth + 1, out);
    if (k < parts) out.push_back(here);
    before = here;
  }
}

// Filled for one input after the other: half a megabyte each, which is slow to get anew.
struct Points {
  std::vector<Point> coarse, closer;
  std::vector<double> times;
};

InputValues values_of(const model::Motion2& m) { return {m.value, m.rate, m.acceleration}; }

void look(const Input& input, Points& room) {
  room.coarse.clear();
  room.coarse.reserve(room.times.size());
  if (!input.motion) {
    for (const double t : room.times) room.coarse.push_back({t, input.at(t)});
    return;
  }
  const std::vector<model::Motion2> motions = input.motion->at(room.times);
  for (std::size_t k = 0; k < motions.size(); ++k) room.coarse.push_back({room.times[k], values_of(motions[k])});
}

// None where it never changes.
std::span<const Point> points_of(const Input& input, Points& room) {
  look(input, room);
  auto& [coarse, out, times] = room;
  out.clear();
  const InputValues range = range_of(coarse, input.components);
  if (std::ranges::all_of(range, [](double r) { return r == 0; })) return {};  // most forces at rest
  const auto steep_from = [&](const Point& p) { return is_steep(p, *(&p + 1), range, input.components); };
  if (std::find_if(coarse.begin(), coarse.end() - 1, steep_from) == coarse.end() - 1) return coarse;
  out.reserve(2 * coarse.size());
  out.push_back(coarse[0]);
  for (std::size_t k = 1; k < coarse.size(); ++k) {
    look_closer(input, coarse[k - 1], coarse[k], range, 0, out);
    out.push_back(coarse[k]);
  }
  return out;
}

// Where a component begins to change, turns or stops, and halfway between these.
void add_turns(std::span<const Point> points, std::size_t component, double range, std::vector<double>& out) {
  int way = 0;
  double last = points[0].t;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const double change = points[k].value[component] - points[k - 1].value[component];
    const int next = !(std::abs(change) > still * range) ? 0 : change > 0 ? 1 : -1;
    if (next == way) continue;
    const double t = points[k - 1].t;
    if (way != 0) out.push_back(0.5 * (last + t));
    out.push_back(t);
    last = t, way = next;
  }
  if (way != 0) out.push_back(0.5 * (last + points.back().t));
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
    return timeless && (!timeless->reads_position() || speed * (until - t0) <= hardly * s.length);
  };
  for (std::size_t k = 0; k < laws.wrenches.size(); ++k) {
    const auto& law = laws.wrenches[k].law;
    if (dynamic_cast<const model::Outsider*>(law.get()) || stays(law.get(), norm(s.relatives[k].v))) continue;
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
    out.push_back({[law, at, t0](double t) { return InputValues{law->force(at.x + (t - t0) * at.v, at.v, t, at.set)}; }, 1});
  }
  for (std::size_t k = 0; k < laws.inner.size(); ++k) {
    const formalism::Parts::Inner& part = laws.inner[k];
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
  add_signal_inputs(start, inputs);
  add_drive_inputs(start.equations().model(), inputs);
  InputProbes out;
  if (inputs.empty() || !(until > start.t)) return out;
  const int intervals = static_cast<int>(std::clamp<long>(all_looks / static_cast<long>(inputs.size()), least, most));
  std::vector<std::pair<double, double>> pairs;
  std::vector<double> turns;
  Points room;
  for (int k = 0; k <= intervals; ++k) room.times.push_back(start.t + (until - start.t) * k / intervals);
  for (const Input& input : inputs) {
    const std::span<const Point> points = points_of(input, room);
    if (points.empty()) continue;  // it does not change
    const InputValues range = range_of(points, input.components);
    for (std::size_t i = 0; i < input.components; ++i) {
      if (!(range[i] > 0)) continue;
      turns.clear();
      add_turns(points, i, range[i], turns);
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
