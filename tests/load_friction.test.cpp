// Friction that depends on the load of its joint ([Arnold 2004] (29)). References: hand solutions, an independent
// integration, Painlevé's rod.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "run_model.testing.h"

using namespace skyhook;
using doctest::Approx;

namespace {

constexpr double g = 9.81;

// Block on an incline without lever: v' = A - B tanh(v / v_s), whose solution is t(v), with
// d/du [A u + B ln(A cosh u - B sinh u)] = (A^2 - B^2) / (A - B tanh u).
struct Incline {
  double A, B, v_s;
  double time(double v) const {
    const double u = v / v_s, e = std::exp(-2 * u);
    const double log_of = u + std::log(0.5 * (A * (1 + e) - B * (1 - e)));  // cosh overflows
    return v_s / (A * A - B * B) * (A * u + B * (log_of - std::log(A)));
  }
};

testing::Wish light(const std::string& experiment, const std::string& coefficient, double until) {
  return {.experiment = experiment,
          .set = {{"coefficient", coefficient}, {"height", "0 m"}},
          .until = until,
          .outputs = {"guide.displacement_rate", "rub.force", "rub.load", "energy.balance"}};
}

testing::Run run_with(const std::string& solver, testing::Loaded loaded) {
  loaded.experiment.solver = solver;
  return testing::run(loaded);
}

const std::string solvers[] = {"ida/ggl",
                               "ida/ggl_explicit",
                               "ida/index2",
                               "bdf/ggl",
                               "bdf/ggl_explicit",
                               "bdf/index2_projected",
                               "bdf/index1_projected",
                               "radau5/ggl",
                               "radau5/index2_projected",
                               "radau5/index1_projected",
                               "radau5/baumgarte",
                               "dopri5/projecting",
                               "dopri5/partitioning",
                               "dopri5/baumgarte",
                               "adams/projecting",
                               "adams/partitioning"};

}  // namespace

// N = m g cos(30 deg); tan(30 deg) = 0.577. Tolerance 1e-8 over some thousand steps at the start's stiff transient.
TEST_CASE("a block slides down an incline as by hand, with every solver") {
  const double mu = 0.3, slope = std::numbers::pi / 6;
  const Incline exact{g * std::sin(slope), mu * g * std::cos(slope), 1e-3};
  const testing::Loaded loaded = testing::load("mechanisms/incline", light("slide", "0.3", 0.1));
  for (const std::string& solver : solvers) {
    CAPTURE(solver);
    const auto r = run_with(solver, loaded);
    CHECK(exact.time(r.last("guide.displacement_rate")) == Approx(0.1).epsilon(1e-6));
    CHECK(r.last("rub.load") == Approx(10 * g * std::cos(slope)).epsilon(1e-6));
    CHECK(r.last("rub.force") == Approx(-mu * 10 * g * std::cos(slope)).epsilon(1e-6));
    CHECK(r.sink.summary.energy_closure < 1e-6);
  }
}

// Below the angle of friction it creeps at v_s atanh(tan(slope) / mu).
TEST_CASE("a block at rest on an incline creeps at the speed of the smooth law, with every solver") {
  const testing::Loaded loaded = testing::load("mechanisms/incline", light("rest", "0.8", 0.02));
  const double creep = 1e-3 * std::atanh(std::tan(std::numbers::pi / 6) / 0.8);
  for (const std::string& solver : solvers) {
    CAPTURE(solver);
    const auto r = run_with(solver, loaded);
    CHECK(r.last("guide.displacement_rate") == Approx(creep).epsilon(1e-4));
    CHECK(r.last("rub.force") == Approx(-10 * g * 0.5).epsilon(1e-4));
  }
}

