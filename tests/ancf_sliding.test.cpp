// Bodies that slide along beams and cables of nodal coordinates. References: a bead on a rigid wire and on a rigid rod that swings (closed form, one ordinary differential
// equation), loads and masses that cross a beam (series of Euler and Bernoulli's modes), momentum and energy, solvers and coordinates against each other.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "exact_jacobian.testing.h"
#include "refusal.testing.h"
#include "run_model.testing.h"
#include "skyhook/formalism/mesh_coordinates.h"
#include "skyhook/model/nodal_mesh.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;
using testing::load_text;

namespace {

std::string with_body(const std::string& head, const std::string& beam, const std::string& rest) {
  return "skyhook: 1\n" + head + "bodies:\n  wire: {beam: {" + beam + "}}\n" + rest;
}

// A soft line of one metre, 2.5 kg.
const std::string soft =
    "from: [0, 0, 0], to: [1, 0, 0], elements: 4, rectangle: [50 mm, 50 mm], young: 1e5 N/m^2, density: 1000 kg/m^3";

constexpr Vec3d pull{0.3, 1.5, 3};  // N, on the bead; of planar lines without y

// A free soft line with a bead of 1 kg that runs along it and is pulled across. With a hanger the bead carries a second body on a ball.
std::string flight(const std::string& type, const std::string& coordinates, const std::string& experiment,
                   bool hangs = false) {
  std::string text = "  bead: {mass: 1 kg, at: [0.3, 0, 0], inertia: [0.01, 0.01, 0.01]}\n";
  if (hangs) text += "  load: {mass: 0.5 kg, at: [0.3, 0, -0.2], inertia: [0.01, 0.01, 0.01]}\n";
  text +=
      "joints:\n  float: {type: free, from: ground, to: bead, velocity: [1.2, 0, 0]}\n  slide: {type: point_on_line, "
      "from: wire, to: bead}\n";
  if (hangs)
    text += "  ball: {type: spherical, from: bead, to: load, at: [0.3, 0, 0], angular_velocity: [0.3, 1, 0]}\n";
  text += fmt::format("forces: {{pull: {{type: force, from: ground, to: bead, x: {}, y: {}, z: {}}}}}\n", pull.x,
                      type.starts_with("planar") ? 0 : pull.y, pull.z);
  return with_body("gravity: off\n" + coordinates, soft + ", type: " + type,
                   text + "experiments: {e: {" + experiment + "}}\n");
}

Vec3d momentum(const testing::Run& run, std::size_t sample, double mass) {
  const auto& mesh = *model::mesh_of(run.prepared.model->bodies[0]);
  const std::vector<double>& state = run.sink.states[sample];
  const auto first =
      static_cast<std::size_t>(run.prepared.active->nq() + formalism::mesh_coordinates(*run.prepared.active).at(0).iv);
  Vec3d sum = mass * Vec3d{run.at(sample, "bead.vx"), run.at(sample, "bead.vy"), run.at(sample, "bead.vz")};
  for (std::size_t k = 0; k < mesh.first.size(); ++k) sum += state[first + k] * mesh.first[k];
  return sum;
}

}  // namespace

// Inclined gravity along a bar that hardly bends: s = s0 + g t^2 / 2. What is left is its sag, 7e-7 m, and falls with 1/E: 2e-4 of s with a hundredth of this E, 2e-5 with a tenth.
TEST_CASE(
    "Sliding: a bead on a stiff straight wire falls freely along it, over all elements, in a plane and in space") {
  for (const std::string type : {"planar_beam", "planar_cable", "cable", "beam"}) {
    CAPTURE(type);
    const auto run = testing::run_text(
        with_body("gravity: [3, 0, -9]\n",
                  "from: [0, 0, 0], to: [2, 0, 0], elements: 5, rectangle: [50 mm, 50 mm], young: 2e13 N/m^2, density: "
                  "7800 kg/m^3, damping: 1 ms, "
                  "start: clamped, end: clamped, type: " +
                      type,
                  "  bead: {mass: 1 kg, at: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\njoints: {slide: {type: "
                  "point_on_line, from: wire, to: bead}}\n"
                  "outputs: [slide.s, slide.speed, slide.normal_force, bead.x]\n"
                  "experiments: {e: {until: 1 s, output_step: 0.1 s, tolerance: 1e-6, solver: radau5}}\n"));
    REQUIRE_MESSAGE(run.sink.summary.status == simulation::RunStatus::finished, run.sink.summary.reason);
    CHECK(run.last("slide.s") == doctest::Approx(0.1 + 0.5 * 3).epsilon(1e-5));
    CHECK(run.last("slide.speed") == doctest::Approx(3).epsilon(1e-5));
    CHECK(run.last("slide.normal_force") == doctest::Approx(9).epsilon(1e-4));
  }
}

