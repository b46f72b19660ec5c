// Modes of systems that can be solved exactly.
#include "skyhook/analysis/modes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "run_model.testing.h"
#include "skyhook/analysis/large_modes.h"
#include "skyhook/analysis/linear_flow.testing.h"
#include "skyhook/analysis/root_locus.h"

using namespace skyhook;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

struct Found {
  simulation::Prepared prepared;
  analysis::OperatingPoint at;
  analysis::Linearisation linear;
  analysis::Modes modes;
};

Found complete(Found f) {
  f.linear = analysis::linearise(f.prepared, f.at);
  REQUIRE_MESSAGE(f.linear.problem.empty(), f.linear.problem);
  f.modes = analysis::find_modes(f.prepared, f.at, f.linear);
  REQUIRE_MESSAGE(f.modes.problem.empty(), f.modes.problem);
  return f;
}

// In the equilibrium: at rest, or in the steady motion of the experiment.
Found at_equilibrium(const testing::Loaded& loaded) {
  Found f{simulation::prepare(loaded.model, loaded.experiment), {}, {}, {}};
  REQUIRE_MESSAGE(f.prepared.ok(), f.prepared.problem());
  const auto e = analysis::find_equilibrium(f.prepared, {.motion = analysis::given_motion(loaded.experiment)});
  REQUIRE_MESSAGE(e.found, e.problem);
  f.prepared = analysis::prepared_at(std::move(f.prepared), e);
  f.at = analysis::at_equilibrium(e);
  return complete(std::move(f));
}
// As it starts.
Found at_start(const testing::Loaded& loaded) {
  Found f{simulation::prepare(loaded.model, loaded.experiment), {}, {}, {}};
  REQUIRE_MESSAGE(f.prepared.ok(), f.prepared.problem());
  std::string problem;
  const auto at = analysis::in_motion(*f.prepared.active, f.prepared.state, problem);
  REQUIRE_MESSAGE(at, problem);
  f.at = *at;
  return complete(std::move(f));
}

std::vector<double> frequencies(const Found& f) {  // rad/s, of what oscillates
  std::vector<double> out;
  for (const auto& mode : f.modes.modes) {
    if (mode.oscillates) out.push_back(two_pi * mode.frequency);
  }
  return out;
}

double sum(const std::vector<analysis::Share>& shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.0, [](double s, const auto& x) { return s + x.value; });
}

// Each satisfies A x = lambda x and the velocity constraints; its energies sum to one.
void check_consistent(const Found& f) {
  const auto& A = f.linear.A;
  const simulation::Equations& eq = *f.prepared.active;
  Vector jacobian(static_cast<std::size_t>(eq.constraint_pattern().nonzeros()));
  Vector mass(static_cast<std::size_t>(eq.mass_pattern().nonzeros()));
  auto ws = eq.workspace();
  eq.matrices(f.at.state.t, f.at.state.q, {mass, jacobian}, ws);
  Csc G(std::make_shared<const Pattern>(eq.constraint_pattern()));
  G.value = jacobian;
  for (const auto& mode : f.modes.modes) {
    double off = 0, size = 0;
    for (int i = 0; i < A.rows; ++i) {
      Complex left = 0;
      for (int j = 0; j < A.cols; ++j) left += A(i, j) * mode.state[j], size = std::max(size, std::abs(A(i, j)));
      off = std::max(off, std::abs(left - mode.value * mode.state[i]));
    }
    CHECK(off <= 1e-9 * size);
    for (const bool imaginary : {false, true}) {
      Vector rows(static_cast<std::size_t>(eq.ng())), x;
      for (const Complex& c : mode.coordinates) x.push_back(imaginary ? c.imag() : c.real());
      multiply_add(G, x, 1.0, rows);
      CHECK(largest(rows) < 1e-10);
    }
    CHECK(std::abs(sum(mode.kinetic) - 1) < 1e-12);
    if (!mode.strain.empty()) CHECK(std::abs(sum(mode.strain) - 1) < 1e-6);
    if (!mode.dissipated.empty()) CHECK(std::abs(sum(mode.dissipated) - 1) < 1e-6);
  }
}

}  // namespace

