// What `check` finds: degrees of freedom, redundancy, singular positions, coordinates that nothing resists.
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/simulation/describe.h"
#include "skyhook/simulation/freedoms.h"

using namespace skyhook;

namespace {

simulation::Prepared prepared(const testing::Loaded& loaded) {
  auto p = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(p.ok(), p.problem());
  return p;
}

std::string report_of(const simulation::Prepared& p) {
  std::string all;
  for (const auto& line : simulation::describe(p)) all += line + "\n";
  return all;
}

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin: " << text);
  return found;
}

// Why a run of this model fails.
std::string failure_of(const std::string& text) {
  const auto loaded = testing::load_text(text);
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  simulation::MemorySink sink;
  simulation::simulate(p, loaded.experiment, sink);
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  return sink.summary.reason;
}

}  // namespace

TEST_CASE("Degrees of freedom and redundant conditions of known mechanisms") {
  struct Known {
    const char* model;
    int degrees_of_freedom, redundant;
  };
  // A plane loop of hinges in space has 5 conditions of rank 2; Bennett's skew loop likewise (three coordinates, five
  // conditions, yet it moves); Bricard's has five coordinates and five conditions: one must be redundant for it to move.
  for (const Known k : {Known{"four_bar", 1, 3},
                        {"bennett", 1, 3},
                        {"bricard", 1, 1},
                        {"andrews", 1, 9},
                        {"n_four_bar", 1, 6},
                        {"slider_crank", 1, 3},
                        {"pendulum", 1, 0},
                        {"heavy_top", 3, 0},
                        {"chain", 8, 0}}) {
    const std::string name = k.model;
    CAPTURE(name);
    const auto p = prepared(testing::load("mechanisms/" + name));
    CHECK(p.degrees_of_freedom() == k.degrees_of_freedom);
    CHECK(static_cast<int>(p.rank.redundant.size()) == k.redundant);
    CHECK(p.rank.here == p.rank.rank);
    CHECK(has(report_of(p), "degrees of freedom: " + std::to_string(k.degrees_of_freedom)));
  }
}

TEST_CASE("A flat parallelogram is reported as a singular position, not as redundancy") {
  for (const int N : {1, 2, 4}) {
    CAPTURE(N);
    auto loaded = testing::load("mechanisms/n_four_bar", {.set = {{"N", std::to_string(N)}}});
    for (auto& joint : loaded.model->joints) {
      if (joint.name.starts_with("pivot")) joint.position = {-std::numbers::pi / 2};
      if (joint.name.starts_with("pin")) joint.position = {std::numbers::pi / 2};
    }
    const auto p = prepared(loaded);
    CHECK(p.rank.rank == 2 * N);  // nearby
    CHECK(p.rank.here == N);      // each window loses one: N + 1 degrees of freedom
    CHECK(p.degrees_of_freedom() == 1);
    CHECK(has(report_of(p), "singular position"));
  }
}

TEST_CASE("A structure without any coordinate stands still and may be run") {
  const auto r = testing::run_text(
      "skyhook: 1\nbodies:\n  beam: {mass: 8, inertia: [1, 1, 1]}\njoints:\n"
      "  left: {type: fixed, from: ground, to: beam, at: [-2, 0, 0]}\n  right: {type: fixed, from: ground, to: beam, "
      "at: [2, 0, 0]}\n"
      "experiments: {rest: {until: 1 s, output_step: 0.5 s, outputs: [left.force_z, beam.z]}}\n");
  CHECK(r.prepared.degrees_of_freedom() == 0);
  CHECK(r.sink.time.size() == 3);
  CHECK(r.last("left.force_z") == doctest::Approx(4 * 9.81));
}

TEST_CASE("Bodies on rods only float on an implied free joint") {
  // A stone on a rope of 1 m: the free joint is implied. Released 60 degrees off, at the end of a half swing it is as high again.
  const auto r = testing::run_text(
      "skyhook: 1\nbodies:\n  stone: {mass: 2, inertia: [1, 1, 1], at: [=sin(pi/3), 0, =-cos(pi/3)]}\njoints:\n"
      "  rope: {type: rod, from: ground, to: stone, from_at: [0, 0, 0], to_at: [=sin(pi/3), 0, =-cos(pi/3)]}\n"
      "experiments: {swing: {until: 1 s, output_step: 0.1 s, tolerance: 1e-9, outputs: [stone.x, stone.z, rope.force, "
      "energy.kinetic]}}\n");
  CHECK(r.prepared.degrees_of_freedom() == 5);
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    const double z = r.at(i, "stone.z"), fallen = -0.5 - z;
    CHECK(std::abs(r.at(i, "energy.kinetic") - 2 * 9.81 * fallen) < 1e-6);
    CHECK(std::abs(r.at(i, "rope.force") - 2 * 9.81 * (-z + 2 * fallen)) <
          1e-5);  // weight along the rope plus m v^2 / l
  }
}

