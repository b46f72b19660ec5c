// A wheel on the mass of a track. References: the exact motion of two masses on two springs and of one on one, Newton's law for the force
// between them, a real body in the place of the mass, energy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact_jacobian.testing.h"
#include "refusal.testing.h"
#include "skyhook/analysis/start.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

constexpr double M = 2, m = 1, k = 300, kc = 200, g = 9.81;  // wheel, track, bed, contact

std::string wheel(const std::string& track, const std::string& position, const std::string& experiment) {
  return "skyhook: 1\nbodies: {wheel: {mass: 2, at: [0, 0, 0.5]}}\njoints:\n"
         "  ride: {type: prismatic, from: ground, to: wheel, axis: z" +
         position +
         "}\nforces:\n  rail: {type: track_mass, from: ground, to: wheel, radius: 0.5, mass: 1, stiffness: 300" +
         track + "}\noutputs: [\"*\"]\nexperiments:\n  go: {" + experiment + "}\n  rest: {analysis: equilibrium}\n";
}

// x'' = -A x with x = (wheel, track), both from rest at x0: by its two modes.
struct TwoMasses {
  double a = kc / M, b = -kc / M, c = -kc / m, d = (kc + k) / m;  // A
  std::array<double, 2> at(double t, double wheel0, double track0) const {
    const double mean = (a + d) / 2, root = std::sqrt((a - d) * (a - d) / 4 + b * c);
    std::array<double, 2> out{};
    for (const double square : {mean - root, mean + root}) {
      // Of A - other eigenvalue over their distance: projects on this mode.
      const double other = 2 * mean - square, share = 1 / (square - other);
      const double cosine = std::cos(std::sqrt(square) * t);
      out[0] += share * ((a - other) * wheel0 + b * track0) * cosine;
      out[1] += share * (c * wheel0 + (d - other) * track0) * cosine;
    }
    return out;
  }
};

// From its equilibrium.
testing::Run run_from_rest(const testing::Loaded& loaded) {
  testing::Run out{analysis::prepare(loaded.model, loaded.experiment), {}};
  REQUIRE_MESSAGE(out.prepared.ok(), out.prepared.problem());
  simulation::simulate(out.prepared, loaded.experiment, out.sink, loaded.options);
  REQUIRE_MESSAGE(out.sink.summary.status == simulation::RunStatus::finished, out.sink.summary.reason);
  return out;
}

bool has_warning(const testing::Run& run, const std::string& name) {
  return std::ranges::count(run.sink.summary.warnings, name, &Warning::name) > 0;
}

}  // namespace

TEST_CASE("Track mass: a wheel on a contact spring on a track is two masses on two springs, with every solver") {
  const double sag = -M * g / k, pressed = M * g / kc, off = 0.02, track_off = -0.01;
  const TwoMasses exact;
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r =
        testing::run_text(wheel(fmt::format(", contact_stiffness: 200, deflection: {:.15g}", sag + track_off),
                                fmt::format(", displacement: {:.15g}", sag - pressed + off),
                                "until: 1 s, output_step: 0.05 s, tolerance: 1e-8, solver: " + solver));
    double error = 0;
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
      const auto x = exact.at(r.sink.time[i], off, track_off);
      error = std::max(error, std::abs(r.at(i, "ride.displacement") - (sag - pressed + x[0])));
      error = std::max(error, std::abs(r.at(i, "rail.deflection") - (sag + x[1])));
      CHECK(r.at(i, "rail.normal") > 0);  // it never opens: the exact motion is that of springs
      CHECK(r.at(i, "rail.normal") == doctest::Approx(kc * (pressed + x[1] - x[0])).epsilon(1e-4));
      CHECK(r.at(i, "rail.deflection_acceleration") ==
            doctest::Approx(-(exact.c * x[0] + exact.d * x[1])).epsilon(1e-3).scale(1));
    }
    CHECK(error < 5e-7);
    CHECK(r.sink.summary.energy_closure < 1e-4);  // twice the relative error of a motion of 10 mm
  }
}

TEST_CASE("Track mass: a wheel that is held on it swings as one mass, with every solver") {
  const double sag = -M * g / k, off = 0.03, w = std::sqrt(k / (M + m));
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r = testing::run_text(wheel(fmt::format(", deflection: {:.15g}", sag + off),
                                           fmt::format(", displacement: {:.15g}", sag + off),
                                           "until: 1 s, output_step: 0.05 s, tolerance: 1e-8, solver: " + solver));
    double error = 0, of_force = 0;
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
      const double x = off * std::cos(w * r.sink.time[i]);
      error = std::max(error, std::abs(r.at(i, "rail.deflection") - (sag + x)));
      error = std::max(error, std::abs(r.at(i, "wheel.z") - (0.5 + sag + x)));
      of_force = std::max(of_force, std::abs(r.at(i, "rail.normal") - M * (g - w * w * x)));
    }
    CHECK(error < 5e-7);
    CHECK(of_force < 1e-3);
    CHECK(r.sink.summary.energy_closure < 4e-5);  // the same of 30 mm
    CHECK_FALSE(has_warning(r, "contact_pulls"));
  }
}

