#include "skyhook/element/rail/strip_creep.h"

#include <cmath>
#include <numbers>

namespace skyhook::element::rail {

CreepForce<double> strip_force(const GapGrid& g, const HalfSpaceContact& contact, double scale, const Creep<double>& c,
                               const Flexibilities<double>& flexibility, double shear) {
  constexpr int parts = 8;  // of a cell
  const double step = g.dx / parts, area = step * g.dy, stiff = shear * step;
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
      tx -= (c.x / flexibility.x - c.spin * y / flexibility.spin) * stiff;
      ty -= (c.y / flexibility.y + c.spin * x / flexibility.spin) * stiff;
      const double bound = c.friction * pressure(at), size = std::hypot(tx, ty);
      if (size > bound) tx *= bound / size, ty *= bound / size;
      sum.x += tx * area, sum.y += ty * area, sum.moment += (x * ty - y * tx) * area;
    }
  }
  return sum;
}

}  // namespace skyhook::element::rail
