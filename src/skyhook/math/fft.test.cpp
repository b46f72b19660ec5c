#include "skyhook/math/fft.h"

#include <doctest/doctest.h>

#include <array>
#include <numbers>
#include <random>

using namespace skyhook;
using Complex = std::complex<double>;

TEST_CASE("The transform is the sum that defines it") {
  std::mt19937 random(3);
  std::normal_distribution<> normal;
  for (const std::size_t n : {1u, 2u, 8u, 64u}) {
    std::vector<Complex> x(n);
    for (Complex& value : x) value = {normal(random), normal(random)};
    std::vector<Complex> y = x;
    transform(y);
    for (std::size_t k = 0; k < n; ++k) {
      Complex sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        sum += x[i] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * i) / static_cast<double>(n));
      CHECK(std::abs(y[k] - sum) < 1e-12);  // rounding of 64 terms of size 1
    }
  }
}

TEST_CASE("Four at once are transformed as each by itself") {
  std::mt19937 random(5);
  std::normal_distribution<> normal;
  std::array<std::vector<Complex>, 4> each;
  std::vector<ComplexLanes> four(32);
  for (int i = 0; i < 4; ++i) {
    auto& x = each[static_cast<std::size_t>(i)];
    for (ComplexLanes& to : four) {
      x.emplace_back(normal(random), normal(random));
      to.real.set(i, x.back().real()), to.imag.set(i, x.back().imag());
    }
    transform(x);
  }
  transform(four);
  for (std::size_t k = 0; k < four.size(); ++k) {
    for (int i = 0; i < 4; ++i)
      CHECK(std::abs(each[static_cast<std::size_t>(i)][k] - Complex(four[k].real[i], four[k].imag[i])) < 1e-14);
  }
}

TEST_CASE("The next power of two") {
  CHECK(power_of_two_from(1) == 1);
  CHECK(power_of_two_from(1000) == 1024);
  CHECK(power_of_two_from(1024) == 1024);
}
