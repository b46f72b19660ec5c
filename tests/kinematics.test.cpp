// Kinematic and quasi-static travel of wheels: against separate solutions, constructions and closed formulas.
#include "skyhook/analysis/kinematics.h"

#include <array>
#include <cmath>

#include "held_carrier.testing.h"
#include "run_model.testing.h"
#include "text.testing.h"

using namespace skyhook;
using doctest::Approx;

namespace {

using analysis::KinematicCurves;
using testing::FiveRods;

struct Asked {
  std::string experiment;
  int points = 0;  // 0: the experiment's
  std::vector<io::Setting> set = {};
  model::Kinematics::Mode mode = model::Kinematics::Mode::automatic;
};

KinematicCurves curves_of(const testing::Loaded& loaded, const Asked& asked) {
  model::Experiment experiment = loaded.experiment;
  REQUIRE(experiment.kinematics);
  auto plan = *experiment.kinematics;
  if (asked.points > 0) plan.points = asked.points;
  if (asked.mode != model::Kinematics::Mode::automatic) plan.mode = asked.mode;
  experiment.kinematics = std::make_shared<const model::Kinematics>(plan);
  KinematicCurves curves = analysis::find_kinematics(*loaded.model, experiment);
  REQUIRE_MESSAGE(curves.path.ok(), curves.path.problem);
  return curves;
}
KinematicCurves curves_of(const std::string& model, const Asked& asked) {
  return curves_of(testing::load(model, {.experiment = asked.experiment, .set = asked.set}), asked);
}
KinematicCurves curves_of_text(const std::string& text, const Asked& asked) {
  return curves_of(testing::load_text(text, {.experiment = asked.experiment, .set = asked.set}), asked);
}

double at(const KinematicCurves& c, std::size_t point, const std::string& channel) {
  const int k = c.find(channel);
  REQUIRE_MESSAGE(k >= 0, "no channel " << channel);
  return c.values[point][static_cast<std::size_t>(k)];
}

// Of a wheel on the right, whose axis points to the left.
void check_against(const FiveRods& reference, const KinematicCurves& c, const std::string& wheel) {
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    const double s = c.path.points[i].s;
    const testing::CarrierPose u = reference.solve(s);
    const Vec3d n = testing::turn_of(u) * Vec3d{0, 1, 0};
    CAPTURE(s);
    CHECK(std::abs(at(c, i, wheel + ".travel") - s) < 1e-10);
    CHECK(std::abs(at(c, i, wheel + ".camber") - std::asin(n.z)) < 1e-9);
    CHECK(std::abs(at(c, i, wheel + ".toe") - std::atan2(-n.x, n.y)) < 1e-9);
  }
}

const FiveRods double_wishbone{{{{{0.263, -0.307, 0.026}, {0.004, -0.787, -0.092}},
                                 {{-0.183, -0.307, 0.026}, {0.004, -0.787, -0.092}},
                                 {{-0.008, -0.446, 0.271}, {-0.013, -0.716, 0.241}},
                                 {{-0.228, -0.478, 0.222}, {-0.013, -0.716, 0.241}},
                                 {{-0.21, -0.448, 0.08}, {-0.136, -0.821, 0.01}}}},
                               {0, -0.91, 0}};
const FiveRods five_link{{{{{0.225, -0.306, -0.18}, {0.02, -0.706, -0.18}},
                           {{-0.125, -0.306, -0.18}, {-0.02, -0.706, -0.18}},
                           {{0.1, -0.451, 0.09}, {0.02, -0.706, 0.12}},
                           {{-0.105, -0.451, 0.09}, {-0.02, -0.706, 0.12}},
                           {{-0.13, -0.409, -0.145}, {-0.13, -0.759, -0.145}}}},
                         {0, -0.7875, 0}};

