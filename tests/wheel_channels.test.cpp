// Camber, toe, steer and spin of wheels, and the attitude of bodies. References: closed forms of the driven angles, mirror images,
// and the axis of the wheel by another route.
#include <cmath>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/math/rotation.h"

using namespace skyhook;
using doctest::Approx;

namespace {

constexpr double rounding = 1e-12;

// A car that turns about z, y and x (ISO 8855), and on it a corner: a steering axis, on it one of camber, on it a wheel that
// turns. All angles are driven, so that each is known exactly. `wheel`: fields of the wheel.
std::string car(const std::string& wheel, const std::string& use = "left: {template: corner}") {
  return "skyhook: 1\ngravity: off\n"
         "bodies:\n"
         "  turned: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0.5]}\n"
         "  nodding: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0.5]}\n"
         "  car: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0.5]}\n"
         "joints:\n"
         "  turn: {type: revolute, from: ground, to: turned, axis: z, drive: \"=3*t/1[s] + 0.1\"}\n"
         "  nod: {type: revolute, from: turned, to: nodding, axis: y, drive: \"=0.4*sin(5*t/1[s])\"}\n"
         "  lean: {type: revolute, from: nodding, to: car, axis: x, drive: \"=0.3*sin(7*t/1[s])\"}\n"
         "templates:\n"
         "  corner:\n"
         "    bodies:\n"
         "      fork: {mass: 1, inertia: [1, 1, 1], at: [1, 0.7, 0.3]}\n"
         "      hub: {mass: 1, inertia: [1, 1, 1], at: [1, 0.7, 0.3]}\n"
         "      wheel: {mass: 1, inertia: [1, 1, 1], at: [1, 0.7, 0.3], wheel: {" +
         wheel +
         "}}\n"
         "    joints:\n"
         "      steering: {type: revolute, from: $parent.car, to: fork, axis: z, drive: \"=0.6*sin(2*t/1[s])\"}\n"
         "      camber: {type: revolute, from: fork, to: hub, axis: x, drive: \"=0.2*sin(3*t/1[s])\"}\n"
         "      bearing: {type: revolute, from: hub, to: wheel, axis: y, drive: \"=40*t/1[s]\"}\n"
         "use:\n  " +
         use +
         "\noutputs: [\"*.camber\", \"*.toe\", \"*.steer\", \"*.spin\", \"*.inclination\", \"*.*_rate\", \"car.*\", "
         "\"*.angle_?\", \"*.q?\"]\n"
         "experiments: {run: {until: 5 s, output_step: 20 ms}}\n";
}

// The same, but the car stands still.
std::string standing(std::string car) {
  for (const char* drive : {"=3*t/1[s] + 0.1", "=0.4*sin(5*t/1[s])", "=0.3*sin(7*t/1[s])"})
    car.replace(car.find(drive), std::string(drive).size(), "=0*t/1[s]");
  return car;
}

double driven_steer(double t) { return 0.6 * std::sin(2 * t); }
double driven_lean(double t) { return 0.2 * std::sin(3 * t); }

}  // namespace

// The wheel plane is turned by the steering angle about z of the car and then by the other about its own x: steer and camber are
// these angles, whatever the car does and however the wheel has turned.
TEST_CASE("A wheel's camber, toe and steer are those of its plane, under steer and on a spinning wheel") {
  const auto run = testing::run_text(car("vehicle: $parent.car"));
  double cardan = 0;
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const double t = run.sink.time[i], steer = driven_steer(t), lean = driven_lean(t);
    CAPTURE(t);
    CHECK(std::abs(run.at(i, "left.wheel.steer") - steer) < rounding);
    CHECK(std::abs(run.at(i, "left.wheel.toe") + steer) < rounding);    // left wheel: to the left is outwards
    CHECK(std::abs(run.at(i, "left.wheel.camber") + lean) < rounding);  // about x: the top goes to the right, inwards
    CHECK(std::abs(run.at(i, "left.wheel.steer_rate") - 1.2 * std::cos(2 * t)) < rounding);
    CHECK(std::abs(run.at(i, "left.wheel.camber_rate") + 0.6 * std::cos(3 * t)) < rounding);
    cardan = std::max(cardan, std::abs(run.at(i, "left.wheel.angle_x") - lean));
  }
  CHECK(cardan > 1);  // what a Cardan angle makes of it
}

