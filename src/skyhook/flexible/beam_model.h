// Frames of beams: nodes, beams between them, masses at them.
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
  std::vector<LumpedMass> masses;
};

// Consistent mass by a quadrature over length and section, so that mass matrix and moments of the mass are one thing. Throws ModelError with all
// that is wrong: nodes that are not there or that nothing holds, beams without length.
FeModel assemble(const BeamModel& beams);

}  // namespace skyhook::flexible
