// Options that several commands share, in groups. Only main.cpp includes this: CLI11 is slow to compile.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "commands.h"
#include "linear_commands.h"
#include "model_commands.h"
#include "quantity_option.h"

namespace skyhook::command_line {

inline void add_model_options(CLI::App& command, app::ModelOptions& o, bool with_experiment, bool is_required = true) {
  command.add_option("model", o.model, "model file (YAML)")->required(is_required);
  if (with_experiment)
    command.add_option("experiment", o.experiment, "experiment of the file; default: the first that fits");
  command.add_option("--set", o.set, "change a parameter: NAME=VALUE, repeatable")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command.add_option("--path", o.path, "folder of included files, repeatable; also SKYHOOK_PATH=DIR:DIR")
      ->take_all()
      ->allow_extra_args(false)
      ->each([](const std::string& folder) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(folder, ignored))
          fmt::print(stderr, "--path {}: there is no such folder, it is ignored.\n", folder);
      })
      ->type_name("DIR");
  command.add_option("--ignore", o.ignore, "leave out warnings of this name, repeatable; see `skyhook warnings`")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("NAME");
  command.add_option("--coordinates", o.coordinates, "joint, absolute or auto, whatever the file says")
      ->check(CLI::IsMember({"joint", "absolute", "auto"}));
  command.add_flag("--json", o.json, "print JSON");
}

// CLI11 takes an empty text for an absent std::optional; here it is a value like any other.
template <class T>
void add_optional(CLI::App& command, const char* names, std::optional<T>& value, const char* help) {
  command.add_option_function<T>(
      names, [&value](const T& given) { value = given; }, help);
}

inline void add_report(CLI::App& command, std::optional<std::string>& report) {
  command
      .add_option_function<std::string>(
          "--report", [&report](const std::string& file) { report = file; },
          "also write a report for the browser; default: the result's name with .html")
      ->expected(0, 1)
      ->type_name("FILE");
}

// A time in s, or with its unit.
template <class Value>
CLI::Option* add_quantity(CLI::App& command, const char* name, Value& value, const char* help, const char* unit = "s") {
  return command
      .add_option_function<std::string>(
          name, [&value, name, unit](const std::string& text) { value = app::quantity_option(name, text, unit); }, help)
      ->type_name(unit == std::string_view("s")    ? "TIME"
                  : unit == std::string_view("Hz") ? "FREQUENCY"
                  : unit == std::string_view("m")  ? "LENGTH"
                                                   : "RATE");
}

// Where an analysis writes to; `own`: what its -o may be besides.
inline void add_analysis_files(CLI::App& command, app::AnalysisCommand& o, const std::string& own = "") {
  add_optional(command, "--out,-o", o.out,
               (own + "result (.h5) or picture (.svg, .png) to write; its ending says what it is").c_str());
  add_optional(command, "--plot", o.plot, "picture to write: .svg or .png");
  add_report(command, o.report);
  command.add_flag("--quiet,-q", o.quiet, "no tables and no progress");
}

inline void add_motion_options(CLI::App& command, app::MotionOptions& o) {
  add_quantity(
      command, "--speed", o.speed,
      "steady motion: of all that runs on a track, and of what floats on a free joint, along its x: \"80 km/h\"",
      "m/s");
  add_quantity(command, "--yaw-rate", o.yaw_rate, "of what floats, about z: \"0.2 rad/s\"", "rad/s");
  add_quantity(command, "--way", o.way, "by which what runs on a track stands further on than at the start: \"200 m\"",
               "m");
  command.add_option("--spin", o.spin, "rate of a joint coordinate that goes on for ever, repeatable")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("COORDINATE=RATE");
  command.add_option("--rolling", o.rolling, "of these, one whose rate is found so that nothing drives it, repeatable")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("COORDINATE");
  command.add_option("--steer", o.steer, "joint coordinate to find, with the sideslip: no side force is left")
      ->type_name("COORDINATE");
}

inline void add_nominal_options(CLI::App& command, app::NominalCommand& o) {
  command
      .add_option(
          "--vary", o.vary,
          "parameter or field of an element (strut.preload), or pattern (* and ?), repeatable; default: preloads "
          "of springs and loads of tyres")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("NAME");
  command.add_option("--weight", o.weight, "weight of the deviation of a parameter, repeatable; default 1")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
  add_optional(command, "--alpha", o.alpha,
               "weight of all deviations against the forces; 0, the default: the forces come first");
  add_analysis_files(command, o, "YAML fragment for `include` (.yaml, or - for standard output), ");
}

