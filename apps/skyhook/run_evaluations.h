// What an experiment evaluates at the end of its run (`evaluations:`).
#pragma once
#include <string>
#include <vector>

#include "skyhook/analysis/evaluate.h"
#include "skyhook/model/model.h"
#include "skyhook/simulation/prepare.h"

namespace skyhook::app {

std::vector<analysis::EvaluationRequest> evaluations_of(const model::Experiment& experiment);

// Channels that evaluations name are recorded too.
void record_what_is_evaluated(const simulation::Prepared& prepared, model::Experiment& experiment);
// What the report draws of wheels on rails: how they stand, touch and push.
void record_wheels_on_rails(const simulation::Prepared& prepared, model::Experiment& experiment);
void also_record(const std::vector<std::string>& words, const simulation::Prepared& prepared,
                 model::Experiment& experiment);

struct Evaluated {
  std::string text, json;  // json: further members of the object that is printed
  bool failed = false;     // some could not be done; why is told on standard error
};
// From the result, which then has what was evaluated.
Evaluated evaluate_run(const model::Experiment& experiment, const std::string& result);

}  // namespace skyhook::app
