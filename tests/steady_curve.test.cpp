// A steady curve in which side forces carry the car: sideslip and steering as unknowns, and the linear system about it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "run_model.testing.h"
#include "skyhook/analysis/linear_flow.testing.h"
#include "skyhook/analysis/modes.h"
#include "skyhook/analysis/start.h"

using namespace skyhook;
using testing::load_text;
using testing::Loaded;

namespace {

// The bicycle model: side forces -C alpha at the front and the rear, of the angle between the way of the wheel and its plane. Everything acts in
// one plane and nothing weighs.
constexpr double mass = 1200, J = 1600, a = 1.1, b = 1.5, Cf = 80e3, Cr = 90e3;
std::string bicycle(const std::string& steer, const std::string& more = "") {
  return fmt::format(R"yaml(
skyhook: 1
gravity: off
ignore_warnings: [no_mass]
parameters: {{delta: 0 rad, aim: 20 m/s}}
bodies:
  car: {{mass: {0}, inertia: [400, 1500, {1}]}}
  knuckle: {{mass: 0, at: [{2}, 0, 0]}}
joints:
  float: {{type: free, from: ground, to: car, coordinates: quaternion}}
  column: {{type: revolute, from: car, to: knuckle, axis: z{3}}}
forces:
  front: {{type: force, from: ground, to: knuckle, axes: to, y: "=-{4}[N]*atan2(vy, vx)"}}
  rear: {{type: force, from: ground, to: car, to_at: [-{5}, 0, 0], axes: to, y: "=-{6}[N]*atan2(vy, vx)"}}
{7})yaml",
                     mass, J, a, steer, Cf, b, Cr, more);
}

double heading_of(const analysis::Equilibrium& e) {
  const auto turn = e.active->coordinate(0, 3);
  return 2 * std::atan2(e.state.q[turn.iq + 3], e.state.q[turn.iq]);
}

struct SideForces {
  double front, rear;
};
// At speed u along x of the ground and yaw rate W, turned by psi, the front wheel by delta more.
SideForces side_forces(double u, double W, double psi, double delta) {
  const auto way = [&](double x) { return std::atan2(W * x * std::cos(psi), u - W * x * std::sin(psi)); };
  return {-Cf * (way(a) - psi - delta), -Cr * (way(-b) - psi)};
}

}  // namespace

// References: the balance of the bicycle model written out (exact), and its linear solution delta = L W/u + (m/L)(b/Cf - a/Cr) u W, from which it
// differs by squares of angles.
TEST_CASE("Steady curve: sideslip and steering carry the side forces") {
  for (const char* steer : {", drive: =delta", ""}) {
    CAPTURE(steer);
    const Loaded loaded = load_text(bicycle(steer));
    const auto p = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(p.ok(), p.problem());
    for (const double W : {0.01, 0.25}) {
      CAPTURE(W);
      const double u = 20;
      const auto e = analysis::find_equilibrium(p, {.motion = {.speed = u, .yaw_rate = W, .steer = "column.angle"}});
      REQUIRE_MESSAGE(e.found, e.problem);
      const double psi = heading_of(e), delta = e.steered.value;
      const SideForces f = side_forces(u, W, psi, delta);
      CHECK(f.front * std::cos(psi + delta) + f.rear * std::cos(psi) == doctest::Approx(mass * u * W).epsilon(1e-7));
      CHECK(a * f.front * std::cos(delta) == doctest::Approx(b * f.rear).epsilon(1e-7));
      const double L = a + b, linear = L * W / u + mass / L * (b / Cf - a / Cr) * u * W;
      const double slip = b * W / u - a * mass * u * W / (L * Cr);  // of the centre of mass: minus psi
      CHECK(delta == doctest::Approx(linear).epsilon(W < 0.1 ? 1e-4 : 3e-2));
      CHECK(-psi == doctest::Approx(slip).epsilon(W < 0.1 ? 1e-3 : 5e-2));
      // What is left along the way is the drag of the steered wheels.
      REQUIRE(!e.efforts.empty());
      CHECK(e.efforts[0].name == "float.x");
      CHECK(e.efforts[0].force ==
            doctest::Approx(f.front * std::sin(psi + delta) + f.rear * std::sin(psi)).epsilon(1e-5));
      for (const auto& one : e.efforts) CHECK(one.name != "float.y");
    }
  }
}