// Wishbones in a plane across the car, their axes along x; `side` 1: left. The tie rod lies in the lower arm.
std::string corner(const std::string& name, double side) {
  const auto y = [&](double value) { return std::to_string(side * value); };
  return "  " + name + "_lower: {mass: 1, inertia: [1, 1, 1], at: [0, " + y(0.3) + ", 0.2]}\n" + "  " + name +
         "_upper: {mass: 1, inertia: [1, 1, 1], at: [0, " + y(0.35) + ", 0.5]}\n" + "  " + name +
         ": {mass: 1, inertia: [1, 1, 1], at: [0, " + y(0.75) + ", 0.3], wheel: {radius: 0.3}}\n";
}
std::string joints(const std::string& name, double side) {
  const auto y = [&](double value) { return std::to_string(side * value); };
  return "  " + name + "_a: {type: revolute, from: ground, to: " + name + "_lower, axis: x}\n" + "  " + name +
         "_b: {type: revolute, from: ground, to: " + name + "_upper, axis: x}\n" + "  " + name +
         "_c: {type: revolute, from: " + name + "_lower, to: " + name + ", axis: x, at: [0, " + y(0.7) + ", 0.15]}\n" +
         "  " + name + "_d: {type: revolute, from: " + name + "_upper, to: " + name + ", axis: x, at: [0, " + y(0.65) +
         ", 0.45]}\n";
}
std::string plane_axle(const std::string& travel) {
  return "skyhook: 1\nbodies:\n" + corner("left", 1) + corner("right", -1) + "joints:\n" + joints("left", 1) +
         joints("right", -1) + "experiments:\n  roll: {analysis: kinematics, points: 9, travel: " + travel + "}\n";
}

struct InPlane {
  double y, z;
};
// Where the line through a and b meets the one through c and d.
InPlane meet(const InPlane& a, const InPlane& b, const InPlane& c, const InPlane& d) {
  const double uy = b.y - a.y, uz = b.z - a.z, wy = d.y - c.y, wz = d.z - c.z;
  const double k = ((c.y - a.y) * wz - (c.z - a.z) * wy) / (uy * wz - uz * wy);
  return {a.y + k * uy, a.z + k * uz};
}
// The position of a wheel's corner after its arms have turned: points of the drawing.
struct Drawn {
  InPlane contact, centre;  // instant centre
};
Drawn drawn(const KinematicCurves& c, std::size_t i, const std::string& wheel, double side, double camber) {
  const double z = 0.3 + at(c, i, wheel + ".travel");
  // The carrier stands at its camber; its place across follows from the lower arm's length.
  const double lean = -side * camber;  // about x
  const auto turned = [&](double y, double zz) {
    return InPlane{y * std::cos(lean) - zz * std::sin(lean), y * std::sin(lean) + zz * std::cos(lean)};
  };
  const InPlane lower = turned(side * -0.05, -0.15), upper = turned(side * -0.1, 0.15), down = turned(0, -0.3);
  const double arm = std::hypot(0.4, 0.05), height = z + lower.z - 0.2;
  const double y = side * (0.3 + std::sqrt(arm * arm - height * height)) - lower.y;
  const InPlane lower_ball{y + lower.y, z + lower.z}, upper_ball{y + upper.y, z + upper.z};
  return {{y + down.y, z + down.z}, meet({side * 0.3, 0.2}, lower_ball, {side * 0.35, 0.5}, upper_ball)};
}

}  // namespace

// Reference: Newton's method on the lengths of the rods, written here. 1e-9 rad: both solve to rounding, 1e-13 m^2 of an arm of 0.3 m.
TEST_CASE("Kinematics: a double wishbone and a five-link suspension go where their rods let them") {
  check_against(double_wishbone, curves_of("suspension/double_wishbone", {"bump", 17}), "wheel");
  check_against(five_link, curves_of("suspension/five_link", {"travel", 17}), "wheel");
}

// Reference: differences of neighbouring points, whose error falls with the square of their distance: 0.2 mm of a radius of 0.3 m.
TEST_CASE("Kinematics: derivatives along the travel are those of the curves") {
  const KinematicCurves c = curves_of("suspension/double_wishbone", {"bump", 801});
  const double h = c.path.points[1].s - c.path.points[0].s;
  for (const std::string name : {"camber", "toe", "caster", "kingpin", "track_change", "wheelbase_change"}) {
    CAPTURE(name);
    double largest = 0, off = 0;
    for (std::size_t i = 1; i + 1 < c.values.size(); ++i) {
      const std::string own = "wheel." + name;
      const double exact = at(c, i, own + "_gradient");
      largest = std::max(largest, std::abs(exact));
      off = std::max(off, std::abs(exact - (at(c, i + 1, own) - at(c, i - 1, own)) / (2 * h)));
    }
    CHECK(off < 1e-5 * std::max(largest, 0.1));
  }
  // The wheel rate is the slope of the load, and springs and dampers move as their lengths say.
  for (std::size_t i = 1; i + 1 < c.values.size(); i += 50) {
    CHECK(at(c, i, "wheel.rate") ==
          Approx((at(c, i + 1, "wheel.load") - at(c, i - 1, "wheel.load")) / (2 * h)).epsilon(1e-5));
    CHECK(at(c, i, "spring.motion_ratio") ==
          Approx(-(at(c, i + 1, "spring_length") - at(c, i - 1, "spring_length")) / (2 * h)).epsilon(1e-5));
  }
}

