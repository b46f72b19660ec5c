#include "skyhook/element/rail/hertz.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "skyhook/math/hermite.h"
#include "skyhook/math/lanes.h"

namespace skyhook::element::rail {

// The arithmetic-geometric mean: K = pi/(2 M), (K - E)/K = sum 2^(n-1) c_n^2 with c_0^2 = m; D as that sum without its common factor m.
Elliptic elliptic(double m) {
  double a = 1.0, g = std::sqrt(1.0 - m), scale = 0.5, sum = 0.5;  // of c_n^2 / m
  double c = 0.5 * m / (1.0 + g);                                  // c_1 = (a_0 - g_0)/2
  while (true) {
    const double mean = 0.5 * (a + g);
    g = std::sqrt(a * g), a = mean, scale *= 2.0;
    sum += scale * (m > 0.0 ? c * (c / m) : 0.0);
    if (std::abs(c) < 1e-9 * a) break;  // the next is its square
    c = c * c / (4.0 * 0.5 * (a + g));
  }
  const double K = 0.5 * std::numbers::pi / (0.5 * (a + g)), D = K * sum;
  return {K, D, K - D};
}

namespace {

// The ellipse whose longer semi-axis lies where the curvature is smaller. t = ln(long/short) >= 0 solves ln(B/A) = r(t),
// r = ln(B_m / D) + 2 t, which is (17.3). With K' = B_m/(2 (1 - m)) and E' = -D/2: m D' = K' - D/2, m B_m' = K/2 - B_m.
struct Slender {
  double t, slope;  // dt/dr
  Elliptic at;
  double m, dD, dB, dK;
};

Slender at_ratio(double t) {
  Slender s{};
  s.t = t;
  const double rest = std::exp(-2.0 * t);  // 1 - m
  s.m = -std::expm1(-2.0 * t);
  s.at = elliptic(s.m);
  const auto& [K, D, B] = s.at;
  s.dK = B / (2.0 * rest);
  constexpr double small = 1e-3, quarter = std::numbers::pi / 4;
  if (s.m < small) {  // hypergeometric series, the next term is below rounding of the quotients
    s.dD = quarter * (3.0 / 8.0 + s.m * (15.0 / 32.0 + s.m * 0.5126953125));
    s.dB = quarter * (1.0 / 8.0 + s.m * (3.0 / 32.0 + s.m * 0.0732421875));
  } else {
    s.dD = (s.dK - 0.5 * D) / s.m;
    s.dB = (0.5 * K - B) / s.m;
  }
  const double dm = 2.0 * rest;  // dm/dt
  s.slope = 1.0 / ((s.dB / B - s.dD / D) * dm + 2.0);
  return s;
}

double residual(const Slender& s, double r) { return std::log(s.at.B / s.at.D) + 2.0 * s.t - r; }

// Newton's method from the power law b/a = (A/B)^0.63: r(t) is monotone and nearly straight, so that it converges from anywhere.
Slender from_afar(double r) {
  Slender s = at_ratio(0.63 * r);
  for (int i = 0; i < 30; ++i) {
    const double step = residual(s, r) * s.slope;
    s = at_ratio(std::max(0.0, s.t - step));
    if (std::abs(step) < 1e-12) break;
  }
  return s;
}

// Where Newton's method begins: cubics between t and dt/dr at equal distances of r leave 1e-7, which one step makes rounding.
class Start {
 public:
  Start() {
    for (int i = 0; i <= count; ++i) {
      const Slender s = from_afar(i * width);
      nodes_[static_cast<std::size_t>(i)] = {i * width, s.t, s.slope};
    }
  }
  bool covers(double r) const { return r < count * width; }
  double operator()(double r) const {
    const auto i = static_cast<std::size_t>(r / width);
    return hermite(nodes_[i], nodes_[i + 1], r);
  }

