// Names and units of what linear systems are made of: prescribed motions, and small motions along velocity coordinates.
#pragma once
#include <string>
#include <vector>

#include "skyhook/formalism/forward.h"

namespace skyhook::model {
class Motion;
}

namespace skyhook::formalism {

struct NamedQuantity {
  std::string name, unit;
};

// In the order of EquationsOfMotion::inputs(), which has each with its rate and its acceleration: "lift.displacement", "m".
struct PrescribedMotion {
  NamedQuantity what;
  const model::Motion* motion;  // in the model of the equations
};
std::vector<PrescribedMotion> prescribed_motions(const recursive::Equations& eq);
// Of a displacement along each velocity coordinate: "m", "rad". An inner state has its own.
std::vector<std::string> tangent_units(const recursive::Equations& eq);

}  // namespace skyhook::formalism
