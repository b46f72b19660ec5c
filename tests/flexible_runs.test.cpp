// Flexible bodies of beams in motion, against the full finite elements and beam theory.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "run_model.testing.h"
#include "skyhook/flexible/part_options.h"
#include "skyhook/io/model_file/flexible_parts.h"

using namespace skyhook;

namespace {

// A cantilever of steel along x, 1 m, 20 mm wide and 10 mm high.
constexpr double young = 2.1e11, density = 7850, area = 2e-4, second_moment = 0.02 * 1e-6 / 12;

std::string cantilever(const std::string& flexible, const std::string& rest) {
  return "skyhook: 1\nbodies:\n  rod:\n    flexible:\n      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}\n"
         "      beams: {bar: {from: root, to: tip, elements: 4, material: steel, rectangle: [20 mm, 10 mm], ky: 0, kz: "
         "0}}\n"
         "      tangent: root\n" +
         flexible + "    markers: {tip: {node: tip}}\noutputs: [rod.tip.x, rod.tip.y, rod.tip.z]\n" + rest;
}

}  // namespace

TEST_CASE(
    "Flexible: with all shapes of its mesh a cantilever under a sudden force moves as the full finite elements do") {
  // The force is 1 N, the deflection 1 mm: what is nonlinear is of the order 1e-6. The full model: its modes by superposition, each an oscillator under a step.
  const double ratio = 0.05;
  const std::string text = cantilever(
      "      modes: 1000\n      damping: 0.05\n",
      "gravity: off\njoints: {wall: {type: fixed, from: ground, to: rod, at: [0, 0, 0]}}\n"
      "forces: {push: {type: force, from: ground, to: {body: rod, node: tip}, z: 1 N}}\n"
      "experiments: {e: {until: 0.2 s, output_step: 2 ms, tolerance: 1e-8}}\nignore_warnings: [shapes_left_out]\n");
  const auto run = testing::run_text(text);

  flexible::FeModel fe;
  const auto path = std::filesystem::temp_directory_path() / "skyhook_flexible_runs.yaml";
  std::ofstream(path) << text;
  io::read_flexible_parts(
      path.string(), {}, "", {},
      [&](const std::string&, const flexible::FeModel& mesh, const flexible::ReducedPart&) { fe = mesh; });
  std::filesystem::remove(path);
  const flexible::Vibrations all = flexible::lowest_vibrations(flexible::Compliance::held(fe, {0, 1, 2, 3, 4, 5}), 24);
  const int tip = fe.nodes[1].dof[2];
  for (std::size_t i = 0; i < run.sink.time.size(); i += 7) {
    double z = 0;
    for (int k = 0; k < all.squares.size(); ++k) {
      const double w = std::sqrt(all.squares[k]), wd = w * std::sqrt(1 - ratio * ratio), t = run.sink.time[i];
      z += std::pow(all.shapes(tip, k), 2) / all.squares[k] *
           (1 - std::exp(-ratio * w * t) * (std::cos(wd * t) + ratio * w / wd * std::sin(wd * t)));
    }
    CHECK(run.at(i, "rod.tip.z") == doctest::Approx(z).epsilon(2e-5).scale(1e-3));
  }
}

TEST_CASE("Flexible: a cantilever hangs through under its weight as beam theory says") {
  const auto run = testing::run_text(cantilever("      modes: 4\n      damping: 0.7\n",
                                                "joints: {wall: {type: fixed, from: ground, to: rod, at: [0, 0, "
                                                "0]}}\nexperiments: {e: {until: 1.5 s, tolerance: 1e-8}}\n"));
  const double w =
      density * area *
      9.81;  // N/m; the deflection of 5 mm shortens the beam by 1e-5 of its length, and that changes it by as little
  CHECK(run.last("rod.tip.z") == doctest::Approx(-w / (8 * young * second_moment)).epsilon(1e-4));
}

TEST_CASE("Flexible: a bar that turns is stretched by the centrifugal force") {
  const auto run = testing::run_text(cantilever("      modes: 6\n      damping: 0.7\n",
                                                "gravity: off\njoints: {hub: {type: revolute, from: ground, to: rod, "
                                                "axis: z, at: [0, 0, 0], drive: \"=200[rad/s]*t\"}}\n"
                                                "experiments: {e: {until: 0.5 s, tolerance: 1e-9}}\n"));
  const double stretched = std::hypot(run.last("rod.tip.x"), run.last("rod.tip.y")) - 1;
  CHECK(stretched == doctest::Approx(density * 4e4 / (3 * young))
                         .epsilon(2e-3));  // rho Omega^2 L^3 / (3 E), and 1e-3 more since it is longer then
}