// m v' = m g - c v.
TEST_CASE("Sliding: damping brakes a bead as its differential equation says, and energy is accounted for") {
  const double c = 2, g = 3, t = 1, decay = std::exp(-c * t);
  const auto run = testing::run_text(
      with_body("gravity: [3, 0, -1]\n",
                "from: [0, 0, 0], to: [2, 0, 0], elements: 3, rectangle: [50 mm, 50 mm], young: 2e13 N/m^2, density: "
                "7800 kg/m^3, start: clamped, end: clamped, "
                "type: cable",
                "  bead: {mass: 1 kg, at: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\njoints: {slide: {type: "
                "point_on_line, from: wire, to: bead, damping: 2 N.s/m}}\n"
                "outputs: [slide.s, slide.speed, slide.force, slide.normal_force, slide.force_x]\n"
                "experiments: {e: {until: 1 s, output_step: 0.1 s, tolerance: 1e-6, solver: radau5}}\n"));
  CHECK(run.last("slide.speed") == doctest::Approx(g / c * (1 - decay)).epsilon(2e-5));
  CHECK(run.last("slide.s") == doctest::Approx(0.1 + g / c * (t - (1 - decay) / c)).epsilon(2e-5));
  CHECK(run.last("slide.force_x") == doctest::Approx(-g * (1 - decay)).epsilon(2e-3));
  CHECK(run.last("slide.force") ==
        doctest::Approx(std::hypot(run.last("slide.force_x"), run.last("slide.normal_force"))).epsilon(1e-3));
  CHECK(run.sink.summary.energy_closure < 1e-5);
}