TEST_CASE("Steady curve: what cannot be steered is told") {
  const Loaded loaded = load_text(bicycle(", drive: =delta"));
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  // 30 m/s and 2 rad/s ask for six times the weight: the angles pass a quarter of a turn before.
  CHECK_THROWS_AS(analysis::find_equilibrium(p, {.motion = {.speed = 20, .steer = "colum.angle"}}), ModelError);
  CHECK_THROWS_AS(analysis::find_equilibrium(p, {.motion = {.yaw_rate = 1, .steer = "column.angle"}}), ModelError);
  const Loaded loose =
      load_text(bicycle(", drive: =delta", "  x: {type: force, from: ground, to: car, x: 0}\n")
                    .replace(bicycle(", drive: =delta").find("to: knuckle, axes: to"), 21, "to: car, axes: to    "));
  const auto q = simulation::prepare(loose.model, loose.experiment);
  const auto e = analysis::find_equilibrium(q, {.motion = {.speed = 20, .yaw_rate = 0.1, .steer = "column.angle"}});
  CHECK(!e.found);
  CHECK(e.problem.find("does not steer") != std::string::npos);
}

// Reference: the eigenvalues of the linear bicycle model, straight on.
TEST_CASE("Steady motion straight on: modes of the bicycle model") {
  const Loaded loaded = load_text(bicycle(", drive: =delta"));
  auto p = simulation::prepare(loaded.model, loaded.experiment);
  for (const double u : {8.0, 20.0, 45.0}) {
    CAPTURE(u);
    const auto e = analysis::find_equilibrium(p, {.motion = {.speed = u}});
    REQUIRE_MESSAGE(e.found, e.problem);
    const auto there = analysis::prepared_at(p, e);
    const auto at = analysis::at_equilibrium(e);
    const auto linear = analysis::linearise(there, at);
    REQUIRE_MESSAGE(linear.problem.empty(), linear.problem);
    CHECK(linear.is_steady);
    const auto modes = analysis::find_modes(there, at, linear);
    // Side speed over u, and yaw rate.
    const double a11 = -(Cf + Cr) / (mass * u), a12 = -1 - (a * Cf - b * Cr) / (mass * u * u),
                 a21 = -(a * Cf - b * Cr) / J, a22 = -(a * a * Cf + b * b * Cr) / (J * u);
    const double trace = a11 + a22, det = a11 * a22 - a12 * a21;
    const Complex root = std::sqrt(Complex(trace * trace / 4 - det));
    for (const Complex& expected : {trace / 2 + root, trace / 2 - root}) {
      double nearest = 1e300;
      for (const auto& mode : modes.modes) {
        if (!mode.is_rigid)
          nearest = std::min({nearest, std::abs(mode.value - expected), std::abs(std::conj(mode.value) - expected)});
      }
      CHECK(nearest < 1e-7 * std::abs(expected));
    }
    // The steering is an input: by hand its column is (Cf/(m u), a Cf/J) of (side speed over u, yaw rate).
    int column = -1;
    for (std::size_t k = 0; k < linear.inputs.size(); ++k) {
      if (linear.inputs[k].what.name == "column.angle") column = static_cast<int>(k);
    }
    REQUIRE(column >= 0);
    double side = 0, yaw = 0;
    for (int i = 0; i < linear.coordinates; ++i) {
      if (linear.states[i].name == "float.y") side = linear.B(linear.coordinates + i, column);
      if (linear.states[i].name == "float.rotation_z") yaw = linear.B(linear.coordinates + i, column);
    }
    CHECK(side == doctest::Approx(Cf / mass).epsilon(1e-8));
    CHECK(yaw == doctest::Approx(a * Cf / J).epsilon(1e-8));
  }
}

