// References: the functions themselves, at every sample.
#include "skyhook/simulation/thinned_samples.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace skyhook;
using simulation::ThinnedSamples;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A run of `count` samples 0.01 s apart, `samples` of them a step, whose rows are (q, the function, its rate); q = sin t.
struct Series {
  std::function<double(double)> f;
  double tolerance = 1e-4, samples = 5;
  std::function<double(double)> q = [](double t) { return std::sin(t); };
  int count = 600;

  std::vector<double> time, value, rate;
  std::vector<bool> solved;
  double largest_error = 0;  // of what came from the curve

  long run() {
    ThinnedSamples thinned;
    thinned.begin(tolerance, {.groups = {0, 1}, .states = 1, .all = 3, .rated = 1, .rates = 1});
    const auto row_at = [&](double t) { return std::vector{q(t), f(t), 0.0}; };
    const auto take = [&](const ThinnedSamples::Sample& s, CSpan row, double slope) {
      time.push_back(s.t), value.push_back(row[1]), rate.push_back(slope), solved.push_back(s.is_solved);
      const double error = std::isnan(row[1]) && std::isnan(f(s.t)) ? 0.0 : std::abs(row[1] - f(s.t));
      if (!s.is_solved && !(error <= largest_error)) largest_error = error;
    };
    const auto solve = [&](ThinnedSamples::Sample& s, CSpan) { return s.row = row_at(s.t), true; };
    const auto give = [&](const ThinnedSamples::Sample& s, CSpan row, CSpan rates) { take(s, row, rates[0]); };
    for (int k = 0; k < count; ++k) {
      const double t = 0.01 * k;
      const long steps = std::lround(std::floor(k / samples));
      const bool is_last = std::lround(std::floor((k + 1) / samples)) > steps;
      const bool is_node = thinned.wants_node(is_last), is_now = !thinned.is_thinning();
      ThinnedSamples::Sample& s = thinned.add(t, t);
      s.q = {q(t)}, s.v = {};
      if (!is_node) {
        thinned.take_left_out();
        continue;
      }
      s.row = row_at(t);
      if (is_now) s.is_solved = true, take(s, s.row, not_a_number);
      thinned.take_node(steps, 0);
      REQUIRE(thinned.settle(solve, give, false));
    }
    REQUIRE(thinned.settle(solve, give, true));
    CHECK_FALSE(thinned.is_pending());
    REQUIRE(time.size() == static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) CHECK(time[static_cast<std::size_t>(k)] == 0.01 * k);  // each once, in order
    return thinned.taken();
  }
};

}  // namespace

TEST_CASE("Of a smooth function most samples are taken from the curve, within the tolerance of its range") {
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    Series s{.f = [](double t) { return 3 * std::sin(2 * t); }, .tolerance = tolerance, .samples = 20};
    const long taken = s.run();
    CAPTURE(tolerance);
    CAPTURE(taken);
    CHECK(s.largest_error <= tolerance * 6);
    CHECK(taken >= 430);  // of 600; the first ones and one in eight are solved
    // Rates by the same curve: an error e of the values, h apart, is one of about e / h.
    for (std::size_t k = 0; k < s.time.size(); ++k) {
      if (std::isfinite(s.rate[k])) CHECK(std::abs(s.rate[k] - 6 * std::cos(2 * s.time[k])) <= tolerance * 6 / 0.01);
    }
  }
}

TEST_CASE("At tight tolerances, or where steps are as short as samples are apart, all are solved") {
  Series tight{.f = [](double t) { return std::sin(20 * t); }, .tolerance = 1e-12};
  CHECK(tight.run() == 0);
  Series short_steps{.f = [](double t) { return t; }, .samples = 0.5};
  CHECK(short_steps.run() == 0);
}

TEST_CASE("Of a polynomial of degree five the curve says all but rounding") {
  Series s{.f = [](double t) { return 1 + t * (2 - t * (1 + t * (0.5 - t * (0.1 + 0.02 * t)))); }, .tolerance = 1e-8};
  CHECK(s.run() > 300);
  CHECK(s.largest_error < 1e-11);
}

// 0.1 of a jump is far over the tolerance: what is nearest to it is solved.
TEST_CASE("Jumps, corners and noise are not smeared") {
  Series jump{.f = [](double t) { return t < 3.333 ? std::sin(t) : std::sin(t) + 1; }};
  CHECK(jump.run() > 300);
  CHECK(jump.largest_error <= 2 * jump.tolerance * 3);
  Series corner{.f = [](double t) { return std::abs(t - 3.333); }};
  CHECK(corner.run() > 300);
  CHECK(corner.largest_error <= 2 * corner.tolerance * 3.4);
  Series noise{.f = [](double t) { return std::sin(1e9 * t); }};
  CHECK(noise.run() == 0);
  Series gap{.f = [](double t) { return t > 2 && t < 4 ? not_a_number : std::sin(t); }};
  CHECK(gap.run() > 300);
  CHECK(gap.largest_error <= gap.tolerance * 2);  // and not NaN
}

// Between two nodes, where no check of the rows can see it: the integrator has it in its states.
TEST_CASE("What the states of the integrator show between nodes is seen") {
  const auto pulse = [](double t) { return std::sin(t) + 0.5 * std::exp(-std::pow((t - 3.335) / 0.008, 2)); };
  Series s{.f = pulse, .q = pulse};
  CHECK(s.run() > 300);
  CHECK(s.largest_error <= 2e-2);
}

// Weights of a curve add up to one but for rounding.
TEST_CASE("What stands still stays as it is to the last digit") {
  Series s{.f = [](double) { return 0.1; }};
  CHECK(s.run() > 400);
  CHECK(s.largest_error == 0);
}
