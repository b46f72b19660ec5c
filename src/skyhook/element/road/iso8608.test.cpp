// References: the spectrum that is asked for, as chi-square of an independent estimate (samples of the road, transformed); differences.
//
// A Gaussian process of period L, sampled over L, has independent amplitudes: the sum of M powers over their expectations is chi-square with
// 2 M degrees of freedom. Its cube root is nearly normal (Wilson and Hilferty): the number of standard deviations off is checked below 4,
// which one of 16 000 bands exceeds by chance.
#include "skyhook/element/road/iso8608.h"

#include <complex>

#include "skyhook/element/random_road.h"
#include "skyhook/element/road_check.testing.h"
#include "skyhook/math/fft.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

namespace {

// z_k with h = sum of Re(z_k exp(-2 pi i k x/L)), from samples along y = side.
std::vector<std::complex<double>> waves(const model::Surface& s, double length, double side) {
  const std::size_t n = 1 << 16;
  std::vector<std::complex<double>> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = s.height(length * static_cast<double>(i) / static_cast<double>(n), side).value;
  transform(x);
  for (auto& z : x) z = 2.0 * std::conj(z) / static_cast<double>(n);
  return x;
}

double deviations(double chi_square, double freedoms) {
  const double part = 2 / (9 * freedoms);
  return (std::cbrt(chi_square / freedoms) - (1 - part)) / std::sqrt(part);
}

Iso8608 road(int seed) {
  Iso8608 r;
  r.seed = seed, r.length = 1000, r.wavelengths = {0.25, 100};
  return r;
}

struct Band {
  std::size_t first, last;
};
// Octaves, in waves of a road of 1000 m.
std::vector<Band> octaves() {
  std::vector<Band> all;
  for (std::size_t k = 10; k < 4000; k *= 2) all.push_back({k, std::min<std::size_t>(2 * k, 4000)});
  return all;
}

}  // namespace

TEST_CASE("The spectrum of a class is within its confidence band in every octave, on both tracks") {
  for (const char degree : {'A', 'C', 'H'}) {
    for (int seed = 1; seed <= 4; ++seed) {
      Iso8608 r = road(seed);
      r.degree = std::string(1, degree);
      const auto s = surface_of(r);
      for (const double side : {0.75, -0.75}) {
        const auto z = waves(*s, r.length, side);
        for (const Band& band : octaves()) {
          double sum = 0;
          for (std::size_t k = band.first; k < band.last; ++k) {
            const double n = static_cast<double>(k) / r.length;
            const double density = roughness_of(degree) * std::pow(n / 0.1, -2);
            sum += std::norm(z[k]) / (density / r.length);
          }
          CAPTURE(band.first);
          CHECK(std::abs(deviations(sum, 2.0 * static_cast<double>(band.last - band.first))) < 4);
        }
        for (std::size_t k = 1; k < 10; ++k) CHECK(std::abs(z[k]) < 1e-12);  // longer than the longest
      }
    }
  }
}

TEST_CASE("Waviness and roughness are those that are given, and classes are four times as rough each") {
  CHECK(roughness_of('A') == Approx(16e-6));
  CHECK(roughness_of('C') == Approx(256e-6));
  CHECK(roughness_of('H') == Approx(262144e-6));
  Iso8608 r = road(3);
  r.roughness = 1e-4, r.waviness = 2.5, r.tracks = 1;
  const auto s = surface_of(r);
  CHECK_FALSE(s->varies_across());
  const auto z = waves(*s, r.length, 0);
  for (const Band& band : octaves()) {
    double sum = 0;
    for (std::size_t k = band.first; k < band.last; ++k)
      sum += std::norm(z[k]) / (1e-4 * std::pow(static_cast<double>(k) / r.length / 0.1, -2.5) / r.length);
    CHECK(std::abs(deviations(sum, 2.0 * static_cast<double>(band.last - band.first))) < 4);
  }
}

// The estimate of a correlation g from 2 M pairs scatters by (1 - g^2)/sqrt(2 M).
TEST_CASE("The two tracks are coherent as exp(-c n): long waves alike, short ones not") {
  for (const double c : {0.0, 0.5, 1.5, 5.0}) {
    Iso8608 r = road(11);
    r.coherence = c;
    const auto s = surface_of(r);
    const auto left = waves(*s, r.length, 0.75), right = waves(*s, r.length, -0.75);
    for (const Band& band : octaves()) {
      double cross = 0, l = 0, rr = 0, expected = 0;
      for (std::size_t k = band.first; k < band.last; ++k) {
        const double n = static_cast<double>(k) / r.length, weight = n * n;  // makes all waves count alike
        cross += weight * (left[k] * std::conj(right[k])).real();
        l += weight * std::norm(left[k]), rr += weight * std::norm(right[k]);
        expected += std::exp(-c * n);
      }
      const auto m = static_cast<double>(band.last - band.first);
      expected /= m;
      const double scatter = (1 - expected * expected) / std::sqrt(2 * m);
      CHECK(std::abs(cross / std::sqrt(l * rr) - expected) <= 4 * scatter + 1e-9);
    }
  }
}

TEST_CASE("A random road is smooth, repeats after its length, and the same seed makes the same road") {
  const auto s = surface_of(road(1)), again = surface_of(road(1)), other = surface_of(road(2));
  // the third derivative jumps at the nodes, 15 mm apart: a difference across leaves h times half its jump
  check_bends(*s, {0, 1000, -1, 1}, 1e-6, 1e-3);
  double worst = 0;
  for (double x = 0; x < 1000; x += 7.3) {
    CHECK(s->height(x, 0.2).value == again->height(x, 0.2).value);
    CHECK(s->height(x + 1000, 0.2).value == Approx(s->height(x, 0.2).value).epsilon(1e-9));
    worst = std::max(worst, std::abs(s->height(x, 0.2).value - other->height(x, 0.2).value));
  }
  CHECK(worst > 0.01);
}

TEST_CASE("A random road refuses bands that do not fit its length") {
  Iso8608 r = road(1);
  r.wavelengths = {1};
  CHECK(refused_field(r) == "wavelengths");
  r.wavelengths = {0.2, 2000};
  CHECK(refused_field(r) == "length");
  r = road(1);
  r.length = 1e7;
  CHECK(refused_field(r) == "length");
}
