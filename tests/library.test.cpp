// The parts of models/library on their rigs: degrees of freedom, kinematics against solutions apart from the program, rest and vibrations.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include "held_carrier.testing.h"
#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/analysis/kinematics.h"
#include "skyhook/analysis/modes.h"
#include "skyhook/math/eigenproblem.h"
#include "skyhook/simulation/channels.h"

using namespace skyhook;
using analysis::KinematicCurves;
using doctest::Approx;
using testing::CarrierPoint;
using testing::CarrierPose;
using testing::Rod;

namespace {

using Settings = std::vector<io::Setting>;

testing::Loaded rig(const std::string& part, const std::string& experiment, const Settings& set = {}) {
  return testing::load("library/rigs/" + part, {.experiment = experiment, .set = set});
}

// Points of a part as its user gives them, from the model that was read.
class Points {
 public:
  Points(const model::Model& m, std::string part) : part_(std::move(part)) {
    for (const model::Parameter& p : m.parameters) values_[p.name] = p.value;
  }
  double number(const std::string& name) const { return values_.at(part_ + "." + name); }
  Vec3d operator[](const std::string& name) const {
    return {number(name + ".x"), number(name + ".y"), number(name + ".z")};
  }

 private:
  std::string part_;
  std::map<std::string, double> values_;
};

const std::string left = "axle.left.suspension", wheel = "axle.left.wheel.wheel";

KinematicCurves curves(const testing::Loaded& loaded, int points) {
  model::Experiment experiment = loaded.experiment;
  REQUIRE(experiment.kinematics);
  auto plan = *experiment.kinematics;
  plan.points = points;
  experiment.kinematics = std::make_shared<const model::Kinematics>(plan);
  KinematicCurves out = analysis::find_kinematics(*loaded.model, experiment);
  REQUIRE_MESSAGE(out.path.ok(), out.path.problem);
  return out;
}

double at(const KinematicCurves& c, std::size_t point, const std::string& channel) {
  const int k = c.find(channel);
  REQUIRE_MESSAGE(k >= 0, "no channel " << channel);
  return c.values[point][static_cast<std::size_t>(k)];
}

// Of a wheel on the left whose axis, which points to the left, has become n.
void check_wheel(const KinematicCurves& c, std::size_t i, const Vec3d& n, double tolerance = 1e-9) {
  CAPTURE(at(c, i, wheel + ".travel"));
  CHECK(std::abs(at(c, i, wheel + ".camber") - std::asin(-n.z)) < tolerance);
  CHECK(std::abs(at(c, i, wheel + ".toe") - std::atan2(n.x, n.y)) < tolerance);
}

template <class Solve>
void check_carrier(const KinematicCurves& c, const Solve& solve) {
  for (std::size_t i = 0; i < c.values.size(); ++i)
    check_wheel(c, i, testing::turn_of(solve(at(c, i, wheel + ".travel"))) * Vec3d{0, 1, 0});
}

struct AtRest {
  simulation::Prepared prepared, moved;
  analysis::Equilibrium equilibrium;
  analysis::Modes modes;
};

AtRest at_rest(const testing::Loaded& loaded) {
  AtRest out{simulation::prepare(loaded.model, loaded.experiment), {}, {}, {}};
  REQUIRE_MESSAGE(out.prepared.ok(), out.prepared.problem());
  out.equilibrium = analysis::find_equilibrium(out.prepared);
  REQUIRE_MESSAGE(out.equilibrium.found, out.equilibrium.problem);
  CHECK(out.equilibrium.stable);
  out.moved = analysis::prepared_at(out.prepared, out.equilibrium);
  const auto point = analysis::at_equilibrium(out.equilibrium);
  const auto linear = analysis::linearise(out.moved, point);
  REQUIRE_MESSAGE(linear.problem.empty(), linear.problem);
  out.modes = analysis::find_modes(out.moved, point, linear);
  REQUIRE_MESSAGE(out.modes.problem.empty(), out.modes.problem);
  return out;
}

// Frequencies of the modes that the tyres hold.
std::vector<double> wheel_hop(const analysis::Modes& modes) {
  std::vector<double> out;
  for (const analysis::Mode& mode : modes.modes) {
    double tyres = 0;
    for (const analysis::Share& share : mode.strain) tyres += share.name.ends_with(".tyre") ? share.value : 0;
    if (mode.oscillates && tyres > 0.5) out.push_back(mode.frequency);
  }
  return out;
}

double value_at(const simulation::Prepared& p, const std::string& channel) {
  simulation::Evaluator evaluator(p.active, p.all);
  REQUIRE(evaluator.evaluate(p.state.t, p.state.q, p.state.v) == Eval::ok);
  const auto chosen = simulation::choose_channels(simulation::all_channels(*p.active), {{channel, channel, {}}});
  REQUIRE(chosen.size() == 1);
  return chosen[0].value(evaluator.now(), {});
}

// By how much the coordinates have left the drawn position.
double way_from_drawn(const AtRest& rest) {
  std::vector<double> way = rest.equilibrium.state.q;
  for (std::size_t i = 0; i < way.size(); ++i) way[i] -= rest.prepared.state.q[i];
  return largest(way);
}

}  // namespace

