// Sensors, forces as vectors, and the list of channels before a run. References: closed forms of driven motions, Newton's law with
// the recorded vectors, and what the messages should say.
#include <cmath>

#include "program.testing.h"
#include "run_model.testing.h"

using namespace skyhook;
using doctest::Approx;
using testing::has;

namespace {

Vec3d vector(const testing::Run& run, std::size_t i, const std::string& stem) {
  return {run.at(i, stem + "x"), run.at(i, stem + "y"), run.at(i, stem + "z")};
}

std::string message_of(const std::string& text) {
  try {
    const auto loaded = testing::load_text(text);
    simulation::MemorySink sink;
    simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, sink);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

// A crank that turns at 3 rad/s about z, its tip 0.5 m out; a slider that moves along x with 2 m/s.
std::string crank(const std::string& more) {
  return "skyhook: 1\ngravity: off\n"
         "bodies:\n"
         "  crank: {mass: 1, inertia: [1, 1, 1], markers: {tip: {at: [0.5, 0, 0]}}}\n"
         "  slider: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0.2]}\n"
         "joints:\n"
         "  hinge: {type: revolute, from: ground, to: crank, axis: z, drive: \"=3*t/1[s]\"}\n"
         "  guide: {type: prismatic, from: ground, to: slider, axis: x, drive: \"=2[m/s]*t\"}\n" +
         more + "experiments: {run: {until: 2 s, output_step: 100 ms}}\n";
}

}  // namespace

TEST_CASE("A sensor tells position and rates of one marker from another in the axes of a third") {
  const auto run =
      testing::run_text(crank("sensors:\n"
                              "  in_ground: {from: slider, to: crank.tip, in: ground}\n"
                              "  in_crank: {from: ground, to: crank.tip, in: crank}\n"
                              "  gap: {from: crank.tip, to: slider}\n"
                              "  gyro: {from: ground, to: crank, in: {body: crank, orientation: {x: z, y: x}}}\n"
                              "outputs: [\"in_ground.*\", \"in_crank.*\", \"gap.*\", \"gyro.w?\"]\n"));
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const double t = run.sink.time[i], c = std::cos(3 * t), s = std::sin(3 * t);
    const Vec3d r{0.5 * c - 1 - 2 * t, 0.5 * s, -0.2}, v{-1.5 * s - 2, 1.5 * c, 0};
    CHECK(norm(vector(run, i, "in_ground.") - r) < 1e-12);
    CHECK(norm(vector(run, i, "in_ground.v") - v) < 1e-12);
    CHECK(std::abs(run.at(i, "in_ground.distance") - norm(r)) < 1e-12);
    CHECK(std::abs(run.at(i, "in_ground.distance_rate") - dot(r, v) / norm(r)) < 1e-12);
    CHECK(norm(vector(run, i, "in_crank.") - Vec3d{0.5, 0, 0}) < 1e-12);  // its axes turn along:
    CHECK(norm(vector(run, i, "in_crank.v")) < 1e-12);                    // nothing moves in them
    // In axes of the crank, which is the default: r and its rate, turned back by 3 t.
    const Vec3d q{-(c * r.x + s * r.y), s * r.x - c * r.y, 0.2};
    const Vec3d rate{-(c * v.x + s * v.y) + 3 * q.y, s * v.x - c * v.y - 3 * q.x, 0};
    CHECK(norm(vector(run, i, "gap.") - q) < 1e-12);
    CHECK(norm(vector(run, i, "gap.v") - rate) < 1e-11);
    CHECK(norm(vector(run, i, "gyro.w") - Vec3d{3, 0, 0}) < 1e-12);  // x of these axes is z
  }
}

