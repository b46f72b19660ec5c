// References: the rows of the tables, differences; splines have a continuous curvature, tables of straight lines have none.
#include "skyhook/element/road/profile.h"

#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

namespace {

Profile measured(const std::string& interpolation) {
  Profile p;
  p.left = table({0, 1, 2, 3, 4}, {0, 0.1, -0.05, 0.02, 0});
  p.right = table({0, 1, 2, 3, 4}, {0, 0, 0.2, 0.1, 0});
  p.track = 1.6, p.interpolation = interpolation;
  return p;
}

}  // namespace

TEST_CASE("A profile goes through its rows on each track, and smoothly from one to the other") {
  for (const char* how : {"monotone", "spline", "linear"}) {
    CAPTURE(how);
    const auto s = surface_of(measured(how));
    CHECK(s->height(1, 0.8).value == Approx(0.1));
    CHECK(s->height(2, 5).value == Approx(-0.05));
    CHECK(s->height(2, -0.8).value == Approx(0.2));
    CHECK(s->height(2, 0).value == Approx(0.075));  // halfway
    for (const double x : {0.0, 1.0, 2.0, 3.0}) check_bends(*s, {x + 0.001, x + 0.999, -1, 1});
    model::TableLooks looks;
    s->look(9, 0, looks);
    CHECK(looks.size() == 2);
  }
  CHECK(surface_of(measured("linear"))->height(1.25, 1).value == Approx(0.0625));
  CHECK(surface_of(measured("linear"))->height(1.25, 1).xx == 0.0);
  const auto spline = surface_of(measured("spline"));
  CHECK(spline->height(2 - 1e-9, 1).xx == Approx(spline->height(2 + 1e-9, 1).xx).epsilon(1e-6));
}

TEST_CASE("A profile of one height holds for all y; two ways to say it are refused") {
  Profile p;
  p.height = model::Curve(formula("0.1*x", "x:m"));
  CHECK(surface_of(p)->height(2, 9).value == Approx(0.2));
  CHECK_FALSE(surface_of(p)->varies_across());
  p.left = p.height;
  CHECK(refused_field(p) == "height");
  p.height.reset();
  CHECK(refused_field(p) == "right");
  CHECK(refused_field(Profile{}) == "height");
}
