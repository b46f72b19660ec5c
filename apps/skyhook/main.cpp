// The command line. CLI11 is slow to compile, so all files that include it are headers of this one.
#include <fmt/format.h>

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
#include "flex_command.h"
#include "language_commands.h"
#include "language_commands_line.h"
#include "linear_commands.h"
#include "memory.h"
#include "model_commands.h"
#include "options_of_commands.h"
#include "quantity_option.h"
#include "result_commands_line.h"
#include "road_command.h"
#include "skyhook/base/new_file.h"
#include "skyhook/version.h"
#include "terminal.h"
#include "track_command.h"
#include "wheelrail_command.h"

using namespace skyhook;
using namespace skyhook::command_line;

namespace {

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
               "of files of points: waves of this length are halved; 0: nearly through all points; default: 1 mm, with "
               "--cases 0.5 mm");
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
  auto rail_laws = words_of(element::rail::creep_laws);
  rail_laws.insert(rail_laws.begin(), {"auto", "half_space"});
  c.add_option(
       "--law", rail->law,
       "of creep; half_space: tractions on the grid of the pressures; auto: half_space for --cases, else fastsim")
      ->check(CLI::IsMember(rail_laws))
      ->capture_default_str();
  c.add_option("--patches", rail->patches,
               "draw contact patches, where they stick and where they slide: SVG, up to five of the shifts");
  c.add_option("--patch", rail->patch,
               "hertz: an ellipse; half_space: pressures on a grid, for profiles that conform; auto: half_space for "
               "--cases, else "
               "hertz")
      ->check(CLI::IsMember({"auto", "hertz", "half_space"}))
      ->capture_default_str();
  c.add_option(
      "--cell", rail->cell,
      "of that grid: its size; 0: 41 by 41 cells; default: with --cases 0.2 mm, as CONTACT has it there, else 0");
  c.add_option("--separate", rail->separate,
               "half_space: places that press are one patch on one plane if they are nearer to each other than this, "
               "else patches of their own")
      ->capture_default_str();
  c.add_option("--weaken", rail->weaken,
               "half_space: such places act on each other the less the further apart they are, from this length up to "
               "--separate; 0: as the half-space has it; default: with --cases 4 mm, as CONTACT has it, else 0");
  c.add_option("--out,-o", rail->out, "picture (.svg, .png) or result (.h5) to write");
  c.add_option("--csv", rail->csv, "table to write; - is standard output");
  add_report(c, rail->report);
  c.add_flag("--terminal", rail->terminal, "draw into the terminal");
  c.add_flag("--json", rail->json, "print JSON, in SI; --cases in the units of the benchmark (mm, N, rad)");
  c.add_flag("--quiet,-q", rail->quiet, "no tables");
}

