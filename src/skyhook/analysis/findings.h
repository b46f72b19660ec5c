// What an analysis that is no run has found, in one form for all of them: an abscissa in place of time (travel, frequency, a parameter,
// the number of a mode), channels over it, and where the bodies stand. Result files, pictures and the report know no other.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::analysis {

// A state with all that a sample of a result has of it.
struct Stand {
  std::vector<double> y, yp, poses, reactions, forces;  // no reactions and forces where they are not known
};
// At rest with these forces of the constraints (rows of `active`), inner states as in the state.
Stand stand_at_rest(std::shared_ptr<const simulation::Equations> active,
                    std::shared_ptr<const simulation::Equations> all, const formalism::State& state,
                    const std::vector<double>& lambda);
// In motion.
Stand stand_moving(std::shared_ptr<const simulation::Equations> active,
                   std::shared_ptr<const simulation::Equations> all, const formalism::State& state);

struct Findings {
  std::string analysis;                           // "modes", "response", ...
  std::string method;                             // "quasi_static", "the equilibrium": how, or where
  simulation::ChannelInfo abscissa{"time", "s"};  // as results have it
  std::vector<simulation::ChannelInfo> channels;
  struct Point {
    double s = 0;                        // along the abscissa
    std::vector<double> values, rates;   // by channel; no rates: they are not known
    std::shared_ptr<const Stand> stand;  // none: it is not known
  };
  std::vector<Point> points;
  std::vector<simulation::EventRecord> events;  // what happens along the abscissa: a mode that begins to grow
  std::vector<Warning> warnings;
  std::string json;  // what the command prints with --json, an object
  long failures = 0;
  bool interrupted = false;  // there would have been more
};

// What a result says of the model and the experiment.
simulation::RunInfo info_of(const simulation::Prepared& prepared, const model::Experiment& experiment);
// As a result. `model`: of info_of(), or of another result of the model.
void record(const Findings& findings, simulation::RunInfo model, simulation::Sink& sink);

}  // namespace skyhook::analysis