// A rigid uniform rod on a hinge with a bead on it: (J + m s^2) a'' + 2 m s s' a' = -g cos(a) (M L / 2 + m s), s'' = s a'^2 - g sin(a). The rod is stiff.
TEST_CASE("Sliding: a bead on a rod that swings") {
  const double L = 2, M = 10, h = 0.02, m = 3, gravity = 9.81, J = M * L * L / 3 + M * h * h / 12;
  std::array<double, 4> y{0, 0, 0.8, -0.5};  // angle, rate, s, rate
  const auto rates = [&](const std::array<double, 4>& x) {
    const auto [a, w, s, v] = x;
    return std::array{w, (-gravity * std::cos(a) * (M * L / 2 + m * s) - 2 * m * s * v * w) / (J + m * s * s), v,
                      s * w * w - gravity * std::sin(a)};
  };
  constexpr int steps = 4000;
  const double t_end = 0.3, dt = t_end / steps;
  for (int k = 0; k < steps; ++k) {  // Runge and Kutta: 1e-12 here
    const auto along = [&](const std::array<double, 4>& by, double share) {
      std::array<double, 4> out = y;
      for (std::size_t i = 0; i < 4; ++i) out[i] += share * dt * by[i];
      return out;
    };
    const auto a = rates(y), b = rates(along(a, 0.5)), c = rates(along(b, 0.5)), d = rates(along(c, 1));
    for (std::size_t i = 0; i < 4; ++i) y[i] += dt / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  const std::string density = fmt::format("{}", M / (L * h * h));
  for (const std::string solver : {"radau5", "hht"}) {
    CAPTURE(solver);
    const auto run = testing::run_text(with_body(
        "",
        "from: [0, 0, 0], to: [2, 0, 0], elements: 4, rectangle: [20 mm, 20 mm], young: 2e13 N/m^2, type: planar_beam, "
        "start: hinged, density: " +
            density + " kg/m^3",
        "  bead: {mass: 3 kg, at: [0.8, 0, 0], inertia: [0.01, 0.01, 0.01]}\njoints:\n  float: {type: planar, from: "
        "ground, to: bead, plane: xz, displacement_1_rate: -0.5 m/s}\n"
        "  slide: {type: point_on_line, from: wire, to: bead}\noutputs: [slide.s, slide.speed, bead.x, bead.z]\n"
        "experiments: {e: {until: 0.3 s, output_step: 0.05 s, tolerance: 1e-5, solver: " +
            solver + "}}\n"));
    REQUIRE_MESSAGE(run.sink.summary.status == simulation::RunStatus::finished, run.sink.summary.reason);
    // With a tenth of this E the rod bends, and z is off by 1.2e-4 m.
    const double bound = solver == "radau5" ? 5e-6 : 5e-5;
    CHECK(std::abs(run.last("slide.s") - y[2]) < bound);
    CHECK(std::abs(run.last("bead.x") - y[2] * std::cos(y[0])) < bound);
    CHECK(std::abs(run.last("bead.z") - y[2] * std::sin(y[0])) < bound);
  }
}

namespace {

// A simply supported beam of Euler and Bernoulli, in modes sin(n pi x / L): crossed by a load P and a mass M at constant speed c from its start on,
//   sum_k (m L / 2 d_nk + M s_n s_k) q_k'' + 2 M c s_n s_k' q_k' + (m L / 2 w_n^2 d_nk + M c^2 s_n s_k'') q_k = -P s_n     at x = c t.
struct Crossing {
  double L, mass_per_length, bending, P, M, c;
  static constexpr int modes = 12;
  using Modes = std::array<double, modes>;

  static void solve(std::array<std::array<double, modes>, modes> A,
                    Modes& b) {  // symmetric, positive definite: no pivots
    for (std::size_t k = 0; k < modes; ++k) {
      for (std::size_t i = k + 1; i < modes; ++i) {
        const double f = A[i][k] / A[k][k];
        for (std::size_t j = k; j < modes; ++j) A[i][j] -= f * A[k][j];
        b[i] -= f * b[k];
      }
    }
    for (std::size_t k = modes; k-- > 0;) {
      for (std::size_t j = k + 1; j < modes; ++j) b[k] -= A[k][j] * b[j];
      b[k] /= A[k][k];
    }
  }
  double wave(std::size_t n) const { return static_cast<double>(n + 1) * std::numbers::pi / L; }
  Modes acceleration(double t, const Modes& q, const Modes& v) const {
    std::array<std::array<double, modes>, modes> A{};
    Modes b{};
    const double x = c * t;
    double slope_rate = 0, bend = 0;
    for (std::size_t k = 0; k < modes; ++k)
      slope_rate += v[k] * wave(k) * std::cos(wave(k) * x), bend -= q[k] * wave(k) * wave(k) * std::sin(wave(k) * x);
    for (std::size_t n = 0; n < modes; ++n) {
      const double s = std::sin(wave(n) * x), w2 = bending / mass_per_length * std::pow(wave(n), 4);
      for (std::size_t k = 0; k < modes; ++k) A[n][k] = M * s * std::sin(wave(k) * x);
      A[n][n] += 0.5 * mass_per_length * L;
      b[n] = -P * s - M * s * (2 * c * slope_rate + c * c * bend) - 0.5 * mass_per_length * L * w2 * q[n];
    }
    solve(A, b);
    return b;
  }
  // Deflection of the middle, and under the load, at time t.
  std::pair<double, double> deflection(double until) const {
    Modes q{}, v{};
    constexpr int steps = 20000;  // Runge and Kutta: the fastest mode turns by 0.2 rad a step at most
    const double dt = until / steps;
    const auto plus = [](const Modes& a, double f, const Modes& b) {
      Modes out = a;
      for (std::size_t i = 0; i < modes; ++i) out[i] += f * b[i];
      return out;
    };
    for (int k = 0; k < steps; ++k) {
      const double t = k * dt;
      const Modes a1 = acceleration(t, q, v), v2 = plus(v, dt / 2, a1);
      const Modes a2 = acceleration(t + dt / 2, plus(q, dt / 2, v), v2), v3 = plus(v, dt / 2, a2);
      const Modes a3 = acceleration(t + dt / 2, plus(q, dt / 2, v2), v3), v4 = plus(v, dt, a3);
      const Modes a4 = acceleration(t + dt, plus(q, dt, v3), v4);
      for (std::size_t i = 0; i < modes; ++i)
        q[i] += dt / 6 * (v[i] + 2 * v2[i] + 2 * v3[i] + v4[i]),
            v[i] += dt / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]);
    }
    double middle = 0, under = 0;
    for (std::size_t n = 0; n < modes; ++n)
      middle += q[n] * std::sin(wave(n) * L / 2), under += q[n] * std::sin(wave(n) * c * until);
    return {middle, under};
  }
  // The load alone in closed form: sum 2 P / (m L) (sin W t - W / w sin w t) / (w^2 - W^2) sin(n pi x / L), W = n pi c / L: the problem of [Olsson 1991].
  double closed(double x, double t) const {
    double sum = 0;
    for (std::size_t n = 0; n < 200; ++n) {
      const double w = std::sqrt(bending / mass_per_length) * wave(n) * wave(n), W = wave(n) * c;
      sum -= 2 * P / (mass_per_length * L) * (std::sin(W * t) - W / w * std::sin(w * t)) / (w * w - W * W) *
             std::sin(wave(n) * x);
    }
    return sum;
  }
};

