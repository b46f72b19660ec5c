// The commands that work on model files. Each returns the exit code of the program.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::app {

// 0: done. 1: `diff` found differences. 2: bad input or usage. 3: the numerics failed. 130: interrupted (results kept).
enum ExitCode { success = 0, different = 1, bad_input = 2, numerical_failure = 3, interrupted = 130 };

struct ModelOptions {
  std::string model, experiment;
  std::vector<std::string> set;   // "name=value"
  std::vector<std::string> path;  // folders of included files; those of SKYHOOK_PATH come after them
  bool json = false;
};

// What is absent is the experiment's.
struct RunCommand : ModelOptions {
  std::optional<std::string> out;  // default: model name with .h5
  std::optional<double> tolerance, until, output_step;
  std::optional<std::string> solver, jacobian;
  std::optional<std::string> from;  // "OLD.h5@t"
  bool verify = false, quiet = false;
};

// The model with templates, repeats and includes written out, to a file or standard output.
struct ExpandCommand : ModelOptions {
  std::string out;
};

int check(const ModelOptions& options);
int expand(const ExpandCommand& options);
int run(const RunCommand& options);
int equilibrium(const ModelOptions& options);

// Reads the model with --set and --path; the settings of the experiment count if it is not empty.
model::Model read(const ModelOptions& options, const std::string& experiment);
// Reads the model; `experiment` becomes the chosen one (the named one, or the first of the wanted analysis).
model::Model load(const ModelOptions& options, const std::string& analysis, model::Experiment& experiment);

}  // namespace skyhook::app
