// Where models are linearised: with contacts that are closed and what sticks, in steady motions, in curves; and what excites them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/analysis/applied_forces.h"
#include "skyhook/analysis/large_modes.h"
#include "skyhook/analysis/linear_flow.testing.h"
#include "skyhook/analysis/linear_motion.testing.h"
#include "skyhook/analysis/transfer.h"

using namespace skyhook;
using testing::load_text;
using testing::Loaded;

namespace {

struct Found {
  simulation::Prepared prepared;
  analysis::Equilibrium equilibrium;
  analysis::OperatingPoint at;
  analysis::Linearisation linear;
};

Found linear_of(const Loaded& loaded, const analysis::GivenMotion& motion = {},
                const std::vector<std::string>& forces = {}) {
  Found f{simulation::prepare(loaded.model, loaded.experiment), {}, {}, {}};
  REQUIRE_MESSAGE(f.prepared.ok(), f.prepared.problem());
  f.equilibrium = analysis::find_equilibrium(f.prepared, {.motion = motion});
  REQUIRE_MESSAGE(f.equilibrium.found, f.equilibrium.problem);
  f.at = analysis::at_equilibrium(f.equilibrium);
  f.prepared = analysis::with_applied_forces(analysis::prepared_at(f.prepared, f.equilibrium), forces);
  f.linear = analysis::linearise(f.prepared, f.at);
  REQUIRE_MESSAGE(f.linear.problem.empty(), f.linear.problem);
  return f;
}
Found linear_of(const std::string& text, const analysis::GivenMotion& motion = {},
                const std::vector<std::string>& forces = {}) {
  return linear_of(load_text(text), motion, forces);
}

analysis::Modes modes_of(const Found& f) { return analysis::find_modes(f.prepared, f.at, f.linear); }

int input(const Found& f, const std::string& name) {
  for (std::size_t k = 0; k < f.linear.inputs.size(); ++k) {
    if (f.linear.inputs[k].what.name == name) return static_cast<int>(k);
  }
  FAIL("no input " << name);
  return -1;
}

std::vector<double> frequencies(const analysis::Modes& modes) {
  std::vector<double> out;
  for (const auto& mode : modes.modes) {
    if (mode.oscillates) out.push_back(2 * std::numbers::pi * mode.frequency);
  }
  return out;
}

bool has(const std::vector<Warning>& list, const std::string& name) {
  return std::ranges::find(list, name, &Warning::name) != list.end();
}

}  // namespace

// Reference: a mass on a spring, with another one below it that stands on the ground (rigid contact) and is no freedom: w = sqrt(k/m).
// Lifted off by a strong preload, both swing about their common centre.
TEST_CASE("Linear systems have the contacts that the equilibrium has closed") {
  const auto text = [](double preload) {
    return fmt::format(R"(
skyhook: 1
bodies: {{upper: {{mass: 4 kg, at: [0, 0, 1]}}, lower: {{mass: 2 kg, at: [0, 0, 0.5]}}}}
joints:
  up: {{type: prismatic, from: ground, to: upper, axis: z}}
  low: {{type: prismatic, from: ground, to: lower, axis: z, displacement: 0.1}}
forces:
  spring: {{type: spring_damper, from: lower, to: upper, stiffness: 900}}
  hook: {{type: spring_damper, joint: up, stiffness: 500, preload: {}}}
  floor: {{type: rigid_contact, from: ground, to: lower, radius: 0.5}}
)",
                       preload);
  };
  const Found stands = linear_of(text(0));
  REQUIRE(stands.equilibrium.contacts.size() == 1);
  CHECK(stands.equilibrium.contacts[0].holds);
  REQUIRE(stands.linear.coordinates == 1);
  const auto w = frequencies(modes_of(stands));
  REQUIRE(w.size() == 1);
  CHECK(w[0] == doctest::Approx(std::sqrt(1400.0 / 4)).epsilon(1e-9));
  const Found hangs = linear_of(text(-200));
  CHECK(!hangs.equilibrium.contacts[0].holds);
  CHECK(hangs.linear.coordinates == 2);
}

