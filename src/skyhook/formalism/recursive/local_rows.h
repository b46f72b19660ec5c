// One row of local conditions along the motion of its frames: G v, how it changes, and the wrench of its multiplier.
#pragma once
#include "skyhook/formalism/recursive/local_response.h"
#include "skyhook/model/local_conditions.h"

namespace skyhook::formalism::recursive {

using model::LocalConditions;

// Velocity and angular velocity of B, then the rates of its own coordinates.
inline LocalConditions::Row speeds_of(const LocalConditions& c, const model::Relative<double>& m, CSpan own_rate = {}) {
  LocalConditions::Row speed{m.v.x, m.v.y, m.v.z, m.w.x, m.w.y, m.w.z};
  for (int k = 6; k < c.directions; ++k) speed[k] = own_rate[k - 6];
  return speed;
}

inline double rate_of(const LocalConditions& c, int r, const LocalConditions::Row& speed) {
  double sum = 0;
  for (int i = 0; i < c.directions; ++i) sum += c.G[r][i] * speed[i];
  return sum;
}

// How G v changes along direction j while v is held.
inline double rate_along(const LocalConditions& c, int r, int j, const LocalConditions::Row& speed) {
  double sum = 0;
  for (int i = 0; i < c.directions; ++i) sum += c.G_change[r][i][j] * speed[i];
  return sum;
}

// How G v changes along the motion while v is held.
inline double bend_of(const LocalConditions& c, int r, const LocalConditions::Row& speed) {
  double sum = 0;
  for (int j = 0; j < c.directions; ++j) sum += rate_along(c, r, j, speed) * speed[j];
  return sum;
}

// G v with its derivatives to the motion.
inline model::Local rate_of_row(const LocalConditions& c, int r, const LocalConditions::Row& speed) {
  model::Local rate(rate_of(c, r, speed));
  for (int i = 0; i < 6; ++i) rate.d[by_velocity + i] = c.G[r][i], rate.d[i] = rate_along(c, r, i, speed);
  return rate;
}

// Less the wrench of the row with its multiplier, which acts as -G^T lambda.
inline void take_row(const LocalConditions& c, int r, double multiplier, model::Wrench<model::Local>& w) {
  for (int i = 0; i < 3; ++i) {
    w.f[i].v -= multiplier * c.G[r][i], w.n[i].v -= multiplier * c.G[r][3 + i];
    for (int j = 0; j < 6; ++j)
      w.f[i].d[j] -= multiplier * c.G_change[r][i][j], w.n[i].d[j] -= multiplier * c.G_change[r][3 + i][j];
  }
}

}  // namespace skyhook::formalism::recursive
