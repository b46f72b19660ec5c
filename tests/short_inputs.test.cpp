// Inputs that are shorter than the steps of a model at rest. Each would be missed by integrators that look at the ends of their steps alone.
// What is missed is missed wholly: bounds of some hundred tolerances tell. References: the impulse of a force is the momentum it gives; a base that jumps leaves a mass on a spring swinging about its new place;
// a wheel passes over a bump whether the road or the wheel moves.
#include <cmath>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

TEST_CASE("Short inputs: a blow of 3 ms gives its impulse, with every solver") {
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r = testing::run_text(
        "skyhook: 1\ngravity: off\nbodies: {m: {mass: 1}}\njoints: {s: {type: prismatic, from: ground, to: m, axis: "
        "x}}\n"
        "forces: {blow: {type: force, joint: s, value: \"=t > 1.513[s] and t < 1.516[s] ? "
        "1[N.s]*pi/6[ms]*sin(pi*(t-1.513[s])/3[ms]) : 0[N]\"}}\noutputs: [s.displacement_rate]\n"
        "experiments: {e: {until: 5 s, tolerance: 1e-6, solver: " +
        solver + "}}\n");
    CHECK(std::abs(r.last("s.displacement_rate") - 1) < 2e-4);
  }
}

// x'' = -w^2 (x - u): behind a step of u at t0 the spring is stretched by -u cos(w (t - t0)), but for (w times its duration)^2.
TEST_CASE("Short inputs: a base that moves by 20 mm within a moment, with every solver") {
  for (const char* drive : {"20[mm]*ramp(t,1.013[s],1.014[s])", "10[mm]*(1+tanh((t-1.0135[s])/1e-5[s]))"}) {
    CAPTURE(drive);
    for (const std::string& solver : simulation::usable_solvers()) {
      CAPTURE(solver);
      const auto r = testing::run_text(
          "skyhook: 1\ngravity: off\nbodies: {base: {mass: 1}, m: {mass: 1, at: [0, 0, 0.1]}}\n"
          "joints: {b: {type: prismatic, from: ground, to: base, axis: z, drive: \"=" +
          std::string(drive) +
          "\"}, g: {type: prismatic, from: base, to: m, axis: z}}\n"
          "forces: {k: {type: spring_damper, joint: g, stiffness: 400 N/m}}\noutputs: [g.displacement]\n"
          "experiments: {e: {until: 2 s, tolerance: 1e-7, solver: " +
          solver + "}}\n");
      CHECK(std::abs(r.last("g.displacement") + 0.02 * std::cos(20 * (2 - 1.0135))) < 300 * 1e-7);
    }
  }
}

TEST_CASE("Short inputs: a bump in the road is met where the road moves and where the wheel does") {
  const auto height = [](bool road_moves, const std::string& solver) {
    const std::string speed = road_moves ? ", speed: 20 m/s" : "";
    const std::string rate = road_moves ? "" : ", rate: 20 m/s";
    const auto r = testing::run_text(
        "skyhook: 1\nbodies: {c: {mass: 1, at: [0, 0, 0.3]}, w: {mass: 40, at: [0, 0, 0.3]}}\n"
        "joints: {p: {type: prismatic, from: ground, to: c, axis: x" +
        rate +
        "}, z: {type: prismatic, from: c, to: w, axis: z, displacement: -1.962 mm}}\n"
        "forces: {t: {type: tyre_vertical, from: ground, to: w, radius: 0.3, stiffness: 200 kN/m, damping: 100 N.s/m" +
        speed +
        ", profile: \"=30[mm]*exp(-((x-40.7[m])/0.2[m])^2)\"}}\noutputs: [w.z]\n"
        "experiments: {e: {until: 5 s, output_step: 10 ms, tolerance: 1e-7, solver: " +
        solver + "}}\n");
    double most = 0;
    for (std::size_t k = 0; k < r.sink.channels.size(); ++k) most = std::max(most, r.at(k, "w.z"));
    return most;
  };
  const double reference = height(true, "dopri5");
  CHECK(reference > 0.31);
  for (const std::string solver : {"ida", "bdf", "radau5", "dopri5", "adams", "hem5"}) {
    CAPTURE(solver);
    CHECK(std::abs(height(true, solver) - reference) < 1e-5);
    CHECK(std::abs(height(false, solver) - reference) < 1e-5);
  }
}
