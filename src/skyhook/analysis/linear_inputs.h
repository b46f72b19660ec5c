// What excites a linear system: prescribed motions, each by its value, rate and acceleration; signals that forces listen to; heights of the
// road below wheels, each by its value and rate. Forces from outside are signals too (applied_forces.h).
// By central differences of the equations, of fourth order in values and rates and exact in accelerations.
#pragma once
#include <memory>
#include <vector>

#include "skyhook/analysis/tangent.h"
#include "skyhook/formalism/linear_names.h"

namespace skyhook::analysis {

struct LinearInput {
  formalism::NamedQuantity what;
  enum class Kind { motion, signal, road };
  Kind kind = Kind::motion;
  int number = 0;  // among prescribed_motions(), Model::signals, or Model::contributions that stand on roads
  int order = 0;   // 0: its value, 1: its rate, 2: its acceleration
  int slot() const { return 3 * number + order; }  // of a motion, among Equations::inputs()
};
std::vector<LinearInput> inputs_of(const simulation::Equations& eq);

// By which it may change so that differences show it: of a force from outside in weights, of a signal as large as it is.
double usual_size(const simulation::Equations& eq, const LinearInput& input);

// The equations, rows of `eq`, with a signal or a road changed by so much.
std::shared_ptr<const simulation::Equations> excited(const simulation::Prepared& prepared,
                                                     const simulation::Equations& eq, const LinearInput& input,
                                                     double change);

// In coordinates p, a column for each input: what the constraints make of it, and the force that is missing then.
struct InputColumns {
  DenseMatrix P, R, S;  // displacements, velocities and accelerations of dependent coordinates (12.9)
  DenseMatrix force;    // d tau + K P + D R + M S: nv rows
  std::string problem;
};
InputColumns input_columns(const simulation::Prepared& prepared, const OperatingPoint& at,
                           const std::vector<LinearInput>& inputs, const LinearBlocks& b, const MovingAxes& axes,
                           const Tangent& tangent);

}  // namespace skyhook::analysis
