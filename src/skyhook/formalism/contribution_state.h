// What laws of contributions do at one instant.
#pragma once
#include <vector>

#include "skyhook/model/element.h"

namespace skyhook::formalism {

// What a contribution does at one instant.
struct ContributionState {
  model::Relative<double> motion;
  Mat3d to_global = Mat3d::identity();      // from A's axes
  Vec3d at;                                 // B's point, global
  model::Wrench<double> loads;              // on B, in A's axes
  std::vector<model::Wrench<double>> rows;  // of a unit multiplier, likewise; it acts as -lambda
  std::vector<double> s, w, rates;
  std::vector<double> lambda;             // of its rows, where its law reads them
  std::vector<double> p, p_rate, forces;  // its own coordinates, and the forces of its law on them
  mutable std::vector<double> measured;   // by its law, where somebody has asked: Snapshot::measured_of()
};

// Friction of a joint under load: on `to` along the free motion, and its load.
struct FrictionForce {
  double force, load, speed;
};

}  // namespace skyhook::formalism
