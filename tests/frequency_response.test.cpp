// Frequency response by swept sine, of models: against exact ones.
#include "skyhook/analysis/frequency_response.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/analysis/start.h"

using namespace skyhook;
using Complex = std::complex<double>;

namespace {

// A linear quarter car on a road that sweeps from 0.4 Hz to 25 Hz in 20 s.
const char* const quarter_car = R"yaml(
skyhook: 1
gravity: off
bodies:
  chassis: {mass: 400, at: [0, 0, 1]}
  wheel: {mass: 40, at: [0, 0, 0.5]}
  road: {mass: 1, at: [0, 0, 0]}
joints:
  ride: {type: prismatic, from: ground, to: chassis, axis: z}
  hop: {type: prismatic, from: ground, to: wheel, axis: z}
  profile:
    type: prismatic
    from: ground
    to: road
    axis: z
    drive: "=0.001[m]*sin(2*pi*0.4[Hz]*(exp(0.2068[1/s]*t) - 1)/0.2068[1/s])*ramp(t, 0[s], 1[s])*(1 - ramp(t, 19.5[s], 20[s]))"
forces:
  strut: {type: spring_damper, from: wheel, to: chassis, stiffness: 25000, damping: 2000}
  tyre: {type: spring_damper, from: road, to: wheel, stiffness: 200000, damping: 100}
outputs: [profile.displacement, ride.displacement, tyre.force]
experiments: {sweep: {until: 24 s, output_step: 5 ms, tolerance: 1e-8}}
)yaml";

struct Exact {
  Complex chassis, tyre;  // over the road's displacement
};

// (K + i w C - w^2 M) z = (0, k_t + i w c_t) u, by Cramer's rule.
Exact exact(double frequency) {
  const double w = 2 * std::numbers::pi * frequency;
  const Complex strut(25000, 2000 * w), tyre(200000, 100 * w);
  const Complex a = strut - 400 * w * w, d = strut + tyre - 40 * w * w, det = a * d - strut * strut;
  const Complex chassis = strut * tyre / det, wheel = a * tyre / det;
  return {chassis, tyre * (wheel - 1.0)};
}

std::vector<double> column(const testing::Run& run, const std::string& channel) {
  std::vector<double> out;
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) out.push_back(run.at(i, channel));
  return out;
}

}  // namespace

// Within a band of width B the estimate is the mean of H; the error is H'' B^2/24, taken here from the exact H as a second
// difference over a band, and twice that is allowed. Bands are at least 4/24 Hz wide. 2e-4 more for the run's own error. Coherence
// falls by the variance of H in the band, |H' B|^2/12 relative to |H|^2.
TEST_CASE("A linear quarter car: gain and phase are those of its equations") {
  const testing::Run run = testing::run_text(quarter_car);
  const auto r = analysis::frequency_response(0.005, column(run, "profile.displacement"),
                                              {column(run, "ride.displacement"), column(run, "tyre.force")},
                                              {.low = 0.6, .high = 20, .per_octave = 24});
  REQUIRE(r.problem.empty());
  CHECK(r.ends_at_rest[0]);
  double largest = 0;
  for (std::size_t k = 0; k < r.outputs[0].size(); ++k) {
    const double f = r.outputs[0][k].frequency, half = std::max(0.5 * 4 / 24.0, 0.015 * f);
    CAPTURE(f);
    const Exact here = exact(f), below = exact(f - half), above = exact(f + half);
    const auto agrees = [&](Complex found, Complex at, Complex left, Complex right) {
      const double bend = std::abs(left - 2.0 * at + right) / 6;  // H'' B^2/24
      CHECK(std::abs(found - at) < 2 * bend + 2e-4 * std::abs(at));
    };
    agrees(r.outputs[0][k].response, here.chassis, below.chassis, above.chassis);
    agrees(r.outputs[1][k].response, here.tyre, below.tyre, above.tyre);
    const double slope = std::norm(above.chassis - below.chassis) / 12 / std::norm(here.chassis);
    CHECK(1 - r.outputs[0][k].coherence < 2 * slope + 1e-3);
    largest = std::max(largest, std::abs(r.outputs[0][k].response));
  }
  CHECK(largest > 1.5);  // the resonance of the chassis is among them
}

// Reference: the slope of the equilibria over the height of the stamp, from two of them. Inertia changes the answer by a term
// with f^2; the fit of H0 + c f^2 below 0.35 Hz leaves one with f^4, some (0.3 Hz/1.4 Hz)^4 = 0.2 %, as the ride frequency is 1.4 Hz.
TEST_CASE("Rear axle on a stamp: slow motion follows the static ratio") {
  const std::vector<std::string> channels{"guide.z", "guide.angle", "left.wheel.z", "tyre_right.fz"};
  const auto at_rest = [&](const char* lift) {
    testing::Wish wish{.experiment = "rest", .set = {{"lift", lift}}};
    testing::Loaded loaded = testing::load("suspension/axle_on_stamp", wish);
    loaded.experiment.from_time = 5;  // where the stamp is up
    const auto p = simulation::prepare(loaded.model, loaded.experiment);
    const auto e = analysis::find_equilibrium(p);
    REQUIRE(e.found);
    loaded.experiment.until = 5.001, loaded.experiment.outputs.clear();
    for (const auto& channel : channels) loaded.experiment.outputs.push_back({channel, channel, {}});
    simulation::MemorySink sink;
    simulation::simulate(simulation::prepare(loaded.model, loaded.experiment, &e.state), loaded.experiment, sink);
    return sink.channels.front();
  };
  const std::vector<double> low = at_rest("-2 mm"), high = at_rest("2 mm");

  testing::Wish wish{.experiment = "sine",
                     .set = {{"stroke", "2 mm"}, {"frequency", "0.1 Hz"}, {"rise", "0.05 1/s"}, {"duration", "30 s"}}};
  wish.until = 30, wish.output_step = 0.1, wish.tolerance = 1e-5, wish.outputs = channels,
  wish.outputs.push_back("lift.displacement");
  testing::Loaded loaded = testing::load("suspension/axle_on_stamp", wish);
  testing::Run run{analysis::prepare(loaded.model, loaded.experiment), {}};
  REQUIRE(run.prepared.ok());
  simulation::simulate(run.prepared, loaded.experiment, run.sink);
  REQUIRE(run.sink.summary.status == simulation::RunStatus::finished);
  std::vector<std::vector<double>> outputs;
  for (const auto& channel : channels) outputs.push_back(column(run, channel));
  const auto r =
      analysis::frequency_response(0.1, column(run, "lift.displacement"), outputs, {.low = 0.1, .high = 0.35});
  REQUIRE(r.problem.empty());
  for (std::size_t k = 0; k < channels.size(); ++k) {
    CAPTURE(channels[k]);
    double n = 0, x = 0, xx = 0, y = 0, xy = 0;  // least squares of y = H0 + c x
    for (const auto& band : r.outputs[k]) {
      const double f2 = band.frequency * band.frequency, h = band.response.real();
      n += 1, x += f2, xx += f2 * f2, y += h, xy += f2 * h;
      CHECK(band.coherence > 0.99);
    }
    REQUIRE(n >= 2);
    CHECK((xx * y - x * xy) / (n * xx - x * x) == doctest::Approx((high[k] - low[k]) / 4e-3).epsilon(0.005));
  }
}