// Reference: runs that start beside the curve, seen in axes that go round with it. A drive that aims at a speed makes the curve one that
// needs no force from outside.
TEST_CASE("Steady curve: the linear system in axes that go round is that of simulated runs") {
  const double u = 20, W = 0.4, T = 0.2;
  const auto model_with = [](double aim) {
    return load_text(
        bicycle(", drive: =delta",
                "  engine: {type: force, from: ground, to: car, axes: to, x: \"=2000[N.s/m]*(aim - vx)\"}\n"),
        {.set = {{"aim", fmt::format("{:.17g} m/s", aim)}}});
  };
  const analysis::EquilibriumOptions options{.motion = {.speed = u, .yaw_rate = W, .steer = "column.angle"}};
  double aim = 20, step = 1, last = 0;
  std::optional<simulation::Prepared> p;
  std::optional<analysis::Equilibrium> e;
  for (int k = 0; k < 6; ++k) {
    const Loaded loaded = model_with(aim);
    p = simulation::prepare(loaded.model, loaded.experiment);
    e = analysis::find_equilibrium(*p, options);
    REQUIRE_MESSAGE(e->found, e->problem);
    const double effort = e->efforts.at(0).force;
    if (std::abs(effort) < 1e-7) break;
    step = k == 0 ? effort / 2000 : -effort * step / (effort - last);
    last = effort, aim += step;
  }
  CHECK(analysis::what_is_assumed(*e).empty());
  const auto there = analysis::prepared_at(*p, *e);
  const auto at = analysis::at_equilibrium(*e);
  const auto linear = analysis::linearise(there, at);
  REQUIRE_MESSAGE(linear.problem.empty(), linear.problem);
  CHECK(linear.is_steady);
  REQUIRE(linear.coordinates == 6);
  const simulation::Equations& eq = *there.active;
  analysis::testing::FlowStart start{e->model, {}, at.state, {}};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int k = 0; k < 3; ++k) {
    Vector x(12), dq(6), dv(6);
    for (double& one : x) one = part(random);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j)
        dq[i] += linear.shape(i, j) * x[j], dv[i] += linear.drift(i, j) * x[j] + linear.shape(i, j) * x[6 + j];
    }
    constexpr double by = 1e-5;
    namespace flow = analysis::testing::flow;
    const auto up = flow::run(start, &eq, dq, dv, by, {T}), down = flow::run(start, &eq, dq, dv, -by, {T}),
               middle = flow::run(start, nullptr, {}, {}, 0, {T});
    REQUIRE_MESSAGE(up.problem.empty(), up.problem);
    Vector q = flow::between(eq, down.at[0].state.q, up.at[0].state.q), v(6);
    for (int i = 0; i < 6; ++i) q[i] /= 2 * by, v[i] = (up.at[0].state.v[i] - down.at[0].state.v[i]) / (2 * by);
    // In axes of the ground, then turned back by W T.
    const Vector ground = flow::reduced(eq, middle.at[0], linear, q, v);
    const double c = std::cos(W * T), s = std::sin(W * T);
    Vector found(12);
    for (const int first : {0, 3}) {
      const auto turned = [&](int from, int to) {
        found[to] = c * ground[from] + s * ground[from + 1], found[to + 1] = -s * ground[from] + c * ground[from + 1];
        found[to + 2] = ground[from + 2];
      };
      turned(first, first), turned(6 + first, 6 + first);
      found[6 + first] += W * found[first + 1], found[6 + first + 1] -= W * found[first];
    }
    const Vector expected = flow::carried({&linear.A, &linear.A, &linear.A}, T, x);
    for (int i = 0; i < 12; ++i) CHECK(std::abs(found[i] - expected[i]) < 2e-6 * std::max(1.0, largest(expected)));
  }
}

// Reference: a brake that asks for a rate: 30 N.m.s/rad (50 rad/s - rate), so that it rolls at 50 rad/s.
TEST_CASE("Steady motion: rates of what rolls are found") {
  const std::string text =
      "skyhook: 1\ngravity: off\nbodies: {wheel: {mass: 10, inertia: [1, 2, 1]}}\n"
      "joints: {axle: {type: revolute, from: ground, to: wheel, axis: y}}\n"
      "forces: {slip: {type: torque, joint: axle, value: \"=30[N.m.s/rad]*(50[rad/s] - qd)\"}}\n";
  const Loaded loaded = load_text(text);
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  const auto given = analysis::find_equilibrium(p, {.motion = {.spin = {{"axle.angle", 40}}}});
  REQUIRE(given.found);
  REQUIRE(given.efforts.size() == 1);
  CHECK(given.efforts[0].force == doctest::Approx(-300));
  const auto rolls =
      analysis::find_equilibrium(p, {.motion = {.spin = {{"axle.angle", 40}}, .rolling = {"axle.angle"}}});
  REQUIRE_MESSAGE(rolls.found, rolls.problem);
  CHECK(rolls.efforts.empty());
  CHECK(rolls.state.v[0] == doctest::Approx(50).epsilon(1e-8));
  CHECK_THROWS_AS(analysis::find_equilibrium(p, {.motion = {.rolling = {"axle.angle"}}}), ModelError);
}