TEST_CASE("Modes: a chain of masses and springs has its closed frequencies") {
  // Fixed at one end: w_k = 2 sqrt(k/m) sin((2k - 1) pi / (2 (2N + 1))), k = 1..N.
  const int N = 12;
  std::string text = "skyhook: 1\ngravity: 0\nbodies:\n";
  for (int i = 0; i < N; ++i) text += fmt::format("  m{}: {{mass: 2 kg, at: [{}, 0, 0]}}\n", i, i + 1);
  text += "joints:\n";
  for (int i = 0; i < N; ++i) text += fmt::format("  j{0}: {{type: prismatic, from: ground, to: m{0}, axis: x}}\n", i);
  text += "forces:\n";
  for (int i = 0; i < N; ++i)
    text += fmt::format("  s{0}: {{type: spring_damper, from: {1}, to: m{0}, stiffness: 50}}\n", i,
                        i ? fmt::format("m{}", i - 1) : "ground");
  const Found f = at_equilibrium(testing::load_text(text));
  const auto w = frequencies(f);
  REQUIRE(w.size() == N);
  for (int k = 1; k <= N; ++k)
    CHECK(w[k - 1] ==
          doctest::Approx(2 * std::sqrt(25.0) * std::sin((2 * k - 1) * std::numbers::pi / (2 * (2 * N + 1))))
              .epsilon(1e-12));
  CHECK(f.modes.free_motions == 0);
  check_consistent(f);
}

TEST_CASE("Modes: a chain that is not fixed has one free motion, and two zero eigenvalues") {
  const std::string text = R"(
skyhook: 1
gravity: 0
bodies:
  a: {mass: 1 kg}
  b: {mass: 3 kg, at: [1, 0, 0]}
joints:
  ja: {type: prismatic, from: ground, to: a, axis: x}
  jb: {type: prismatic, from: ground, to: b, axis: x}
forces:
  s: {type: spring_damper, from: a, to: b, stiffness: 12 N/m}
)";
  const Found f = at_equilibrium(testing::load_text(text));
  CHECK(f.modes.free_motions == 1);
  REQUIRE(f.modes.modes.size() == 2);
  CHECK(f.modes.modes[0].is_rigid);
  CHECK(std::abs(f.modes.modes[0].kinetic[0].value - 0.25) < 1e-12);  // both at one speed: as their masses
  CHECK(two_pi * f.modes.modes[1].frequency == doctest::Approx(4.0).epsilon(1e-12));  // k (1/m1 + 1/m2) = 16
  check_consistent(f);
}

