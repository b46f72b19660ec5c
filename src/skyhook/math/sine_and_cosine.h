// Sine and cosine of one angle at once, inlined into loops over joints, where a call into the library costs more than the formulas.
//
// The nearest multiple of pi/2 is taken away in three parts, of which the products with its number are exact (Cody and Waite); what is left, with
// its rounding error, goes into the polynomials of fdlibm (Sun Microsystems 1993, k_sin.c and k_cos.c: s below x^13, c below x^14). Both are within one unit of the last
// place. Large angles, and what is no number, are left to the library.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace skyhook {

struct SineAndCosine {
  double s, c;
};

inline SineAndCosine sine_and_cosine(double x) {
  constexpr double largest = 1e5;  // its number of quarter turns has 16 bits, the parts below 33
  if (!(std::abs(x) <= largest)) return {std::sin(x), std::cos(x)};
  constexpr double magic =
      6755399441055744.0;  // 1.5 * 2^52: what is added to it becomes a whole number in its last bits
  constexpr double per_quarter = 6.36619772367581382433e-01;
  constexpr double part1 = 1.57079632673412561417e+00, part2 = 6.07710050630396597660e-11,
                   part3 = 2.02226624879595063154e-21;
  const double shifted = x * per_quarter + magic, n = shifted - magic;
  const auto quarter = std::bit_cast<std::uint64_t>(shifted);
  const double a = x - n * part1, b = n * part2, r = a - b;
  const double rest = ((a - r) - b) - n * part3, y = r + rest, tail = (r - y) + rest;

  const double z = y * y, v = z * y;
  const double of_s =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 +
           z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const double s = y - ((z * (0.5 * tail - v * of_s) - tail) - v * -1.66666666666666324348e-01);
  const double of_c = z * (4.16666666666666019037e-02 +
                           z * (-1.38888888888741095749e-03 +
                                z * (2.48015872894767294178e-05 +
                                     z * (-2.75573143513906633035e-07 +
                                          z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half = 0.5 * z, w = 1.0 - half;
  const double c = w + (((1.0 - w) - half) + (z * of_c - y * tail));

  const bool is_odd = (quarter & 1) != 0;
  const auto signed_by = [](double value, std::uint64_t bit) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ (bit << 63));
  };
  return {signed_by(is_odd ? c : s, quarter >> 1 & 1), signed_by(is_odd ? s : c, (quarter + 1) >> 1 & 1)};
}

}  // namespace skyhook
