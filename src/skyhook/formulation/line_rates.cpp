#include "skyhook/formulation/line_rates.h"

#include <algorithm>

#include "skyhook/formalism/mesh_coordinates.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::formulation {

using formalism::EquationsOfMotion, formalism::MeshCoordinates;

void count_lines_by_increments(const EquationsOfMotion& equations, int velocities, Structure& structure) {
  for (const MeshCoordinates& mesh : formalism::mesh_coordinates(equations)) {
    for (int k = mesh.iv; k < mesh.iv + mesh.count; ++k) {
      structure.y[static_cast<std::size_t>(k)].counts_way = true;
      structure.y[static_cast<std::size_t>(velocities + k)].index = 2;
    }
  }
}

void count_lines_by_strain(const EquationsOfMotion& equations, int velocities, Structure& structure) {
  for (const MeshCoordinates& mesh : formalism::mesh_coordinates(equations)) {
    const double waves = model::mesh_of(equations.model().bodies[static_cast<std::size_t>(mesh.body)])->wave_rate;
    for (int k = 0; k < mesh.count; ++k) {
      Variable &place = structure.y[static_cast<std::size_t>(mesh.iq + k)],
               &rate = structure.y[static_cast<std::size_t>(velocities + mesh.iv + k)];
      place.counts_way = true;
      rate.nominal = std::max(rate.nominal, waves * place.nominal);
    }
  }
}

}  // namespace skyhook::formulation
