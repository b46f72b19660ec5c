// What excites a linear system: prescribed motions, each by its value, rate and acceleration, and signals that forces listen to.
// By central differences of the equations, of fourth order in values and exact in rates and accelerations.
#pragma once
#include <vector>

#include "skyhook/analysis/tangent.h"
#include "skyhook/formalism/linear_names.h"

namespace skyhook::analysis {

struct LinearInput {
  formalism::NamedQuantity what;
  int slot = -1;    // among Equations::inputs(), or
  int signal = -1;  // among Model::signals
};
std::vector<LinearInput> inputs_of(const simulation::Equations& eq);

// In coordinates p, a column for each input: what the constraints make of it, and the force that is missing then.
struct InputColumns {
  DenseMatrix P, R, S;  // displacements, velocities and accelerations of dependent coordinates (12.9)
  DenseMatrix force;    // d tau + K P + D R + M S: nv rows
  std::string problem;
};
InputColumns input_columns(const simulation::Prepared& prepared, const OperatingPoint& at,
                           const std::vector<LinearInput>& inputs, const LinearBlocks& b, const Turns& turns,
                           const Tangent& tangent);

}  // namespace skyhook::analysis