// A beam of 10 m, 100 kg/m, E I = 1e6 N.m^2, under loads so small that it bends by 1e-4 of its length: what is nonlinear is 1e-6 of the deflection.
testing::Run cross(const std::string& mass, const std::string& force, double until) {
  const double side = 0.2, area = side * side, second = std::pow(side, 4) / 12;
  return testing::run_text(
      with_body("gravity: off\n",
                fmt::format("from: [0, 0, 0], to: [10, 0, 0], elements: 8, type: planar_cable, rectangle: [{0} m, {0} "
                            "m], young: {1} N/m^2, density: {2} kg/m^3, start: hinged, end: hinged",
                            side, 1e6 / second, 100 / area),
                "  car: {mass: " + mass +
                    ", at: [0, 0, 0], inertia: [0.01, 0.01, 0.01]}\njoints:\n"
                    "  way: {type: planar, from: ground, to: car, plane: xz, drive_1: \"=20[m/s]*t\"}\n  slide: {type: "
                    "point_on_line, from: wire, to: car}\n"
                    "forces: {weight: {type: force, from: ground, to: car, z: -" +
                    force + "}}\noutputs: [car.z, slide.s]\n" +
                    fmt::format("experiments: {{e: {{until: {} s, output_step: 0.1 s, tolerance: 1e-7, "
                                "absolute_tolerance: 1e-9, solver: radau5}}}}\n",
                                until)));
}

}  // namespace

TEST_CASE("Sliding: a load that crosses a simply supported beam, and a mass that does") {
  Crossing load{10, 100, 1e6, 50, 0, 20};
  // the reference against the closed form, where there is one
  CHECK(load.deflection(0.3).first == doctest::Approx(load.closed(5, 0.3)).epsilon(3e-4));
  CHECK(load.deflection(0.3).second == doctest::Approx(load.closed(6, 0.3)).epsilon(3e-4));
  Crossing mass = load;
  mass.M = 500;  // half of the beam's
  for (const double until : {0.2, 0.45}) {
    CAPTURE(until);
    const auto light = cross("1e-3 kg", "50 N", until), heavy = cross("500 kg", "50 N", until);
    CHECK(light.last("car.z") == doctest::Approx(load.closed(20 * until, until)).epsilon(2e-3));
    CHECK(heavy.last("car.z") == doctest::Approx(mass.deflection(until).second).epsilon(2e-3));
    CHECK(heavy.last("slide.s") == doctest::Approx(20 * until).epsilon(1e-4));
  }
}

// Momentum is the impulse of what pulls, whatever the line does.
TEST_CASE("Sliding: momentum and energy of a free line with a bead on it, with several solvers that agree") {
  for (const std::string type : {"planar_beam", "planar_cable", "cable", "beam"}) {
    CAPTURE(type);
    double s = 0;
    for (const std::string solver : {"radau5", "bdf", "ida", "hem5", "dopri5"}) {
      CAPTURE(solver);
      const auto run = testing::run_text(flight(type, "",
                                                "until: 0.2 s, output_step: 0.1 s, tolerance: 1e-7, solver: " + solver +
                                                    ", outputs: [slide.s, bead.vx, bead.vy, bead.vz, energy.balance]"));
      REQUIRE_MESSAGE(run.sink.summary.status == simulation::RunStatus::finished, run.sink.summary.reason);
      const Vec3d before = momentum(run, 0, 1), after = momentum(run, run.sink.time.size() - 1, 1);
      Vec3d impulse = 0.2 * pull;
      if (type.starts_with("planar")) impulse.y = 0;
      CHECK_MESSAGE(norm(after - before - impulse) < 1e-5, norm(after - before - impulse));
      CHECK(std::abs(run.last("energy.balance")) < 2e-5);
      if (solver == "radau5") s = run.last("slide.s");
      CHECK(std::abs(run.last("slide.s") - s) < 2e-5);
    }
    CHECK(s > 0.3);
  }
}

