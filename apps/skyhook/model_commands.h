// The commands that work on model files. Each returns the exit code of the program.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "files_read_once.h"
#include "skyhook/io/model_file/model_source.h"
#include "skyhook/model/model.h"

namespace skyhook::app {

// 0: done. 1: `diff` found differences. 2: bad input or usage. 3: the numerics failed, or the disk or the memory is full. 4: a
// plug-in crashed or ended the program. 130: interrupted (results kept).
enum ExitCode {
  success = 0,
  different = 1,
  bad_input = 2,
  numerical_failure = 3,
  no_room = 3,
  plugin_crashed = 4,
  interrupted = 130
};

struct ModelOptions {
  std::string model, experiment;
  std::vector<std::string> set;     // "name=value"
  std::vector<std::string> path;    // folders of included files; those of SKYHOOK_PATH come after them
  std::vector<std::string> ignore;  // kinds of warnings
  std::string coordinates;          // joint, absolute or auto, for all bodies; empty: as the file says
  std::string expanded_file;        // where the expanded model will stand, see io::ReadOptions
  bool json = false;
  std::function<void(const std::string& element, const FieldInfo& field, double value)> on_number =
      {};  // as io::ReadOptions
  // Reads the model file and those that it names, each once in a command; nullopt: there is no such file.
  OpenFile open = files_read_once();
  io::ModelSource source = {};  // parses them once
};

// What is absent is the experiment's.
struct RunCommand : ModelOptions {
  std::optional<std::string> out;  // default: model name with .h5
  std::optional<double> tolerance, absolute_tolerance, until, output_step;
  std::optional<std::string> solver, jacobian, samples;
  std::optional<std::string> from;    // "OLD.h5@t"
  std::optional<std::string> report;  // write one; empty: named as the result
  bool verify = false, quiet = false;
  bool reactions = false;  // of all joints in the result, not only those that outputs ask for
};

// skyhook run MODEL --sweep k=20..40:5 ...
struct SweepCommand : RunCommand {
  std::vector<std::string> sweep, measure;
  std::string csv;    // table to write; "-" is standard output
  unsigned jobs = 0;  // threads; 0: all cores
};

// An analysis that is no run: `out` ending in .h5 is its result, in .svg or .png a picture.
struct AnalysisCommand : RunCommand {
  std::optional<std::string> plot;  // picture to write
};

// A steady motion in place of the experiment's.
struct MotionOptions {
  std::optional<double> speed, yaw_rate;  // absent: the experiment's
  std::optional<double> way;              // m, further on along the track
  std::string steer;                      // coordinate that is found with the sideslip
  std::vector<std::string> rolling;       // coordinates of `spin` whose rates are found
  std::vector<std::string> spin;
  bool gives_motion() const { return speed || yaw_rate || way || !steer.empty() || !rolling.empty() || !spin.empty(); }
};

// skyhook equilibrium MODEL [EXPERIMENT] [--speed V] [--yaw-rate W] [--way S] [--spin COORDINATE=RATE]... [--steer COORDINATE]
struct EquilibriumCommand : AnalysisCommand, MotionOptions {};

// skyhook nominal MODEL [EXPERIMENT] [--vary NAME]... [--weight NAME=NUMBER]... [--alpha X] [-o FRAGMENT.yaml]
// `out`: a fragment, "-" is standard output; .h5, .svg and .png as of all analyses.
struct NominalCommand : AnalysisCommand {
  std::vector<std::string>
      vary;  // parameters and fields of elements, or patterns; none: preloads of springs, loads of tyres
  std::vector<std::string> weight;  // of their deviations
  std::optional<double> alpha;      // absent: the experiment's, or 0
};

// skyhook channels MODEL [PATTERN ...]
struct ChannelsCommand : ModelOptions {
  std::vector<std::string> patterns;
};

// skyhook watch MODEL [EXPERIMENT]
struct WatchCommand : RunCommand {
  std::optional<int> port;  // default: 8137 or the next that is free
};

// skyhook compare MODEL [EXPERIMENT] --solvers a,b,c --tolerances 1e-3..1e-9; `out` is a picture
struct CompareCommand : RunCommand {
  std::string solvers, tolerances, reference;  // see analysis/compare_input.h; empty: the usual ones
  std::optional<std::string> jacobians;        // strategies to compare; empty: all that fit
  std::optional<double> target;                // error at which times are compared
  int repeat = 1;
  bool forget = false;             // what elements keep of their last answers, in residuals of differences
  double time_limit = 0;           // s for one run; 0: none
  std::optional<std::string> csv;  // table to write; "-" is standard output
  bool terminal = false;
};

// skyhook response MODEL|RESULT.h5 [EXPERIMENT] --input CHANNEL --output CHANNEL...; `out` is a picture
struct ResponseCommand : AnalysisCommand {
  std::string input;
  std::vector<std::string> outputs;  // none: the first four others
  double low = 0, high = 0;          // Hz; 0: as far as the input has power
  int per_octave = 0;                // 0: the experiment's, or 24
  std::optional<std::string> csv;    // table to write; "-" is standard output
  bool terminal = false;
};

// skyhook kinematics MODEL [EXPERIMENT]
struct KinematicsCommand : AnalysisCommand {
  std::vector<std::string> channels;  // in the picture; none: the first six
  std::optional<int> points;          // in place of the experiment's
};

// skyhook tyre FILE.tir | MODEL [NAME] [--load N]... [--camber DEG]... [--out P.svg]
struct TyreCommand : ModelOptions {
  std::string name;                    // of the tyre in the model; default: the first
  std::vector<double> loads, cambers;  // N, deg; none: around the usual load, upright
  double friction = 1;                 // of the road
  std::string out, csv;                // picture and points to write
  bool terminal = false;
};

// The model with templates, repeats and includes written out, for one experiment: the named one, the first that
// simulates as `run` has it, or else the first. To a file or standard output.
struct ExpandCommand : ModelOptions {
  std::string out;
  bool force = false;  // replace a model or a result
};

// skyhook solvers [MODEL [EXPERIMENT]] [--all]: the pairs of integrator and formulation; for a model: what `auto` chooses.
struct SolversCommand : RunCommand {
  bool all = false;  // the refused ones too
};

// To standard error, with the names of their kinds.
void print_warnings(std::span<const Warning> warnings);

int solvers(const SolversCommand& options);
int check(const ModelOptions& options);
int expand(const ExpandCommand& options);
int channels(const ChannelsCommand& options);
int run(const RunCommand& options);
// An experiment that is no simulation, by the command of its analysis; the result is written as that of a run.
int run_analysis(const RunCommand& options, const model::Experiment& experiment);
int sweep(const SweepCommand& options);  // `out` is a folder, one result a point; without it no files are written
int equilibrium(const EquilibriumCommand& options);
int nominal(const NominalCommand& options);
int kinematics(const KinematicsCommand& options);
int tyre(const TyreCommand& options);
int compare(const CompareCommand& options);
int response(const ResponseCommand& options);
int watch(const WatchCommand& options);

// What --tolerance, --until, ... say, checked, and put in place of the experiment's.
void refuse_bad_values(const RunCommand& options);
void override_experiment(const RunCommand& options, model::Experiment& experiment);

// Reads the model with --set and --path; the settings of the experiment count if it is not empty.
model::Model read(const ModelOptions& options, const std::string& experiment);
// Reads the model; `experiment` becomes the chosen one (the named one, or the first of the wanted analysis). Says which
// plug-ins will be loaded.
model::Model load(const ModelOptions& options, const std::string& analysis, model::Experiment& experiment);
// For events that set parameters: reads the model again as it was read for the experiment, with these parameters changed. Its
// files are as they were at the first reading, see ModelOptions::open.
using Reread =
    std::function<std::shared_ptr<const model::Model>(const std::vector<std::pair<std::string, std::string>>& changes)>;
Reread rereader(const ModelOptions& options, const std::string& experiment);

}  // namespace skyhook::app
