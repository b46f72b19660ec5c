#include "skyhook/flexible/recovery.h"

#include "skyhook/flexible/beam_element.h"
#include "skyhook/flexible/plate_element.h"

namespace skyhook::flexible {
namespace {

template <class Nodes>
Dense rows_of_nodes(const FeModel& part, const Nodes& nodes, const Dense& shapes) {
  Dense rows(6 * static_cast<int>(nodes.size()), shapes.cols());
  int row = 0;
  for (const int n : nodes) {
    for (const int d : part.nodes[static_cast<std::size_t>(n)].dof) rows.row(row++) = shapes.row(d);
  }
  return rows;
}

Dense stresses_by(const Section& s, const Dense& force) {
  const int fibres = static_cast<int>(s.fibres.size());
  Dense out(fibres + 1, force.cols());
  for (int i = 0; i < fibres; ++i) {
    const auto [y, z] = s.fibres[static_cast<std::size_t>(i)];
    out.row(i) = force.row(0) / s.area + z / s.iy * force.row(4) - y / s.iz * force.row(5);
  }
  out.row(fibres).setZero();
  if (s.torsion_modulus > 0) out.row(fibres) = force.row(3) / s.torsion_modulus;
  return out;
}

}  // namespace

Dense shape_forces(const FeModel& part, const Dense& shapes) { return part.stiffness * shapes; }

SectionForces section_forces(const FeModel& part, const BeamSpan& beam, const Dense& shapes) {
  const Dense ends = rows_of_nodes(part, std::array{beam.from, beam.to}, shapes);
  const Dense forces = beam_stiffness(beam) * to_beam_axes(beam) * ends;  // on the element, from its nodes
  return {-forces.topRows(6), forces.bottomRows(6)};
}

BeamStresses beam_stresses(const FeModel& part, const BeamSpan& beam, const Dense& shapes) {
  const SectionForces f = section_forces(part, beam, shapes);
  return {stresses_by(beam.section, f.at_from), stresses_by(beam.section, f.at_to)};
}

SectionForces section_forces_of_heat(const FeModel& part, const BeamSpan& beam, const std::vector<Heat>& heats,
                                     const Location& where) {
  const Column f = heat_forces(part, beam, heats, where);
  return {-f.head(6), f.tail(6)};
}

BeamStresses beam_stresses_of_heat(const FeModel& part, const BeamSpan& beam, const std::vector<Heat>& heats,
                                   const Location& where) {
  const SectionForces f = section_forces_of_heat(part, beam, heats, where);
  return {stresses_by(beam.section, f.at_from), stresses_by(beam.section, f.at_to)};
}

Dense plate_stresses(const FeModel& part, const PlateSpan& plate, const Dense& shapes) {
  return plate_stress_rows(plate) * to_plate_axes(plate) * rows_of_nodes(part, plate.nodes, shapes);
}

}  // namespace skyhook::flexible
