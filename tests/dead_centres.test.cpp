// Where a run starts near dead centres, where loops close in two ways, and with some angles of a ball: right, or told.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "plane_mechanisms.testing.h"
#include "run_model.testing.h"
#include "skyhook/analysis/start.h"
#include "skyhook/formalism/body_motion.h"

using namespace skyhook;

namespace {

constexpr double deg = std::numbers::pi / 180;

struct Start {
  simulation::Prepared p;
  formalism::Poses poses;
  formalism::Velocities velocities;
  double speed = 0;  // largest
};
Start start_of(const std::string& text) {
  const auto loaded = testing::load_text(text);
  Start out{simulation::prepare(loaded.model, loaded.experiment), {}, {}};
  REQUIRE_MESSAGE(out.p.ok(), out.p.problem());
  out.poses = formalism::poses_of(*out.p.all, out.p.state);
  out.velocities = formalism::velocities_of(*out.p.all, out.p.state, formalism::Drives::move);
  for (const auto& v : out.velocities) out.speed = std::max({out.speed, norm(v.v), norm(v.w)});
  return out;
}

double difference(const Start& a, const Start& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.poses.size(); ++k) {
    for (int i = 0; i < 3; ++i) most = std::max(most, norm(a.poses[k].R[i] - b.poses[k].R[i]));
    most = std::max({most, norm(a.poses[k].c - b.poses[k].c), norm(a.velocities[k].v - b.velocities[k].v),
                     norm(a.velocities[k].w - b.velocities[k].w)});
  }
  return most;
}

const Warning* warning(const Start& s, const std::string& name) {
  const auto found = std::ranges::find(s.p.warnings, name, &Warning::name);
  return found == s.p.warnings.end() ? nullptr : &*found;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string slider_crank(const std::string& given, const std::string& cut = "") {
  return testing::slider_crank(cut) + "experiments: {r: {until: 0.1 s, output_step: 10 ms}}\ninitial: " + given + "\n";
}

}  // namespace

TEST_CASE("Dead centres: a rate that the mechanism cannot have there is given up and told, whatever is cut") {
  for (const std::string cut : {"", "a", "b", "c", "d"}) {
    CAPTURE(cut);
    const Start s = start_of(slider_crank("{c.angle: 20 deg, c.rate: 2}", cut));
    const auto changed = simulation::changed_values(s.p);
    REQUIRE(changed.size() == 2);
    CHECK(std::abs(changed[0].used - std::asin(1.0 / 3)) < 1e-9);
    CHECK(changed[1].name == "c.angle_rate");
    CHECK(changed[1].given == 2);
    CHECK(std::abs(changed[1].used) < 1e-9);
    CHECK(s.speed < 1e-9);  // it was 93 000 rad/s
    CHECK(s.p.warnings.at(1).what ==
          "c.angle_rate is given as 114.592 deg/s, but the start is a dead centre, where no motion changes that "
          "coordinate: the run starts with 0 deg/s.");
    CHECK(s.p.warnings.at(1).where.line == 13);
  }
  const auto strict = testing::load_text(
      with(slider_crank("{c.angle: 20 deg, c.rate: 2}"), "experiments: {r: {", "experiments: {r: {strict: true, "));
  CHECK_THROWS_AS(simulation::prepare(strict.model, strict.experiment), ModelError);
}

// dc/da = cos a / (3 cos c): the crank must turn 3 cos c / cos a times as fast.
TEST_CASE("Dead centres: close to one a given rate is kept, and the run tells how much faster others are") {
  const double c = 19.4712 * deg, a = std::asin(3 * std::sin(c)), leverage = 3 * std::cos(c) / std::cos(a);
  const Start s = start_of(slider_crank("{c.angle: 19.4712 deg, c.rate: 2}"));
  CHECK(simulation::changed_values(s.p).empty());
  REQUIRE(s.p.velocities.near_dead_centre);
  CHECK(s.p.velocities.near_dead_centre->leverage == doctest::Approx(leverage).epsilon(1e-6));
  CHECK(s.p.velocities.near_dead_centre->fastest == "a.angle_rate");
  CHECK(std::abs(s.p.velocities.near_dead_centre->rate) == doctest::Approx(2 * leverage).epsilon(1e-6));
  REQUIRE(warning(s, "dead_centre"));
  CHECK(warning(s, "dead_centre")->where.line == 13);
  for (const char* far :
       {"{c.angle: 18 deg, c.rate: 2}", "{a.angle: 90 deg, a.rate: 2}", "{a.angle: 40 deg, d.rate: 1}"})
    CHECK_FALSE(warning(start_of(slider_crank(far)), "dead_centre"));
}

