// Everything a user may want to know at one instant, as a value. Evaluator (evaluator.h) makes it from (t, q, v) alone.
#pragma once
#include <memory>
#include <vector>

#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/formalism/force_values.h"
#include "skyhook/formalism/recursive/passes.h"

namespace skyhook::model {
template <class T>
struct LoadInput;
}

namespace skyhook::formalism {

struct Snapshot : ForceValues {
  double t = 0;
  std::vector<double> q, v;
  std::vector<double> a, lambda;              // lambda of the active rows
  std::vector<double> all_multipliers;        // by EquationsOfMotion::rows(), least size; 0 where a row does not hold
  std::vector<double> positions, velocities;  // residuals g and G v + gI of rows(); likewise
  std::vector<char> row_holds;                // by rows(); else it is switched off
  std::vector<recursive::NodeState> nodes;    // for formalism/, with gravity taken out of `a` again: others ask frame.h
  std::vector<double> reactions;              // 6 a joint: force and moment on `to`, global axes
  std::vector<FrictionForce> frictions;       // of joints under load
  std::vector<double> drives;  // force or moment of each coordinate that follows its drive, as in driven()
  double kinetic = 0, potential = 0;
  const model::Contribution* without_energy = nullptr;  // the first whose stored energy is no finite number
  double length = 1;                                    // characteristic, of the model
  std::shared_ptr<const EquationsOfMotion> of;

  const EquationsOfMotion& equations() const { return *of; }
  // The coordinate that follows its drive, from the design position.
  const model::Motion2& driven(std::size_t drive) const;
  // The motion of the coordinate that a force acts on, and what is set there.
  model::Stroke<double> stroke_of(std::size_t coordinate_force) const;
  // What force element k does to its `to`, global axes.
  model::Wrench<double> force_of(std::size_t k) const;
  // What the law of contribution k sees.
  model::LoadInput<double> input_of(std::size_t k) const;
  // What contribution k does to its `to`, by its law and by its rows, global axes.
  model::Wrench<double> wrench_of(std::size_t k) const;
  // What its law measures there, by ContributionLaw::quantities(); found once for all who ask.
  const std::vector<double>& measured_of(std::size_t k) const;
  bool holds(int row) const { return row_holds[static_cast<std::size_t>(row)] != 0; }
};

}  // namespace skyhook::formalism
