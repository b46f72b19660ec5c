// Bodies that bend, by exact beam theory: frequencies at rest and in rotation, static deflection, what a free body keeps, all solvers and both
// choices of coordinates. The modes are the exact shapes of a clamped beam (formalism/modal_bodies.testing.h), so that references need no mesh.
#include <cmath>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/analysis/linearisation.h"
#include "skyhook/analysis/modes.h"
#include "skyhook/analysis/operating_point.h"
#include "skyhook/formalism/modal_bodies.testing.h"
#include "skyhook/formalism/recursive/equations.h"

using namespace skyhook;
using formalism::testing::Beam;
using testing::Loaded;

namespace {

// A body of the model takes the modes of a beam along x of its frame.
void bend(Loaded& loaded, const std::string& name, const Beam& beam) {
  for (model::Body& body : loaded.model->bodies) {
    if (body.name == name)
      formalism::testing::put_modal(std::make_shared<const model::ModalBody>(formalism::testing::cantilever(beam)),
                                    body);
  }
}

// What a linear system of the given text has, at rest or in motion.
analysis::Modes modes_of(const Loaded& loaded, bool moves = false) {
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(p.ok(), p.problem());
  analysis::OperatingPoint at;
  if (moves) {
    std::string problem;
    const auto found = analysis::in_motion(*p.active, p.state, problem);
    REQUIRE_MESSAGE(found, problem);
    at = *found;
  } else {
    const auto e = analysis::find_equilibrium(p);
    REQUIRE_MESSAGE(e.found, e.problem);
    at = analysis::at_equilibrium(e);
  }
  const auto linear = analysis::linearise(p, at);
  REQUIRE_MESSAGE(linear.problem.empty(), linear.problem);
  auto out = analysis::find_modes(p, at, linear);
  REQUIRE_MESSAGE(out.problem.empty(), out.problem);
  return out;
}

const std::string clamped = R"(
skyhook: 1
gravity: [0, 0, -9.81]
bodies: {beam: {mass: 1 kg, inertia: [1, 1, 1], at: [0, 0, 0]}}
markers: {tip: {body: beam, at: [1, 0, 0]}}
joints: {root: {type: fixed, from: ground, to: beam}}
outputs: [tip.*, beam.*]
experiments: {run: {until: 1 s}}
)";

}  // namespace

TEST_CASE("a clamped beam: frequencies are those of Euler and Bernoulli") {
  Loaded loaded = testing::load_text(clamped);
  bend(loaded, "beam", {.EIy = 100, .EIz = 300, .shapes = 3});
  const analysis::Modes found = modes_of(loaded);
  REQUIRE(found.modes.size() == 6);
  std::vector<double> expected;
  for (int n = 1; n <= 3; ++n) {
    const double b = formalism::testing::clamped_free(n);
    for (const double EI : {100.0, 300.0}) expected.push_back(b * b * std::sqrt(EI) / (2 * std::numbers::pi));
  }
  std::ranges::sort(expected);
  // exact shapes: only rounding, of eigenvalues that lie 1e3 apart
  for (std::size_t k = 0; k < 6; ++k) CHECK(found.modes[k].frequency == doctest::Approx(expected[k]).epsilon(1e-9));
  CHECK(found.modes[0].kinetic[0].name == "beam");
  CHECK(found.modes[0].strain[0].name == "beam");
  CHECK(found.modes[0].strain[0].value == doctest::Approx(1).epsilon(1e-9));
}

// cos x cosh x = 1. The frame floats with the clamped end, so the shapes are no modes of the free beam: Ritz's method, from above.
TEST_CASE("a free beam: frequencies come down to those of Euler and Bernoulli as shapes are added") {
  const double exact[] = {4.730040744862704, 7.853204624095838};
  double before[] = {1, 1};
  for (const int shapes : {3, 5, 8, 12}) {
    CAPTURE(shapes);
    Loaded loaded = testing::load_text(R"(
skyhook: 1
gravity: [0, 0, 0]
bodies: {beam: {mass: 1 kg, inertia: [1, 1, 1], at: [0, 0, 0]}}
joints: {float: {type: free, from: ground, to: beam}}
experiments: {run: {until: 1 s}}
)");
    bend(loaded, "beam", {.EIy = 100, .EIz = 1e4, .shapes = shapes, .radius = 1e-4});
    const analysis::Modes found = modes_of(loaded);
    REQUIRE(found.free_motions == 6);
    for (std::size_t k = 0; k < 2; ++k) {
      const double f = exact[k] * exact[k] * std::sqrt(100.0) / (2 * std::numbers::pi),
                   off = found.modes[6 + k].frequency / f - 1;
      CHECK(off > 0);
      CHECK(off < 0.7 * before[k]);
      before[k] = off;
    }
  }
  CHECK(before[0] < 1e-4);
}

