#include "skyhook/analysis/rail_wheels.h"

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/signal_over.h"

namespace skyhook::analysis {
namespace {

// Where the side stands in a name, and its length; npos: nowhere.
struct Side {
  std::size_t at = std::string::npos, length = 0;
  bool is_left = false;
};
Side side_of(const std::string& name) {
  Side best;
  for (const bool left : {true, false}) {
    const std::string word = left ? "left" : "right";
    if (const auto at = name.rfind(word); at != std::string::npos && (best.at == std::string::npos || at > best.at))
      best = {at, word.size(), left};
  }
  if (best.at != std::string::npos || name.size() < 2) return best;
  const char last = name.back(), before = name[name.size() - 2];
  const bool stands_alone = before == '_' || before == '.' || (before >= '0' && before <= '9');
  if (stands_alone && (last == 'l' || last == 'L')) return {name.size() - 1, 1, true};
  if (stands_alone && (last == 'r' || last == 'R')) return {name.size() - 1, 1, false};
  return best;
}

}  // namespace

bool is_left(const std::string& wheel) { return side_of(wheel).is_left; }

std::string name_of_axle(const std::string& wheel) {
  const Side side = side_of(wheel);
  if (side.at == std::string::npos) return "";
  std::string before = wheel.substr(0, side.at), behind = wheel.substr(side.at + side.length);
  while (!before.empty() && (before.back() == '.' || before.back() == '_')) before.pop_back();
  if (before.empty()) {
    while (!behind.empty() && (behind.front() == '.' || behind.front() == '_')) behind.erase(0, 1);
  }
  return before.empty() && behind.empty() ? "axle" : before + behind;
}

std::vector<Role> rail_roles() {
  return {{"guiding_force", "N", {}, "Y of one wheel on its rail, to the field side; default: all NAME.Y"},
          {"wheel_force", "N", {}, "Q of the same wheel, down; default: NAME.Q"},
          {"distance",
           "m",
           {"distance", "arc_length"},
           "travelled along the track; default: the integral of the speed, the way of the first wheel, NAME.along, or "
           "a way that rises throughout, NAME.position"},
          {"speed", "m/s", {"speed", "velocity", "speed_along"}, "of the vehicle along the track"}};
}

std::vector<RailWheel> rail_wheels(const EvaluationInputs& inputs) {
  const auto Y = inputs.channel("guiding_force"), Q = inputs.channel("wheel_force");
  if (Y && Q) return {{"wheel", *Y, *Q}};
  if (Y || Q)
    inputs.fail("of a wheel Y and Q are needed.", "Name both, with --guiding-force and --wheel-force, or none.");
  std::vector<RailWheel> out;
  const SignalSource& signals = inputs.run(0).signals;
  for (const std::string& name : signals.names) {
    if (!name.ends_with(".Y")) continue;
    const std::string owner = name.substr(0, name.size() - 2);
    const auto y = signals.find(name), q = signals.find(owner + ".Q");
    if (y && q) out.push_back({owner, *y, *q});
  }
  if (out.empty())
    inputs.fail("the record has no forces of wheels on rails: no channels NAME.Y with NAME.Q.",
                "Record those of the wheel_rail elements, with outputs: [\"*.Y\", \"*.Q\"], or name channels with "
                "--guiding-force and --wheel-force.");
  return out;
}

std::vector<RailAxle> rail_axles(const std::vector<RailWheel>& wheels) {
  std::vector<RailAxle> out;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    for (std::size_t j = 0; j < wheels.size(); ++j) {
      const std::string name = name_of_axle(wheels[i].name);
      if (!name.empty() && is_left(wheels[i].name) && !is_left(wheels[j].name) && name_of_axle(wheels[j].name) == name)
        out.push_back({name, i, j});
    }
  }
  return out;
}

std::optional<Signal> known_rail_distance(const EvaluationInputs& inputs) {
  if (auto distance = inputs.channel("distance")) return distance;
  if (auto speed = inputs.channel("speed")) return distance_of(*speed);
  const SignalSource& signals = inputs.run(0).signals;
  for (const char* usual : {"along", "position"}) {  // of the first wheel on a rail; of a joint along the track
    for (const std::string& name : signals.names) {
      if (name != usual && !name.ends_with(std::string(".") + usual)) continue;
      auto way = signals.find(name);
      if (!way || way->unit != "m" || !std::ranges::is_sorted(way->y) || !(way->y.front() < way->y.back())) continue;
      inputs.has_taken("distance", name);
      return way;
    }
  }
  return {};
}

Signal rail_distance(const EvaluationInputs& inputs) {
  if (auto distance = known_rail_distance(inputs)) return *distance;
  inputs.fail("it is not known how far the vehicle has travelled.",
              "Name a channel with --distance, or the speed with --speed, which may be a formula (\"wheelset.vx\").");
}

double nadal_limit(double friction, double flange_angle) {
  const double slope = std::tan(flange_angle);
  return (slope - friction) / (1 + friction * slope);
}

double prudhomme_limit(double static_axle_load, double factor) { return factor * (10e3 + static_axle_load / 3); }

}  // namespace skyhook::analysis
