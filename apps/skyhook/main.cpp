// The command line. CLI11 is included here only: it is slow to compile.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>

#include "commands.h"
#include "model_commands.h"
#include "skyhook/base/error.h"
#include "skyhook/version.h"

using namespace skyhook;

namespace {

void add_model_options(CLI::App& command, app::ModelOptions& o, bool with_experiment) {
  command.add_option("model", o.model, "model file (YAML)")->required();
  if (with_experiment)
    command.add_option("experiment", o.experiment, "experiment of the file; default: the first that fits");
  command.add_option("--set", o.set, "change a parameter: NAME=VALUE, repeatable")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command.add_option("--path", o.path, "folder of included files, repeatable; also SKYHOOK_PATH=DIR:DIR")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("DIR");
  command.add_flag("--json", o.json, "print JSON");
}

// CLI11 takes an empty text for an absent std::optional; here it is a value like any other.
template <class T>
void add_optional(CLI::App& command, const char* names, std::optional<T>& value, const char* help) {
  command.add_option_function<T>(
      names, [&value](const T& given) { value = given; }, help);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App cli("Skyhook simulates road, rail and tracked vehicles as multibody systems.");
  cli.set_version_flag("--version", fmt::format("skyhook {} ({})", version, revision));
  cli.require_subcommand(1);
  cli.footer(
      "Exit codes: 0 done, 1 diff found differences, 2 bad input or usage, 3 the numerics failed, 130 interrupted "
      "(results kept).");
  int code = 0;

  app::ModelOptions check;
  auto* check_command =
      cli.add_subcommand("check", "degrees of freedom, loops and cuts, redundant constraints, masses, warnings");
  add_model_options(*check_command, check, true);
  check_command->callback([&] { code = app::check(check); });

  app::ExpandCommand expand;
  auto* expand_command =
      cli.add_subcommand("expand", "print the model with templates, repeats and includes written out");
  add_model_options(*expand_command, expand, true);
  expand_command->add_option("--out,-o", expand.out, "file to write; default: standard output");
  expand_command->callback([&] { code = app::expand(expand); });

  app::RunCommand run;
  auto* run_command = cli.add_subcommand("run", "simulate an experiment and record it");
  add_model_options(*run_command, run, true);
  add_optional(*run_command, "--out,-o", run.out, "result file; default: the model file's name with .h5");
  add_optional(*run_command, "--tolerance", run.tolerance, "relative and absolute tolerance of the integrator");
  add_optional(*run_command, "--solver", run.solver, "integrator: ida");
  add_optional(*run_command, "--jacobian", run.jacobian, "exact, grouped or dense");
  add_optional(*run_command, "--until", run.until, "end time in s");
  add_optional(*run_command, "--output-step", run.output_step, "time between samples in s");
  add_optional(*run_command, "--from", run.from, "start from an earlier result: OLD.h5@TIME");
  run_command->add_flag("--verify", run.verify,
                        "repeat at a tenth of the tolerance and print the estimated error of each output");
  run_command->add_flag("--quiet,-q", run.quiet, "print only where the result is");
  run_command->callback([&] { code = app::run(run); });

  app::ModelOptions equilibrium;
  auto* equilibrium_command = cli.add_subcommand("equilibrium", "find the static equilibrium");
  add_model_options(*equilibrium_command, equilibrium, true);
  equilibrium_command->callback([&] { code = app::equilibrium(equilibrium); });

  app::ShowOptions show;
  auto* show_command =
      cli.add_subcommand("show", "values of a result; without channel: the list of channels with units");
  show_command->add_option("result", show.file, "result file (.h5)")->required();
  show_command->add_option("channels", show.channels, "names or patterns (* and ?)");
  show_command->add_option("--at", show.at, "values at these times, interpolated; repeatable")
      ->take_all()
      ->allow_extra_args(false);
  show_command->add_flag("--all", show.all, "every sample, not only about 20");
  show_command->add_flag("--cost", show.cost,
                         "steps, failures, residuals, Jacobians, factorisations, time, what limited the step");
  show_command->add_flag("--events", show.events, "the event log");
  show_command->add_flag("--json", show.json, "print JSON");
  show_command->callback([&] { code = app::show(show); });

  app::ExportOptions exporting;
  auto* export_command = cli.add_subcommand("export", "write channels as CSV or MAT file");
  export_command->add_option("result", exporting.file, "result file (.h5)")->required();
  export_command->add_option("channels", exporting.channels, "names or patterns; default: all");
  export_command->add_option("--csv", exporting.csv, "CSV file to write; - is standard output");
  export_command->add_option("--mat", exporting.mat, "MAT file to write");
  export_command->callback([&] { code = app::export_result(exporting); });

  app::DiffOptions diff;
  auto* diff_command = cli.add_subcommand("diff", "compare two results channel by channel; exit code 1 if they differ");
  diff_command->add_option("a", diff.a, "result file")->required();
  diff_command->add_option("b", diff.b, "result file")->required();
  diff_command->add_option("channels", diff.channels,
                           "names or patterns; default: all but the errors energy.balance and constraints.*");
  diff_command->add_option("--tol", diff.tol,
                           "largest difference allowed, relative to the element's largest value of that unit");
  diff_command->add_flag("--json", diff.json, "print JSON");
  diff_command->callback([&] { code = app::diff(diff); });

  std::vector<std::string> known;
  for (const auto* command : cli.get_subcommands({})) known.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(known.begin(), known.end(), argv[1]) == known.end()) {
    fmt::print(stderr, "skyhook: there is no command \"{}\". {}\n", argv[1], suggest(argv[1], known, "Commands"));
    return app::bad_input;
  }
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return cli.exit(e) == 0 ? 0 : app::bad_input;
  } catch (const ModelError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return app::bad_input;
  } catch (const std::exception& e) {
    fmt::print(stderr, "skyhook: {}\nThis is a defect of Skyhook, please report it.\n", e.what());
    return app::numerical_failure;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    fmt::print(stderr, "skyhook: the output could not be written completely; is the disk full?\n");
    return app::bad_input;
  }
  return code;
}
