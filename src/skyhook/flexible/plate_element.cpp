#include "skyhook/flexible/plate_element.h"

#include <cmath>

namespace skyhook::flexible {
namespace {

using Row4 = Eigen::RowVector4d;
using Row24 = Eigen::Matrix<double, 1, 24>;
using PlaneStress = Eigen::Matrix3d;  // stress by strain: x, y, xy

constexpr double corner_xi[4] = {-1, 1, 1, -1}, corner_eta[4] = {-1, -1, 1, 1};
// Of the stiffness in shear: how firmly the rotation about the normal follows that of the membrane. Small, so that plates of few elements are not
// stiffened by it; of no account in what the nodes around do.
constexpr double drilling = 0.001;

Row4 plate_values(double xi, double eta) {
  Row4 n;
  for (int i = 0; i < 4; ++i) n[i] = (1 + corner_xi[i] * xi) * (1 + corner_eta[i] * eta) / 4;
  return n;
}
Eigen::Matrix<double, 2, 4> plate_slopes(double xi, double eta) {  // by xi, by eta
  Eigen::Matrix<double, 2, 4> d;
  for (int i = 0; i < 4; ++i) {
    d(0, i) = corner_xi[i] * (1 + corner_eta[i] * eta) / 4;
    d(1, i) = corner_eta[i] * (1 + corner_xi[i] * xi) / 4;
  }
  return d;
}

// Rows: x and y by xi, by eta.
Eigen::Matrix2d plate_metric(const PlateSpan& p, double xi, double eta) {
  Eigen::Matrix<double, 4, 2> at;
  for (std::size_t i = 0; i < 4; ++i) at.row(static_cast<int>(i)) << p.x[i], p.y[i];
  return plate_slopes(xi, eta) * at;
}

Eigen::Matrix<double, 2, 4> slopes_in_plane(const PlateSpan& p, double xi, double eta) {
  return plate_metric(p, xi, eta).inverse() * plate_slopes(xi, eta);
}

// Unknown `line` of each node times the row.
Row24 of_unknown(int line, const Row4& row) {
  Row24 all = Row24::Zero();
  for (int i = 0; i < 4; ++i) all[6 * i + line] = row[i];
  return all;
}

PlaneStress plane_stress(const Material& m) {
  const double nu = m.young / (2 * m.shear) - 1;
  PlaneStress d;
  d << 1, nu, 0, nu, 1, 0, 0, 0, (1 - nu) / 2;
  return d * (m.young / (1 - nu * nu));
}

Eigen::Matrix<double, 3, 24> membrane_strain(const PlateSpan& p, double xi, double eta) {
  const auto d = slopes_in_plane(p, xi, eta);
  Eigen::Matrix<double, 3, 24> b;
  b << of_unknown(0, d.row(0)), of_unknown(1, d.row(1)), of_unknown(0, d.row(1)) + of_unknown(1, d.row(0));
  return b;
}

// Points of the plate at the height z move by z theta_y along x and by -z theta_x along y.
Eigen::Matrix<double, 3, 24> curvature(const PlateSpan& p, double xi, double eta) {
  const auto d = slopes_in_plane(p, xi, eta);
  Eigen::Matrix<double, 3, 24> b;
  b << of_unknown(4, d.row(0)), -of_unknown(3, d.row(1)), of_unknown(4, d.row(1)) - of_unknown(3, d.row(0));
  return b;
}

// Displacements 1 - xi^2 and 1 - eta^2 along x and y, by the Jacobian of the middle, so that constant strain stays constant.
Eigen::Matrix<double, 3, 4> incompatible_strain(const PlateSpan& p, double xi, double eta) {
  const Eigen::Matrix2d J0 = plate_metric(p, 0, 0);
  const double scale = J0.determinant() / plate_jacobian(p, xi, eta);
  Eigen::Matrix2d d;  // columns: the two functions
  d << -2 * xi, 0, 0, -2 * eta;
  d = scale * (J0.inverse() * d);
  Eigen::Matrix<double, 3, 4> b = Eigen::Matrix<double, 3, 4>::Zero();
  for (int k = 0; k < 2; ++k) {
    b(0, k) = b(2, 2 + k) = d(0, k);
    b(1, 2 + k) = b(2, k) = d(1, k);
  }
  return b;
}

// Shear along xi and along eta, w,xi + theta_y x,xi - theta_x y,xi, where it is sampled.
Eigen::Matrix<double, 2, 24> sampled_shear(const PlateSpan& p, double xi, double eta) {
  const Eigen::Matrix2d J = plate_metric(p, xi, eta);
  const auto d = plate_slopes(xi, eta);
  const Row4 n = plate_values(xi, eta);
  Eigen::Matrix<double, 2, 24> b;
  for (int a = 0; a < 2; ++a)
    b.row(a) = of_unknown(2, d.row(a)) + J(a, 0) * of_unknown(4, n) - J(a, 1) * of_unknown(3, n);
  return b;
}

Eigen::Matrix<double, 2, 24> shear_strain(const PlateSpan& p, double xi, double eta) {
  Eigen::Matrix<double, 2, 24> b;
  b.row(0) = (1 + eta) / 2 * sampled_shear(p, 0, 1).row(0) + (1 - eta) / 2 * sampled_shear(p, 0, -1).row(0);
  b.row(1) = (1 + xi) / 2 * sampled_shear(p, 1, 0).row(1) + (1 - xi) / 2 * sampled_shear(p, -1, 0).row(1);
  return plate_metric(p, xi, eta).inverse() * b;
}

// Rotation about the normal beyond that of the membrane.
Row24 excess_turn(const PlateSpan& p, double xi, double eta) {
  const auto d = slopes_in_plane(p, xi, eta);
  return of_unknown(5, plate_values(xi, eta)) - (of_unknown(1, d.row(0)) - of_unknown(0, d.row(1))) / 2;
}

template <class Call>
void at_gauss_points(const PlateSpan& p, Call call) {
  const double g = 1 / std::sqrt(3.0);
  for (const double xi : {-g, g}) {
    for (const double eta : {-g, g}) call(xi, eta, plate_jacobian(p, xi, eta));
  }
}

Matrix24 membrane_stiffness(const PlateSpan& p) {
  const PlaneStress D = p.thickness * plane_stress(p.material);
  Matrix24 K = Matrix24::Zero();
  Eigen::Matrix<double, 4, 24> coupling = Eigen::Matrix<double, 4, 24>::Zero();
  Eigen::Matrix4d inner = Eigen::Matrix4d::Zero();
  at_gauss_points(p, [&](double xi, double eta, double area) {
    const auto b = membrane_strain(p, xi, eta);
    const auto extra = incompatible_strain(p, xi, eta);
    K += area * b.transpose() * D * b;
    coupling += area * extra.transpose() * D * b;
    inner += area * extra.transpose() * D * extra;
    const Row24 turn = excess_turn(p, xi, eta);
    K += drilling * p.material.shear * p.thickness * area * turn.transpose() * turn;
  });
  return K - coupling.transpose() * inner.ldlt().solve(coupling);
}

}  // namespace

PlateSpan plate_span(const std::array<int, 4>& nodes, const std::array<Vec3d, 4>& at, double thickness,
                     const Material& material) {
  PlateSpan p;
  p.nodes = nodes, p.thickness = thickness, p.material = material;
  const Vec3d middle = 0.25 * (at[0] + at[1] + at[2] + at[3]);
  const Vec3d normal = normalized(cross(at[2] - at[0], at[3] - at[1]));
  const Vec3d along = (at[1] - at[0]) + (at[2] - at[3]), x = normalized(along - dot(along, normal) * normal);
  p.axes = Mat3d::columns(x, cross(normal, x), normal);
  for (std::size_t i = 0; i < 4; ++i) p.x[i] = dot(x, at[i] - middle), p.y[i] = dot(p.axes.column(1), at[i] - middle);
  return p;
}

Matrix24 to_plate_axes(const PlateSpan& plate) {
  Matrix24 T = Matrix24::Zero();
  for (int block = 0; block < 24; block += 3) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) T(block + i, block + j) = plate.axes[j][i];
    }
  }
  return T;
}

