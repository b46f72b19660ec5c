#include "skyhook/math/fft.h"

#include <cassert>
#include <numbers>
#include <utility>

namespace skyhook {
namespace {

template <class Complex>
void reverse_bits(std::vector<Complex>& x) {
  for (std::size_t i = 1, j = 0; i < x.size(); ++i) {
    std::size_t bit = x.size() >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
}

void combine(const std::complex<double>& root, std::complex<double>& even, std::complex<double>& odd) {
  const std::complex<double> turned = root * odd;
  odd = even - turned;
  even += turned;
}
void combine(const std::complex<double>& root, ComplexLanes& even, ComplexLanes& odd) {
  const Lanes c(root.real()), s(root.imag());
  const ComplexLanes turned{c * odd.real - s * odd.imag, c * odd.imag + s * odd.real};
  odd = {even.real - turned.real, even.imag - turned.imag};
  even.real += turned.real, even.imag += turned.imag;
}

// Cooley and Tukey 1965, decimation in time. Each factor is computed afresh: products of roots would add up rounding.
template <class Complex>
void transform_each(std::vector<Complex>& x) {
  assert(power_of_two_from(x.size()) == x.size());
  reverse_bits(x);
  for (std::size_t half = 1; half < x.size(); half *= 2) {
    for (std::size_t k = 0; k < half; ++k) {
      const std::complex<double> root =
          std::polar(1.0, -std::numbers::pi * static_cast<double>(k) / static_cast<double>(half));
      for (std::size_t i = k; i < x.size(); i += 2 * half) combine(root, x[i], x[i + half]);
    }
  }
}

}  // namespace

std::size_t power_of_two_from(std::size_t n) {
  std::size_t power = 1;
  while (power < n) power *= 2;
  return power;
}

void transform(std::vector<std::complex<double>>& x) { transform_each(x); }
void transform(std::vector<ComplexLanes>& x) { transform_each(x); }

}  // namespace skyhook