TEST_CASE("A coordinate that nothing resists is named, with body and axis") {
  // A point mass on a hinge is fine: it has inertia about the hinge.
  const auto pendulum = testing::run("mechanisms/pendulum", {.until = 0.1, .output_step = 0.1});
  CHECK(pendulum.sink.summary.status == simulation::RunStatus::finished);
  const std::string until = "experiments: {rest: {until: 1 s}}\n";
  const std::string leaf = failure_of(
      "skyhook: 1\nbodies:\n  arm: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}\n  wheel: {mass: 0, at: [2, 0, "
      "0]}\njoints:\n"
      "  shoulder: {type: revolute, from: ground, to: arm, at: [0, 0, 0], axis: y}\n  hub: {type: revolute, from: arm, "
      "to: wheel, axis: y}\n" +
      until);
  CHECK(has(leaf, "wheel"));
  CHECK(has(leaf, "hub"));
  const std::string floating = failure_of(
      "skyhook: 1\nbodies:\n  ghost: {mass: 0}\njoints:\n  flight: {type: free, from: ground, to: ghost}\n" + until);
  CHECK(has(floating, "ghost"));
  // A point mass at its own ball joint has no inertia about any axis; on its own hinge none about that axis.
  const std::string ball = failure_of(
      "skyhook: 1\nbodies:\n  dot: {mass: 1}\njoints:\n  socket: {type: spherical, from: ground, to: dot}\n" + until);
  CHECK(has(ball, "dot"));
  // The axis of a needle: only the spin about itself has no inertia.
  const std::string needle = failure_of(
      "skyhook: 1\nbodies:\n  needle: {mass: 1, inertia: [0, 1, 1]}\njoints:\n  flight: {type: free, from: ground, to: "
      "needle}\n" +
      until);
  CHECK(has(needle, "needle"));
}

TEST_CASE("Every model passes check and runs for a tenth of a second") {
  namespace fs = std::filesystem;
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(std::string(SKYHOOK_SOURCE_DIR) + "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string path = entry.path().string();
    CAPTURE(path);
    std::vector<std::string> names;
    for (const auto& e : io::read_model(path).experiments) names.push_back(e.name);
    for (const auto& name : names) {
      CAPTURE(name);
      model::Model m = io::read_model(path, {}, name);
      const auto e =
          *std::find_if(m.experiments.begin(), m.experiments.end(), [&](const auto& x) { return x.name == name; });
      testing::Loaded loaded{std::make_shared<model::Model>(m), e};
      const auto p = prepared(loaded);
      CHECK(p.degrees_of_freedom() >= 0);
      if (e.analysis != "simulate") continue;
      loaded.experiment.until = std::min(e.until, e.from_time + 0.1);
      loaded.experiment.output_step = 0.05;
      const auto r = testing::run(loaded);
      CHECK(r.sink.summary.position_residual < 100 * e.tolerance);  // of rows in m and of direction cosines
      ++count;
    }
  }
  CHECK(count >= 11);
}

TEST_CASE("A loop that cannot close says by how much, in millimetres or degrees") {
  // Two bars of 0.3 m between points 1 m apart: 400 mm are missing.
  const auto loaded = testing::load_text(R"(
skyhook: 1
bodies:
  a: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0.15, 0, 0]}
  b: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [1, 0, 0], com: [0.85, 0, 0]}
joints:
  A: {type: revolute, from: ground, to: a, axis: z}
  B: {type: revolute, from: ground, to: b, axis: z}
  C: {type: revolute, from: a, to: b, axis: z, at: [0.3, 0, 0], at_to: [0.7, 0, 0]}
experiments: {r: {until: 1}}
)");
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  CHECK(!p.ok());
  CHECK(has(p.problem(), "C: displacement along x (test.yaml:9) stays open by 400 mm"));
}

TEST_CASE("A body without inertia is told with its line, and one whose inertia is no number is not said to have none") {
  const auto reason = [](const std::string& body) {
    const auto loaded = testing::load_text(
        "skyhook: 1\nbodies:\n  load: {" + body +
        ", inertia: [0, 0, 0]}\njoints: {hinge: {type: revolute, from: ground, to: load, at: [0, 0, 0], axis: y}}\n"
        "experiments: {r: {until: 1 s}}\n");
    const auto p = simulation::prepare(loaded.model, loaded.experiment);
    simulation::MemorySink sink;
    if (p.ok()) simulation::simulate(p, loaded.experiment, sink);
    return p.problem() + sink.summary.reason;
  };
  CHECK(has(reason("mass: 0, at: [0, 0, -1]"),
            "body \"load\" (test.yaml:3) has no inertia that resists rotation about (0, 1, 0)"));
  CHECK(has(reason("mass: 20 kg, at: [0, 0, -1e200]"),
            "body \"load\" (test.yaml:3) stands so far away (1e+200 m) that its inertia"));
}