// Against the ground: heading and lean of the axis n = R y, with R from the recorded quaternion. The spin is what is left of the
// angular velocity along n when the turning of the level line n x z about z is taken away. Here the car stands still, so that it is
// the rate of the bearing.
TEST_CASE("Inclination is measured against the ground; spin is the bearing's rate where the carrier does not pitch") {
  const auto run = testing::run_text(car("vehicle: $parent.car"));
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const auto part = [&](const char* name) { return run.at(i, std::string("left.wheel.") + name); };
    const Vec3d n = rotation_of(Quaternion<double>{part("qw"), part("qx"), part("qy"), part("qz")}) * Vec3d{0, 1, 0};
    CHECK(std::abs(part("inclination") - std::asin(n.z)) < 1e-9);
  }
  const auto still = testing::run_text(standing(car("vehicle: $parent.car")));
  for (std::size_t i = 0; i < still.sink.time.size(); ++i) {
    CHECK(std::abs(still.at(i, "left.wheel.spin") - 40) < 1e-10);
    CHECK(std::abs(still.at(i, "left.wheel.inclination") - driven_lean(still.sink.time[i])) < rounding);
  }
}

// A cambered wheel that rolls round a circle: the car's turning about z adds to the angular velocity along the wheel's axis, but it
// does not roll the wheel.
TEST_CASE("The spin of a cambered wheel does not count the turning of its vehicle") {
  const auto run = testing::run_text(
      "skyhook: 1\ngravity: off\nbodies:\n"
      "  arm: {mass: 1, inertia: [1, 1, 1]}\n"
      "  wheel: {mass: 1, inertia: [1, 1, 1], at: [0, 2, 0], wheel: {axis: [0, 0.96, 0.28], vehicle: arm}}\n"
      "joints:\n"
      "  turn: {type: revolute, from: ground, to: arm, axis: z, drive: \"=5*t/1[s]\"}\n"
      "  bearing: {type: revolute, from: arm, to: wheel, axis: [0, 0.96, 0.28], drive: \"=9*t/1[s]\"}\n"
      "outputs: [\"wheel.*\"]\nexperiments: {run: {until: 3 s, output_step: 50 ms}}\n");
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    CHECK(std::abs(run.at(i, "wheel.spin") - 9) < rounding);
    CHECK(std::abs(run.at(i, "wheel.camber") + std::asin(0.28)) < rounding);  // left wheel, the top to the right
    CHECK(std::abs(run.at(i, "wheel.steer")) < rounding);
    const Vec3d w{run.at(i, "wheel.wx"), run.at(i, "wheel.wy"), run.at(i, "wheel.wz")};
    CHECK(norm(w) == Approx(std::sqrt(25 + 81 + 2 * 45 * 0.28)));
  }
}

// A wheel on an inclined steering axis e, as of a suspension: n = y turned about e by the angle (Rodrigues).
TEST_CASE("Camber under steer about an inclined axis, with static toe and camber") {
  const auto run = testing::run_text(
      "skyhook: 1\ngravity: off\nbodies:\n"
      "  upright: {mass: 1, inertia: [1, 1, 1], at: [0, -0.7, 0.3]}\n"
      "  wheel: {mass: 1, inertia: [1, 1, 1], at: [0, -0.75, 0.3], wheel: {axis: [0.02, -1, 0.03]}}\n"
      "joints:\n"
      "  kingpin: {type: revolute, from: ground, to: upright, axis: [-0.1, 0.2, 0.9], drive: \"=0.7*t/1[s]\"}\n"
      "  bearing: {type: revolute, from: upright, to: wheel, axis: [0.02, -1, 0.03], drive: \"=30*t/1[s]\"}\n"
      "outputs: [wheel.camber, wheel.toe, wheel.steer, upright.angle_x]\n"
      "experiments: {run: {until: 1 s, output_step: 20 ms}}\n");
  const Vec3d e = normalized(Vec3d{-0.1, 0.2, 0.9}), design = normalized(Vec3d{-0.02, 1, -0.03});
  double cardan = 0;
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const Vec3d n = axis_rotation(e, 0.7 * run.sink.time[i]) * design;
    CHECK(std::abs(run.at(i, "wheel.camber") - std::asin(n.z)) < rounding);  // right wheel
    CHECK(std::abs(run.at(i, "wheel.steer") - std::atan2(-n.x, n.y)) < rounding);
    CHECK(run.at(i, "wheel.toe") == run.at(i, "wheel.steer"));
    cardan = std::max(cardan, std::abs(run.at(i, "upright.angle_x") - std::asin(n.z)));
  }
  CHECK(run.at(0, "wheel.camber") < 0);  // as written: the top leans inwards
  CHECK(run.at(0, "wheel.toe") > 0);     // and the front points inwards
  CHECK(cardan > 0.03);
}

