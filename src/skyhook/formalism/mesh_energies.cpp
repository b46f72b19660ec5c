#include "skyhook/formalism/mesh_energies.h"

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::formalism {
namespace {

double real_form(const Pattern& p, CSpan value, std::span<const std::complex<double>> z) {
  double sum = 0;
  for (int j = 0; j < p.cols; ++j) {
    for (int k = p.start[static_cast<std::size_t>(j)]; k < p.start[static_cast<std::size_t>(j) + 1]; ++k) {
      const auto i = static_cast<std::size_t>(p.row[static_cast<std::size_t>(k)]);
      sum += value[static_cast<std::size_t>(k)] * (std::conj(z[i]) * z[static_cast<std::size_t>(j)]).real();
    }
  }
  return sum;
}

}  // namespace

std::vector<MeshEnergies> mesh_energies(const Snapshot& s, std::span<const std::complex<double>> mode) {
  const recursive::Equations& eq = s.equations();
  std::vector<MeshEnergies> out;
  for (const recursive::MeshNode& m : eq.tree().meshes) {
    const model::NodalMesh& mesh = *m.mesh;
    const auto n = static_cast<std::size_t>(mesh.coordinates), iq = static_cast<std::size_t>(m.iq),
               iv = static_cast<std::size_t>(m.iv);
    std::vector<double> by_q(static_cast<std::size_t>(mesh.pattern.nonzeros())), by_v(by_q.size());
    mesh.forces->add_derivatives(CSpan(s.q).subspan(iq, n), CSpan(s.v).subspan(iv, n), by_q, by_v);
    const auto z = mode.subspan(iv, n);
    out.push_back({m.body, mesh.name, real_form(*mesh.mass.pattern, mesh.mass.value, z),
                   real_form(mesh.pattern, by_q, z), real_form(mesh.pattern, by_v, z)});
  }
  return out;
}

}  // namespace skyhook::formalism
