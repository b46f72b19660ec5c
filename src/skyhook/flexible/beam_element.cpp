#include "skyhook/flexible/beam_element.h"

#include <cmath>

namespace skyhook::flexible {
namespace {

// Deflection and rotation in one plane over {v1, r1, v2, r2} with r = v' of a slender beam, and their derivatives along x.
struct Plane {
  Eigen::RowVector4d deflection, rotation, deflection_slope, rotation_slope;
};

Plane plane(double L, double phi, double s) {
  const double c = 1 / (1 + phi);
  Plane p;
  p.deflection << 1 - 3 * s * s + 2 * s * s * s + phi * (1 - s),
      L * (s - 2 * s * s + s * s * s + phi / 2 * (s - s * s)), 3 * s * s - 2 * s * s * s + phi * s,
      L * (-s * s + s * s * s + phi / 2 * (s * s - s));
  p.rotation << 6 / L * (s * s - s), 1 - 4 * s + 3 * s * s + phi * (1 - s), 6 / L * (s - s * s),
      -2 * s + 3 * s * s + phi * s;
  p.deflection_slope << (-6 * s + 6 * s * s - phi) / L, 1 - 4 * s + 3 * s * s + phi / 2 * (1 - 2 * s),
      (6 * s - 6 * s * s + phi) / L, -2 * s + 3 * s * s + phi / 2 * (2 * s - 1);
  p.rotation_slope << 6 / (L * L) * (2 * s - 1), (-4 + 6 * s - phi) / L, 6 / (L * L) * (1 - 2 * s),
      (-2 + 6 * s + phi) / L;
  p.deflection *= c, p.rotation *= c, p.deflection_slope *= c, p.rotation_slope *= c;
  return p;
}

// Unknowns in each plane: deflections along y turn about z, deflections along z about -y.
constexpr int in_y[4] = {1, 5, 7, 11}, in_z[4] = {2, 4, 8, 10};
constexpr double sign_z[4] = {1, -1, 1, -1};

Rows6 rows_of(const BeamSpan& b, double s, bool is_slope) {
  const Plane y = plane(b.length, b.shear_y, s), z = plane(b.length, b.shear_z, s);
  Rows6 rows = Rows6::Zero();
  for (int line : {0, 3}) {
    rows(line, line) = is_slope ? -1 / b.length : 1 - s;
    rows(line, line + 6) = is_slope ? 1 / b.length : s;
  }
  for (int i = 0; i < 4; ++i) {
    rows(1, in_y[i]) = (is_slope ? y.deflection_slope : y.deflection)[i];
    rows(5, in_y[i]) = (is_slope ? y.rotation_slope : y.rotation)[i];
    rows(2, in_z[i]) = sign_z[i] * (is_slope ? z.deflection_slope : z.deflection)[i];
    rows(4, in_z[i]) = -sign_z[i] * (is_slope ? z.rotation_slope : z.rotation)[i];
  }
  return rows;
}

void add_bending(Matrix12& K, const int (&at)[4], const double (&sign)[4], double EI, double phi, double L) {
  Eigen::Matrix4d k;
  k << 12, 6 * L, -12, 6 * L,                               //
      6 * L, (4 + phi) * L * L, -6 * L, (2 - phi) * L * L,  //
      -12, -6 * L, 12, -6 * L,                              //
      6 * L, (2 - phi) * L * L, -6 * L, (4 + phi) * L * L;
  k *= EI / (L * L * L * (1 + phi));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) K(at[i], at[j]) += sign[i] * sign[j] * k(i, j);
  }
}

}  // namespace

Rows6 shape(const BeamSpan& beam, double xi) { return rows_of(beam, xi, false); }
Rows6 slope(const BeamSpan& beam, double xi) { return rows_of(beam, xi, true); }

Matrix12 to_beam_axes(const BeamSpan& beam) {
  Matrix12 T = Matrix12::Zero();
  for (int block = 0; block < 12; block += 3) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) T(block + i, block + j) = beam.axes[j][i];
    }
  }
  return T;
}

Matrix12 beam_stiffness(const BeamSpan& b) {
  Matrix12 K = Matrix12::Zero();
  const double line[2] = {b.axial / b.length, b.torsion / b.length};
  for (int i : {0, 1}) {
    const int a = 3 * i;
    K(a, a) = K(a + 6, a + 6) = line[i];
    K(a, a + 6) = K(a + 6, a) = -line[i];
  }
  constexpr double plus[4] = {1, 1, 1, 1};
  add_bending(K, in_y, plus, b.bending_y, b.shear_y, b.length);
  add_bending(K, in_z, sign_z, b.bending_z, b.shear_z, b.length);
  return K;
}

Matrix12 beam_stress_stiffness(const BeamSpan& b, const std::array<double, 3>& force) {
  Matrix12 K = Matrix12::Zero();
  for (const auto& [xi, weight] : gauss_points()) {
    const Rows6 d = slope(b, xi);
    const double N = force[0] + xi * (force[1] + xi * force[2]);
    K +=
        N * weight * b.length *
        (d.row(1).transpose() * d.row(1) + d.row(2).transpose() * d.row(2) + b.polar * d.row(3).transpose() * d.row(3));
  }
  return K;
}

std::array<GaussPoint, 4> gauss_points() {
  const double a = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2)), b = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2));
  const double wa = (18 + std::sqrt(30.0)) / 72, wb = (18 - std::sqrt(30.0)) / 72;
  return {{{(1 - b) / 2, wb}, {(1 - a) / 2, wa}, {(1 + a) / 2, wa}, {(1 + b) / 2, wb}}};
}

}  // namespace skyhook::flexible
