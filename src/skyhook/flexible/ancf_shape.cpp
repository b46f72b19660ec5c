#include "skyhook/flexible/ancf_shape.h"

#include <cmath>

namespace skyhook::flexible {

std::vector<AncfPoint> ancf_gauss(int points) {
  switch (points) {
    case 1: return {{0.5, 1.0}};
    case 2: {
      const double a = 0.5 / std::sqrt(3.0);
      return {{0.5 - a, 0.5}, {0.5 + a, 0.5}};
    }
    case 3: {
      const double a = 0.5 * std::sqrt(0.6);
      return {{0.5 - a, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + a, 5.0 / 18}};
    }
    case 4: {
      const double s = 2 * std::sqrt(1.2), a = 0.5 * std::sqrt((3 - s) / 7), b = 0.5 * std::sqrt((3 + s) / 7),
                   w = std::sqrt(30.0) / 72;
      return {{0.5 - b, 0.25 - w}, {0.5 - a, 0.25 + w}, {0.5 + a, 0.25 + w}, {0.5 + b, 0.25 - w}};
    }
    default: {
      const double s = 2 * std::sqrt(10.0 / 7), a = std::sqrt(5 - s) / 6, b = std::sqrt(5 + s) / 6,
                   w = 13 * std::sqrt(70.0) / 1800;
      return {{0.5 - b, 322.0 / 1800 - w},
              {0.5 - a, 322.0 / 1800 + w},
              {0.5, 64.0 / 225},
              {0.5 + a, 322.0 / 1800 + w},
              {0.5 + b, 322.0 / 1800 - w}};
    }
  }
}

AncfShape ancf_shape(AncfVector v, bool at_end, double xi, double L) {
  switch (v) {
    case AncfVector::r:
      return at_end ? AncfShape{xi * xi * (3 - 2 * xi), 6 * xi * (1 - xi) / L, (6 - 12 * xi) / (L * L)}
                    : AncfShape{1 - xi * xi * (3 - 2 * xi), -6 * xi * (1 - xi) / L, (12 * xi - 6) / (L * L)};
    case AncfVector::rx:
      return at_end ? AncfShape{L * xi * xi * (xi - 1), xi * (3 * xi - 2), (6 * xi - 2) / L}
                    : AncfShape{L * xi * (1 - xi) * (1 - xi), (1 - xi) * (1 - 3 * xi), (6 * xi - 4) / L};
    default: return at_end ? AncfShape{xi, 1 / L, 0} : AncfShape{1 - xi, -1 / L, 0};
  }
}

}  // namespace skyhook::flexible