// Reference: friction that sticks takes its coordinate away; one that has a smooth law damps, and that is told.
TEST_CASE("Linear systems: what sticks is held, smooth friction damps and is told") {
  const auto text = [](const std::string& friction) {
    return "skyhook: 1\nbodies: {a: {mass: 1}, b: {mass: 2}}\n"
           "joints:\n  ja: {type: prismatic, from: ground, to: a, axis: x}\n  jb: {type: prismatic, from: ground, to: "
           "b, "
           "axis: x}\n"
           "forces:\n  s: {type: spring_damper, joint: ja, stiffness: 10}\n  k: {type: spring_damper, joint: jb, "
           "stiffness: 30}\n"
           "  rub: {" +
           friction + ", joint: ja}\n";
  };
  const Found sticks = linear_of(text("type: stick_slip, hold: 3"));
  CHECK(sticks.linear.coordinates == 1);
  CHECK(frequencies(modes_of(sticks)).at(0) == doctest::Approx(std::sqrt(15.0)).epsilon(1e-9));
  CHECK(!has(analysis::what_is_assumed(sticks.equilibrium), "friction_at_rest"));
  const Found smooth = linear_of(text("type: coulomb, sliding_force: 3, slip_speed: 0.01"));
  CHECK(smooth.linear.coordinates == 2);
  CHECK(smooth.linear.D(0, 0) ==
        doctest::Approx(300).epsilon(1e-9));  // 3 N over 0.01 m/s, for motions slower than that
  CHECK(has(analysis::what_is_assumed(smooth.equilibrium), "friction_at_rest"));
}

// Reference: the carried pendulum of the steady motions: about cos(angle) = g / (W^2 l) it swings at W sin(angle) (point mass, W kept by a
// hub without end of inertia: here it is heavy, and 1e-5 is its share).
TEST_CASE("Linear systems about a spin that the equilibrium was given") {
  const double W = 5, l = 0.7;
  const Found f = linear_of(
      "skyhook: 1\nbodies:\n  hub: {mass: 1, inertia: [1e6, 1e6, 1e6], at: [0, 0, 0]}\n"
      "  bob: {mass: 3, inertia: [0, 0, 0], at: [0, 0, -0.7]}\n"
      "joints:\n  spin: {type: revolute, from: ground, to: hub, axis: z}\n"
      "  pin: {type: revolute, from: hub, to: bob, at: [0, 0, 0], axis: y, angle: 0.2}\n",
      {.spin = {{"spin.angle", W}}});
  CHECK(f.linear.is_steady);
  const auto w = frequencies(modes_of(f));
  REQUIRE(w.size() == 1);
  const double angle = std::acos(9.81 / (W * W * l));
  CHECK(w[0] == doctest::Approx(W * std::sin(angle)).epsilon(1e-4));
  CHECK(analysis::what_is_assumed(f.equilibrium).empty());
  // On the sparse route the same.
  const auto sparse = analysis::find_lowest_modes(f.prepared, f.at, {.count = 2});
  REQUIRE_MESSAGE(sparse.problem.empty(), sparse.problem);
  const auto lowest = frequencies(sparse);
  REQUIRE(lowest.size() == 1);
  CHECK(lowest[0] == doctest::Approx(w[0]).epsilon(1e-8));
}

TEST_CASE("Linear systems about a rotor that is not round belong to one angle, and that is told") {
  const auto rotor = [](const std::string& inertia) {
    return linear_of(
        "skyhook: 1\ngravity: 0\nbodies:\n  frame: {mass: 5, inertia: [0.4, 0.5, 0.6]}\n"
        "  rotor: {mass: 2, inertia: " +
            inertia +
            "}\n"
            "joints:\n  tilt: {type: revolute, from: ground, to: frame, at: [0, 0, 0], axis: x}\n"
            "  turn: {type: revolute, from: frame, to: rotor, at: [0, 0, 0], axis: y}\n"
            "forces: {hold: {type: spring_damper, joint: tilt, angular_stiffness: 40}}\n",
        {.spin = {{"turn.angle", 90}}});
  };
  CHECK(rotor("[0.03, 0.05, 0.03]").linear.is_steady);
  CHECK(!rotor("[0.03, 0.05, 0.04]").linear.is_steady);
}