PlateRows plate_shape(double xi, double eta) {
  PlateRows rows;
  for (int line = 0; line < 6; ++line) rows.row(line) = of_unknown(line, plate_values(xi, eta));
  return rows;
}

double plate_jacobian(const PlateSpan& plate, double xi, double eta) {
  return plate_metric(plate, xi, eta).determinant();
}

Matrix24 plate_stiffness(const PlateSpan& p) {
  const double t = p.thickness;
  const PlaneStress D = t * t * t / 12 * plane_stress(p.material);
  const double shear = 5.0 / 6 * p.material.shear * t;
  Matrix24 K = membrane_stiffness(p);
  at_gauss_points(p, [&](double xi, double eta, double area) {
    const auto b = curvature(p, xi, eta);
    const auto s = shear_strain(p, xi, eta);
    K += area * (b.transpose() * D * b + shear * s.transpose() * s);
  });
  return K;
}

Eigen::Matrix<double, 6, 24> plate_stress_rows(const PlateSpan& p) {
  const PlaneStress D = plane_stress(p.material);
  const Eigen::Matrix<double, 3, 24> membrane = D * membrane_strain(p, 0, 0),
                                     bending = p.thickness / 2 * D * curvature(p, 0, 0);
  Eigen::Matrix<double, 6, 24> rows;
  rows << membrane + bending, membrane - bending;
  return rows;
}

Eigen::Vector3d membrane_forces(const PlateSpan& p, const Eigen::Matrix<double, 24, 1>& moved) {
  return p.thickness * plane_stress(p.material) * (membrane_strain(p, 0, 0) * moved);
}

double plate_held_stress(const PlateSpan& p) { return (plane_stress(p.material) * Eigen::Vector3d(1, 1, 0))[0]; }

Eigen::Matrix<double, 24, 1> plate_thermal_load(const PlateSpan& p, bool bends) {
  const double t = p.thickness;
  const Eigen::Vector3d stress = (bends ? t * t * t / 12 : t) * (plane_stress(p.material) * Eigen::Vector3d(1, 1, 0));
  Eigen::Matrix<double, 24, 1> f = Eigen::Matrix<double, 24, 1>::Zero();
  at_gauss_points(p, [&](double xi, double eta, double area) {
    const Eigen::Matrix<double, 3, 24> b = bends ? curvature(p, xi, eta) : membrane_strain(p, xi, eta);
    f += area * b.transpose() * stress;
  });
  return f;
}

Matrix24 plate_stress_stiffness(const PlateSpan& p, const Eigen::Vector3d& force) {
  Eigen::Matrix2d N;
  N << force[0], force[2], force[2], force[1];
  Matrix24 K = Matrix24::Zero();
  at_gauss_points(p, [&](double xi, double eta, double area) {
    const auto d = slopes_in_plane(p, xi, eta);
    for (int line = 0; line < 3; ++line) {
      Eigen::Matrix<double, 2, 24> g;
      g << of_unknown(line, d.row(0)), of_unknown(line, d.row(1));
      K += area * g.transpose() * N * g;
    }
  });
  return K;
}

}  // namespace skyhook::flexible
