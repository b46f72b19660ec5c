// Beams and cables by absolute nodal coordinates (docs/theory/24_ancf.md): straight lines of equal elements as model::NodalMesh.
//
//   planar_beam   r, r_y, r_x of each node in a plane: shear, stretch of the section         [Omar 2001]
//   planar_cable  r, r_x in a plane: no shear                                                [Gerstmayr 2008]
//   cable         r, r_x in space: no shear, no torsion                                      [Gerstmayr 2006]
//   beam          r, r_y, r_z, r_x in space: fully parameterised                             [Shabana 2001]
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "skyhook/flexible/ancf_element.h"
#include "skyhook/flexible/beam_section.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::flexible {

struct AncfBeam {
  enum class Kind { planar_beam, planar_cable, cable, beam };
  // Of beams. continuum: Green's strains over the volume, which locks where Poisson's ratio is not zero; enhanced: the same with Poisson's coupling
  // on the axis alone and shear at two points [Gerstmayr 2008b]; line: stretch, shear, bending and torsion of the axis.
  enum class Forces { continuum, enhanced, line };
  enum class End { free, hinged, clamped };
  // What an end shares with a node of a line before it in the same mesh: the place (hinged), or also what turns the section (welded).
  struct Partner {
    int line = -1;  // none
    int node = 0;
    bool is_welded = false;
  };
  std::string name;
  Location where;
  Kind kind = Kind::planar_beam;
  Forces forces = Forces::enhanced;
  End start = End::free, end = End::free;
  Partner start_on, end_on;
  Vec3d from, to;     // global at design
  Vec3d up{0, 0, 1};  // z of the section of what bends in space; of a plane: its normal
  int elements = 4;
  Material material;
  double poisson = 0.3;
  Section section;     // y and z as those of the beam; a planar one bends by iz
  double damping = 0;  // s, by strain rates
};

// Columns x along the beam, y and z across it, global. ModelError: it has no length, or `up` runs along it.
Mat3d ancf_axes(const AncfBeam& beam);
// ModelError: no area, no mass, Poisson's ratio of 0.5.
model::NodalMesh ancf_mesh(const AncfBeam& beam);
// Of several lines that share nodes; names of their nodes and coordinates begin with that of their line.
model::NodalMesh ancf_mesh(const std::string& name, const Location& where, const std::vector<AncfBeam>& lines);
// q + step to first order, for large steps: lines turn and bend where q + step would stretch them.
void bend_along(const model::NodalMesh& mesh, std::span<const double> step, std::span<double> q);
// The element that all are equal to.
AncfElement ancf_element(const AncfBeam& beam, double length);

}  // namespace skyhook::flexible
