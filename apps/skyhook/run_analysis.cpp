#include <fmt/format.h>

#include <filesystem>

#include "linear_commands.h"
#include "refuse.h"

namespace skyhook::app {
namespace {

// They would change nothing.
void refuse_options_of_simulations(const RunCommand& o, const model::Experiment& e) {
  std::string given;
  const auto add = [&](const char* option, bool is_there) {
    if (is_there) given += (given.empty() ? "" : ", ") + std::string(option);
  };
  add("--until", o.until.has_value()), add("--output-step", o.output_step.has_value());
  add("--verify", o.verify), add("--reactions", o.reactions), add("--jacobian", o.jacobian.has_value());
  if (given.empty()) return;
  refuse(fmt::format("experiment \"{}\" is `analysis: {}`: {} would change nothing of it.", e.name, e.analysis, given),
         "Leave it out, or name an experiment that simulates.");
}

template <class Command>
Command as(const RunCommand& o) {
  Command out;
  static_cast<RunCommand&>(out) = o;
  if (!out.out) out.out = std::filesystem::path(o.model).stem().string() + ".h5";
  return out;
}

}  // namespace

int run_analysis(const RunCommand& o, const model::Experiment& e) {
  refuse_options_of_simulations(o, e);
  if (e.analysis == "equilibrium") return equilibrium(as<EquilibriumCommand>(o));
  if (e.analysis == "nominal") return nominal(as<NominalCommand>(o));
  if (e.analysis == "modes") return modes(as<ModesCommand>(o));
  if (e.analysis == "linearize") return linearize(as<LinearizeCommand>(o));
  if (e.analysis == "response") return any_response(as<LinearResponseCommand>(o));
  return kinematics(as<KinematicsCommand>(o));
}

}  // namespace skyhook::app
