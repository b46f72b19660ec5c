// A piece of a track's layout, over the way x from its begin: curvature, gradient and cant, each a polynomial and one wave.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/math/series.h"

namespace skyhook::model {

// c[0] + c[1] x + ... + c[5] x^5 + sine sin(number x) + cosine cos(number x)
struct Along {
  std::array<double, 6> c{};
  double sine = 0, cosine = 0, number = 0;  // number: 1/m

  double at(double x) const;
  double slope(double x) const;
  double area(double x) const;  // integral from 0 to x
  template <int N>
  Series<N> series(double x) const;
  bool is_constant() const;
  bool waves() const { return sine != 0 || cosine != 0; }
  Along from(double x) const;  // the same function over the way from there
  Along slopes() const;        // its derivative
};

struct TrackPiece {
  double length = 0;
  Along curvature;  // 1/m, d(heading)/ds, positive to the left
  Along climb;      // dz/ds, the sine of the gradient's angle
  Along tilt;       // sine of the angle about the tangent: positive where the left rail is the higher one
  Along widening;   // m, by which the gauge is wider than that of the track: half of it each side
};

template <int N>
Series<N> Along::series(double x) const {
  Series<N> out;
  const Along here = from(x);
  for (int i = 0; i < std::min(N, 6); ++i) out[i] = here.c[static_cast<std::size_t>(i)];
  if (!waves()) return out;
  const double values[4] = {here.cosine, here.sine, -here.cosine, -here.sine};
  double factor = 1;
  for (int i = 0; i < N; factor *= number / ++i) out[i] += factor * values[i % 4];
  return out;
}

}  // namespace skyhook::model
