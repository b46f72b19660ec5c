#include "skyhook/flexible/recovery.h"

#include "skyhook/flexible/beam_element.h"

namespace skyhook::flexible {

Dense shape_forces(const FeModel& part, const Dense& shapes) { return part.stiffness * shapes; }

SectionForces section_forces(const FeModel& part, const BeamSpan& beam, const Dense& shapes) {
  Dense ends(12, shapes.cols());
  for (int i = 0; i < 6; ++i) {
    ends.row(i) = shapes.row(part.nodes[static_cast<std::size_t>(beam.from)].dof[static_cast<std::size_t>(i)]);
    ends.row(6 + i) = shapes.row(part.nodes[static_cast<std::size_t>(beam.to)].dof[static_cast<std::size_t>(i)]);
  }
  const Dense forces = beam_stiffness(beam) * to_beam_axes(beam) * ends;  // on the element, from its nodes
  return {-forces.topRows(6), forces.bottomRows(6)};
}

}  // namespace skyhook::flexible