TEST_CASE("Modes: a body that a damper alone holds creeps to rest and is free") {
  const Found f = at_equilibrium(testing::load_text(R"(
skyhook: 1
gravity: 0
bodies: {a: {mass: 2 kg}}
joints: {ja: {type: prismatic, from: ground, to: a, axis: x}}
forces: {s: {type: spring_damper, from: ground, to: a, from_at: [-1, 0, 0], damping: 6 N.s/m}}
)"));
  REQUIRE(f.modes.modes.size() == 2);
  CHECK(f.modes.free_motions == 1);
  CHECK(f.modes.modes[1].value.real() == doctest::Approx(-3).epsilon(1e-12));
  CHECK(!f.modes.modes[1].oscillates);
  CHECK(f.modes.modes[1].damping == 1);
}

TEST_CASE("Modes: double pendulum") {
  // Point masses m, lengths l: w^2 = (g/l)(2 -+ sqrt 2).
  const Found f = at_equilibrium(testing::load_text(R"(
skyhook: 1
gravity: 9.81
bodies:
  a: {mass: 1 kg, at: [0, 0, -0.5]}
  b: {mass: 1 kg, at: [0, 0, -1]}
joints:
  A: {type: revolute, from: ground, to: a, at: [0, 0, 0], axis: y, angle: 0.3}
  B: {type: revolute, from: a, to: b, at: [0, 0, -0.5], axis: y}
)"));
  const auto w = frequencies(f);
  REQUIRE(w.size() == 2);
  CHECK(w[0] == doctest::Approx(std::sqrt(9.81 / 0.5 * (2 - std::sqrt(2)))).epsilon(1e-9));
  CHECK(w[1] == doctest::Approx(std::sqrt(9.81 / 0.5 * (2 + std::sqrt(2)))).epsilon(1e-9));
  for (const auto& mode : f.modes.modes) {
    REQUIRE(mode.strain.size() == 1);
    CHECK(mode.strain[0].name == analysis::weight_and_preload);
  }
  check_consistent(f);
}

TEST_CASE("Modes: bifilar pendulum, in coordinates of joints and of bodies") {
  // A bar on two strings of length L at +-a: swings at sqrt(g/L) in two directions, turns at a sqrt(m g / (I L)), and rolls
  // freely about the line through its eyes.
  for (const char* coordinates : {"joint", "absolute"}) {
    CAPTURE(coordinates);
    const Found f = at_equilibrium(testing::load_text(fmt::format(R"(
skyhook: 1
gravity: 9.81
coordinates: {}
bodies: {{bar: {{mass: 4 kg, inertia: [0.02, 0.3, 0.3]}}}}
joints:
  left: {{type: rod, from: ground, to: bar, from_at: [-0.4, 0, 1.2], to_at: [-0.4, 0, 0]}}
  right: {{type: rod, from: ground, to: bar, from_at: [0.4, 0, 1.2], to_at: [0.4, 0, 0]}}
)",
                                                                  coordinates)));
    const auto w = frequencies(f);
    CHECK(f.modes.free_motions == 1);
    REQUIRE(w.size() == 3);
    const double swing = std::sqrt(9.81 / 1.2), turn = 0.4 * std::sqrt(4 * 9.81 / (0.3 * 1.2));
    CHECK(w[0] == doctest::Approx(swing).epsilon(1e-9));
    CHECK(w[1] == doctest::Approx(swing).epsilon(1e-9));
    CHECK(w[2] == doctest::Approx(turn).epsilon(1e-9));
    check_consistent(f);
  }
}

TEST_CASE("Modes: half car against its matrices by hand") {
  const double m = 700, beam = 100, J = 1100, a = 1.2, b = 1.5, mf = 45, mr = 50;
  const double kf = 20e3, kr = 24e3, cf = 1200, cr = 1400, kt = 180e3;
  const Found f =
      at_equilibrium(testing::load_text(fmt::format(R"(
skyhook: 1
gravity: 0
bodies:
  beam: {{mass: {}, at: [0, 0, 1]}}
  body: {{mass: {}, inertia: [1, {}, 1], at: [0, 0, 1]}}
  front: {{mass: {}, at: [{}, 0, 0.5]}}
  rear: {{mass: {}, at: [{}, 0, 0.5]}}
joints:
  heave: {{type: prismatic, from: ground, to: beam, axis: z}}
  pitch: {{type: revolute, from: beam, to: body, axis: y, at: [0, 0, 1]}}
  hop_front: {{type: prismatic, from: ground, to: front, axis: z}}
  hop_rear: {{type: prismatic, from: ground, to: rear, axis: z}}
forces:
  spring_front: {{type: spring_damper, from: front, to: body, to_at: [{}, 0, 1], stiffness: {}, damping: {}}}
  spring_rear: {{type: spring_damper, from: rear, to: body, to_at: [{}, 0, 1], stiffness: {}, damping: {}}}
  tyre_front: {{type: spring_damper, from: ground, to: front, from_at: [{}, 0, 0], stiffness: {}}}
  tyre_rear: {{type: spring_damper, from: ground, to: rear, from_at: [{}, 0, 0], stiffness: {}}}
)",
                                                    beam, m, J, mf, a, mr, -b, a, kf, cf, -b, kr, cr, a, kt, -b, kt)));
  // z, theta, zf, zr; deflections z - a theta - zf and z + b theta - zr.
  const auto ends = [&](double front, double rear, double tyre) {
    DenseMatrix K(4, 4);
    const auto spring = [&](double rate, const Vector& d) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) K(i, j) += rate * d[i] * d[j];
      }
    };
    spring(front, {1, -a, -1, 0}), spring(rear, {1, b, 0, -1}), spring(tyre, {0, 0, 1, 0}), spring(tyre, {0, 0, 0, 1});
    return K;
  };
  const DenseMatrix K = ends(kf, kr, kt), D = ends(cf, cr, 0);
  const Vector M{m + beam, J, mf, mr};
  DenseMatrix A(8, 8);
  for (int i = 0; i < 4; ++i) {
    A(i, 4 + i) = 1;
    for (int j = 0; j < 4; ++j) A(4 + i, j) = -K(i, j) / M[i], A(4 + i, 4 + j) = -D(i, j) / M[i];
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) CHECK(f.linear.A(i, j) == doctest::Approx(A(i, j)).epsilon(1e-11));
  }
  const EigenPairs by_hand = eigen_pairs(A);
  REQUIRE(f.modes.modes.size() == 4);
  for (const auto& mode : f.modes.modes) {
    double nearest = 1e300;
    for (const Complex& value : by_hand.values) nearest = std::min(nearest, std::abs(value - mode.value));
    CHECK(nearest < 1e-10 * std::abs(mode.value));
    REQUIRE(!mode.dissipated.empty());
    CHECK(mode.dissipated[0].name.starts_with("spring_"));
  }
  CHECK(f.modes.modes[3].damping > 0.05);
  check_consistent(f);
}