// Four tyres with relaxation under a car that leans on them, the front ones on an axle that turns. Reference: the bicycle model, tyres of an axle
// together; the car leans by a degree, which changes angles by a per cent or two.
TEST_CASE("Steady curve: a car on its tyres") {
  const Loaded loaded = load_text(fmt::format(R"yaml(
skyhook: 1
ignore_warnings: [no_mass]
parameters: {{delta: 0 rad}}
bodies:
  car: {{mass: {0}, inertia: [400, 1500, {1}], at: [0, 0, 0.3]}}
  axle: {{mass: 0, at: [{2}, 0, 0.3]}}
joints:
  float: {{type: free, from: ground, to: car, coordinates: quaternion}}
  column: {{type: revolute, from: car, to: axle, axis: z, drive: =delta}}
forces:
  front[i=0..1]: {{type: tyre_linear, from: ground, to: axle, to_at: [{2}, "=0.7*(1 - 2*i)", 0.3], spin: free, radius: 0.31,
                  stiffness: 400 kN/m, damping: 2000, cornering_stiffness: {3}, relaxation_y: 0.3}}
  rear[i=0..1]: {{type: tyre_linear, from: ground, to: car, to_at: [-{4}, "=0.7*(1 - 2*i)", 0.3], spin: free, radius: 0.31,
                 stiffness: 400 kN/m, damping: 2000, cornering_stiffness: {5}, relaxation_y: 0.3}}
)yaml",
                                              mass, J, a, Cf / 2, b, Cr / 2));
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(p.ok(), p.problem());
  const double u = 20, W = 0.1, L = a + b;
  const auto e = analysis::find_equilibrium(p, {.motion = {.speed = u, .yaw_rate = W, .steer = "column.angle"}});
  REQUIRE_MESSAGE(e.found, e.problem);
  CHECK(e.steered.value == doctest::Approx(L * W / u + mass / L * (b / Cf - a / Cr) * u * W).epsilon(0.03));
  CHECK(-heading_of(e) == doctest::Approx(b * W / u - a * mass * u * W / (L * Cr)).epsilon(0.05));
  const auto there = analysis::prepared_at(p, e);
  const auto at = analysis::at_equilibrium(e);
  const auto linear = analysis::linearise(there, at);
  REQUIRE_MESSAGE(linear.problem.empty(), linear.problem);
  CHECK(linear.is_steady);
  CHECK(linear.inner == 4);
  int roads = 0;
  for (const auto& input : linear.inputs) roads += input.what.name.ends_with(".road");
  CHECK(roads == 4);
  CHECK(analysis::find_modes(there, at, linear).is_stable);
}

// Two routes to one number: the fields of an experiment, and the options above. The linear system of another experiment that names it is that
// about the same curve; a run whose drive stands elsewhere is told so.
TEST_CASE("Steady curve: as fields of an experiment") {
  const std::string text = bicycle(", drive: =delta", R"yaml(experiments:
  curve: {analysis: equilibrium, speed: 20 m/s, yaw_rate: 0.25 rad/s, steer: column.angle}
  shapes: {analysis: modes, from: curve}
  own: {analysis: modes, speed: 20 m/s, yaw_rate: 0.25 rad/s, steer: column.angle}
  go: {from: curve, until: 0.1 s}
)yaml");
  const Loaded plain = load_text(bicycle(", drive: =delta"));
  const auto expected =
      analysis::find_equilibrium(simulation::prepare(plain.model, plain.experiment),
                                 {.motion = {.speed = 20, .yaw_rate = 0.25, .steer = "column.angle"}});
  for (const char* name : {"curve", "shapes", "own"}) {
    CAPTURE(name);
    const Loaded loaded = load_text(text, {.experiment = name});
    const auto e = analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment),
                                              {.motion = analysis::given_motion(*loaded.model, loaded.experiment)});
    REQUIRE_MESSAGE(e.found, e.problem);
    CHECK(e.steered.value == expected.steered.value);
  }
  const auto told = [](const Loaded& loaded) {
    const auto p = analysis::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(p.ok(), p.problem());
    return std::ranges::count(p.warnings, "initial_value_changed", &Warning::name);
  };
  CHECK(told(load_text(text, {.experiment = "go"})) == 1);
  const std::string found = fmt::format("{:.17g} rad", expected.steered.value);
  CHECK(told(load_text(text, {.experiment = "go", .set = {{"delta", found}}})) == 0);
}

