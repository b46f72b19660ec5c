// A curve through points with four continuous derivatives: pieces of degree five. Of all curves through the points it is the one whose third
// derivative is least in the mean square. For ways that bodies follow: their angular acceleration has the third derivative in it.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "skyhook/math/dual.h"

namespace skyhook {

class QuinticSpline {
 public:
  // x strictly increasing, at least three points. Periodic: the last point is the first one again, at least four points. Else the
  // third and fourth derivative are zero at the ends. Beyond these the last pieces go on.
  QuinticSpline(std::span<const double> x, std::span<const double> y, bool periodic);

  template <class T>
  T evaluate(const T& x) const {
    const Piece& p = piece(value_of(x));
    const T s = x - T(p.x);
    T sum(p.c[5]);
    for (int k = 4; k >= 0; --k) sum = sum * s + T(p.c[static_cast<std::size_t>(k)]);
    return sum;
  }

 private:
  struct Piece {
    double x;
    std::array<double, 6> c;  // of the powers of X - x
  };
  const Piece& piece(double x) const;
  std::vector<Piece> pieces_;
};

}  // namespace skyhook