inline void add_run_options(CLI::App& command, app::RunCommand& o) {
  add_optional(command, "--out,-o", o.out, "result file; default: the model file's name with .h5");
  add_optional(command, "--tolerance", o.tolerance, "relative and absolute tolerance of the integrator");
  add_optional(command, "--absolute-tolerance", o.absolute_tolerance, "absolute tolerance, where it is another one");
  add_optional(command, "--solver", o.solver,
               "integrator or integrator/formulation; auto, the default, chooses by the model; see `skyhook solvers`");
  add_optional(command, "--jacobian", o.jacobian,
               "how the Jacobian is computed: auto, exact, dense, grouped, ...; see the manual");
  add_quantity(command, "--until", o.until, "end time in s, or with its unit: 2 min");
  add_quantity(command, "--output-step", o.output_step, "time between samples in s, or with its unit: 5 ms");
  add_optional(
      command, "--samples", o.samples,
      "solved, or curve: where they lie closer than steps need, some are taken from the curve through the others");
  add_optional(command, "--from", o.from, "start from an earlier result: OLD.h5@TIME");
  command.add_flag("--verify", o.verify,
                   "repeat at a tenth of the tolerance and print the estimated error of each output");
  command.add_flag("--reactions", o.reactions,
                   "record the reactions of all joints, as --report does; else only where an output asks for some");
  add_report(command, o.report);
  command.add_flag("--quiet,-q", o.quiet, "print only where the result is");
}

inline void add_sweep_options(CLI::App& command, app::SweepCommand& o) {
  auto* sweep = command.add_option("--sweep", o.sweep,
                                   "run for all values of a parameter: k=20..40:5, k=20..40/9 or k=1,2,3, with units; "
                                   "repeat it for a grid. --out is a folder then");
  sweep->take_all()->allow_extra_args(false)->type_name("NAME=VALUES");
  command
      .add_option("--measure", o.measure,
                  "column of the sweep's table: min, max, mean, rms, first, final, range or time_of_max of a channel, "
                  "a formula "
                  "that gives a number, rms(Wk(car.az)), or EVALUATION.NUMBER of what the experiment evaluates")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("FUNCTION(CHANNEL)")
      ->needs(sweep);
  command.add_option("--csv", o.csv, "write the sweep's table as CSV; - is standard output")->needs(sweep);
  command.add_option("--jobs,-j", o.jobs, "threads of a sweep; default: all cores")->needs(sweep);
}