void add_flex_command(CLI::App& cli, int& code) {
  const auto flex =
      add_command<app::FlexCommand>(cli, "flex",
                                    "flexible bodies: from finite elements (.inp of CalculiX, .mtx, .bdf of Nastran), "
                                    "standard input data (.SID_FEM) or beams of a model to shapes, "
                                    "how good they are, and a .flex.h5 for models",
                                    code, app::flex);
  add_model_options(flex.app, *flex.options, false);
  CLI::App& c = flex.app;
  c.get_option("model")->description(
      "model (.yaml), mesh (.inp, .mtx, .bdf, .nas, .dat) or flexible body (.flex.h5, .SID_FEM)");
  c.add_option("body", flex->body, "a flexible body of the model; default: all");
  c.add_option("--units", flex->files.units, "of a mesh, which has none itself: m-kg-s, mm-t-s or mm-kg-s");
  c.add_option("--mass", flex->files.mass, "with .mtx: the mass matrix (.mtx)");
  c.add_option("--nodes", flex->files.node_table, "with .mtx: table of the nodes (.csv): node,x,y,z or node,x,y,z,6");
  c.add_option("--frd", flex->files.frd,
               "with .inp: a result of CalculiX as text (.frd), whose displacements, static or of vibrations, become "
               "shapes too");
  c.add_option("--dmig", flex->files.dmig, "with Nastran: names of stiffness and mass among its DMIG: KAAX,MAAX");
  c.add_option("--punch", flex->files.punch, "with --dmig: the file that has them; default: the same");
  c.add_option("--place", flex->places,
               "where joints and forces attach, repeatable: left=12, left=12,13,14, left=SET or left=@x,y,z,radius (m)")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("NAME=NODES");
  c.add_option("--tangent", flex->tangent, "place or node that the frame follows; default: mean axes");
  c.add_option("--chord", flex->chord, "a,b: places or nodes on whose line the frame stays");
  c.add_option("--boundary", flex->boundary, "of the vibrations: free, or held at the places (Craig-Bampton)")
      ->check(CLI::IsMember({"free", "held"}))
      ->capture_default_str();
  c.add_option("--modes", flex->modes, "how many vibrations")->capture_default_str();
  add_quantity(c, "--up-to", flex->up_to, "all vibrations up to this frequency instead", "Hz");
  add_quantity(c, "--from", flex->from, "of these, none below", "Hz");
  add_quantity(c, "--drop-above", flex->drop_above, "of all shapes as they come out, those above are left out", "Hz");
  c.add_flag("--no-static", flex->no_static, "without deformations under unit forces or displacements at the places");
  c.add_option("--static-at", flex->static_at,
               "of a free part, only the deformations under these unit forces and moments: left.z,right.rx")
      ->delimiter(',');
  c.add_option("--response-at", flex->response_at,
               "also responses to unit forces at the places at these frequencies, Hz")
      ->delimiter(',');
  c.add_option("--participation", flex->participation,
               "vibrations that carry a smaller share of the mass are left out");
  c.add_option("--channel", flex->channels,
               "a force at a place and how another moves by it, repeatable: left.z>right.z; of free vibrations those "
               "count that contribute");
  c.add_option("--contribution", flex->contribution,
               "with --channel: the least share of the static answer that a vibration must have")
      ->capture_default_str();
  c.add_option("--thermal", flex->thermal, "also deformations where these beams or plates are warm: bar,bar.z")
      ->delimiter(',');
  c.add_option("--damping", flex->damping, "share of the critical damping of each shape");
  c.add_option("--mass-damping", flex->mass_damping, "Rayleigh: times the mass, 1/s");
  c.add_option("--stiffness-damping", flex->stiffness_damping, "Rayleigh: times the stiffness, s");
  c.add_option("--held", flex->held,
               "a,b: where the part is held for the stress that stiffens; default: places of the frame");
  c.add_option("--preload", flex->preload,
               "a force whose stress stiffens always (a pull) or softens (a push), repeatable: right=1000,0,0 (N)");
  c.add_flag("--no-stiffening", flex->no_stiffening, "without the stress of motion that stiffens");
  c.add_option("--out,-o", flex->out, "flexible body to write: NAME.flex.h5");
  c.add_option("--sid", flex->sid, "standard input data of flexible bodies (SID) to write: NAME.SID_FEM");
  c.add_option("--result", flex->result, "a run with this body (.h5), for --loads and --stresses");
  c.add_option("--loads", flex->loads,
               "write modal coordinates and section forces of beams (.csv), or nodal loads as cards for CalculiX "
               "(.inp), of the run");
  c.add_option("--stresses", flex->stresses,
               "write stresses in the fibres of beams and on both sides of plates (.csv), of the run");
  c.add_option("--heat", flex->heat,
               "with --loads and --stresses: strain by heat in this run, which is no stress, repeatable: bar=1e-3; "
               "bar.z=0.02: curvature, 1/m");
  c.add_option("--beams", flex->beams, "with --loads and --stresses: of these beams and plates, a,b; default: all");
}

void add_run(CLI::App& cli, int& code) {
  const auto run = add_command<app::SweepCommand>(
      cli, "run", "simulate an experiment and record it", code,
      [](const app::SweepCommand& o) { return o.sweep.empty() ? app::run(o) : app::sweep(o); });
  add_model_options(run.app, *run.options, true);
  add_run_options(run.app, *run.options);
  add_sweep_options(run.app, *run.options);
}

