// From a model to equations that are ready to run: tree and cuts, consistent start, independent constraints.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/formalism/topology.h"
#include "skyhook/simulation/kept_channels.h"

namespace skyhook::simulation {

using Equations = formalism::EquationsOfMotion;

struct Prepared {
  std::shared_ptr<const model::Model> model;
  formalism::Topology topology;
  std::shared_ptr<const Equations> all, active;  // every constraint row; the independent ones
  std::shared_ptr<const Equations> in_joints;  // the same in the coordinates of joints, where others are cut; else null
  formalism::Rank rank;
  formalism::State state;
  formalism::Consistency positions, velocities;
  std::vector<Warning> warnings;  // of preparing; those of the model come before them
  std::string contradiction;      // a redundant constraint that the motion will violate; empty: none
  std::string friction;  // why friction that depends on constraint forces leaves no unique motion; empty: it does
  bool ok() const { return positions.ok && velocities.ok && contradiction.empty() && friction.empty(); }
  std::string problem() const {
    return !positions.ok            ? positions.problem
           : !velocities.ok         ? velocities.problem
           : !contradiction.empty() ? contradiction
                                    : friction;
  }
  // Where initial values are found and states are set: in the coordinates that the user knows.
  const Equations& for_start() const { return in_joints ? *in_joints : *all; }
  int degrees_of_freedom() const { return all->moving() - rank.rank; }
  KeptChannels::List channels() const { return kept->of(active); }  // all of them

  std::shared_ptr<KeptChannels> kept = std::make_shared<KeptChannels>();
};

// Loads the libraries of plug-ins, which runs code of others: Prepared::model is a copy that has them.
// `start`: begin from this state instead of the model's initial values.
Prepared prepare(std::shared_ptr<const model::Model> model, const model::Experiment& experiment,
                 const formalism::State* start = nullptr);

// Of reading and preparing, without those that are switched off: what is known before the first step.
std::vector<Warning> warnings_before(const Prepared& prepared);

// Given initial values that the run does not start with: positions, then rates.
std::vector<formalism::Changed> changed_values(const Prepared& prepared);

}  // namespace skyhook::simulation