TEST_CASE("Modes: a hanging top whirls forward and backward, whatever way it has turned") {
  // In axes that do not spin I w^2 -+ J s w - m g l = 0: w = (+-J s + sqrt((J s)^2 + 4 I m g l)) / 2 I. In axes of the body, and
  // with a matrix that turns along, it would be others. I = 0.5 + m l^2 about the fixed point.
  const double mass = 3, l = 0.4, I = 0.5 + mass * l * l, J = 0.2;
  for (const char* coordinates : {"joint", "absolute"}) {
    for (const double spin : {0.0, 3.0, 40.0}) {
      for (const double angle : {0.0, 0.7}) {
        CAPTURE(coordinates);
        CAPTURE(spin);
        CAPTURE(angle);
        const Found f = at_start(testing::load_text(fmt::format(R"(
skyhook: 1
gravity: 9.81
coordinates: {}
bodies: {{top: {{mass: {}, inertia: [0.5, 0.5, {}], at: [0, 0, -{}]}}}}
joints: {{O: {{type: spherical, from: ground, to: top, at: [0, 0, 0], angles: [0, 0, {}], angular_velocity: [0, 0, {}]}}}}
)",
                                                                coordinates, mass, J, l, angle, spin)));
        CHECK(f.linear.is_steady);
        const double root = std::sqrt(J * J * spin * spin + 4 * I * mass * 9.81 * l);
        const auto w = frequencies(f);
        REQUIRE(w.size() == 2);
        CHECK(w[0] == doctest::Approx((root - J * spin) / (2 * I)).epsilon(1e-9));
        CHECK(w[1] == doctest::Approx((root + J * spin) / (2 * I)).epsilon(1e-9));
        CHECK(f.modes.free_motions == 1);  // about its axis
        CHECK(f.modes.is_stable);
      }
    }
  }
}

TEST_CASE("Modes: the matrix of a spinning rotor is the same at every angle") {
  const auto at_angle = [](double angle) {
    return at_start(testing::load_text(fmt::format(R"(
skyhook: 1
gravity: 0
bodies:
  frame: {{mass: 5 kg, inertia: [0.4, 0.5, 0.6]}}
  rotor: {{mass: 2 kg, inertia: [0.03, 0.05, 0.03]}}
joints:
  mount: {{type: spherical, from: ground, to: frame, at: [0, 0, 0]}}
  bearing: {{type: spherical, from: frame, to: rotor, at: [0, 0, 0], angles: [0, {}, 0], angular_velocity: [0, 90, 0]}}
forces:
  hold: {{type: bushing, from: ground, to: frame, angular_stiffness: [40, 50, 90]}}
)",
                                                   angle)));
  };
  const Found a = at_angle(0), b = at_angle(1.1);
  CHECK(a.linear.is_steady);
  REQUIRE(a.linear.A.value.size() == b.linear.A.value.size());
  for (std::size_t k = 0; k < a.linear.A.value.size(); ++k)
    CHECK(std::abs(a.linear.A.value[k] - b.linear.A.value[k]) < 1e-9 * largest(a.linear.A.value));
}

