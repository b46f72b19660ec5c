// Roads by chance with a given spectrum: a Gaussian process of period L, as a cubic spline of even steps.
//
//   h(x) = sum over k of a_k cos(2 pi k x/L) + b_k sin(2 pi k x/L),   a_k, b_k normal with variance G(k/L)/L
//
// G(n) = roughness (n/n0)^-waviness from `first` to `last`, 0 elsewhere: one-sided, n in waves per metre, n0 = 0.1/m [ISO 8608].
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "skyhook/math/lanes.h"
#include "skyhook/model/relief.h"

namespace skyhook::element {

struct RoadSpectrum {
  static constexpr double n0 = 0.1;
  double roughness = 256e-6, waviness = 2;  // m^3
  double first = 0.01, last = 5;            // 1/m
  double at(double n) const;
};

// The geometric mean of a class, A to H.
double roughness_of(char degree);

constexpr double most_waves = 500'000;

// Four of them over one way x, with other densities over the waves per metre n from `first` to `last`, one-sided.
struct WaveBand {
  double first, last;  // 1/m
};
struct FourWaves {
  std::vector<Lanes> coefficients;
  double length, step;

  Lanes value(double x) const;
  struct Bend {
    Lanes value, slope, curvature;
  };
  Bend at(double x) const;
};
// The seeds are `seed` and the three behind it.
using DensityOfWaves = std::function<double(int which, double n)>;
FourWaves random_waves(const DensityOfWaves& density, WaveBand band, double length, std::uint64_t seed);

struct RandomTracks {
  std::shared_ptr<const model::Relief> left, right;
};
// Their cross spectrum is exp(-coherence n) times that of each; the same seed makes the same road on every machine, to rounding.
RandomTracks random_tracks(const RoadSpectrum& spectrum, double length, double coherence, unsigned seed);

}  // namespace skyhook::element
