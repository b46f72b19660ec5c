// The wheels of a railway vehicle in a record, by the channels of their wheel_rail elements: NAME.Y, to the field side, and NAME.Q, down, both of the wheel
// on the rail; and the two wheels of one axle, by `left` and `right` in their names.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {

struct RailWheel {
  std::string name;  // of the element; "wheel" where the channels were named
  Signal Y, Q;       // over time, N
};

struct RailAxle {
  std::string name;  // "front" of "front.left" and "front.right"
  std::size_t left = 0, right = 0;
};

// As the roles guiding_force and wheel_force say, or all that the record has. A ModelError where there are none.
std::vector<RailWheel> rail_wheels(const EvaluationInputs& inputs);
std::vector<RailAxle> rail_axles(const std::vector<RailWheel>& wheels);
// The name with left in place of right; empty: it has no side.
std::string name_of_axle(const std::string& wheel);
bool is_left(const std::string& wheel);

// Distance travelled: a channel that is named, the integral of the speed, or the way of a wheel or of a joint along the track.
std::optional<Signal> known_rail_distance(const EvaluationInputs& inputs);
// A ModelError where none is there.
Signal rail_distance(const EvaluationInputs& inputs);

std::vector<Role> rail_roles();

// Nadal: the quotient Y/Q at which a wheel climbs, (tan a - mu)/(1 + mu tan a), flange angle a.
double nadal_limit(double friction, double flange_angle);
// Prud'homme: the sum of Y that the track bears, k (10 kN + 2 Q0/3).
double prudhomme_limit(double static_axle_load, double factor);

}  // namespace skyhook::analysis
