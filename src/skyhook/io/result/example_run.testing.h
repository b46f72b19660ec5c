// A small run with known numbers, for the tests of this folder.
#pragma once
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/io/result/writer.h"

namespace skyhook::io::example {

// A file name in the system's temporary folder, removed at the end of the test.
struct TemporaryFile {
  std::filesystem::path path;
  explicit TemporaryFile(const std::string& ending = ".h5") {
    static int count = 0;
    const std::string name = "skyhook_test_" + std::to_string(getpid()) + "_" + std::to_string(++count) + ending;
    path = std::filesystem::temp_directory_path() / name;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
    std::filesystem::remove(part(), ignored);
  }
  std::filesystem::path part() const { return path.string() + ".part"; }  // while a result is written
  operator const std::filesystem::path&() const { return path; }
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What a ModelError says that `action` throws.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline simulation::RunInfo info() {
  simulation::RunInfo info;
  info.model_name = "half_car";
  info.model_file = "models/half car.yaml";
  info.experiment = "bump";
  info.formulation = "ggl";
  info.solver = "ida";
  info.jacobian = "exact";
  info.source = "skyhook: 1\nname: half_car  # \u03c9\n";
  info.expanded = "skyhook: 1\n";
  info.parameters = {{"mass", "730 kg"}, {"empty", ""}};
  info.tolerance = 1e-6;
  info.t_start = 0;
  info.t_end = 1;
  info.channels = {{"chassis.z", "m"}, {"strut.force", "N"}, {"cubic", "-"}};
  info.states = {{"heave.z", "m"}, {"heave.vz", "m/s"}};
  info.bodies = {{"chassis", 730}, {"wheel", 40}};
  info.joints = {"heave"};
  info.forces = {"strut", "tyre \"left\""};
  info.scene = R"({"bodies":[{"name":"chassis \u00e9","at":[0,0,1e-300]}]})";
  info.constraints = {"loop.x", "loop.y"};
  info.report = {"2 degrees of freedom", "", "no redundant constraint"};
  return info;
}

// The numbers of one sample of `info()`: smooth functions of time with their exact rates, and an offset to tell
// the sides of an event apart.
struct Numbers {
  std::vector<double> y, yp, poses, channels, rates, reactions, forces, residuals;
  double t;
  int side;
  explicit Numbers(double time, int which = 0, double jump = 0) : t(time), side(which) {
    y = {std::sin(3 * t), 3 * std::cos(3 * t)};
    yp = {3 * std::cos(3 * t), -9 * std::sin(3 * t)};
    channels = {std::sin(3 * t), 1000 * std::exp(-t) + jump, t * t * t - 2 * t * t + 0.1};
    rates = {3 * std::cos(3 * t), -1000 * std::exp(-t), 3 * t * t - 4 * t};
    for (int i = 0; i < 14; ++i) poses.push_back(t + i / 3.0);
    for (int i = 0; i < 6; ++i) reactions.push_back(100 * t - i / 7.0);
    for (int i = 0; i < 12; ++i) forces.push_back(i == 7 ? std::nan("") : 20 * t + i / 9.0);
    residuals = {1e-9 * t, -1e-8 * t, 5e-324, -0.0};
  }
  simulation::Sample sample() const { return {t, y, yp, poses, channels, rates, reactions, forces, residuals, side}; }
};

inline simulation::RunSummary summary() {
  simulation::RunSummary summary;
  summary.status = simulation::RunStatus::failed;
  summary.reason = "Step size fell below 1e-12 s at t = 1 s.\nLargest residual: force of damper_fl.";
  summary.t_reached = 1.0 / 3;
  summary.cost = {101, 2, 3, 404, 55, 6, 77, 888, 0.125, 9, 33};
  summary.samples = 40, summary.events = 1;
  summary.seconds = 0.25;
  summary.energy_closure = 1e-7;
  summary.position_residual = 2e-9;
  summary.velocity_residual = 3e-8;
  summary.limits = {{"heave.z", "heave", 90}, {"heave.vz", "", 11}};
  return summary;
}

// n samples on [0, 1]; `change` may alter each before it is written.
template <class Change>
void write(const std::filesystem::path& path, int n, Change&& change) {
  ResultWriter writer(path);
  writer.begin(info());
  for (int i = 0; i < n; ++i) {
    Numbers numbers(i / (n - 1.0));
    change(numbers);
    writer.sample(numbers.sample());
    writer.step({numbers.t, 0.01, 1 + i % 5, i % 2});
  }
  writer.event({0.5, "touchdown", "wheel on road", "tyre", "switching"});
  writer.end(summary());
}

inline void write(const std::filesystem::path& path, int n = 11) {
  write(path, n, [](Numbers&) {});
}

}  // namespace skyhook::io::example
