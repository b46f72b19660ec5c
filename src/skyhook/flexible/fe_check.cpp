#include "skyhook/flexible/fe_check.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "skyhook/flexible/rigid_motion.h"

namespace skyhook::flexible {
namespace {

constexpr const char* xyz[] = {"x", "y", "z", "the rotation about x", "the rotation about y", "the rotation about z"};

struct Owner {
  const FeNode* node = nullptr;
  int direction = 0;
};

std::vector<Owner> owners(const FeModel& part) {
  std::vector<Owner> of(static_cast<std::size_t>(part.dofs));
  for (const FeNode& node : part.nodes) {
    for (int i = 0; i < 6; ++i) {
      if (const int d = node.dof[static_cast<std::size_t>(i)]; d >= 0) of[static_cast<std::size_t>(d)] = {&node, i};
    }
  }
  return of;
}

std::string text(const Owner& o) {
  return o.node ? fmt::format("{} of node \"{}\"", xyz[o.direction], o.node->name) : "an unknown";
}
Location place(const FeModel& part, const Owner& o) {
  return o.node && o.node->where.line > 0 ? o.node->where : part.where;
}

void check_symmetry(const FeModel& part, const Sparse& a, const char* name) {
  const Sparse difference = a - Sparse(a.transpose());
  double worst = 0, largest = 0;
  int row = 0, col = 0;
  for (int j = 0; j < a.outerSize(); ++j) {
    for (Sparse::InnerIterator it(a, j); it; ++it) largest = std::max(largest, std::abs(it.value()));
    for (Sparse::InnerIterator it(difference, j); it; ++it) {
      if (std::abs(it.value()) > worst) worst = std::abs(it.value()), row = static_cast<int>(it.row()), col = j;
    }
  }
  if (worst <= 1e-8 * largest) return;
  const auto of = owners(part);
  throw ModelError(part.where,
                   fmt::format("the {} matrix is not symmetric: between {} and {} it has {:.6g} and {:.6g}.", name,
                               text(of[static_cast<std::size_t>(row)]), text(of[static_cast<std::size_t>(col)]),
                               a.coeff(row, col), a.coeff(col, row)),
                   "Give both triangles, or one of them as a symmetric matrix.");
}

// A diagonal that is not positive belongs to a node that nothing holds, or to a matrix that is none of elasticity.
void check_diagonals(const FeModel& part) {
  const auto of = owners(part);
  const Column k = part.stiffness.diagonal(), m = part.mass.diagonal();
  const double smallest = 1e-14 * k.cwiseAbs().maxCoeff();
  Findings findings;
  for (int d = 0; d < part.dofs; ++d) {
    const Owner& o = of[static_cast<std::size_t>(d)];
    if (m[d] < 0)
      findings.add(place(part, o), fmt::format("the mass matrix is not positive: {} has {:.6g}.", text(o), m[d]));
    else if (k[d] < -smallest)
      findings.add(place(part, o), fmt::format("the stiffness matrix is not positive: {} has {:.6g}.", text(o), k[d]));
    else if (k[d] <= smallest && o.node && o.direction == 0)
      findings.add(place(part, o), fmt::format("node \"{}\" is loose: no element holds it.", o.node->name),
                   "Connect it, or leave it out.");
  }
  findings.throw_if_any();
}

void check_connection(const FeModel& part) {
  std::vector<int> root(static_cast<std::size_t>(part.dofs));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[static_cast<std::size_t>(i)] != i)
      i = root[static_cast<std::size_t>(i)] = root[static_cast<std::size_t>(root[static_cast<std::size_t>(i)])];
    return i;
  };
  for (int j = 0; j < part.stiffness.outerSize(); ++j) {
    for (Sparse::InnerIterator it(part.stiffness, j); it; ++it) {
      if (it.value() != 0) root[static_cast<std::size_t>(find(static_cast<int>(it.row())))] = find(j);
    }
  }
  const auto node_root = [&](const FeNode& n) {  // its unknowns belong together, whatever the matrices couple
    int first = -1;
    for (const int d : n.dof) {
      if (d < 0) continue;
      if (first >= 0) root[static_cast<std::size_t>(find(d))] = find(first);
      first = d;
    }
    return first;
  };
  for (const FeNode& n : part.nodes) node_root(n);
  const FeNode* main = nullptr;
  for (const FeNode& n : part.nodes) {
    const int d = node_root(n);
    if (d < 0) continue;
    if (!main) main = &n;
    if (find(d) != find(node_root(*main)))
      throw ModelError(
          n.where.line > 0 ? n.where : part.where,
          fmt::format("the mesh falls apart: no elements lead from node \"{}\" to node \"{}\".", main->name, n.name),
          "Join nodes that stand in one place, or make two bodies of it.");
  }
}

void check_freedom(const FeModel& part) {
  const Dense R = rigid_motions(part);
  const Dense force = part.stiffness * R;
  const Column k = part.stiffness.diagonal();
  for (int i = 0; i < 6; ++i) {
    const double scale = (k.cwiseAbs().asDiagonal() * R.col(i)).cwiseAbs().maxCoeff();
    if (force.col(i).cwiseAbs().maxCoeff() <= 1e-6 * scale) continue;
    throw ModelError(
        part.where,
        fmt::format("the stiffness matrix holds the part to the ground: moving it as a whole, {} of it, costs a force.",
                    i < 3 ? fmt::format("along {}", xyz[i]) : std::string(xyz[i])),
        "Give the matrices of the free part, without supports, and check that the table of nodes is in the units of "
        "the matrices.");
  }
}

}  // namespace

void check(const FeModel& part) {
  if (part.stiffness.rows() != part.dofs || part.mass.rows() != part.dofs)
    throw ModelError(part.where, fmt::format("the matrices have {} and {} rows, but the nodes have {} unknowns.",
                                             part.stiffness.rows(), part.mass.rows(), part.dofs));
  check_symmetry(part, part.stiffness, "stiffness");
  check_symmetry(part, part.mass, "mass");
  check_diagonals(part);
  check_connection(part);
  check_freedom(part);
}

}  // namespace skyhook::flexible
