#include "skyhook/io/random/solver_trial.testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "skyhook/analysis/trajectory.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"

namespace skyhook::io::testing {
namespace {

constexpr long looks_allowed = 60000;  // of one run, whether it should stop: one or more a step
constexpr double largest_growth = 1e4;
constexpr int disturbances = 3;

struct Ran {
  analysis::Trajectory trajectory;
  simulation::RunSummary summary;
  std::string told;
  bool refused = false;
};

class Model {
 public:
  explicit Model(const std::string& text) {
    auto read = std::make_shared<model::Model>(read_model_text(text, "random.yaml", {}, "run"));
    experiment_ = *std::ranges::find(read->experiments, "run", &model::Experiment::name);
    experiment_.largest_step = experiment_.until;  // the tolerance alone decides
    prepared_ = simulation::prepare(read, experiment_);
    options_.reread = [text](const auto& changes) {
      std::vector<Setting> set;
      for (const auto& [parameter, value] : changes) set.push_back({parameter, value});
      return std::make_shared<const model::Model>(read_model_text(text, "random.yaml", set, "run"));
    };
  }

  std::string problem() const { return prepared_.ok() ? "" : prepared_.problem(); }
  bool moves() const { return prepared_.degrees_of_freedom() > 0; }
  analysis::StateLayout layout() const { return analysis::layout_of(*prepared_.all); }

  Ran run(const std::string& solver, double tolerance) const { return run(prepared_, solver, tolerance); }

  // From a start that is off by `size` in a direction that the constraints allow; empty where that does not assemble.
  Ran run_disturbed(const std::string& solver, double tolerance, double size, unsigned seed) const {
    simulation::Prepared off = prepared_;
    formalism::testing::Random random(seed);
    std::vector<double> step(off.state.v.size());
    for (double& x : step) x = random(-size, size);
    off.all->plus(off.state.q, step);
    for (double& x : off.state.v) x += random(-size, size);
    if (!formalism::assemble(*off.all, off.state, {}).ok || !formalism::fit_velocities(*off.all, off.state, {}).ok)
      return {};
    return run(off, solver, tolerance);
  }

 private:
  Ran run(const simulation::Prepared& prepared, const std::string& solver, double tolerance) const {
    simulation::MemorySink sink;
    model::Experiment experiment = experiment_;
    experiment.solver = solver, experiment.tolerance = tolerance;
    simulation::RunOptions options = options_;
    long looks = 0;
    options.should_stop = [&looks] { return ++looks > looks_allowed; };
    Ran out;
    try {
      out.summary = simulation::simulate(prepared, experiment, sink, options);
    } catch (const ModelError& refused) {
      out.refused = true, out.summary.reason = refused.what();
    }
    out.trajectory = {sink.time, sink.states};
    out.told = out.summary.status == simulation::RunStatus::interrupted ? "too many steps" : out.summary.reason;
    for (const Warning& warning : out.summary.warnings) out.told += (out.told.empty() ? "" : " ") + to_string(warning);
    return out;
  }

  model::Experiment experiment_;
  simulation::Prepared prepared_;
  simulation::RunOptions options_;
};

// What else a run warns of does not excuse a wrong motion.
bool is_in_doubt(const simulation::RunSummary& summary) {
  return std::ranges::any_of(summary.warnings, [](const Warning& w) {
    return w.name == "energy_lost" || w.name == "singular_position" || w.name == "study_only" ||
           w.name == "passed_through";
  });
}

double difference(const Ran& a, const Ran& b, const analysis::StateLayout& layout) {
  const analysis::StateError e = analysis::state_error(a.trajectory, b.trajectory, layout);
  return e.positions != e.positions ? 1e300 : std::max(e.positions, e.velocities);
}

}  // namespace

Trial try_solvers(const std::string& text, double tolerance, const std::vector<std::string>& solvers) {
  Trial out;
  const auto skip = [&](const std::string& why) { return out.skipped = why, out; };
  const Model model(text);
  if (!model.problem().empty()) return skip(model.problem());
  if (!model.moves()) return skip("nothing moves freely");
  const auto layout = model.layout();
  const double tight = std::max(1e-4 * tolerance, 1e-11);
  const Ran reference = model.run("radau5/ggl", tight), other = model.run("dopri5/projecting", tight);
  if (reference.summary.status != simulation::RunStatus::finished) return skip("radau5/ggl: " + reference.told);
  if (other.summary.status != simulation::RunStatus::finished) return skip("dopri5/projecting: " + other.told);
  for (unsigned k = 0; k < disturbances; ++k) {
    const Ran off = model.run_disturbed("radau5/ggl", tight, tolerance, k + 1);
    if (off.summary.status != simulation::RunStatus::finished) return skip("disturbed: " + off.told);
    out.growth = std::max(out.growth, difference(off, reference, layout) / tolerance);
  }
  if (out.growth > largest_growth) return skip(fmt::format("disturbances grow by {:.2g}", out.growth));
  const double apart = difference(reference, other, layout);
  if (apart > 10 * tolerance * out.growth) return skip(fmt::format("the references are {:.2g} apart", apart));
  for (const std::string& solver : solvers) {
    const Ran run = model.run(solver, tolerance);
    PairResult r{.solver = solver, .status = run.refused ? "refused" : to_text(run.summary.status), .told = run.told};
    if (r.status == "finished") {
      r.error = difference(run, reference, layout);
      r.ratio = r.error / (tolerance * out.growth);
      r.is_wrong = r.ratio > allowed && !is_in_doubt(run.summary);
    }
    out.pairs.push_back(r);
  }
  return out;
}

}  // namespace skyhook::io::testing