// The head of models/mechanisms/incline.yaml. Velocities from differences of late samples: there tanh is 1 to all digits.
TEST_CASE("lever and press load the guide beyond the weight, as by hand") {
  const double slope = std::numbers::pi / 6, mu = 0.3, k = 0.15 / 0.2, m = 10, press = 25;
  const double N = (m * g * std::cos(slope) + press) / std::sqrt(1 - mu * mu * k * k);
  const double a = g * std::sin(slope) - mu * N / m;
  for (const std::string solver : {"ida", "bdf", "radau5", "dopri5"}) {
    CAPTURE(solver);
    const auto r = run_with(
        solver, testing::load("mechanisms/incline",
                              {.experiment = "slide", .set = {{"press", "25 N"}}, .until = 0.3, .output_step = 0.1}));
    CHECK(r.at(3, "load") == Approx(N).epsilon(1e-7));
    CHECK(r.at(3, "friction") == Approx(-mu * N).epsilon(1e-7));
    CHECK((r.at(3, "speed") - r.at(2, "speed")) / 0.1 == Approx(a).epsilon(1e-6));
    CHECK((r.at(3, "displacement") - 2 * r.at(2, "displacement") + r.at(1, "displacement")) / 0.01 ==
          Approx(a).epsilon(1e-6));
    CHECK(r.sink.summary.energy_closure < 1e-6);
  }
}

TEST_CASE("the guide jams where coefficient x height is its length, and hem5 refuses friction under load") {
  const testing::Loaded jammed = testing::load("mechanisms/incline", {.set = {{"coefficient", "1.5"}}});
  const auto p = simulation::prepare(jammed.model, jammed.experiment);
  CHECK_FALSE(p.ok());
  CHECK(p.problem().find("\"rub\" jams joint \"guide\"") != std::string::npos);
  CHECK(p.problem().find("from a coefficient of 1.333 on (given: 1.5)") != std::string::npos);  // 0.2 / 0.15

  testing::Loaded half = testing::load("mechanisms/incline");
  half.experiment.solver = "hem5";
  const auto prepared = simulation::prepare(half.model, half.experiment);
  simulation::MemorySink sink;
  CHECK_THROWS_WITH_AS(simulation::simulate(prepared, half.experiment, sink),
                       doctest::Contains("depends on the load of its joint"), ModelError);
}

namespace {

// A rod of length 1 m leans at `lean` against x on a shoe that rubs on a guide along x; its upper end is at greater x.
std::string rod_on_guide(const std::string& coefficient, const std::string& more = "") {
  return "skyhook: 1\n"
         "parameters: {lean: 60 deg, shoe: 0.2 kg, half: 0.5 m}\n"
         "bodies:\n"
         "  shoe: {mass: =shoe, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0]}\n"
         "  rod: {mass: 1 kg, inertia: [0.08333333333333333, 0.08333333333333333, 0.08333333333333333],\n"
         "        at: [=half*cos(lean), 0, =half*sin(lean)]}\n"
         "joints:\n"
         "  guide: {type: prismatic, from: ground, to: shoe, at: [0, 0, 0], axis: x}\n"
         "  pin: {type: revolute, from: shoe, to: rod, at: [0, 0, 0], axis: y}\n" +
         more + "forces:\n  rub: {type: joint_friction, joint: guide, coefficient: " + coefficient +
         "}\n"
         "experiments: {slide: {until: 1 s}}\n";
}

// W: how the rod's end answers to forces there, with the shoe's mass as well. [Arnold 2004] (23) for a force N (mu, 1)
// is W_zz = mu |W_xz|.
double painleve_limit(double lean, double shoe) {
  const double l = 0.5, m = 1, inertia = m / 12, c = std::cos(lean), s = std::sin(lean);
  const double xx = 1 / m + l * l * s * s / inertia, zz = 1 / m + l * l * c * c / inertia,
               xz = -l * l * s * c / inertia;
  const double det = xx * zz - xz * xz;
  const double mxx = zz / det + shoe, mxz = -xz / det;  // of W^-1 + shoe
  return mxx / std::abs(mxz);                           // = W_zz / |W_xz| of its inverse
}

simulation::Prepared prepared(const std::string& text) {
  const testing::Loaded loaded = testing::load_text(text);
  return simulation::prepare(loaded.model, loaded.experiment);
}

}  // namespace

