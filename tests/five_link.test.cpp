// The five-link wheel suspension of [Simeon 1996]: counts, rest, kinematics, the bump, and what its table 1 says.
#include <array>
#include <cmath>
#include <map>

#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/integrator/dopri5.h"

using namespace skyhook;
using doctest::Approx;

namespace {

const std::string name = "suspension/five_link";

// The carrier held by five rods, apart from the program: the points of the data, mirrored, and Newton's method.
struct Rod {
  Vec3d chassis, carrier;
  double mass;
};
constexpr std::array<Rod, 5> rods = {{{{0.225, -0.306, -0.18}, {0.02, -0.706, -0.18}, 2.90283},
                                      {{-0.125, -0.306, -0.18}, {-0.02, -0.706, -0.18}, 2.90283},
                                      {{0.1, -0.451, 0.09}, {0.02, -0.706, 0.12}, 2.63894},
                                      {{-0.105, -0.451, 0.09}, {-0.02, -0.706, 0.12}, 2.63894},
                                      {{-0.13, -0.409, -0.145}, {-0.13, -0.759, -0.145}, 5.27788}}};
constexpr std::size_t shock_rod = 1;
constexpr Vec3d wheel_centre{0, -0.7875, 0}, patch{0, -0.7875, -0.33};
constexpr Vec3d shock_top{-0.05387, -0.49195, 0.19286}, shock_bottom{-0.053587, -0.716, -0.18};

// x, y of the wheel's centre and the Cardan angles x-y-z of the carrier, at a height z of the wheel's centre.
using Unknowns = std::array<double, 5>;
struct Pose {
  Unknowns u;
  double z;
  Vec3d point(const Vec3d& at_design) const {
    Vec3d r = at_design - wheel_centre;
    r = {r.x * std::cos(u[4]) - r.y * std::sin(u[4]), r.x * std::sin(u[4]) + r.y * std::cos(u[4]), r.z};
    r = {r.x * std::cos(u[3]) + r.z * std::sin(u[3]), r.y, -r.x * std::sin(u[3]) + r.z * std::cos(u[3])};
    r = {r.x, r.y * std::cos(u[2]) - r.z * std::sin(u[2]), r.y * std::sin(u[2]) + r.z * std::cos(u[2])};
    return r + Vec3d{u[0], u[1], z};
  }
};

Unknowns stretch(const Pose& pose) {  // of each rod: length^2 less that at design
  Unknowns f;
  for (std::size_t i = 0; i < 5; ++i) {
    const Vec3d now = pose.point(rods[i].carrier) - rods[i].chassis, design = rods[i].carrier - rods[i].chassis;
    f[i] = dot(now, now) - dot(design, design);
  }
  return f;
}

Unknowns solved(std::array<Unknowns, 5> a, Unknowns b) {  // Gauss with row exchange
  for (std::size_t k = 0; k < 5; ++k) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < 5; ++i) p = std::abs(a[i][k]) > std::abs(a[p][k]) ? i : p;
    std::swap(a[k], a[p]), std::swap(b[k], b[p]);
    for (std::size_t i = 0; i < 5; ++i) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < 5; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = 0; k < 5; ++k) b[k] /= a[k][k];
  return b;
}

Pose pose_at(double travel) {
  Pose pose{{wheel_centre.x, wheel_centre.y, 0, 0, 0}, travel};
  for (int iteration = 0; iteration < 20; ++iteration) {
    const Unknowns f = stretch(pose);
    std::array<Unknowns, 5> jacobian;
    for (std::size_t j = 0; j < 5; ++j) {
      constexpr double step = 1e-6;
      Pose up = pose, down = pose;
      up.u[j] += step, down.u[j] -= step;
      const Unknowns a = stretch(up), b = stretch(down);
      for (std::size_t i = 0; i < 5; ++i) jacobian[i][j] = (a[i] - b[i]) / (2 * step);
    }
    const Unknowns change = solved(jacobian, f);
    double size = 0;
    for (std::size_t j = 0; j < 5; ++j) pose.u[j] -= change[j], size = std::max(size, std::abs(change[j]));
    if (size < 1e-13) break;
  }
  for (const double f : stretch(pose)) REQUIRE(std::abs(f) < 1e-14);
  return pose;
}

}  // namespace