// Against the car, which is its own mirror image, at any attitude; against the ground while the car stands upright.
TEST_CASE("A mirrored wheel has the same camber, toe and spin and the opposite steer and inclination") {
  const std::string both = "left: {template: corner}\n  right: {template: corner, mirror: y}";
  const auto check = [](const testing::Loaded& loaded, const std::vector<std::string>& same,
                        const std::vector<std::string>& opposite) {
    for (const auto& m : {loaded, testing::load_text(loaded.model->expanded)}) {
      const auto run = testing::run(m);
      for (std::size_t i = 0; i < run.sink.time.size(); i += 5) {
        for (const auto& name : same)
          CHECK(std::abs(run.at(i, "left.wheel." + name) - run.at(i, "right.wheel." + name)) < rounding);
        for (const auto& name : opposite)
          CHECK(std::abs(run.at(i, "left.wheel." + name) + run.at(i, "right.wheel." + name)) < rounding);
      }
    }
  };
  for (const std::string wheel : {"", ", side: left", ", axis: -y, side: auto", ", side: right"}) {
    CAPTURE(wheel);
    check(testing::load_text(car("vehicle: $parent.car" + wheel, both)), {"camber", "toe", "camber_rate", "toe_rate"},
          {"steer", "steer_rate"});
  }
  check(testing::load_text(standing(car("", both))), {"camber", "toe", "spin"}, {"steer", "inclination"});
}

TEST_CASE("Yaw, pitch and roll are the angles about z, y and x in this order, and yaw counts turns") {
  const auto run = testing::run_text(car("vehicle: $parent.car"));
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const double t = run.sink.time[i];
    CHECK(std::abs(run.at(i, "car.yaw") - (3 * t + 0.1)) < 1e-11);  // 15 rad in the end
    CHECK(std::abs(run.at(i, "car.pitch") - 0.4 * std::sin(5 * t)) < rounding);
    CHECK(std::abs(run.at(i, "car.roll") - 0.3 * std::sin(7 * t)) < rounding);
    CHECK(std::abs(run.at(i, "car.yaw_rate") - 3) < 1e-11);
    CHECK(std::abs(run.at(i, "car.pitch_rate") - 2 * std::cos(5 * t)) < 1e-11);
    CHECK(std::abs(run.at(i, "car.roll_rate") - 2.1 * std::cos(7 * t)) < 1e-11);
  }
}

// A rotor at 100 rad/s about z, sampled every 50 ms: almost a turn between samples, and the sign of a quaternion changes at each turn.
TEST_CASE("Angles count turns and quaternions keep their sign, however coarse the samples") {
  const auto run = testing::run_text(
      "skyhook: 1\ngravity: off\nbodies: {rotor: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {free: {type: free, from: ground, to: rotor, angular_velocity: [0, 0, 100]}}\n"
      "outputs: [\"rotor.*\", \"free.q?\"]\nexperiments: {run: {until: 2 s, output_step: 50 ms, tolerance: 1e-9}}\n");
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const double angle = 100 * run.sink.time[i];
    for (const char* name : {"rotor.yaw", "rotor.angle_z"}) CHECK(run.at(i, name) == Approx(angle).epsilon(1e-6));
    for (const std::string owner : {"rotor", "free"}) {
      CHECK(std::abs(run.at(i, owner + ".qw") - std::cos(angle / 2)) < 1e-5);
      CHECK(std::abs(run.at(i, owner + ".qz") - std::sin(angle / 2)) < 1e-5);
    }
  }
}

// Nobody records the yaw: the controller must see its turns all the same.
TEST_CASE("Controllers read angles that count turns") {
  const auto run = testing::run_text(
      "skyhook: 1\ngravity: off\nbodies: {car: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {hinge: {type: revolute, from: ground, to: car, axis: z, rate: 5 rad/s}}\n"
      "controllers: {course: {type: expression, sample_time: 10 ms, inputs: {x: car.yaw}, outputs: {y: \"=x\"}}}\n"
      "outputs: [course, hinge.angle]\nexperiments: {run: {until: 4 s, output_step: 100 ms}}\n");
  for (std::size_t i = 1; i < run.sink.time.size(); ++i)
    CHECK(std::abs(run.at(i, "course") - run.at(i, "hinge.angle")) < 0.06);  // a sample ago: 10 ms at 5 rad/s
}

// The model that `skyhook new suspension` writes: its camber is the lean of the wheel's axis.
TEST_CASE("The camber of the starting suspension is the lean of its wheel, not a Cardan angle") {
  testing::Wish wish{.experiment = "sweep"};
  wish.outputs = {"wheel.camber", "wheel.toe", "wheel.qw", "wheel.qx", "wheel.qy", "wheel.qz"};
  const auto run = testing::run("new/suspension", wish);
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const auto part = [&](const char* name) { return run.at(i, std::string("wheel.") + name); };
    const Vec3d n = rotation_of(Quaternion<double>{part("qw"), part("qx"), part("qy"), part("qz")}) * Vec3d{0, 1, 0};
    CHECK(std::abs(part("camber") + std::asin(n.z)) < 1e-10);  // left wheel; the chassis only heaves
    CHECK(std::abs(part("toe") - std::atan2(n.x, n.y)) < 1e-10);
  }
}
