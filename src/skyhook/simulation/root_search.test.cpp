// Reference: roots in closed form.
#include "skyhook/simulation/root_search.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace skyhook;
using namespace skyhook::simulation;

namespace {

struct Case {
  std::vector<std::function<double(double)>> functions;
  int probes = 0;
  std::optional<Bracket> find(double from, double to, double width) {
    std::vector<double> a, b;
    RootSearch search;
    search.width = width;
    for (const auto& f : functions) {
      a.push_back(f(from)), b.push_back(f(to));
      search.sign.push_back(a.back() > 0 ? 1 : -1);
    }
    return first_change(search, {from, to}, a, b, [&](double t, Span z) {
      ++probes;
      for (std::size_t k = 0; k < z.size(); ++k) z[k] = functions[k](t);
      return true;
    });
  }
};

}  // namespace

TEST_CASE("The bracket holds the root, is as narrow as asked, and costs far less than bisection") {
  const double root = std::log(2.0);
  for (const double width : {1e-6, 1e-10, 1e-14}) {
    Case c{{[](double t) { return std::exp(t) - 2; }}};
    const auto found = c.find(0, 1, width);
    REQUIRE(found);
    CHECK(found->before <= root);
    CHECK(found->after >= root);
    CHECK(found->after - found->before <= width);
    CHECK(c.probes <= 12);  // bisection: 20, 34, 47
  }
}

TEST_CASE("Of several functions the first to change sign is found, also where it was not the nearest by its line") {
  Case c{{[](double t) { return t - 0.7; }, [](double t) { return std::pow(t, 9) - std::pow(0.3, 9); },
          [](double) { return 1.0; }}};
  const auto found = c.find(0, 1, 1e-13);
  REQUIRE(found);
  CHECK(found->after == doctest::Approx(0.3).epsilon(1e-12));
}

TEST_CASE("A flat function costs hardly more probes than bisection") {
  Case c{{[](double t) { return std::pow(t - 0.4, 21); }}};
  const auto found = c.find(0, 1, 1e-12);
  REQUIRE(found);
  CHECK(std::abs(found->after - 0.4) < 1e-9);  // (1e-15)^21 is nothing: nearer values are zero in double precision too
  CHECK(c.probes <= 42);                       // bisection: 40
}

TEST_CASE("A jump is located as a root is") {
  Case c{{[](double t) { return t < 0.123 ? -5.0 : 3.0; }}};
  const auto found = c.find(0, 1, 1e-13);
  REQUIRE(found);
  CHECK(found->before <= 0.123);
  CHECK(found->after >= 0.123);
}

TEST_CASE("Where there are no values there is no root; signs of zero are not watched") {
  RootSearch search{{1, 0}, 1e-9};
  const std::vector<double> before{1, 1}, after{-1, -1};
  CHECK_FALSE(first_change(search, {0, 1}, before, after, [](double, Span) { return false; }));
  CHECK(any_changed({1, 0}, std::vector<double>{-1, 1}));
  CHECK_FALSE(any_changed({1, 0}, std::vector<double>{1, -1}));
  CHECK_FALSE(any_changed({1, -1}, std::vector<double>{0, 0}));
}
