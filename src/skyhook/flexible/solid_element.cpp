#include "skyhook/flexible/solid_element.h"

#include <Eigen/LU>
#include <cmath>

namespace skyhook::flexible {
namespace {

using Corner = std::array<int, 3>;

// Corners of a cube from -1 to 1, then the middles of its edges: below, above, between.
constexpr std::array<Corner, 20> cube{{{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1},
                                       {1, -1, 1},   {1, 1, 1},   {-1, 1, 1}, {0, -1, -1}, {1, 0, -1},
                                       {0, 1, -1},   {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},   {0, 1, 1},
                                       {-1, 0, 1},   {-1, -1, 0}, {1, -1, 0}, {1, 1, 0},   {-1, 1, 0}}};
// Edges of a triangle, then from it to the fourth corner of a tetrahedron.
constexpr std::array<std::array<int, 2>, 6> edges{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};

double hexahedron(bool has_edges, std::size_t n, const Vec3d& p) {
  double product = 1, sum = 0;
  for (int i = 0; i < 3; ++i) {
    const int c = cube[n][static_cast<std::size_t>(i)];
    product *= c == 0 ? 1 - p[i] * p[i] : 1 + c * p[i];
    sum += c * p[i];
  }
  if (n >= 8) return product / 4;
  return product / 8 * (has_edges ? sum - 2 : 1);
}

double tetrahedron(bool has_edges, std::size_t n, const Vec3d& p) {
  const std::array<double, 4> l{1 - p.x - p.y - p.z, p.x, p.y, p.z};
  if (n < 4) return has_edges ? l[n] * (2 * l[n] - 1) : l[n];
  return 4 * l[static_cast<std::size_t>(edges[n - 4][0])] * l[static_cast<std::size_t>(edges[n - 4][1])];
}

// A triangle in x and y, from -1 to 1 along z: corners below and above, edges below and above, edges between.
double wedge(bool has_edges, std::size_t n, const Vec3d& p) {
  const std::array<double, 3> l{1 - p.x - p.y, p.x, p.y};
  if (n >= 12) return l[n - 12] * (1 - p.z * p.z);
  const bool is_above = n < 6 ? n >= 3 : n >= 9;
  const double z = is_above ? p.z : -p.z, own = l[n % 3];
  if (n < 6) return 0.5 * own * (1 + z) * (has_edges ? 2 * own - 2 + z : 1);
  return 2 * own * l[(n + 1) % 3] * (1 + z);
}

double shape(std::size_t count, std::size_t n, const Vec3d& p) {
  switch (count) {
    case 4: return tetrahedron(false, n, p);
    case 10: return tetrahedron(true, n, p);
    case 6: return wedge(false, n, p);
    case 15: return wedge(true, n, p);
    default: return hexahedron(count == 20, n, p);
  }
}

struct Point {
  Vec3d at;
  double weight = 0;
};

std::vector<Point> quadrature(std::size_t count) {
  std::vector<Point> out;
  const double g = 1 / std::sqrt(3.0);
  if (count == 4) return {{{0.25, 0.25, 0.25}, 1.0 / 6}};
  if (count == 10) {
    const double a = (5 + 3 * std::sqrt(5.0)) / 20, b = (5 - std::sqrt(5.0)) / 20;
    return {{{b, b, b}, 1.0 / 24}, {{a, b, b}, 1.0 / 24}, {{b, a, b}, 1.0 / 24}, {{b, b, a}, 1.0 / 24}};
  }
  for (const double z : {-g, g}) {
    if (count == 6 || count == 15) {
      for (const auto& [x, y] : {std::array{1.0 / 6, 1.0 / 6}, {2.0 / 3, 1.0 / 6}, {1.0 / 6, 2.0 / 3}})
        out.push_back({{x, y, z}, 1.0 / 6});
      continue;
    }
    for (const double x : {-g, g}) {
      for (const double y : {-g, g}) out.push_back({{x, y, z}, 1});
    }
  }
  return out;
}

Vec3d middle(std::size_t count) {
  return count == 6 || count == 15   ? Vec3d{1.0 / 3, 1.0 / 3, 0}
         : count == 4 || count == 10 ? Vec3d{0.25, 0.25, 0.25}
                                     : Vec3d{};
}

// Hooke's law for the strain of these displacements.
Eigen::Matrix3d stress(const Material& m, const Eigen::Matrix3d& gradient) {
  const double poisson = m.young / (2 * m.shear) - 1, lame = 2 * m.shear * poisson / (1 - 2 * poisson);
  const Eigen::Matrix3d strain = 0.5 * (gradient + gradient.transpose());
  return lame * strain.trace() * Eigen::Matrix3d::Identity() + 2 * m.shear * strain;
}

}  // namespace

// Shape functions are quadratic at most along each coordinate of the element, so that central differences of any width are exact.
Dense solid_shape_gradients(const SolidSpan& solid, const std::vector<FeNode>& nodes, const Vec3d& place,
                            double& jacobian) {
  const std::size_t count = solid.nodes.size();
  Dense own(count, 3), at(count, 3);
  for (std::size_t n = 0; n < count; ++n) {
    const auto row = static_cast<Eigen::Index>(n);
    for (int i = 0; i < 3; ++i) {
      Vec3d ahead = place, behind = place;
      ahead[i] += 0.5, behind[i] -= 0.5;
      own(row, i) = shape(count, n, ahead) - shape(count, n, behind);
      at(row, i) = nodes[static_cast<std::size_t>(solid.nodes[n])].at[i];
    }
  }
  const Eigen::Matrix3d J = own.transpose() * at;
  jacobian = J.determinant();
  return own * J.inverse().transpose();
}

Dense solid_stress_stiffness(const SolidSpan& solid, const std::vector<FeNode>& nodes, const Dense& moved) {
  const std::size_t count = solid.nodes.size();
  const bool has_edges = count == 10 || count == 15 || count == 20;
  double jacobian = 0;
  Eigen::Matrix3d sigma =
      stress(solid.material, moved.transpose() * solid_shape_gradients(solid, nodes, middle(count), jacobian));
  Dense K = Dense::Zero(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count));
  for (const Point& p : quadrature(count)) {
    const Dense gradients = solid_shape_gradients(solid, nodes, p.at, jacobian);
    if (has_edges) sigma = stress(solid.material, moved.transpose() * gradients);
    K += p.weight * jacobian * gradients * sigma * gradients.transpose();
  }
  return K;
}

double solid_volume(const SolidSpan& solid, const std::vector<FeNode>& nodes) {
  double sum = 0, jacobian = 0;
  for (const Point& p : quadrature(solid.nodes.size())) {
    solid_shape_gradients(solid, nodes, p.at, jacobian);
    sum += p.weight * jacobian;
  }
  return sum;
}

}  // namespace skyhook::flexible