TEST_CASE("Track mass: where the track pulls at the wheel that is held on it, the run says so") {
  const auto r =
      testing::run_text(wheel("", ", displacement: 0.2", "until: 1 s, output_step: 0.01 s, solver: radau5/ggl"));
  CHECK(has_warning(r, "contact_pulls"));
}

// A body that slides along z takes the place of the mass; `contact` with its plane that of the contact spring.
TEST_CASE("Track mass: a real body in its place moves alike while the wheel runs along") {
  const auto model = [](const std::string& bodies, const std::string& joints, const std::string& forces) {
    return "skyhook: 1\ngravity: off\nbodies: {wheel: {mass: 2, inertia: [1, 1, 1], at: [0, 0, 0.5]}" + bodies +
           "}\njoints:\n  run: {type: planar, from: ground, to: wheel, plane: xz, displacement_1_rate: 20, "
           "displacement_2: -58 mm}\n" +
           joints + "forces:\n  load: {type: force, from: ground, to: wheel, z: \"=-15[N] - 5[N]*sin(4*t/1[s])\"}\n" +
           forces +
           "outputs: [\"*\"]\nexperiments: {go: {until: 2 s, output_step: 0.05 s, tolerance: 1e-8, solver: dopri5}}\n";
  };
  const auto mass = testing::run_text(
      model("", "",
            "  rail: {type: track_mass, from: ground, to: wheel, radius: 0.5, mass: 1, stiffness: 300, damping: 20, "
            "contact_stiffness: 2000, contact_depth: 10 mm, contact_exponent: 1.5, contact_damping: 0.2, deflection: "
            "-50 mm}\n"));
  const auto body = testing::run_text(
      model(", sleeper: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}",
            "  bed: {type: prismatic, from: ground, to: sleeper, axis: z, cut: false, displacement: -50 mm}\n",
            "  spring: {type: spring_damper, joint: bed, stiffness: 300, damping: 20}\n"
            "  touch: {type: contact, from: sleeper, to: wheel, radius: 0.5, stiffness: 2000, depth: 10 mm, exponent: "
            "1.5, damping: 0.2}\n"));
  REQUIRE(mass.sink.time.size() == body.sink.time.size());
  double difference = 0, farthest = 0;
  for (std::size_t i = 0; i < mass.sink.time.size(); ++i) {
    difference = std::max({difference, std::abs(mass.at(i, "wheel.z") - body.at(i, "wheel.z")),
                           std::abs(mass.at(i, "rail.deflection") - body.at(i, "bed.displacement")),
                           std::abs(mass.at(i, "wheel.x") - body.at(i, "wheel.x")),
                           1e-3 * std::abs(mass.at(i, "rail.normal") - body.at(i, "touch.force"))});
    CHECK(mass.at(i, "rail.normal") > 0);  // `contact` would have events
    farthest = std::max(farthest, std::abs(mass.at(i, "rail.deflection")));
  }
  CHECK(farthest > 0.05);
  CHECK(difference < 1e-10);  // the same equations: rounding alone
  CHECK(mass.last("wheel.x") == doctest::Approx(40));
  CHECK(mass.sink.summary.energy_closure < 1e-5);
}

TEST_CASE("Track mass: exact derivatives are those of differences, on a body that moves, touching and held") {
  for (const std::string contact :
       {", contact_stiffness: 60, contact_exponent: 1.5, contact_depth: 0.3, contact_damping: 0.4", ""}) {
    CAPTURE(contact);
    const auto loaded = testing::load_text(
        "skyhook: 1\nbodies: {frame: {mass: 3, inertia: [0.2, 0.3, 0.2], at: [0, 0, 0]}, wheel: {mass: 1, inertia: "
        "[0.1, 0.2, 0.1], at: [0.3, 0.1, 0.4]}}\njoints:\n"
        "  swing: {type: revolute, from: ground, to: frame, axis: [0.3, 1, 1], at: [0.1, 0, 0.5], angle: 0.2}\n"
        "  fly: {type: free, from: ground, to: wheel}\n"
        "forces: {rail: {type: track_mass, from: frame, to: wheel, radius: 0.7, mass: 2, stiffness: 50, damping: 3, "
        "deflection: 0.1" +
        contact + "}}\nexperiments: {go: {until: 1 s}}\n");
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
  }
}