 private:
  static constexpr int count = 96;
  static constexpr double width = 0.125;  // up to r = 12: semi-axes of 1 to 1000
  std::array<HermiteNode, count + 1> nodes_{};
};

// Nearly: t is still 1e-7 off.
Slender begun(double r) {
  static const Start start;
  return start.covers(r) ? at_ratio(start(r)) : from_afar(r);
}
double last_step(const Slender& s, double r) { return std::max(-s.t, -residual(s, r) * s.slope); }

Slender slender(double r) {
  const Slender s = begun(r);
  return at_ratio(s.t + last_step(s, r));
}

// What a patch has of r: (D/K)^(1/2), short over long semi-axis, 1/K. Newton's polynomials through eight points of Chebyshev's in cells of r: the nearest singularity
// is pi away (B = -A), so that 2 (width/(8 pi))^8 = 2e-16 is left.
class Shapes {
 public:
  Shapes() {
    for (std::size_t j = 0; j < points; ++j)
      at_[j] = std::cos(std::numbers::pi * (static_cast<double>(j) + 0.5) / points);
    for (std::size_t i = 0; i < count; ++i) {
      Cell& cell = cells_[i];
      for (std::size_t j = 0; j < points; ++j) cell[j] = exact(width * (static_cast<double>(i) + 0.5 + 0.5 * at_[j]));
      for (std::size_t order = 1; order < points; ++order) {  // divided differences
        for (std::size_t j = points - 1; j >= order; --j)
          cell[j] = (cell[j] - cell[j - 1]) / Lanes(at_[j] - at_[j - order]);
      }
    }
  }
  static bool covers(double r) { return r < count * width; }
  Lanes operator()(double r) const {
    const double place = r / width;
    const auto i = static_cast<std::size_t>(place);
    const double u = 2.0 * (place - static_cast<double>(i)) - 1.0;
    Lanes sum = cells_[i][points - 1];
    for (std::size_t j = points - 1; j-- > 0;) sum = sum * Lanes(u - at_[j]) + cells_[i][j];
    return sum;
  }

 private:
  static constexpr std::size_t points = 8, count = 48;
  static constexpr double width = 0.125;  // up to r = 6: semi-axes of 1 to 35
  using Cell = std::array<Lanes, points>;
  static Lanes exact(double r) {
    const Slender s = slender(r);
    return {std::sqrt(s.at.D / s.at.K), std::exp(-s.t), 1.0 / s.at.K, 0.0};
  }
  std::array<double, points> at_{};
  std::array<Cell, count> cells_{};
};

}  // namespace

// a^2 = approach D/(K A), N = 2 pi E* a approach / (3 K) with a the longer axis; derivatives through m(B/A).
HertzShape<Dual<2>> hertz_slopes(double A, double B, const Elastic& of) {
  using D2 = Dual<2>;
  const bool is_along = A <= B;  // the longer axis is x
  const D2 low = is_along ? D2::variable(A, 0) : D2::variable(B, 1);
  const D2 high = is_along ? D2::variable(B, 1) : D2::variable(A, 0);
  const D2 r = log(high / low);
  const Slender s = slender(r.v);
  const D2 t = r.chain(s.t, s.slope);
  const double dm = 2.0 * (1.0 - s.m);
  const D2 K = t.chain(s.at.K, s.dK * dm), D = t.chain(s.at.D, s.dD * dm);
  const D2 along = sqrt(D / (K * low)), across = along * exp(-t);
  const D2 stiffness = D2(2.0 / 3.0 * std::numbers::pi * of.effective()) * along / K;
  return is_along ? HertzShape<D2>{along, across, stiffness} : HertzShape<D2>{across, along, stiffness};
}

HertzShape<double> hertz_shape(double A, double B, const Elastic& of) {
  static const Shapes shapes;
  const double low = std::min(A, B), r = std::log(std::max(A, B) / low);
  if (!Shapes::covers(r)) {
    const HertzShape<Dual<2>> f = hertz_slopes(A, B, of);
    return {f.a.v, f.b.v, f.stiffness.v};
  }
  const Lanes f = shapes(r);
  const double along = f[0] / std::sqrt(low), across = along * f[1];
  const double stiffness = 2.0 / 3.0 * std::numbers::pi * of.effective() * along * f[2];
  return A <= B ? HertzShape<double>{along, across, stiffness} : HertzShape<double>{across, along, stiffness};
}

}  // namespace skyhook::element::rail