TEST_CASE("Sensors stand in templates, are mirrored with them, written out by expand, and read by controllers") {
  const std::string text =
      "skyhook: 1\ngravity: off\n"
      "templates:\n  side:\n"
      "    bodies: {arm: {mass: 1, inertia: [1, 1, 1], at: [0, 0.5, 0], orientation: {x: [1, 0.3, 0], y: y}}}\n"
      "    markers: {tip: {body: arm, at: [0.4, 0.9, 0.1]}}\n"
      "    joints: {hinge: {type: revolute, from: ground, to: arm, axis: x, drive: \"=0.5*sin(t/1[s])\"}}\n"
      "    sensors: {reach: {from: arm, to: tip, in: arm}, height: {from: ground, to: tip}}\n"
      "    outputs: {tip: reach.x, all: \"height.*\"}\n"
      "use: {left: {template: side}, right: {template: side, mirror: y}}\n"
      "controllers: {c: {type: expression, sample_time: 1 s, inputs: {d: left.height.distance}, outputs: {y: =d}}}\n"
      "bodies: {weight: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {slide: {type: prismatic, from: ground, to: weight, axis: x, rate: 1 m/s}}\n"
      "experiments: {run: {until: 2 s, output_step: 0.25 s}}\n";
  auto loaded = testing::load_text(text);
  const auto first = testing::run(loaded);
  const auto again = testing::run(testing::load_text(loaded.model->expanded));
  CHECK(first.sink.channels == again.sink.channels);
  for (std::size_t i = 0; i < first.sink.time.size(); ++i) {
    CHECK(first.at(i, "left.tip") == Approx(first.at(i, "right.tip")));
    CHECK(first.at(i, "left.all.distance") == Approx(first.at(i, "right.all.distance")));
    CHECK(first.at(i, "left.all.vy") == Approx(-first.at(i, "right.all.vy")));
    CHECK(first.at(i, "left.all.vz") == Approx(first.at(i, "right.all.vz")));
  }
}

// Newton's law for a body that hangs on a rod, a spring with damper, a Maxwell element and a bushing, with the vectors that each
// records: on `to`, so with the opposite sign where the body is `from`.
TEST_CASE("Forces of rods, springs, dampers and bushings as vectors: they move the body") {
  const auto run = testing::run_text(
      "skyhook: 1\n"
      "bodies: {load: {mass: 3 kg, inertia: [0.1, 0.2, 0.3], at: [0.1, 0.2, -1]}}\n"
      "joints:\n"
      "  free: {type: free, from: ground, to: load}\n"
      "  rod: {type: rod, from: ground, to: load, from_at: [0, 0, 0], to_at: [0.1, 0.2, -1]}\n"
      "  stay: {type: rod, from: load, to: ground, from_at: [0.1, 0.2, -1], to_at: [1, 0.3, 0.4]}\n"
      "forces:\n"
      "  spring: {type: spring_damper, from: ground, to: load, from_at: [0, 1, 0], to_at: [0.1, 0.3, -1], stiffness: "
      "80, "
      "damping: 3}\n"
      "  back: {type: spring_damper, from: load, to: ground, from_at: [0.2, 0.2, -1], to_at: [0, -1, 0.5], stiffness: "
      "50}\n"
      "  soft: {type: maxwell, from: ground, to: load, from_at: [1, 1, -1], to_at: [0.1, 0.2, -0.9], stiffness: 60, "
      "damping: 5}\n"
      "  mount: {type: bushing, from: {body: ground, at: [0.1, 0.2, -1], orientation: {x: [1, 1, 0], y: z}}, to: load, "
      "to_at: [0.1, 0.2, -1], stiffness: [10, 20, 30], angular_stiffness: [1, 1, 1]}\n"
      "outputs: [\"*.force_?\", \"*.force\", \"load.a?\", \"load.?\", \"mount.f?\"]\n"
      "experiments: {run: {until: 2 s, output_step: 50 ms, tolerance: 1e-8}}\n");
  double largest = 0;
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const auto force = [&](const char* name) { return vector(run, i, std::string(name) + ".force_"); };
    const Vec3d sum = force("rod") - force("stay") + force("spring") - force("back") + force("soft") + force("mount");
    const Vec3d a = vector(run, i, "load.a");
    CHECK(norm(3.0 * a - sum - Vec3d{0, 0, -3 * 9.81}) < 1e-9);
    CHECK(norm(force("rod")) == Approx(std::abs(run.at(i, "rod.force"))));
    CHECK(norm(force("spring")) == Approx(std::abs(run.at(i, "spring.force"))));
    // Tension pulls `to` towards `from`, which is the origin.
    CHECK(dot(force("rod"), vector(run, i, "load.")) ==
          Approx(-run.at(i, "rod.force") * norm(vector(run, i, "load."))));
    CHECK(norm(force("mount")) == Approx(norm(vector(run, i, "mount.f"))));  // the same in axes of `from`
    largest = std::max(largest, norm(force("mount") - vector(run, i, "mount.f")));
  }
  CHECK(largest > 0.1);
}