// The same everywhere: no dead centre is near.
TEST_CASE("Dead centres: a gear of large ratio is none") {
  const Start s = start_of(R"(skyhook: 1
bodies: {slow: {mass: 1, inertia: [1, 1, 1]}, fast: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}}
joints:
  s: {type: revolute, from: ground, to: slow, axis: y, rate: 2}
  f: {type: revolute, from: ground, to: fast, axis: y}
  g: {type: gear, joint_1: f, joint_2: s, ratio: 20000}
experiments: {r: {until: 1}}
)");
  CHECK(s.speed > 3e4);
  CHECK(s.p.warnings.empty());
}

namespace {

// Drawn 5.7 deg from its dead centre; turned by 90 deg it is a parallelogram or an antiparallelogram.
std::string parallelogram(const std::string& cut, bool reversed = false) {
  std::vector<std::string> joints{"a: {CUTtype: revolute, from: ground, to: w1, axis: y, angle: 90 deg, rate: 20}",
                                  "b: {CUTtype: revolute, from: ground, to: w2, axis: y}",
                                  "c: {CUTtype: revolute, from: w1, to: l, at: [0.2, 0, 0.02], axis: y}",
                                  "d: {CUTtype: revolute, from: l, to: w2, at: [1.2, 0, 0.02], axis: y}"};
  if (reversed) std::ranges::reverse(joints);
  std::string text = R"(skyhook: 1
bodies:
  w1: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0], com: [0.1, 0, 0]}
  w2: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [1, 0, 0]}
  l: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0.2, 0, 0.02], com: [0.7, 0, 0.02]}
outputs: [b.angle]
experiments: {r: {until: 0.5 s, output_step: 10 ms}}
joints:
)";
  for (const std::string& joint : joints)
    text += "  " + with(joint, "CUT", joint.substr(0, 1) == cut ? "cut: true, " : "") + "\n";
  return text;
}

}  // namespace

// Turned by 90 deg, a wheel moves its mass by 4 sin^2(45 deg) I = 0.2 kg.m^2; w1 also its centre, by 2 * 0.1^2; the bar is shifted
// by (-0.18, -0.22): 0.5008 kg.m^2 in all. The antiparallelogram turns w2 by 101.6 deg the other way round, and the bar: 0.5253.
TEST_CASE("Closures: of two the run starts with the one that moves the mass least and tells, whatever is cut") {
  const Start first = start_of(parallelogram(""));
  CHECK(norm(first.poses[2].c - Vec3d{0.52, 0, -0.2}) < 1e-10);
  CHECK(norm(first.poses[2].R[0] - Vec3d{1, 0, 0}) < 1e-10);
  for (const std::string cut : {"", "a", "b", "c", "d"}) {
    for (const bool reversed : {false, true}) {
      CAPTURE(cut);
      CAPTURE(reversed);
      const Start s = start_of(parallelogram(cut, reversed));
      CHECK(difference(first, s) < 1e-9);
      REQUIRE(s.p.positions.other_closure);
      CHECK(s.p.positions.other_closure->displacement_here == doctest::Approx(0.5008).epsilon(1e-9));
      CHECK(s.p.positions.other_closure->displacement == doctest::Approx(0.525346).epsilon(1e-5));
      REQUIRE(warning(s, "ambiguous_closure"));
      CHECK(warning(s, "ambiguous_closure")->what.find("= 90 deg; with -") != std::string::npos);
    }
  }
  CHECK(testing::run_text(parallelogram("")).at(0, "b.angle") == doctest::Approx(90 * deg));
}

TEST_CASE("Closures: where one is far nearer nothing is told, and a value of the other chooses it") {
  CHECK(start_of(slider_crank("{a.angle: 40 deg}")).p.warnings.empty());
  const Start other = start_of(with(parallelogram(""), "to: w2, axis: y}", "to: w2, axis: y, angle: -101.648 deg}"));
  CHECK(other.p.warnings.empty());  // six digits, as the warning shows them
  CHECK(std::abs(other.poses[2].R[0].x - 1) > 0.05);
}