// w(L) = m g L^4 / (8 EI), and the series of shapes leaves out about 4 / b^5 of each that is missing: below 1e-5 of the first after five.
TEST_CASE("a clamped beam under its weight bends as beam theory says, ever closer with more shapes") {
  double before = 1;
  for (const int shapes : {1, 2, 3, 5}) {
    CAPTURE(shapes);
    Loaded loaded = testing::load_text(clamped);
    bend(loaded, "beam", {.EIy = 100, .EIz = 300, .shapes = shapes});
    const auto e = analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment));
    REQUIRE_MESSAGE(e.found, e.problem);
    double tip = 0;
    const auto& modal = *loaded.model->bodies[0].modal;
    for (int k = 0; k < modal.modes; ++k)
      tip += e.state.q[static_cast<std::size_t>(k)] * modal.points[2].shift[static_cast<std::size_t>(k)].z;
    const double off = std::abs(tip / (-9.81 / (8 * 100)) - 1);
    CHECK(off < 0.5 * before);
    before = off;
  }
  CHECK(before < 1e-4);
}

// A beam parallel to the axis it turns about, at the distance e: EI y'''' = m W^2 y for the distance y from the axis, y(0) = e, y'(0) = 0, and no
// moment or force at the end. With k^4 = m W^2 / EI and y = e (cosh kx + cos kx)/2 + A (cosh kx - cos kx) + B (sinh kx - sin kx).
TEST_CASE("a beam carried round beside its axis bends as the centrifugal load says") {
  const double W = 20, EI = 200, offset = 0.3, k = std::pow(W * W / EI, 0.25);
  const double ch = std::cosh(k), sh = std::sinh(k), c = std::cos(k), s = std::sin(k);
  // y'' = 0: e (ch - c)/2 + A (ch + c) + B (sh + s);  y''' = 0: e (sh + s)/2 + A (sh - s) + B (ch + c)
  const double det = (ch + c) * (ch + c) - (sh + s) * (sh - s), r1 = -offset * (ch - c) / 2,
               r2 = -offset * (sh + s) / 2;
  const double A = (r1 * (ch + c) - r2 * (sh + s)) / det, B = ((ch + c) * r2 - (sh - s) * r1) / det;
  const double tip = offset * (ch + c) / 2 + A * (ch - c) + B * (sh - s) - offset;
  Loaded loaded = testing::load_text(R"(
skyhook: 1
gravity: [0, 0, 0]
bodies: {beam: {mass: 1 kg, inertia: [1, 1, 1], at: [0, 0.3, 0]}}
markers: {tip: {body: beam, at: [1, 0.3, 0]}}
joints: {hub: {type: revolute, from: ground, to: beam, at: [0, 0, 0], axis: x, drive: "=20[rad/s]*t"}}
outputs: [tip.*]
experiments: {run: {until: 4 s, output_step: 0.1 s}}
)");
  bend(loaded, "beam", {.EIy = 4 * EI, .EIz = EI, .shapes = 5, .damping = 0.3});
  const auto run = testing::run(loaded);
  const double radius = std::hypot(run.last("tip.y"), run.last("tip.z"));
  CHECK(radius - offset == doctest::Approx(tip).epsilon(1e-4));
  CHECK(tip > 0.05);  // a large part of the distance
}

