// Straight beams that several tests use.
#pragma once
#include "skyhook/flexible/beam_model.h"

namespace skyhook::flexible {

// Along x from the origin. A slender beam: no shear, and a section so small that its rotary inertia is nothing.
struct StraightBeam {
  double length = 1, width = 0.02, height = 0.01;
  bool is_slender = false;
  int elements = 10;
};

inline Section section_of(const StraightBeam& b) {
  Section s = rectangle_section(b.width, b.height, 0, 0.3);
  if (b.is_slender) s.ky = s.kz = 0;
  return s;
}

inline FeModel straight_beam(const StraightBeam& b, const std::vector<LumpedMass>& masses = {}) {
  BeamModel model{.name = "beam", .where = {"beam.yaml", 3, 1}};
  model.nodes = {{"a", {0, 0, 0}, {"beam.yaml", 4, 1}}, {"b", {b.length, 0, 0}, {"beam.yaml", 5, 1}}};
  model.beams = {
      {"rod", "a", "b", {"beam.yaml", 6, 1}, *material_named("steel"), section_of(b), {0, 0, 1}, b.elements}};
  model.masses = masses;
  return assemble(model);
}

}  // namespace skyhook::flexible