TEST_CASE("Track mass: exact derivatives beside other elements with unknowns of their own") {
  const auto loaded = testing::load_text(
      "skyhook: 1\nbodies: {frame: {mass: 3, inertia: [0.2, 0.3, 0.2], at: [0, 0, 0]}, wheel: {mass: 1, inertia: "
      "[0.1, 0.2, 0.1], at: [0.3, 0.1, 0.4]}}\njoints:\n"
      "  swing: {type: revolute, from: ground, to: frame, axis: [0.3, 1, 1], at: [0.1, 0, 0.5], angle: 0.2}\n"
      "  fly: {type: free, from: ground, to: wheel}\n"
      "  wire: {type: point_on_curve, from: frame, to: wheel, x: =0.3*cos(s), y: =0.1+0.3*sin(s), z: =0.4+0.1*s, "
      "range: "
      "[-9, 9]}\nforces:\n"
      "  one: {type: track_mass, from: frame, to: wheel, radius: 0.7, mass: 2, stiffness: 50, damping: 3, deflection: "
      "0.1, contact_stiffness: 60}\n"
      "  strut: {type: maxwell, from: ground, to: wheel, stiffness: 10, damping: 3}\n"
      "  mount: {type: rubber_bushing, from: frame, to: wheel, stiffness: [4, 5, 6], branches: [[1, 0, 2]], "
      "branch_times: [0.3 s]}\n"
      "  two: {type: track_mass, from: ground, to: frame, to_at: [0.4, 0.2, 0.1], radius: 0.1, mass: 1, stiffness: "
      "30}\n"
      "experiments: {go: {until: 1 s}}\n");
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
}

// p = A sin(w t) needs N = -k p - m p''.
TEST_CASE("Track mass: under a wheel that is driven the force is that of bed and mass, with every solver") {
  const double A = 0.02, w = 7;
  for (const std::string& solver : simulation::usable_solvers()) {
    if (solver.ends_with("partitioning")) continue;  // refused: nothing is free to move
    CAPTURE(solver);
    const auto r = testing::run_text(wheel("", ", drive: \"=0.02[m]*sin(7[1/s]*t)\"",
                                           "until: 1 s, output_step: 0.1 s, tolerance: 1e-8, solver: " + solver));
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
      const double p = A * std::sin(w * r.sink.time[i]);
      CHECK(std::abs(r.at(i, "rail.deflection") - p) < 1e-7);
      CHECK(std::abs(r.at(i, "rail.normal") + (k - m * w * w) * p) < 1e-4);
    }
  }
}

// A ball of 1 kg meets 3 kg, with restitution 0.5: they go on with (1 + 0.5) 1 / (1 + 3) of its speed.
TEST_CASE("Track mass: where the wheel is held on it, an impact meets both masses") {
  const auto r = testing::run_text(
      "skyhook: 1\ngravity: off\nbodies: {wheel: {mass: 2, at: [0, 0, 0.5]}, ball: {mass: 1, at: [0, 0, "
      "0.6]}}\njoints:\n"
      "  ride: {type: prismatic, from: ground, to: wheel, axis: z}\n"
      "  fall: {type: prismatic, from: ground, to: ball, axis: z, rate: -1}\nforces:\n"
      "  rail: {type: track_mass, from: ground, to: wheel, radius: 0.5, mass: 1, stiffness: 1e-6}\n"
      "  hit: {type: rigid_contact, from: wheel, to: ball, restitution: 0.5}\n"
      "outputs: [\"*\"]\nexperiments: {go: {until: 0.2 s, output_step: 0.1 s, tolerance: 1e-8, solver: bdf/ggl}}\n");
  CHECK(r.last("ride.displacement_rate") == doctest::Approx(-0.375).epsilon(1e-6));
  CHECK(r.last("rail.deflection_rate") == doctest::Approx(-0.375).epsilon(1e-6));
  CHECK(r.last("fall.displacement_rate") == doctest::Approx(0.125).epsilon(1e-6));
}

TEST_CASE("Track mass: it rests where bed and contact carry the wheel") {
  for (const std::string contact : {"", ", contact_stiffness: 200"}) {
    CAPTURE(contact);
    const auto r = run_from_rest(
        testing::load_text(wheel(contact, "", "from: rest, until: 1 s, output_step: 0.1 s, tolerance: 1e-8")));
    for (const std::size_t i : {std::size_t{0}, r.sink.time.size() - 1}) {
      CHECK(r.at(i, "rail.deflection") == doctest::Approx(-M * g / k).epsilon(1e-7));
      CHECK(r.at(i, "ride.displacement") ==
            doctest::Approx(-M * g / k - (contact.empty() ? 0 : M * g / kc)).epsilon(1e-7));
      CHECK(r.at(i, "rail.bed") == doctest::Approx(M * g).epsilon(1e-7));
    }
  }
}