// Reference: the drawing. The instant centre is where the lines through the joints of the arms meet, the roll centre where the lines from
// the contact points to the instant centres meet.
TEST_CASE("Kinematics: roll centres are those of the graphical construction") {
  for (const char* travel :
       {"{left: [-50 mm, 50 mm], right: [-50 mm, 50 mm]}", "{left: [-40 mm, 60 mm], right: [60 mm, -40 mm]}"}) {
    const KinematicCurves c = curves_of_text(plane_axle(travel), {"roll"});
    for (std::size_t i = 0; i < c.values.size(); ++i) {
      CAPTURE(c.path.points[i].s);
      const Drawn left = drawn(c, i, "left", 1, at(c, i, "left.camber"));
      const Drawn right = drawn(c, i, "right", -1, at(c, i, "right.camber"));
      const InPlane one = meet(left.contact, left.centre, {0, 0}, {0, 1});
      CHECK(at(c, i, "left.roll_centre_height") == Approx(one.z - left.contact.z).epsilon(1e-8));
      const InPlane both = meet(left.contact, left.centre, right.contact, right.centre);
      const InPlane floor = meet({both.y, 0}, {both.y, 1}, left.contact, right.contact);
      CHECK(std::abs(at(c, i, "front_axle.roll_centre_y") - both.y) < 1e-8);
      CHECK(std::abs(at(c, i, "front_axle.roll_centre_height") - (both.z - floor.z)) < 1e-8);
    }
  }
}

// Reference: symmetry.
TEST_CASE("Kinematics: both wheels of an axle, together and against each other") {
  const KinematicCurves together = curves_of("car/four_post", {"parallel", 9});
  const KinematicCurves against = curves_of("car/four_post", {"opposite", 9});
  const std::size_t last = together.values.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    for (const std::string name :
         {"camber", "toe", "caster", "kingpin", "scrub_radius", "track_change", "load", "rate"}) {
      CAPTURE(name);
      const double left = at(together, i, "front.left.wheel." + name);
      CHECK(at(together, i, "front.right.wheel." + name) == Approx(left).scale(1e-9).epsilon(1e-7));
      CHECK(at(against, i, "front.left.wheel." + name) ==
            Approx(at(against, last - i, "front.right.wheel." + name)).scale(1e-9).epsilon(1e-7));
    }
    CHECK(std::abs(at(together, i, "front_axle.roll_centre_y")) < 1e-9);
    CHECK(at(together, i, "front_axle.roll_centre_height") ==
          Approx(at(together, i, "front.left.wheel.roll_centre_height")).epsilon(1e-8));
  }
  // The anti-roll bar works against opposite travel alone.
  CHECK(at(against, 4, "front.left.wheel.rate") > 1.05 * at(together, 4, "front.left.wheel.rate"));
}

// Reference: two routes to one position. Where the drives fix all the equilibrium has nothing to find.
TEST_CASE("Kinematics: the equilibrium at every point is the same where the drives fix all") {
  const KinematicCurves a = curves_of("suspension/double_wishbone", {"bump", 5});
  const KinematicCurves b =
      curves_of("suspension/double_wishbone", {"bump", 5, {}, model::Kinematics::Mode::quasi_static});
  CHECK(a.path.mode == model::Kinematics::Mode::kinematic);
  REQUIRE(a.channels.size() == b.channels.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    for (std::size_t k = 0; k < a.channels.size(); ++k) {
      CAPTURE(a.channels[k].name);
      const double x = a.values[i][k], y = b.values[i][k];
      if (a.channels[k].name != "energy_balance") CHECK(std::abs(x - y) <= 1e-7 * std::max(1.0, std::abs(x)));
    }
  }
}