// Reference: dense and sparse routes, of a chain with a Maxwell element in each link and friction under load.
TEST_CASE("Modes of large models: inner states on the sparse route are those of the dense one") {
  std::string text = "skyhook: 1\ngravity: 9.81\nbodies:\n";
  const int N = 8;
  for (int i = 0; i < N; ++i) text += fmt::format("  m{}: {{mass: {}, at: [0, 0, {}]}}\n", i, 2 + 0.1 * i, -i - 1);
  text += "joints:\n";
  for (int i = 0; i < N; ++i) text += fmt::format("  j{0}: {{type: prismatic, from: ground, to: m{0}, axis: z}}\n", i);
  text += "forces:\n";
  for (int i = 0; i < N; ++i)
    text += fmt::format(
        "  s{0}: {{type: spring_damper, from: {1}, to: m{0}, stiffness: 500}}\n"
        "  d{0}: {{type: maxwell, from: {1}, to: m{0}, stiffness: 200, damping: 30}}\n",
        i, i ? fmt::format("m{}", i - 1) : "ground");
  const Found f = linear_of(text);
  REQUIRE(f.linear.inner == N);
  const auto dense = modes_of(f), sparse = analysis::find_lowest_modes(f.prepared, f.at, {.count = 6});
  REQUIRE_MESSAGE(sparse.problem.empty(), sparse.problem);
  CHECK(sparse.modes.size() >= 6);
  for (const auto& mode : sparse.modes) {
    const auto nearest = std::ranges::min_element(
        dense.modes, {}, [&](const analysis::Mode& other) { return std::abs(other.value - mode.value); });
    CHECK(std::abs(nearest->value - mode.value) < 1e-7 * std::abs(mode.value));
    REQUIRE(!mode.strain.empty());
    REQUIRE(nearest->strain.size() == mode.strain.size());
    CHECK(std::abs(mode.strain[0].value - nearest->strain[0].value) < 1e-5);
  }
}

// ---- inputs

// Reference: m x'' + c x' + k x = k h + c h' + F, of a wheel on its tyre.
TEST_CASE("Linear systems: the height of the road below a tyre and forces from outside are inputs") {
  const Loaded loaded = load_text(
      "skyhook: 1\nbodies: {wheel: {mass: 40, inertia: [1, 2, 1], at: [0, 0, 0.3], markers: {rim: {at: [0.2, 0, "
      "0.3]}}}}\n"
      "joints: {hop: {type: planar, from: ground, to: wheel, plane: xz}}\n"
      "forces:\n  tyre: {type: tyre_vertical, from: ground, to: wheel, stiffness: 160000, damping: 400, load: 400}\n"
      "  hold: {type: spring_damper, joint: hop.x, stiffness: 9000}\n"
      "  turn: {type: spring_damper, joint: hop.angle, angular_stiffness: 500}\n");
  const Found f = linear_of(loaded, {}, {"wheel.force_z", "wheel.rim.force_z", "wheel.torque_y"});
  int z = -1, angle = -1;
  for (int i = 0; i < f.linear.coordinates; ++i) {
    if (f.linear.states[i].name == "hop.z") z = f.linear.coordinates + i;
    if (f.linear.states[i].name == "hop.angle") angle = f.linear.coordinates + i;
  }
  REQUIRE(z >= 0);
  REQUIRE(angle >= 0);
  const auto& B = f.linear.B;
  CHECK(f.linear.inputs[input(f, "tyre.road")].what.unit == "m");
  CHECK(f.linear.inputs[input(f, "tyre.road_rate")].what.unit == "m/s");
  CHECK(B(z, input(f, "tyre.road")) == doctest::Approx(160000.0 / 40).epsilon(1e-8));
  CHECK(B(z, input(f, "tyre.road_rate")) == doctest::Approx(400.0 / 40).epsilon(1e-8));
  CHECK(f.linear.inputs[input(f, "wheel.force_z")].what.unit == "N");
  CHECK(f.linear.inputs[input(f, "wheel.torque_y")].what.unit == "N.m");
  CHECK(B(z, input(f, "wheel.force_z")) == doctest::Approx(1.0 / 40).epsilon(1e-9));
  CHECK(std::abs(B(angle, input(f, "wheel.force_z"))) < 1e-9);
  CHECK(B(angle, input(f, "wheel.torque_y")) == doctest::Approx(1.0 / 2).epsilon(1e-9));
  CHECK(B(z, input(f, "wheel.rim.force_z")) == doctest::Approx(1.0 / 40).epsilon(1e-9));
  CHECK(B(angle, input(f, "wheel.rim.force_z")) == doctest::Approx(-0.2 / 2).epsilon(1e-9));
  // Outputs see them too: the tyre's force k (h - z) + ..., its deflection h - z, and the acceleration.
  const auto out = analysis::linear_outputs(
      f.prepared, f.at, f.linear,
      {{"load", "tyre.force", {}}, {"deflection", "tyre.deflection", {}}, {"a", "wheel.az", {}}});
  REQUIRE_MESSAGE(out.problem.empty(), out.problem);
  CHECK(out.D(0, input(f, "tyre.road")) == doctest::Approx(160000).epsilon(1e-8));
  CHECK(out.D(0, input(f, "tyre.road_rate")) == doctest::Approx(400).epsilon(1e-8));
  CHECK(out.D(1, input(f, "tyre.road")) == doctest::Approx(1).epsilon(1e-8));
  CHECK(out.D(2, input(f, "wheel.force_z")) == doctest::Approx(1.0 / 40).epsilon(1e-8));
  // The transfer function of the road is that of its value and rate together.
  const analysis::Transfer transfer(f.linear, out);
  int road = -1;
  for (std::size_t k = 0; k < transfer.inputs().size(); ++k) {
    if (transfer.inputs()[k].name == "tyre.road") road = static_cast<int>(k);
  }
  const Complex s(0, 2 * std::numbers::pi * 9.0), H = (160000.0 + 400.0 * s) / (40.0 * s * s + 400.0 * s + 160000.0);
  CHECK(std::abs(transfer.at(road, 9.0)[2] - s * s * H) < 1e-6 * std::abs(s * s * H));
}

