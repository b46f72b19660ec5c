// Functions of time alone, watched along steps of equal size. Reference: their zeros.
#include "skyhook/simulation/event_search.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/prepare.h"

using namespace skyhook;
using namespace skyhook::simulation;

namespace {

struct Searched {
  std::optional<double> found;
  long looks = 0;
};

// From 0 up to the first event or to 10, with steps of 0.1.
Searched search(const std::function<double(double t)>& function, EventSearch::Middle middle) {
  const auto p = prepare(formalism::testing::four_bar().model, {});
  const auto stays = [&](double, Span q, Span v) {
    std::ranges::copy(p.state.q, q.begin());
    std::ranges::copy(p.state.v, v.begin());
    return true;
  };
  Searched out;
  const auto watch = [&](const formalism::State& s, Span z) { return ++out.looks, z[0] = function(s.t), true; };
  EventSearch events({});
  events.begin(*p.active, 1, 0, middle);
  formalism::State start = p.state;
  start.t = 0;
  events.start(start, {0}, 0, watch);
  for (int k = 1; k <= 100 && !out.found; ++k) {
    if (const auto state = events.first(0.1 * k, {stays, stays}, watch)) out.found = state->t;
  }
  return out;
}

}  // namespace

TEST_CASE("Functions far from zero are looked at once a step, others in its middle too") {
  using enum EventSearch::Middle;
  const auto far = [](double t) { return 1 + 0.3 * std::sin(t); };
  const Searched seldom = search(far, where_needed), often = search(far, always);
  CHECK(!seldom.found);
  CHECK(!often.found);
  CHECK(seldom.looks < 110);
  CHECK(often.looks > 195);
  const auto near = [](double t) { return 0.01 + 0.009 * std::sin(20 * t); };
  CHECK(!search(near, where_needed).found);
  CHECK(search(near, where_needed).looks >=
        search(near, always).looks);  // where one step was calm its end is looked at twice
}

TEST_CASE("A dip within one step is found where the steps before it were calm") {
  const auto dip = [](double t) {
    return 10 * std::pow(t - 5.05, 2) - 0.01;
  };  // zeros at 5.05 -+ 0.0316, between two ends
  const auto slow = [](double t) { return 7 - t; };
  for (const auto middle : {EventSearch::Middle::always, EventSearch::Middle::where_needed}) {
    const auto first = search(dip, middle).found, second = search(slow, middle).found;
    REQUIRE(first);
    CHECK(std::abs(*first - (5.05 - std::sqrt(1e-3))) < 1e-9);
    REQUIRE(second);
    CHECK(std::abs(*second - 7) < 1e-9);
  }
}
