// References: sines, whose middles are known; rates that are right, and rates with as much added as a fast motion has that the samples do not show.
#include "skyhook/simulation/rate_trial.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace skyhook;
using simulation::RateTrial;

namespace {

// Channels 1 and 3 of four are asked for: a sine with twelve samples a period and one with fifteen; the others are no numbers.
struct Run {
  RateTrial trial;
  std::mt19937 random{1};
  long looks = 0, middles = 0;
  double noise = 0;  // of rates of the first, times its largest rate
  int k = 0;

  Run() { trial.begin({1, 3}); }
  static double w(int channel) { return 2 * M_PI / (channel == 1 ? 12 : 15); }
  static std::vector<double> values(double t) {
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    return {unknown, std::sin(w(1) * t), unknown, 5 + std::cos(w(3) * t)};
  }
  std::vector<double> rates(double t) {
    const double off = noise * std::normal_distribution<>()(random);
    return {0, w(1) * (std::cos(w(1) * t) + off), 0, -w(3) * std::sin(w(3) * t)};
  }
  void samples(int count) {
    for (int end = k + count; k < end; ++k) {
      if (trial.wants_middle()) {
        const double middle = trial.middle_before(k);
        CHECK(middle == k - 0.5);
        trial.take_middle(middle, values(middle)), ++middles;
        CHECK_FALSE(trial.wants_middle());
      }
      looks += trial.wants_rates();
      trial.take(k, values(k), trial.wants_rates() ? CSpan(rates(k)) : CSpan());
    }
  }
};

}  // namespace

// Differences miss the middle of these sines by nine times as much as exact rates, 9/384 and 1/384 of the fourth derivative.
TEST_CASE("Rate trial: rates that are right are worth their price, and few middles are looked at") {
  Run run;
  run.samples(2000);
  CHECK(run.looks == 2000);
  CHECK(run.middles < 120);
  CHECK(run.middles > 40);
}

// Both channels must do without: one whose rates are right keeps them all.
TEST_CASE("Rate trial: rates of one channel that are noise do not decide for another") {
  Run run;
  run.noise = 1;
  run.samples(500);
  CHECK(run.looks == 500);
}

TEST_CASE("Rate trial: rates that are further off than differences are left out, until they are right again") {
  Run run;
  run.trial.begin({1});
  run.noise = 1;
  run.samples(2000);
  CHECK(run.looks < 120);  // 16, and 8 of each 264 when it is sure
  run.noise = 0;
  run.samples(1000);  // what was found before weighs less and less
  const long looks = run.looks;
  run.samples(100);
  CHECK(run.looks == looks + 100);
}

TEST_CASE("Rate trial: nothing is compared over an event, and nobody looks without an end") {
  Run run;
  run.noise = 1;
  for (int event = 0; event < 300; ++event) run.trial.restart(), run.samples(2);
  CHECK(run.looks == 600);  // nothing speaks against them
  CHECK(run.middles < 100);
}

TEST_CASE("Rate trial: channels that stand still ask for nothing") {
  RateTrial trial;
  trial.begin({0});
  long looks = 0;
  const std::vector<double> value{7}, rate{1e-12};
  for (int k = 0; k < 1000; ++k) {
    if (trial.wants_middle()) trial.take_middle(trial.middle_before(k), value);
    looks += trial.wants_rates();
    trial.take(k, value, trial.wants_rates() ? CSpan(rate) : CSpan());
  }
  CHECK(looks < 100);
}
