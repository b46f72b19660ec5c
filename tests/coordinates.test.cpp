// One model file in the coordinates of joints and in absolute ones: the same motion, reactions and channels. `make bench` does this
// with 200 random models.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/formalism/topology.h"
#include "skyhook/io/random/both_coordinates.testing.h"
#include "skyhook/io/random/random_mechanism.testing.h"

using namespace skyhook;

namespace {

void check_same(const std::string& text) {
  const auto both = io::testing::try_both_coordinates(text);
  CHECK_MESSAGE(both.skipped.empty(), both.skipped);
  CHECK(both.share == 1);  // turns are counted over the whole run
  CHECK_MESSAGE(both.is_same(), both.worst_motion << " differs by " << both.motion << ", " << both.worst_load << " by "
                                                  << both.loads << ". " << both.problem);
}

}  // namespace

TEST_CASE("Random models: absolute coordinates tell the same as those of joints") {
  int skipped = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto both = io::testing::try_both_coordinates(text_of(io::testing::random_mechanism(seed)));
    skipped += !both.skipped.empty();
    CHECK_MESSAGE(both.is_same(), both.worst_motion << " differs by " << both.motion << ", " << both.worst_load
                                                    << " by " << both.loads << ". " << both.problem);
  }
  CHECK(skipped == 0);
}

// Shafts that go round ten times, by gears of a ratio that is no whole number: an angle that is known within half a turn would jump.
TEST_CASE("Absolute coordinates count turns: gears, drives, springs and couplers of shafts that go round") {
  check_same(R"yaml(skyhook: 1
bodies:
  a: {mass: 1, inertia: [0.02, 0.02, 0.02], at: [0, 0, 0]}
  b: {mass: 1, inertia: [0.03, 0.03, 0.03], at: [1, 0, 0]}
  c: {mass: 1, inertia: [0.03, 0.03, 0.03], at: [2, 0, 0], com: [2, 0, -0.05]}
joints:
  A: {type: revolute, from: ground, to: a, axis: y, drive: "=20[rad/s]*t"}
  B: {type: revolute, from: ground, to: b, axis: y, angle: 800 deg}
  C: {type: revolute, from: ground, to: c, axis: y}
  g: {type: gear, joint_1: B, joint_2: A, ratio: -1.37}
forces:
  shaft: {type: torque, joint: C, value: "=0.2[N.m]*(12 - q) - 0.01[N.m.s]*qd"}
experiments: {run: {until: 3}}
)yaml");
}

TEST_CASE("Absolute coordinates: drives and couplers of sliders, universal joints and planes") {
  check_same(R"yaml(skyhook: 1
bodies:
  a: {mass: 1, inertia: [0.02, 0.03, 0.04], at: [0, 0, 0]}
  b: {mass: 2, inertia: [0.03, 0.05, 0.02], at: [1, 0, 0], com: [1.1, 0.1, -0.2]}
  c: {mass: 1, inertia: [0.03, 0.02, 0.03], at: [2, 0, 0], com: [2.1, 0, -0.1]}
joints:
  A: {type: prismatic, from: ground, to: a, axis: [1, 1, 0], drive: "=0.1[m]*sin(5[1/s]*t)"}
  B: {type: universal, from: a, to: b, axis_1: y, axis_2: x, angle_1: 20 deg, angle_2_rate: 2 rad/s}
  C: {type: cylindrical, from: b, to: c, axis: [0, 1, 1], angle_rate: 3 rad/s, displacement: 50 mm}
  g: {type: coupler, coordinate_1: C.displacement, coordinate_2: B.angle_1, ratio_2: 0.03, coordinate_3: C.angle, ratio_3: 0.01}
experiments: {run: {until: 1}}
)yaml");
}

TEST_CASE("A chain of links chooses absolute coordinates by itself, a pendulum those of joints") {
  const auto chain = [](int links) {
    return testing::load_text(fmt::format(R"yaml(skyhook: 1
coordinates: auto
bodies:
  link[i=1..{0}]: {{mass: 1, inertia: [0.1, 0.1, 0.1], at: ["=i*1[m]", 0, 0]}}
joints:
  first: {{type: revolute, from: ground, to: "link[1]", at: [0, 0, 0], axis: y}}
  hinge[i=2..{0}]: {{type: revolute, from: "link[i-1]", to: "link[i]", at: ["=(i-1)*1[m]", 0, 0], axis: y}}
experiments: {{run: {{until: 0.1}}}}
)yaml",
                                          links))
        .model;
  };
  CHECK(!formalism::choose_tree(*chain(3)).any_absolute);
  CHECK(formalism::choose_tree(*chain(1000)).any_absolute);
}