// Reference: [Simeon 1996] §2, "7 rigid bodies, 14 position coordinates, 12 constraints, 2 degrees of freedom".
TEST_CASE("Five-link suspension: bodies, coordinates, constraints and degrees of freedom are those of the benchmark") {
  const testing::Loaded loaded = testing::load(name);
  const simulation::Prepared prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE(prepared.ok());
  CHECK(loaded.model->bodies.size() == 7);
  CHECK(prepared.all->nq() == 14);  // Cardan angles: as many as velocities
  CHECK(prepared.all->nv() == 14);
  CHECK(prepared.all->ng() == 12);
  CHECK(prepared.active->ng() == 12);
  CHECK(prepared.degrees_of_freedom() == 2);
  CHECK(prepared.topology.cuts.size() == 4);
}

// Reference: the data, with rods that are slender: about u, their direction, I = a u u^T + c (1 - u u^T).
TEST_CASE("Five-link suspension: masses and inertias are those of the data") {
  const testing::Loaded loaded = testing::load(name);
  const auto body = [&](const std::string& wanted) -> const model::Body& {
    const auto& all = loaded.model->bodies;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& b) { return b.name == wanted; });
    REQUIRE_MESSAGE(found != all.end(), wanted);
    return *found;
  };
  const auto check = [&](const std::string& wanted, double mass, const Vec3d& com, auto&& inertia) {
    CAPTURE(wanted);
    const model::Body& b = body(wanted);
    CHECK(b.mass == Approx(mass).epsilon(1e-12));
    CHECK(std::sqrt(dot(b.com - com, b.com - com)) < 1e-12);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) CHECK(std::abs(b.inertia[i][j] - inertia(i, j)) < 1e-12);
    }
  };
  const auto diagonal = [](double x, double y, double z) {
    return [=](int i, int j) { return i != j ? 0.0 : i == 0 ? x : i == 1 ? y : z; };
  };
  constexpr std::array names{"lower_front.rod", "lower_rear.rod", "upper_front.rod", "upper_rear.rod", "track_rod.rod"};
  for (std::size_t k = 0; k < rods.size(); ++k) {
    const Vec3d d = rods[k].carrier - rods[k].chassis;
    const double square = dot(d, d), across = rods[k].mass * square / 12, along = 1e-3 * rods[k].mass * square;
    const std::array<double, 3> e{d.x, d.y, d.z};
    check(names[k], rods[k].mass, 0.5 * (rods[k].chassis + rods[k].carrier), [&](int i, int j) {
      const double uu = e[static_cast<std::size_t>(i)] * e[static_cast<std::size_t>(j)] / square;
      return along * uu + across * ((i == j ? 1 : 0) - uu);
    });
  }
  check("carrier", 7.03717, {0, -0.74, 0}, diagonal(0.06, 0.05, 0.04));
  check("wheel", 18, wheel_centre, diagonal(0.55, 1.0, 0.55));
}

