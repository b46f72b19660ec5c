// The commands that linearise a model.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model_commands.h"

namespace skyhook::app {

// Where: the equilibrium; with --start the start of the experiment; with --at an instant of its run, with --from one of a result.
struct LinearCommand : AnalysisCommand, MotionOptions {
  std::optional<double> at;  // s
  bool start = false;
  bool differences = false;  // by differences of the equations instead of their exact derivatives
};

// skyhook modes MODEL [EXPERIMENT]
struct ModesCommand : LinearCommand {
  std::optional<std::string> csv;  // table to write; "-" is standard output
  bool shapes = false;             // of bodies, in the table
  std::optional<int> lowest;       // so many on sparse matrices; absent: all, or 20 of a large model
  std::string sweep;               // over this parameter: "speed=10..100/19"
  bool crossing = false;           // find where modes begin to grow
  bool sweeps_motion = false,
       sweeps_parameter = true;  // the sweep is over the speed of the steady motion; over a parameter (SweepPoint)
};
int modes(const ModesCommand& options);
int root_locus(const ModesCommand& options);  // with `sweep`

// skyhook critical-speed MODEL [EXPERIMENT] --sweep v=10..100/19 --output CHANNEL
struct CriticalSpeedCommand : ModesCommand {
  std::string output;               // channel whose amplitude is that of a cycle; empty: the first output of the model
  bool linear = false;              // the root locus alone
  std::optional<int> ramp;          // values of the parameter in the ramp that checks the branches; 0: none
  std::optional<std::string> kick;  // an experiment whose run swings into a cycle
  std::string kick_at;              // values of the parameter of these runs; empty: the end of the range
  std::optional<double> size;       // m, of the first cycle
  std::optional<double> largest;    // amplitude at which the branch ends, in SI units
  int most_points = 120;            // cycles
};
int critical_speed(const CriticalSpeedCommand& options);

// skyhook linearize MODEL [EXPERIMENT] [-o x.mat|x.csv|x.json]
struct LinearizeCommand : LinearCommand {
  std::vector<std::string> inputs, outputs;  // patterns; none: all inputs, the model's outputs
};
int linearize(const LinearizeCommand& options);

// skyhook response MODEL [EXPERIMENT] --linear --input DRIVE: transfer functions of the linear system, and with --psd what a random
// excitation makes of it
struct LinearResponseCommand : ResponseCommand {
  bool linear = false;
  std::optional<double> at;
  bool start = false;
  std::string psd;                        // a formula of f: one-sided density of the input, unit^2/Hz
  std::vector<std::string> also, beside;  // further inputs "NAME=DELAY": on the same track, on another one
  std::optional<double> coherence;        // of the two tracks; absent: the experiment's, or 0
  MotionOptions motion;
};
int linear_response(const LinearResponseCommand& options);
int any_response(const LinearResponseCommand& options);  // as the experiment and --linear say

}  // namespace skyhook::app
