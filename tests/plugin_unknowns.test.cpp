// Plug-ins with unknowns of their own. References: the built-in element with the same law, the exact motion of a mass on springs in series,
// messages by their words.
#include <cmath>

#include "exact_jacobian.testing.h"
#include "program.testing.h"
#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/io/result/reader.h"
#include "skyhook/simulation/simulation.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;
using testing::has;

namespace {

std::string library(const std::string& name) { return std::string(SKYHOOK_PLUGINS) + "/" + name + ".so"; }

// A mass of 2 kg on a slide along x, at x = 0.3 m and at rest.
std::string sledge(const std::string& force, const std::string& experiment, const std::string& more = "") {
  return "skyhook: 1\nbodies: {mass: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0]}}\njoints:\n"
         "  slide: {type: prismatic, from: ground, to: mass, axis: x, displacement: 0.3}\nforces:\n  s: " +
         force + "\n" + more + "experiments:\n  go: {" + experiment + "}\n";
}

std::string series(double first, double second, double cubic = 0) {
  return "{type: plugin, library: " + library("series_springs") +
         ", from: ground, to: mass, parameters: {first: " + std::to_string(first) +
         ", second: " + std::to_string(second) + ", cubic: " + std::to_string(cubic) + "}}";
}

std::string bad(int what, const std::string& experiment = "until: 0.3 s, output_step: 0.01 s, solver: bdf") {
  return sledge("{type: plugin, library: " + library("bad_unknowns") +
                    ", from: ground, to: mass, parameters: {what: " + std::to_string(what) + "}}",
                experiment);
}

// What is told before a run, or "".
std::string refusal(const std::string& text) {
  try {
    const auto loaded = testing::load_text(text);
    simulation::prepare(loaded.model, loaded.experiment);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

// The middle point follows x by k1 / (k1 + k2), and the mass sees k1 k2 / (k1 + k2): x = 0.3 cos(w t).
TEST_CASE("Plug-in with an algebraic unknown: two springs in series, with every solver") {
  const double k1 = 300, k2 = 600, omega = std::sqrt(k1 * k2 / (k1 + k2) / 2);
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r = testing::run_text(
        sledge(series(k1, k2), "until: 1 s, output_step: 0.05 s, tolerance: 1e-8, solver: " + solver));
    for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
      const double x = 0.3 * std::cos(omega * r.sink.time[k]);
      CHECK(std::abs(r.at(k, "slide.displacement") - x) < 1e-6);  // 100 tolerances
      // The middle and the force are those of the position found, to rounding and the differences of Newton's method.
      CHECK(std::abs(r.at(k, "s.middle") - k1 / (k1 + k2) * r.at(k, "slide.displacement")) < 1e-11);
      CHECK(std::abs(r.at(k, "s.force") - k2 * std::abs(r.at(k, "s.middle"))) < 1e-9);
    }
    CHECK(r.sink.summary.energy_closure < 1e-5);
  }
}

// They are found inside each evaluation. bad_unknowns fails behind the start: no step is short enough, and the run says whose fault it is.
TEST_CASE(
    "Plug-in with an algebraic unknown: two_loop solves it, and names the element whose equation it cannot solve") {
  const auto r =
      testing::run_text(sledge(series(300, 600), "until: 1 s, output_step: 0.05 s, tolerance: 1e-5, solver: two_loop"));
  CHECK(r.sink.summary.status == simulation::RunStatus::finished);
  const double omega = std::sqrt(300 * 600 / 900.0 / 2);
  for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
    CHECK(std::abs(r.at(k, "slide.displacement") - 0.3 * std::cos(omega * r.sink.time[k])) < 1e-3);  // 100 tolerances
    CHECK(std::abs(r.at(k, "s.middle") - r.at(k, "slide.displacement") / 3) < 1e-11);
  }
  const auto loaded = testing::load_text(bad(14, "until: 0.3 s, output_step: 0.01 s, solver: two_loop"));
  simulation::MemorySink sink;
  const auto failed = simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment,
                                           sink, loaded.options);
  CHECK(failed.status == simulation::RunStatus::failed);
  CHECK_MESSAGE(has(failed.reason, "the equation b of its unknown"), failed.reason);
  CHECK_MESSAGE(has(failed.reason, "\"s\""), failed.reason);
}