// Reference: with the lower arm at rest the carrier steers about the line through its two ball joints.
TEST_CASE("Kinematics: the steering axis from the steering's motion is the line through the ball joints") {
  const std::string text = testing::load("suspension/double_wishbone", {.experiment = "bump"}).model->source;
  std::string other = text;
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t where = other.find(from);
    REQUIRE(where != std::string::npos);
    other.replace(where, from.size(), to);
  };
  replace("wheel: {steering_axis: [lower_ball, upper_ball]}", "wheel: {}");
  replace("travel: {wheel: [-80 mm, 80 mm]}",
          "steering: rack_guide.displacement, travel: {lower_pivot.angle: [-8 deg, 8 deg]}");
  replace("    analysis: kinematics\n    steering:", "    analysis: kinematics\n    steering:");
  std::string points = text;
  points.replace(points.find("travel: {wheel: [-80 mm, 80 mm]}"), 32, "travel: {lower_pivot.angle: [-8 deg, 8 deg]}");
  other.replace(other.find(", travel: {lower_pivot"), 2, "\n    ");
  const KinematicCurves a = curves_of_text(other, {"bump", 5}), b = curves_of_text(points, {"bump", 5});
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    for (const std::string name : {"caster", "kingpin", "trail", "scrub_radius"}) {
      CAPTURE(name);
      CHECK(std::abs(at(a, i, "wheel." + name) - at(b, i, "wheel." + name)) < 1e-8);
    }
    // The axis wanders along the travel: its rate is a central difference, that of the points is exact.
    for (const std::string name : {"caster", "kingpin"}) {
      CAPTURE(name);
      CHECK(std::abs(at(a, i, "wheel." + name + "_gradient") - at(b, i, "wheel." + name + "_gradient")) < 1e-6);
    }
  }
}

// A wheel on a trailing arm of 0.4 m, pivot in front of it: z = -0.4 sin(angle), x = -0.4 cos(angle). Reference: closed formulas.
const std::string trailing_arm =
    "skyhook: 1\ngravity: off\n"
    "bodies: {arm: {mass: 1, inertia: [1, 1, 1], at: [-0.4, 0.7, 0.3], wheel: {radius: 0.3}}}\n"
    "joints: {pivot: {type: revolute, from: ground, to: arm, axis: y, at: [0, 0.7, 0.3]}}\n"
    "forces: {spring: {type: spring_damper, from: ground, to: arm, from_at: [-0.2, 0.7, 0.6], to_at: [-0.2, 0.7, 0.3], "
    "stiffness: 20 kN/m, damping: 1 kN.s/m, preload: -1 kN}}\n"
    "experiments:\n"
    "  bump: {analysis: kinematics, points: 9, travel: {arm: [-100 mm, 100 mm]}, wheelbase: 2.5 m, cg_height: 0.5 m, "
    "brake_share: 0.6, drive_share: 0}\n"
    "  far: {analysis: kinematics, points: 11, travel: {arm: [-100 mm, 500 mm]}}\n";

TEST_CASE("Kinematics: a trailing arm has the load, rate and supports of its formulas") {
  const KinematicCurves c = curves_of_text(trailing_arm, {"bump"});
  // Of the spring's length by z, and the load that it needs at the wheel.
  const auto length = [](double z) {
    const double a = std::asin(z / 0.4), x = -0.2 * std::cos(a) + 0.2, dz = 0.2 * std::sin(a) - 0.3;
    return std::hypot(x, dz);
  };
  const auto load = [&](double z) {
    const double h = 1e-5, slope = (length(z + h) - length(z - h)) / (2 * h);
    return (20e3 * (length(z) - 0.3) - 1000) * slope;
  };
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    const double z = c.path.points[i].s, angle = std::asin(z / 0.4), h = 1e-4;
    CAPTURE(z);
    CHECK(at(c, i, "arm.load") == Approx(load(z)).epsilon(1e-7));
    CHECK(at(c, i, "arm.rate") == Approx((load(z + h) - load(z - h)) / (2 * h)).epsilon(1e-5));
    CHECK(at(c, i, "arm.wheelbase_change") == Approx(0.4 * std::cos(angle) - 0.4).epsilon(1e-9));
    // The centre moves across the arm, the contact point across the line from the pivot to it.
    CHECK(at(c, i, "arm.drive_support") == Approx(-std::atan(std::tan(angle))).epsilon(1e-9).scale(1));
    const double px = -0.4 * std::cos(angle), pz = 0.4 * std::sin(angle) - 0.3, support = pz / px;
    CHECK(std::tan(at(c, i, "arm.brake_support")) == Approx(support).epsilon(1e-9));
    CHECK(at(c, i, "arm.anti_lift") == Approx(0.4 * 2.5 / 0.5 * support).epsilon(1e-9));
    CHECK(at(c, i, "arm.roll_centre_height") == Approx(0.0));
    CHECK(at(c, i, "arm.camber") == Approx(0.0));
  }
}

