#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model_commands.h"
#include "skyhook/base/error.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

// A model may consist of several files; none of them is to be lost.
void refuse_own_source(const model::Model& m, const std::string& out) {
  namespace fs = std::filesystem;
  std::error_code not_there;  // then it is another file
  const auto is_out = [&](const std::string& file) { return fs::equivalent(file, out, not_there); };
  if (std::any_of(m.files.begin(), m.files.end(), is_out))
    throw ModelError({out}, "this is a source of the model, which the expanded model would replace.",
                     "Give another name with --out.");
}

void tell_left_out(const model::Model& m, const std::string& chosen) {
  std::string others, start;
  for (const auto& e : m.experiments) {
    if (e.name == chosen) start = e.start;
  }
  for (const auto& e : m.experiments) {
    if (e.name != chosen && e.name != start) others += (others.empty() ? "" : ", ") + e.name;
  }
  if (!others.empty())
    fmt::print(stderr, "The expanded model is that of experiment \"{}\". Left out: {}.\n", chosen, others);
}

}  // namespace

int expand(const ExpandCommand& options) {
  ModelOptions chosen = options;
  chosen.expanded_file = options.out == "-" ? "" : options.out;
  model::Experiment experiment;
  model::Model m = load(chosen, "simulate", experiment);
  if (experiment.name.empty() && !m.experiments.empty()) {
    chosen.experiment = m.experiments.front().name;
    m = load(chosen, "", experiment);
  }
  refuse_own_source(m, options.out);
  write_text(options.out, m.expanded);
  tell_left_out(m, experiment.name);
  return success;
}

}  // namespace skyhook::app
