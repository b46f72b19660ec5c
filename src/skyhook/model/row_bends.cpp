#include "skyhook/model/row_bends.h"

namespace skyhook::model {
namespace {

// With constant velocities: R' = [w] R, R'' = [w] [w] R.
Mat3<Jet2> turning(const Mat3d& R, const Vec3d& w) {
  Mat3<Jet2> out;
  for (int j = 0; j < 3; ++j) {
    const Vec3d rate = cross(w, R.column(j)), second = cross(w, rate);
    for (int i = 0; i < 3; ++i) out[i][j] = jet2(R[i][j], rate[i], second[i]);
  }
  return out;
}

}  // namespace

// s follows with h = 0: s' = ds/dx v, and what s'' adds to g'' is -mu h''.
void row_bends(const PathLaw& law, const Pose<double>& x, const LocalConditions& at, const LocalConditions::Row& speed,
               std::span<double> gamma) {
  Pose<Jet2> moving{{}, turning(x.R, {speed[3], speed[4], speed[5]}), {}, x.way};
  for (int i = 0; i < 3; ++i) moving.r[i] = jet2(x.r[i], speed[static_cast<std::size_t>(i)], 0.0);
  std::array<Jet2, most_contact_variables> own, s, h;
  std::array<Jet2, most_rows> g;
  for (std::size_t k = 0; k < x.p.size(); ++k) own[k] = jet2(x.p[k], speed[6 + k], 0.0);
  moving.p = std::span(own).first(x.p.size());
  const auto variables = static_cast<std::size_t>(at.variables), rows = static_cast<std::size_t>(at.rows);
  for (std::size_t k = 0; k < variables; ++k) {
    double rate = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(at.directions); ++j) rate += at.s_of_x[k][j] * speed[j];
    s[k] = jet2(at.s[k], rate, 0.0);
  }
  law.along(moving, std::span(s).first(variables), std::span(g).first(rows), std::span(h).first(variables));
  for (std::size_t r = 0; r < rows; ++r) {
    gamma[r] = acceleration(g[r]);
    for (std::size_t k = 0; k < variables; ++k) gamma[r] -= at.mu[r][k] * acceleration(h[k]);
  }
}

}  // namespace skyhook::model