TEST_CASE("a beam that turns: frequencies over speed are those of the table of Wright et al.") {
  struct Row {
    double speed, first, second, third;
  };
  const Row table[] = {{0, 3.5160, 22.0345, 61.6972},   {1, 3.6816, 22.1810, 61.8418},  {2, 4.1373, 22.6149, 62.2732},
                       {4, 5.5850, 24.2733, 63.9668},   {6, 7.3604, 26.8091, 66.6839},  {8, 9.2568, 29.9954, 70.2930},
                       {10, 11.2023, 33.6404, 74.6493}, {12, 13.1702, 37.6031, 79.6145}};
  constexpr int shapes =
      14;  // Ritz's method with the shapes at rest, which converges from above: with 8 the last row is off by 7e-5
  for (const Row& row : table) {
    CAPTURE(row.speed);
    Loaded loaded = testing::load_text(R"(
skyhook: 1
gravity: [0, 0, 0]
parameters: {speed: 0 rad/s}
bodies: {beam: {mass: 1 kg, inertia: [1, 1, 1], at: [0, 0, 0]}}
joints: {hub: {type: revolute, from: ground, to: beam, axis: z, drive: "=speed*t"}}
experiments: {run: {until: 1 s}}
)",
                                       {.set = {{"speed", std::to_string(row.speed) + " rad/s"}}});
    bend(loaded, "beam", {.shapes = shapes, .stiffens = true});
    const analysis::Modes found = modes_of(loaded, true);
    std::vector<double> flap, chord;
    for (const auto& mode : found.modes) {
      double y = 0, z = 0;
      for (std::size_t k = 0; k < 2 * shapes; ++k) (k % 2 == 0 ? y : z) += std::norm(mode.coordinates[k]);
      (z > y ? flap : chord).push_back(2 * std::numbers::pi * mode.frequency);
    }
    REQUIRE(flap.size() == shapes);
    const double expected[] = {row.first, row.second, row.third};
    for (std::size_t k = 0; k < 3; ++k) {
      // the last digit of the table of [Wright 1982]; the third mode was not read off the paper itself
      CHECK(flap[k] == doctest::Approx(expected[k]).epsilon(k < 2 ? 3e-5 : 1e-4));
      CHECK(chord[k] * chord[k] == doctest::Approx(flap[k] * flap[k] - row.speed * row.speed).epsilon(1e-8));
    }
  }
}

// Nothing acts: energy and both momenta are kept to about the tolerance. Momenta are rows of M v: along the axes of the ground, and about the
// origin of the frame in its own axes.
TEST_CASE("a free body that bends keeps its energy and its momenta") {
  Loaded loaded = testing::load_text(R"(
skyhook: 1
gravity: [0, 0, 0]
bodies: {beam: {mass: 1 kg, inertia: [1, 1, 1], at: [0, 0, 0]}}
markers: {tip: {body: beam, at: [1, 0, 0]}}
joints: {float: {type: free, from: ground, to: beam}}
outputs: [energy.*, tip.*, beam.*]
experiments: {run: {until: 2 s, tolerance: 5e-10, initial: {float.x_rate: 1 m/s, float.angular_velocity_z: 6 rad/s, float.angular_velocity_y: 4 rad/s, float.angular_velocity_x: 3 rad/s}}}
)");
  bend(loaded, "beam", {.EIy = 20, .EIz = 30, .shapes = 2, .radius = 0.1});
  loaded.model->bodies[0].modal_position = {0.1, -0.05, 0.01, 0.02};
  loaded.model->bodies[0].modal_velocity = {0.5, 1, -0.2, 0.1};
  for (const char* solver : {"bdf/ggl", "dopri5", "radau5/ggl", "ida/ggl"}) {
    CAPTURE(solver);
    loaded.experiment.solver = solver;
    const auto run = testing::run(loaded);
    const double start = run.at(0, "energy.kinetic") + run.at(0, "energy.potential"),
                 end = run.last("energy.kinetic") + run.last("energy.potential");
    CHECK(end == doctest::Approx(start).epsilon(1e-6));
    const formalism::recursive::Equations& eq = *run.prepared.active;
    const auto momenta = [&](const std::vector<double>& y) {
      const std::vector<double> q(y.begin(), y.begin() + eq.nq()),
          v(y.begin() + eq.nq(), y.begin() + eq.nq() + eq.nv());
      Csc mass(std::make_shared<const Pattern>(eq.mass_pattern()));
      std::vector<double> none, p(v.size(), 0.0);
      auto ws = eq.workspace();
      eq.matrices(0, q, {mass.value, none}, ws);
      multiply_add(mass, v, 1, p);
      const Vec3d linear{p[0], p[1], p[2]};
      const Mat3d R = rotation_of(Quaternion<double>{q[3], q[4], q[5], q[6]});
      return std::pair(linear, R * Vec3d{p[3], p[4], p[5]} + cross(Vec3d{q[0], q[1], q[2]}, linear));
    };
    const auto before = momenta(run.sink.states.front()), after = momenta(run.sink.states.back());
    CHECK(norm(after.first - before.first) < 1e-6 * norm(before.first));
    CHECK(norm(after.second - before.second) < 1e-6 * norm(before.second));
    CHECK(std::abs(run.last("tip.x")) < 3);
  }
}

