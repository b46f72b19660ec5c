// What can be doubted of an experiment before its first step: honest in some cases, in most a slip.
#pragma once
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/solvers.h"

namespace skyhook::simulation {

// Where a field of the experiment was given; where it was not, the experiment's own place.
Location line_of(const model::Experiment& experiment, const std::string& field);

// Steps, sizes and times that make little sense, tables that end before the run does, stiffnesses that the tolerance cannot
// resolve, options without effect. Throws ModelError for a table that refuses to be left.
std::vector<Warning> doubts(const Prepared& prepared, const model::Experiment& experiment);

// Known once the run has its solver: that it is for studies only, and what `auto` makes of the options.
std::vector<Warning> doubts_of_solver(const Prepared& prepared, const Solver& solver,
                                      const model::Experiment& experiment);

}  // namespace skyhook::simulation
