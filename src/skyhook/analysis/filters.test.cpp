// References: the standards' tabulated factors; exact solutions of linear filters under steps and sines; Parseval.
#include "skyhook/analysis/filters.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/base/error.h"

using namespace skyhook;
using namespace skyhook::analysis;
using doctest::Approx;

namespace {

constexpr double pi = std::numbers::pi;

Signal sine(double f, double step, double until, bool with_rates = true) {
  Signal s;
  s.name = "a", s.unit = "m/s^2";
  const double w = 2 * pi * f;
  for (int k = 0; k * step <= until * (1 + 1e-12); ++k) {
    const double t = k * step;
    s.x.push_back(t), s.y.push_back(std::sin(w * t));
    if (with_rates) s.rate.push_back(w * std::cos(w * t));
  }
  return s;
}

// 0 before t = 1, 1 after it, on uneven samples.
Signal unit_step() {
  Signal s;
  s.unit = "m";
  for (const double t : {0.0, 0.3, 1.0}) s.x.push_back(t), s.y.push_back(0);
  for (double t = 1, h = 0.01; t < 4; t += h, h *= 1.07) s.x.push_back(t), s.y.push_back(1);
  s.rate.assign(s.x.size(), 0.0);
  return s;
}

}  // namespace

// The tables have three decimals at nominal frequencies, some of them cut off instead of rounded (Wk at 16 Hz is 0.7687, the table has 0.768):
// less than one unit of the third digit is what they can tell.
TEST_CASE("Weightings have the standards' tabulated factors to the third digit") {
  struct Row {
    double f, factor;
  };
  for (const Row& r : {Row{0.5, 0.418}, {1, 0.482}, {2, 0.531}, {4, 0.967}, {8, 1.036}, {16, 0.768}, {31.5, 0.405}})
    CHECK(std::abs(std::abs(response(weighting("Wk"), r.f)) - r.factor) < 0.001);
  for (const Row& r : {Row{0.5, 0.853}, {1, 1.011}, {2, 0.890}, {4, 0.512}, {8, 0.253}, {16, 0.125}})
    CHECK(std::abs(std::abs(response(weighting("Wd"), r.f)) - r.factor) < 0.001);
  CHECK_THROWS_AS(weighting("Wx"), ModelError);
}

TEST_CASE(
    "Butterworth filters are 3 dB down at their cut-off, flat in the pass band, and fall by 6 dB an octave and order") {
  for (int order = 1; order <= 8; ++order) {
    const Filter low = butterworth(order, Pass::low, 10), high = butterworth(order, Pass::high, 10);
    CHECK(std::abs(response(low, 10)) == Approx(std::sqrt(0.5)).epsilon(1e-12));
    CHECK(std::abs(response(high, 10)) == Approx(std::sqrt(0.5)).epsilon(1e-12));
    for (const double f : {1.0, 5.0, 30.0})  // |H|^2 = 1/(1 + (f/fc)^2n)
      CHECK(std::norm(response(low, f)) == Approx(1 / (1 + std::pow(f / 10, 2 * order))).epsilon(1e-12));
    CHECK(std::abs(response(high, 20)) == Approx(std::abs(response(low, 5))).epsilon(1e-12));
  }
  const Filter band = butterworth(4, Pass::band, 1, 100);
  CHECK(std::abs(response(band, 10)) == Approx(1).epsilon(1e-4));
}

// Piecewise constant input is one that the steps integrate exactly: nothing but rounding is left, whatever the lengths of the steps.
TEST_CASE("A step through filters is the exact solution, on uneven samples") {
  const double w = 2 * pi * 1.5;
  const Signal u = unit_step();
  const Signal first = filtered(butterworth(1, Pass::low, 1.5), u),
               second = filtered(butterworth(2, Pass::low, 1.5), u);
  const Signal high = filtered(butterworth(2, Pass::high, 1.5), u), third = filtered(butterworth(3, Pass::low, 1.5), u);
  for (std::size_t k = 0; k < u.x.size(); ++k) {
    const double t = u.x[k] - 1, s = w * t / std::sqrt(2.0), is_on = u.y[k];
    CHECK(std::abs(first.y[k] - (t <= 0 ? 0 : 1 - std::exp(-w * t))) < 1e-13);
    CHECK(std::abs(second.y[k] - (t <= 0 ? 0 : 1 - std::exp(-s) * (std::cos(s) + std::sin(s)))) < 1e-13);
    CHECK(std::abs(high.y[k] - is_on * (t < 0 ? 0 : std::exp(-s) * (std::cos(s) - std::sin(s)))) < 1e-13);
    // (s^2 + w s + w^2)(s + w): by partial fractions
    const double p = std::sqrt(3.0) / 2 * w * t;
    const double exact = 1 - std::exp(-w * t) - 2 / std::sqrt(3.0) * std::exp(-w * t / 2) * std::sin(p);
    CHECK(std::abs(third.y[k] - (t <= 0 ? 0 : exact)) < 1e-13);
    if (t > 0) CHECK(std::abs(first.rate[k] - w * std::exp(-w * t)) < 1e-12);
  }
}

