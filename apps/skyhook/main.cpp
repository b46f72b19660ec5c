// The command line. CLI11 is included here only: it is slow to compile.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <sstream>

#include "commands.h"
#include "evaluate_command.h"
#include "language_commands.h"
#include "linear_commands.h"
#include "model_commands.h"
#include "quantity_option.h"
#include "road_command.h"
#include "track_command.h"
#include "skyhook/base/new_file.h"
#include "skyhook/version.h"
#include "terminal.h"
#include "wheelrail_command.h"

using namespace skyhook;

namespace {

void add_model_options(CLI::App& command, app::ModelOptions& o, bool with_experiment, bool is_required = true) {
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

void add_report(CLI::App& command, std::optional<std::string>& report) {
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
                                                   : "RATE");
}

// Where an analysis writes to; `own`: what its -o may be besides.
void add_analysis_files(CLI::App& command, app::AnalysisCommand& o, const std::string& own = "") {
  add_optional(command, "--out,-o", o.out,
               (own + "result (.h5) or picture (.svg, .png) to write; its ending says what it is").c_str());
  add_optional(command, "--plot", o.plot, "picture to write: .svg or .png");
  add_report(command, o.report);
  command.add_flag("--quiet,-q", o.quiet, "no tables and no progress");
}

void add_motion_options(CLI::App& command, app::EquilibriumCommand& o) {
  add_quantity(command, "--speed", o.speed, "of what floats on a free joint, along its x: \"80 km/h\"", "m/s");
  add_quantity(command, "--yaw-rate", o.yaw_rate, "of the same about z: \"0.2 rad/s\"", "rad/s");
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

void add_nominal_options(CLI::App& command, app::NominalCommand& o) {
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

void add_run_options(CLI::App& command, app::RunCommand& o) {
  add_optional(command, "--out,-o", o.out, "result file; default: the model file's name with .h5");
  add_optional(command, "--tolerance", o.tolerance, "relative and absolute tolerance of the integrator");
  add_optional(command, "--absolute-tolerance", o.absolute_tolerance, "absolute tolerance, where it is another one");
  add_optional(command, "--solver", o.solver,
               "integrator or integrator/formulation; auto, the default, chooses by the model; see `skyhook solvers`");
  add_optional(command, "--jacobian", o.jacobian,
               "how the Jacobian is computed: auto, exact, dense, grouped, ...; see the manual");
  add_quantity(command, "--until", o.until, "end time in s, or with its unit: 2 min");
  add_quantity(command, "--output-step", o.output_step, "time between samples in s, or with its unit: 5 ms");
  add_optional(command, "--from", o.from, "start from an earlier result: OLD.h5@TIME");
  command.add_flag("--verify", o.verify,
                   "repeat at a tenth of the tolerance and print the estimated error of each output");
  command.add_flag("--reactions", o.reactions,
                   "record the reactions of all joints, as --report does; else only where an output asks for some");
  add_report(command, o.report);
  command.add_flag("--quiet,-q", o.quiet, "print only where the result is");
}

void add_sweep_options(CLI::App& command, app::SweepCommand& o) {
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

void add_plot_options(CLI::App& command, app::PlotOptions& o) {
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

void add_compare_options(CLI::App& command, app::CompareCommand& o) {
  command.add_option(
      "--solvers", o.solvers,
      "solvers with commas; patterns (* and ?) or `all`; default: the recommended pair of each integrator of order above 2");
  command.add_option("--tolerances", o.tolerances,
                     "1e-3..1e-9 (each decade), 1e-3..1e-9:2 (two a decade), 1e-4,1e-6; default: 1e-3..1e-8");
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
  add_optional(command, "--csv", o.csv, "write the table as CSV; - is standard output");
  add_optional(command, "--out,-o", o.out, "work-precision diagram to write: .svg or .png");
  command.add_flag("--terminal,-t", o.terminal, "draw the work-precision diagram in the terminal");
  command.add_flag("--quiet,-q", o.quiet, "no progress on stderr");
}

void add_response_options(CLI::App& command, app::ResponseCommand& o) {
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

void add_linear_options(CLI::App& command, app::LinearCommand& o) {
  add_quantity(command, "--at", o.at, "at this time of the run of the experiment, in s, or with its unit");
  command.add_flag("--start", o.start, "as the experiment starts, in motion or not, instead of the equilibrium");
  add_optional(command, "--from", o.from, "at an instant of an earlier result: OLD.h5@TIME");
  command.add_flag("--differences", o.differences, "by differences of the equations instead of exact derivatives");
  add_optional(command, "--tolerance", o.tolerance, "relative and absolute tolerance of the run that --at needs");
  add_optional(command, "--solver", o.solver, "of that run");
}

void add_kinematics_options(CLI::App& command, app::KinematicsCommand& o) {
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

void add_wheelrail_command(CLI::App& cli, int& code) {
  const auto rail = add_command<app::WheelrailCommand>(cli, "wheelrail",
                                                       "where wheels touch rails: contact points and angles, rolling "
                                                       "radii, patches, equivalent conicity (EN 15302), rows of "
                                                       "contact benchmarks",
                                                       code, app::wheelrail);
  CLI::App& c = rail.app;
  c.add_option("--wheel", rail->wheel,
               "profile: s1002, en15302_wheel_a, a file of points (.csv, MiniProf), conical:1/20, or one of --model")
      ->capture_default_str();
  c.add_option("--rail", rail->rail,
               "profile: uic60, uic60_1in20, uic60_1in40, en15302_rail_a, a file, circular:300, or one of --model")
      ->capture_default_str();
  c.add_option("--wheel-right", rail->wheel_right, "of the right wheel; default: as the left one");
  c.add_option("--rail-right", rail->rail_right, "of the right rail; default: as the left one");
  c.add_option("--model", rail->model, "model file whose `profiles` may be named");
  c.add_option("--gauge", rail->gauge, "between the gauge faces; all lengths: plain numbers are in mm")
      ->capture_default_str();
  c.add_option("--gauge-depth", rail->gauge_depth, "below the top of the rail, where the gauge is measured")
      ->capture_default_str();
  c.add_option("--flange-back", rail->flange_back, "distance of the backs of the flanges")->capture_default_str();
  c.add_option("--tape-circle", rail->tape_circle, "from the back of a flange to the tape circle")
      ->capture_default_str();
  c.add_option("--radius", rail->radius, "of the tape circle")->capture_default_str();
  c.add_option("--inclination", rail->inclination,
               "how the rail leans to the inside, beside what its profile does: 1/40")
      ->capture_default_str();
  c.add_option("--smoothing", rail->smoothing,
               "of files of points: waves of this length are halved; 0: nearly through all points")
      ->capture_default_str();
  c.add_option("--shift", rail->shift, "shifts to the left, in mm: FROM..TO:STEP; default: -6.5..6.5:0.5")
      ->type_name("RANGE");
  c.add_option("--yaw", rail->yaw, "of the wheelset, in mrad")->capture_default_str();
  c.add_option("--conicity", rail->conicity, "amplitudes in mm: FROM..TO:STEP, for example 1..7:0.2")
      ->type_name("RANGE");
  c.add_flag("--rolls", rail->rolls,
             "for --conicity: with the roll at which both wheels touch; EN 15302 leaves it out");
  c.add_option("--cases", rail->cases,
               "rows of a contact benchmark: side, y_ws, roll_ws, yaw_ws, vpitch_ws, and results to compare with")
      ->type_name("FILE.csv");
  c.add_option("--load", rail->load, "vertical, of each wheel; plain: N")->capture_default_str();
  c.add_option("--speed", rail->speed, "of travel, for creepages")->capture_default_str();
  c.add_option("--friction", rail->friction, "coefficient")->capture_default_str();
  c.add_option("--law", rail->law, "of creep")
      ->check(CLI::IsMember(words_of(element::rail::creep_laws)))
      ->capture_default_str();
  c.add_option("--patch", rail->patch,
               "hertz: an ellipse; half_space: pressures on a grid, for profiles that conform; auto: half_space for "
               "--cases, else "
               "hertz")
      ->check(CLI::IsMember({"auto", "hertz", "half_space"}))
      ->capture_default_str();
  c.add_option("--cell", rail->cell, "of that grid: its size; default: 41 by 41 cells");
  c.add_option("--out,-o", rail->out, "picture (.svg, .png) or result (.h5) to write");
  c.add_option("--csv", rail->csv, "table to write; - is standard output");
  add_report(c, rail->report);
  c.add_flag("--terminal", rail->terminal, "draw into the terminal");
  c.add_flag("--json", rail->json, "print JSON, in SI");
  c.add_flag("--quiet,-q", rail->quiet, "no tables");
}

void add_run(CLI::App& cli, int& code) {
  const auto run = add_command<app::SweepCommand>(
      cli, "run", "simulate an experiment and record it", code,
      [](const app::SweepCommand& o) { return o.sweep.empty() ? app::run(o) : app::sweep(o); });
  add_model_options(run.app, *run.options, true);
  add_run_options(run.app, *run.options);
  add_sweep_options(run.app, *run.options);
}

// check, road, track, expand, channels, run, watch, equilibrium, nominal, modes, critical-speed, linearize, kinematics, tyre, compare, response
void add_model_commands(CLI::App& cli, int& code) {
  const auto check = add_command<app::ModelOptions>(
      cli, "check", "degrees of freedom, loops and cuts, redundant constraints, masses, warnings", code, app::check);
  add_model_options(check.app, *check.options, true);

  const auto road = add_command<app::RoadCommand>(
      cli, "road", "heights, spectrum, class of ISO 8608 and friction of the roads of a model or a .crg file", code,
      app::road);
  add_model_options(road.app, *road.options, false);
  road.app.add_option("name", road->road, "a road of the model; default: all");
  road.app.add_option("--from", road->from,
                      "x where to begin, m; default: where the road begins to differ from a plane");
  road.app.add_option("--to", road->to, "x where to end, m");
  road.app.add_option("--step", road->step, "distance of the points, m; default: 0.05");
  road.app.add_option("--y", road->y, "tracks to look at, m; default: 0.75 and -0.75 where they differ, else 0");
  road.app.add_option("--out,-o", road->out, "picture to write, .svg or .png; default: in the terminal");

  const auto track = add_command<app::TrackCommand>(
      cli, "track", "curvature, cant, gradient and deviations of the railway tracks of a model over the way, and their spectra", code,
      app::track);
  add_model_options(track.app, *track.options, false);
  track.app.add_option("name", track->track, "a track of the model; default: all");
  track.app.add_option("--from", track->from, "way where to begin, m; default: 0");
  track.app.add_option("--to", track->to, "way where to end, m; default: the end of the line");
  track.app.add_option("--step", track->step, "distance of the rows, m; default: a twentieth of the way");
  track.app.add_flag("--spectrum", track->spectrum, "print the spectra of the deviations in place of the rows");
  track.app.add_option("--out,-o", track->out, "picture to write, .svg or .png; default: in the terminal");

  const auto expand = add_command<app::ExpandCommand>(
      cli, "expand", "print the model with templates, repeats and includes written out, for one experiment", code,
      app::expand);
  add_model_options(expand.app, *expand.options, true);
  expand.app.add_option("--out,-o", expand->out, "file to write; default: standard output");
  expand.app.add_flag("--force,-f", expand->force, "replace a model or a result that is there");
  expand.app.remove_option(expand.app.get_option("--json"));

  const auto channels = add_command<app::ChannelsCommand>(
      cli, "channels", "what can be recorded of a model: names, units, meanings", code, app::channels);
  add_model_options(channels.app, *channels.options, false);
  channels.app.add_option("patterns", channels->patterns, "names or patterns (* and ?); default: all");
  channels.app.add_option("--experiment", channels->experiment,
                          "as this experiment sets the model; default: the first that simulates");

  add_run(cli, code);

  const auto watch = add_command<app::WatchCommand>(
      cli, "watch", "run, show in the browser, and again whenever the model is saved", code, app::watch);
  add_model_options(watch.app, *watch.options, true);
  add_quantity(watch.app, "--until", watch->until, "end time in s, or with its unit: 2 min");
  add_optional(watch.app, "--solver", watch->solver,
               "integrator or integrator/formulation; auto, the default, chooses by the model");
  add_optional(watch.app, "--tolerance", watch->tolerance, "relative and absolute tolerance of the integrator");
  add_optional(watch.app, "--port", watch->port, "port on 127.0.0.1; default: 8137 or the next that is free");
  watch.app.remove_option(watch.app.get_option("--json"));

  const auto solvers = add_command<app::SolversCommand>(
      cli, "solvers", "the pairs of integrator and formulation; for a model: which one `auto` chooses and why", code,
      app::solvers);
  add_model_options(solvers.app, *solvers.options, true, false);
  solvers.app.add_flag("--all", solvers->all, "the refused pairs too, and why they are");

  const auto equilibrium = add_command<app::EquilibriumCommand>(
      cli, "equilibrium", "find the equilibrium, at rest or in a steady motion", code, app::equilibrium);
  add_model_options(equilibrium.app, *equilibrium.options, true);
  add_motion_options(equilibrium.app, *equilibrium.options);
  add_analysis_files(equilibrium.app, *equilibrium.options);
  const auto nominal = add_command<app::NominalCommand>(
      cli, "nominal", "find preloads, or other parameters, that hold the drawn position", code, app::nominal);
  add_model_options(nominal.app, *nominal.options, true);
  add_nominal_options(nominal.app, *nominal.options);

  const auto modes = add_command<app::ModesCommand>(
      cli, "modes", "frequencies, damping and shapes of small motions: what moves, what holds it, what damps it", code,
      app::modes);
  add_model_options(modes.app, *modes.options, true);
  add_linear_options(modes.app, *modes.options);
  modes.app.add_flag("--shapes", modes->shapes, "print the motion of each body too; JSON always has it");
  add_optional(modes.app, "--csv", modes->csv, "write the table as CSV; - is standard output");
  add_optional(modes.app, "--lowest", modes->lowest,
               "the lowest so many, on sparse matrices; default for large models: 20");
  modes.app.add_option("--sweep", modes->sweep, "root locus over a parameter: speed=10..100/19, as of `run`");
  modes.app.add_flag("--crossing", modes->crossing, "find where a mode begins to grow within the sweep");
  add_analysis_files(modes.app, *modes.options);

  const auto critical = add_command<app::CriticalSpeedCommand>(
      cli, "critical-speed", "where a motion begins to swing by itself over a parameter, and the limit cycles it swings in", code,
      app::critical_speed);
  add_model_options(critical.app, *critical.options, true);
  add_linear_options(critical.app, *critical.options);
  critical.app.add_option("--sweep", critical->sweep, "range of the parameter: v=10..100/19, as of `run`");
  critical.app.add_option("--output", critical->output, "channel or output whose amplitude is drawn; default: the first output of the model");
  critical.app.add_flag("--linear", critical->linear, "the linear critical value alone");
  add_optional(critical.app, "--ramp", critical->ramp, "check: let the parameter fall in so many values from a stable cycle, simulated");
  add_quantity(critical.app, "--size", critical->size, "size of the first cycle in m; default: a thousandth of the model");
  add_optional(critical.app, "--largest", critical->largest, "the branch ends at this amplitude, in SI units of the output");
  critical.app.add_option("--points", critical->most_points, "cycles of the branch at most");
  add_optional(critical.app, "--csv", critical->csv, "write the cycles as CSV; - is standard output");
  add_analysis_files(critical.app, *critical.options);

  const auto linearize = add_command<app::LinearizeCommand>(
      cli, "linearize", "the linear system A, B, C, D and M, D, K with named states, inputs and outputs", code,
      app::linearize);
  add_model_options(linearize.app, *linearize.options, true);
  add_linear_options(linearize.app, *linearize.options);
  linearize.app.add_option("--input", linearize->inputs, "inputs, by names or patterns (* and ?); default: all");
  linearize.app.add_option("--output", linearize->outputs, "channels that are outputs; default: those of the model");
  add_analysis_files(linearize.app, *linearize.options, "matrices (.mat, .csv, .json), ");

  const auto kinematics = add_command<app::KinematicsCommand>(
      cli, "kinematics", "move wheels through their travel: camber, toe, roll centre, motion ratios, compliance", code,
      app::kinematics);
  add_model_options(kinematics.app, *kinematics.options, true);
  add_kinematics_options(kinematics.app, *kinematics.options);

  const auto tyre = add_command<app::TyreCommand>(
      cli, "tyre", "forces and moments of a tyre over slip, load and camber: of a .tir file, or of one in a model",
      code, app::tyre);
  add_model_options(tyre.app, *tyre.options, false);
  tyre.app.add_option("name", tyre->name, "tyre of the model; default: the first");
  tyre.app.add_option("--load", tyre->loads, "in N, repeatable; default: 0.5, 1 and 1.5 times the usual one")
      ->take_all()
      ->allow_extra_args(false);
  tyre.app.add_option("--camber", tyre->cambers, "in degrees, repeatable; default: 0")
      ->take_all()
      ->allow_extra_args(false);
  tyre.app.add_option("--friction", tyre->friction, "of the road over that of the measurements");
  tyre.app.add_option("--out,-o", tyre->out, "picture to write: .svg or .png");
  tyre.app.add_option("--csv", tyre->csv, "all points of the curves; - is standard output");
  tyre.app.add_flag("--terminal", tyre->terminal, "draw into the terminal");

  const auto compare = add_command<app::CompareCommand>(
      cli, "compare", "errors and cost of solvers at several tolerances: work-precision table and diagram", code,
      app::compare);
  add_model_options(compare.app, *compare.options, true);
  add_compare_options(compare.app, *compare.options);

  const auto response = add_command<app::LinearResponseCommand>(
      cli, "response", "gain, phase and coherence of channels over frequency, from a run or its result, or linear",
      code, app::any_response);
  add_model_options(response.app, *response.options, true);
  add_response_options(response.app, *response.options);
  response.app.add_flag("--linear", response->linear,
                        "of the linear system at the equilibrium; the input is a drive or a signal");
  response.app.add_flag("--start", response->start, "of that as the experiment starts");
  add_quantity(response.app, "--at", response->at, "of that at this time of the run");
  response.app.add_option("--psd", response->psd,
                          "rms of the outputs under this density of the input, a formula of f in Hz");
  response.app.add_option("--also", response->also, "further input of the same track, NAME=DELAY in s; repeatable");
  response.app.add_option("--beside", response->beside, "further input of another track, likewise");
  add_optional(response.app, "--coherence", response->coherence, "of the two tracks, 0 to 1");
}

void add_evaluate_options(CLI::App& command, const std::shared_ptr<app::EvaluateCommand>& o) {
  command.add_option("results", o->results, "result files (.h5); several for iso3888 and iso4138")->required();
  command.add_option("--standard,-s", o->standard, "iso2631, iso3888, iso4138, iso7401 or statistics; see below");
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
void add_result_commands(CLI::App& cli, int& code) {
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
  diff.app.add_option("channels", diff->channels,
                      "names or patterns; default: all but the errors energy.balance and constraints.*");
  diff.app.add_option("--tol", diff->tol,
                      "largest difference allowed, relative to the element's largest value of that unit");
  diff.app.add_flag("--json", diff->json, "print JSON");

  const auto plot = add_command<app::PlotOptions>(
      cli, "plot", "draw channels of a result as SVG, PNG or in the terminal", code, app::plot);
  add_plot_options(plot.app, *plot.options);

  const auto evaluate = add_command<app::EvaluateCommand>(
      cli, "evaluate", "characteristic numbers of a run after a standard: ride, handling, lane change, statistics",
      code, app::evaluate);
  add_evaluate_options(evaluate.app, evaluate.options);
}

// elements, schema, warnings, new: what the language knows, for people, editors and beginners.
void add_language_commands(CLI::App& cli, int& code) {
  const auto elements = add_command<app::ElementsOptions>(
      cli, "elements", "the elements of the language and their fields", code, app::elements);
  elements.app.add_option("name", elements->name, "an element, a part of the file (body, experiment), or a section");
  elements.app.add_flag("--json", elements->json, "print JSON");
  elements.app.add_flag("--markdown", elements->markdown, "print the pages of the reference");

  const auto schema =
      add_command<app::SchemaOptions>(cli, "schema", "JSON Schema of model files, for editors", code, app::schema);
  schema.app.add_option("--out,-o", schema->out, "file to write; default: standard output");

  const auto warnings = add_command<app::WarningsOptions>(
      cli, "warnings", "the kinds of warnings, by whose names they are switched off", code, app::warnings);
  warnings.app.add_flag("--json", warnings->json, "print JSON");

  const auto starting = add_command<app::NewOptions>(
      cli, "new", "write a commented model to start from, or the parts to build cars of, and the schema for editors",
      code, app::new_model);
  starting.app.add_option("model", starting->model, "pendulum, suspension or car; library: a folder of parts")
      ->required();
  starting.app.add_option("--out,-o", starting->out,
                          "file to write; default: the model's name with .yaml; of the library a folder");
  starting.app.add_flag("--force,-f", starting->force, "replace a file that is there");
}

// Its own streams would not be those of protect_terminal().
int show_usage(const CLI::App& cli, const CLI::ParseError& e) {
  std::ostringstream out, err;
  const int code = cli.exit(e, out, err);
  fmt::print("{}", out.str());
  fmt::print(stderr, "{}", err.str());
  return code == 0 ? 0 : app::bad_input;
}

// Memory that is given back to the system is asked for again soon, and comes page by page.
void keep_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_memory();
  app::protect_terminal();
  std::signal(SIGXFSZ, SIG_IGN);  // writing beyond `ulimit -f` fails then, and is told with the name of the file
  CLI::App cli("Skyhook simulates road, rail and tracked vehicles as multibody systems.");
  cli.set_version_flag("--version", fmt::format("skyhook {} ({})", version, revision));
  cli.require_subcommand(1);
  cli.footer(
      "Exit codes: 0 done, 1 diff found differences, 2 bad input or usage, 3 the numerics failed, or the disk or the "
      "memory is "
      "full, 4 a plug-in crashed or ended the program, 130 interrupted (results kept).");
  int code = 0;
  if (argc > 1 && std::string_view(argv[1]) == "run") {
    add_run(cli, code);  // by itself: the options of all commands take a millisecond, which a short run would notice
  } else {
    add_model_commands(cli, code);
    add_wheelrail_command(cli, code);
    add_result_commands(cli, code);
    add_language_commands(cli, code);
  }

  std::vector<std::string> known;
  for (const auto* command : cli.get_subcommands({})) known.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(known.begin(), known.end(), argv[1]) == known.end()) {
    fmt::print(stderr, "skyhook: there is no command \"{}\". {}\n", argv[1], suggest(argv[1], known, "Commands"));
    return app::bad_input;
  }
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    code = show_usage(cli, e);
  } catch (const NoRoom& e) {
    fmt::print(stderr, "{}\n", e.what());
    return app::no_room;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr,
               "skyhook: there is not enough memory.\n  Record fewer samples, use fewer threads (--jobs), or raise "
               "the limit (`ulimit -v`).\n");
    return app::no_room;
  } catch (const ModelError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return app::bad_input;
  } catch (const std::system_error& e) {  // of fmt::print, once the buffer of the output is full
    fmt::print(stderr, "skyhook: the output could not be written completely ({}).\n", e.code().message());
    return app::no_room;
  } catch (const std::exception& e) {
    fmt::print(stderr, "skyhook: {}\nThis is a defect of Skyhook, please report it.\n", e.what());
    return app::numerical_failure;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    fmt::print(stderr, "skyhook: the output could not be written completely ({}).\n", std::strerror(errno));
    return app::no_room;
  }
  return code;
}
