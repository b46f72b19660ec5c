#include <fmt/format.h>

#include "model_commands.h"
#include "skyhook/base/utf8.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

void tell_left_out(const model::Model& m, const std::string& chosen) {
  std::string others, start;
  for (const auto& e : m.experiments) {
    if (e.name == chosen) start = e.start;
  }
  for (const auto& e : m.experiments) {
    if (e.name != chosen && e.name != start) others += (others.empty() ? "" : ", ") + e.name;
  }
  if (!others.empty())
    fmt::print(stderr, "The expanded model is that of experiment \"{}\". Left out: {}.\n", printable(chosen),
               printable(others));
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
  keep_inputs({options.out}, m.files);  // a model may consist of several files; none of them is to be lost
  if (!options.force) check_writable(options.out);
  write_text(options.out, m.expanded);
  print_warnings(m.warnings);
  tell_left_out(m, experiment.name);
  if (!options.coordinates.empty())
    fmt::print(stderr,
               "The expanded model keeps the coordinates that its file asks for; give --coordinates with it.\n");
  return success;
}

}  // namespace skyhook::app
