// Initial values that the user has given.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::formalism {

struct GivenValue {
  int joint, scalar;
  double value;       // SI, in the user's count
  bool must = false;  // `independent`: never changed
  Location where;
};
using GivenValues = std::vector<GivenValue>;             // those of a joint in a row
GivenValues held_values(const GivenValues& values);      // that must hold
GivenValues released_values(const GivenValues& values);  // all others

// Scalar coordinates by name: "crank.angle", or "crank" for all of the joint; driven ones and balls have none. Throws ModelError
// for a name that is none.
std::vector<std::pair<int, int>> find_coordinates(const model::Model& model, const std::vector<std::string>& names,
                                                  const Location& where);
// What the joints of the model give, and what `independent` names: at design and at rest if it is not given.
struct InitialValues {
  GivenValues positions, rates;
};
InitialValues initial_values(const model::Model& model, const std::vector<std::string>& independent,
                             const Location& where);

}  // namespace skyhook::formalism
