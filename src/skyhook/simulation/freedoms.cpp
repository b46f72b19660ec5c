#include "skyhook/simulation/freedoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/free_motions.h"
#include "skyhook/formalism/linearised.h"
#include "skyhook/formalism/mesh_coordinates.h"
#include "skyhook/formalism/transfer.h"

namespace skyhook::simulation {
namespace {

// Bodies that a motion v moves, beyond rounding.
std::vector<std::string> moved_by(const Prepared& p, const Vector& v) {
  formalism::State s = p.state;
  std::copy_n(v.begin(), p.all->moving(), s.v.begin());
  const double length = formalism::characteristic_length(*p.model);
  Vector speed;
  for (const auto& body : formalism::velocities_of(*p.all, s, formalism::Drives::stand))
    speed.push_back(norm(body.v) + length * norm(body.w));
  for (const formalism::MeshCoordinates& mesh : formalism::mesh_coordinates(*p.all)) {
    double& most = speed[static_cast<std::size_t>(mesh.body)] = 0;
    for (int k = 0; k < mesh.count; ++k) most = std::max(most, std::abs(s.v[static_cast<std::size_t>(mesh.iv + k)]));
  }
  const double least = 1e-6 * largest(speed);
  std::vector<std::string> names;
  for (std::size_t b = 0; b < speed.size(); ++b) {
    if (speed[b] > least) names.push_back(p.model->bodies[b].name);
  }
  return names;
}

Vector unit(int size, int at) {
  Vector x(size, 0.0);
  x[at] = 1.0;
  return x;
}

// Motions that the active constraints leave, as columns, orthonormal in the mass metric.
DenseMatrix motions_left(const Prepared& p, formalism::Linearised& lin) {
  std::vector<int> rows, coordinates;
  for (int k = 0; k < p.active->ng(); ++k) rows.push_back(k);
  for (int j = 0; j < p.active->moving(); ++j) coordinates.push_back(j);
  const Cholesky metric(lin.M.select(coordinates, coordinates));
  const DenseMatrix A = transpose(metric.solve_lower(transpose(lin.G.select(rows, coordinates))));
  const DenseMatrix N = null_space(A, formalism::rank_threshold);
  DenseMatrix Z(N.rows, N.cols);
  for (int j = 0; j < N.cols; ++j) {
    const auto first = N.value.begin() + static_cast<std::ptrdiff_t>(j) * N.rows;
    const Vector z = metric.solve_upper({first, first + N.rows});
    std::copy(z.begin(), z.end(), Z.value.begin() + static_cast<std::ptrdiff_t>(j) * N.rows);
  }
  return Z;
}

// The same position in the coordinates of joints. Rows that are redundant there do no harm.
Prepared in_joints(const Prepared& p) {
  Prepared out = p;
  out.all = out.active = p.in_joints;
  out.in_joints = nullptr;
  out.state = formalism::transfer(*p.all, p.state, *p.in_joints);
  out.rank.rank = out.all->moving() - p.degrees_of_freedom();
  return out;
}

// Of many coordinates under constraints.
std::vector<Freedom> freedoms_of_many(const Prepared& p, formalism::Linearised& lin, std::size_t told) {
  formalism::FreeMotions free(lin);
  std::vector<Freedom> out;
  for (std::size_t k = 0; k < free.coordinates().size(); ++k) {
    Freedom& freedom = out.emplace_back(Freedom{p.all->freedom_name(free.coordinates()[k]), {}});
    if (k >= told) continue;
    const Vector motion = free.motion(static_cast<int>(k));
    if (!motion.empty()) freedom.moves = moved_by(p, motion);
  }
  return out;
}

}  // namespace

std::vector<Freedom> freedoms_of(const Prepared& p, std::size_t told) {
  if (p.in_joints && p.ok()) return freedoms_of(in_joints(p), told);
  const Equations& all = *p.all;
  std::vector<Freedom> out;
  if (!p.ok() || p.degrees_of_freedom() == 0) return out;
  if (p.active->ng() == 0) {
    for (int j = 0; j < all.moving(); ++j)
      out.push_back(
          {all.freedom_name(j), out.size() < told ? moved_by(p, unit(all.moving(), j)) : std::vector<std::string>{}});
    return out;
  }
  formalism::Linearised lin(*p.active, formalism::Trace::rank);
  if (!lin.evaluate(p.state)) return out;
  if (lin.is_sparse()) return freedoms_of_many(p, lin, told);
  const DenseMatrix Z = motions_left(p, lin);
  if (Z.cols == 0) return out;  // closed contacts may hold all there is
  DenseMatrix weighted = transpose(Z);
  for (int j = 0; j < weighted.cols; ++j) {
    for (int i = 0; i < weighted.rows; ++i) weighted(i, j) *= std::sqrt(lin.M(j, j));
  }
  const PivotedColumns pivots = pivot_columns(weighted, formalism::rank_threshold);
  const int count = std::min(p.degrees_of_freedom(), pivots.rank);
  std::vector<int> chosen(pivots.order.begin(), pivots.order.begin() + count), every(Z.cols);
  std::sort(chosen.begin(), chosen.end());
  for (int k = 0; k < Z.cols; ++k) every[k] = k;
  const LeastNorm of_chosen(Z.select(chosen, every), formalism::rank_threshold);
  for (int k = 0; k < count; ++k)
    out.push_back({all.freedom_name(chosen[k]), moved_by(p, Z * of_chosen.solve(unit(count, k)))});
  return out;
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t k = 0; k < names.size() && k < most; ++k) out += (k > 0 ? ", " : "") + names[k];
  if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
  return out.empty() ? "nothing that has a body" : out;
}

}  // namespace skyhook::simulation
