// References: planes and means by hand, differences; a road by name against the same heights as fields of the element.
#include "skyhook/element/road.h"

#include "skyhook/element/cosine_row.h"
#include "skyhook/element/force/contact.h"
#include "skyhook/element/force/rigid_contact.h"
#include "skyhook/element/force/tyre_vertical.h"
#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/road/bump.h"
#include "skyhook/element/road/flat.h"
#include "skyhook/element/road/ramp.h"
#include "skyhook/element/road/stair.h"
#include "skyhook/element/road/surface.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

namespace {

template <class Kind>
model::Model model_with(const Kind& road) {
  model::Model model = two_bodies();
  TestSource source;
  road.add_to(source, model);
  return model;
}

TyreVertical tyre() {
  TyreVertical t;
  t.road = {0}, t.to = marker(1, {0, 0, 0.28});
  t.stiffness = 2e5, t.damping = 500, t.radius = 0.3;
  return t;
}

FormulaSurface hills() {
  FormulaSurface f;
  f.height = formula("0.2[m]*sin(x/0.8[m] + y/0.5[m])", "x:m y:m");
  return f;
}

Relative<double> at(const Vec3d& r, const Vec3d& v = {}, double t = 0) { return {t, r, Mat3d::identity(), v, {}}; }

Road road_of(const TyreVertical& t, const model::Model& m) {
  TestSource source;
  return {t, t.named(m), source};
}
// Below a wheel that heads to the left by an angle.
model::Slope<double> below(const Road& road, double x, double y = 0, double t = 0, double heading = 0) {
  Relative<double> m = at({x, y, 0.3}, {}, t);
  m.R = exponential({0, 0, heading});
  return road.slope(m, 0);
}

}  // namespace

TEST_CASE("A tyre on a road by name is that on the same heights of its own") {
  Bump b;
  b.height = 0.1, b.length = 2, b.at = 1;
  const model::Contribution named = force_of(tyre(), model_with(b));
  TyreVertical own = tyre();
  own.road = {}, own.from = marker(model::ground, {});
  own.bump_height = 0.1, own.bump_length = 2, own.bump_at = 1;
  const model::Contribution inline_ = force_of(own);
  for (double x = 0.5; x < 3.5; x += 0.17) {
    const auto m = at({x, 0.7, 0.31}, {4, 1, -0.2});
    CHECK(wrench_of(*named.wrench, m).f.z == wrench_of(*inline_.wrench, m).f.z);
  }
}

TEST_CASE(
    "On a road that varies across a tyre has exact derivatives, with a footprint too, and follows the road sideways") {
  TyreVertical t = tyre();
  t.radius = 0.6;
  const model::Model m = model_with(hills());
  for (const bool is_wide : {false, true}) {
    if (is_wide) t.footprint = {0.3, 0.2};
    const model::Contribution f = force_of(t, m);
    check_law(*f.wrench, false, [&](const Relative<double>& r) { return std::abs(wrench_of(*f.wrench, r).f.z) > 10; });
    check_modes(*f.wrench, {1, 2});
  }
  // p' = h_x vx + h_y vy - vz
  const auto r = at({0.1, 0.2, 0.3}, {1, 2, 0.1});
  const double phase = 0.1 / 0.8 + 0.2 / 0.5, p = 0.6 + 0.2 * std::sin(phase) - 0.3;
  t.footprint.clear();
  CHECK(wrench_of(*force_of(t, m).wrench, r).f.z ==
        Approx(2e5 * p + 500 * (0.2 * std::cos(phase) * (1 / 0.8 + 2 / 0.5) - 0.1)));
}

TEST_CASE("A road by name runs below the wheel from where the wheel stands") {
  TyreVertical t = tyre();
  t.speed = 10, t.start = 0.5;
  const model::Model m = model_with(hills());
  const double h = m.roads[0].surface->height(0.3 + 10 * 0.25, 0.1).value;
  CHECK(wrench_of(*force_of(t, m).wrench, at({0.3, 0.1, 0.2 + h}, {}, 0.75)).f.z > 0);
  std::vector<double> out;
  const model::Contribution f = force_of(t, m);
  f.wrench->measure(at({0.3, 0.1, 0.2}, {}, 0.75), {}, out);
  CHECK(out[2] == Approx(h));
}

TEST_CASE("Over a footprint a plane stays that plane, and a short bump becomes lower and longer") {
  TyreVertical t = tyre();
  t.footprint = {0.4, 0.2}, t.points = {9, 5};
  Ramp r;
  r.slope = 0.2, r.bank = -0.1, r.at = -100;
  const model::Model ramp = model_with(r);
  const Road plane = road_of(t, ramp);
  for (const double x : {-3.0, 0.4, 7.0}) {
    const auto mean = below(plane, x, 0.3, 0, 0.4);
    const auto point = ramp.roads[0].surface->height(x, 0.3);
    CHECK(mean.height == Approx(point.value).epsilon(1e-14));
    CHECK(mean.x == Approx(point.x).epsilon(1e-14));
    CHECK(mean.y == Approx(point.y).epsilon(1e-14));
  }
  Bump b;
  b.height = 0.05, b.length = 0.2, b.at = 1;
  const Road mean = road_of(t, model_with(b));
  double top = 0, area = 0;
  for (double x = 0; x < 2; x += 1e-3) {
    const double h = below(mean, x).height;
    top = std::max(top, h), area += 1e-3 * h;
    if (x < 0.8 || x > 1.4) CHECK(h == 0.0);
  }
  CHECK(below(mean, 0.85).height > 0);  // before the bump begins
  CHECK(top < 0.6 * 0.05);              // the footprint is twice as long as the bump: half of its mean
  CHECK(area == Approx(0.5 * 0.05 * 0.2).epsilon(1e-6));
}

