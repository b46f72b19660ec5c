// A point held on a curve, with every formulation and integrator. References: on a helix under gravity the parameter is uniformly accelerated,
// on an ellipse without gravity the bead keeps its speed (elliptic integral), both exact; energy, and the force across by Newton's law.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "exact_jacobian.testing.h"
#include "run_model.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

std::string bead(const std::string& curve, const std::string& gravity, const std::string& initial,
                 const std::string& experiment) {
  return "skyhook: 1\n" + gravity + "bodies: {bead: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0.3, 0, 0]}}\njoints:\n" +
         "  float: {type: free, from: ground, to: bead" + initial + "}\n" +
         "  wire: {type: point_on_curve, from: ground, to: bead, " + curve + "}\n" + "experiments: {go: {" +
         experiment + "}}\n";
}

const double R = 0.3, pitch = 0.1;
const std::string helix = "x: =0.3*cos(s), y: =0.3*sin(s), z: =0.1*s, range: [-100, 100]";
const std::string ellipse = "x: =0.3*cos(s), z: =0.2*sin(s), range: [0, =2*pi], closed: true";

// Arc length of the ellipse from s = 0 on.
double arc(double s) {
  const double a = 0.3, b = 0.2, k = std::sqrt(1 - b * b / (a * a));
  return a * (std::ellint_2(k, std::numbers::pi / 2) - std::ellint_2(k, std::numbers::pi / 2 - s));
}

}  // namespace

TEST_CASE("A bead on a helix falls with constant acceleration, with every solver") {
  const double g = 9.81, fall = -g * pitch / (R * R + pitch * pitch);
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r =
        testing::run_text(bead(helix, "", "", "until: 1 s, output_step: 0.1 s, tolerance: 1e-8, solver: " + solver));
    CHECK(std::abs(r.last("wire.s") - 0.5 * fall) < 1e-5);
    CHECK(std::abs(r.last("bead.z") - pitch * 0.5 * fall) < 1e-6);
    CHECK(r.sink.summary.energy_closure < 1e-5);
  }
}

TEST_CASE("A bead on an ellipse keeps its speed, round and round, with every solver") {
  const double speed = 0.5, until = 6;  // about two rounds
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r = testing::run_text(bead(ellipse, "gravity: off\n", ", velocity: [0, 0, 0.5]",
                                          "until: 6 s, output_step: 0.1 s, tolerance: 1e-8, solver: " + solver));
    CHECK(std::abs(arc(r.last("wire.s")) - speed * until) < 2e-5);
    const double s = r.last("wire.s"), sine = std::sin(s), cosine = std::cos(s);
    const double slope = std::sqrt(0.09 * sine * sine + 0.04 * cosine * cosine);
    const double curvature = 0.3 * 0.2 / (slope * slope * slope);
    CHECK(std::abs(r.last("wire.force") - 2 * speed * speed * curvature) < 1e-3);
  }
}

TEST_CASE("A curve through points: a wire in a swinging frame is a closed loop like any other") {
  std::string points;
  for (int k = 0; k < 40; ++k) {
    const double angle = 2 * std::numbers::pi * k / 40;
    points += fmt::format("{}[{}, {}, 0]", k ? ", " : "", 0.3 * std::cos(angle), 0.3 * std::sin(angle));
  }
  const auto r =
      testing::run_text(bead("points: [" + points + "], closed: true", "gravity: off\n", ", velocity: [0, 0.5, 0]",
                             "until: 3 s, output_step: 0.1 s, tolerance: 1e-8, solver: bdf/ggl"));
  for (std::size_t k = 0; k < r.sink.time.size();
       ++k)  // the spline is a circle to O(h^4): (pi/20)^4 / 384 of the radius
    CHECK(std::abs(std::hypot(r.at(k, "bead.x"), r.at(k, "bead.y")) - 0.3) < 2e-6);
  CHECK(std::abs(std::atan2(r.last("bead.y"), r.last("bead.x")) - std::remainder(0.5 * 3 / 0.3, 2 * std::numbers::pi)) <
        1e-4);
}

TEST_CASE("The end of an open curve ends the run and is named") {
  const auto loaded = testing::load_text(bead("x: =0.3*cos(s), y: =0.3*sin(s), z: =0.1*s, range: [-2, 2]", "", "",
                                              "until: 10 s, output_step: 0.1 s, solver: bdf/ggl"));
  simulation::MemorySink sink;
  simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, sink, loaded.options);
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  CHECK(sink.summary.reason.find("end of the curve") != std::string::npos);
  CHECK(sink.summary.reason.find("wire") != std::string::npos);
}

TEST_CASE("Curves that cannot be followed are refused") {
  const auto message = [](const std::string& curve) {
    try {
      testing::run_text(bead(curve, "", "", "until: 1 s"));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message("x: =s, y: =abs(s)/5, range: [-1, 1]").find("kink") != std::string::npos);
  CHECK(message("x: =sin(s), y: =sin(2*s), range: [0, =2*pi], closed: true").find("meets itself") != std::string::npos);
  CHECK(message("points: [[0, 0, 0], [0, 0, 0], [1, 1, 0]]").find("the same") != std::string::npos);
  CHECK(message("points: [[0, 0, 0]]").find("at least 2") != std::string::npos);
  CHECK(message("x: =s, range: [1, 0]").find("range") != std::string::npos);
  CHECK(message("x: =s, range: [0, 1], closed: true").find("does not return") != std::string::npos);
}

TEST_CASE("A point on a curve: exact derivatives are those of differences") {
  const auto loaded = testing::load_text(
      "skyhook: 1\nbodies: {frame: {mass: 3, inertia: [0.2, 0.2, 0.2], at: [0, 0, 0]}, bead: {mass: 1, at: [0.3, 0, "
      "0]}}\njoints:\n"
      "  swing: {type: revolute, from: ground, to: frame, axis: [0, 1, 1], at: [0.1, 0, 0.5]}\n"
      "  first: {type: prismatic, from: ground, to: bead, axis: [1, 0, 0], cut: false}\n"
      "  wire: {type: point_on_curve, from: frame, to: bead, x: =0.3*cos(s), y: =0.3*sin(s), z: =0.1*s, range: "
      "[-9, 9]}\n"
      "experiments: {go: {until: 1 s}}\n");
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
}