TEST_CASE("A misspelt channel lists the nearest, not the first") {
  const std::string many =
      "skyhook: 1\nbodies:\n  arm[i=1..9]: {mass: 1, inertia: [1, 1, 1], at: [=i, 0, 0]}\n"
      "joints:\n  hinge[i=1..9]: {type: revolute, from: ground, to: \"arm[i]\", axis: y}\n";
  const std::string message = message_of(many +
                                         "outputs: [\"hinge[7].angle_rat\", \"arm[8].heading\"]\n"
                                         "experiments: {run: {until: 1 s}}\n");
  CHECK(has(message, "Did you mean \"hinge[7].angle_rate\"? Channels, nearest first: hinge[7].angle_rate, "));
  CHECK(has(message, ", hinge[7].angle, "));
  CHECK(has(message, "output \"arm[8].heading\" matches no channel."));
  CHECK(has(message, "nearest first: arm[8]."));
  CHECK(has(message, "`skyhook channels MODEL` lists all"));
  const std::string wheel = message_of(many + "outputs: [\"arm[2].camber\"]\nexperiments: {run: {until: 1 s}}\n");
  CHECK(has(wheel, "Only wheels have it: give the body \"arm[2]\" the line `wheel: {}`."));
}

TEST_CASE("A formula without a name is told to need one") {
  const std::string message = message_of(
      "skyhook: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}}\n"
      "joints: {h: {type: revolute, from: ground, to: a, axis: y, at: [0, 0, 0]}}\n"
      "outputs: [\"=a.z*2\"]\nexperiments: {run: {until: 1 s}}\n");
  CHECK(has(message, "outputs: \"=a.z*2\" is a formula without a name."));
}

TEST_CASE("A wheel that turns over warns where its Cardan angles jump, and not where they do not") {
  const auto rolling = [](const char* outputs, const char* rate) {
    return testing::run_text(
        std::string("skyhook: 1\ngravity: off\n"
                    "bodies: {wheel: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0], wheel: {}}}\n"
                    "joints: {bearing: {type: revolute, from: ground, to: wheel, axis: y, rate: ") +
        rate + "}}\noutputs: " + outputs + "\nexperiments: {run: {until: 1 s, output_step: 10 ms}}\n");
  };
  const auto warned = [](const testing::Run& run) {
    return std::ranges::count(run.sink.summary.warnings, "gimbal", &Warning::name);
  };
  CHECK(warned(rolling("[wheel.angle_y]", "20 rad/s")) == 1);
  CHECK(warned(rolling("[wheel.roll]", "20 rad/s")) == 1);
  CHECK(warned(rolling("[wheel.camber, wheel.spin, wheel.steer, wheel.qy, bearing.angle]", "20 rad/s")) == 0);
  CHECK(warned(rolling("[wheel.angle_y]", "1.5 rad/s")) == 0);  // 86 degrees in the end
}

TEST_CASE("channels: what can be recorded, before a run") {
  const testing::Place at;
  at.write("m.yaml",
           "skyhook: 1\nparameters: {n: 1}\n"
           "bodies:\n  wheel: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0], wheel: {}}\n"
           "  more[i=1..n]: {mass: 1, inertia: [1, 1, 1]}\n"
           "joints:\n  hinge: {type: revolute, from: ground, to: wheel, axis: y}\n"
           "  slide[i=1..n]: {type: prismatic, from: ground, to: \"more[i]\", axis: x}\n"
           "forces: {spring: {type: spring_damper, from: ground, to: wheel, from_at: [0, 0, 1], stiffness: 1}}\n");
  const auto all = at.run("channels m.yaml");
  CHECK(all.code == 0);
  for (const char* part : {"wheel.camber", "top outwards positive", "wheel.qw", "hinge.angle_rate", "rad/s",
                           "spring.force_x", "spring.force ", "positive in tension", "energy.balance"})
    CHECK(has(all.out, part));
  const auto some = at.run("channels m.yaml 'wheel.*' hinge.angle --json");
  CHECK(some.code == 0);
  CHECK(at.json("all(x['channel'].startswith('wheel.') or x['channel'] == 'hinge.angle' for x in d)"));
  CHECK(at.json("{'channel': 'wheel.toe_rate', 'unit': 'rad/s', 'meaning': 'rate of toe'} in d"));
  CHECK(at.json("all(x['meaning'] and x['unit'] for x in d)"));
  CHECK(has(at.run("channels m.yaml --set n=3").out, "more[3].x"));
  const auto wrong = at.run("channels m.yaml wheel.cambre");
  CHECK(wrong.code == 2);
  CHECK(has(wrong.err, "\"wheel.cambre\" matches no channel."));
  CHECK(has(wrong.err, "Did you mean \"wheel.camber\"?"));
}