TEST_CASE("a body without modes moves as the rigid body does, bit by bit") {
  Loaded rigid = testing::load("mechanisms/slider_crank"), modal = rigid;
  modal.model = std::make_shared<model::Model>(*rigid.model);
  model::ModalBody none;
  none.mass = 0.4, none.first.resize(1), none.second.resize(1);
  modal.model->bodies[1].modal = std::make_shared<const model::ModalBody>(none);
  const auto a = testing::run(rigid), b = testing::run(modal);
  CHECK(a.sink.channels == b.sink.channels);
}

namespace {

// Of the slider crank the rod bends: a frame at its pin, tangent to it there.
Loaded with_elastic_rod(double EI, int shapes, double damping = 0.02, double radius = 0) {
  Loaded loaded = testing::load(
      "mechanisms/slider_crank",
      {.tolerance = 1e-8, .until = 0.1, .outputs = {"main.angle", "guide.displacement", "energy.balance", "rod.*"}});
  bend(loaded, "rod",
       {.length = 0.14,
        .mass_per_length = 0.4 / 0.14,
        .EIy = EI,
        .EIz = EI,
        .shapes = shapes,
        .damping = damping,
        .radius = radius});
  return loaded;
}

}  // namespace

// The same motion by unlike routes: implicit with exact derivatives, in joint and in absolute coordinates (where the wrist and the pin are
// constraints at points that bend), and by the explicit recursion.
TEST_CASE("slider crank with an elastic rod: all solvers and both coordinates tell one motion") {
  Loaded loaded = with_elastic_rod(2, 2);
  loaded.experiment.solver = "bdf/ggl";
  const auto reference = testing::run(loaded);
  const double x = reference.last("guide.displacement"), angle = reference.last("main.angle"),
               z = reference.last("rod.mode_1");
  CHECK(std::abs(reference.last("energy.balance")) < 1e-6);
  CHECK(std::abs(z) > 1e-6);
  for (const char* solver : {"radau5/ggl", "ida/ggl", "dopri5", "hem5", "bdf/index2_projected", "bdf/ggl_explicit"}) {
    CAPTURE(solver);
    loaded.experiment.solver = solver;
    const auto run = testing::run(loaded);
    CHECK(run.last("guide.displacement") == doctest::Approx(x).epsilon(1e-6));
    CHECK(run.last("main.angle") == doctest::Approx(angle).epsilon(1e-6));
    CHECK(std::abs(run.last("rod.mode_1") - z) < 2e-7);
  }
  loaded.experiment.solver = "bdf/ggl";
  loaded.model->coordinates = model::Coordinates::absolute;
  const auto absolute = testing::run(loaded);
  CHECK(absolute.last("guide.displacement") == doctest::Approx(x).epsilon(1e-6));
  CHECK(std::abs(absolute.last("rod.mode_1") - z) < 2e-7);
}

// Deflections are of first order in 1 / EI.
TEST_CASE("slider crank with an elastic rod: the stiffer the rod, the nearer to the rigid one") {
  Loaded rigid =
      testing::load("mechanisms/slider_crank", {.tolerance = 1e-9, .until = 0.05, .outputs = {"guide.displacement"}});
  const double x = testing::run(rigid).last("guide.displacement");
  double before = 0;
  for (const double EI : {1e3, 1e4}) {
    Loaded loaded = with_elastic_rod(EI, 1);
    loaded.experiment.until = 0.05, loaded.experiment.tolerance = 1e-9;
    const double off = std::abs(testing::run(loaded).last("guide.displacement") - x);
    if (before > 0) CHECK(off < 0.3 * before);
    before = off;
  }
  CHECK(before < 1e-6);
}