inline void add_plot_options(CLI::App& command, app::PlotOptions& o) {
  command.add_option("result", o.file, "result file (.h5)")->required();
  command.add_option("channels", o.channels,
                     "names, patterns (* and ?), or formulas: \"psd(car.az)\", \"a.z - b.z\"; default: the first six");
  command.add_option("--out,-o", o.out, "picture to write; its ending .svg or .png says what it is");
  command.add_flag("--terminal,-t", o.terminal, "draw in the terminal");
  command.add_option("--x", o.x, "channel of the x axis; default: time");
  command.add_option("--compare", o.compare, "draw the same channels of this result too, dashed");
  command.add_flag("--panels", o.panels, "a panel for each channel; default: one for each unit");
  command.add_flag("--overlay", o.overlay, "all channels in one panel");
  add_quantity(command, "--from", o.from, "begin at this time in s, or with its unit");
  add_quantity(command, "--to", o.to, "end at this time in s, or with its unit");
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

inline void add_compare_options(CLI::App& command, app::CompareCommand& o) {
  command.add_option("--solvers", o.solvers,
                     "solvers with commas; patterns (* and ?) or `all`; default: the recommended pair of each "
                     "integrator of order above 2");
  command.add_option("--tolerances", o.tolerances,
                     "1e-3..1e-9 (each decade), 1e-3..1e-9:2 (two a decade), 1e-4,1e-6; default: 1e-3..1e-8");
  add_optional(command, "--absolute-tolerance", o.absolute_tolerance,
               "absolute tolerance, where it is another one, of runs at the loosest of --tolerances; its ratio to the "
               "relative one holds for all runs");
  command.add_option("--reference", o.reference, "what errors are measured against; default: a tight run")
      ->type_name("SOLVER@TOLERANCE");
  add_optional(command, "--target", o.target, "error at which times are compared; default: one that most runs enclose");
  command.add_option("--repeat", o.repeat, "runs of each, of which the fastest counts")->capture_default_str();
  add_quantity(command, "--time-limit", o.time_limit,
               "give up a run after so many s, but not the reference; default: never");
  add_quantity(command, "--until", o.until, "end time in s, or with its unit: 2 min");
  add_optional(command, "--jacobian", o.jacobian, "how the Jacobian is computed, in the rows of solvers that know it");
  command
      .add_option_function<std::string>(
          "--jacobians", [&o](const std::string& names) { o.jacobians = names; },
          "compare Jacobian strategies of one solver instead, with commas; default: all that fit, of bdf, at the "
          "tolerance of the experiment")
      ->expected(0, 1)
      ->type_name("NAMES");
  command.add_flag("--forget", o.forget,
                   "with --jacobians: wheels on rails search for their contacts anew in each residual of a Jacobian by "
                   "differences, although most columns leave them where they are");
  add_optional(command, "--csv", o.csv, "write the table as CSV; - is standard output");
  add_optional(command, "--out,-o", o.out, "work-precision diagram to write: .svg or .png");
  command.add_flag("--terminal,-t", o.terminal, "draw the work-precision diagram in the terminal");
  command.add_flag("--quiet,-q", o.quiet, "no progress on stderr");
}

inline void add_response_options(CLI::App& command, app::ResponseCommand& o) {
  command.get_option("model")->description("model file (YAML), or a result of it (.h5)");
  command.add_option("--input", o.input, "channel that excites");
  command.add_option("--output", o.outputs, "channels that answer; default: the first four others");
  add_quantity(command, "--low", o.low, "lowest frequency in Hz; default: as far as the input has power", "Hz");
  add_quantity(command, "--high", o.high, "highest frequency in Hz", "Hz");
  command.add_option("--per-octave", o.per_octave, "bands in an octave, where the record is long enough; default: 24");
  add_optional(command, "--tolerance", o.tolerance, "relative and absolute tolerance of the integrator");
  add_optional(command, "--solver", o.solver,
               "integrator or integrator/formulation; auto, the default, chooses by the model");
  add_quantity(command, "--until", o.until, "end time in s, or with its unit: 2 min");
  add_quantity(command, "--output-step", o.output_step, "time between samples in s, or with its unit: 5 ms");
  add_optional(command, "--csv", o.csv, "write the table as CSV; - is standard output");
  command.add_flag("--terminal,-t", o.terminal, "draw the diagram in the terminal");
  add_analysis_files(command, o);
}

inline void add_linear_options(CLI::App& command, app::LinearCommand& o) {
  add_quantity(command, "--at", o.at, "at this time of the run of the experiment, in s, or with its unit");
  command.add_flag("--start", o.start, "as the experiment starts, in motion or not, instead of the equilibrium");
  add_optional(command, "--from", o.from, "at an instant of an earlier result: OLD.h5@TIME");
  command.add_flag("--differences", o.differences, "by differences of the equations instead of exact derivatives");
  add_optional(command, "--tolerance", o.tolerance, "relative and absolute tolerance of the run that --at needs");
  add_optional(command, "--solver", o.solver, "of that run");
}

inline void add_kinematics_options(CLI::App& command, app::KinematicsCommand& o) {
  add_optional(command, "--points", o.points, "positions along the travel, in place of the experiment's");
  command.add_option("--channels", o.channels, "names or patterns (* and ?) in the picture; default: the first six");
  add_analysis_files(command, o);
}

// A command with its options, which live as long as the command may be called.
template <class Options>
struct Command {
  CLI::App& app;
  std::shared_ptr<Options> options;
  Options* operator->() const { return options.get(); }
};

template <class Options, class Call>
Command<Options> add_command(CLI::App& cli, const char* name, const char* help, int& code, Call call) {
  auto options = std::make_shared<Options>();
  CLI::App* command = cli.add_subcommand(name, help);
  command->callback([options, call, &code] { code = call(*options); });
  return {*command, options};
}

}  // namespace skyhook::command_line
