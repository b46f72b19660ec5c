#include "skyhook/element/random_road.h"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "skyhook/element/unknown_bend.h"
#include "skyhook/math/fft.h"
#include "skyhook/model/grain.h"

namespace skyhook::element {
namespace {

// The standard library leaves open how its distributions draw; this does not. A step by the golden ratio, mixed by two multiplications
// (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014), and Box and Muller's pairs.
struct Normal {
  std::uint64_t state;
  double uniform() {  // above 0, at most 1
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (static_cast<double>((z ^ (z >> 31)) >> 11) + 1.0) * 0x1p-53;
  }
  std::complex<double> pair() {
    const double size = std::sqrt(-2 * std::log(uniform()));
    return std::polar(size, 2 * std::numbers::pi * uniform());
  }
};

// A sum of cubic B-splines at even steps, periodic: two continuous derivatives. T: one sum, or four at once.
template <class T>
struct PeriodicSpline {
  const std::vector<T>& coefficients;
  double length, step;

  // The place in its cell, and the four coefficients that reach there.
  struct Cell {
    double t;
    std::array<T, 4> c;
  };
  Cell cell(double x) const {
    const double turns = x / length, s = (turns - std::floor(turns)) * static_cast<double>(coefficients.size());
    const auto n = coefficients.size(), k = std::min(static_cast<std::size_t>(s), n - 1);
    return {s - static_cast<double>(k),
            {coefficients[(k + n - 1) & (n - 1)], coefficients[k], coefficients[(k + 1) & (n - 1)],
             coefficients[(k + 2) & (n - 1)]}};
  }
  static T value(const Cell& at) {
    const double t = at.t, r = 1 - t;
    const double b = 3 * t * t * (t - 2) + 4, d = 3 * r * r * (r - 2) + 4;
    return (T(r * r * r) * at.c[0] + T(b) * at.c[1] + T(d) * at.c[2] + T(t * t * t) * at.c[3]) / T(6.0);
  }
  T slope(const Cell& at) const {
    const double t = at.t, r = 1 - t;
    return (T(-r * r) * at.c[0] + T(t * (3 * t - 4)) * at.c[1] - T(r * (3 * r - 4)) * at.c[2] + T(t * t) * at.c[3]) /
           T(2 * step);
  }
  T curvature(const Cell& at) const {
    const double t = at.t, r = 1 - t;
    return (T(r) * at.c[0] + T(3 * t - 2) * at.c[1] + T(3 * r - 2) * at.c[2] + T(t) * at.c[3]) / T(step * step);
  }
};

struct RandomRelief final : model::Relief, model::Grained {
  RandomRelief(std::vector<double> of, double l) : coefficients(std::move(of)), length(l) {}
  std::vector<double> coefficients;
  double length;

  model::Bend at(double x, double /*y*/) const override {
    if (!std::isfinite(x)) return unknown_bend();
    const PeriodicSpline<double> spline{coefficients, length, length / static_cast<double>(coefficients.size())};
    const auto cell = spline.cell(x);
    return {.value = spline.value(cell), .x = spline.slope(cell), .xx = spline.curvature(cell)};
  }
  double grain() const override {
    return 2 * length / static_cast<double>(coefficients.size());
  }  // of which there are eight to sixteen in the shortest wave
  Span span() const override { return {0, length}; }
};

// Of the wave k of n: by so much a spline through its nodes flattens it.
double sharpened(std::size_t k, std::size_t n) {
  return 3 / (2 + std::cos(2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)));
}

// The waves z_k = a_k + i b_k, as coefficients of a spline that has their sum at its nodes.
std::shared_ptr<const model::Relief> sum_of(std::vector<std::complex<double>> waves, double length) {
  for (std::size_t k = 0; k < waves.size(); ++k) waves[k] *= sharpened(k, waves.size());
  transform(waves);
  std::vector<double> coefficients;
  for (const std::complex<double>& c : waves) coefficients.push_back(c.real());
  return std::make_shared<RandomRelief>(std::move(coefficients), length);
}

}  // namespace

double RoadSpectrum::at(double n) const {
  return n >= first && n <= last ? roughness * std::pow(n / n0, -waviness) : 0.0;
}

double roughness_of(char degree) { return 16e-6 * std::pow(4.0, degree - 'A'); }

Lanes FourWaves::value(double x) const {
  const PeriodicSpline<Lanes> spline{coefficients, length, step};
  return std::isfinite(x) ? spline.value(spline.cell(x)) : Lanes(std::nan(""));
}
FourWaves::Bend FourWaves::at(double x) const {
  if (!std::isfinite(x)) return {std::nan(""), std::nan(""), std::nan("")};
  const PeriodicSpline<Lanes> spline{coefficients, length, step};
  const auto cell = spline.cell(x);
  return {spline.value(cell), spline.slope(cell), spline.curvature(cell)};
}

FourWaves random_waves(const DensityOfWaves& density, WaveBand band, double length, std::uint64_t seed) {
  const std::size_t nodes = power_of_two_from(static_cast<std::size_t>(std::ceil(8 * band.last * length)));
  std::vector<ComplexLanes> waves(nodes);
  std::array<Normal, 4> normal{};
  for (std::size_t i = 0; i < 4; ++i) normal[i].state = seed + i;
  for (std::size_t k = 1; k < nodes / 2; ++k) {
    const double n = static_cast<double>(k) / length;
    if (!(n >= band.first && n <= band.last)) continue;
    const double sharper = sharpened(k, nodes);
    for (int i = 0; i < 4; ++i) {
      const std::complex<double> wave =
          std::sqrt(density(i, n) / length) * normal[static_cast<std::size_t>(i)].pair() * sharper;
      waves[k].real.set(i, wave.real()), waves[k].imag.set(i, wave.imag());
    }
  }
  transform(waves);
  FourWaves out{{}, length, length / static_cast<double>(nodes)};
  out.coefficients.reserve(nodes);
  for (const ComplexLanes& c : waves) out.coefficients.push_back(c.real);
  return out;
}

RandomTracks random_tracks(const RoadSpectrum& spectrum, double length, double coherence, unsigned seed) {
  const std::size_t nodes = power_of_two_from(static_cast<std::size_t>(std::ceil(8 * spectrum.last * length)));
  std::vector<std::complex<double>> left(nodes), right(nodes);
  Normal normal{seed};
  for (std::size_t k = 1; k < nodes / 2; ++k) {
    const double n = static_cast<double>(k) / length, density = spectrum.at(n);
    if (density == 0.0) continue;
    const double size = std::sqrt(density / length), common = std::exp(-coherence * n);
    const std::complex<double> one = normal.pair(), other = normal.pair();
    left[k] = size * one;
    right[k] = size * (common * one + std::sqrt(1 - common * common) * other);
  }
  return {sum_of(std::move(left), length), sum_of(std::move(right), length)};
}

}  // namespace skyhook::element
