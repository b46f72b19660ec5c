#include "skyhook/flexible/beam_model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/flexible/beams.testing.h"
#include "skyhook/flexible/compliance.h"
#include "skyhook/flexible/rigid_motion.h"

using namespace skyhook;
using namespace skyhook::flexible;

namespace {

const Material steel = *material_named("steel");

std::vector<int> clamped(const FeModel& fe) { return {fe.nodes[0].dof.begin(), fe.nodes[0].dof.end()}; }

// omega L^2 sqrt(rho A / E I) of the deflections along z, the weaker axis: every second one at most is of another kind.
double bending_number(double omega2, const StraightBeam& b) {
  const Section s = section_of(b);
  return std::sqrt(omega2) * b.length * b.length * std::sqrt(steel.density * s.area / (steel.young * s.iy));
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

TEST_CASE("Beam: frequencies of a slender cantilever converge to Euler-Bernoulli's with order 4") {
  // 1 + cos(b) cosh(b) = 0: b^2 = 3.516015, 22.034492, 61.697214 (Blevins, Formulas for Natural Frequency and Mode Shape, table 8-1). The section is so
  // flat that the first three vibrations bend it about its weak axis, and so thin that its rotary inertia is below 1e-8.
  const double exact[] = {3.51601526850015, 22.0344915646688, 61.6972144135490};
  std::vector<std::array<double, 3>> errors;
  for (const int n : {8, 16, 32}) {
    const StraightBeam b{.width = 0.002, .height = 0.00005, .is_slender = true, .elements = n};
    const FeModel fe = straight_beam(b);
    const Vibrations v = lowest_vibrations(Compliance::held(fe, clamped(fe)), 3);
    REQUIRE(v.converged);
    auto& row = errors.emplace_back();
    for (int i = 0; i < 3; ++i) row[static_cast<std::size_t>(i)] = bending_number(v.squares[i], b) / exact[i] - 1;
  }
  for (std::size_t i = 1; i < 3; ++i) {  // the first is near rounding already
    CAPTURE(i);
    CHECK(order(errors[0][i], errors[1][i]) == doctest::Approx(4).epsilon(0.05));
    CHECK(order(errors[1][i], errors[2][i]) == doctest::Approx(4).epsilon(0.05));
  }
  for (const double e : errors[2]) CHECK(std::abs(e) < 1e-5);
}

TEST_CASE("Beam: frequencies of a slender free beam, without those of the whole") {
  // cos(b) cosh(b) = 1: b^2 = 22.373285, 61.672823, 120.903392. Cubic elements of length h are wrong by (b h)^4 / 1440, 4e-6 of the third.
  const double exact[] = {22.3732854481, 61.6728228676, 120.9033916436};
  const StraightBeam b{.width = 0.002, .height = 0.00005, .is_slender = true, .elements = 40};
  const FeModel fe = straight_beam(b);
  const Vibrations v = lowest_vibrations(Compliance::free(fe), 3);
  for (int i = 0; i < 3; ++i) CHECK(bending_number(v.squares[i], b) == doctest::Approx(exact[i]).epsilon(1e-5));
}

TEST_CASE("Beam: a thick beam on two supports converges to Timoshenko's frequencies with order 2") {
  // Sines solve Timoshenko's equations between supports: a quadratic equation in omega^2 for each (Timoshenko 1921). L / h = 5, where shear and
  // rotary inertia cost tens of percent of the second frequency. Elements shorter than the beam is thick bend by shear: deflections are quadratic then,
  // rotations linear, and the order is 2; extrapolated, the error is gone.
  const auto exact = [&](const StraightBeam& b, int n) {
    const Section s = section_of(b);
    const double k = n * std::numbers::pi / b.length, EI = steel.young * s.iy, GA = s.kz * steel.shear * s.area;
    const double A = steel.density * s.iy * steel.density * s.area / GA;
    const double B = steel.density * s.area + steel.density * s.iy * k * k + EI * k * k * steel.density * s.area / GA,
                 C = EI * std::pow(k, 4);
    return 2 * C / (B + std::sqrt(B * B - 4 * A * C));
  };
  std::vector<double> errors;
  for (const int n : {8, 16, 32}) {
    const StraightBeam b{.length = 1, .width = 0.5, .height = 0.2, .elements = n};
    const FeModel fe = straight_beam(b);
    std::vector<int> held;  // in the plane x, z: ends on supports; out of it, all
    for (const FeNode& node : fe.nodes) held.insert(held.end(), {node.dof[0], node.dof[1], node.dof[3], node.dof[5]});
    held.push_back(fe.nodes[0].dof[2]), held.push_back(fe.nodes[1].dof[2]);
    const Vibrations v = lowest_vibrations(Compliance::held(fe, held), 2);
    errors.push_back(std::sqrt(v.squares[1] / exact(b, 2)) - 1);
  }
  CHECK(std::abs(errors[2]) < 1e-3);
  CHECK(order(errors[0], errors[1]) == doctest::Approx(2).epsilon(0.02));
  CHECK(order(errors[1], errors[2]) == doctest::Approx(2).epsilon(0.01));
  CHECK(std::abs(4 * errors[2] - errors[1]) / 3 < 3e-6);
}

TEST_CASE("Beam: a force at its end bends it as beam theory says, whatever the number of elements") {
  const StraightBeam b{.length = 1, .width = 0.1, .height = 0.2, .elements = 1};
  const Section s = section_of(b);
  for (const int n : {1, 3}) {
    StraightBeam own = b;
    own.elements = n;
    const FeModel fe = straight_beam(own);
    Dense force = Dense::Zero(fe.dofs, 4);
    for (int i = 0; i < 4; ++i) force(fe.nodes[1].dof[static_cast<std::size_t>(i)], i) = 1;
    const Dense u = Compliance::held(fe, clamped(fe)).solve(force);
    const double GA = steel.shear * s.area;
    CHECK(u(fe.nodes[1].dof[0], 0) == doctest::Approx(1 / (steel.young * s.area)).epsilon(1e-11));
    CHECK(u(fe.nodes[1].dof[1], 1) == doctest::Approx(1 / (3 * steel.young * s.iz) + 1 / (s.ky * GA)).epsilon(1e-11));
    CHECK(u(fe.nodes[1].dof[2], 2) == doctest::Approx(1 / (3 * steel.young * s.iy) + 1 / (s.kz * GA)).epsilon(1e-11));
    CHECK(u(fe.nodes[1].dof[4], 2) ==
          doctest::Approx(-1 / (2 * steel.young * s.iy)).epsilon(1e-11));  // up at the end turns about -y
    CHECK(u(fe.nodes[1].dof[3], 3) == doctest::Approx(1 / (steel.shear * s.it)).epsilon(1e-11));
  }
}

TEST_CASE("Beam: stiffness does not see the whole move, and mass sees its mass and inertia") {
  BeamModel model{.name = "frame"};
  model.nodes = {{"a", {0.1, 0.2, 0.3}, {}}, {"b", {0.8, -0.1, 0.5}, {}}, {"c", {0.4, 0.9, -0.2}, {}}};
  const Section s = rectangle_section(0.03, 0.05, 0.002, 0.3);
  model.beams = {{"ab", "a", "b", {}, steel, s, {0, 0, 1}, 3}, {"bc", "b", "c", {}, steel, s, {1, 0, 0}, 2}};
  model.masses = {{"m", "c", {}, 2.0, Mat3d::diagonal({0.03, 0.04, 0.05})}};
  const FeModel fe = assemble(model);
  const Dense R = rigid_motions(fe);
  const Dense M = R.transpose() * (fe.mass * R);
  double length = 0;
  for (const BeamSpan& b : fe.beams) length += b.length;
  CHECK(M(0, 0) == doctest::Approx(2.0 + steel.density * s.area * length).epsilon(1e-12));
  CHECK((fe.stiffness * R).cwiseAbs().maxCoeff() < 1e-6 * fe.stiffness.coeffs().cwiseAbs().maxCoeff() * 1e-3);
}

TEST_CASE("Section: closed formulas") {
  const Section tube = round_section(0.04, 0.03, 0.3);
  CHECK(tube.area == doctest::Approx(std::numbers::pi / 4 * (0.0016 - 0.0009)));
  CHECK(tube.it == doctest::Approx(std::numbers::pi / 32 * (std::pow(0.04, 4) - std::pow(0.03, 4))));
  CHECK(round_section(0.04, 0, 0.3).ky == doctest::Approx(6 * 1.3 / (7 + 1.8)));  // [Cowper 1966]
  CHECK(rectangle_section(1, 1, 0, 0.3).it ==
        doctest::Approx(0.140577).epsilon(1e-5));  // Timoshenko and Goodier, table of art. 109
  CHECK(rectangle_section(2, 1, 0, 0.3).it == doctest::Approx(2 * 0.228682).epsilon(1e-5));
  CHECK(rectangle_section(1, 2, 0, 0.3).it == doctest::Approx(2 * 0.228682).epsilon(1e-5));
}

TEST_CASE("Beams: what is wrong is said with its line") {
  BeamModel model{.name = "frame", .where = {"m.yaml", 1, 1}};
  model.nodes = {
      {"a", {0, 0, 0}, {"m.yaml", 2, 1}}, {"b", {1, 0, 0}, {"m.yaml", 3, 1}}, {"left", {2, 0, 0}, {"m.yaml", 4, 1}}};
  const Beam beam{"rod", "a", "b", {"m.yaml", 6, 1}, steel, round_section(0.02, 0, 0.3), {0, 0, 1}, 2};
  const auto message = [&](const BeamModel& m) {
    try {
      assemble(m);
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  model.beams = {beam};
  CHECK(message(model).find("m.yaml:4:1: node \"left\" is loose") != std::string::npos);
  model.beams[0].to = "bb";
  CHECK(message(model).find("m.yaml:6:1: beam \"rod\": there is no node \"bb\"") != std::string::npos);
  model.nodes.push_back({"far", {3, 0, 0}, {"m.yaml", 5, 1}});
  model.beams = {beam, beam};
  model.beams[1].name = "other", model.beams[1].from = "left", model.beams[1].to = "far";
  CHECK(message(model).find("m.yaml:4:1: the mesh falls apart") != std::string::npos);
  model.beams[1].to = "left";
  CHECK(message(model).find("has no length") != std::string::npos);
}
