// Two profiles in touch. References: lifts of cams in closed form, a disc that rolls in a cylinder as a pendulum whose length is known, exact
// derivatives against differences.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "exact_jacobian.testing.h"
#include "run_model.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

constexpr double pi = std::numbers::pi;

// A cam that turns about y at 2 rad/s lifts a follower along z.
std::string cam(const std::string& contact, const std::string& experiment, double start = 0.2) {
  return fmt::format(
      "skyhook: 1\nbodies:\n  cam: {{mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0]}}\n"
      "  follower: {{mass: 0.5, inertia: [0.1, 0.1, 0.1], at: [0, 0, {}]}}\njoints:\n"
      "  shaft: {{type: revolute, from: ground, to: cam, axis: [0, 1, 0], drive: \"=2*t/1[s]\"}}\n"
      "  guide: {{type: prismatic, from: ground, to: follower, axis: [0, 0, 1]}}\n"
      "  touch: {{type: curve_contact, from: cam, to: follower, {}}}\n"
      "outputs: [\"*\"]\nexperiments: {{go: {{until: 3.5 s, output_step: 0.05 s, tolerance: 1e-7, {}}}}}\n",
      start, contact, experiment);
}

// The profile whose support function is p(phi) = 0.1 + 0.01 cos(2 phi) + 0.004 cos(3 phi): convex.
double support(double phi) { return 0.1 + 0.01 * std::cos(2 * phi) + 0.004 * std::cos(3 * phi); }
const std::string three_lobes =
    "from_x: =(0.1 + 0.01*cos(2*s) + 0.004*cos(3*s))*cos(s) + (0.02*sin(2*s) + 0.012*sin(3*s))*sin(s), "
    "from_z: =(0.1 + 0.01*cos(2*s) + 0.004*cos(3*s))*sin(s) - (0.02*sin(2*s) + 0.012*sin(3*s))*cos(s), "
    "from_range: [0, =2*pi], from_closed: true, ";

// A disc of radius r in a cylinder of radius R, its centre at the angle `angle` from the vertical.
std::string rolling_disc(double R, double r, double angle, const std::string& experiment) {
  const double x = (R - r) * std::sin(angle), z = -(R - r) * std::cos(angle);
  return fmt::format(
      "skyhook: 1\nbodies: {{disc: {{mass: 2, inertia: [{0}, {1}, {0}], at: [{2}, 0, {3}]}}}}\n"
      "joints:\n  plane: {{type: planar, from: ground, to: disc, plane: xz}}\n"
      "  roll: {{type: curve_contact, from: ground, to: disc, from_at: [0, 0, 0], from_radius: {4}, to_radius: {5}, "
      "rolling: "
      "true}}\n"
      "outputs: [\"*\"]\nexperiments: {{go: {{{6}}}}}\n",
      0.5 * r * r, r * r, x, z, R, r, experiment);
}

}  // namespace

TEST_CASE("The valve train lifts as the support function of its cam, and presses as the spring and the mass ask for") {
  const auto r = testing::run("mechanisms/valve_train");
  const auto p = [](double s) { return 0.02 + 0.003 * std::cos(s) + 0.0015 * std::cos(2 * s); };
  REQUIRE(r.sink.time.size() > 500);
  for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
    const double speed = 60, s = pi / 2 + speed * r.sink.time[k], lift = p(s) - p(pi / 2);
    CHECK(std::abs(r.at(k, "lift") - lift) < 1e-8);
    const double acceleration = -speed * speed * (0.003 * std::cos(s) + 0.006 * std::cos(2 * s));
    CHECK(std::abs(r.at(k, "pressing") - 0.12 * (9.81 + acceleration) - 8000 * (0.015 + lift)) < 1e-3);
  }
}

TEST_CASE("The lift of a cam under a flat follower is its support function, with every solver") {
  for (const std::string& solver : simulation::usable_solvers()) {
    if (solver.ends_with("/partitioning")) continue;  // it needs a degree of freedom, here the cam leaves none
    CAPTURE(solver);
    const auto r = testing::run_text(cam(three_lobes + "to_x: =s, to_range: [-0.3, 0.3]", "solver: " + solver));
    for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
      const double angle = 2 * r.sink.time[k];
      CHECK(std::abs(r.at(k, "follower.z") - support(pi / 2 + angle)) < 1e-6);
    }
    CHECK(r.sink.summary.energy_closure < 1e-3);
  }
}

TEST_CASE("The normal force of a cam is what the follower's acceleration takes") {
  const auto r =
      testing::run_text(cam(three_lobes + "to_x: =s, to_range: [-0.3, 0.3]", "solver: dopri5/index1_projected"));
  for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
    const double phi = pi / 2 + 2 * r.sink.time[k];
    const double acceleration = 4 * (-0.04 * std::cos(2 * phi) - 0.036 * std::cos(3 * phi));
    CHECK(std::abs(r.at(k, "touch.normal") - 0.5 * (9.81 + acceleration)) < 1e-4);
  }
}

TEST_CASE("A roller on an eccentric disc: the triangle of its centres") {
  const double e = 0.03, R = 0.1, roller = 0.04;
  const auto r = testing::run_text(
      cam(fmt::format("from_at: [{}, 0, 0], from_radius: {}, to_radius: {}", e, R, roller), "solver: bdf/ggl"));
  for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
    const double angle = -2 * r.sink.time[k], x = e * std::cos(angle), z = e * std::sin(angle);
    CHECK(std::abs(r.at(k, "follower.z") - z - std::sqrt((R + roller) * (R + roller) - x * x)) < 1e-6);
  }
}

