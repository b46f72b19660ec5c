// References: the sine and its derivative, and the bounds of the differences that the header derives.
#include "skyhook/simulation/sampled_rates.h"

#include <doctest/doctest.h>

#include <cmath>

using skyhook::simulation::SampledRates;

namespace {

// Samples of sin(w t) at steps of 1, from which on the rates are found, and how far they are off at most.
struct Followed {
  int first = -1, count = 0;
  double off = 0;
};
Followed follow(double w, int samples, SampledRates& rates) {
  Followed out;
  std::vector<double> values(1), found(1);
  for (int k = 0; k < samples; ++k) {
    values[0] = std::sin(w * k);
    if (!rates.find(k, values, 0, found)) continue;
    if (out.first < 0) out.first = k;
    ++out.count, out.off = std::max(out.off, std::abs(found[0] - w * std::cos(w * k)));
  }
  return out;
}

SampledRates of_one() {
  SampledRates rates;
  rates.begin({"N"}, {0});
  return rates;
}

}  // namespace

TEST_CASE("Sampled rates: what is resolved is followed from the eighth sample on, within the term left out") {
  SampledRates rates = of_one();
  const double w = 0.05;
  const Followed slow = follow(w, 400, rates);
  CHECK(slow.first == 7);
  CHECK(slow.count == 393);
  CHECK(slow.off < 1.5 * std::pow(w, 7) / 7);  // the next terms are by w smaller each
  CHECK(slow.off > 0.5 * std::pow(w, 7) / 7);
}

// 4/27 w^6/7 is below w^4/384 for w < 0.35.
TEST_CASE("Sampled rates: what is not resolved is left to others") {
  SampledRates well = of_one(), badly = of_one();
  const Followed fine = follow(0.3, 400, well), coarse = follow(0.7, 400, badly);
  CHECK(fine.count > 200);
  CHECK(4.0 / 27 * fine.off < std::pow(0.3, 4) / 384);
  CHECK(coarse.count == 0);
}

TEST_CASE("Sampled rates: uneven steps and restarts begin anew, a value that is no number spoils eight samples") {
  SampledRates rates = of_one();
  std::vector<double> values(1), found(1);
  const auto good = [&](double t, double value) { return values[0] = value, rates.find(t, values, 0, found); };
  for (int k = 0; k < 8; ++k) CHECK(good(k, 3.0 * k) == (k == 7));
  CHECK(found[0] == doctest::Approx(3).epsilon(1e-14));
  CHECK_FALSE(good(7.5, 22.5));
  for (int k = 1; k < 8; ++k) CHECK(good(7.5 + k, 22.5 + 3.0 * k) == (k == 7));
  rates.restart();
  for (int k = 0; k < 8; ++k) CHECK(good(20 + k, 3.0 * k) == (k == 7));
  CHECK_FALSE(good(28, std::nan("")));
  for (int k = 0; k < 8; ++k) CHECK(good(29 + k, 3.0 * (k + 9)) == (k == 7));
}

// A sine seen once a period stands still: the exact rate tells. Behind it, where it has decayed, they agree again.
TEST_CASE("Sampled rates: where exact rates disagree differences are not used until they have agreed eight times") {
  SampledRates rates = of_one();
  std::vector<double> values{1}, found(1);
  for (int k = 0; k < 10; ++k) CHECK(rates.find(k, values, 0, found) == (k > 6));
  rates.compare({0.0});
  CHECK(rates.find(10, values, 0, found));
  rates.compare({6.28});
  for (int k = 11; k < 30; ++k) {
    CHECK(rates.find(k, values, 0, found) == (k > 18));
    rates.compare({0.0});
  }
}

// Beside an energy of 1000 J that is exchanged the ways of a balance of 1 mJ are nothing.
TEST_CASE("Sampled rates: balances of energy count beside the energy that is exchanged") {
  for (const double exchanged : {0.0, 1000.0}) {
    SampledRates rates;
    rates.begin({"J"}, {0});
    std::vector<double> values(1), found(1);
    bool is_good = false;
    for (int k = 0; k < 20; ++k)
      values[0] = 1e-3 * std::sin(1.7 * k * k), is_good = rates.find(k, values, exchanged, found);
    CHECK(is_good == (exchanged > 0));
  }
}

// Beside a channel of its unit that moves by 1000 one that moves by 1e-6 may be noise.
TEST_CASE("Sampled rates: noise beside others of its unit does not count, alone it does") {
  for (const bool alone : {false, true}) {
    SampledRates rates;
    rates.begin({"N", alone ? "m" : "N"}, {0, 1});
    std::vector<double> values(2), found(2);
    bool is_good = false;
    for (int k = 0; k < 20; ++k) {
      values = {50.0 * k, 1e-6 * std::sin(1.7 * k * k)};
      is_good = rates.find(k, values, 0, found);
    }
    CHECK(is_good == !alone);
  }
}