TEST_CASE("A mean over a footprint keeps lift, friction and side of its road") {
  Bump b;
  b.height = 0.05, b.length = 0.8, b.at = 1, b.friction = 0.7, b.lift = motion("0.1[m/s]*t"), b.along = -1;
  TyreVertical t = tyre();
  t.footprint = {0.1, 0.1};
  const Road mean = road_of(t, model_with(b));
  CHECK(below(mean, -3, 0, 2).height == Approx(0.2));
  CHECK(below(mean, -1.4, 0, 2).height == Approx(0.2 + 0.05).epsilon(0.01));
  CHECK(below(mean, 1.4, 0, 2).height == Approx(0.2));
  CHECK(below(mean, 0, 0, 2).rate == Approx(0.1));
  CHECK(below(mean, 0).friction == Approx(0.7));
}

TEST_CASE("A footprint turns with the wheel, and its height changes at the rate of that") {
  const model::Model m = model_with(hills());
  TyreVertical ahead = tyre(), sideways = tyre();
  ahead.footprint = {0.4, 0.1}, ahead.points = {5, 3};
  sideways.footprint = {0.1, 0.4}, sideways.points = {3, 5};
  const double quarter = 0.5 * 3.14159265358979323846;
  const auto a = below(road_of(ahead, m), 0.3, 0.2, 0, quarter), b = below(road_of(sideways, m), 0.3, 0.2);
  CHECK(a.height == Approx(b.height).epsilon(1e-14));
  CHECK(a.x == Approx(b.x).epsilon(1e-14));
  CHECK(std::abs(below(road_of(ahead, m), 0.3, 0.2).height - a.height) > 1e-4);
  // a wheel that leans, spins and turns: dh/dt at a place that stands still is the difference along its motion
  const Road road = road_of(ahead, m);
  const auto moving = [](double t) {
    Relative<double> r = at({0.3, 0.2, 0.3});
    r.w = {0.3, 0.5, 2.0};
    r.R = exponential(t * r.w) * exponential({0.2, 0, 0.7});
    return r;
  };
  const double h = 1e-5;
  CHECK(road.slope(moving(0), 0).rate ==
        Approx((road.slope(moving(h), 0).height - road.slope(moving(-h), 0).height) / (2 * h)).epsilon(1e-7));
}

TEST_CASE("Contacts stand on roads by name: smooth ones with exact derivatives and the friction of the road") {
  FormulaSurface road = hills();
  road.friction = 0.5;
  const model::Model m = model_with(road);
  Contact c;
  c.road = {0}, c.to = marker(1, {0, 0, 1});
  c.stiffness = 1e4, c.depth = 0.1, c.radius = 0.3, c.friction = 0.8, c.damping = 0.1;
  const model::Contribution f = force_of(c, m);
  int touching = 0;
  std::mt19937 random(3);
  for (int k = 0; k < 40; ++k) {
    Relative<double> r = random_motion(random);
    r.r.z = m.roads[0].surface->height(r.r.x, r.r.y).value +
            0.15;  // near enough to touch, and far from the centre of its valleys
    if (m.roads[0].surface->foot(r.r).distance > 0.28) continue;
    ++touching;
    check_derivative(*f.wrench, r);
  }
  CHECK(touching > 20);
  // on the flat its friction is the product of both
  Flat plain;
  plain.friction = 0.5;
  const Wrench<double> w = wrench_of(*force_of(c, model_with(plain)).wrench, at({0, 0, 0.2}, {1e5, 0, 0}));
  CHECK(-w.f.x == Approx(0.4 * w.f.z).epsilon(1e-6));
  RigidContact rigid;
  rigid.road = {0}, rigid.with = "road", rigid.to = marker(1, {0, 0, 1});
  CHECK(force_of(rigid, m).row->surface == m.roads[0].surface);
}

TEST_CASE("What stands on a road refuses what contradicts it") {
  const model::Model m = model_with(hills());
  TyreVertical t = tyre();
  t.from = marker(model::ground, {});
  CHECK(refused_field(t, m) == "from");
  t.road = {};
  CHECK(refused_field(t, m) == "");
  t.from.reset();
  CHECK(refused_field(t, m) == "from");
  t = tyre();
  t.bump_height = 0.1;
  CHECK(refused_field(t, m) == "bump_height");
  t = tyre();
  t.points = {3, 3};
  CHECK(refused_field(t, m) == "points");
  t.footprint = {0.1};
  CHECK(refused_field(t, m) == "footprint");
  t.footprint = {0.1, 0.1}, t.points = {2.5, 1};
  CHECK(refused_field(t, m) == "points");
  Stair s;
  s.at = {1}, s.height = {0.1};
  t.points.clear();
  CHECK(refused_field(t, model_with(s)) == "footprint");
  Contact c;
  c.road = {0}, c.to = marker(1, {0, 0, 1}), c.stiffness = 1;
  CHECK(refused_field(c, model_with(s)) == "road");
  c.profile = model::Curve(formula("0.1*x", "x:m"));
  CHECK(refused_field(c, m) == "profile");
  RigidContact rigid;
  rigid.road = {0}, rigid.to = marker(1, {0, 0, 1});
  CHECK(refused_field(rigid, m) == "road");  // it says with: plane
  rigid.with = "road", rigid.road = {}, rigid.from = marker(model::ground, {});
  CHECK(refused_field(rigid, m) == "road");
}
