// References: the spectra that are asked for, by the chi-square of an independent estimate (as for random roads, see road/iso8608.test.cpp),
// the polynomial form in which ERRI's are published too, and differences.
#include "skyhook/element/track_irregularity.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "skyhook/element/source.testing.h"
#include "skyhook/element/track_spectrum.h"
#include "skyhook/math/fft.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;
using model::IrregularityChoice;

namespace {

IrregularityChoice random_choice(const char* spectrum, int seed) {
  IrregularityChoice c;
  c.spectrum = spectrum, c.seed = seed, c.length = 2048, c.begin = -1000;
  return c;
}

double value_of(const model::Deviations& d, Deviation which) {
  return (which == Deviation::gauge       ? d.gauge
          : which == Deviation::alignment ? d.alignment
          : which == Deviation::level     ? d.level
                                          : d.cross_level)[0];
}

std::vector<std::complex<double>> waves(const model::Irregularity& track, Deviation which, double length) {
  const std::size_t n = 1 << 13;
  std::vector<std::complex<double>> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = value_of(track.at(length * static_cast<double>(i) / static_cast<double>(n)), which);
  transform(x);
  for (auto& z : x) z = 2.0 * std::conj(z) / static_cast<double>(n);
  return x;
}

// Standard deviations that chi-square is off (Wilson and Hilferty).
double off(double chi_square, double freedoms) {
  const double part = 2 / (9 * freedoms);
  return (std::cbrt(chi_square / freedoms) - (1 - part)) / std::sqrt(part);
}

}  // namespace

TEST_CASE("The spectra of ERRI are those of their polynomial form, and FRA's fall as the fourth power") {
  const auto over_omega = [](const TrackSpectrum& s, Deviation which, double omega) {
    return s.at(which, omega / (2 * std::numbers::pi)) / (2 * std::numbers::pi);
  };
  const TrackSpectrum low("erri_low"), high("erri_high"), fra("fra_5");
  for (const double o : {0.05, 0.2, 1.0, 3.0}) {
    const double below = 0.00028855 + 0.6803895 * o * o + o * o * o * o;
    CHECK(over_omega(low, Deviation::alignment, o) == Approx(1.440846e-7 / below).epsilon(1e-5));
    CHECK(over_omega(low, Deviation::level, o) == Approx(2.741619e-7 / below).epsilon(1e-5));
    CHECK(over_omega(high, Deviation::alignment, o) == Approx(4.164787e-7 / below).epsilon(1e-5));
    CHECK(over_omega(high, Deviation::level, o) == Approx(7.343623e-7 / below).epsilon(1e-5));
    // The angle of the track is the cross-level over 1.5 m; its density has A over the square of 0.75 m.
    CHECK(over_omega(low, Deviation::cross_level, o) / (1.5 * 1.5) ==
          Approx(4.032e-7 / 0.5625 * 0.8246 * 0.8246 * o * o /
                 ((o * o + 0.0206 * 0.0206) * (o * o + 0.8246 * 0.8246) * (o * o + 0.438 * 0.438)))
              .epsilon(1e-12));
    CHECK(over_omega(fra, Deviation::level, o) ==
          Approx(0.25 * 0.2095e-4 * 0.8245 * 0.8245 / (o * o * (o * o + 0.8245 * 0.8245))).epsilon(1e-12));
    CHECK(over_omega(fra, Deviation::gauge, o) ==
          Approx(0.2095e-4 * 0.8245 * 0.8245 / ((o * o + 0.8245 * 0.8245) * (o * o + 0.8209 * 0.8209))).epsilon(1e-12));
  }
}

TEST_CASE("The spectrum of each irregularity is within its confidence band in every octave") {
  for (const char* name : {"erri_low", "erri_high", "fra_4", "fra_6"}) {
    const TrackSpectrum spectrum(name);
    for (int seed = 1; seed <= 3; ++seed) {
      const auto track = make_irregularity(random_choice(name, seed));
      for (const Deviation which : all_deviations) {
        const auto z = waves(*track, which, 2048);
        // From 100 m to 3 m: 20.48 to 682.7 waves in 2048 m.
        for (std::size_t first = 21; first < 683; first *= 2) {
          const std::size_t last = std::min<std::size_t>(2 * first, 683);
          double sum = 0;
          for (std::size_t k = first; k < last; ++k)
            sum += std::norm(z[k]) / (spectrum.at(which, static_cast<double>(k) / 2048) / 2048);
          CAPTURE(name);
          CAPTURE(first);
          CHECK(std::abs(off(sum, 2.0 * static_cast<double>(last - first))) < 4);
        }
        for (std::size_t k = 1; k < 20; ++k) CHECK(std::abs(z[k]) < 1e-12);
      }
    }
  }
}

TEST_CASE("Irregularities come in smoothly, are the same for a seed, and their derivatives are those of differences") {
  IrregularityChoice c = random_choice("erri_high", 7);
  c.begin = 50, c.fade = 20;
  const auto track = make_irregularity(c), again = make_irregularity(c), mirrored = make_irregularity(c, -1);
  c.seed = 8;
  const auto other = make_irregularity(c);
  CHECK(track->at(49).level[0] == 0);
  CHECK(track->at(300).level[0] == again->at(300).level[0]);
  CHECK(track->at(300).level[0] != other->at(300).level[0]);
  CHECK(mirrored->at(300).alignment[0] == -track->at(300).alignment[0]);
  CHECK(mirrored->at(300).cross_level[0] == -track->at(300).cross_level[0]);
  CHECK(mirrored->at(300).gauge[0] == track->at(300).gauge[0]);
  for (const double s : {55.0, 63.0, 71.0, 500.3}) {
    const double h = 1e-4;
    const auto here = track->at(s).alignment, ahead = track->at(s + h).alignment, behind = track->at(s - h).alignment;
    CHECK(std::abs((ahead[0] - behind[0]) / (2 * h) - here[1]) < 1e-9);
    CHECK(std::abs((ahead[1] - behind[1]) / (2 * h) - here[2]) < 1e-7);
  }
}

TEST_CASE("Measured irregularities go through their rows with a smooth curve, and add to those by chance") {
  IrregularityChoice c;
  c.begin = -100, c.fade = 1;
  std::vector<double> s, z;
  for (int k = 0; k <= 40; ++k) s.push_back(0.5 * k), z.push_back(0.002 * std::sin(0.5 * k));
  c.level = table(s, z);
  const auto track = make_irregularity(c);
  for (const double x : {3.0, 7.25, 12.5}) {
    CHECK(track->at(x).level[0] == Approx(0.002 * std::sin(x)).epsilon(2e-4));
    CHECK(track->at(x).level[1] == Approx(0.002 * std::cos(x)).epsilon(3e-3));
  }
  CHECK(track->at(5).gauge[0] == 0);
  CHECK_THROWS_AS(make_irregularity(IrregularityChoice{}), ModelError);
  IrregularityChoice longer = random_choice("erri_low", 1);
  longer.length = 50;
  CHECK_THROWS_AS(make_irregularity(longer), ModelError);
}

// References: the values beside derivatives, which other tests hold to spectra and differences.
TEST_CASE("Deviations without derivatives are those with them") {
  IrregularityChoice random = random_choice("erri_low", 2);
  random.begin = 20, random.fade = 30;
  const auto track = make_irregularity(random);
  for (const double s : {-5.0, 20.0, 31.7, 50.0, 800.3, 5000.1}) {
    const model::Deviations d = track->at(s);
    const Lanes v = track->values(s);
    for (const Deviation which : all_deviations) CHECK(v[static_cast<int>(which)] == value_of(d, which));
  }
}