// Reference: counts by hand. Each wheel goes up and down and spins; the rack turns the pinion against its torsion bar; the solid axle
// rolls, goes up, aside and winds up; the power unit has all six.
TEST_CASE("Library: each part has the degrees of freedom it should have, and no constraint is redundant") {
  const std::map<std::string, int> expected = {{"double_wishbone", 5},   {"macpherson", 5}, {"five_link", 4},
                                               {"semi_trailing_arm", 4}, {"solid_axle", 6}, {"engine_mounts", 6}};
  for (const auto& [part, freedoms] : expected) {
    CAPTURE(part);
    const auto loaded = rig(part, "rest");
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK(prepared.degrees_of_freedom() == freedoms);
    CHECK(prepared.rank.rank == prepared.all->ng());
  }
}

// Reference: the drawn position. Preloads are given in whole newtons, which 25 kN/m and the tyre turn into hundredths of a millimetre.
TEST_CASE("Library: suspensions rest as they are drawn, and their wheels hop at 10 to 15 Hz") {
  for (const std::string part : {"double_wishbone", "macpherson", "five_link", "semi_trailing_arm", "solid_axle"}) {
    CAPTURE(part);
    const AtRest rest = at_rest(rig(part, "rest"));
    CHECK(way_from_drawn(rest) < 1e-4);
    const auto hop = wheel_hop(rest.modes);
    REQUIRE(hop.size() == 2);
    for (const double f : hop) CHECK((f > 10 && f < 15));
    for (const analysis::Mode& mode : rest.modes.modes) CHECK(mode.damping > 0.02);
  }
}

// Rubber gives way under the loads of the links, by kN over kN/mm.
TEST_CASE("Library: with bushings the wheel stands within millimetres of where hinges hold it, and hops as fast") {
  for (const std::string part : {"double_wishbone", "macpherson", "five_link", "semi_trailing_arm"}) {
    CAPTURE(part);
    const AtRest stiff = at_rest(rig(part, "rest")), soft = at_rest(rig(part, "rest", {{"compliant", "true"}}));
    CHECK(soft.prepared.degrees_of_freedom() > stiff.prepared.degrees_of_freedom());
    for (const std::string axis : {".x", ".y", ".z"})
      CHECK(std::abs(value_at(soft.moved, wheel + axis) - value_at(stiff.prepared, wheel + axis)) < 5e-3);
    CHECK(wheel_hop(soft.modes).front() == Approx(wheel_hop(stiff.modes).front()).epsilon(0.1));
  }
}

// Reference: the mirror. Both wheels go the same way; signs of camber and toe are those of the side.
TEST_CASE("Library: the right side is the mirror image of the left") {
  for (const std::string part : {"double_wishbone", "macpherson", "five_link", "semi_trailing_arm", "solid_axle"}) {
    CAPTURE(part);
    const KinematicCurves c = curves(rig(part, "bump"), 7);
    for (std::size_t i = 0; i < c.values.size(); ++i) {
      for (const std::string name : {".camber", ".toe", ".track_change", ".load"}) {
        CAPTURE(name);
        CHECK(at(c, i, wheel + name) == Approx(at(c, i, "axle.right.wheel.wheel" + name)).scale(1).epsilon(1e-9));
      }
    }
  }
}