// check, flex, road, track, expand, channels, run, watch, equilibrium, nominal, modes, critical-speed, linearize, kinematics, tyre, compare, response
void add_model_commands(CLI::App& cli, int& code) {
  const auto check = add_command<app::ModelOptions>(
      cli, "check", "degrees of freedom, loops and cuts, redundant constraints, masses, warnings", code, app::check);
  add_model_options(check.app, *check.options, true);

  add_flex_command(cli, code);

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
      cli, "track",
      "curvature, cant, gradient and deviations of the railway tracks of a model over the way, and their spectra", code,
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
  add_motion_options(modes.app, *modes.options);
  modes.app.add_flag("--shapes", modes->shapes, "print the motion of each body too; JSON always has it");
  add_optional(modes.app, "--csv", modes->csv, "write the table as CSV; - is standard output");
  add_optional(modes.app, "--lowest", modes->lowest,
               "the lowest so many, on sparse matrices; default for large models: 20");
  modes.app.add_option("--sweep", modes->sweep, "root locus over a parameter: speed=10..100/19, as of `run`");
  modes.app.add_flag("--crossing", modes->crossing, "find where a mode begins to grow within the sweep");
  add_analysis_files(modes.app, *modes.options);

  const auto critical = add_command<app::CriticalSpeedCommand>(
      cli, "critical-speed",
      "where a motion begins to swing by itself over a parameter, and the limit cycles it swings in", code,
      app::critical_speed);
  add_model_options(critical.app, *critical.options, true);
  add_linear_options(critical.app, *critical.options);
  add_motion_options(critical.app, *critical.options);
  critical.app.add_option("--sweep", critical->sweep, "range of the parameter: v=10..100/19, as of `run`");
  critical.app.add_option("--output", critical->output,
                          "channel or output whose amplitude is drawn; default: the first output of the model");
  critical.app.add_flag("--linear", critical->linear, "the linear critical value alone");
  add_optional(
      critical.app, "--ramp", critical->ramp,
      "check: let the parameter fall in so many values from a stable cycle, simulated; default: 12, 0: leave it out");
  add_optional(critical.app, "--kick", critical->kick,
               "an experiment whose run swings into a cycle: the branch through it is followed as well");
  critical.app.add_option("--kick-at", critical->kick_at,
                          "values of the parameter in these runs: \"30,50 m/s\"; default: the upper end of the range");
  add_quantity(critical.app, "--size", critical->size,
               "size of the first cycle in m, where it fails smaller ones are tried; default: a thousandth of the "
               "model, 2e-5 of it with wheels on rails",
               "m");
  add_optional(critical.app, "--largest", critical->largest,
               "the branch ends at this amplitude, in SI units of the output");
  critical.app.add_option("--points", critical->most_points, "cycles of the branch at most");
  add_optional(critical.app, "--csv", critical->csv, "write the cycles as CSV; - is standard output");
  add_analysis_files(critical.app, *critical.options);

  const auto linearize = add_command<app::LinearizeCommand>(
      cli, "linearize", "the linear system A, B, C, D and M, D, K with named states, inputs and outputs", code,
      app::linearize);
  add_model_options(linearize.app, *linearize.options, true);
  add_linear_options(linearize.app, *linearize.options);
  add_motion_options(linearize.app, *linearize.options);
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
  add_motion_options(response.app, response->motion);
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

// Its own streams would not be those of protect_terminal().
int show_usage(const CLI::App& cli, const CLI::ParseError& e) {
  std::ostringstream out, err;
  const int code = cli.exit(e, out, err);
  fmt::print("{}", out.str());
  fmt::print(stderr, "{}", err.str());
  return code == 0 ? 0 : app::bad_input;
}

}  // namespace

int main(int argc, char** argv) {
  app::keep_memory();
  app::protect_terminal();
  std::signal(SIGXFSZ, SIG_IGN);  // writing beyond `ulimit -f` fails then, and is told with the name of the file
  CLI::App cli("Skyhook simulates vehicles on road and rail as multibody systems.");
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
