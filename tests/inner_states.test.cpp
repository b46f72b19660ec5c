// Force elements with inner states, from the model file on. References: orifices in steady flow, the valve by hand, an actuator's lag
// in closed form.
#include <cmath>
#include <numbers>

#include "run_model.testing.h"

using namespace skyhook;

namespace {

std::string sliding(const std::string& joint, const std::string& force, double until) {
  return "skyhook: 1\ngravity: off\nbodies:\n  mass: {mass: 50, at: [0, 0, 0.5]}\njoints:\n"
         "  guide: {type: prismatic, from: ground, to: mass, axis: z" +
         joint + "}\nforces:\n" + force + "experiments: {go: {until: " + std::to_string(until) +
         " s, output_step: 0.25 s, tolerance: 1e-7, solver: ida}}\n";
}

// The turbulent drop of a flow through an area.
double drop(double flow, double area) { return 0.5 * 870 * std::pow(flow / (0.7 * area), 2); }

}  // namespace

// At 0.5 Hz, where the speed is largest, pressures stand still and the orifices pass what the piston displaces. Laminar flow adds
// (1 kPa / drop)^2 / 2, below 1e-3; the other way round oil would be compressed by its change of pressure, which is none there.
TEST_CASE("A hydraulic damper in slow motion: drops of the orifices times areas") {
  const std::string damper =
      "  damper: {type: hydraulic_damper, from: ground, to: mass, piston_area: 900 mm^2, rod_area: 150 mm^2,\n"
      "    rebound_area: 4 mm^2, compression_area: 8 mm^2, base_area: 1 mm^2, compression_volume: 0.15 l,\n"
      "    rebound_volume: 0.1 l, laminar: 1 kPa}\n";
  const auto r = testing::run_text(sliding(", drive: \"=0.02[m]*sin(pi*t/1[s])\"", damper, 3));
  const double v = 0.02 * std::numbers::pi, A1 = 900e-6, A2 = 750e-6, rod = 150e-6;
  const auto at = [&](double t) { return static_cast<std::size_t>(std::lround(t / 0.25)); };
  const double p1 = 0.5e6 - drop(rod * v, 1e-6), p2 = p1 + drop(A2 * v, 4e-6);
  CHECK(r.at(at(2), "damper.compression_pressure") == doctest::Approx(p1).epsilon(2e-3));
  CHECK(r.at(at(2), "damper.rebound_pressure") == doctest::Approx(p2).epsilon(2e-3));
  CHECK(r.at(at(2), "damper.force") == doctest::Approx(A2 * p2 - A1 * p1).epsilon(5e-3));
  const double up1 = 0.5e6 + drop(rod * v, 1e-6), up2 = up1 - drop(A2 * v, 8e-6);
  CHECK(r.at(at(1), "damper.force") == doctest::Approx(A2 * up2 - A1 * up1).epsilon(5e-3));
  CHECK(r.sink.summary.energy_closure < 1e-3);
}

// A command proportional to the error of position: the cylinder comes to rest where the valve stands in its middle.
TEST_CASE("A hydraulic cylinder moves its load to where the command is zero") {
  const std::string cylinder =
      "  cylinder: {type: hydraulic_actuator, from: ground, to: mass, piston_area: 10 cm^2, push_volume: 0.2 l,\n"
      "    pull_volume: 0.2 l, valve_area: 2 mm^2, supply: 100 bar, leakage: 2e-12 m^3/(s.Pa),\n"
      "    opening: \"=20[1/m]*(0.53[m] - x)\"}\n";
  const auto r = testing::run_text(sliding("", cylinder, 4));
  CHECK(r.last("cylinder.length") == doctest::Approx(0.53).epsilon(1e-4));
  CHECK(std::abs(r.last("cylinder.spool")) < 1e-3);
  CHECK(r.last("cylinder.push_pressure") == doctest::Approx(50e5).epsilon(1e-2));
  CHECK(r.last("cylinder.pull_pressure") == doctest::Approx(50e5).epsilon(1e-2));
}

// m x'' = c, T c' = F - c: x'(t) = (F / m) (t - T (1 - e^(-t/T))).
TEST_CASE("A lag actuator accelerates a mass in closed form, and a Maxwell element stands beside it") {
  const std::string force =
      "  push: {type: lag_actuator, joint: guide, time_constant: 0.3 s, force: \"=20[N]\"}\n"
      "  mount: {type: maxwell, from: ground, to: mass, stiffness: 1e-6 N/m, damping: 1 N.s/m}\n";
  const auto r = testing::run_text(sliding("", force, 1), {.outputs = {"guide.*", "push.*", "mount.*"}});
  const double T = 0.3, c = 20 * (1 - std::exp(-1 / T));
  CHECK(std::abs(r.last("push.push") - c) < 1e-4);
  CHECK(std::abs(r.last("push.force") - c) < 1e-4);
  CHECK(std::abs(r.last("guide.displacement_rate") - 20.0 / 50 * (1 - T * (1 - std::exp(-1 / T)))) < 1e-6);
  CHECK(r.last("mount.damper_length") > 0);
}
