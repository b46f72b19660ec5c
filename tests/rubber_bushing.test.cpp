// A rubber bushing that is moved to and fro: dynamic stiffness and loss against the closed forms of its element page.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "exact_jacobian.testing.h"
#include "refusal.testing.h"

using namespace skyhook;

namespace {

constexpr double pi = std::numbers::pi;
constexpr int samples = 400;  // a period

// Four periods of a harmonic motion along z, or about z.
testing::Run shaken(const std::string& bushing, bool turns, double amplitude, double frequency,
                    const std::string& solver) {
  const double period = 1 / frequency;
  return testing::run_text(fmt::format(
      "skyhook: 1\nbodies: {{part: {{mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}}}}\njoints:\n"
      "  shaker: {{type: {0}, from: ground, to: part, axis: [0, 0, 1], drive: \"={1:.15g}*sin(2*pi*{2}*t/1[s])\"}}\n"
      "forces: {{mount: {{type: rubber_bushing, from: ground, to: part, {3}}}}}\n"
      "outputs: [\"*\"]\nexperiments: {{go: {{until: {4:.15g}, output_step: {5:.15g}, tolerance: 1e-8, solver: "
      "{6}}}}}\n",
      turns ? "revolute" : "prismatic", amplitude, frequency, bushing, 4 * period, period / samples, solver));
}

// Of the last period: the force that answers A sin(w t), as complex stiffness; its largest; the energy lost.
struct Response {
  std::complex<double> stiffness;
  double at_turn = 0, lost = 0;
};
Response response_of(const testing::Run& run, const std::string& channel, double amplitude) {
  const std::size_t first = run.sink.time.size() - 1 - samples;
  Response out;
  const std::complex<double> i(0, 1);
  for (int k = 0; k < samples; ++k) {
    const double phase = 2 * pi * k / samples, force = -run.at(first + static_cast<std::size_t>(k), channel);
    out.stiffness += 2.0 / samples / amplitude * force * (std::sin(phase) + i * std::cos(phase));
    out.lost += force * amplitude * std::cos(phase) * 2 * pi / samples;
  }
  out.at_turn = -run.at(first + samples / 4, channel);
  return out;
}

}  // namespace

TEST_CASE("Rubber bushing: dynamic stiffness and loss angle over frequency, along and about an axis") {
  const std::string along =
      "stiffness: [0, 0, 400], branches: [[0, 0, 300], [0, 0, 100]], branch_times: [0.05 s, 0.004 s]";
  const std::string about =
      "angular_stiffness: [0, 0, 400], angular_branches: [[0, 0, 300], [0, 0, 100]], branch_times: [0.05 s, 0.004 s]";
  for (const double frequency : {0.5, 3.0, 20.0, 80.0}) {
    const std::complex<double> iw(0, 2 * pi * frequency);
    const auto exact = 400.0 + 300.0 * iw * 0.05 / (1.0 + iw * 0.05) + 100.0 * iw * 0.004 / (1.0 + iw * 0.004);
    for (const bool turns : {false, true}) {
      CAPTURE(frequency);
      CAPTURE(turns);
      const auto run = shaken(turns ? about : along, turns, 0.01, frequency, "radau5/ggl");
      const auto got = response_of(run, turns ? "mount.moment_z" : "mount.force_z", 0.01).stiffness;
      // What is left of the start after three periods.
      const double left = 400 * std::exp(-3 / frequency / 0.05);
      CHECK(std::abs(std::abs(got) - std::abs(exact)) < 1e-3 + left);
      CHECK(std::abs(std::arg(got) - std::arg(exact)) < 1e-5 + left / 400);
    }
  }
}