// Reference: Newton's method on the lengths of the rods and of the arms' sides, written in held_carrier.testing.h.
TEST_CASE("Library: five links and double wishbones lead the wheel where their lengths let it") {
  const auto five = rig("five_link", "bump");
  const Points p(*five.model, left);
  testing::FiveRods rods{{}, p["centre"]};
  const char* const links[] = {"lower_front", "lower_rear", "upper_front", "upper_rear", "tie"};
  for (std::size_t i = 0; i < 5; ++i)
    rods.rods[i] = {p[links[i] + std::string("_inner")], p[links[i] + std::string("_outer")]};
  check_carrier(curves(five, 16), [&](double travel) { return rods.solve(travel); });

  const auto wishbone = rig("double_wishbone", "bump");
  const Points q(*wishbone.model, left);
  const testing::FiveRods arms{{{{q["lower_front"], q["lower_outer"]},
                                 {q["lower_rear"], q["lower_outer"]},
                                 {q["upper_front"], q["upper_outer"]},
                                 {q["upper_rear"], q["upper_outer"]},
                                 {q["tie_inner"], q["tie_outer"]}}},
                               q["centre"]};
  check_carrier(curves(wishbone, 16), [&](double travel) { return arms.solve(travel); });
}

// Reference: the same method, with the strut as two conditions: the line of its tube passes through the top mount.
TEST_CASE("Library: the MacPherson strut's tube points to its top mount") {
  const auto loaded = rig("macpherson", "bump");
  const Points p(*loaded.model, left);
  const Rod front{p["lower_front"], p["lower_outer"]}, rear{p["lower_rear"], p["lower_outer"]},
      tie{p["tie_inner"], p["tie_outer"]};
  check_carrier(curves(loaded, 16), [&](double travel) {
    return testing::solve_carrier(p["centre"], travel, [&](const CarrierPoint& point) -> CarrierPose {
      const Vec3d foot = point(p["strut_foot"]), along = point(p["strut_top"]) - foot;
      const Vec3d beside = cross(along, p["strut_top"] - foot);
      return {front.stretch(point), rear.stretch(point), tie.stretch(point), beside.x, beside.y};
    });
  });
}

// Reference: in a plane across the car all is closed. The ball joint B turns about the arm's pivot; the strut's line keeps its distance e
// from B and passes through the top T, so that it stands at the angle of B T plus asin(e/|B T|). The tie rod lies in the arm.
TEST_CASE("Library: a MacPherson strut in one plane has the camber of its closed solution") {
  const Settings plane = {{left + ".lower_front", "[0.1, 0.37, -0.1]"}, {left + ".lower_rear", "[-0.2, 0.37, -0.1]"},
                          {left + ".lower_outer", "[0, 0.7, -0.13]"},   {left + ".strut_top", "[0, 0.56, 0.55]"},
                          {left + ".strut_foot", "[0, 0.62, 0]"},       {left + ".tie_inner", "[-0.14, 0.37, -0.1]"},
                          {left + ".tie_outer", "[-0.14, 0.7, -0.13]"}};
  const KinematicCurves c = curves(rig("macpherson", "bump", plane), 16);
  const double arm = std::hypot(0.33, 0.03), slope = std::atan2(-0.03, 0.33);
  const auto strut_angle = [&](double turn) {  // of the line from foot to top, about x
    const double y = 0.37 + arm * std::cos(slope + turn), z = -0.1 + arm * std::sin(slope + turn);
    const double to_top = std::atan2(0.55 - z, 0.56 - y), distance = std::hypot(0.56 - y, 0.55 - z);
    const Vec3d line = normalized(Vec3d{0, 0.56 - 0.62, 0.55}), from_ball = Vec3d{0, 0.62 - 0.7, 0.13};
    const double e = cross(line, from_ball).x;  // signed
    return to_top - std::asin(e / distance);
  };
  const double design = std::atan2(0.55, 0.56 - 0.62);
  CHECK(strut_angle(0) == Approx(design).epsilon(1e-14));
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    // The arm's angle that lifts the wheel's centre so far, by bisection: the centre turns with the strut about the ball joint.
    const double travel = at(c, i, wheel + ".travel");
    double low = -0.5, high = 0.5;
    for (int k = 0; k < 60; ++k) {
      const double turn = 0.5 * (low + high), lean = strut_angle(turn) - design;
      const double ball = -0.1 + arm * std::sin(slope + turn);
      const double centre = ball + 0.05 * std::sin(lean) + 0.13 * std::cos(lean);
      (centre < travel ? low : high) = turn;
    }
    check_wheel(c, i, {0, std::cos(strut_angle(low) - design), std::sin(strut_angle(low) - design)});
  }
}

