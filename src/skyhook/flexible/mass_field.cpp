#include "skyhook/flexible/mass_field.h"

#include <algorithm>
#include <cmath>

namespace skyhook::flexible {
namespace {

struct Unknown {
  int node = -1, direction = 0;
};

std::vector<Unknown> unknowns(const FeModel& part) {
  std::vector<Unknown> of(static_cast<std::size_t>(part.dofs));
  for (std::size_t n = 0; n < part.nodes.size(); ++n) {
    for (std::size_t i = 0; i < 6; ++i) {
      if (const int d = part.nodes[n].dof[i]; d >= 0)
        of[static_cast<std::size_t>(d)] = {static_cast<int>(n), static_cast<int>(i)};
    }
  }
  return of;
}

}  // namespace

MassField field_of_matrix(const FeModel& part) {
  MassField field;
  if (std::ranges::any_of(part.nodes, &FeNode::is_inner)) {
    field.one.resize(static_cast<Eigen::Index>(part.nodes.size()));
    for (std::size_t n = 0; n < part.nodes.size(); ++n)
      field.one[static_cast<Eigen::Index>(n)] = part.nodes[n].is_inner ? 0 : 1;
  }
  const int count = static_cast<int>(part.nodes.size());
  const auto of = unknowns(part);
  std::vector<Eigen::Triplet<double>> blocks[3], shift;
  double largest = 0, off = 0;
  for (int j = 0; j < part.mass.outerSize(); ++j) {
    for (Sparse::InnerIterator it(part.mass, j); it; ++it) {
      const Unknown &a = of[static_cast<std::size_t>(it.row())], &b = of[static_cast<std::size_t>(j)];
      largest = std::max(largest, std::abs(it.value()));
      if (a.node >= 0 && b.node >= 0 && a.direction == b.direction && a.direction < 3)
        blocks[a.direction].emplace_back(a.node, b.node, it.value());
      else
        off = std::max(off, std::abs(it.value()));
    }
  }
  Sparse m[3];
  for (int i = 0; i < 3; ++i) m[i].resize(count, count), m[i].setFromTriplets(blocks[i].begin(), blocks[i].end());
  for (const FeNode& node : part.nodes) {
    const int first = 3 * static_cast<int>(field.at.size());
    field.at.push_back(node.is_inner ? Vec3d{} : node.at);
    for (int i = 0; i < 3; ++i) {
      if (const int d = node.dof[static_cast<std::size_t>(i)]; d >= 0) shift.emplace_back(first + i, d, 1.0);
    }
  }
  const Sparse xy = m[0] - m[1], xz = m[0] - m[2];
  const auto size = [](const Sparse& a) { return a.nonZeros() ? a.coeffs().cwiseAbs().maxCoeff() : 0.0; };
  field.is_exact = std::max({off, size(xy), size(xz)}) <= 1e-9 * largest;
  field.mass = (m[0] + m[1] + m[2]) / 3.0;
  field.shift.resize(3 * count, part.dofs), field.shift.setFromTriplets(shift.begin(), shift.end());
  return field;
}

}  // namespace skyhook::flexible
