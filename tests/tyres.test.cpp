// Wheels on a road. References: steady acceleration, the time until a thrown wheel sticks and the slope on which a wheel rests, all in closed
// form; differences for the Jacobian; one solver and one step against all others.
#include <fmt/format.h>

#include <cmath>

#include "exact_jacobian.testing.h"
#include "run_model.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

constexpr double g = 9.81;

// A wheel in space with rotation and slip in all directions, on a road with slopes.
std::string wheel_in_space(const std::string& tyre) {
  return "skyhook: 1\nbodies:\n  wheel: {mass: 20, inertia: [0.5, 1, 0.5], at: [0, 0, 0.27]}\n"
         "joints: {free: {type: free, from: ground, to: wheel}}\nforces:\n"
         "  tyre: {from: ground, to: wheel, stiffness: 20 kN/m, damping: 50 N.s/m, profile: "
         "\"=0.05[m]*sin(2*x/1[m])\", " +
         tyre +
         "}\ninitial: {free.x: 0.2, free.angle_x: 0.1, free.angle_y: 0.5, free.angle_z: 0.3, free.x_rate: 3, "
         "free.y_rate: 0.3, free.z_rate: -0.2}\nexperiments: {go: {until: 1 s}}\n";
}

const std::vector<std::string> tyres{
    "type: tyre_linear, radius: 0.3, slip_stiffness: 2000, cornering_stiffness: 1500, camber_stiffness: 200, trail: "
    "0.03, friction: 0.9",
    "type: tyre_fiala, radius: 0.3, slip_stiffness: 2000, cornering_stiffness: 1500, camber_stiffness: 200, trail: "
    "0.03, "
    "friction: 0.9, friction_far: 0.7, rolling_resistance: 0.01",
    "type: tyre_tmeasy, radius: 0.3, nominal_load: 500, slope_x: [9000, 16000], peak_slip_x: [0.11, 0.12], peak_x: "
    "[450, "
    "850], sliding_slip_x: [0.4, 0.5], sliding_x: [400, 750], slope_y: [7000, 13000], peak_slip_y: [0.15, 0.16], "
    "peak_y: "
    "[430, 800], sliding_slip_y: [0.4, 0.5], sliding_y: [420, 760], camber_factor: 0.2, trail: 0.03",
    "type: tyre_calspan, radius: 0.3, a0: 500, a1: 10, a2: 2000, a3: 2, a4: 2500, b3: 1.1, b1: -1e-4, af1: -1e-4, af2: "
    "1e-4"};

}  // namespace

TEST_CASE("Tyres: exact derivatives are those of differences, with and without relaxation, rolling and standing") {
  for (const std::string& tyre : tyres) {
    const bool drives = tyre.find("calspan") == std::string::npos;
    for (const std::string relaxation :
         {"", drives ? ", relaxation_x: 0.3, relaxation_y: 0.2" : ", relaxation_y: 0.2"}) {
      CAPTURE(tyre);
      CAPTURE(relaxation);
      const auto loaded = testing::load_text(wheel_in_space(tyre + relaxation));
      const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
      REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
      CHECK(testing::jacobian_error(prepared, 0.03) < 1e-7);
    }
  }
}

TEST_CASE("Tyres: exact derivatives at the edge of a patch of ice, over a footprint that turns") {
  for (const std::string& tyre : tyres) {
    CAPTURE(tyre);
    std::string text = wheel_in_space(tyre + ", footprint: [0.1, 0.08]");
    const auto put = [&](const std::string& what, const std::string& by) {
      REQUIRE(text.find(what) != std::string::npos);
      text.replace(text.find(what), what.size(), by);
    };
    put("from: ground, to: wheel, stiffness", "road: icy, to: wheel, stiffness");
    put("profile: \"=0.05[m]*sin(2*x/1[m])\", ", "");
    put("skyhook: 1\n",
        "skyhook: 1\nroads: {icy: {type: surface, height: \"=0.05[m]*sin(2*x/1[m] + y/0.4[m])\", "
        "patches: [{x: [0.22, 9], friction: 0.3}]}}\n");
    const auto loaded = testing::load_text(text);
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK(testing::jacobian_error(prepared, 0.03) < 1e-7);
  }
}

TEST_CASE("Tyres: exact derivatives of a car on the Magic Formula, rolling and standing") {
  for (const char* experiment : {"lane_change", "park"}) {
    CAPTURE(experiment);
    // The formula has the size of camber in it: upright wheels stand on its kink, where differences say nothing.
    const auto loaded = testing::load("road/small_car", {.experiment = experiment, .set = {{"roll", "1 deg"}}});
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK(testing::jacobian_error(prepared, 0.01) < 1e-6);
  }
}

