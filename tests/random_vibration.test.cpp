// Random vibration: what the linear system says of the rms under an excitation, against a long simulated run with that excitation.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "run_model.testing.h"
#include "skyhook/analysis/transfer.h"

using namespace skyhook;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;
constexpr double low = 0.3, high = 10;  // Hz, of the excitation
// A road at constant speed: S ~ f^-2, m^2/Hz.
double density(double f) { return f >= low && f <= high ? 4e-6 / (f * f) : 0.0; }

// A normal process of this density: amplitudes of sines and cosines are normal too. Every row of the table is a sum over all of them, by the
// recurrence of turned vectors.
std::string road_of(double duration, double step, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const double df = 1 / duration;  // as long as the run: it does not repeat
  const int first = static_cast<int>(std::ceil(low / df)), last = static_cast<int>(high / df);
  const auto rows = static_cast<std::size_t>(duration / step) + 1;
  std::vector<double> z(rows, 0.0);
  for (int k = first; k <= last; ++k) {
    const double f = k * df, size = std::sqrt(density(f) * df);
    std::complex<double> now(size * normal(random), size * normal(random));
    const std::complex<double> turn = std::polar(1.0, two_pi * f * step);
    for (std::size_t i = 0; i < rows; ++i) z[i] += now.real(), now *= turn;
  }
  std::string out;
  for (std::size_t i = 0; i < rows; ++i)
    out += fmt::format("{}[{:.6f}, {:.9g}]", i ? ", " : "", static_cast<double>(i) * step, z[i] - z[0]);
  return out;
}

}  // namespace

// The variance of a normal process that is measured over T scatters by a variance of (1/T) times the integral of S_y^2 over f (one-sided S_y), so
// the rms by e/2 of itself, e^2 = int S_y^2 df / (T (int S_y df)^2). Three times that is asked for, and it must be a few per cent to mean something.
TEST_CASE("Random vibration: rms of a long run within its statistical bound") {
  const double duration = 150, begin = 10;
  const std::string model = fmt::format(R"(
skyhook: 1
parameters: {{m: 300 kg}}
bodies: {{car: {{mass: =m, at: [0, 0, 0.8]}}, wheel: {{mass: 35 kg, at: [0, 0, 0.3]}}}}
joints:
  ride: {{type: prismatic, from: ground, to: car, axis: z}}
  hop: {{type: prismatic, from: ground, to: wheel, axis: z}}
forces:
  strut: {{type: spring_damper, from: wheel, to: car, stiffness: 15 kN/m, damping: 1500, preload: "=-m*9.81[m/s^2]"}}
  tyre: {{type: tyre_vertical, from: ground, to: wheel, stiffness: 150 kN/m, damping: 300, load: "=(m + 35[kg])*9.81[m/s^2]", lift: {{table: [{}]}}}}
outputs: {{body: car.az, load: tyre.force, gap: strut.length}}
experiments:
  go: {{until: {}, output_step: 0.02, tolerance: 1e-7}}
)",
                                        road_of(duration, 0.01, 7), duration);
  const testing::Loaded loaded = testing::load_text(model);
  auto p = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(p.ok(), p.problem());
  const auto e = analysis::find_equilibrium(p);
  REQUIRE_MESSAGE(e.found, e.problem);
  const auto at = analysis::at_equilibrium(e);
  const auto there = analysis::prepared_at(p, e);
  const auto linear = analysis::linearise(there, at);
  REQUIRE_MESSAGE(linear.problem.empty(), linear.problem);
  const auto outputs = analysis::linear_outputs(there, at, linear, loaded.model->outputs);
  REQUIRE_MESSAGE(outputs.problem.empty(), outputs.problem);
  const analysis::Transfer transfer(linear, outputs);
  REQUIRE(transfer.inputs().size() == 1);
  CHECK(transfer.inputs()[0].name == "tyre.road");
  const auto random = analysis::random_response(transfer, {density, {{0}}, 0}, low, high);
  const testing::Run run = testing::run(loaded);
  for (std::size_t k = 0; k < outputs.outputs.size(); ++k) {
    CAPTURE(outputs.outputs[k].name);
    double squares = 0;
    const auto& S = random.densities[k];
    for (std::size_t i = 0; i + 1 < S.size(); ++i)
      squares += 0.5 * (random.frequencies[i + 1] - random.frequencies[i]) * (S[i] * S[i] + S[i + 1] * S[i + 1]);
    const double T = duration - begin, scatter = 0.5 * std::sqrt(squares / T) / std::pow(random.rms[k], 2);
    double mean = 0, variance = 0;
    std::vector<double> values;
    for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
      if (run.sink.time[i] >= begin) values.push_back(run.at(i, outputs.outputs[k].name));
    }
    for (const double x : values) mean += x / static_cast<double>(values.size());
    for (const double x : values) variance += std::pow(x - mean, 2) / static_cast<double>(values.size());
    MESSAGE(outputs.outputs[k].name << ": rms predicted " << random.rms[k] << ", simulated " << std::sqrt(variance)
                                    << ", scatter " << 100 * scatter << " %");
    CHECK(scatter < 0.05);
    CHECK(std::abs(std::sqrt(variance) / random.rms[k] - 1) < 3 * scatter);
  }
}