TEST_CASE("Sliding: joint coordinates and absolute ones say the same of a load that hangs on what slides") {
  const std::string e =
      "until: 0.3 s, output_step: 0.1 s, tolerance: 1e-7, solver: radau5, outputs: [slide.s, slide.normal_force, "
      "load.x, load.y, load.z]";
  const auto joint = testing::run_text(flight("cable", "", e, true)),
             absolute = testing::run_text(flight("cable", "coordinates: absolute\n", e, true));
  for (const std::string channel : {"slide.s", "load.x", "load.y", "load.z"})
    CHECK(std::abs(joint.last(channel) - absolute.last(channel)) < 2e-6);
  CHECK(joint.last("slide.normal_force") == doctest::Approx(absolute.last("slide.normal_force")).epsilon(1e-3));
}

TEST_CASE("Sliding: the derivatives that formulations state are those of differences") {
  for (const std::string type : {"planar_beam", "planar_cable", "cable", "beam"}) {
    CAPTURE(type);
    const auto loaded = load_text(flight(type, "", "until: 1 s", true));
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
  }
}

// A point reads no rotation, so that a cable's roll is no matter.
TEST_CASE(
    "Sliding: nothing is said of the roll of a cable that a point slides on, and a body that is no line is refused") {
  CHECK(load_text(flight("cable", "", "until: 1 s")).model->warnings.empty());
  CHECK(
      testing::refusal("skyhook: 1\nbodies: {a: {mass: 1 kg, inertia: [1, 1, 1]}, b: {mass: 1 kg, inertia: [1, 1, "
                       "1]}}\njoints: {slide: {type: point_on_line, from: a, to: b}}\nexperiments: {e: {until: 1 s}}\n")
          .find("no beam or cable of nodal coordinates") != std::string::npos);
}

TEST_CASE("Sliding: a point that is drawn away from the line is told, and one beyond its end does not start") {
  const auto bead_at = [](const std::string& place) {
    return load_text(with_body(
        "", soft + ", type: cable, start: clamped, end: clamped",
        "  bead: {mass: 1 kg, at: [" + place +
            "], inertia: [0.01, 0.01, 0.01]}\n"
            "joints: {slide: {type: point_on_line, from: wire, to: bead}}\nexperiments: {e: {until: 1 s}}\n"));
  };
  const auto told = [](const testing::Loaded& loaded) {
    for (const Warning& w : loaded.model->warnings) {
      if (w.name == "off_line") return w.what;
    }
    return std::string();
  };
  CHECK(told(bead_at("0.3, 0, 0")).empty());
  CHECK(told(bead_at("0.3, 0.3, 0.4")).find("\"slide\": its point is drawn 0.5 m away") != std::string::npos);
  const auto beyond = bead_at("1.25, 0, 0");
  CHECK(told(beyond).find("0.25 m away") != std::string::npos);
  const auto prepared = simulation::prepare(beyond.model, beyond.experiment);
  REQUIRE_FALSE(prepared.ok());
  CHECK_MESSAGE(
      prepared.problem().find("off the line, first direction (test.yaml:5) cannot be evaluated") != std::string::npos,
      prepared.problem());
  CHECK(prepared.problem().find("has reached the end of the line (s = 1 m)") != std::string::npos);
}

TEST_CASE("Sliding: the end of the line ends the run and is named") {
  const auto loaded = load_text(flight("cable", "", "until: 5 s, output_step: 0.1 s"));
  simulation::MemorySink sink;
  simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, sink, loaded.options);
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  CHECK(sink.summary.reason.find("slide") != std::string::npos);
  CHECK(sink.summary.reason.find("end of the line") != std::string::npos);
}

// Two methods on the stiff rope of the example; the carriage has passed four of its twelve elements by then: 39.6684 m with both at 1e-6.
TEST_CASE("Sliding: the ropeway of the examples runs down its rope") {
  double way = 0;
  for (const std::string solver : {"radau5", "generalised_alpha"}) {
    CAPTURE(solver);
    auto loaded = testing::load("flexible/ropeway", {.until = 5, .output_step = 1});
    loaded.experiment.solver = solver;
    const auto run = testing::run(loaded);
    REQUIRE_MESSAGE(run.sink.summary.status == simulation::RunStatus::finished, run.sink.summary.reason);
    if (solver == "radau5") way = run.last("way");
    CHECK(run.last("way") == doctest::Approx(way).epsilon(1e-4));
    CHECK(run.sink.summary.energy_closure < 1e-3);
  }
  CHECK(way > 4 * 102.0 / 12);
  CHECK(way < 102.0);
}