// Stored energy: half of k1 d^2 and so on; without losses the mass keeps what it began with. At rest again at the other side by symmetry.
TEST_CASE("Plug-in with an algebraic unknown whose equation is not linear: energy stays, the motion is symmetric") {
  const auto r = testing::run_text(
      sledge(series(300, 600, 2e4), "until: 2 s, output_step: 0.005 s, tolerance: 1e-9, solver: radau5"));
  CHECK(r.sink.summary.energy_closure < 1e-7);
  double least = 0;
  for (std::size_t k = 0; k < r.sink.time.size(); ++k) least = std::min(least, r.at(k, "slide.displacement"));
  CHECK(std::abs(least + 0.3) <
        0.3 * 0.5 * 20 * 20 * 0.0025 * 0.0025);  // a sample is at most half a step from there, 20 rad/s
}

TEST_CASE("Plug-in with an inner state: moves as the built-in maxwell does, with every solver") {
  const std::string ends = "from: ground, from_at: [-0.5, 0, 0.2], to: mass",
                    rest = "until: 1 s, output_step: 0.05 s, tolerance: 1e-8, solver: ";
  const std::string built_in =
      "{type: maxwell, " + ends + ", stiffness: 300, damping: 40, parallel_stiffness: 80, free_length: 0.5}";
  const std::string plugged = "{type: plugin, library: " + library("maxwell_line") + ", " + ends +
                              ", parameters: {stiffness: 300, damping: 40, parallel: 80, free_length: 0.5}}";
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto a = testing::run_text(sledge(built_in, rest + solver)),
               b = testing::run_text(sledge(plugged, rest + solver));
    for (std::size_t k = 0; k < a.sink.time.size(); ++k) {
      for (const char* channel : {"slide.displacement", "s.damper_length"})
        CHECK(std::abs(a.at(k, channel) - b.at(k, channel)) < 1e-6);
    }
    CHECK(b.sink.summary.energy_closure < 1e-5);
    CHECK(b.sink.summary.cost.steps < 1.2 * static_cast<double>(a.sink.summary.cost.steps) + 5);
  }
}

// Forward differences of the law: 1e-8 of the largest entry, central ones of the residual likewise.
TEST_CASE("Plug-in with unknowns: the derivatives are those of differences, z found and kept") {
  const std::string maxwell =
      "{type: plugin, library: " + library("maxwell_line") +
      ", from: ground, from_at: [-0.5, 0, 0.2], to: mass, parameters: {stiffness: 300, damping: 40, "
      "parallel: 80, free_length: 0.5}}";
  for (const std::string& force : {series(300, 600, 2e4), maxwell}) {
    const auto loaded = testing::load_text(sledge(force, "until: 1 s"));
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK(testing::jacobian_error(prepared, 0.1) < 1e-6);
  }
}

TEST_CASE("Plug-in: an unknown without an equation is refused with its name before the run") {
  const std::string who = "test.yaml:6:3: \"s\" (plug-in bad_unknowns.so): ";
  const auto told = [&](int what, const std::string& text) { return has(refusal(bad(what)), who + text); };
  CHECK(refusal(bad(0)).empty());
  CHECK(told(1, "no equation b contains its algebraic unknown \"q\" at the start."));
  CHECK(has(refusal(bad(1)), "Give each algebraic unknown an equation b that depends on it"));
  CHECK(told(2, "its equation b number 2, of \"q\", contains no algebraic unknown at the start."));
  CHECK(told(3, "its equations b do not determine its algebraic unknown"));
  CHECK(told(4, "it gives no answer: it did not write the rate of its state \"heat\" at the start."));
  CHECK(told(5, "it gives no answer: it did not write the equation b of its unknown \"q\" at the start."));
  CHECK(has(refusal(bad(5)), "Write every rate and every equation"));
  CHECK(told(6, "it gives no answer: the rate of its state \"heat\" is not a number at the start."));
  CHECK(told(16,
             "its equation b number 2, of \"q\", contains no algebraic unknown at the start."));  // (q - 1)^2 at q = 1
}