TEST_CASE("Tyres: a car at constant torque accelerates alike whatever the step and the integrator") {
  const auto speed_after = [&](const std::string& solver, double step, double until) {
    testing::Loaded loaded =
        testing::load("road/small_car", {.experiment = "accelerate", .tolerance = 1e-7, .until = until});
    if (!solver.empty()) loaded.experiment.solver = solver;
    if (step > 0) loaded.experiment.largest_step = step;
    return testing::run(loaded).last("chassis.vx");
  };
  // 600 N.m drive 1280 kg and four wheels of 1.1 kg.m^2: a = T / (r m + 4 J / r), but for slip, rolling resistance and deflection.
  const double reference = speed_after("radau5/ggl", 0, 1);
  CHECK(reference == doctest::Approx(600 / (0.355 * 1280 + 4 * 1.1 / 0.37)).epsilon(0.1));
  for (const double step : {1e-2, 1e-3, 1e-4})
    CHECK(speed_after("bdf", step, 1) == doctest::Approx(reference).epsilon(2e-6));
  for (const auto& integrator : simulation::integrators())
    CHECK_MESSAGE(speed_after(integrator.name, 0, 1) == doctest::Approx(reference).epsilon(2e-6), integrator.name);
  const double early = speed_after("radau5/ggl", 0, 0.1);
  for (const char* solver : {"bdf", "dopri5"})
    CHECK_MESSAGE(speed_after(solver, 1e-5, 0.1) == doctest::Approx(early).epsilon(2e-6), solver);
}

TEST_CASE("Tyres: a car with its brakes on stands on a slope of 10 % for 100 s, and rolls without") {
  const std::vector<std::string> wanted{"chassis.x",  "chassis.vx", "tyre[1].fx",      "tyre[2].fx",
                                        "tyre[3].fx", "tyre[4].fx", "brake[1].sticks", "brake[4].sticks"};
  const double pull = 1280 * g * std::sin(std::atan(0.1));
  for (const std::string solver : {"auto", "bdf", "dopri5", "radau5"}) {
    CAPTURE(solver);
    // dopri5 swings at the limit of its stability here (it warns of that), by far less than the tolerance of 1e-6.
    const double creep = solver == "dopri5" ? 1e-7 : 1e-8;
    testing::Loaded loaded = testing::load("road/small_car", {.experiment = "park", .outputs = wanted});
    loaded.experiment.solver = solver;
    const testing::Run run = testing::run(loaded);
    const std::size_t last = run.sink.time.size() - 1;
    REQUIRE(run.sink.time[last] == 100);
    for (const std::size_t k : {last - 50, last - 20})
      CHECK(std::abs(run.at(last, "chassis.x") - run.at(k, "chassis.x")) < creep);
    // The four patches are springs of C / sigma, 75 kN / 0.7 m and more: millimetres, most of which it rocks on its struts.
    CHECK(std::abs(run.last("chassis.x")) < 0.02);
    CHECK(run.last("brake[1].sticks") == 1);
    CHECK(run.last("brake[4].sticks") == 1);
    double hold = 0;
    for (const char* tyre : {"tyre[1].fx", "tyre[2].fx", "tyre[3].fx", "tyre[4].fx"}) hold += run.last(tyre);
    CHECK(hold == doctest::Approx(pull).epsilon(1e-6));
  }
  testing::Loaded free =
      testing::load("road/small_car", {.experiment = "park", .set = {{"brake", "0 bar"}}, .until = 3});
  CHECK(testing::run(free).last("chassis.vx") < -2);
}

TEST_CASE("Tyres: brakes stop a car by their torque, and it stays where it stopped") {
  // 4 * 12 N.m/bar * 40 bar over the rolling radius: m v = F t but for slip, rolling resistance and the wheels' inertia, all a few percent.
  const testing::Run run = testing::run("road/small_car", {.experiment = "brake"});
  std::size_t stops = 0;
  while (stops < run.sink.time.size() && run.at(stops, "chassis.vx") > 0.01) ++stops;
  REQUIRE(stops < run.sink.time.size());
  CHECK(run.sink.time[stops] ==
        doctest::Approx(20 * (1280 + 4 * 1.1 / 0.37 / 0.37) / (4 * 12 * 40 / 0.36)).epsilon(0.1));
  const std::size_t last = run.sink.time.size() - 1;
  CHECK(std::abs(run.at(last, "chassis.x") - run.at(last - 10, "chassis.x")) < 1e-5);
  CHECK(std::abs(run.last("chassis.y")) < 1e-6);
}

TEST_CASE("Tyres: a car driven straight goes nearly straight, its mirrored tyres hold each other") {
  // Plysteer and conicity of left and right cancel: what is left is rounding.
  testing::Loaded loaded = testing::load("road/small_car", {.experiment = "accelerate", .until = 2});
  const testing::Run run = testing::run(loaded);
  CHECK(std::abs(run.last("chassis.y")) < 1e-6);
  CHECK(std::abs(run.last("tyre[1].fy")) > 10);  // they do push
}

