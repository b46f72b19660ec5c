// A point of `to` slides along a line of nodal coordinates that `from` is or has. What it means needs the coordinates of the line, which no frame has: the equations
// evaluate it by themselves (formalism/recursive/equations_lines.cpp).
//
//   h = r'(s) . (p - r(s)) = 0,   g = n_1 . (p - r(s)), n_2 . (p - r(s)) = 0,   force along the line -drag (speed of p against the line there)      (24.9)
//
// p is the point of `to`, r(s) the line, n_1 and n_2 across r'.
#pragma once
#include "skyhook/model/contribution.h"

namespace skyhook::model {

struct OnLine final : ContributionLaw {
  int curve = 0;    // among NodalMesh::curves
  double drag = 0;  // N.s/m
  Declared declaration;

  OnLine(int which, double length, double viscous) : curve(which), drag(viscous) {
    declaration.contact_variables = {{"s", "m", length}};
    declaration.rows = {{"off the line, first direction"}, {"off the line, second direction"}};
    declaration.has_loads = drag > 0;
  }
  const Declared& declared() const override { return declaration; }
  std::string signature() const override { return "line " + std::to_string(curve); }
};

inline const OnLine* on_line(const ContributionLaw* law) { return dynamic_cast<const OnLine*>(law); }

}  // namespace skyhook::model