TEST_CASE("Steady motion: what rolls as a field, and fields where they mean nothing") {
  const std::string text =
      "skyhook: 1\ngravity: off\nbodies: {wheel: {mass: 10, inertia: [1, 2, 1]}}\n"
      "joints: {axle: {type: revolute, from: ground, to: wheel, axis: y}}\n"
      "forces: {slip: {type: torque, joint: axle, value: \"=30[N.m.s/rad]*(50[rad/s] - qd)\"}}\nexperiments:\n";
  const Loaded loaded =
      load_text(text + "  roll: {analysis: equilibrium, spin: {axle.angle: 40 rad/s}, rolling: [axle.angle]}\n",
                {.experiment = "roll"});
  const auto e = analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment),
                                            {.motion = analysis::given_motion(loaded.experiment)});
  REQUIRE_MESSAGE(e.found, e.problem);
  CHECK(e.efforts.empty());
  CHECK(e.state.v[0] == doctest::Approx(50).epsilon(1e-8));
  CHECK_THROWS_AS(load_text(text + "  run: {until: 1 s, steer: axle.angle}\n"), ModelError);
  CHECK_THROWS_AS(load_text(text + "  drawn: {analysis: nominal, rolling: [axle.angle]}\n"), ModelError);
  CHECK_THROWS_AS(load_text(text + "  roll: {analysis: equilibrium, rolling: []}\n"), ModelError);
}

// Two routes: coordinates of joints, and of each body by itself, whose drives are rows and whose bodies must be told that they go along.
TEST_CASE("Steady motion: the same in absolute coordinates") {
  const auto in = [](const Loaded& loaded, model::Coordinates coordinates) {
    auto m = std::make_shared<model::Model>(*loaded.model);
    m->coordinates = coordinates;
    return simulation::prepare(m, loaded.experiment);
  };
  const auto both = [&](const Loaded& loaded, const analysis::GivenMotion& motion) {
    const auto p = in(loaded, model::Coordinates::joint), q = in(loaded, model::Coordinates::absolute);
    const auto a = analysis::find_equilibrium(p, {.motion = motion}),
               b = analysis::find_equilibrium(q, {.motion = motion});
    REQUIRE_MESSAGE(a.found, a.problem);
    REQUIRE_MESSAGE(b.found, b.problem);
    CHECK(b.stable == a.stable);
    REQUIRE(b.efforts.size() == a.efforts.size());
    for (std::size_t k = 0; k < a.efforts.size(); ++k)
      CHECK(std::abs(b.efforts[k].force - a.efforts[k].force) < 1e-8 * p.active->heaviest());
    CHECK(b.steered.value == doctest::Approx(a.steered.value).epsilon(1e-8));
    const auto modes_of = [](const simulation::Prepared& prepared, const analysis::Equilibrium& e) {
      const auto there = analysis::prepared_at(prepared, e);
      const auto at = analysis::at_equilibrium(e);
      const auto linear = analysis::linearise(there, at);
      REQUIRE_MESSAGE(linear.problem.empty(), linear.problem);
      return analysis::find_modes(there, at, linear);
    };
    const auto modes_a = modes_of(p, a), modes_b = modes_of(q, b);
    REQUIRE(modes_a.modes.size() == modes_b.modes.size());
    for (const auto& mode : modes_a.modes) {
      double nearest = 1e300;
      for (const auto& other : modes_b.modes) nearest = std::min(nearest, std::abs(mode.value - other.value));
      CHECK(nearest < 1e-6 * std::max(1.0, std::abs(mode.value)));
    }
  };
  both(load_text(bicycle(", drive: =delta")), {.speed = 20, .yaw_rate = 0.25, .steer = "column.angle"});
  const Loaded car = testing::load("road/iltis/iltis", {.experiment = "straight"});
  both(car, analysis::given_motion(car.experiment));
}
