// Modes of a linear system: x = Re(shape e^(lambda t)). What moves in each, by its kinetic energy, and what holds and damps it, by strain
// energy and dissipated energy of the elements (docs/theory/12_linearisation.md).
#pragma once
#include <string>
#include <vector>

#include "skyhook/analysis/linearisation.h"
#include "skyhook/math/eigenproblem.h"

namespace skyhook::analysis {

struct Share {
  std::string name;
  double value = 0;
};

struct BodyShape {
  std::array<Complex, 3> displacement{}, rotation{};  // of the centre of mass, global axes
};

struct Mode {
  Complex value;                  // lambda, 1/s; its imaginary part is not negative
  bool is_rigid = false;          // something moves freely: lambda = 0, and nothing resists
  bool oscillates = false;        // else it creeps, or runs away
  double frequency = 0;           // |lambda| / 2 pi, Hz: what it would be undamped; 0 where it does not oscillate
  double damping = 0;             // -Re(lambda) / |lambda|; 0 of a free motion
  ComplexVector state;            // (y, y', c)
  ComplexVector coordinates;      // displacement of each velocity coordinate; of inner states their own change
  std::vector<BodyShape> bodies;  // by Model::bodies; the largest displacement of all points of mass is 1 m
  std::vector<Share> kinetic;     // by body, and by contributions with masses of their own: sums to 1
  std::vector<Share> strain,
      dissipated;    // by element, the largest first; each sums to 1, or is empty where there is none
  std::string name;  // "car, front.left.wheel"
};

struct Modes {
  std::string problem;      // why there are none
  std::vector<Mode> modes;  // free motions, then by rising frequency; of each conjugate pair the one that turns forward
  int free_motions = 0;     // modes that are rigid
  bool is_stable = true;    // none grows
};

// Of the name of weight and preload among the elements: what holds a pendulum.
inline constexpr const char* weight_and_preload = "weight and preload";

Modes find_modes(const simulation::Prepared& prepared, const OperatingPoint& at, const Linearisation& linear);

// How many grow: by more than rounding of their own eigenvalues and of the largest.
int growing(const Modes& modes);

// How alike two shapes are: |a* b|^2 / (|a|^2 |b|^2), of coordinates weighted by their masses (modal assurance).
double likeness(const ComplexVector& a, const ComplexVector& b);

}  // namespace skyhook::analysis
