#include "skyhook/element/rail/strip_creep.h"

#include <cmath>
#include <numbers>

namespace skyhook::element::rail {

double mean_flexibility(const Creep<double>& c, const KalkerCoefficients& table, double shear) {
  const CreepCoefficients<double> C = table.at(c.a, c.b);
  const double mean = std::sqrt(c.a * c.b);
  const double L1 = 8 * c.a / (3 * shear * C.C11), L2 = 8 * c.a / (3 * shear * C.C22),
               L3 = std::numbers::pi * c.a * c.a / (4 * shear * mean * C.C23);
  const double x = std::abs(c.x), y = std::abs(c.y), turn = std::abs(c.spin) * mean;
  const double size = std::sqrt(x * x + y * y + turn * turn);
  return size > 0 ? (x * L1 + y * L2 + turn * L3) / size : L1;
}

CreepForce<double> strip_force(const GapGrid& g, const HalfSpaceContact& contact, double scale, const Creep<double>& c,
                               double flexibility) {
  constexpr int parts = 8;  // of a cell
  const double step = g.dx / parts, area = step * g.dy;
  CreepForce<double> sum{0, 0, 0};
  for (int k = 0; k < g.ny; ++k) {
    const double y = g.y(k) - contact.y;
    const auto pressure = [&](double at) {  // between the middles of cells
      const int i = static_cast<int>(std::floor(at));
      const auto of = [&](int m) {
        return m < 0 || m >= g.nx ? 0.0 : contact.pressure[static_cast<std::size_t>(m + k * g.nx)];
      };
      return scale * (of(i) + (at - i) * (of(i + 1) - of(i)));
    };
    double tx = 0, ty = 0;                     // traction on the wheel
    for (int n = g.nx * parts; n >= 0; --n) {  // from the leading edge on
      const double at = static_cast<double>(n) / parts - 0.5, x = g.x0 + at * g.dx - contact.x;
      tx -= (c.x - c.spin * y) * step / flexibility;
      ty -= (c.y + c.spin * x) * step / flexibility;
      const double bound = c.friction * pressure(at), size = std::hypot(tx, ty);
      if (size > bound) tx *= bound / size, ty *= bound / size;
      sum.x += tx * area, sum.y += ty * area, sum.moment += (x * ty - y * tx) * area;
    }
  }
  return sum;
}

}  // namespace skyhook::element::rail
