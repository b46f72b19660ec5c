// Where a model is linearised, as the command line says.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "linear_commands.h"
#include "skyhook/analysis/findings.h"
#include "skyhook/analysis/modes.h"

namespace skyhook::app {

struct LinearPoint {
  model::Experiment experiment;
  simulation::Prepared prepared;
  analysis::OperatingPoint at;
  std::string where;              // "the equilibrium", "the run at t = 2 s"
  std::vector<Warning> warnings;  // of all that led there
  std::string problem;            // why there is none; empty: there is
};

// `analysis`: of the experiment that is meant where none is named. Throws ModelError.
// Which of both a sweep is over: a parameter of the model, the speed of the steady motion, or both: of a vehicle on a track that the experiment does not let move.
void choose_swept(const model::Model& m, const model::Experiment& experiment, const std::string& name, ModesCommand& o);
// One value of it, "speed=40 m/s".
void set_swept(const std::string& setting, ModesCommand& o);
LinearPoint find_linear_point(const LinearCommand& options, const std::string& analysis);
// The same with the linear system; `problem` where it fails. Of `names` those that are forces from outside become inputs.
analysis::Linearisation linearise(const LinearCommand& options, bool with_inputs, LinearPoint& point,
                                  const std::vector<std::string>& names = {});

// Where the bodies are there, for results.
std::shared_ptr<const analysis::Stand> stand_of(const LinearPoint& point);

// All modes of a small model, the lowest of a large one; `problem` of the point says why there are none.
analysis::Modes modes_at(const ModesCommand& options, LinearPoint& point);
// With one value of a sweep set. After an interruption there are none.
analysis::Modes modes_with(const ModesCommand& options, const std::string& setting, LinearPoint& point);

}  // namespace skyhook::app