TEST_CASE("Tyres: a driven wheel accelerates alike with steps from 1e-5 to 1e-2 s and with every integrator") {
  // Steady: T = F r + J w', F = m a, w' = (1 + kappa) a / r_e, kappa = F / C but for the bend towards friction.
  const double m = 320, J = 1, T = 200, C = 60e3, p = 220 * g / 2e5, r = 0.3 - p, re = 0.3 - p / 3;
  double kappa = 0, force = 0;
  for (int k = 0; k < 50; ++k) {
    force = T / (r + J * (1 + kappa) / re / m);
    kappa = force / C * std::pow(1 - std::pow(force / (220 * g), 4), -0.25);
  }
  const auto speed_after = [&](const std::string& solver, double step, double until) {
    testing::Loaded loaded =
        testing::load("road/driven_wheel", {.experiment = "accelerate", .tolerance = 1e-7, .until = until});
    if (!solver.empty()) loaded.experiment.solver = solver;
    if (step > 0) loaded.experiment.largest_step = step;
    const testing::Run run = testing::run(loaded);
    const std::size_t last = run.sink.time.size() - 1;
    const double before = run.at(last - 10, "way.displacement_rate"), after = run.at(last, "way.displacement_rate");
    const double taken = run.sink.time[last] - run.sink.time[last - 10];
    CHECK((after - before) / taken == doctest::Approx(force / m).epsilon(1e-5));
    CHECK(run.last("tyre.kappa") == doctest::Approx(kappa).epsilon(1e-4));
    return after;
  };
  const double reference = speed_after("radau5/ggl", 0, 2);
  for (const double step : {1e-2, 1e-3, 1e-4})
    CHECK(speed_after("", step, 2) == doctest::Approx(reference).epsilon(2e-6));
  const double early = speed_after("radau5/ggl", 0, 0.6);
  CHECK(speed_after("", 1e-5, 0.6) == doctest::Approx(early).epsilon(2e-6));
  for (const auto& integrator : simulation::integrators()) {
    CAPTURE(integrator.name);
    CHECK(speed_after(integrator.name, 0, 2) == doctest::Approx(reference).epsilon(2e-6));
  }
}

TEST_CASE("Tyres: a wheel thrown on the road spinning sticks after the time that the impulse predicts") {
  // It slides with F = mu m g: v = mu g t, w = w0 - mu m g r t / J; they meet at w r = v. Forces rise and fall within a slip of
  // mu m g / C = 1e-4 and a way of sigma times that.
  const double m = 20, J = 0.8, mu = 0.7, w0 = 50;
  const double r = 0.3 - m * g / 2e5;
  const double sticks = w0 * r / (mu * g) / (1 + m * r * r / J);
  const std::string text = fmt::format(
      "skyhook: 1\nbodies: {{wheel: {{mass: {0}, inertia: [0.5, {1}, 0.5], at: [0, 0, {2:.12f}]}}}}\n"
      "joints: {{way: {{type: planar, from: ground, to: wheel, plane: xz}}}}\nforces:\n"
      "  tyre: {{type: tyre_linear, from: ground, to: wheel, radius: 0.3, stiffness: 200 kN/m, slip_stiffness: 1.4 MN, "
      "cornering_stiffness: 1 MN/rad, friction: {3}, rolling_radius: {2:.12f}, relaxation_x: 0.1, relaxation_y: 0.1}}\n"
      "initial: {{way.angle_rate: {4}}}\noutputs: [\"*\"]\n"
      "experiments: {{go: {{until: {5:.12f}, output_step: {6:.12f}, tolerance: 1e-7}}}}\n",
      m, J, r, mu, w0, 1.2 * sticks, 0.01 * sticks);
  const testing::Run run = testing::run_text(text);
  const auto slide = [&](std::size_t k) { return run.at(k, "tyre.slide_x"); };
  CHECK(slide(0) == doctest::Approx(-w0 * r));
  // until then linear in time, and it meets zero there
  for (const std::size_t k : {20UL, 50UL, 80UL, 98UL})
    CHECK(slide(k) == doctest::Approx(-w0 * r * (1 - 0.01 * static_cast<double>(k))).epsilon(2e-4 / 0.02));
  CHECK(std::abs(slide(99)) > 0.005 * w0 * r);
  // then its patch rings: at most with F / sqrt(k m), k = C / sigma, 1 / m = 1/20 + r^2/J
  CHECK(std::abs(slide(102)) < 2 * mu * m * g / std::sqrt(1.4e7 / (1 / m + r * r / J)));
  // Its speed then; the patch still rings, and the ringing dies over ways of sigma.
  CHECK(run.last("way.x_rate") == doctest::Approx(mu * g * sticks).epsilon(1e-3));
}

TEST_CASE("Tyres: a braked wheel on a slope of 10 % stands still for 100 s") {
  const testing::Run run = testing::run("road/driven_wheel", {.experiment = "park"});
  const double pull = 320 * g * std::sin(std::atan(0.1));
  CHECK(run.last("tyre.fx") == doctest::Approx(pull).epsilon(1e-6));
  const std::size_t last = run.sink.time.size() - 1;
  CHECK(std::abs(run.at(last, "way.displacement") - run.at(last - 50, "way.displacement")) < 1e-8);
  // The patch is a spring of C / sigma: what the car gives way, brake and all, is millimetres.
  CHECK(std::abs(run.last("way.displacement")) < 2e-3);
  CHECK(std::abs(run.last("way.displacement")) > 0.9 * pull * 0.2 / 60e3);
}