TEST_CASE("A disc that rolls in a cylinder is a pendulum of 3/2 of the radius, with every solver") {
  const double R = 1, r = 0.25, angle = 1.2;
  const double period = 4 * std::sqrt(1.5 * (R - r) / 9.81) * std::comp_ellint_1(std::sin(angle / 2));
  const double fastest = std::sqrt(4.0 / 3.0 * 9.81 * (R - r) * (1 - std::cos(angle)));
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto run = testing::run_text(rolling_disc(
        R, r, angle,
        fmt::format("until: {:.15g}, output_step: {:.15g}, tolerance: 1e-8, solver: {}", period, period / 4, solver)));
    REQUIRE(run.sink.time.size() == 5);
    CHECK(std::abs(std::abs(run.at(1, "disc.vx")) - fastest) < 1e-5);
    CHECK(std::abs(run.at(2, "disc.x") + (R - r) * std::sin(angle)) < 1e-5);
    CHECK(std::abs(run.at(4, "disc.x") - (R - r) * std::sin(angle)) < 1e-5);
    // Normal force at the bottom: m g + m v^2 / (R - r).
    CHECK(std::abs(run.at(1, "roll.normal") - 2 * (9.81 + fastest * fastest / (R - r))) < 1e-3);
  }
}

TEST_CASE("A wheel that rolls many turns along the ground counts them") {
  const auto r = testing::run_text(
      "skyhook: 1\nbodies: {wheel: {mass: 1, inertia: [0.02, 0.03, 0.02], at: [0, 0, 0.25]}}\njoints:\n"
      "  plane: {type: planar, from: ground, to: wheel, plane: xz}\n"
      "  roll: {type: curve_contact, from: ground, to: wheel, from_at: [0, 0, 0], from_x: =s, from_range: [-1, "
      "60], to_radius: 0.25, rolling: true}\n"
      "initial: {plane.x_rate: 5 m/s}\n"
      "outputs: [\"*\"]\nexperiments: {go: {until: 10 s, output_step: 1 s, tolerance: 1e-8, solver: "
      "dopri5/index1_projected}}\n");
  CHECK(std::abs(r.last("wheel.x") - 50) < 1e-5);
  CHECK(std::abs(r.last("wheel.wy") - 20) < 1e-6);
  CHECK(std::abs(r.last("roll.s_from") - 50) < 1e-5);
  CHECK(std::abs(std::abs(r.last("roll.s_to") - r.at(0, "roll.s_to")) - 200) < 1e-4);
}

TEST_CASE("Profiles in touch: exact derivatives are those of differences") {
  for (const std::string& text :
       {cam(three_lobes + "to_x: =s, to_z: =0.2*s^2, to_range: [-0.3, 0.3]", "solver: bdf/ggl"),
        rolling_disc(1, 0.25, 0.7, "until: 1 s")}) {
    const auto loaded = testing::load_text(text);
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE(prepared.ok());
    CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
  }
}

TEST_CASE("Profiles that cannot touch are told") {
  const auto message = [](const std::string& contact, double start = 0.2) {
    try {
      const auto loaded = testing::load_text(cam(contact, "solver: bdf/ggl", start));
      return simulation::prepare(loaded.model, loaded.experiment).problem();
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(message("from_radius: 0.1, to_x: =s, to_z: =abs(s)/5, to_range: [-1, 1]"), "kink"));
  CHECK(has(message("from_radius: 0.1, from_x: =s, to_radius: 0.1"), "given twice"));
  CHECK(has(message("from_radius: 0.1"), "the curve is missing"));
  CHECK(has(message("from_radius: 0.1, to_points: [[0, 0, 1], [1, 0, 1]]"), "two numbers"));
  // The guide is one metre beside the cam: no height makes them touch.
  CHECK(has(message("from_radius: 0.1, to_radius: 0.1, to_at: [1, 0, 0.2]"), "touch"));
}

TEST_CASE("Profiles that pull at each other are told, once, and those that press are not") {
  const auto told = [](double speed) {
    const auto r = testing::run_text(fmt::format(
        "skyhook: 1\nbodies: {{car: {{mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.1]}}}}\njoints:\n"
        "  plane: {{type: planar, from: ground, to: car, plane: xz, displacement_1_rate: {}}}\n"
        "  hill: {{type: curve_contact, from: ground, to: car, from_at: [0, 0, 0], from_x: =s, from_z: =-s^2/2, "
        "from_range: [-1, 1], to_radius: 0.1}}\n"
        "experiments: {{go: {{until: 0.1 s, output_step: 0.01 s, solver: bdf/ggl}}}}\n",
        speed));
    return std::ranges::count(r.sink.summary.warnings, "contact_pulls", &Warning::name);
  };
  // On top of a hill of radius 1 m the centre goes round 1.1 m: sqrt(1.1 g) = 3.285 m/s.
  CHECK(told(3.1) == 0);
  CHECK(told(3.4) == 1);
}

TEST_CASE("The end of a profile ends the run and is named") {
  const auto loaded = testing::load_text(cam(three_lobes + "to_x: =s, to_range: [-0.3, 0.02]", "solver: bdf/ggl"));
  simulation::MemorySink sink;
  simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, sink, loaded.options);
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  CHECK(sink.summary.reason.find("end of the profile of `to`") != std::string::npos);
}