// Reference: a rotation about one axis, closed. The angle follows from the height of the wheel's centre by bisection.
TEST_CASE("Library: the semi-trailing arm turns its wheel about one axis") {
  const auto loaded = rig("semi_trailing_arm", "bump");
  const Points p(*loaded.model, left);
  const Vec3d axis = normalized(p["arm_outer"] - p["arm_inner"]), arm = p["centre"] - p["arm_inner"];
  const auto turned = [&](const Vec3d& r, double a) {
    return std::cos(a) * r + std::sin(a) * cross(axis, r) + (1 - std::cos(a)) * dot(axis, r) * axis;
  };
  const KinematicCurves c = curves(loaded, 16);
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    double low = -0.6, high = 0.6;
    for (int k = 0; k < 60; ++k) {
      const double a = 0.5 * (low + high);
      (turned(arm, a).z - arm.z < at(c, i, wheel + ".travel") ? low : high) = a;
    }
    check_wheel(c, i, turned({0, 1, 0}, low));
  }
}

// Reference: one degree of freedom, J w^2 = k (dz/da)^2, where the brake makes arm and wheel one body: k is the rate of the wheel, as
// the kinematics has it, and that of the tyre. The brake's own give, 1e9 N.m/rad, is far below 1e-4.
TEST_CASE("Library: the wheel on a semi-trailing arm hops as its moment of inertia about the arm's axis says") {
  const Settings locked = {{"axle.left.parking.angular_stiffness", "1e9"},
                           {"axle.right.parking.angular_stiffness", "1e9"}};
  const auto bump = rig("semi_trailing_arm", "bump");
  const Points p(*bump.model, left);
  const KinematicCurves c = curves(bump, 151);  // from -70 mm in steps of 1 mm
  REQUIRE(std::abs(at(c, 70, wheel + ".travel")) < 1e-9);
  const Vec3d axis = normalized(p["arm_outer"] - p["arm_inner"]);
  double inertia = 0;
  const auto loaded = rig("semi_trailing_arm", "rest", locked);
  for (const model::Body& b : loaded.model->bodies) {
    if (b.name != left + ".upright" && b.name != wheel) continue;
    const Vec3d r = b.com - Vec3d{0, 0, 0.31} - p["arm_inner"], across = r - dot(r, axis) * axis;
    inertia += b.mass * dot(across, across) + dot(axis, b.inertia * axis);
  }
  const double lever = cross(axis, p["centre"] - p["arm_inner"]).z, rate = at(c, 70, wheel + ".rate") + 200e3;
  const double frequency = lever * std::sqrt(rate / inertia) / (2 * std::numbers::pi);
  CHECK(wheel_hop(at_rest(loaded).modes).front() == Approx(frequency).epsilon(1e-3));
}

// References: the seat goes along the arc about a quarter of the leaf behind its eye; across, the leaves hold the axle at the height of their
// seats, about which it rolls; it steers by the slope of its links, as the left one pushes its side back and the right one forward.
TEST_CASE("Library: the solid axle moves on the arc of its leaves, rolls about their seats and steers by their slope") {
  const auto loaded = rig("solid_axle", "bump");
  const Points p(*loaded.model, left);
  const Vec3d seat = p["leaf_seat"], centre = 0.75 * p["leaf_front"] + 0.25 * seat;
  const KinematicCurves bump = curves(loaded, 16);
  for (std::size_t i = 0; i < bump.values.size(); ++i) {
    const double s = at(bump, i, wheel + ".travel"), height = seat.z + s - centre.z;
    if (s > 0.065) continue;  // the stop stands behind the axle and winds it up
    const double back = std::sqrt(dot(seat - centre, seat - centre) - height * height);
    CHECK(std::abs(at(bump, i, wheel + ".wheelbase_change") - (seat.x - centre.x + back)) < 1e-9);
    CHECK(std::abs(at(bump, i, wheel + ".camber")) < 1e-12);
  }
  const KinematicCurves roll = curves(rig("solid_axle", "roll"), 101);  // from -50 mm in steps of 1 mm
  CHECK(at(roll, 50, "rear_axle.roll_centre_height") == Approx(0.31 + seat.z).epsilon(1e-9));
  const double slope = (seat.z - centre.z) / (centre.x - seat.x);
  const double steer = at(roll, 51, wheel + ".toe") - at(roll, 49, wheel + ".toe");
  const double lean = at(roll, 51, wheel + ".camber") - at(roll, 49, wheel + ".camber");
  CHECK(-steer / lean == Approx(slope).epsilon(1e-4));
  // Two springs at the lever of their seats, wheels at that of the track: the rate of opposite travel, but for the weight's lever.
  const double ratio = seat.y / 0.72;
  CHECK(at(roll, 50, wheel + ".rate") == Approx(35e3 * ratio * ratio).epsilon(0.05));
}

