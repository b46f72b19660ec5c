#include "skyhook/analysis/verdict.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace skyhook;
using namespace skyhook::analysis;

namespace {

ComparedRun run(const std::string& solver, double tolerance, double error, double seconds, long evaluations = 100) {
  ComparedRun r{.solver = solver, .tolerance = tolerance, .status = "finished", .error = {error, 10 * error}};
  r.cost.seconds = seconds, r.cost.residuals = evaluations;
  return r;
}

Comparison comparison(std::vector<ComparedRun> runs, double reference_error = 1e-12) {
  Comparison c;
  c.reference.error = {reference_error, reference_error};
  c.runs = std::move(runs);
  return c;
}

}  // namespace

TEST_CASE("Verdict: on a power law the interpolation in logarithms is exact") {
  // seconds = 2 error^(-1/3), evaluations = 100 error^(-1/2): straight lines in logarithms.
  std::vector<ComparedRun> runs;
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    const double error = 50 * std::pow(tolerance, 0.8);
    runs.push_back(run("a", tolerance, error, 2 * std::pow(error, -1.0 / 3), std::lround(1e6 / std::sqrt(error))));
  }
  const Verdict v = judge(comparison(runs), 1e-3);
  REQUIRE(v.solvers.size() == 1);
  CHECK(v.solvers[0].reach == Reach::interpolated);
  CHECK(v.solvers[0].seconds == doctest::Approx(20).epsilon(1e-12));
  CHECK(v.solvers[0].evaluations == doctest::Approx(1e6 / std::sqrt(1e-3)).epsilon(1e-6));  // they are whole numbers
  CHECK(v.solvers[0].slope == doctest::Approx(0.8).epsilon(1e-12));
  CHECK(v.solvers[0].ratio == 1);
}

TEST_CASE("Verdict: fastest first, those that do not reach the error last") {
  const Verdict v = judge(comparison({run("slow", 1e-3, 1e-4, 1), run("slow", 1e-5, 1e-6, 9), run("crude", 1e-3, 1, 1),
                                      run("crude", 1e-5, 1e-2, 2), run("fast", 1e-3, 1e-6, 0.5)}),
                          1e-5);
  REQUIRE(v.solvers.size() == 3);
  CHECK(v.solvers[0].solver == "fast");
  CHECK(v.solvers[0].reach == Reach::at_most);
  CHECK(v.solvers[0].seconds == doctest::Approx(0.5));
  CHECK(v.solvers[1].solver == "slow");
  CHECK(v.solvers[1].seconds == doctest::Approx(3));  // half way in logarithms
  CHECK(v.solvers[1].ratio == doctest::Approx(6));
  CHECK(v.solvers[2].reach == Reach::not_reached);
  CHECK(std::isnan(v.solvers[2].seconds));
  CHECK(v.solvers[2].best_error == 1e-2);
  CHECK(sentence(v) == "fast reaches an error of 1e-05 first; slow takes 6 times as long.");
}

TEST_CASE("Verdict: failed runs and errors of the reference do not count") {
  std::vector<ComparedRun> runs{run("a", 1e-3, 1e-2, 1), run("a", 1e-4, 1e-3, 2), run("a", 1e-5, 9e-4, 3),
                                run("b", 1e-3, std::nan(""), 1)};
  runs[2].at_limit = true;
  runs[3].status = "failed";
  const Verdict v = judge(comparison(runs), 1e-3);
  CHECK(v.solvers[0].slope == doctest::Approx(1));
  CHECK(v.solvers[1].solver == "b");
  CHECK(v.solvers[1].reach == Reach::not_reached);
  CHECK(std::isnan(v.solvers[1].best_error));
  CHECK(sentence(v) == "a reaches an error of 0.001, the others do not.");
  CHECK(sentence(judge(comparison(runs), 1e-7)) == "No solver reaches an error of 1e-07 here.");
  CHECK(judge(comparison({})).solvers.empty());
  CHECK(sentence(judge(comparison({}))).empty());
}

TEST_CASE("Verdict: the error that most solvers enclose, as far as the reference can tell it") {
  const std::vector<ComparedRun> runs{run("a", 1e-3, 1e-1, 1), run("a", 1e-9, 0.9e-9, 2), run("b", 1e-3, 2e-8, 1),
                                      run("b", 1e-9, 1e-10, 2)};
  CHECK(judge(comparison(runs)).error == doctest::Approx(1e-8));  // both; 1e-9 too, but it is farther from 1e-5
  CHECK(judge(comparison({runs[0], runs[1]})).error == doctest::Approx(1e-5));
  CHECK(judge(comparison({runs[0], runs[1]}, 1e-4)).error == doctest::Approx(1e-3));

  const Verdict too_much = judge(comparison({runs[0], runs[1]}, 1e-6), 1e-7);
  CHECK(too_much.beyond_reference);
  CHECK(sentence(too_much) == "The reference is not exact enough to tell an error of 1e-07.");
  CHECK(too_much.solvers[0].best_error == 1e-6);  // 0.9e-9 was measured, but nobody knows
}

TEST_CASE("Verdict: a run that is better than all tighter ones is luck and does not count") {
  // "lucky" hits 1e-7 at its loosest tolerance; its errors stay below 1e-5 only from the third run on.
  const std::vector<ComparedRun> runs{run("lucky", 1e-3, 1e-7, 1), run("lucky", 1e-4, 1e-4, 2),
                                      run("lucky", 1e-5, 1e-6, 8), run("steady", 1e-3, 1e-4, 1),
                                      run("steady", 1e-4, 1e-6, 4)};
  const Verdict v = judge(comparison(runs), 1e-5);
  CHECK(v.solvers[0].solver == "steady");
  CHECK(v.solvers[0].seconds == doctest::Approx(2));  // half way in logarithms
  CHECK(v.solvers[1].reach == Reach::interpolated);
  CHECK(v.solvers[1].seconds == doctest::Approx(4));  // between its second and its third run

  const Verdict finer = judge(comparison(runs), 2e-7);
  CHECK(finer.solvers[0].reach == Reach::not_for_sure);
  CHECK(std::isnan(finer.solvers[0].seconds));
  CHECK(finer.solvers[1].reach == Reach::not_reached);
  CHECK(sentence(finer) == "No solver reaches an error of 2e-07 here.");
}