namespace {

// With events that read the model again in the same coordinates.
testing::Run run_in(testing::Loaded loaded, model::Coordinates coordinates) {
  loaded.model->coordinates = coordinates;
  loaded.options.reread = [before = loaded.options.reread, coordinates](const auto& changes) {
    auto model = std::make_shared<model::Model>(*before(changes));
    model->coordinates = coordinates;
    return model;
  };
  return testing::run(loaded);
}

testing::Loaded begin_of(const std::string& name) {
  testing::Loaded loaded = testing::load(name, {.tolerance = 1e-8, .outputs = {"*.x", "*.y", "*.z"}});
  model::Experiment& e = loaded.experiment;
  e.solver = "radau5", e.until = e.from_time + 0.05 * (e.until - e.from_time), e.output_step = 0;
  return loaded;
}

}  // namespace

// Two routes: the rope by itself and the rest by joints, as the file says, and all by joints.
TEST_CASE("A crane with its rope in absolute coordinates moves as one in those of its joints") {
  testing::Loaded mixed = begin_of("mechanisms/crane"), joint = begin_of("mechanisms/crane");
  for (model::Body& body : joint.model->bodies) body.coordinates.reset();
  mixed.experiment.until = joint.experiment.until = 1;
  const formalism::Topology topology = formalism::choose_tree(*mixed.model);
  CHECK(topology.any_absolute);
  CHECK(std::ranges::count(topology.links, -1, &formalism::TreeLink::joint) ==
        7);  // six links, and the load on cut joints alone
  CHECK(std::ranges::count(topology.links, 2, &formalism::TreeLink::depth) == 1);  // the trolley on the jib
  CHECK(!formalism::choose_tree(*joint.model).any_absolute);
  const testing::Run a = run_in(joint, model::Coordinates::joint), b = run_in(mixed, model::Coordinates::joint);
  REQUIRE(a.sink.time.size() == b.sink.time.size());
  CHECK(std::abs(a.last("load.y")) > 0.01);
  for (const auto& channel : a.sink.info.channels) {
    if (channel.unit != "m") continue;
    CHECK_MESSAGE(std::abs(a.last(channel.name) - b.last(channel.name)) < 1e-6, channel.name);
  }
}

// Two routes to one motion: of 128 hinges in a row the matrix of one step does not serve the next, of 128 bodies by themselves it does.
TEST_CASE(
    "A long chain on which Newton's method fails in joint coordinates says so, and absolute ones need fewer matrices") {
  const auto run = [](model::Coordinates coordinates) {
    testing::Loaded loaded =
        testing::load("mechanisms/chain", {.set = {{"N", "128"}}, .until = 0.05, .outputs = {"link[127].x"}});
    loaded.experiment.solver = "bdf/ggl";
    return run_in(loaded, coordinates);
  };
  const auto warns = [](const testing::Run& r) {
    return std::ranges::count(r.sink.summary.warnings, "long_chain", &Warning::name);
  };
  const testing::Run joint = run(model::Coordinates::joint), absolute = run(model::Coordinates::absolute);
  CHECK(warns(joint) == 1);
  CHECK(warns(absolute) == 0);
  CHECK(joint.sink.summary.cost.jacobians > 5 * absolute.sink.summary.cost.jacobians);
  CHECK(std::abs(joint.last("link[127].x") - absolute.last("link[127].x")) < 1e-4);  // errors of 1e-6 rad on 64 m
}

// Two routes at every sample, accelerations of a joint from the ground among them: samples may begin with a guess of what they solve for, and the ground is at rest in all.
TEST_CASE("Accelerations of cut joints from the ground are those of joint coordinates at every sample") {
  const std::string text = R"yaml(
skyhook: 1
bodies:
  crank: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0], com: [0.1, 0, 0]}
  rod: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [0.2, 0, 0], com: [0.1, 0, 0.3]}
  slider: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.6]}
joints:
  a: {type: revolute, from: ground, to: crank, at: [0, 0, 0], axis: y}
  b: {type: revolute, from: crank, to: rod, at: [0.2, 0, 0], axis: y}
  c: {type: revolute, from: rod, to: slider, at: [0, 0, 0.6], axis: y}
  d: {type: prismatic, from: ground, to: slider, at: [0, 0, 0.6], axis: z}
outputs: [d.displacement_acceleration, d.force, a.force]
experiments: {go: {until: 1 s, output_step: 5 ms, tolerance: 1e-9, solver: bdf}}
)yaml";
  const testing::Run joint = run_in(testing::load_text(text), model::Coordinates::joint),
                     absolute = run_in(testing::load_text(text), model::Coordinates::absolute);
  REQUIRE(joint.sink.time.size() == absolute.sink.time.size());
  double most = 0;
  for (std::size_t k = 0; k < joint.sink.time.size(); ++k) {
    const double a = joint.at(k, "d.displacement_acceleration");
    most = std::max(most, std::abs(a));
    CHECK(std::abs(a - absolute.at(k, "d.displacement_acceleration")) < 1e-4 * (1 + std::abs(a)));
  }
  CHECK(most > 5);
}