// References: statics, the mounts carry the weight and leave no moment; and the six frequencies of K x = w^2 M x with K put together here.
TEST_CASE("Library: the power unit rests as drawn and vibrates as its stiffness matrix says") {
  const auto loaded = rig("engine_mounts", "rest");
  const Points p(*loaded.model, "power_unit");
  const AtRest rest = at_rest(loaded);
  CHECK(way_from_drawn(rest) < 1e-12);
  const Vec3d mounts[] = {p["mount_1"], p["mount_2"], p["mount_3"]}, rate = p["mount_rate"],
              inertia = p["engine_inertia"];
  const double mass = p.number("engine_mass");
  // Scaled by the square roots of the masses: K' = M^-1/2 K M^-1/2, whose eigenvalues are w^2.
  DenseMatrix k(6, 6);
  const double root[] = {std::sqrt(mass),      std::sqrt(mass),      std::sqrt(mass),
                         std::sqrt(inertia.x), std::sqrt(inertia.y), std::sqrt(inertia.z)};
  for (const Vec3d& r : mounts) {
    // Deflection of a mount by a unit of each coordinate: displacement, and rotation cross lever.
    const Vec3d moves[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}};
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j)
        k(i, j) +=
            (moves[i].x * rate.x * moves[j].x + moves[i].y * rate.y * moves[j].y + moves[i].z * rate.z * moves[j].z) /
            (root[i] * root[j]);
    }
  }
  REQUIRE(rest.modes.modes.size() == 6);
  const EigenPairs pairs = eigen_pairs(k);
  REQUIRE(pairs.ok);
  std::vector<double> expected;
  for (const Complex& value : pairs.values) expected.push_back(std::sqrt(value.real()) / (2 * std::numbers::pi));
  std::ranges::sort(expected);
  // The preloads turn with the mounts: a stiffness of their own of some 1e-3.
  for (std::size_t i = 0; i < 6; ++i) CHECK(rest.modes.modes[i].frequency == Approx(expected[i]).epsilon(2e-3));
}

// Reference: the torsion bar, its pinion and the springs at the rack in a row: K (phi - theta) = k r^2 theta with r = way by turn over 2 pi; arms that hold the steering wheel are one more spring in that row.
TEST_CASE(
    "Library: rack steering moves the rack by its ratio, and gives way by its torsion bar and the driver's arms") {
  const double bar = 600, grip = 300, springs = 200e3, r = -0.058 / (2 * std::numbers::pi),
               asked = std::numbers::pi / 2;
  for (const char* experiment : {"turn", "hands"}) {
    CAPTURE(std::string(experiment));
    const auto run = testing::run("library/rigs/rack_steering", {.experiment = experiment});
    const double row = experiment == std::string("turn") ? bar : 1 / (1 / bar + 1 / grip);
    const double pinion = asked * row / (row + springs * r * r), torque = row * (asked - pinion);
    CHECK(run.last("pinion") == Approx(pinion).epsilon(1e-6));
    CHECK(run.last("rack") == Approx(r * pinion).epsilon(1e-6));  // to the right: the tie rods lie behind the axle
    CHECK(std::abs(run.last("torque")) == Approx(torque).epsilon(1e-5));
    CHECK(run.last("axle.steering.steering_wheel") == Approx(pinion + torque / bar).epsilon(1e-6));
    for (std::size_t k = 0; k < run.sink.time.size(); ++k)
      CHECK(std::abs(run.at(k, "rack") - r * run.at(k, "pinion")) < 1e-12);
  }
}