// Tangent, chord and mean-axis frames span the same displacements; they differ in which rotations are taken to be large, so the motions differ by
// terms of second order in the deflection, of 1 / EI^2 here. In the latter two the rod floats on six coordinates, and both its joints are cut, at
// points that bend.
TEST_CASE("slider crank with an elastic rod: tangent, chord and mean-axis frames tell the same motion to first order") {
  const auto position = [](double EI, int frame) {
    Loaded loaded = with_elastic_rod(EI, 2, 0.2, 3e-3);  // that floats: it must resist rotation about its line
    loaded.experiment.until = 0.04, loaded.experiment.tolerance = 1e-10, loaded.experiment.solver = "bdf/ggl";
    model::Body& rod = loaded.model->bodies[1];
    if (frame == 1)
      rod.modal = std::make_shared<const model::ModalBody>(formalism::testing::in_chord_frame(*rod.modal, 0.14));
    if (frame == 2) rod.modal = std::make_shared<const model::ModalBody>(formalism::testing::in_mean_axes(*rod.modal));
    const auto run = testing::run(loaded);
    CHECK(run.prepared.topology.cuts.size() == (frame == 0 ? 1 : 2));
    return run.last("guide.displacement");
  };
  Loaded rigid =
      testing::load("mechanisms/slider_crank", {.tolerance = 1e-10, .until = 0.04, .outputs = {"guide.displacement"}});
  const double straight = testing::run(rigid).last("guide.displacement");
  double before[3] = {0, 0, 0};
  for (const double EI : {8.0, 32.0}) {
    CAPTURE(EI);
    const double tangent = position(EI, 0), bent = std::abs(tangent - straight);
    for (const int frame : {1, 2}) {
      CAPTURE(frame);
      const double off = std::abs(position(EI, frame) - tangent);
      CHECK(off < 0.1 * bent);
      if (before[frame] > 0) CHECK(off < before[frame] / 8);  // 16 to leading order
      before[frame] = off;
    }
  }
}

// At rest the clamp carries the weight, and its moment about the root.
TEST_CASE("a clamped beam at rest: the joint carries its weight") {
  Loaded loaded = testing::load_text(clamped, {.until = 4, .outputs = {"root.force_z", "root.moment_y", "tip.z"}});
  bend(loaded, "beam", {.EIy = 100, .EIz = 300, .shapes = 2, .damping = 0.5});
  const auto run = testing::run(loaded);
  CHECK(run.last("root.force_z") == doctest::Approx(9.81).epsilon(1e-5));
  CHECK(run.last("root.moment_y") == doctest::Approx(-9.81 / 2).epsilon(1e-4));
  CHECK(run.last("tip.z") == doctest::Approx(-9.81 / 800).epsilon(1e-2));
}

// Reference: what carries the root jumps by u across the beam within no time. No impulse acts along the modes, which are orthogonal: M_kk z_k' + c_k u = 0 with
// c_k the integral of shape k over the mass. Behind the jump the tip has moved for half a millisecond of a period of 1.8 s: less than 1e-5 of that.
TEST_CASE("a beam whose root is set in motion at once: its modes take up speed as momentum says") {
  Loaded loaded = testing::load_text(R"yaml(
skyhook: 1
gravity: [0, 0, 0]
bodies: {beam: {mass: 1 kg, inertia: [1, 1, 1], at: [0, 0, 0]}}
joints: {lift: {type: prismatic, from: ground, to: beam, axis: z, drive: "=0.3[m/s]*max(t - 0.1[s], 0[s])"}}
outputs: [beam.mode_*]
experiments: {run: {until: 0.1005 s, output_step: 0.0005 s, tolerance: 1e-8}}
)yaml");
  bend(loaded, "beam", {.EIy = 1, .EIz = 2, .shapes = 2});
  const model::ModalBody& beam = *loaded.model->bodies[0].modal;
  const auto run = testing::run(loaded);
  for (int k = 1; k <= beam.modes; ++k) {
    const double mass = trace(beam.moment(k, k)) +
                        (beam.rotary.empty() ? 0.0 : beam.rotary[static_cast<std::size_t>((k - 1) * (beam.modes + 1))]);
    const double rate = -0.3 * beam.first[static_cast<std::size_t>(k)].z / mass;
    CHECK(run.last("beam.mode_" + std::to_string(k) + "_rate") == doctest::Approx(rate).epsilon(1e-3).scale(0.3));
  }
}