TEST_CASE("Degrees of freedom are named, with what they move") {
  const auto p = prepared(testing::load_text(R"(
skyhook: 1
bodies:
  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0, 0.1, 0]}
  coupler: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0.2, 0], com: [0.25, 0.2, 0]}
  rocker: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0.5, 0, 0], com: [0.5, 0.1, 0]}
  wheel: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0.5, 0, 0]}
  flag: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [2, 0, 0]}
joints:
  A: {type: revolute, from: ground, to: crank, axis: z}
  B: {type: revolute, from: crank, to: coupler, axis: z}
  C: {type: revolute, from: rocker, to: coupler, axis: z, at: [0.5, 0.2, 0]}
  D: {type: revolute, from: ground, to: rocker, axis: z}
  W: {type: revolute, from: ground, to: wheel, axis: z}
  F: {type: spherical, from: ground, to: flag}
experiments: {r: {until: 1}}
)"));
  const auto freedoms = simulation::freedoms_of(p);
  REQUIRE(freedoms.size() == 5);
  std::map<std::string, std::vector<std::string>> moves;
  for (const auto& f : freedoms) moves[f.coordinate] = f.moves;
  CHECK(moves.at("W.angle") == std::vector<std::string>{"wheel"});
  for (const char* turn : {"F.rotation_x", "F.rotation_y", "F.rotation_z"})
    CHECK(moves.at(turn) == std::vector<std::string>{"flag"});
  moves.erase("W.angle"), moves.erase("F.rotation_x"), moves.erase("F.rotation_y"), moves.erase("F.rotation_z");
  REQUIRE(moves.size() == 1);  // one of the four-bar, whichever
  CHECK(moves.begin()->second == std::vector<std::string>{"crank", "coupler", "rocker"});
  CHECK(has(report_of(p), "W.angle: moves wheel"));
}

TEST_CASE("A model in which nothing can move says so; a driven one does not") {
  const std::string head = "skyhook: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {J: {";
  const std::string tail = "from: ground, to: a}}\nexperiments: {r: {until: 1}}\n";
  const auto fixed = prepared(testing::load_text(head + "type: fixed, " + tail));
  REQUIRE(fixed.warnings.size() == 1);
  CHECK(fixed.warnings[0].name == "no_freedom");
  CHECK(prepared(testing::load_text(head + "type: revolute, axis: z, drive: \"=1[1/s]*t\", " + tail)).warnings.empty());
}

TEST_CASE("Contacts, controllers and events are counted, dry friction once") {
  const auto p = prepared(testing::load_text(R"(
skyhook: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 1]}, b: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 2]}}
joints:
  J: {type: prismatic, from: ground, to: a, axis: z}
  K: {type: prismatic, from: a, to: b, axis: z}
forces:
  floor: {type: rigid_contact, from: ground, to: a}
  stick: {type: stick_slip, joint: K, hold: 2 N, slide: 1 N}
  spring: {type: spring_damper, joint: J, stiffness: 1}
experiments: {r: {until: 1}}
)"));
  CHECK(has(report_of(p), "bodies: 2, joints: 2, forces: 3, total mass 2 kg"));
}

TEST_CASE("Gimbal lock is told as such, with the joint") {
  const std::string text = R"(
skyhook: 1
bodies: {a: {mass: 1, inertia: [1, 2, 3], com: [0.1, 0, 0]}}
joints: {hook: {type: spherical, from: ground, to: a, coordinates: cardan, angles: [0, 90 deg, 0]}}
experiments: {r: {until: 1}}
)";
  const std::string why = failure_of(text);
  CHECK(has(why, "gimbal lock of joint \"hook\""));
  CHECK(has(why, "coordinates: quaternion"));
  CHECK(why.find("no inertia") == std::string::npos);
}

// A bar of 0.4 m on a hinge and a rod of 0.5 m to a slider that is driven from 0.5 m on with 0.5 m/s: at 0.8 s both are stretched.
TEST_CASE("A drive beyond the reach of its linkage is named, with time and joint, by all integrators") {
  for (const std::string solver : {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"}) {
    CAPTURE(solver);
    const std::string why = failure_of(std::string(R"(
skyhook: 1
bodies:
  bar: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0, 0.2, 0]}
  slider: {mass: 1, at: [0.3, 0, 0]}
joints:
  A: {type: revolute, from: ground, to: bar, axis: z}
  S: {type: prismatic, from: ground, to: slider, axis: x, drive: "=0.2[m]+0.5[m/s]*t"}
  link: {type: rod, from: bar, from_at: [0, 0.4, 0], to: slider, length: 0.5}
experiments: {r: {until: 2, output_step: 0.1, solver: )") +
                                       solver + "}}\n");
    CHECK(has(why, "The drive of S.displacement (test.yaml:8) asks for a position that the linkage cannot reach"));
    CHECK(has(why, "joint \"link\""));
    const auto at = why.find("from t = ");
    REQUIRE(at != std::string::npos);
    CHECK(std::abs(std::stod(why.substr(at + 9)) - 0.8) < 0.02);
  }
}