// Reference: balance at a steady spin, T = Fx r with the loaded radius, and Fiala's formula the other way round: with u = Fx/(mu Fz) the share a = 1 - (1 - u)^(1/3) and kappa = 3 mu Fz a/C. Locked the road gives mu Fz.
TEST_CASE("Library: the braked wheel slips as far as its tyre must to hold the torque, and locks where it cannot") {
  constexpr double mu = 0.95, load = 4200, r = 0.353, C = 80e3, torque = 40 * 20;
  const auto brake = testing::run("library/rigs/wheel", {.experiment = "brake"});
  CHECK(brake.at(0, "road_torque") == Approx(0).scale(torque));  // it begins as a free wheel
  CHECK(brake.last("load") == Approx(load).epsilon(1e-9));
  CHECK(brake.last("brake_torque") == Approx(-torque).epsilon(1e-9));
  CHECK(brake.last("road_torque") == Approx(-torque).epsilon(1e-4));
  CHECK(brake.last("slip") == Approx(-3 * mu * load / C * (1 - std::cbrt(1 - torque / (r * mu * load)))).epsilon(1e-4));
  CHECK(brake.last("locked") == 0);
  const auto lock = testing::run("library/rigs/wheel", {.experiment = "lock"});
  CHECK(lock.last("locked") == 1);
  CHECK(lock.last("slip") == Approx(-1).epsilon(1e-6));
  CHECK(lock.last("brake_torque") == Approx(-mu * load * r).epsilon(1e-6));  // what it holds, of 2000 N.m that it could
}

// Reference: a car whose wheels do not slip. The rear axle goes where the car points, y' = v psi, psi' = v angle/L, and pursuit asks for the angle 2 L/p^2 (offset - y - p psi): s^2 + 2 v/p s + 2 v^2/p^2 = 0, so that
// offset - y = offset e^-u (cos u + sin u) with u = v t/p. Lag, arms and tyres are made so quick and stiff that they delay this by some ms of p/v = 0.8 s.
TEST_CASE("Library: without lag and slip the path follower comes to the path as pure pursuit does") {
  const double v = 15, p = 12, offset = 0.2;
  const auto run = testing::run("library/rigs/drivers", {.experiment = "path",
                                                         .set = {{"driver.lag", "1 ms"},
                                                                 {"arms", "20 MN.m/rad"},
                                                                 {"arm_damping", "20 kN.m.s/rad"},
                                                                 {"cornering_stiffness", "100 MN/rad"}}});
  for (std::size_t k = 0; k < run.sink.time.size(); ++k) {
    const double u = v * run.sink.time[k] / p, rear = run.at(k, "y") - 1.25 * std::sin(run.at(k, "yaw"));
    CHECK(std::abs(rear - offset * (1 - std::exp(-u) * (std::cos(u) + std::sin(u)))) < 0.005 * offset);
  }
}

// Reference: the linear single-track car with the lag of driver and arms, followed here in small steps. What is not linear is of the square of the angles, which stay below 0.02.
TEST_CASE("Library: with lag, arms and tyres the path follower does what linear equations say") {
  constexpr double v = 15, p = 12, offset = 0.2, half = 1.25, C = 100e3, lag = 0.15, arms = 20e3, damping = 300;
  constexpr double mass = 1060, front_turn = 0.5 + 0.6, turn = 1500 + front_turn + 0.6 + 60 * half * half;
  using State = std::array<double, 7>;  // y, yaw, speed across, yaw rate, angle asked, angle of the wheel, its rate
  const auto rate = [&](const State& x) -> State {
    const double gain = 4 * half / (p * p), front = C * (x[5] - (x[2] + half * x[3]) / v),
                 rear = -C * (x[2] - half * x[3]) / v;
    const double arm = arms * (x[4] - x[5]) - damping * x[6];
    const double yaw = (half * (front - rear) - arm) / (turn - front_turn);
    return {x[2] + v * x[1],
            x[3],
            (front + rear) / mass - v * x[3],
            yaw,
            (gain * (offset - x[0] - (p - half) * x[1]) - x[4]) / lag,
            x[6],
            arm / front_turn - yaw};
  };
  const auto run = testing::run("library/rigs/drivers", {.experiment = "path"});
  State x{};
  constexpr double step = 1e-4;  // of Heun's method: errors of 1e-6
  double t = 0;
  for (std::size_t k = 0; k < run.sink.time.size(); ++k) {
    for (; t < run.sink.time[k] - 0.5 * step; t += step) {
      const State a = rate(x);
      State ahead = x;
      for (std::size_t i = 0; i < x.size(); ++i) ahead[i] += step * a[i];
      const State b = rate(ahead);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.5 * step * (a[i] + b[i]);
    }
    CHECK(std::abs(run.at(k, "y") - x[0]) < 1e-3 * offset);
    CHECK(std::abs(run.at(k, "yaw") - x[1]) < 1e-3 * 0.02);
  }
}

