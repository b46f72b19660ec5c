// Frames of beams and plates: nodes, beams and plates between them, masses at them.
#pragma once
#include "skyhook/flexible/beam_section.h"
#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

struct NamedPoint {
  std::string name;
  Vec3d at;
  Location where;
};

struct Beam {
  std::string name, from, to;  // names of nodes
  Location where;
  Material material;
  Section section;
  Vec3d up{0, 0, 1};  // its part across the beam is z of the section
  int elements = 1;   // it is divided into; nodes between them are called name.1, name.2, ...
};

// Flat, between four nodes around it. Where a point of its mesh stands on a node that is there already (of a beam, of the edge of another plate, or
// one that is given), it is that node; others are called name.1.0, name.1.1, ...: by their numbers along the first and the second edge.
struct Plate {
  std::string name;
  std::array<std::string, 4> corners;
  Location where;
  Material material;
  double thickness = 0;
  std::array<int, 2> elements{4, 4};  // along the first edge, along the second
};

struct LumpedMass {
  std::string name, node;
  Location where;
  double mass = 0;
  Mat3d inertia;  // about the node
};

struct BeamModel {
  std::string name;
  Location where;
  std::vector<NamedPoint> nodes;
  std::vector<Beam> beams;
  std::vector<Plate> plates;
  std::vector<LumpedMass> masses;
};

// Consistent mass by a quadrature over length and section, so that mass matrix and moments of the mass are one thing. Throws ModelError with all
// that is wrong: nodes that are not there or that nothing holds, beams without length, plates that are not flat.
FeModel assemble(const BeamModel& beams);

}  // namespace skyhook::flexible
