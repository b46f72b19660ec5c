// The commands that ask results: show, report, export, diff, plot, evaluate. Only main.cpp includes this.
#pragma once
#include "evaluate_command.h"
#include "options_of_commands.h"

namespace skyhook::command_line {

inline void add_evaluate_options(CLI::App& command, const std::shared_ptr<app::EvaluateCommand>& o) {
  command.add_option("results", o->results, "result files (.h5); several for iso3888 and iso4138")->required();
  command.add_option(
      "--standard,-s", o->standard,
      "rail, en14363, en12299, sperling, wear, iso2631, iso3888, iso4138, iso7401 or statistics; see below");
  for (const auto& [name, help] : app::evaluation_options()) {
    std::string option = "--" + name;
    std::ranges::replace(option, '_', '-');
    command
        .add_option_function<std::vector<std::string>>(
            option,
            [o, name = name](const std::vector<std::string>& texts) {
              for (const std::string& text : texts) o->given.emplace_back(name, text);
            },
            help)
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("TEXT");
  }
  command.add_option("--csv", o->csv, "write the table as CSV; - is standard output");
  command.add_flag("--json", o->json, "print JSON");
  add_analysis_files(command, *o);
  command.footer(app::evaluation_help());
}

// show, report, export, diff, plot, evaluate
inline void add_result_commands(CLI::App& cli, int& code) {
  const auto show = add_command<app::ShowOptions>(
      cli, "show", "values of a result; without channel: the list of channels with units", code, app::show);
  show.app.add_option("result", show->file, "result file (.h5)")->required();
  show.app.add_option(
      "channels", show->channels,
      "names, patterns (* and ?), or formulas: \"rms(car.az)\"; `skyhook evaluate --help` lists functions");
  show.app
      .add_option_function<std::vector<std::string>>(
          "--at",
          [at = &show->at](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) at->push_back(app::quantity_option("--at", text, "s"));
          },
          "values at these times in s, or with their unit, interpolated; repeatable")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("TIME");
  show.app.add_flag("--all", show->all, "every sample, not only about 20");
  show.app.add_flag("--cost", show->cost,
                    "steps, failures, residuals, Jacobians, factorisations, time, what limited the step");
  show.app.add_flag("--events", show->events, "the event log");
  show.app.add_flag("--json", show->json, "print JSON");

  const auto report = add_command<app::ReportCommand>(
      cli, "report", "write a page for the browser: scene, plots, model and run", code, app::report);
  report.app
      .add_option("results", report->files, "result files (.h5): the first, and others beside it in plots and scene")
      ->required();
  report.app.add_option("--out,-o", report->out, "page to write; default: the first result's name with .html");
  report.app.add_option("--compare", report->compare, "further results, as if they stood behind the first");
  report.app.add_option("--max-size", report->max_size, "leave out samples and frames until the page is this small")
      ->capture_default_str();

  const auto exporting =
      add_command<app::ExportOptions>(cli, "export", "write channels as CSV or MAT file", code, app::export_result);
  exporting.app.add_option("result", exporting->file, "result file (.h5)")->required();
  exporting.app.add_option("channels", exporting->channels, "names or patterns; default: all");
  exporting.app.add_option("--csv", exporting->csv, "CSV file to write; - is standard output");
  exporting.app.add_option("--mat", exporting->mat, "MAT file to write");
  exporting.app.add_option("--events", exporting->events, "CSV file to write the event log to; - is standard output");

  const auto diff = add_command<app::DiffOptions>(
      cli, "diff", "compare two results channel by channel; exit code 1 if they differ", code, app::diff);
  diff.app.add_option("a", diff->a, "result file")->required();
  diff.app.add_option("b", diff->b, "result file")->required();
  diff.app.add_option(
      "channels", diff->channels,
      "names or patterns; default: all but the errors energy.balance and constraints.*, whatever outputs call them");
  diff.app.add_option("--tol", diff->tol,
                      "largest difference allowed, relative to the element's largest value of that unit");
  diff.app.add_flag("--common", diff->common, "compare only the time that both have: one of them may end earlier");
  diff.app.add_flag("--json", diff->json, "print JSON");

  const auto plot = add_command<app::PlotOptions>(
      cli, "plot", "draw channels of a result as SVG, PNG or in the terminal", code, app::plot);
  add_plot_options(plot.app, *plot.options);

  const auto evaluate = add_command<app::EvaluateCommand>(
      cli, "evaluate", "characteristic numbers of a run after a standard: ride, handling, lane change, statistics",
      code, app::evaluate);
  add_evaluate_options(evaluate.app, evaluate.options);
}

}  // namespace skyhook::command_line