// Reference: M e'' = -(gain/r)(e' + e/time), with the wheels' inertia in M; e goes from 1 m/s. Slip takes 4e-4 of the force.
TEST_CASE("Library: the speed hold brings the car to its speed as its two gains say") {
  constexpr double mass = 1060 + 2 * 1 / 0.09, a = 400 / 0.3 / mass, b = a / 2;
  const double decay = a / 2, turns = std::sqrt(b - decay * decay);
  const auto run = testing::run("library/rigs/drivers", {.experiment = "faster"});
  for (std::size_t k = 0; k < run.sink.time.size(); ++k) {
    // e(0) = 1 and, as the integral begins at zero, e'(0) = -a.
    const double t = run.sink.time[k],
                 e = std::exp(-decay * t) * (std::cos(turns * t) + (decay - a) / turns * std::sin(turns * t));
    CHECK(std::abs(16 - run.at(k, "speed") - e) < 2e-3);
  }
}

// Every part of the library has a rig and a picture, and the page shows both.
TEST_CASE("Library: each part has its rig and its picture") {
  const std::filesystem::path root = SKYHOOK_SOURCE_DIR;
  std::ifstream in(root / "docs/library.md");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  for (const auto& file : std::filesystem::directory_iterator(root / "models/library")) {
    if (file.path().extension() != ".yaml") continue;
    const std::string part = file.path().stem().string();
    CAPTURE(part);
    CHECK(std::filesystem::exists(root / "models/library/rigs" / (part + ".yaml")));
    CHECK(std::filesystem::exists(root / "docs/pictures" / ("library_" + part + ".png")));
    CHECK(page.find("(pictures/library_" + part + ".png)") != std::string::npos);
    CHECK(page.find("(../models/library/rigs/" + part + ".yaml)") != std::string::npos);
  }
}

TEST_CASE("Library: the page of rail vehicles names every parameter of every part") {
  std::ifstream page_file(SKYHOOK_SOURCE_DIR "/docs/rail.md");
  const std::string page(std::istreambuf_iterator<char>(page_file), {});
  for (const char* part : {"wheelset", "bogie", "secondary"}) {
    std::ifstream in(std::string(SKYHOOK_SOURCE_DIR "/models/rail/library/") + part + ".yaml");
    bool inside = false;
    int count = 0;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("    ") && line[4] != ' ') inside = line == "    parameters:";
      if (!inside || !line.starts_with("      ") || line[6] == ' ' || line[6] == '#') continue;
      const std::string name = line.substr(6, line.find(':') - 6);
      CHECK_MESSAGE(page.find("`" + name + "`") != std::string::npos, part << ": " << name);
      ++count;
    }
    CHECK(count > 5);
  }
}

// Each parameter of a part stands in docs/library.md, in a row of its table or of that for all suspensions.
TEST_CASE("Library: the page names every parameter of every part") {
  const auto text_of = [](const std::filesystem::path& file) {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::filesystem::path root = SKYHOOK_SOURCE_DIR;
  const std::string page = text_of(root / "docs/library.md");
  for (const auto& file : std::filesystem::directory_iterator(root / "models/library")) {
    if (file.path().extension() != ".yaml") continue;
    std::istringstream lines(text_of(file.path()));
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("    ") && line[4] != ' ') inside = line == "    parameters:";
      if (!inside || !line.starts_with("      ") || line[6] == ' ' || line[6] == '#') continue;
      const std::string name = line.substr(6, line.find(':') - 6);
      CHECK_MESSAGE(page.find("| `" + name + "` |") != std::string::npos, file.path().filename() << ": " << name);
    }
  }
}

