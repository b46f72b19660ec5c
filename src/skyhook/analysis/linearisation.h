// Small motions about a state ([Arnold 2004] (5)), in independent coordinates y with inner states c of forces (docs/theory/12_linearisation.md):
//
//   M y'' + D y' + K y + E c = F u,    x' = A x + B u with x = (y, y', c)
//
// From the exact derivatives, or by differences (linear_blocks.h). Constraints, redundant ones too, and algebraic unknowns are eliminated;
// controllers hold what they say; contacts and what sticks are as the equations have them. Rotations of bodies that spin are
// described in axes that do not.
#pragma once
#include <string>
#include <vector>

#include "skyhook/analysis/linear_inputs.h"

namespace skyhook::analysis {

struct LinearOptions {
  bool differences = false;  // the second route
  bool with_inputs = true;
};

struct Linearisation {
  std::string problem;                           // why there is none; empty: there is
  std::vector<formalism::NamedQuantity> states;  // y, y', c
  std::vector<LinearInput> inputs;
  std::vector<int> independent;    // velocity coordinates that y stands for
  int coordinates = 0, inner = 0;  // how many y and c
  DenseMatrix M, D, K, E, F;
  DenseMatrix A, B;
  bool is_steady = true;  // no accelerations, and no matrix changes along the motion
  long evaluations = 0;   // of the residual, of the second route
  // Back to velocity coordinates: a displacement is `shape` y + input_shape u, a change of velocities is
  // shape y' + drift y + input_drift u; inner states are their own.
  DenseMatrix shape, drift, input_shape, input_drift;
};

Linearisation linearise(const simulation::Prepared& prepared, const OperatingPoint& at,
                        const LinearOptions& options = {});

}  // namespace skyhook::analysis