TEST_CASE("Kinematics: where the arm is stretched the travel ends, and it is told") {
  const KinematicCurves c = curves_of_text(trailing_arm, {"far"});
  REQUIRE(c.path.ends.size() == 1);
  CHECK(testing::has(c.path.ends[0], "The travel ends at arm.travel = 0.39"));
  CHECK(c.path.halvings > 0);
  CHECK(c.path.points.back().s > 0.399);
  CHECK(c.path.points.back().s < 0.4);
  CHECK(std::ranges::count(c.warnings, "travel_ends", &Warning::name) == 1);
}

// A wheel that springs hold across and about z. Reference: force over stiffness.
TEST_CASE("Kinematics: compliance under forces at the contact point") {
  const std::string text =
      "skyhook: 1\ngravity: off\n"
      "bodies: {slide: {mass: 1, inertia: [1, 1, 1], at: [0, 0.7, 0.3]}, hub: {mass: 1, inertia: [1, 1, 1], at: [0, "
      "0.7, 0.3], "
      "wheel: {radius: 0.3}}}\n"
      "joints: {across: {type: prismatic, from: ground, to: slide, axis: y}, turn: {type: revolute, from: slide, to: "
      "hub, "
      "axis: z}}\n"
      "forces: {side: {type: spring_damper, joint: across, stiffness: 500 kN/m}, toe: {type: spring_damper, joint: "
      "turn, "
      "angular_stiffness: 10 kN.m/rad}}\n"
      "experiments:\n"
      "  lateral: {analysis: kinematics, points: 5, loads: {hub: {lateral: [-2 kN, 2 kN]}}}\n"
      "  aligning: {analysis: kinematics, points: 5, loads: {hub: {aligning: [-100 N.m, 100 N.m]}}}\n";
  const KinematicCurves lateral = curves_of_text(text, {"lateral"});
  CHECK(lateral.path.mode == model::Kinematics::Mode::quasi_static);
  CHECK(lateral.rig.unit == "N");
  for (std::size_t i = 0; i < lateral.values.size(); ++i) {
    const double force = lateral.path.points[i].s;
    CHECK(at(lateral, i, "hub.track_change") == Approx(force / 500e3).epsilon(1e-9).scale(1e-3));
    CHECK(at(lateral, i, "hub.track_change_gradient") == Approx(1 / 500e3).epsilon(1e-6));
  }
  const KinematicCurves aligning = curves_of_text(text, {"aligning"});
  for (std::size_t i = 0; i < aligning.values.size(); ++i) {
    CHECK(at(aligning, i, "hub.steer") == Approx(aligning.path.points[i].s / 10e3).epsilon(1e-9).scale(1e-3));
    CHECK(at(aligning, i, "hub.toe_gradient") == Approx(-1 / 10e3).epsilon(1e-6));
  }
}

TEST_CASE("Kinematics: what is wrong is told with its line") {
  const auto message = [](const std::string& from, const std::string& to, const std::string& experiment = "bump") {
    std::string text = trailing_arm;
    text.replace(text.find(from), from.size(), to);
    try {
      testing::load_text(text, {.experiment = experiment});
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string travel = "travel: {arm: [-100 mm, 100 mm]}";
  CHECK(testing::has(message(travel, "travel: {amr: [-1 mm, 1 mm]}"), "\"amr\" is neither a wheel nor a coordinate"));
  CHECK(testing::has(message(travel, "travel: {amr: [-1 mm, 1 mm]}"), "Did you mean \"arm\"?"));
  CHECK(testing::has(message(travel, "travel: {arm: [-1 N, 1 mm]}"), "a quantity in N, but needs m"));
  CHECK(testing::has(message(travel, "travel: {arm: [1 mm]}"), "should be [from, to], or one value."));
  CHECK(testing::has(message(travel, "travel: {arm: 5 mm}"), "moves nothing."));
  CHECK(testing::has(message(travel, travel + ", without: [sprig]"), "\"sprig\" is no force."));
  CHECK(testing::has(message(travel, travel + ", hold: [pivto]"), "\"pivto\" is no joint."));
  CHECK(testing::has(message(travel, travel + ", steering: rack"), "\"rack\" is no coordinate of a joint."));
  CHECK(testing::has(message("wheel: {radius: 0.3}", "wheel: {}"), "its radius is not known"));
  CHECK(testing::has(message("wheel: {radius: 0.3}", "wheel: {radius: 0.3, steering_axis: [a, b]}"),
                     "neither a joint nor a marker"));
  CHECK(testing::has(message("analysis: kinematics, points: 9", "until: 1 s, points: 9"), "is of kinematics alone."));
}