// What a part cuts is told once, with the first time and the largest value. References: the formulas of time that ask for it.
TEST_CASE("Library: a negative brake pressure and a driver at his limits are told") {
  const auto told = [](const testing::Run& run) {
    std::string all;
    for (const Warning& w : run.sink.summary.warnings) all += w.name == "beyond_table" ? w.what + "\n" : "";
    return all;
  };
  const auto brake = testing::run("library/rigs/wheel", {.experiment = "brake", .set = {{"pressure", "-20 bar"}}});
  CHECK(told(brake).starts_with(
      "force \"axle.left.wheel.brake\": pressure: its range of the pressure begins at 0 Pa, but the "
      "pressure reached -2e+06 Pa (beyond first at t = 0.2"));
  CHECK(std::ranges::count(told(brake), '\n') == 1);
  CHECK(brake.last("brake_torque") == 0);
  CHECK(told(testing::run("library/rigs/wheel", {.experiment = "brake"})).empty());

  // By a signal: it listens to one that goes below zero.
  const auto heard = testing::run_text(
      "skyhook: 1\nbodies: {wheel: {mass: 20 kg, inertia: [1, 1, 1]}}\njoints: {hub: {type: revolute, from: ground, "
      "to: wheel, axis: y, rate: 5 rad/s}}\n"
      "signals: {asked: \"=1[bar]*(1 - t/1[s])\"}\n"
      "forces: {brake: {type: brake, joint: hub.angle, signal: asked, torque_per_pressure: 0.01 "
      "N.m/bar}}\nexperiments: {go: {until: 3 s}}\n");
  CHECK(told(heard).find("the pressure reached -200000 Pa (beyond first at t = 1.0") != std::string::npos);

  // Asked for at the start: gain times the error of 1 m/s.
  const auto fast =
      testing::run("library/rigs/drivers", {.experiment = "faster", .set = {{"cruise.limit", "100 N.m"}}});
  CHECK(told(fast).starts_with(
      "signal \"cruise.torque\": limit: its range of the value asked ends at 100 N.m, but the value "
      "asked reached 4"));
  const auto far = testing::run("library/rigs/drivers", {.experiment = "path", .set = {{"driver.limit", "0.1 deg"}}});
  CHECK(told(far).starts_with("signal \"driver.wanted\": limit: "));
  CHECK(told(testing::run("library/rigs/drivers", {.experiment = "path"})).empty());
}

// The names that parts look for are theirs to choose; the motion is the same to the last bit.
TEST_CASE("Library: driver, course and signals may have other names") {
  std::ifstream in(testing::model_path("road/driven_car"));
  std::string text(std::istreambuf_iterator<char>(in), {});
  const auto replace = [&text](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("  driver: {template: path_driver,", "  pilot: {template: path_driver, course: way,");
  replace("  course: {template: iso_3888_1,", "  way: {template: iso_3888_1, driver: pilot,");
  replace("  cruise: {template: speed_hold,", "  hold: {template: speed_hold,");
  replace("driver: true}\n      bar", "driver: true, steered_by: pilot.steer}\n      bar");
  replace("{template: driveline, driver: true}", "{template: driveline, driver: true, driven_by: hold.torque}");
  replace("asked: driver.steer", "asked: pilot.steer");
  replace("torque: cruise.torque", "torque: hold.torque");
  replace(", cruise.limit: 2500 N.m, course.second: 0 m, course.third: 0 m", "");
  for (std::size_t at = 0; (at = text.find("../library/", at)) != std::string::npos;)
    text.replace(at, 3, SKYHOOK_SOURCE_DIR "/models/");
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("skyhook_names_" + std::to_string(::getpid()) + ".yaml");
  std::ofstream(file) << text;
  auto renamed =
      testing::load_again({.experiment = "lane_change", .until = 2},
                          [&](const auto& set, const std::string& e) { return io::read_model(file.string(), set, e); });
  const auto one = testing::run(renamed),
             other = testing::run("road/driven_car", {.experiment = "lane_change", .until = 2});
  std::filesystem::remove(file);
  CHECK(one.last("steering_wheel_angle") != 0);
  for (const std::string channel : {"y", "yaw", "speed", "torque", "steering_wheel_angle"})
    CHECK(one.last(channel) == other.last(channel));
}