// The cubic through values and rates of a sine has its amplitude but for (w h)^4/720, the mean of s^2 (1-s)^2/24: once where the filter
// takes the samples for a curve, and once where rms takes its output for one.
TEST_CASE("A sine through a filter comes out with the rms and the phase of the transfer function") {
  for (const char* name : {"Wk", "Wd", "Wc"}) {
    const Filter filter = weighting(name);
    for (const double step : {0.01, 0.005}) {
      const Signal y = filtered(filter, sine(5, step, 20));
      const Signal settled = part(y, 10, 20);
      const double error = std::abs(rms(settled) / (std::abs(response(filter, 5)) / std::sqrt(2.0)) - 1);
      CHECK(error == Approx(2 * std::pow(2 * pi * 5 * step, 4) / 720).epsilon(0.05));
      const double phase = std::arg(response(filter, 5));
      CHECK(settled.at(15) == Approx(std::abs(response(filter, 5)) * std::sin(2 * pi * 5 * 15 + phase)).epsilon(1e-3));
    }
  }
}

TEST_CASE("Without rates a filter takes the line through the samples: a sine is weaker by the square of the sinc") {
  const Filter low = butterworth(4, Pass::low, 2);  // leaves nothing of the corners of the line
  const Signal y = filtered(low, sine(1, 0.05, 20, false));
  const double x = pi * 0.05;
  CHECK(rms(part(y, 10, 20)) ==
        Approx(std::abs(response(low, 1)) * std::pow(std::sin(x) / x, 2) / std::sqrt(2.0)).epsilon(1e-4));
}

TEST_CASE("An offset makes no transient, and a filter of zero phase delays nothing and squares the gain") {
  Signal u = sine(2, 0.005, 20);
  for (double& y : u.y) y += 9.81;
  const Filter low = butterworth(2, Pass::low, 3);
  const Signal y = filtered(low, u, Direction::zero_phase);
  const double gain = std::norm(response(low, 2));
  for (const double t : {8.03, 10.0, 12.1}) CHECK(y.at(t) == Approx(9.81 + gain * std::sin(4 * pi * t)).epsilon(1e-5));
  CHECK(filtered(weighting("Wk"), u).y.front() == Approx(0).epsilon(1e-12));
  CHECK(rms(part(filtered(weighting("Wd"), u), 10, 20)) ==
        Approx(std::abs(response(weighting("Wd"), 2)) / std::sqrt(2.0)).epsilon(1e-5));
}

// Parseval for a transient: the energy of the filter's answer to a short pulse is the integral of |H|^2 |U|^2 over frequency. The pulse is a
// cubic spline, whose transform is known: U = (sin x/x)^4 with x = pi f w for the B-spline of four intervals of width w and area 1.
TEST_CASE("The energy of a weighted pulse is that of its spectrum") {
  const double w = 0.02;
  const auto spline = [&](double s) {  // B-spline of order 4 on 0..4
    const auto plus = [](double x) { return x > 0 ? x * x * x : 0.0; };
    return (plus(s) - 4 * plus(s - 1) + 6 * plus(s - 2) - 4 * plus(s - 3) + plus(s - 4)) / 6;
  };
  const auto slope = [&](double s) {
    const auto plus = [](double x) { return x > 0 ? x * x : 0.0; };
    return (plus(s) - 4 * plus(s - 1) + 6 * plus(s - 2) - 4 * plus(s - 3) + plus(s - 4)) / 2;
  };
  Signal u;
  for (int k = 0; k <= 8000; ++k) {  // knots are samples: the cubic between them is the spline itself
    const double s = k / 10.0;
    u.x.push_back(s * w), u.y.push_back(s <= 4 ? spline(s) / w : 0), u.rate.push_back(s <= 4 ? slope(s) / (w * w) : 0);
  }
  for (const char* name : {"Wk", "Wd", "Wc"}) {
    const Signal y = filtered(weighting(name), u);
    const double in_time = integral_of(y, [](double v) { return v * v; });
    double in_frequency = 0;
    const double df = 0.01;
    for (double f = df / 2; f < 150; f += df) {
      const double x = pi * f * w;
      in_frequency += 2 * df * std::norm(response(weighting(name), f)) * std::pow(std::sin(x) / x, 8);
    }
    CHECK(in_time == Approx(in_frequency).epsilon(1e-5));
  }
}