// Drawn straight, the rod closes the triangle above and below: cos a = (0.2^2 + 0.7^2 - 0.6^2) / (2 * 0.2 * 0.7).
TEST_CASE("Closures: drawn at a dead centre a value in reach is kept to rounding, and its mirror image told") {
  const double angle = std::acos((0.04 + 0.49 - 0.36) / 0.28);
  const std::string drive = "axis: x, drive: \"=-0.1[m] - 0.05[m]*sin(t*5[Hz])\"}";
  const std::string driven = with(slider_crank("{}"), "axis: x}", drive);
  const std::string strict = with(slider_crank("{d.displacement: -0.1}"), "{until", "{strict: true, until");
  const Start first = start_of(strict);
  for (const std::string cut : {"", "a", "b", "c", "d"}) {
    CAPTURE(cut);
    for (const Start& s : {start_of(slider_crank("{d.displacement: -0.1}", cut)), start_of(driven)}) {
      CHECK(std::abs(s.poses[2].c.x - 0.7) < 1e-12);
      CHECK(std::abs(std::abs(s.poses[0].c.z) - 0.1 * std::sin(angle)) < 1e-10);
      CHECK(norm(s.poses[0].c - first.poses[0].c) < 1e-9);
      CHECK(simulation::changed_values(s.p).empty());
      REQUIRE(warning(s, "ambiguous_closure"));
      const auto& other = *s.p.positions.other_closure;
      CHECK(other.displacement == doctest::Approx(other.displacement_here).epsilon(1e-9));
      CHECK(other.value == doctest::Approx(-other.value_here).epsilon(1e-9));
    }
  }
  const Start chosen = start_of(slider_crank("{d.displacement: -0.1, a.angle: 0.9183 rad}"));
  CHECK(chosen.poses[0].c.z < 0);
}

// Both cranks down, or the beam crossed: w2 is then where the circles about w1's end and about B meet again. Whether the search has come
// there by a continuous motion or not is no matter to the one who reads of it.
TEST_CASE(
    "Closures: a parallelogram turned far is told at every angle, also where the search leaps to the nearer closure") {
  for (const std::string angle : {"100 deg", "120 deg", "150 deg", "175 deg", "179 deg", "180 deg", "181 deg",
                                  "190 deg", "200 deg", "-170 deg", "3.2 rad"}) {
    CAPTURE(angle);
    const Start s = start_of(testing::cranks_under_beam("4") +
                             "experiments: {turn: {until: 1}}\ninitial: {A.angle: " + angle + "}\n");
    REQUIRE(warning(s, "ambiguous_closure"));
    const auto& other = *s.p.positions.other_closure;
    // Turned by x as a parallelogram: 4 sin^2(x/2) times the inertia about the pivots, the beam's mass at 0.3 m.
    const double x = std::acos(std::clamp(s.poses[0].R[0].x, -1.0, 1.0));
    const double inertia = 0.01 + 0.0225 + 0.02 + 2 * 0.0225 + 1.5 * 0.09;
    CHECK(other.displacement == doctest::Approx(4 * std::pow(std::sin(x / 2), 2) * inertia).epsilon(1e-9));
    CHECK(other.displacement_here < other.displacement);
  }
}

// sin c = sin a / 3 is missed by e = 2e-5: with k = dc/da least squares change a by k e / (1 + k^2) = -6e-6 rad, -0.00034 deg.
TEST_CASE("Initial values: what is given and what is used are told apart by the digits shown") {
  const double c = std::asin(std::sin(3.2) / 3), k = std::cos(3.2) / (3 * std::cos(c)), e = 2e-5;
  const Start s = start_of(slider_crank(fmt::format("{{a.angle: 3.2 rad, c.angle: {:.15g} rad}}", c + e)));
  const auto changed = simulation::changed_values(s.p);
  REQUIRE(changed.size() == 2);
  // Given values weigh so much more than the displacement from the drawn position that this shifts them by 1.2e-8 rad.
  CHECK(std::abs(changed[0].used - 3.2 - k * e / (1 + k * k)) < 2e-8);
  CHECK(std::abs(changed[1].used - (c + e) + e / (1 + k * k)) < 2e-8);
  CHECK(s.p.warnings.at(0).what.find("given as 183.3465 deg") != std::string::npos);
  CHECK(s.p.warnings.at(0).what.find("starts with 183.3462 deg") != std::string::npos);
  CHECK(s.p.warnings.at(1).what.find("given as -1.11379 deg") != std::string::npos);  // six are enough
  const Start rounded = start_of(slider_crank(fmt::format("{{a.angle: 3.2 rad, c.angle: {:.15g} rad}}", c + 1e-8)));
  CHECK(rounded.p.warnings.empty());
}

