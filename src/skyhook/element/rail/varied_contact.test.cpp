// References: the contact with each profile by itself; the blend by hand; differences.
#include "skyhook/element/rail/varied_contact.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/rail/elastic_contact.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::rail;
using test::exponential;

namespace {

ElasticOptions on_profile(const char* rail) {
  WheelOnRail of{.wheel = built_in("s1002"), .rail = built_in(rail), .side = 1, .radius = 0.46, .half = 0.75};
  of.rail_y = 0.7175 - of.rail->gauge_face(0.014);
  ElasticOptions out{.place = of, .rolling = {}, .has_several = true};
  out.rolling.creep = make_creep_law({.law = "polach"});
  return out;
}
// With the tape circle of the wheel at x; the wheelset yaws.
model::Relative<double> rolling_at(double x) {
  model::Relative<double> m{};
  m.r = {x + 0.75 * std::sin(1e-3), 1e-3, 0.4596};
  m.R = exponential({0, 0, 1e-3});
  m.v = {10, 0, 1e-3}, m.w = {0, 10 / 0.46, 0};
  return m;
}
model::Wrench<double> loads_at(const model::ContributionLaw& law, double x) {
  model::Wrench<double> out{};
  law.loads({rolling_at(x), {}, {}, {}}, {out, {}, {}});
  return out;
}

}  // namespace

TEST_CASE("Varied contact: each stretch has its profile, and loads pass smoothly from one to the next") {
  const ElasticOptions first = on_profile("uic60_1in40"), second = on_profile("uic60_1in20");
  const auto a = elastic_contact(first), b = elastic_contact(second);
  const auto law = varied_contact(first.place, nullptr, {{0, 0, a}, {100, 4, b}, {200, 4, a}});
  const auto is = [&](double x, const model::ContributionLaw& other) {
    return norm(loads_at(*law, x).f - loads_at(other, x).f) == 0.0;
  };
  REQUIRE(norm(loads_at(*a, 0).f - loads_at(*b, 0).f) > 1e3);
  CHECK(is(-10, *a));
  CHECK(is(99.9, *a));
  CHECK(is(104.1, *b));
  CHECK(is(199, *b));
  CHECK(is(300, *a));
  CHECK(norm(loads_at(*law, 102).f - 0.5 * (loads_at(*a, 102).f + loads_at(*b, 102).f)) < 1e-6);
  CHECK(norm(loads_at(*law, 100.02).f - loads_at(*a, 100.02).f) < 1e-5 * 1e5);  // 10 (0.005)^3
  // its quantities too
  std::vector<double> at_a, at_b, here;
  const model::Wrench<double> none{};
  for (const auto& [of, to] : {std::pair{&*a, &at_a}, {&*b, &at_b}, {&*law, &here}})
    of->measure({rolling_at(101), {}, {}, {}}, {none, {}}, *to);
  REQUIRE(here.size() == law->quantities().size());
  const double share = 10 * std::pow(0.25, 3) - 15 * std::pow(0.25, 4) + 6 * std::pow(0.25, 5);
  for (std::size_t k = 0; k < here.size(); ++k)
    CHECK(here[k] == doctest::Approx((1 - share) * at_a[k] + share * at_b[k]));
  // exact derivatives along the line, where the loads change
  for (const double x : {100.7, 102.0, 203.1}) {
    model::Wrench<model::Local> exact{};
    const model::Relative<model::Local> m = test::seeded(rolling_at(x));
    law->loads({m, {}, {}, {}}, {exact, {}, {}});
    const double slope = (loads_at(*law, x + 1e-5).f.z - loads_at(*law, x - 1e-5).f.z) / 2e-5;
    CHECK(exact.f.z.d[0] == doctest::Approx(slope).epsilon(1e-5));
    CHECK(exact.f.z.v == doctest::Approx(loads_at(*law, x).f.z));
  }
  CHECK(law->refuses({{150, 0.3, 0.46}, Mat3d::identity()}, {}).find("derailed") != std::string::npos);
}