// A disc on an elastic shaft that damps within itself, its mass beside the axis, the shaft free to turn on and on. Reference: its whirl grows above
// sqrt(k/m) = 100 rad/s (the model of Jeffcott and Kimball), nothing does below; the turning of the shaft is one free motion with two zero
// eigenvalues, whatever their rounding.
TEST_CASE("Modes: a shaft that spins freely neither grows nor decays") {
  for (const char* from : {"shaft", "ground"}) {  // coordinates of the disc that turn with the shaft, and that do not
    CAPTURE(from);
    const auto at_speed = [&](double speed, const char* eccentricity) {
      return at_equilibrium(testing::load_text(
          fmt::format(R"(
skyhook: 1
gravity: 0
bodies:
  shaft: {{mass: 1 kg, inertia: [0.002, 0.02, 0.02]}}
  disc: {{mass: 2 kg, inertia: [0.01, 0.005, 0.005], at: [0, {2}, 0]}}
joints:
  bearing: {{type: revolute, from: ground, to: shaft, axis: x}}
  float: {{type: planar, from: {0}, to: disc, plane: yz, at: [0, 0, 0]}}
forces:
  bending: {{type: bushing, from: shaft, to: disc, from_at: [0, 0, 0], to_at: [0, 0, 0], stiffness: [0, 20 kN/m, 20 kN/m],
            damping: [0, 20, 20], angular_stiffness: [500, 0, 0], angular_damping: [1, 0, 0]}}
experiments: {{turn: {{analysis: modes, spin: {{bearing.angle: {1}{3}}}}}}}
)",
                      from, speed, eccentricity, from[0] == 's' ? "" : fmt::format(", float.angle: {}", speed)),
          {.experiment = "turn"}));
    };
    // A disc that is off the axis turns its coordinates that stay, so that these are no equilibrium.
    const char* const off = from[0] == 's' ? "1 mm" : "0 mm";
    for (double speed = 1; speed < 99; speed += 3.7) {
      CAPTURE(speed);
      const Found f = at_speed(speed, off);
      CHECK(f.modes.free_motions == 1);
      CHECK(f.modes.modes.size() == 4);
      CHECK(analysis::growing(f.modes) == 0);
      CHECK(f.modes.is_stable);
    }
    const auto crossing =
        analysis::find_crossing([&](double speed) { return at_speed(speed, "0 mm").modes; }, 60, 140, 7);
    CHECK(crossing.value == doctest::Approx(100).epsilon(1e-6));
  }
}

TEST_CASE("Modes: Ziegler's pendulum flutters at P l / k = 7/2 - sqrt 2") {
  // Two rods of length l with springs k, masses 2m and m at their ends, and a force P that follows the second rod
  // (Ziegler 1952). Below the load nothing grows, above it something does; there two frequencies meet.
  const auto at_load = [](double load) {
    return at_equilibrium(testing::load("mechanisms/ziegler", {.set = {{"load", fmt::format("{:.17g}", load)}}}));
  };
  const double critical = 3.5 - std::sqrt(2.0);
  CHECK(at_load(critical * (1 - 1e-6)).modes.is_stable);
  CHECK(!at_load(critical * (1 + 1e-6)).modes.is_stable);
  CHECK(frequencies(at_load(critical * (1 - 1e-6))).size() == 2);
  const auto crossing =
      analysis::find_crossing([&](double load) { return at_load(load).modes; }, 0.5 * critical, 1.3 * critical);
  CHECK(crossing.grows);
  CHECK(crossing.value == doctest::Approx(critical).epsilon(1e-8));
}

