// Reference: the same steps recorded twice as densely, whose samples lie in the middles. Where rates were left out the curve with differences must be as near to these as a line is for
// forces that pass faster than the samples show, and far nearer for what is smooth.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/math/hermite.h"
#include "skyhook/math/unresolved_rates.h"

using namespace skyhook;

namespace {

struct Recorded : simulation::MemorySink {
  std::vector<std::vector<double>> rates;  // by sample
  void sample(const simulation::Sample& s) override {
    MemorySink::sample(s);
    rates.emplace_back(s.channel_rates.begin(), s.channel_rates.end());
  }
  std::vector<double> column(const std::vector<std::vector<double>>& rows, int k) const {
    std::vector<double> out;
    for (const auto& row : rows) out.push_back(row[static_cast<std::size_t>(k)]);
    return out;
  }
};

Recorded record(double tolerance, double until, double output_step) {
  const auto loaded = testing::load("rail/manchester/erri_low", {.experiment = "ride",
                                                                 .set = {{"creep", "fastsim_table"}},
                                                                 .tolerance = tolerance,
                                                                 .until = until,
                                                                 .output_step = output_step});
  Recorded out;
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  simulation::simulate(prepared, loaded.experiment, out, loaded.options);
  return out;
}

// Root mean squares over the middles, of the curve and of a line.
struct Off {
  double curve = 0, line = 0;
};
Off off_in_middles(const Recorded& few, const Recorded& many, const std::string& channel) {
  const int k = few.find(channel);
  REQUIRE(k >= 0);
  const std::vector<double> x = few.column(few.channels, k), all = many.column(many.channels, k);
  std::vector<double> v = few.column(few.rates, k);
  fill_unknown_rates(few.time, x, v);
  Off out;
  const double n = static_cast<double>(x.size() - 1);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    REQUIRE(few.time[i] == doctest::Approx(many.time[2 * i]));
    const double truth = all[2 * i + 1], line = 0.5 * (x[i] + x[i + 1]) - truth;
    const double t = 0.5 * (few.time[i] + few.time[i + 1]);
    const double curve = hermite({few.time[i], x[i], v[i]}, {few.time[i + 1], x[i + 1], v[i + 1]}, t) - truth;
    out.curve += curve * curve / n, out.line += line * line / n;
  }
  return {std::sqrt(out.curve), std::sqrt(out.line)};
}

}  // namespace

TEST_CASE("Rates left out: of a rough motion in long steps, and the curve is no worse for it") {
  const Recorded few = record(1e-3, 3, 5e-3), many = record(1e-3, 3, 2.5e-3);
  CHECK(few.summary.cost.steps == many.summary.cost.steps);
  CHECK(few.summary.without_rates > few.summary.recorded / 2);
  for (const std::string channel : {"coach.front.lateral_acceleration", "coach.front.az"}) {
    const Off off = off_in_middles(few, many, channel);
    MESSAGE(channel << ": " << off.curve << ", by lines " << off.line);
    CHECK(off.curve < 0.5 * off.line);
  }
  for (const std::string channel : {"coach.front.front.left.Y", "coach.front.rear.right.Y", "coach.front.front.left.Q",
                                    "coach.rear.rear.right.Q"}) {
    const Off off = off_in_middles(few, many, channel);
    MESSAGE(channel << ": " << off.curve << ", by lines " << off.line);
    CHECK(off.curve < 1.1 * off.line);
  }
}

// Eleven samples a period are too few for differences, and the motion of one spring is all that there is: its rates are right.
TEST_CASE("Rates left out: none where they are right") {
  const auto loaded = testing::load_text(R"yaml(skyhook: 1
bodies: {block: {mass: 1}}
joints: {slide: {type: prismatic, from: ground, to: block, axis: x, displacement: 0.1}}
forces: {spring: {type: spring_damper, joint: slide, stiffness: 100}}
outputs: [block.ax, spring.force]
experiments: {e: {until: 20, output_step: 57 ms, tolerance: 1e-8, solver: bdf}}
)yaml");
  Recorded run;
  simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, run, loaded.options);
  CHECK(run.summary.recorded == 352);
  CHECK(run.summary.without_rates == 0);
  const std::vector<double> a = run.column(run.channels, 0), rate = run.column(run.rates, 0);
  for (std::size_t k = 0; k < a.size(); ++k)
    CHECK(rate[k] == doctest::Approx(10 * std::sin(10 * run.time[k]) * 10).scale(100).epsilon(1e-4));
}
