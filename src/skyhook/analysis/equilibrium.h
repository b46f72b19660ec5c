// Static equilibrium ([Arnold 2004] (3)): M a = 0 with v = 0, by Newton steps damped with the mass matrix:
//
//   [K + M / tau^2   G^T] [dq     ]     [tau_residual]
//   [G                0 ] [dlambda] = - [g           ]
//
// with inner states c of forces beside q, which stand still where their rates vanish: in units of their nominal sizes they have
// the rows d(q, c) = 0 and 1 / tau in place of M / tau^2. The fictitious time tau grows as the residual falls: far away the iteration follows the motion that the forces
// want, usually into a stable equilibrium; close by it is Newton's method. What was found is judged afterwards.
#pragma once
#include <string>
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

struct Equilibrium {
  bool found = false;
  bool stable = true;  // no direction in which the potential falls
  bool unique = true;  // no direction in which nothing resists
  std::string problem;
  int iterations = 0;
  double residual = 0;            // largest generalised force left, relative to the largest that acts
  formalism::State state;         // velocities zero, inner states as found
  std::vector<double> lambda;     // forces of the active constraint rows
  std::vector<Warning> warnings;  // what it leaves out and which tables it has left, without those switched off
};

Equilibrium find_equilibrium(const simulation::Prepared& prepared);

}  // namespace skyhook::analysis
