// Wheel and driveline parts in runs. References: closed forms of two discs on a torsion spring, of a differential between three inertias, of a wheel that a
// brake stops; the same motion in other coordinates; balance of energy.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;
using namespace skyhook::testing;
using doctest::Approx;

namespace {

// Two discs of 1 kg.m^2 on bearings of their own, and a soft shaft between them. Relative angle 20 rad sin(t): more than three turns to
// each side, while both turn on.
const std::string discs =
    "skyhook: 1\ngravity: off\nparameters: {kind: 0}\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0]}}\n"
    "joints: {ja: {type: revolute, from: ground, to: a, axis: y, rate: 5}, jb: {type: revolute, from: ground, to: b, "
    "axis: y, rate: 25}}\n"
    "forces: {shaft: {type: spring_damper, from: a, to: b, about: y, angular_stiffness: 0.5}}\n"
    "outputs: [shaft.angle, shaft.angle_rate, shaft.moment, ja.angle, energy.balance]\n"
    "experiments: {e: {until: 10, output_step: 0.1, tolerance: 1e-8}}\n";

std::string with(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

// A wheel of 2 kg.m^2 that a brake of 1 N.m/bar stops; a torque pulls at it.
std::string wheel(const std::string& pressure, const std::string& torque, const std::string& until = "3") {
  return "skyhook: 1\ngravity: off\nbodies: {w: {mass: 1, inertia: [2, 2, 2]}}\n"
         "joints: {hub: {type: revolute, from: ground, to: w, axis: y, rate: 10}}\n"
         "forces: {brake: {type: brake, joint: hub, pressure: \"" +
         pressure +
         "\", torque_per_pressure: 1 N.m/bar}, pull: "
         "{type: torque, joint: hub, value: \"" +
         torque +
         "\"}}\n"
         "outputs: [hub.angle, hub.angle_rate, brake.force, brake.sticks]\n"
         "experiments: {e: {until: " +
         until + ", output_step: 0.01, tolerance: 1e-9}}\n";
}

int count(const Run& r, const std::string& name) {
  return static_cast<int>(std::ranges::count(r.sink.events, name, &simulation::EventRecord::name));
}

}  // namespace

TEST_CASE("A torsion spring between two discs counts its turns, in any coordinates") {
  for (const char* coordinates : {"joint", "absolute"}) {
    CAPTURE(coordinates);
    const Run r = run(load_text(with(discs, "gravity: off", std::string("gravity: off\ncoordinates: ") + coordinates)));
    double worst = 0;
    for (std::size_t i = 0; i < r.sink.time.size(); ++i)
      worst = std::max(worst, std::abs(r.at(i, "shaft.angle") - 20 * std::sin(r.sink.time[i])));
    CHECK(worst < 1e-5);  // a hundred tolerances of 20 rad
    CHECK(r.last("shaft.moment") == Approx(-0.5 * 20 * std::sin(10.0)).epsilon(1e-5));
    CHECK(r.last("ja.angle") == Approx(15 * 10.0 - 10 * std::sin(10.0)).epsilon(1e-6));
    CHECK(std::abs(r.last("energy.balance")) < 1e-4);
  }
}

TEST_CASE("A Maxwell element about an axis is the same as on the joint's own angle") {
  const std::string text =
      "skyhook: 1\ngravity: off\nbodies: {w: {mass: 1, inertia: [2, 2, 2]}}\n"
      "joints: {hub: {type: revolute, from: ground, to: w, axis: [0.2, 1, 0.1], rate: 30}}\n"
      "forces: {m: {type: maxwell, PLACE, angular_stiffness: 40, angular_damping: 3, parallel_angular_stiffness: 2}}\n"
      "outputs: [hub.angle, energy.balance]\nexperiments: {e: {until: 3, output_step: 0.01, tolerance: 1e-8}}\n";
  const Run on_joint = run(load_text(with(text, "PLACE", "joint: hub")));
  const Run about = run(load_text(with(text, "PLACE", "from: ground, to: w, about: [0.2, 1, 0.1]")));
  double farthest = 0;
  for (std::size_t i = 0; i < about.sink.time.size(); ++i) {
    CHECK(std::abs(about.at(i, "hub.angle") - on_joint.at(i, "hub.angle")) < 1e-5);
    farthest = std::max(farthest, about.at(i, "hub.angle"));
  }
  CHECK(farthest > 4 * 3.1415926);  // more than two turns
}

// Pinion inertia Jp, wheels J1 and J2, ratio i: J1 a1 = J2 a2 = i/2 (T - Jp ap), ap = i/2 (a1 + a2).
TEST_CASE("An open differential gives both sides the same torque") {
  const double i = 4, Jp = 0.1, J1 = 2, J2 = 5, T = 30;
  const Run r = run(load_text(
      "skyhook: 1\ngravity: off\nbodies: {p: {mass: 1, inertia: [0.1, 1, 1]}, l: {mass: 1, inertia: [1, 2, 1]}, r: "
      "{mass: "
      "1, inertia: [1, 5, 1]}}\njoints: {jp: {type: revolute, from: ground, to: p, axis: x}, jl: {type: revolute, "
      "from: "
      "ground, to: l, axis: y}, jr: {type: revolute, from: ground, to: r, axis: y}, d: {type: coupler, coordinate_1: "
      "jp, "
      "ratio_1: 1, coordinate_2: jl, ratio_2: -2, coordinate_3: jr, ratio_3: -2}}\n"
      "forces: {m: {type: torque, joint: jp, value: 30}}\noutputs: [jl.angle_rate, jr.angle_rate, jp.angle_rate]\n"
      "experiments: {e: {until: 2, output_step: 0.1, tolerance: 1e-9}}\n"));
  const double side = T * i / 2 / (1 + Jp * i * i / 4 * (1 / J1 + 1 / J2));  // torque on each
  CHECK(r.last("jl.angle_rate") == Approx(2 * side / J1).epsilon(1e-7));
  CHECK(r.last("jr.angle_rate") == Approx(2 * side / J2).epsilon(1e-7));
  CHECK(r.last("jp.angle_rate") == Approx(2 * i / 2 * (side / J1 + side / J2)).epsilon(1e-7));
}

TEST_CASE("A brake stops a wheel where the law says, holds it, and lets it go where the pressure falls") {
  // 20 N.m against 4: 2 dw/dt = -16, so it stops after 1.25 s at 6.25 rad.
  const Run r = run(load_text(wheel("=20[bar]*(1 - ramp(t, 2[s], 2.5[s]))", "4")));
  const auto at = [&](double t, const char* channel) {
    return r.at(static_cast<std::size_t>(t / 0.01 + 0.5), channel);
  };
  CHECK(at(1.0, "hub.angle_rate") == Approx(10 - 8.0).epsilon(1e-7));
  CHECK(at(1.5, "hub.angle") == Approx(6.25).epsilon(1e-7));
  CHECK(at(1.5, "hub.angle_rate") == 0);
  CHECK(at(1.5, "brake.sticks") == 1);
  CHECK(at(1.5, "brake.force") == Approx(-4));
  CHECK(count(r, "sticks") == 1);
  CHECK(count(r, "slips") == 1);  // where 20 (1 - ramp) falls below 4
  CHECK(count(r, "is released") == 1);
  CHECK(at(2.9, "brake.force") == 0);
  CHECK(at(3.0, "hub.angle_rate") - at(2.9, "hub.angle_rate") == Approx(0.1 * 4 / 2.0).epsilon(1e-6));
}

TEST_CASE("A brake that is applied later finds the wheel turning, either way") {
  for (const double sign : {1.0, -1.0}) {
    CAPTURE(sign);
    const Run r = run(
        load_text(with(wheel("=20[bar]*ramp(t, 1[s], 1.1[s])", "0"), "rate: 10", sign > 0 ? "rate: 10" : "rate: -10")));
    CHECK(r.at(90, "hub.angle_rate") == Approx(10 * sign));
    // The ramp gives half of its way: 2 * 10 = 20 (t - 1.05), so it stops at 2.05 s.
    CHECK(r.at(200, "hub.angle_rate") == Approx(sign * (10 - 10 * 0.95)).epsilon(1e-6));
    CHECK(r.last("hub.angle_rate") == 0);
    CHECK(count(r, "sticks") == 1);
  }
}

TEST_CASE("A car parked on a slope of 10 % stands still for 100 s, for all integrators") {
  // Rolling: x = 0.3 m times the angle, as a coupler has it. 1000 kg g sin(slope) R = 293 N.m; the brakes hold 400.
  const std::string text =
      "skyhook: 1\nbodies: {car: {mass: 1000, inertia: [1, 1, 1]}, w: {mass: 20, inertia: [1, 2, 1]}}\n"
      "joints: {slope: {type: prismatic, from: ground, to: car, axis: [1, 0, -0.1]}, hub: {type: revolute, from: car, "
      "to: w, axis: y}, "
      "rolls: {type: coupler, coordinate_1: slope, ratio_1: 1, coordinate_2: hub, ratio_2: -0.3}}\n"
      "forces: {park: {type: brake, joint: hub, pressure: \"=40[bar]*(1 - ramp(t, 100[s], 100.1[s]))\", "
      "torque_per_pressure: 10 N.m/bar}}\n"
      "outputs: [slope.displacement, slope.displacement_rate, park.force]\nexperiments: {e: {until: 102, output_step: "
      "0.5}}\n";
  for (const char* solver : {"bdf", "radau5", "dopri5", "ida"}) {
    CAPTURE(solver);
    Loaded loaded = load_text(text);
    loaded.experiment.solver = solver;
    const Run r = run(loaded);
    CHECK(std::abs(r.at(200, "slope.displacement")) < 1e-9);  // at 100 s
    CHECK(r.at(200, "park.force") == Approx(-1020 * 9.81 * 0.1 / std::sqrt(1.01) * 0.3).epsilon(1e-6));
    CHECK(r.last("slope.displacement_rate") > 1.5);  // then it rolls
  }
}

TEST_CASE("The driveline on its rig: open, locked and with plates; it stops by its brakes and stays") {
  const auto last = [](const char* experiment, const char* channel) {
    return run(load("library/rigs/driveline", {.experiment = experiment, .outputs = {channel}})).last(channel);
  };
  const Run open = run(load("library/rigs/driveline", {.experiment = "open"}));
  const Run locked = run(load("library/rigs/driveline", {.experiment = "locked"}));
  CHECK(open.last("left_speed") > 2 * open.last("right_speed"));
  CHECK(locked.last("left_speed") ==
        Approx(locked.last("right_speed")).epsilon(0.01));  // but for the twist of the shafts
  const double with_plates =
      last("plates", "axle.left.wheel.hub.angle_rate") - last("plates", "axle.right.wheel.hub.angle_rate");
  CHECK(with_plates > 1.0);
  CHECK(with_plates < 0.9 * (open.last("left_speed") - open.last("right_speed")));
  const Run stop = run(load("library/rigs/driveline", {.experiment = "stop"}));
  CHECK(stop.last("left_speed") == 0);
  CHECK(stop.last("right_speed") == 0);
}

TEST_CASE("The springs on their posts: the balance of energy closes, and each stands for what it is") {
  const Run r = run(load("road/springs", {.tolerance = 1e-8,
                                          .outputs = {"energy.balance", "leaf.force", "tank.pressure", "leaf_mass.z",
                                                      "air_mass.z", "tank_mass.z"}}));
  double lowest = 0, highest = -1e9;
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    CHECK(std::abs(r.at(i, "energy.balance")) < 1e-3);
    lowest = std::min(lowest, r.at(i, "leaf.force")), highest = std::max(highest, r.at(i, "leaf.force"));
  }
  CHECK(lowest < -4200);
  CHECK(highest > -3800);
  CHECK(r.at(0, "tank.pressure") == Approx(1.01325 + 4000 / 0.008 / 1e5).epsilon(1e-9));
}

// Levers of 0.2 m, arms that move 2 mm up and down against each other: the halves turn by asin(z / 0.2) each, but for the slant of the links.
TEST_CASE("An anti-roll bar resists roll by its twist, and heave not at all") {
  const Run roll = run("library/rigs/anti_roll_bar", {.set = {{"left", "2 mm"}, {"right", "-2 mm"}}});
  const double force = 800 * 2 * std::asin(2e-3 / 0.2) / 0.2;
  CHECK(std::abs(roll.last("left_link")) == Approx(force).epsilon(1e-3));
  CHECK(roll.last("right_link") == Approx(-roll.last("left_link")).epsilon(1e-3));
  const Run heave = run("library/rigs/anti_roll_bar", {.experiment = "heave"});
  CHECK(std::abs(heave.last("left_link")) < 1e-6);
  CHECK(std::abs(heave.last("twist")) < 1e-9);
}
