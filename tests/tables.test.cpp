// Tables and where they end: what happens beyond their rows is what the user says, and told where he has not said it.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/analysis/start.h"

using namespace skyhook;
using testing::run_text;

namespace {

std::string warnings_of(const testing::Run& run) {
  std::string all;
  for (const Warning& w : run.sink.summary.warnings) all += to_string(w) + "\n";
  return all;
}

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin: " << text);
  return found;
}

// Driven by a table that ends at 1 s, at 0.2 m with a rate.
std::string driven(const std::string& beyond, const std::string& until = "5 s") {
  return "skyhook: 1\nbodies: {b: {mass: 1 kg}}\njoints:\n  s: {type: prismatic, from: ground, to: b, axis: z, drive: "
         "{table: "
         "[[0, 0], [0.3, 0.01], [0.5, 0.05], [1, 0.2]]" +
         beyond +
         "}}\noutputs: [s.displacement, s.displacement_rate]\n"
         "experiments: {e: {until: " +
         until + "}}\n";
}

}  // namespace

TEST_CASE("Tables: a drive beyond its table holds its last value, and the run says so") {
  // The rows are exact; before, the run went on straight to 1.42 m without a word.
  const auto run = run_text(driven(""));
  CHECK(run.last("s.displacement") == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(run.last("s.displacement_rate") == 0.0);
  const std::string told = warnings_of(run);
  CHECK(has(
      told,
      "test.yaml:4:61: joint \"s\": drive: its table goes from t = 0 s to 1 s, but the run from 0 s to 5 s. Beyond it "
      "the "
      "value of its last row holds; the rate, 0.305 in SI there, jumps to 0. Extend the table, or say what is meant: "
      "beyond: hold, stop (it comes to rest in its last row) or straight. [beyond_table]"));
  CHECK(has(told, "its rate jumps by -0.3048 m/s at t = 1 s"));
  CHECK(warnings_of(run_text(driven("", "1 s"))) == "");
}

TEST_CASE("Tables: what a drive does beyond its table can be said") {
  const auto straight = run_text(driven(", beyond: straight"));
  // The not-a-knot spline through four points is the cubic through them; its slope at 1 s, by Newton's divided differences.
  const double slope = (straight.last("s.displacement") - 0.2) / 4;
  CHECK(straight.last("s.displacement_rate") == doctest::Approx(slope).epsilon(1e-12));
  CHECK(slope == doctest::Approx(1.0 / 30 + 1.7 / 3 - 1.55 * 4 / 21).epsilon(1e-12));
  CHECK(warnings_of(straight) == "");
  const auto stop = run_text(driven(", beyond: stop"));  // comes to rest: nothing jumps
  CHECK(stop.last("s.displacement") == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(warnings_of(stop) == "");
  const auto hold = run_text(driven(", beyond: hold"));
  CHECK(hold.last("s.displacement") == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(warnings_of(hold).find("beyond_table") == std::string::npos);
  const testing::Loaded refused = testing::load_text(driven(", beyond: refuse"));
  CHECK_THROWS_WITH_AS(
      simulation::prepare(refused.model, refused.experiment),
      "test.yaml:4:61: joint \"s\": drive: its table goes from t = 0 s to 1 s, but the run from 0 s to 5 s.\n  It "
      "says `beyond: refuse`: extend the table, or shorten the run.",
      ModelError);
}

TEST_CASE("Tables: a force beyond its table warns once, with the farthest value") {
  const auto model = [](const std::string& table) {
    return "skyhook: 1\ngravity: off\nbodies: {b: {mass: 1 kg}}\njoints:\n  s: {type: prismatic, from: ground, to: b, "
           "axis: "
           "z}\nforces:\n  spring: {type: spring_damper, joint: s, force: {table: [[-0.1, -10], [0.1, 10]]" +
           table +
           "}}\ninitial: {s.displacement: 0.2}\noutputs: [s.displacement]\nexperiments: {e: {until: 2 s, tolerance: "
           "1e-8}}\n";
  };
  // Straight beyond +-0.1 m the spring is linear, k = 100 N/m: x = 0.2 cos(10 t), which both ways are left by 0.1 m.
  const auto run = run_text(model(""));
  CHECK(run.last("s.displacement") == doctest::Approx(0.2 * std::cos(20.0)).epsilon(1e-5));
  const std::string told = warnings_of(run);
  CHECK(has(told, "test.yaml:7:3: force \"spring\": force: its table over the deflection "));
  CHECK(has(told,
            "(beyond first at t = 0 s). There the curve has gone on straight. Extend the table, or say what is meant: "
            "beyond: straight or hold. [beyond_table]"));
  CHECK(told.find("reached 0.2 m") + told.find("reached -0.2 m") < 2 * std::string::npos);
  CHECK(run.sink.summary.warnings.size() == 1);
  CHECK(warnings_of(run_text(model(", beyond: straight"))) == "");
  // Held, the force beyond is 10 N: from 0.2 m at rest, x = 0.2 - 5 t^2 until 0.1 m at t = sqrt(0.02) s, with the speed sqrt(2)
  // m/s; then a sine about 0. The energy at the start, 0.5 J + 10 N 0.1 m, is that of a speed sqrt(3) m/s at x = 0.
  auto hold = testing::load_text(model(", beyond: hold"), {.until = std::sqrt(0.02)});
  hold.experiment.output_step = std::sqrt(0.02);
  const auto held = testing::run(hold);
  CHECK(held.last("s.displacement") == doctest::Approx(0.1).epsilon(1e-6));
  CHECK(warnings_of(held) == "");
}

TEST_CASE("Tables: a force that refuses to leave its table ends the run there") {
  const auto loaded = testing::load_text(
      "skyhook: 1\ngravity: off\nbodies: {b: {mass: 1 kg}}\njoints:\n  s: {type: prismatic, from: ground, to: b, axis: "
      "z}\nforces:\n  spring: {type: spring_damper, joint: s, damper_force: {table: [[-1, -1], [1, 1]], beyond: "
      "refuse}}\n"
      "  push: {type: actuator, joint: s, force: \"=5[N]*t/1[s]\"}\noutputs: [s.displacement]\nexperiments: {e: "
      "{until: 2 s}}\n");
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  simulation::MemorySink sink;
  const auto summary = simulation::simulate(p, loaded.experiment, sink, {});
  CHECK(summary.status == simulation::RunStatus::failed);
  CHECK(has(summary.reason,
            "force \"spring\": damper_force: its table over the rate ends at 1 m/s, but the rate reached "));
  CHECK(has(summary.reason, "and it says `beyond: refuse`. Extend the table."));
  // v' = 5 t - v, v(0) = 0: v = 5 (t - 1 + exp(-t)) reaches 1 m/s at t = 0.7087 s; the step that passes it is short.
  CHECK(summary.t_reached == doctest::Approx(0.7087).epsilon(0.1));
}

TEST_CASE("Tables: a lookup controller beyond its rows holds, and the run says so") {
  const auto model = [](const std::string& beyond) {
    return "skyhook: 1\nbodies: {b: {mass: 1 kg}}\njoints: {s: {type: prismatic, from: ground, to: b, axis: "
           "z}}\ncontrollers:\n"
           "  c: {type: lookup, input: s.displacement, table: [[-1, 1], [0, 0]], unit: N, sample_time: 0.1 s" +
           beyond +
           "}\nforces: {f: {type: actuator, joint: s, signal: c}}\noutputs: [s.displacement]\nexperiments: {e: {until: "
           "2 s}}\n";
  };
  const std::string told = warnings_of(run_text(model("")));
  CHECK(has(told,
            "test.yaml:5:3: controller \"c\": table: its table over the input begins at -1, but the input reached -1"));
  CHECK(has(told,
            "There the value of its last row has held. Extend the table, or say that this is meant: beyond: hold."));
  CHECK(warnings_of(run_text(model(", beyond: hold"))) == "");
  const auto loaded = testing::load_text(model(", beyond: refuse"));
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  simulation::MemorySink sink;
  const auto summary = simulation::simulate(p, loaded.experiment, sink, {});
  CHECK(summary.status == simulation::RunStatus::failed);
  CHECK(has(summary.reason, "controller \"c\": table: its table over the input begins at -1"));
}

// Spring and damper both have a row at zero, where the run starts at rest: the two were left in turn for ever. Two routes: steps that
// end at the rows, and steps that do not.
TEST_CASE("Tables: a run may start at rest in the corners of two tables") {
  const auto place = [](const std::string& corners, const std::string& solver) {
    return run_text(
               "skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {s: {type: prismatic, from: ground, to: b, axis: z}}\n"
               "forces: {k: {type: spring_damper, joint: s, force: {table: [[-0.5, -100], [0, 0], [0.5, 200]], beyond: "
               "straight}, damper_force: {table: [[-2, -20], [0, 0], [2, 30]], beyond: straight}, corners: " +
               corners +
               "}}\noutputs: [s.displacement]\nexperiments: {e: {until: 1, tolerance: 1e-9, solver: " + solver + "}}\n")
        .last("s.displacement");
  };
  for (const char* solver : {"radau5", "bdf", "dopri5"}) {
    CAPTURE(solver);
    CHECK(std::abs(place("true", solver) - place("false", solver)) < 1e-7);
  }
}

// 98.1 N hang on a spring of 200 N/m: 0.4905 m below, while its table ends at 0.1 m.
TEST_CASE("Tables: an equilibrium beyond a table warns, or is refused, as a run is") {
  const auto spring = [](const std::string& beyond) {
    return "skyhook: 1\nbodies: {m: {mass: 10, at: [0, 0, 0]}}\n"
           "joints: {p: {type: prismatic, from: ground, to: m, axis: z}}\n"
           "forces: {k: {type: spring_damper, joint: p, force: {table: [[-0.1, -20], [0, 0], [0.1, 20]]" +
           beyond +
           "}}}\n"
           "experiments: {rest: {analysis: equilibrium}, go: {from: rest, until: 1 s}}\n";
  };
  const auto rest = [](const std::string& text) {
    const testing::Loaded loaded = testing::load_text(text, {.experiment = "rest"});
    return analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment));
  };
  const auto unsaid = rest(spring(""));
  CHECK(unsaid.found);
  CHECK(unsaid.state.q[0] == doctest::Approx(-0.4905));
  REQUIRE(unsaid.warnings.size() == 1);
  CHECK(unsaid.warnings[0].name == "beyond_table");
  CHECK(unsaid.warnings[0].what.find("reached -0.4905 m") != std::string::npos);
  CHECK(rest(spring(", beyond: straight")).warnings.empty());
  CHECK(rest(spring("") + "ignore_warnings: [beyond_table]\n").warnings.empty());
  const auto refused = rest(spring(", beyond: refuse"));
  CHECK(!refused.found);
  CHECK(refused.problem.find("beyond: refuse") != std::string::npos);
  CHECK(refused.problem.find("force \"k\"") != std::string::npos);
  const testing::Loaded loaded = testing::load_text(spring(", beyond: refuse"), {.experiment = "go"});
  CHECK(!analysis::prepare(loaded.model, loaded.experiment, nullptr).ok());
  const testing::Loaded warned = testing::load_text(spring(""), {.experiment = "go"});
  simulation::MemorySink sink;
  const auto summary =
      simulation::simulate(analysis::prepare(warned.model, warned.experiment, nullptr), warned.experiment, sink, {});
  CHECK(std::ranges::count(summary.warnings, "beyond_table", &Warning::name) == 1);
}

// Down a slope of a half and on to the level: the velocity would have to turn at once. Those that step over it lose energy.
TEST_CASE("Tables: a contact at the end of a profile that is held beyond a slope says why it fails, or warns") {
  const auto slope = [](const std::string& beyond) {
    return "skyhook: 1\nbodies: {m: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0.1, 0, 0.6]}}\n"
           "joints: {j: {type: planar, from: ground, to: m, plane: xz}}\n"
           "forces: {c: {type: rigid_contact, from: ground, to: m, radius: 0.05, with: profile, "
           "profile: {table: [[0, 0.5], [0.5, 0.25], [1, 0]], beyond: " +
           beyond + "}}}\noutputs: [m.x, m.z]\nexperiments: {e: {until: 2 s, output_step: 10 ms}}\n";
  };
  for (const std::string solver : {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"}) {
    CAPTURE(solver);
    const auto summary = [&](const std::string& beyond) {
      testing::Loaded loaded = testing::load_text(slope(beyond));
      loaded.experiment.solver = solver;
      simulation::MemorySink sink;
      return simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, sink, {});
    };
    const auto held = summary("hold");
    const bool failed = held.status == simulation::RunStatus::failed;
    if (failed) CHECK(has(held.reason, "table ends, at x = 1 m with a slope of -0.5"));
    CHECK((failed || std::ranges::count(held.warnings, "profile_corner", &Warning::name) == 1));
    const auto straight = summary("straight");
    CHECK(straight.status == simulation::RunStatus::finished);
    CHECK(straight.warnings.empty());
  }
}
