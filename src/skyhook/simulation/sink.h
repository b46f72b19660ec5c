// Where a simulation writes to. Declared here, implemented by io/result on HDF5 (and by tests in memory).
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/base/warning.h"
#include "skyhook/problem/problem.h"
#include "skyhook/simulation/run_clock.h"

namespace skyhook::simulation {

struct RunState;  // run_state.h

struct ChannelInfo {
  std::string name, unit;
  bool is_error = false;  // of the numerics, zero but for noise: the energy balance, residuals of constraints
};

struct BodyInfo {
  std::string name;
  double mass = 0;
};

// Everything known before the first step.
struct RunInfo {
  std::string model_name, model_file, experiment, formulation, solver, jacobian;
  std::string analysis = "simulate";  // or "modes" and so on: see analysis/findings.h
  std::string found;                  // what such an analysis says with --json; empty of a run
  std::string source, expanded;       // the model's text as read and as expanded
  std::vector<std::pair<std::string, std::string>> parameters;  // name, "value unit"
  double tolerance = 0, t_start = 0, t_end = 0;
  ChannelInfo abscissa{"time", "s"};     // what Sample::t is: of kinematics the travel, of a response the frequency
  std::vector<ChannelInfo> channels;     // chosen outputs
  std::vector<ChannelInfo> states;       // y
  std::vector<BodyInfo> bodies;          // order of Sample::poses
  std::vector<std::string> joints;       // order of Sample::reactions
  std::vector<std::string> forces;       // force elements: order of Sample::forces
  std::vector<std::string> constraints;  // order of Sample::residuals, redundant rows included
  std::vector<std::string> report;       // what `check` says of the model: degrees of freedom, cuts, ...
  std::string scene;                     // how the model looks, as JSON (scene.h)
  std::vector<std::string> run_state;    // names of RunState::numbers of all samples
};

// The state at one output time. Rates are time derivatives, for Hermite interpolation.
struct Sample {
  double t = 0;
  CSpan y, yp;
  CSpan poses;  // 7 a body: x y z, quaternion w x y z
  CSpan channels, channel_rates;
  CSpan reactions;                      // 6 a joint: force and moment on `to` at the joint's point, global axes
  CSpan forces;                         // 6 a force element: force and moment on `to` at its point, global axes
  CSpan residuals;                      // position residual g, then velocity residual G v + gI: 2 a constraint row
  int side = 0;                         // -1 left of an event, +1 right of it, 0 elsewhere
  const RunState* run_state = nullptr;  // from which a run can go on, there from the state; none left of an event
};

struct StepRecord {
  double t = 0, h = 0;
  int order = 0;
  int dominant = -1;  // index into states: what limited this step
};

struct EventRecord {
  double t = 0;
  std::string name, detail;  // "lift-off"; what changed
  std::string element = {};  // whose it is: force, contact, controller, event of the user; empty: the run itself
  // "user", "controller", "switching", "contact", "friction", "drive"; of the run itself: "warning", empty for other notes
  std::string kind = {};
  bool is_of_the_model() const { return !kind.empty() && kind != warning; }
  static constexpr const char* warning = "warning";  // `name` is its kind
};

// One line of the table "what limited the step".
struct StepLimit {
  std::string state;    // dominant variable
  std::string element;  // joint or element it belongs to
  long steps = 0;
};

// Where `auto` has gone on with another solver.
struct SolverChange {
  double t = 0;
  std::string solver, why;
};

// How a run has ended; `running`: it has not, or its program died.
enum class RunStatus { running, finished, interrupted, failed };
const char* to_text(RunStatus status);  // "finished"
std::optional<RunStatus> run_status(std::string_view text);

struct RunSummary {
  std::string solver, solver_reason;  // "ida/ggl", at the start; why `auto` has chosen it, empty if the user did
  std::vector<SolverChange> solver_changes;
  RunStatus status = RunStatus::running;
  std::string reason;  // of a failure
  double t_reached = 0;
  Cost cost;
  long samples = 0;                   // times at which controllers were sampled, several at once as one
  long recorded = 0, from_curve = 0;  // samples; of these taken from the curve through others
  long without_rates = 0;             // samples whose rates are left to whoever reads them: see rate_trial.h
  long events = 0;                    // of the model; notes of the run itself do not count
  double seconds = 0;                 // wall time of the whole run, from RunOptions::begun on
  PartSeconds parts;                  // where it went; they add up to it
  double energy_closure = 0;          // |balance| relative to the largest energy exchanged
  double position_residual = 0, velocity_residual = 0;  // largest seen
  std::vector<StepLimit> limits;
  std::vector<Warning> warnings;  // of reading, preparing and running, in this order; each is in the event log too
};

struct Sink {
  virtual ~Sink() = default;
  virtual void begin(const RunInfo&) = 0;
  virtual void sample(const Sample&) = 0;
  virtual void step(const StepRecord&) = 0;
  virtual void event(const EventRecord&) = 0;
  virtual void end(const RunSummary&) = 0;
};

}  // namespace skyhook::simulation