TEST_CASE("Modes: branches keep their mode where frequencies cross") {
  // Two oscillators that know nothing of each other: one gets stiffer than the other.
  std::vector<analysis::Modes> points;
  for (const double rate : {50.0, 80.0, 95.0, 120.0, 200.0}) {
    points.push_back(at_equilibrium(testing::load_text(fmt::format(R"(
skyhook: 1
gravity: 0
bodies: {{a: {{mass: 1 kg}}, b: {{mass: 1 kg}}}}
joints:
  ja: {{type: prismatic, from: ground, to: a, axis: x}}
  jb: {{type: prismatic, from: ground, to: b, axis: x}}
forces:
  sa: {{type: spring_damper, joint: ja, stiffness: 100}}
  sb: {{type: spring_damper, joint: jb, stiffness: {}}}
)",
                                                                   rate)))
                         .modes);
  }
  const auto branches = analysis::follow(points);
  REQUIRE(branches.size() == 2);
  for (const auto& branch : branches) {
    for (std::size_t p = 0; p < points.size(); ++p) CHECK(points[p].modes[branch.mode[p]].name == branch.name);
  }
}

TEST_CASE("Modes: the lowest of a model on its sparse matrices are those of the dense ones") {
  for (const char* coordinates : {"joint", "absolute"}) {
    auto loaded = testing::load("car/four_post", {.experiment = "heave"});
    loaded.model->coordinates =
        std::string(coordinates) == "joint" ? model::Coordinates::joint : model::Coordinates::absolute;
    const Found f = at_equilibrium(loaded);
    const auto sparse = analysis::find_lowest_modes(f.prepared, f.at, {.count = 6});
    REQUIRE_MESSAGE(sparse.problem.empty(), sparse.problem);
    std::size_t compared = 0;
    for (const auto& mode : sparse.modes) {
      double nearest = 1e300;
      for (const auto& other : f.modes.modes) nearest = std::min(nearest, std::abs(other.value - mode.value));
      CHECK(nearest < 1e-6 * std::abs(mode.value));
      ++compared;
    }
    CHECK(compared >= 6);
  }
}

TEST_CASE("Modes: a mode that is simulated decays and turns as predicted") {
  // Of a car with four wheels (loops, 26 bodies) and a quarter of one: runs that start displaced along the real part of a mode, at a size at which
  // curves of dampers are straight, against e^(lambda t). What differs is the curvature of all that moves, 1e-4 of the size at most.
  const auto quarter =
      testing::load("suspension/quarter_car", {.set = {{"bump", "0 mm"}}, .tolerance = 1e-10, .until = 1.0});
  testing::Loaded car;  // on posts that stand: its experiments move them
  car.model = std::make_shared<model::Model>(io::read_model(testing::model_path("car/four_post")));
  for (const testing::Loaded* loaded : std::initializer_list<const testing::Loaded*>{&quarter, &car}) {
    const Found f = at_equilibrium(*loaded);
    const simulation::Equations& eq = *f.prepared.active;
    const int n = f.linear.coordinates;
    const analysis::testing::FlowStart start{f.prepared.model, loaded->experiment, f.at.state, {}};
    int simulated = 0;
    for (const auto& mode : f.modes.modes) {
      if (!mode.oscillates || simulated == 3) continue;
      ++simulated;
      CAPTURE(mode.frequency);
      constexpr double size = 1e-6;  // m
      Vector dq(f.at.state.v.size()), dv(dq.size());
      for (int i = 0; i < eq.nv(); ++i) {
        dq[i] = i < eq.moving() ? mode.coordinates[i].real() : 0.0;
        for (int j = 0; j < n; ++j) dv[i] += f.linear.shape(i, j) * mode.state[n + j].real();
        if (i >= eq.moving()) dv[i] = mode.coordinates[i].real();
      }
      const double t = 0.6 / mode.frequency;  // more than half a period
      const auto run = analysis::testing::flow::run(start, &eq, dq, dv, size, {f.at.state.t + t});
      REQUIRE_MESSAGE(run.problem.empty(), run.problem);
      Vector v = run.at[0].state.v;
      for (std::size_t i = 0; i < v.size(); ++i) v[i] -= f.at.state.v[i];
      const Vector q = analysis::testing::flow::between(eq, f.at.state.q, run.at[0].state.q);
      const Vector x = analysis::testing::flow::reduced(eq, f.at, f.linear, q, v);
      const Complex grown = std::exp(mode.value * t);
      for (int i = 0; i < n; ++i) CHECK(std::abs(x[i] - size * (grown * mode.state[i]).real()) < 2e-4 * size);
    }
    CHECK(simulated >= 1);
    check_consistent(f);
  }
}
