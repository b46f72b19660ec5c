// Coming to rest, and not: a rocker at its dead position, a table that rocks from foot to foot, equilibria of models with controllers.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;
using namespace skyhook::testing;
using doctest::Approx;

namespace {

const char* const integrators[] = {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"};

const std::string rocker =
    "skyhook: 1\ngravity: off\nparameters: {hold: 0.05}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0.1, 0, 0]}\n"
    "  rod: {mass: 1, inertia: [0.02, 0.02, 0.02], at: [0.2, 0, 0], com: [0.5, 0, 0.2]}\n"
    "  rocker: {mass: 1, inertia: [0.02, 0.02, 0.02], at: [0.8, 0, -0.2], com: [0.8, 0, 0.1]}\n"
    "joints:\n"
    "  A: {type: revolute, from: ground, to: crank, at: [0, 0, 0], axis: y, rate: 10}\n"
    "  B: {type: revolute, from: crank, to: rod, at: [0.2, 0, 0], axis: y}\n"
    "  C: {type: revolute, from: rod, to: rocker, at: [0.8, 0, 0.4], axis: y, cut: true}\n"
    "  D: {type: revolute, from: ground, to: rocker, at: [0.8, 0, -0.2], axis: y}\n"
    "forces: {rub: {type: stick_slip, joint: D.angle, angular_hold: =hold}}\n"
    "outputs: [A.angle, D.angle, energy.kinetic]\n"
    "experiments: {e: {until: 2, output_step: 5 ms}}\n";

Run run_with(const std::string& solver, const std::string& text, const Wish& wish = {}) {
  Loaded loaded = load_text(text, wish);
  loaded.experiment.solver = solver;
  return run(loaded);
}

int count(const Run& r, const std::string& name) {
  return static_cast<int>(std::ranges::count(r.sink.events, name, &simulation::EventRecord::name));
}

int turns_back(const Run& r) {  // how often the rocker's samples change direction
  int turns = 0;
  for (std::size_t i = 2; i < r.sink.time.size(); ++i) {
    const double before = r.at(i - 1, "D.angle") - r.at(i - 2, "D.angle"),
                 now = r.at(i, "D.angle") - r.at(i - 1, "D.angle");
    turns += before * now < 0;
  }
  return turns;
}

}  // namespace

// There the rocker rests for an instant while the crank runs on: to hold it would take an impulse. Nothing but friction takes
// energy: what is missing is its moment times the path of the rocker, which runs between the dead positions of geometry.
TEST_CASE("Dry friction on a rocker reverses at its dead positions") {
  const double ground = std::hypot(0.8, 0.2), crank = 0.2, rod = std::hypot(0.6, 0.4), arm = 0.6;
  const auto angle = [&](double reach) {  // of the rocker to the line of the frame, where the joint C is `reach` from A
    return std::acos((arm * arm + ground * ground - reach * reach) / (2 * arm * ground));
  };
  const double start = angle(std::hypot(0.8, 0.4)), low = angle(rod - crank) - start, high = angle(rod + crank) - start;
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, rocker, {.tolerance = 1e-8});
    const int turns = count(r, "reverses");
    const double last_turn = turns % 2 == 1 ? low : high;
    const double path = -low + (turns - 1) * (high - low) + std::abs(r.last("D.angle") - last_turn);
    CHECK(turns == turns_back(r));
    CHECK(turns == 5);
    CHECK(count(r, "sticks") == 0);
    CHECK(r.at(0, "energy.kinetic") - r.last("energy.kinetic") == Approx(0.05 * path).epsilon(1e-5));
  }
}

// Far more friction than the crank's energy can overcome within a turn: the rocker comes to rest away from a dead position, and
// the rows found at a singular position are not those that hold it.
TEST_CASE("Dry friction holds a rocker that comes to rest between its dead positions") {
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, rocker, {.set = {{"hold", "4"}}, .tolerance = 1e-8});
    CHECK(count(r, "sticks") >= 1);
    CHECK(r.last("energy.kinetic") < 1e-12);
  }
}

// It stands: each foot carries half of the weight, which is 98.1 N. With any restitution, and with feet that an impact throws up
// (inertia below m b^2) or presses down.
TEST_CASE("A table that rocks from foot to foot comes to rest") {
  const std::string table =
      "skyhook: 1\nparameters: {e: 0.5, J: 2}\n"
      "bodies: {table: {mass: 10, inertia: [=J, =J, =J], at: [0, 0, 0.5]}}\n"
      "joints: {fall: {type: planar, from: ground, to: table, plane: xz, displacement_2: 0.05, angle: 3 deg}}\n"
      "forces:\n"
      "  left: {type: rigid_contact, from: ground, to: table, to_at: [-0.3, 0, 0], restitution: =e}\n"
      "  right: {type: rigid_contact, from: ground, to: table, to_at: [0.3, 0, 0], restitution: =e}\n"
      "outputs: [table.z, fall.angle, left.force, right.force]\n"
      "experiments: {drop: {until: 3 s}}\n";
  for (const std::string solver : integrators) {
    for (const char* e : {"0", "0.2", "0.5"}) {
      for (const char* J : {"0.5", "2"}) {
        CAPTURE(solver);
        CAPTURE(e);
        CAPTURE(J);
        const Run r = run_with(solver, table, {.set = {{"e", e}, {"J", J}}});
        CHECK(r.last("table.z") == Approx(0.5).epsilon(1e-9));
        CHECK(std::abs(r.last("fall.angle")) < 1e-9);
        CHECK(r.last("left.force") == Approx(49.05).epsilon(1e-6));
        CHECK(r.last("right.force") == Approx(49.05).epsilon(1e-6));
      }
    }
  }
}

// Between two that rest on the bowl flights of 1e-9 m were lifted by errors as fast as they got lower, at some tolerances for ever. Six
// integrators at 1e-9 find them closed at 1.259606 s; a rebound below the tolerance lasts for some of (2 * 1e-6 m / 2 m/s^2)^(1/2) = 1 ms.
TEST_CASE("Two balls in a bowl come to rest on each other") {
  const std::string bowl =
      "skyhook: 1\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [-0.1, 0, 0.3]}\n"
      "  b: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0.12, 0, 0.25]}\n"
      "joints:\n"
      "  j: {type: planar, from: ground, to: a, plane: xz}\n"
      "  k: {type: planar, from: ground, to: b, plane: xz}\n"
      "forces:\n"
      "  left: {type: rigid_contact, from: ground, to: a, radius: 0.05, with: profile, profile: \"=1[1/m]*x*x\", "
      "restitution: 0.3}\n"
      "  right: {type: rigid_contact, from: ground, to: b, radius: 0.05, with: profile, profile: \"=1[1/m]*x*x\", "
      "restitution: 0.3}\n"
      "  both: {type: rigid_contact, from: a, to: b, radius: 0.05, other_radius: 0.05, with: sphere, restitution: "
      "0.5}\n"
      "outputs: [a.x, b.x]\nexperiments: {e: {until: 1.5 s, output_step: 10 ms}}\n";
  for (const std::string solver : integrators) {
    for (const double tolerance : {1e-6, 1e-7, 1e-8}) {
      CAPTURE(solver);
      CAPTURE(tolerance);
      const Run r = run_with(solver, bowl, {.tolerance = tolerance});
      REQUIRE(!r.sink.events.empty());
      CHECK(r.sink.events.size() < 100);
      CHECK(r.sink.events.back().name == "closes");
      CHECK(r.sink.events.back().element == "both");
      CHECK(std::abs(r.sink.events.back().t - 1.259606) < 2e-3);
    }
  }
}
