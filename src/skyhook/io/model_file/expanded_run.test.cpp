// The expanded model is the model: its run is the same, bit for bit. Also the car that shows templates and mirrors.
#include <cmath>
#include <filesystem>
#include <map>

#include "skyhook/io/model_file/reader.testing.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"

using namespace skyhook;
using namespace skyhook::io;
namespace fs = std::filesystem;

namespace {

simulation::MemorySink run(const model::Model& m, model::Experiment experiment) {
  auto prepared = simulation::prepare(std::make_shared<model::Model>(m), experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  simulation::MemorySink sink;
  simulation::simulate(prepared, experiment, sink);
  REQUIRE_MESSAGE(sink.summary.status == simulation::RunStatus::finished, sink.summary.reason);
  return sink;
}

const model::Experiment* simulation_of(const model::Model& m) {
  for (const model::Experiment& e : m.experiments) {
    if (e.analysis == "simulate") return &e;
  }
  return nullptr;
}

void check_same_run(const model::Model& m, model::Experiment experiment) {
  const model::Model again = read_model_text(m.expanded, m.file, {}, experiment.name);
  experiment.until = experiment.from_time + 0.05 * (experiment.until - experiment.from_time);
  experiment.output_step = 0.25 * (experiment.until - experiment.from_time);
  const auto a = run(m, experiment), b = run(again, experiment);
  CHECK(a.time == b.time);
  CHECK(a.states == b.states);
  CHECK(a.channels == b.channels);
}

double channel(const simulation::MemorySink& r, std::size_t sample, const std::string& name) {
  const int k = r.find(name);
  REQUIRE_MESSAGE(k >= 0, "no channel " << name);
  return r.channels[sample][static_cast<std::size_t>(k)];
}

}  // namespace

TEST_CASE("Expanded models run as the models themselves") {
  int models = 0;
  for (const char* folder : {"/models", "/docs/examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(std::string(SKYHOOK_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".yaml") continue;
      CAPTURE(entry.path().string());
      const model::Model first = read_model(entry.path().string());
      const model::Experiment* experiment = simulation_of(first);
      if (!experiment || entry.path().stem().string().find("_plugin") != std::string::npos)
        continue;  // its library is built by tests/plugin.test.cpp
      check_same_run(read_model(entry.path().string(), {}, experiment->name), *experiment);
      ++models;
    }
  }
  CHECK(models >= 14);
}

TEST_CASE("A model with templates, mirror, repeats, if, include and tables runs as its expanded form") {
  const std::map<std::string, std::string> files{
      {"part.yaml",
       "skyhook: 1\nparameters: {n: 3}\ntemplates:\n  chain:\n    parameters: {x: 0, k: 5}\n    bodies: "
       "{\"l[i=1..n]\": "
       "{mass: =i, inertia: [1, 1, 1], at: [=x, =i, 0.1], com: [=x+0.1, =i+0.5, 0]}}\n    joints: {\"j[1]\": {type: "
       "cylindrical, from: ground, to: \"l[1]\", axis: [1, 0.2, 0], angle: 0.1}, \"j[i=2..n]\": {type: revolute, from: "
       "\"l[i-1]\", to: \"l[i]\", axis: [1, 0, 0.3]}}\n    forces: {s: {type: spring_damper, joint: \"j[1].angle\", "
       "moment: {table: [[-1, -20], [0, 1], [1, 30]]}}, t: {if: =k > 3, type: torque, joint: \"j[1].angle\", value: "
       "\"=k*1[N.m]*cos(t/1[s]) - 1[N.m]*q^2\"}, d: {type: spring_damper, joint: \"j[1].displacement\", stiffness: "
       "100}}\n"
       "    initial: {\"j[i=1..n].angle_rate\": =0.1*i}\n"},
      {"m.yaml",
       "skyhook: 1\ninclude: part.yaml\nparameters: {n: 2}\nuse: {left: {template: chain, k: 7}, \"right[i=1..2]\": "
       "{template: chain, x: =i, mirror: y, move: [0, -1, =i]}, off: {template: chain, if: false}}\nexperiments: {e: "
       "{until: 4}}\n"}};
  const ReadOptions options{{}, [&](const std::string& path) { return std::optional(files.at(path)); }};
  const model::Model m = read_model_text(files.at("m.yaml"), "m.yaml", {}, "e", options);
  CHECK(m.bodies.size() == 6);
  check_same_run(m, m.experiments[0]);
}

namespace {

const std::string car = SKYHOOK_SOURCE_DIR "/models/car/four_post.yaml";

simulation::MemorySink heave(const std::vector<Setting>& settings) {
  const model::Model m = read_model(car, settings, "heave");
  model::Experiment experiment = m.experiments[0];
  experiment.until = 2.0;
  experiment.output_step = 0.1;
  experiment.tolerance = 1e-8;
  experiment.outputs = {{"", "*", {}}};
  return run(m, experiment);
}

// Largest distance of a body on the right from the mirror image of its partner on the left, over the run.
double asymmetry(const simulation::MemorySink& r) {
  double largest = 0;
  for (std::size_t i = 0; i < r.time.size(); ++i) {
    for (const std::string axle : {"front", "rear"}) {
      for (const std::string body : {".wheel", ".upright", ".lower_arm", ".upper_arm"}) {
        const std::string left = axle + ".left" + body, right = axle + ".right" + body;
        const double x = channel(r, i, left + ".x") - channel(r, i, right + ".x");
        const double y = channel(r, i, left + ".y") + channel(r, i, right + ".y");
        const double z = channel(r, i, left + ".z") - channel(r, i, right + ".z");
        largest = std::max({largest, std::abs(x), std::abs(y), std::abs(z)});
      }
    }
  }
  return largest;
}

}  // namespace

// Reference: symmetry. Without anti-roll bars every number on the right is computed as on the left but for signs, so what
// is left is rounding (measured 1e-12 m). The bars hang on the left in the tree and are cut on the right: there the
// symmetry is as good as the constraints (1e-8).
TEST_CASE("The car on four posts: left and right are mirror images in heave, to rounding") {
  CHECK(asymmetry(heave({{"with_arb", "false"}})) < 1e-11);
  CHECK(asymmetry(heave({})) < 1e-8);
}

TEST_CASE("The car on four posts: it follows the posts, and the books of energy close") {
  CHECK(read_model(car).bodies.size() == 26);
  CHECK(read_model(car, {{"with_arb", "false"}}, "roll").bodies.size() == 22);
  const auto r = heave({});
  double energy = 0, lift = 0;
  for (std::size_t i = 0; i < r.time.size(); ++i) {
    energy = std::max(energy, std::abs(channel(r, i, "energy.balance")));
    lift = std::max(lift, std::abs(channel(r, i, "car.z") - 0.55));
    CHECK(std::abs(channel(r, i, "car.y")) < 1e-6);
  }
  CHECK(energy < 0.01);  // J; a heave of 30 mm lifts 1.4 t by 400 J
  CHECK(lift > 0.02);
  CHECK(lift < 0.1);
}