// Sliding towards negative x the friction presses the leaning rod into the guide (Painlevé).
TEST_CASE(
    "a rod that leans on a rough guide violates the generalised Grübler condition from Painlevé's coefficient on") {
  const double limit = painleve_limit(std::numbers::pi / 3, 0.2);
  CHECK(limit > painleve_limit(std::numbers::pi / 3, 0));  // 1.75 / (0.75 sqrt(3)) = 1.347 without shoe
  CHECK(prepared(rod_on_guide(std::to_string(0.999 * limit))).ok());
  const auto p = prepared(rod_on_guide(std::to_string(1.1 * limit)));
  CHECK_FALSE(p.ok());
  CHECK(p.problem().find("\"rub\" jams joint \"guide\" in its negative direction") != std::string::npos);
  CHECK(p.problem().find(fmt::format("from a coefficient of {:.4g} on", limit)) != std::string::npos);
  CHECK(p.problem().find("generalised Grübler condition") != std::string::npos);
}

// Sliding on while it falls, the rod comes from where the condition holds to where it does not: the accelerations cease to exist.
TEST_CASE("a run that arrives where friction jams ends there, with the joint named") {
  std::string text = rod_on_guide("2.2", "  carrier: {type: free, from: ground, to: shoe, velocity: [-8, 0, 0]}\n");
  text.replace(text.find("lean: 60 deg"), 12, "lean: 80 deg");
  text.replace(text.find("axis: y}"), 8, "axis: y, rate: 8 rad/s}");
  testing::Loaded loaded = testing::load_text(text);
  loaded.experiment.solver = "dopri5";
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(p.ok(), p.problem());
  simulation::MemorySink sink;
  simulation::simulate(p, loaded.experiment, sink);
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  CHECK(sink.summary.reason.find("friction \"rub\" jams joint \"guide\"") != std::string::npos);
}

TEST_CASE("where the load is not unique friction under load is refused with joint and directions") {
  const auto p =
      prepared(rod_on_guide("0.2", "  other: {type: prismatic, from: ground, to: shoe, at: [0, 0, 0], axis: x}\n"));
  CHECK_FALSE(p.ok());
  CHECK(p.problem().find("Friction \"rub\" (test.yaml:") != std::string::npos);
  CHECK(p.problem().find("the load of joint \"guide\", but its load is not unique") != std::string::npos);
  CHECK(p.problem().find("displacement along") != std::string::npos);
}

