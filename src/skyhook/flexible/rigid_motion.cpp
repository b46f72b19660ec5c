#include "skyhook/flexible/rigid_motion.h"

#include <fmt/format.h>

#include <Eigen/Dense>

namespace skyhook::flexible {
namespace {

Sparse sparse_of(int rows, int cols, const std::vector<Eigen::Triplet<double>>& entries) {
  Sparse a(rows, cols);
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

}  // namespace

Dense rigid_motions(const FeModel& part) {
  Dense R = Dense::Zero(part.dofs, 6);
  for (const FeNode& node : part.nodes) {
    if (node.is_inner) continue;
    for (int i = 0; i < 3; ++i) {
      const Vec3d turned = cross(unit(i), node.at);
      for (int a = 0; a < 3; ++a) {
        if (const int d = node.dof[static_cast<std::size_t>(a)]; d >= 0) R(d, i) = a == i, R(d, 3 + i) = turned[a];
        if (const int d = node.dof[static_cast<std::size_t>(3 + a)]; d >= 0) R(d, 3 + i) = a == i;
      }
    }
  }
  return R;
}

Place place_of_node(const FeModel& part, int number) {
  const FeNode& node = part.nodes[static_cast<std::size_t>(number)];
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < 6; ++i) {
    if (const int d = node.dof[static_cast<std::size_t>(i)]; d >= 0) entries.emplace_back(i, d, 1.0);
  }
  return {node.name, node.at, sparse_of(6, part.dofs, entries), {number}, node.has_rotations()};
}

Place place_of_nodes(const FeModel& part, const std::string& name, const std::vector<int>& nodes,
                     const Location& where) {
  if (nodes.size() == 1) {
    Place one = place_of_node(part, nodes[0]);
    one.name = name;
    return one;
  }
  Vec3d centre;
  for (const int n : nodes)
    centre += (1.0 / static_cast<double>(nodes.size())) * part.nodes[static_cast<std::size_t>(n)].at;
  Dense fit(3 * nodes.size(), 6);  // displacements of the nodes by a rigid motion about the centre
  std::vector<int> dof;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const FeNode& node = part.nodes[static_cast<std::size_t>(nodes[k])];
    for (int a = 0; a < 3; ++a) {
      dof.push_back(node.dof[static_cast<std::size_t>(a)]);
      for (int i = 0; i < 3; ++i)
        fit(static_cast<int>(3 * k) + a, i) = a == i,
                                         fit(static_cast<int>(3 * k) + a, 3 + i) = cross(unit(i), node.at - centre)[a];
    }
  }
  const Eigen::ColPivHouseholderQR<Dense> qr(fit);
  if (qr.rank() < 6)
    throw ModelError(
        where,
        fmt::format("place \"{}\": its {} nodes stand on one line, so that they have no rotation.", name, nodes.size()),
        "Take at least three nodes that do not.");
  const Dense inverse = qr.solve(Dense::Identity(fit.rows(), fit.rows()));
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < 6; ++i) {
    for (std::size_t c = 0; c < dof.size(); ++c) {
      if (dof[c] >= 0) entries.emplace_back(i, dof[c], inverse(i, static_cast<int>(c)));
    }
  }
  return {name, centre, sparse_of(6, part.dofs, entries), nodes, true};
}

FrameConditions tangent_frame(const FeModel&, const Place& place) {
  return {fmt::format("tangent at \"{}\"", place.name), Dense(place.rows)};
}

FrameConditions chord_frame(const FeModel& part, const Place& a, const Place& b) {
  const Vec3d x = normalized(b.at - a.at), y = perpendicular(x), z = cross(x, y);
  const Dense ra(a.rows), rb(b.rows);
  const auto along = [](const Dense& rows, int first, const Vec3d& e) {
    return (e.x * rows.row(first) + e.y * rows.row(first + 1) + e.z * rows.row(first + 2)).eval();
  };
  Dense C(6, part.dofs);
  C.topRows(3) = ra.topRows(3);
  C.row(3) = along(rb, 0, y), C.row(4) = along(rb, 0, z), C.row(5) = along(ra, 3, x);
  return {fmt::format("chord from \"{}\" to \"{}\"", a.name, b.name), C};
}

FrameConditions mean_frame(const FeModel& part) { return {"mean axes", (part.mass * rigid_motions(part)).transpose()}; }

Dense without_rigid(const FeModel& part, const FrameConditions& frame, const Dense& q, const Location& where) {
  const Dense R = rigid_motions(part);
  const Eigen::FullPivLU<Dense> lu(frame.rows * R);
  if (lu.rank() < 6)
    throw ModelError(where, fmt::format("the frame ({}) does not follow the part in all directions.", frame.text),
                     "Take a node with rotations, or a place of several nodes.");
  return q - R * lu.solve(frame.rows * q);
}

}  // namespace skyhook::flexible