// Reference: virtual work of tyre, weights and spring at the design position, with displacements from Newton's method
// above. The rod of the shock turns about the two axes of its universal joint, here -x and -z.
TEST_CASE("Five-link suspension: at rest in the design position with 4 kN on the wheel") {
  constexpr double dz = 1e-5;
  const auto moved = [](const Vec3d& at_design) {
    return (1 / (2 * dz)) * (pose_at(dz).point(at_design) - pose_at(-dz).point(at_design));
  };
  double weight = (7.03717 * moved({0, -0.74, 0}).z + 18.0) * 9.81;  // per unit of travel
  for (const Rod& rod : rods) weight += rod.mass * 9.81 * moved(rod.carrier).z / 2;
  const Rod& rod = rods[shock_rod];
  const Vec3d d = rod.carrier - rod.chassis, end = moved(rod.carrier), axis_1{-1, 0, 0}, axis_2{0, 0, -1};
  const double angle_1 = end.z / cross(axis_1, d).z, angle_2 = end.x / cross(axis_2, d).x;
  const Vec3d bottom = cross(angle_1 * axis_1 + angle_2 * axis_2, shock_bottom - rod.chassis);
  const Vec3d line = shock_bottom - shock_top;
  const double lengthening = dot(line, bottom) / std::sqrt(dot(line, line));
  const double preload = (4000 - weight) / lengthening;

  testing::Wish wish;
  wish.until = 0.01;  // the bump begins later
  wish.outputs = {"wheel.z", "tyre.force", "shock.force", "wheel.az"};
  const testing::Run run = testing::run(name, wish);
  CHECK(run.at(0, "shock.force") == Approx(preload).epsilon(1e-8));
  CHECK(run.last("tyre.force") == Approx(4000).epsilon(1e-9));
  CHECK(std::abs(run.last("wheel.z")) < 1e-10);

  wish.experiment = "rest";
  const testing::Loaded rest = testing::load(name, wish);
  const auto found = analysis::find_equilibrium(simulation::prepare(rest.model, rest.experiment));
  REQUIRE(found.found);
  CHECK(found.stable);
  CHECK(!found.unique);  // the wheel turns freely
  for (const double q : found.state.q) CHECK(std::abs(q) < 1e-10);
}

// Reference: the five lengths, solved by Newton's method above, at the travel of the sample.
TEST_CASE("Five-link suspension: camber, toe, track and wheelbase over the travel") {
  testing::Wish wish;
  wish.experiment = "kinematics";
  wish.output_step = 0.05;
  wish.outputs = {"wheel.x",         "wheel.z", "carrier.angle_x", "carrier.angle_y",
                  "carrier.angle_z", "patch.y", "wheel.camber",    "wheel.toe"};
  const testing::Run run = testing::run(name, wish);
  double lowest = 0, highest = 0;
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const double travel = run.at(i, "wheel.z");
    const Pose pose = pose_at(travel);
    CAPTURE(travel);
    CHECK(std::abs(run.at(i, "wheel.x") - pose.u[0]) < 1e-7);
    CHECK(std::abs(run.at(i, "carrier.angle_x") - pose.u[2]) < 1e-6);
    CHECK(std::abs(run.at(i, "carrier.angle_y") - pose.u[3]) < 1e-6);
    CHECK(std::abs(run.at(i, "carrier.angle_z") - pose.u[4]) < 1e-6);
    CHECK(std::abs(run.at(i, "patch.y") - pose.point(patch).y) < 1e-7);
    const Vec3d axle = pose.point({0, 1, 0}) - pose.point({0, 0, 0});  // it turns about y; right wheel
    CHECK(std::abs(run.at(i, "wheel.camber") - std::asin(axle.z)) < 1e-6);
    CHECK(std::abs(run.at(i, "wheel.toe") - std::atan2(-axle.x, axle.y)) < 1e-6);
    lowest = std::min(lowest, travel), highest = std::max(highest, travel);
  }
  CHECK(lowest < -0.06);
  CHECK(highest > 0.06);
  CHECK(pose_at(0.06).u[2] < -0.02);  // the sign of the textbooks: negative camber in bump
}

// [Simeon 1996] §5: nothing lifts off, and the suspension returns within 1 s.
TEST_CASE("Five-link suspension: over the bump and back to rest") {
  testing::Wish wish{.experiment = "low_bump"};
  wish.outputs = {"wheel.z", "tyre.force", "shock.force", "shock.rate", "shock.length", "bearing.angle_rate"};
  const testing::Run run = testing::run(name, wish);
  double lightest = 1e9, highest = 0;
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    lightest = std::min(lightest, run.at(i, "tyre.force")), highest = std::max(highest, run.at(i, "wheel.z"));
    const double v = run.at(i, "shock.rate");
    if (std::abs(v) > 0.02) {  // outside of the knee the two rates hold
      const double spring = run.at(0, "shock.force") + 45e3 * (run.at(i, "shock.length") - run.at(0, "shock.length"));
      CHECK(run.at(i, "shock.force") - spring == Approx(v * (v > 0 ? 3200 : 1500)).epsilon(1e-9));
    }
  }
  CHECK(highest > 0.045);  // the wheel hops higher than the bump
  CHECK(lightest > 350);
  CHECK(lightest < 450);
  CHECK(std::abs(run.last("wheel.z")) < 1e-7);
  CHECK(run.last("bearing.angle_rate") == Approx(30 / 0.33).epsilon(1e-4));
  CHECK(run.sink.summary.energy_closure < 1e-5);  // tolerance 1e-6
  CHECK(run.sink.summary.position_residual < 1e-7);
  CHECK(run.sink.summary.velocity_residual < 1e-5);

  wish.experiment = "bump";  // a higher one lifts the tyre, which never pulls
  const testing::Run high = testing::run(name, wish);
  for (std::size_t i = 0; i < high.sink.time.size(); ++i) {
    CHECK(high.at(i, "tyre.force") >= 0);
    lightest = std::min(lightest, high.at(i, "tyre.force"));
  }
  CHECK(lightest == 0);
}