TEST_CASE("Plug-in: unknowns that make no sense are refused where the library is named") {
  const auto told = [&](int what, const std::string& text) {
    return has(refusal(bad(what)), "the plug-in \"bad_unknowns.so\" declares " + text) &&
           has(refusal(bad(what)), "test.yaml:6:");
  };
  CHECK(told(7, "more than 100 inner states."));
  CHECK(told(8, "the unknown \"a heat\", which is no name"));
  CHECK(told(9, "the unknown \"fx\", but a channel of the element has that name."));
  CHECK(told(10, "the unknown \"heat\" twice."));
  CHECK(told(11, "the unknown \"heat\" with the usual size 0, which is not above zero."));
  CHECK(told(12, "the unknown \"heat\" with the start nan, which is no number."));
  CHECK(told(13, "the unknown \"heat\" in \"furlong\""));
  CHECK(has(refusal(sledge("{type: plugin, library: " + library("no_loads") + ", from: ground, to: mass}", "until: 1")),
            "does not export the function skyhook_plugin_loads."));
}

TEST_CASE("Plug-in with unknowns: what goes wrong in a run is told in its words, and what was found is kept") {
  for (const auto& [what, words] :
       {std::pair{14, "it gave no answer: the equation b of its unknown \"q\" is not a number"},
        std::pair{15, "it gave no answer: the valve is stuck"}}) {
    for (const char* solver : {"bdf", "radau5", "dopri5"}) {
      CAPTURE(solver);
      const auto loaded =
          testing::load_text(bad(what, std::string("until: 0.3 s, output_step: 0.01 s, solver: ") + solver));
      simulation::MemorySink sink;
      simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, sink,
                           loaded.options);
      CHECK(sink.summary.status == simulation::RunStatus::failed);
      CHECK(has(sink.summary.reason, std::string("plugin \"s\" (plug-in bad_unknowns.so): ") + words));
      CHECK(sink.time.size() >= 9);  // to 0.1 s
    }
  }
}

TEST_CASE("Plug-in of version 1 works as before") {
  const auto r =
      testing::run_text(sledge("{type: plugin, library: " + library("version_one") + ", from: ground, to: mass}",
                               "until: 1 s, output_step: 0.1 s, tolerance: 1e-8"));
  CHECK(std::abs(r.last("slide.displacement") - 0.3 * std::cos(std::sqrt(50.0))) < 1e-6);
}

// An event reads the model again: the plug-in is loaded again, its unknown goes on, and the spring behind it in the file keeps its place. The
// exact motion in two pieces, with 300 N/m and k in series beside 50 N/m.
TEST_CASE("Plug-in with unknowns: an event may set its parameter") {
  const std::string force = "{type: plugin, library: " + library("series_springs") +
                            ", from: ground, to: mass, parameters: {first: 300, second: =k}}";
  const auto r =
      testing::run_text(sledge(force, "until: 1 s, output_step: 0.1 s, tolerance: 1e-8, solver: bdf",
                               "  beside: {type: spring_damper, joint: slide, stiffness: 50}\n"
                               "parameters: {k: 600}\nevents: {stiffer: {at: 0.5 s, do: {set: {k: 1200}}}}\n"));
  const double before = std::sqrt(125.0), behind = std::sqrt(145.0), x = 0.3 * std::cos(before * 0.5),
               v = -0.3 * before * std::sin(before * 0.5);
  CHECK(std::abs(r.last("slide.displacement") - (x * std::cos(behind * 0.5) + v / behind * std::sin(behind * 0.5))) <
        1e-6);
}

TEST_CASE("Plug-in with unknowns: check lists them, and a force behind it keeps its place") {
  const testing::Place at("plugin_unknowns");
  at.write("m.yaml", sledge("{type: plugin, library: " + library("maxwell_line") +
                                ", from: ground, from_at: [-0.5, 0, 0.2], to: mass, parameters: {stiffness: 300, "
                                "damping: 40, free_length: 0.5}}",
                            "until: 1 s, outputs: [s.damper_length, slide.displacement]",
                            "  dry: {type: stick_slip, joint: slide, hold: 5, slide: 4}\n"));
  const testing::Done check = at.run("check m.yaml");
  CHECK(check.code == 0);
  CHECK(has(check.out, "inner state damper_length [m], starts at 0"));
  CHECK(has(check.out, "forces: 2"));
  CHECK(at.run("run m.yaml -o m.h5").code == 0);
  CHECK(has(at.run("show m.h5 s.damper_length --at 1").out, "damper_length"));
  const testing::Done list = at.run("channels m.yaml");
  for (const char* channel : {"s.damper_length", "s.fx", "s.mz", "s.force_x"}) CHECK(has(list.out, channel));
}

