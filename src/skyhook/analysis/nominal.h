// Nominal forces and trim ([Arnold 2004] (4)): parameters for which the drawn position is in equilibrium.
//
//   |f(q0; p)|^2 + alpha |W (p - p0)|^2 -> min,   f: what is left of the forces by the constraints
//
// by Gauss-Newton steps of least size, damped where the residual does not fall (Levenberg, Marquardt). With alpha = 0 that is the limit
// alpha -> 0: of all parameters that hold the position those next to p0. Paper and theory: docs/theory/13_equilibrium.md.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

struct NominalParameter {
  std::string name, unit;
  double value = 0;   // where it begins, SI
  double weight = 1;  // of its deviation
};

struct Nominal {
  bool found = false;   // the position is in equilibrium
  std::string problem;  // why not
  std::vector<double> values;
  double residual = 0;           // largest force left, relative to the largest that acts
  int iterations = 0, rank = 0;  // rank: so many combinations of the parameters change forces
  struct Remaining {
    std::string coordinate;
    double force;  // N or N.m that would have to be added along it
  };
  std::vector<Remaining> remaining;         // largest first
  std::vector<std::string> without_effect;  // parameters that change no force
  std::vector<Warning> warnings;
};

// The model prepared with these values of the parameters. Throws ModelError where they are not allowed.
using PrepareWith = std::function<simulation::Prepared(const std::vector<double>& values)>;

struct NominalOptions {
  double alpha = 0;
};
// Without parameters nothing is searched for: the drawn position is looked at.
Nominal find_nominal(const std::vector<NominalParameter>& parameters, const PrepareWith& prepare,
                     const NominalOptions& options = {});

}  // namespace skyhook::analysis