// Within the knee the damper passes from one rate to the other: its coefficient F/v rises between both, and F has no jump and
// no kink, at the knee's ends neither. Speeds are given by a road that goes up and down slowly.
TEST_CASE("Five-link suspension: the damper's force is smooth within its knee") {
  testing::Wish wish{.experiment = "kinematics", .set = {{"stroke", "20 mm"}}};
  wish.tolerance = 1e-9, wish.output_step = 1e-3;
  wish.outputs = {"shock.force", "shock.rate", "shock.length"};
  const testing::Run run = testing::run(name, wish);
  const double force = run.at(0, "shock.force"), length = run.at(0, "shock.length");
  std::map<double, double> damper;  // force over speed
  for (std::size_t i = 0; i < run.sink.time.size(); ++i)
    damper[run.at(i, "shock.rate")] = run.at(i, "shock.force") - force - 45e3 * (run.at(i, "shock.length") - length);
  CHECK(damper.begin()->first < -0.025);
  CHECK(damper.rbegin()->first > 0.025);
  double before = 1500;
  std::vector<std::array<double, 2>> slopes;  // speed, dF/dv
  double v0 = damper.begin()->first, f0 = damper.begin()->second;
  for (const auto& [v, f] : damper) {
    if (std::abs(v) > 1e-3) {
      const double rate = f / v;
      CHECK(rate >= before - 1e-3);
      CHECK(rate <= 3200 + 1e-3);
      before = rate;
    }
    if (v - v0 < 1e-4) continue;  // differences of near speeds have no digits
    slopes.push_back({0.5 * (v + v0), (f - f0) / (v - v0)});
    v0 = v, f0 = f;
  }
  CHECK(slopes.front()[1] == Approx(1500).epsilon(1e-6));
  CHECK(slopes.back()[1] == Approx(3200).epsilon(1e-6));
  // No jump of dF/dv: F'' = 2 c' + v c'' stays below 4 (rebound - compression)/knee, twice the ramp's largest value.
  for (std::size_t k = 1; k < slopes.size(); ++k)
    CHECK(std::abs(slopes[k][1] - slopes[k - 1][1]) < 4 * 1700 / 0.02 * (slopes[k][0] - slopes[k - 1][0]) + 1);
}