TEST_CASE("Rubber bushing: friction over the amplitude") {
  const double most = 60, k = 3e4, u = most / k;
  for (const double amplitude : {0.2e-3, 2e-3, 20e-3}) {
    CAPTURE(amplitude);
    const auto run = shaken("friction: [0, 0, 60 N], friction_stiffness: [0, 0, 30 kN/m]", false, amplitude, 2,
                            "dopri5/index1_projected");
    const Response r = response_of(run, "mount.force_z", amplitude);
    const double transient = most * std::exp(-12 * amplitude / u);  // of 3 periods
    CHECK(std::abs(r.at_turn - most * std::tanh(amplitude / u)) < 1e-4 * most + transient);
    const double lost = 4 * most * (amplitude - u * std::tanh(amplitude / u));
    CHECK(std::abs(r.lost - lost) < 2e-3 * lost + transient * amplitude);
    CHECK(run.sink.summary.energy_closure < 1e-3);
  }
}

TEST_CASE("Rubber bushing: larger amplitudes are softer, higher frequencies stiffer") {
  const std::string all =
      "stiffness: [0, 0, 400 N/mm], branches: [[0, 0, 200 N/mm]], branch_times: [0.01 s], friction: [0, 0, 60 N], "
      "friction_stiffness: [0, 0, 600 N/mm]";
  const auto stiffness = [&](double amplitude, double frequency) {
    return std::abs(
        response_of(shaken(all, false, amplitude, frequency, "radau5/ggl"), "mount.force_z", amplitude).stiffness);
  };
  CHECK(stiffness(0.05e-3, 2) > 1.2 * stiffness(1e-3, 2));
  CHECK(stiffness(1e-3, 50) > 1.2 * stiffness(1e-3, 2));
}

TEST_CASE("Rubber bushing: exact derivatives are those of differences, in all six directions") {
  const auto loaded = testing::load_text(
      "skyhook: 1\nbodies: {a: {mass: 2, inertia: [0.2, 0.3, 0.4], at: [0, 0, 0.4]}, b: {mass: 1, inertia: [0.2, 0.1, "
      "0.2], at: [0.5, 0, 0.4]}}\njoints:\n"
      "  first: {type: revolute, from: ground, to: a, axis: [1, 2, 0.5], at: [0, 0.1, 0]}\n"
      "  second: {type: universal, from: a, to: b, at: [0.2, 0, 0.4], axis_1: [0, 1, 0], axis_2: [0, 0, 1]}\n"
      "forces:\n  mount: {type: rubber_bushing, from: {body: a, orientation: {cardan: [0.3, 0.2, -0.4]}}, to: b, "
      "stiffness: [40, 50, 60], angular_stiffness: [4, 5, 6], "
      "branches: [[10, 0, 20]], angular_branches: [[0, 7, 3]], branch_times: [0.3 s], friction: [2, 3, 0], "
      "friction_stiffness: [30, 20, 0], "
      "angular_friction: [1, 0, 2], angular_friction_stiffness: [9, 0, 8]}\n"
      "initial: {first.angle: 0.3, second.angle_1: 0.2, second.angle_2: -0.4, first.angle_rate: 1, "
      "second.angle_1_rate: 2, second.angle_2_rate: -1}\n"
      "experiments: {go: {until: 1 s}}\n");
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
}

TEST_CASE("Rubber bushing: wrong input is told") {
  const auto message = [](const std::string& fields) {
    return testing::refusal(
        "skyhook: 1\nbodies: {part: {mass: 1, at: [0, 0, 0]}}\njoints: {j: {type: free, from: ground, to: part}}\n"
        "forces: {mount: {type: rubber_bushing, from: ground, to: part, " +
        fields + "}}\n");
  };
  using testing::has;
  CHECK(has(message("branches: [[1, 2, 3]], branch_times: [1, 2]"), "1 branches, but 2 times"));
  CHECK(has(message("branches: [[1, 2]], branch_times: [1]"), "three numbers"));
  CHECK(has(message("branch_times: [1]"), "no branches"));
  CHECK(has(message("friction: [1, 0, 0]"), "needs its stiffness"));
  CHECK(has(message("branches: [[1, -2, 3]], branch_times: [1]"), "at least 0"));
}
