#include "skyhook/analysis/sweep.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "skyhook/base/error.h"

using namespace skyhook;
using namespace skyhook::analysis;

namespace {

using Values = std::vector<double>;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

bool refused(const std::string& text, const std::string& why) {
  const std::string message = message_of([&] { parse_sweep(text); });
  if (message.find(why) == std::string::npos) MESSAGE(text << " gives: " << message);
  return message.find(why) != std::string::npos;
}

}  // namespace

TEST_CASE("Ranges hold their end where a step hits it up to rounding") {
  CHECK(parse_sweep("k=20..40:5").values == Values{20, 25, 30, 35, 40});
  CHECK(parse_sweep("k=20..39:5").values == Values{20, 25, 30, 35});
  // 3 * 0.1 and 1 / 0.1 are not exact in binary; the values are those that a person would write.
  CHECK(parse_sweep("k=0..1:0.1").values == Values{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1});
  CHECK(parse_sweep("k=2..-1:-1.5").values == Values{2, 0.5, -1});
  CHECK(parse_sweep("k = 1e3..3e3:1e3").values == Values{1000, 2000, 3000});
  CHECK(parse_sweep("k=1..1:1").values == Values{1});
  CHECK(parse_sweep("k=20..40/9").values == Values{20, 22.5, 25, 27.5, 30, 32.5, 35, 37.5, 40});
}

TEST_CASE("Lists and units") {
  CHECK(parse_sweep("k=20,30,-50").values == Values{20, 30, -50});
  const SweepAxis axis = parse_sweep("k=20..40:5 kN/m");
  CHECK(axis.name == "k");
  CHECK(axis.unit == "kN/m");
  CHECK(axis.text(1) == "25 kN/m");
  CHECK(parse_sweep("k=20 kN/m..40 kN/m:5 kN/m").values == axis.values);
  CHECK(parse_sweep("k=20 kN/m..40 kN/m:5000 N/m").values == axis.values);
  CHECK(parse_sweep("k=20..40/5 kN/m").values == axis.values);
  CHECK(parse_sweep("k=20 kN/m..40 kN/m/5").values == axis.values);
  CHECK(parse_sweep("l=1,2.5 mm").text(1) == "2.5 mm");
  CHECK(parse_sweep("k=0.1").text(0) == "0.1");
}

TEST_CASE("What makes no sense is refused with a reason") {
  CHECK(refused("k", "no NAME="));
  CHECK(refused("=1", "no NAME="));
  CHECK(refused("k=", "no values"));
  CHECK(refused("k=1,,2", "is no number"));
  CHECK(refused("k=a", "is no number"));
  CHECK(refused("k=1..2", "needs a step"));
  CHECK(refused("k=1..2:", "is no number"));
  CHECK(refused("k=..2:1", "is no number"));
  CHECK(refused("k=1...2:1", "ambiguous"));
  CHECK(refused("k=1..2:0", "step is 0"));
  CHECK(refused("k=1..2:-1", "leads away"));
  CHECK(refused("k=2..1:1", "leads away"));
  CHECK(refused("k=1..2/1", "at least 2"));
  CHECK(refused("k=1..2/99999999999999999999", "more than 100000"));
  CHECK(refused("k=0..1:1e-9", "more than 100000"));
  CHECK(refused("k=0..1:1e-320", "more than 100000"));
  CHECK(refused("k=1 kg..2 m:1", "do not measure the same"));
  CHECK(refused("k=1 zz,2", "zz"));
  CHECK(refused("k=20 kN/m, 30000, 40000 N/m", "some have none"));
  CHECK(refused("k=20 kN/m..40:5000 N/m", "some have none"));
  CHECK(refused("k=1e999", "is no number"));
}

TEST_CASE("The grid is the product; the last axis changes fastest") {
  const Grid grid({parse_sweep("a=1,2"), parse_sweep("b=10..30:10 N")});
  REQUIRE(grid.size() == 6);
  CHECK(grid.at(4) == std::vector<std::size_t>{1, 1});
  CHECK(grid.settings(5) == std::vector<std::pair<std::string, std::string>>{{"a", "2"}, {"b", "30 N"}});
  CHECK(message_of([] {
          Grid({parse_sweep("a=1..1000:1"), parse_sweep("b=1..101:1")});
        }).find("more than 100000") != std::string::npos);
  CHECK(message_of([] { Grid({parse_sweep("a=1"), parse_sweep("a=2")}); }).find("twice") != std::string::npos);
}

TEST_CASE("The pool answers in order for any number of threads, and goes on after failures") {
  for (unsigned jobs : {1u, 2u, 7u}) {
    std::size_t calls = 0;
    const auto results = run_points(100,
                                    [](std::size_t k) -> PointResult {
                                      if (k == 13) throw std::runtime_error("bad luck");
                                      return {simulation::RunStatus::finished, "", {std::sqrt(static_cast<double>(k))}};
                                    },
                                    {jobs, [&](std::size_t done) { CHECK(done == ++calls); }});
    CHECK(calls == 100);
    for (std::size_t k = 0; k < 100; ++k) {
      REQUIRE(results[k]);
      if (k == 13)
        CHECK(results[k]->reason == "bad luck");
      else
        CHECK(results[k]->measures[0] == std::sqrt(static_cast<double>(k)));
    }
  }
  CHECK(run_points(0, {}).empty());
}

TEST_CASE("Any number of jobs runs all points, on at most 256 threads") {
  std::atomic<int> now = 0, most = 0;
  const auto results = run_points(2000,
                                  [&](std::size_t) {
                                    const int here = ++now;
                                    for (int m = most; here > m && !most.compare_exchange_weak(m, here);) {}
                                    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // for threads to gather
                                    --now;
                                    return PointResult{simulation::RunStatus::finished};
                                  },
                                  {.jobs = 50000});
  CHECK(std::all_of(results.begin(), results.end(),
                    [](const auto& r) { return r && r->status == simulation::RunStatus::finished; }));
  CHECK(most <= 256);
}

TEST_CASE("A stop keeps what is finished") {
  std::atomic<bool> stop = false;
  const auto results =
      run_points(1000, [](std::size_t) { return PointResult{simulation::RunStatus::finished}; },
                 {2, [&](std::size_t done) { stop = stop || done == 10; }, [&] { return stop.load(); }});
  const auto kept = std::count_if(results.begin(), results.end(), [](const auto& r) { return r.has_value(); });
  CHECK(kept >= 10);
  CHECK(kept <= 12);  // each of the two threads may have been in a point
}
