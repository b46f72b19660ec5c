#include "skyhook/flexible/recovery.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/flexible/beams.testing.h"
#include "skyhook/flexible/compliance.h"

using namespace skyhook;
using namespace skyhook::flexible;

TEST_CASE("Section forces of a cantilever under forces at its end are those of statics") {
  const FeModel fe = straight_beam({.length = 2, .elements = 4});
  Dense load = Dense::Zero(fe.dofs, 2);
  load(fe.nodes[1].dof[0], 0) = 100, load(fe.nodes[1].dof[2], 0) = 10;  // pulled and lifted
  load(fe.nodes[1].dof[3], 1) = 7;                                      // twisted
  const Dense u = Compliance::held(fe, {0, 1, 2, 3, 4, 5}).solve(load);
  const SectionForces first = section_forces(fe, fe.beams[0], u), last = section_forces(fe, fe.beams[3], u);
  CHECK(first.at_from(0, 0) == doctest::Approx(100));
  CHECK(first.at_from(2, 0) == doctest::Approx(10));
  CHECK(first.at_from(4, 0) == doctest::Approx(-20));  // what is ahead turns what is before about -y
  CHECK(first.at_to(4, 0) == doctest::Approx(-15));
  CHECK(last.at_to(4, 0) == doctest::Approx(0).scale(20));
  CHECK(last.at_to(2, 0) == doctest::Approx(10));
  CHECK(first.at_from(3, 1) == doctest::Approx(7));
  // The forces that hold the shape are the load, and the reaction at the clamped end.
  const Dense held = shape_forces(fe, u);
  CHECK(held(fe.nodes[1].dof[2], 0) == doctest::Approx(10));
  CHECK(held(fe.nodes[0].dof[2], 0) == doctest::Approx(-10));
}

TEST_CASE("Stresses of a cantilever are those of beam theory: in its fibres, and by torsion") {
  const StraightBeam b{.length = 2, .width = 0.03, .height = 0.02, .elements = 4};
  const FeModel fe = straight_beam(b);
  Dense load = Dense::Zero(fe.dofs, 2);
  load(fe.nodes[1].dof[0], 0) = 100, load(fe.nodes[1].dof[2], 0) = 10, load(fe.nodes[1].dof[1], 0) = -4;
  load(fe.nodes[1].dof[3], 1) = 7;
  const Dense u = Compliance::held(fe, {0, 1, 2, 3, 4, 5}).solve(load);
  const BeamStresses root = beam_stresses(fe, fe.beams[0], u);
  // Lifted by 10 N at 2 m, its upper side is pressed at the root; pushed to the right by 4 N, its left side is pulled.
  const double pull = 100 / (0.03 * 0.02), up = 20 * 0.01 / (0.03 * 8e-6 / 12), side = 8 * 0.015 / (0.02 * 27e-6 / 12);
  REQUIRE(root.at_from.rows() == 5);
  CHECK(root.at_from(0, 0) == doctest::Approx(pull - up + side));  // left and up
  CHECK(root.at_from(1, 0) == doctest::Approx(pull - up - side));
  CHECK(root.at_from(2, 0) == doctest::Approx(pull + up - side));
  CHECK(root.at_from(3, 0) == doctest::Approx(pull + up + side));
  CHECK(root.at_from(4, 1) ==
        doctest::Approx(7 / (0.231 * 0.03 * 0.02 * 0.02)).epsilon(2e-3));  // Timoshenko and Goodier: a / b = 1.5
}

TEST_CASE("Torsion moduli: closed formulas") {
  CHECK(round_section(0.04, 0.03, 0.3).torsion_modulus ==
        doctest::Approx(3.14159265 / 16 * (std::pow(0.04, 4) - std::pow(0.03, 4)) / 0.04));
  CHECK(rectangle_section(1, 1, 0, 0.3).torsion_modulus ==
        doctest::Approx(0.208).epsilon(2e-3));  // the table of art. 109
  CHECK(rectangle_section(0.1, 0.06, 0.002, 0.3).torsion_modulus == doctest::Approx(2 * 0.098 * 0.058 * 0.002));
}

