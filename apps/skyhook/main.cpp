// The command line. CLI11 is included here only: it is slow to compile.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>

#include "commands.h"
#include "language_commands.h"
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

void add_sweep_options(CLI::App& command, app::SweepCommand& o) {
  auto* sweep = command.add_option("--sweep", o.sweep,
                                   "run for all values of a parameter: k=20..40:5, k=20..40/9 or k=1,2,3, with units; "
                                   "repeat it for a grid. --out is a folder then");
  sweep->take_all()->allow_extra_args(false)->type_name("NAME=VALUES");
  command
      .add_option("--measure", o.measure,
                  "column of the sweep's table: min, max, mean, rms, first, final, range or time_of_max of a channel")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("FUNCTION(CHANNEL)")
      ->needs(sweep);
  command.add_option("--csv", o.csv, "write the sweep's table as CSV; - is standard output")->needs(sweep);
  command.add_option("--jobs,-j", o.jobs, "threads of a sweep; default: all cores")->needs(sweep);
}

void add_plot_options(CLI::App& command, app::PlotOptions& o) {
  command.add_option("result", o.file, "result file (.h5)")->required();
  command.add_option("channels", o.channels, "names or patterns (* and ?); default: the first six");
  command.add_option("--out,-o", o.out, "picture to write; its ending .svg or .png says what it is");
  command.add_flag("--terminal,-t", o.terminal, "draw in the terminal");
  command.add_option("--x", o.x, "channel of the x axis; default: time");
  command.add_option("--compare", o.compare, "draw the same channels of this result too, dashed");
  command.add_flag("--panels", o.panels, "a panel for each channel; default: one for each unit");
  command.add_flag("--overlay", o.overlay, "all channels in one panel");
  add_optional(command, "--from", o.from, "begin at this time in s");
  add_optional(command, "--to", o.to, "end at this time in s");
  command.add_flag("--log-x", o.log_x, "logarithmic x axis");
  command.add_flag("--log-y", o.log_y, "logarithmic y axes");
  command.add_flag("--deg", o.degrees, "angles in deg instead of rad");
  command.add_option("--title", o.title, "title; default: model and experiment");
  command.add_option("--size", o.size, "width and height of the picture, as 900x500");
  command.add_option("--scale", o.scale, "pixels of the PNG for each of --size; 2 for print");
  command.add_flag("--dark", o.dark, "light on a dark background");
  command.add_option("--width", o.width, "columns of the terminal; default: all");
  command.add_option("--height", o.height, "lines of the terminal; default: all");
}

// The commands that need no model: what the language knows, for people, editors and beginners.
void add_language_commands(CLI::App& cli, app::LanguageOptions& o, int& code) {
  auto* elements = cli.add_subcommand("elements", "the elements of the language and their fields");
  elements->add_option("name", o.elements.name, "an element, a part of the file (body, experiment), or a section");
  elements->add_flag("--json", o.elements.json, "print JSON");
  elements->add_flag("--markdown", o.elements.markdown, "print the pages of the reference");
  elements->callback([&] { code = app::elements(o.elements); });

  auto* schema = cli.add_subcommand("schema", "JSON Schema of model files, for editors");
  schema->add_option("--out,-o", o.schema.out, "file to write; default: standard output");
  schema->callback([&] { code = app::schema(o.schema); });

  auto* starting = cli.add_subcommand("new", "write a commented model to start from, and the schema for editors");
  starting->add_option("model", o.starting.model, "pendulum, suspension or car")->required();
  starting->add_option("--out,-o", o.starting.out, "file to write; default: the model's name with .yaml");
  starting->add_flag("--force,-f", o.starting.force, "replace a file that is there");
  starting->callback([&] { code = app::new_model(o.starting); });
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

  app::SweepCommand run;
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
  run_command
      ->add_option_function<std::string>(
          "--report", [&](const std::string& file) { run.report = file; },
          "also write a report for the browser; default: the result's name with .html")
      ->expected(0, 1)
      ->type_name("FILE");
  run_command->add_flag("--quiet,-q", run.quiet, "print only where the result is");
  add_sweep_options(*run_command, run);
  run_command->callback([&] { code = run.sweep.empty() ? app::run(run) : app::sweep(run); });

  app::WatchCommand watch;
  auto* watch_command = cli.add_subcommand("watch", "run, show in the browser, and again whenever the model is saved");
  add_model_options(*watch_command, watch, true);
  add_optional(*watch_command, "--until", watch.until, "end time in s");
  add_optional(*watch_command, "--port", watch.port, "port on 127.0.0.1; default: 8137 or the next that is free");
  watch_command->remove_option(watch_command->get_option("--json"));
  watch_command->callback([&] { code = app::watch(watch); });

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

  app::ReportCommand report;
  auto* report_command = cli.add_subcommand("report", "write a page for the browser: scene, plots, model and run");
  report_command->add_option("result", report.file, "result file (.h5)")->required();
  report_command->add_option("--out,-o", report.out, "page to write; default: the result's name with .html");
  report_command->add_option("--compare", report.compare, "a second result, shown as a ghost and in the plots");
  report_command->add_option("--max-size", report.max_size, "leave out samples and frames until the page is this small")
      ->capture_default_str();
  report_command->callback([&] { code = app::report(report); });

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

  app::PlotOptions plot;
  auto* plot_command = cli.add_subcommand("plot", "draw channels of a result as SVG, PNG or in the terminal");
  add_plot_options(*plot_command, plot);
  plot_command->callback([&] { code = app::plot(plot); });

  app::LanguageOptions language;
  add_language_commands(cli, language, code);

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
