#include "skyhook/element/random_road.h"

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

// A sum of cubic B-splines at even steps, periodic: two continuous derivatives.
struct PeriodicSpline final : model::Relief, model::Grained {
  PeriodicSpline(std::vector<double> of, double l)
      : coefficients(std::move(of)), length(l), step(l / static_cast<double>(coefficients.size())) {}
  std::vector<double> coefficients;
  double length, step;

  model::Bend at(double x, double /*y*/) const override {
    if (!std::isfinite(x)) return unknown_bend();
    const double turns = x / length, s = (turns - std::floor(turns)) * static_cast<double>(coefficients.size());
    const auto n = coefficients.size(), k = std::min(static_cast<std::size_t>(s), n - 1);
    const double t = s - static_cast<double>(k), r = 1 - t;
    const double c[4] = {coefficients[(k + n - 1) & (n - 1)], coefficients[k], coefficients[(k + 1) & (n - 1)],
                         coefficients[(k + 2) & (n - 1)]};
    const double b = 3 * t * t * (t - 2) + 4, d = 3 * r * r * (r - 2) + 4;
    return {.value = (r * r * r * c[0] + b * c[1] + d * c[2] + t * t * t * c[3]) / 6,
            .x = (-r * r * c[0] + t * (3 * t - 4) * c[1] - r * (3 * r - 4) * c[2] + t * t * c[3]) / (2 * step),
            .xx = (r * c[0] + (3 * t - 2) * c[1] + (3 * r - 2) * c[2] + t * c[3]) / (step * step)};
  }
  double grain() const override { return 2 * step; }  // of which there are eight to sixteen in the shortest wave
  Span span() const override { return {0, length}; }
};

// The waves z_k = a_k + i b_k, as coefficients of a spline that has their sum at its nodes.
std::shared_ptr<const model::Relief> sum_of(std::vector<std::complex<double>> waves, double length) {
  const auto n = static_cast<double>(waves.size());
  for (std::size_t k = 0; k < waves.size(); ++k)
    waves[k] *= 3 / (2 + std::cos(2 * std::numbers::pi * static_cast<double>(k) / n));
  transform(waves);
  std::vector<double> coefficients;
  for (const std::complex<double>& c : waves) coefficients.push_back(c.real());
  return std::make_shared<PeriodicSpline>(std::move(coefficients), length);
}

}  // namespace

double RoadSpectrum::at(double n) const {
  return n >= first && n <= last ? roughness * std::pow(n / n0, -waviness) : 0.0;
}

double roughness_of(char degree) { return 16e-6 * std::pow(4.0, degree - 'A'); }

std::shared_ptr<const model::Relief> random_waves(const DensityOfWaves& density, WaveBand band, double length,
                                                  std::uint64_t seed) {
  const std::size_t nodes = power_of_two_from(static_cast<std::size_t>(std::ceil(8 * band.last * length)));
  std::vector<std::complex<double>> waves(nodes);
  Normal normal{seed};
  for (std::size_t k = 1; k < nodes / 2; ++k) {
    const double n = static_cast<double>(k) / length;
    if (n >= band.first && n <= band.last) waves[k] = std::sqrt(density(n) / length) * normal.pair();
  }
  return sum_of(std::move(waves), length);
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