TEST_CASE("Stresses of a plate that is pulled and bent") {
  BeamModel model{.name = "sheet"};
  model.nodes = {{"a", {0, 0, 0}, {}}, {"b", {1, 0, 0}, {}}, {"c", {1, 0.5, 0}, {}}, {"d", {0, 0.5, 0}, {}}};
  model.plates = {{"sheet", {"a", "b", "c", "d"}, {}, *material_named("steel"), 0.01, {2, 2}}};
  const FeModel fe = assemble(model);
  const double E = 2.1e11, nu = E / (2 * 8.077e10) - 1;
  Dense u = Dense::Zero(fe.dofs, 2);
  for (const FeNode& n : fe.nodes) {
    u(n.dof[0], 0) = 1e-4 * n.at.x, u(n.dof[1], 0) = -nu * 1e-4 * n.at.y;  // uniaxial
    u(n.dof[2], 1) = -n.at.x * n.at.x / 2, u(n.dof[4], 1) = n.at.x;  // bent into a cylinder, curvature 1: pulled above
  }
  const Dense s = plate_stresses(fe, fe.plates[1], u);
  CHECK(s(0, 0) == doctest::Approx(E * 1e-4));
  CHECK(s(3, 0) == doctest::Approx(E * 1e-4));
  CHECK(s(1, 0) == doctest::Approx(0).scale(E * 1e-4));
  CHECK(s(0, 1) == doctest::Approx(E / (1 - nu * nu) * 0.005));
  CHECK(s(1, 1) == doctest::Approx(nu * E / (1 - nu * nu) * 0.005));
  CHECK(s(3, 1) == doctest::Approx(-E / (1 - nu * nu) * 0.005));
}

// Reference: a bar that nothing holds has no stress where it is warm; one that is held has -E times the strain (and -E times curvature times height).
TEST_CASE("Stresses of heat: none in a bar that is free, all of it in one that is held") {
  const StraightBeam b{.length = 2, .width = 0.03, .height = 0.02, .elements = 4};
  const FeModel fe = straight_beam(b);
  const std::string bar = fe.beams[0].name;
  const double strain = 1e-3, curvature = 0.02, E = fe.beams[0].axial / fe.beams[0].section.area;
  const Dense load = thermal_loads(fe, {bar, bar + ".z"}, {});
  const Column warm = strain * load.col(0) + curvature * load.col(1);
  const std::vector<Heat> heat{{bar, strain}, {bar + ".z", curvature}};
  const auto both = [&](const BeamSpan& beam, const Dense& u) {
    const BeamStresses s = beam_stresses(fe, beam, u), h = beam_stresses_of_heat(fe, beam, heat, {});
    return std::array{Dense(s.at_from - h.at_from), Dense(s.at_to - h.at_to)};
  };
  const Dense free = Compliance::held(fe, {0, 1, 2, 3, 4, 5}).solve(warm);
  for (const BeamSpan& beam : fe.beams) {
    for (const Dense& s : both(beam, free)) CHECK(s.cwiseAbs().maxCoeff() < 1e-9 * E * strain);
  }
  // Held at both ends: where the shape is that of the ends, nothing moves.
  const Dense still = Dense::Zero(fe.dofs, 1);
  const auto held = both(fe.beams[1], still);
  CHECK(held[0].topRows(4).mean() == doctest::Approx(-E * strain));
  CHECK(held[0].topRows(4).maxCoeff() - held[0].topRows(4).minCoeff() == doctest::Approx(E * curvature * 0.02));
  CHECK_THROWS_AS(beam_stresses_of_heat(fe, fe.beams[0], {{"nobody", 1}}, {"x.yaml"}), ModelError);
}

TEST_CASE("Stresses of heat: a plate that is free has none") {
  BeamModel model{.name = "sheet"};
  model.nodes = {{"a", {0, 0, 0}, {}}, {"b", {1, 0, 0}, {}}, {"c", {1, 0.5, 0}, {}}, {"d", {0, 0.5, 0}, {}}};
  model.plates = {{"sheet", {"a", "b", "c", "d"}, {}, *material_named("steel"), 0.01, {4, 2}}};
  const FeModel fe = assemble(model);
  const std::vector<Heat> heat{{"sheet", 1e-3}, {"sheet.z", 0.05}};
  const Dense load = thermal_loads(fe, {"sheet", "sheet.z"}, {}),
              u = Compliance::free(fe).solve(1e-3 * load.col(0) + 0.05 * load.col(1));
  for (const PlateSpan& p : fe.plates) {
    const Dense whole = plate_stresses(fe, p, u);
    CHECK(whole.cwiseAbs().maxCoeff() > 1e8);  // of 3e8 Pa, which a plate that is held would have
    CHECK((whole - heat_stresses(fe, p, heat, {})).cwiseAbs().maxCoeff() < 1e-6 * whole.cwiseAbs().maxCoeff());
  }
}