namespace {

std::string knuckle(const std::string& coordinates, const std::string& given, const std::string& cut = "") {
  const std::string text = R"(skyhook: 1
bodies:
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0], com: [0.2, 0, 0]}
  kn: {mass: 3, inertia: [0.1, 0.2, 0.15], at: [0.4, 0, 0.2]}
joints:
  a: {type: revolute, from: ground, to: arm, at: [0, 0, 0], axis: y}
  b: {type: spherical, from: arm, to: kn, at: [0.4, 0, 0], coordinates: )" +
                           coordinates + R"(}
  r1: {type: rod, from: ground, to: kn, from_at: [0, 0, 0.4], to_at: [0.4, 0, 0.4]}
experiments: {r: {until: 0.1 s}}
initial: )" + given + "\n";
  return cut.empty() ? text : with(text, "  " + cut + ": {", "  " + cut + ": {cut: true, ");
}

}  // namespace

// Two routes: three hinges in a row have the same angles. Their rates are the components of the angular velocity where the angles are 0.
TEST_CASE("Initial values: one angle or rate of a ball counts as one, as that of Cardan angles does") {
  for (const char* given : {"{a.angle: 20 deg, b.angle_z: 10 deg}", "{b.angle_y: -25 deg}",
                            "{a.angle: 10 deg, b.angle_x: 5 deg, b.angle_z: 30 deg}"}) {
    CAPTURE(given);
    const Start cardan = start_of(knuckle("cardan", given));
    CHECK(cardan.p.warnings.empty());
    for (const char* cut : {"", "a", "b"}) {
      CAPTURE(cut);
      const Start ball = start_of(knuckle("quaternion", given, cut));
      CHECK(ball.p.warnings.empty());
      CHECK(difference(cardan, ball) < 1e-9);
    }
  }
  const Start cardan = start_of(knuckle("cardan", "{a.rate: 1, b.angle_z_rate: 2}"));
  for (const char* cut : {"", "a", "b"}) {
    const Start ball = start_of(knuckle("quaternion", "{a.rate: 1, b.angular_velocity_z: 2}", cut));
    CHECK(ball.p.warnings.empty());
    CHECK(difference(cardan, ball) < 1e-9);
  }
}

TEST_CASE("Initial values: only those angles of a ball are told that were given") {
  const Start s = start_of(knuckle("quaternion", "{a.angle: 20 deg, b.angle_y: 80 deg}"));
  const auto changed = simulation::changed_values(s.p);
  REQUIRE(changed.size() == 2);
  CHECK(changed[0].name == "a.angle");
  CHECK(changed[1].name == "b.angle_y");
}

// Hangs at m g / k = 98.1 mm below the design position.
TEST_CASE("Initial values: positions and rates of a run that starts from the equilibrium are told") {
  const std::string text = R"(skyhook: 1
bodies: {m: {mass: 1}}
joints:
  J: {type: prismatic, from: ground, to: m, axis: z}
forces: {s: {type: spring_damper, joint: J, stiffness: 100}}
experiments:
  rest: {analysis: equilibrium}
  r: {until: 1, from: rest, initial: {J.displacement: 0.5, J.rate: 3}}
  there: {until: 1, from: rest, initial: {J.displacement: -0.0981, J.rate: 0}}
)";
  const auto prepared = [&](const std::string& experiment) {
    const auto loaded = testing::load_text(text, {.experiment = experiment});
    return analysis::prepare(loaded.model, loaded.experiment);
  };
  const auto p = prepared("r");
  REQUIRE(p.warnings.size() == 2);
  CHECK(p.warnings[0].name == "initial_value_changed");
  CHECK(p.warnings[0].where.line == 8);
  CHECK(p.warnings[0].what.find("J.displacement is given as 0.5 m, but the run starts from the equilibrium") == 0);
  CHECK(p.warnings[0].what.find("starts with -0.0981 m.") != std::string::npos);
  CHECK(p.warnings[1].what.find("J.displacement_rate is given as 3 m/s") == 0);
  CHECK(p.warnings[1].what.find("starts with 0 m/s.") != std::string::npos);
  CHECK(prepared("there").warnings.empty());
}