// Four wheels on two tracks: the rear ones come later by wheelbase over speed. Reference: at frequencies at which the wheelbase is a whole
// number of waves a car in heave moves as if on one post, at those with a half it only pitches; sums by hand.
TEST_CASE("Linear systems: road inputs with delays and coherence") {
  const Loaded loaded = load_text(
      "skyhook: 1\nbodies: {car: {mass: 1000, inertia: [300, 900, 1000], at: [0, 0, 0.5]}}\n"
      "joints: {ride: {type: prismatic, from: ground, to: car, axis: z}}\n"
      "forces:\n  leg[i=0..3]: {type: tyre_vertical, from: ground, to: car, to_at: [\"=1.2*(1 - 2*mod(i, 2))\", "
      "\"=0.7*(1 - 2*(i > 1.5))\", 0.3], stiffness: 20000, damping: 1000, load: 2452.5}\n");
  const Found f = linear_of(loaded);
  const auto out = analysis::linear_outputs(f.prepared, f.at, f.linear, {{"z", "car.z", {}}});
  REQUIRE_MESSAGE(out.problem.empty(), out.problem);
  const analysis::Transfer transfer(f.linear, out);
  REQUIRE(transfer.inputs().size() == 4);
  const double delay = 2.4 / 20;
  const auto density_at = [&](double frequency, double coherence) {
    const analysis::RandomExcitation e{
        [](double) { return 1e-6; }, {{0, 0, 0}, {1, delay, 0}, {2, 0, 1}, {3, delay, 1}}, coherence};
    const auto r = analysis::random_response(transfer, e, 0.999999 * frequency, 1.000001 * frequency);
    return r.densities[0][0] / std::norm(transfer.at(0, frequency)[0]) / 1e-6;
  };
  const double whole = 1 / delay, half = 0.5 / delay;
  CHECK(density_at(whole, 1) == doctest::Approx(16).epsilon(1e-4));  // four in step
  CHECK(density_at(whole, 0) == doctest::Approx(8).epsilon(1e-4));   // two pairs that know nothing of each other
  CHECK(density_at(half, 1) < 1e-6);
  CHECK(density_at(0.25 / delay, 0) == doctest::Approx(4).epsilon(1e-4));  // |1 + i|^2 = 2 for each track
}