TEST_CASE("Track mass: wheel and mass meet where mass moves least, and a given deflection that changes is told") {
  const auto free = testing::run_text(wheel(", to_at: [0, 0, 0.47]", "", "until: 0.01 s"));  // drawn 30 mm too deep
  CHECK(free.at(0, "rail.deflection") == doctest::Approx(-0.02));                            // 1 kg beside 2 kg
  CHECK(free.at(0, "ride.displacement") == doctest::Approx(0.01));
  CHECK_FALSE(has_warning(free, "initial_value_changed"));
  const auto given = testing::run_text(wheel(", deflection: 0.01", ", displacement: 0.04", "until: 0.01 s"));
  CHECK(given.at(0, "rail.deflection") == doctest::Approx(0.04));
  CHECK(given.at(0, "ride.displacement") == doctest::Approx(0.04));
  CHECK(has_warning(given, "initial_value_changed"));
  const auto rates = testing::run_text(wheel(", deflection_rate: 0.3", ", rate: 0.1", "until: 0.01 s"));
  CHECK(rates.at(0, "rail.deflection_rate") == doctest::Approx(0.1));
  CHECK(has_warning(rates, "initial_value_changed"));
}

TEST_CASE("Track mass: an event may set its coordinate and rate") {
  const auto r = run_from_rest(testing::load_text(
      wheel(", contact_stiffness: 200", "", "from: rest, until: 0.2 s, output_step: 0.05 s, tolerance: 1e-8") +
      "events: {kick: {at: 0.1 s, do: {state: {rail.deflection_rate: 0.2}}}}\n"));
  const TwoMasses exact;
  // The response to a jump of the rate is the integral of that to a displacement: here by Simpson's rule.
  const int n = 200;
  const double h = 0.1 / n;
  double sum = 0;
  for (int i = 0; i <= n; ++i) sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * exact.at(i * h, 0, 0.2)[1];
  CHECK(r.last("rail.deflection") == doctest::Approx(-M * g / k + sum * h / 3).epsilon(1e-6));
}

// Momentum M v is shared, then M + m swing on the bed: the second peak, and the wheel's share of its force.
TEST_CASE("A wheel that runs over a dipped joint presses as its momentum asks for") {
  const double M_u = 600, m_t = 150, K = 70e6, v = 0.01 * 30, weight = 50e3 + M_u * g;
  const auto r = run_from_rest(testing::load("mechanisms/dipped_joint", {.experiment = "held"}));
  const double w = std::sqrt(K / (M_u + m_t)), x = v * M_u / (M_u + m_t) / w;
  double bed = 0, normal = 0;
  for (std::size_t i = 0; i < r.sink.time.size(); ++i)
    bed = std::max(bed, r.at(i, "one_mass.bed")), normal = std::max(normal, r.at(i, "one_mass.normal"));
  const double sampled = w * 0.1e-3 / 2;  // between two samples 1 - cos of that is missed at most
  CHECK(bed ==
        doctest::Approx(weight + v * std::sqrt(K * M_u) * std::sqrt(M_u / (M_u + m_t))).epsilon(sampled * sampled));
  CHECK(normal == doctest::Approx(weight + M_u * w * w * x).epsilon(sampled * sampled));
}

TEST_CASE("Track mass: wrong input is told") {
  const auto message = [](const std::string& fields) {
    return testing::refusal(
        "skyhook: 1\nbodies: {wheel: {mass: 1, at: [0, 0, 1]}}\njoints: {j: {type: prismatic, from: ground, to: "
        "wheel, axis: z}}\nforces: {rail: {type: track_mass, " +
        fields + "}}\n");
  };
  using testing::has;
  const std::string ends = "from: ground, to: wheel, ";
  CHECK(has(message(ends + "mass: 0, stiffness: 1"), "mass"));
  CHECK(has(message(ends + "mass: -1, stiffness: 1"), "mass"));
  CHECK(has(message(ends + "mass: 1 N, stiffness: 1"), "mass"));
  CHECK(has(message(ends + "stiffness: 1"), "mass"));
  CHECK(has(message(ends + "mass: 1"), "stiffness"));
  CHECK(has(message(ends + "mass: 1, stiffness: 1, contact_depth: 1 mm"), "no contact"));
  CHECK(has(message("from: wheel, to: wheel, mass: 1, stiffness: 1"), "same body"));
  CHECK(message(ends + "mass: 1, stiffness: 1").empty());
}