// A one-step method cut at a sample goes on as the run in one piece, to its tolerance: the state is stored, the unknown found again.
TEST_CASE("Plug-in with unknowns: a run is taken up from its result") {
  const testing::Place at("plugin_unknowns_from");
  const std::string force = "{type: plugin, library: " + library("11_plugin_unknowns") +
                            ", from: ground, from_at: [-1, 0, 0], to: mass, parameters: {pressure: 5e5, area: 0.01, "
                            "height: 1.3, volume: 0.003, linear: 50, turbulent: 0.5}}";
  const std::string rest = "output_step: 0.1 s, solver: radau5, tolerance: 1e-9";
  at.write("m.yaml", sledge(force, "until: 0.6 s, " + rest) + "  half: {until: 0.3 s, " + rest + "}\n");
  REQUIRE(at.run("run m.yaml go -o whole.h5").code == 0);
  REQUIRE(at.run("run m.yaml half -o half.h5").code == 0);
  const testing::Done cut = at.run("run m.yaml go --from half.h5@0.3 -o cut.h5");
  CHECK_MESSAGE(cut.code == 0, cut.err);
  const auto whole = io::ResultFile::open(at.path / "whole.h5"), again = io::ResultFile::open(at.path / "cut.h5");
  for (const char* channel : {"slide.displacement", "s.taken", "s.flow"}) {
    const double expected = whole.value_at(channel, 0.6);
    CHECK(std::abs(again.value_at(channel, 0.6) - expected) < 1e-6 * (1 + std::abs(expected)));
  }
}

// Reference: isothermal gas. At rest both volumes have the pressure that carries the car; all gas together is what it was at the start.
TEST_CASE("Plug-in with unknowns: the example is compiled by the command it shows, and rests where its gas says") {
  namespace fs = std::filesystem;
  const fs::path root = SKYHOOK_SOURCE_DIR;
  const testing::Place at("plugin_unknowns_example");
  fs::create_directory_symlink(root / "include", at.path / "include");
  fs::create_directories(at.path / "docs/examples");
  for (const char* name : {"11_plugin_unknowns.c", "11_plugin_unknowns.yaml"})
    fs::copy_file(root / "docs/examples" / name, at.path / "docs/examples" / name);
  const std::string text = testing::text_of(root / "docs/examples/11_plugin_unknowns.yaml");
  const std::size_t begin = text.find("cc -O2"), end = text.find('\n', begin);
  const std::string compile = text.substr(begin, end - begin);
  REQUIRE(has(testing::text_of(root / "docs/examples/11_plugin_unknowns.c"), compile));
  REQUIRE(std::system(("cd " + at.path.string() + "/docs/examples && " + compile).c_str()) == 0);
  CHECK(at.run("check docs/examples/11_plugin_unknowns.yaml").code == 0);
  for (const double load : {0.0, 100.0}) {
    const testing::Loaded loaded = testing::load_with({}, [&](const std::string& experiment) {
      return io::read_model((at.path / "docs/examples/11_plugin_unknowns.yaml").string(),
                            {{"load", std::to_string(load) + " kg"}}, experiment);
    });
    const double A = 0.01, V = 3e-3, p0 = 101325 + 400 * 9.81 / A, p = p0 + load * 9.81 / A;
    const double rest = ((p0 * (A * 0.25 + V)) / p - V) / A - 0.25;
    const auto found = analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment));
    REQUIRE(found.found);
    CHECK(std::abs(found.state.q[0] - rest) < 1e-8);
    const auto r = testing::run(loaded);
    CHECK(r.sink.summary.energy_closure < 1e-4);
    for (std::size_t k = 0; k < r.sink.time.size(); ++k) {  // the flow fits the pressures, to rounding
      const double h = 0.25 + r.at(k, "height"), taken = r.at(k, "taken"), flow = r.at(k, "flow");
      const double lost = (p0 * A * 0.25 - taken) / (A * h) - p0 - taken / V;
      CHECK(std::abs(lost - 50 * flow - 0.5 * flow * std::abs(flow)) < 1e-9 * p0);
    }
  }
}