namespace {

using formulation::ProjectionOptions;
using Positions = ProjectionOptions::Positions;

struct Instant {
  double t;
  std::vector<double> y;
};

struct Outcome {
  std::vector<Instant> steps;
  Cost cost;
  long projections = 0;
  formulation::Projected::Drift drift;  // at the end
  double error = 0;                     // largest over the steps, of the angles of the linkage, rad
};

class Bump {
 public:
  Bump()
      : loaded_(testing::load(name, {.experiment = "low_bump"})),
        prepared_(simulation::prepare(loaded_.model, loaded_.experiment)) {
    REQUIRE(prepared_.ok());
    start_ = prepared_.state.q;
    start_.insert(start_.end(), prepared_.state.v.begin(), prepared_.state.v.end());
    const auto& names = prepared_.active->position_names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != "bearing.angle") linkage_.push_back(i);  // its 90 rad would hide the others
    }
    REQUIRE(linkage_.size() == 13);
  }

  Outcome run(ProjectionOptions options, double tolerance) const {
    const formulation::Projected problem(prepared_.active, options);
    integrator::Dopri5 dopri = integrator_of(problem, tolerance);
    Outcome out;
    integrator::StepResult r;
    while (r.status == integrator::StepStatus::ok) {
      r = dopri.step(loaded_.experiment.until);
      out.steps.push_back({dopri.t(), {dopri.y().begin(), dopri.y().end()}});
    }
    REQUIRE(r.status == integrator::StepStatus::reached_limit);
    auto workspace = problem.workspace();
    out.drift = problem.drift(dopri.t(), dopri.y(), *workspace);
    out.cost = dopri.cost(), out.projections = dopri.repairs();
    out.error = distance_to_reference(out.steps);
    return out;
  }

  // From a run at 1e-11, projected after each step.
  double distance_to_reference(const std::vector<Instant>& instants) const {
    const formulation::Projected problem(prepared_.active, {.positions = Positions::always});
    integrator::Dopri5 dopri = integrator_of(problem, 1e-11);
    double worst = 0;
    std::vector<double> y(start_.size());
    for (const Instant& instant : instants) {
      while (dopri.t() < instant.t) REQUIRE(dopri.step(1.0).status != integrator::StepStatus::failed);
      instant.t == 0 ? void(y = start_) : dopri.interpolate(instant.t, y, {});
      for (const std::size_t i : linkage_) worst = std::max(worst, std::abs(y[i] - instant.y[i]));
    }
    return worst;
  }

 private:
  integrator::Dopri5 integrator_of(const formulation::Projected& problem, double tolerance) const {
    return {problem,
            {.relative_tolerance = tolerance,
             .absolute_tolerance = tolerance,
             .largest_step = loaded_.experiment.largest_step},
            0,
            start_};
  }
  testing::Loaded loaded_;
  simulation::Prepared prepared_;
  std::vector<double> start_;
  std::vector<std::size_t> linkage_;
};

}  // namespace

// [Simeon 1996], table 1, at its tolerance. The reference is our own at 1e-11; the next test shows that IDA finds the
// same.
TEST_CASE(
    "Five-link suspension: controlled projection is as exact as projecting each step, with a fifth of the "
    "projections") {
  const Bump bump;
  const Outcome none = bump.run({.positions = Positions::never, .velocities = false}, 1e-4);
  const Outcome velocities = bump.run({.positions = Positions::never, .velocities = true}, 1e-4);
  const Outcome controlled = bump.run({.positions = Positions::controlled, .velocities = true}, 1e-4);
  const Outcome always = bump.run({.positions = Positions::always, .velocities = true}, 1e-4);
  CHECK(always.projections == always.cost.steps);
  CHECK(5 * controlled.projections <= controlled.cost.steps);
  CHECK(controlled.error < 1.1 * always.error);
  CHECK(always.error < 1e-3);         // ten tolerances
  CHECK(none.drift.position > 1e-6);  // seen
  CHECK(none.drift.velocity > 1e-6);
  CHECK(none.error > 1.1 * always.error);  // and it costs accuracy
  CHECK(velocities.drift.position < 0.1 * none.drift.position);
  CHECK(velocities.drift.velocity < 1e-12);
  CHECK(always.drift.position < 1e-14);
  for (const Outcome* outcome : {&none, &velocities, &controlled, &always}) {
    const auto tried = static_cast<double>(outcome->cost.steps + outcome->cost.error_test_failures);
    CHECK(static_cast<double>(outcome->cost.factorisations) / tried == Approx(6).epsilon(0.05));  // [Simeon 1996] §4.2
  }
}

// Two routes: an implicit multistep method on the stabilised index-2 form, an explicit one on accelerations.
TEST_CASE("Five-link suspension: IDA and Dormand-Prince agree on the bump") {
  testing::Wish wish{.experiment = "low_bump"};
  wish.tolerance = 1e-9;
  wish.output_step = 0.01;
  const testing::Run run = testing::run(name, wish);
  std::vector<Instant> instants;
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) instants.push_back({run.sink.time[i], run.sink.states[i]});
  CHECK(Bump().distance_to_reference(instants) < 1e-7);  // a hundred tolerances
}