TEST_CASE("a joint with friction under load is cut: cut: false is refused") {
  const auto refused = [](const std::string& in_guide) {
    std::string text = rod_on_guide("0.2");
    text.replace(text.find("axis: x}"), 8, "axis: x, " + in_guide + "}");
    try {
      prepared(text);
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(refused("cut: false").find("known only where the joint is cut") != std::string::npos);
  CHECK(refused("cut: true").empty());
}

// A block of 2 kg that is drawn along at 1 m/s^2: the drive exerts m a + mu m g, the block sliding a hundred times as fast as it creeps.
TEST_CASE("a joint with friction under load may be driven: the drive bears the friction") {
  const auto r = testing::run_text(R"yaml(skyhook: 1
bodies: {block: {mass: 2, inertia: [1, 1, 1], at: [0, 0, 0]}}
joints: {guide: {type: prismatic, from: ground, to: block, axis: x, drive: "=0.5[m/s^2]*t^2"}}
forces: {rub: {type: joint_friction, joint: guide, coefficient: 0.3, stick_speed: 0.01}}
outputs: [guide.drive, guide.displacement]
experiments: {pull: {until: 1}}
)yaml");
  CHECK(r.last("guide.displacement") == doctest::Approx(0.5));
  CHECK(r.last("guide.drive") == doctest::Approx(2 * 1.0 + 0.3 * 2 * 9.81).epsilon(1e-4));
}

namespace {

// Plane pendulum, mass m at l with inertia J about it, on a bearing of radius r with friction; released from the horizontal.
// The bearing's force is m (l w^2 + g cos) along the rod and m (l w' + g sin) across it; angle from the lowest point.
struct Pendulum {
  double m = 2, l = 0.5, J = 0.1, mu = 0.3, r = 0.05, v_s = 0.01;
  double acceleration(double angle, double w) const {
    double alpha = 0;
    for (int k = 0; k < 60; ++k) {  // contracts by mu r m l / (J + m l^2)
      const double N = std::hypot(m * (l * w * w + g * std::cos(angle)), m * (l * alpha + g * std::sin(angle)));
      alpha = -(m * g * l * std::sin(angle) + mu * r * N * std::tanh(r * w / v_s)) / (J + m * l * l);
    }
    return alpha;
  }
  // By the classical Runge-Kutta method.
  std::array<double, 2> at(double t) const {
    const int steps = 4000;
    const double h = t / steps;
    double x = std::numbers::pi / 2, w = 0;
    for (int i = 0; i < steps; ++i) {
      const double a1 = acceleration(x, w), a2 = acceleration(x + h / 2 * w, w + h / 2 * a1);
      const double a3 = acceleration(x + h / 2 * (w + h / 2 * a1), w + h / 2 * a2);
      const double a4 = acceleration(x + h * (w + h / 2 * a2), w + h * a3);
      x += h * w + h * h / 6 * (a1 + a2 + a3);
      w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return {x, w};
  }
};

}  // namespace

TEST_CASE("a pendulum with friction in its bearing decays as an independent integration does") {
  const std::string text =
      "skyhook: 1\nbodies:\n  rod: {mass: 2 kg, inertia: [0.1, 0.1, 0.1], at: [0.5, 0, 0]}\n"
      "joints:\n  hinge: {type: revolute, from: ground, to: rod, at: [0, 0, 0], axis: y}\n"
      "forces:\n  rub: {type: joint_friction, joint: hinge, coefficient: 0.3, radius: 50 mm, stick_speed: 10 mm/s,\n"
      "        smooth_load: 1e-6 N}\n"
      "experiments: {swing: {until: 2 s, output_step: 0.5 s, tolerance: 1e-9,\n"
      "                      outputs: [hinge.angle, hinge.angle_rate, rub.force, rub.load, energy.balance]}}\n";
  const auto [angle, rate] = Pendulum{}.at(2);
  for (const std::string solver : {"ida", "bdf", "radau5/index1_projected", "dopri5", "adams/partitioning"}) {
    CAPTURE(solver);
    const auto r = run_with(solver, testing::load_text(text));
    // Positive about y turns x towards -z, that is down: the coordinate is 90 deg - angle.
    CHECK(r.last("hinge.angle") == Approx(std::numbers::pi / 2 - angle).epsilon(1e-6));
    CHECK(r.last("hinge.angle_rate") == Approx(-rate).epsilon(1e-6));
    // adams/partitioning closes to some hundred tolerances, with a torque that does not depend on the load as well.
    CHECK(r.sink.summary.energy_closure < (solver == "adams/partitioning" ? 1e-6 : 1e-7));
  }
  CHECK(std::abs(angle) < 1.4);  // it does lose
}

// The forces across the plane are in doubt, those in it are not.
TEST_CASE("in a plane four-bar of hinges a bearing without thrust has a unique load") {
  const auto four_bar = [](const std::string& thrust) {
    return "skyhook: 1\n"
           "bodies:\n"
           "  a: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.5]}\n"
           "  b: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [0.6, 0, 1]}\n"
           "  c: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [1.1, 0, 0.5]}\n"
           "joints:\n"
           "  A: {type: revolute, from: ground, to: a, at: [0, 0, 0], axis: y}\n"
           "  B: {type: revolute, from: a, to: b, at: [0, 0, 1], axis: y}\n"
           "  C: {type: revolute, from: b, to: c, at: [1.2, 0, 1], axis: y}\n"
           "  D: {type: revolute, from: c, to: ground, at: [1, 0, 0], axis: y}\n"
           "forces:\n  rub: {type: joint_friction, joint: C, coefficient: 0.2, radius: 20 mm, thrust: " +
           thrust + "}\nexperiments: {fall: {until: 0.5 s, tolerance: 1e-7}}\n";
  };
  const auto p = prepared(four_bar("1"));
  CHECK_FALSE(p.ok());
  CHECK(p.problem().find("set `thrust: 0`") != std::string::npos);
  const auto r = testing::run_text(four_bar("0"));
  CHECK(r.sink.summary.energy_closure < 1e-5);
}
