// References: the heights of the roads that are added; by hand.
#include "skyhook/element/road/flat.h"

#include "skyhook/element/road/bump.h"
#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

namespace {

struct Given {
  model::Model model = two_bodies();
  std::vector<model::RoadRef> both{{0}, {1}};
  Given() {
    TestSource source;
    Bump a;
    a.height = 0.1, a.length = 2, a.at = 1;
    a.add_to(source, model);
    a.height = 0.05, a.y = {0, 1}, a.flank = 0.2;
    a.add_to(source, model);
  }
};

}  // namespace

TEST_CASE("A flat road has height 0; with others it is their sum, lifted as a whole") {
  const Flat plain;
  CHECK(surface_of(plain)->height(3, 4, 5).value == 0.0);
  CHECK(surface_of(plain)->is_plane());
  const Given given;
  Flat sum;
  sum.add = given.both, sum.lift = motion("0.2[m/s]*t");
  const auto s = surface_of(sum, given.model);
  CHECK(s->height(2, 0.5, 3).value == Approx(0.15 + 0.6));
  CHECK(s->height(2, -1, 3).value == Approx(0.1 + 0.6));
  CHECK(s->height(2, -1, 3).rate == Approx(0.2));
  check_bends(*s, {0.5, 3.5, -0.5, 1.5});
}

TEST_CASE("A mirrored road is the image of the other, also with what it adds") {
  const Given given;
  Flat sum;
  sum.add = given.both, sum.along = -1, sum.across = -1;
  const auto s = surface_of(sum, given.model);
  CHECK(s->height(2, 0.5).value == Approx(0.15));  // the roads that are added lie where they lie
  check_bends(*s, {0.5, 3.5, -0.5, 1.5});
  Bump own;
  own.height = 0.1, own.length = 2, own.at = 1, own.y = {0.2, 1}, own.along = -1, own.across = -1;
  const auto image = surface_of(own);
  CHECK(image->height(-2, -0.5).value == Approx(0.1));
  CHECK(image->height(2, 0.5).value == 0.0);
  check_bends(*image, {-3.5, -0.5, -1.5, 0.5});
}

TEST_CASE("Between two y a road fades over its flanks with continuous slope and curvature") {
  Bump b;
  b.height = 0.1, b.length = 2, b.y = {0, 1}, b.flank = 0.4;
  const auto s = surface_of(b);
  CHECK(s->height(1, 0.0).value == Approx(0.1));
  CHECK(s->height(1, 1.0).value == Approx(0.1));
  CHECK(s->height(1, 1.2).value == Approx(0.05));  // the middle of the flank
  CHECK(s->height(1, 1.41).value == 0.0);
  check_bends(*s, {0.1, 1.9, -0.5, 1.5});
}

TEST_CASE("A road refuses what contradicts itself") {
  Flat f;
  f.along = 0.5;
  CHECK(refused_field(f) == "along");
  f = {};
  f.y = {1, 0};
  CHECK(refused_field(f) == "y");
  const Given given;
  f = {};
  f.add = given.both;
  f.from = marker(0, {1, 0, 0});
  CHECK(refused_field(f, given.model) == "add");  // they lie on the ground
  Given lifted;
  TestSource source;
  Flat up;
  up.lift = motion("0.1[m/s]*t");
  up.add_to(source, lifted.model);
  f = {};
  f.add = {{2}};
  CHECK(refused_field(f, lifted.model) == "add");
  Flat smooth;
  smooth.friction = 0.5;
  smooth.add_to(source, lifted.model);
  f.add = {{3}};
  CHECK(refused_field(f, lifted.model) == "add");
}
