// References: the motions as given.
#include "skyhook/element/road/posts.h"

#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("Each post goes up and down by itself, and the nearest one counts") {
  Posts p;
  p.front = 2.5, p.rear = 0, p.track = 1.5;
  p.front_left = motion("0.01[m/s]*t"), p.rear_right = motion("0.02[m]*sin(t/1[s])");
  const auto s = surface_of(p);
  CHECK(s->height(2.4, 0.7, 3).value == Approx(0.03));
  CHECK(s->height(2.4, 0.7, 3).rate == Approx(0.01));
  CHECK(s->height(2.4, 0.7, 3).x == 0.0);
  CHECK(s->height(2.4, -0.7, 3).value == 0.0);
  CHECK(s->height(0.1, 0.7, 3).value == 0.0);
  CHECK(s->height(0.1, -0.7, 3).value == Approx(0.02 * std::sin(3.0)));
  CHECK(s->height(0.1, -0.7, 3).rate == Approx(0.02 * std::cos(3.0)));
  CHECK_FALSE(s->is_smooth_and_still());
  p.rear = 3;
  CHECK(refused_field(p) == "front");
}
