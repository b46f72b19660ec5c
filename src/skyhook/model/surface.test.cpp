// References: geometry by hand (line, circle, sphere, cylinder), a scan of all points, differences.
#include "skyhook/model/surface.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace skyhook;
using doctest::Approx;
using model::Curve;
using model::Surface;

namespace {

Curve curve(const std::string& of_x) { return Curve(expression::Expression::compile(of_x, {{{"x", {}}}, {}}, {})); }
model::Motion motion(const std::string& of_t) {
  return model::Motion(expression::Expression::compile(of_t, {{{"t", {}}}, {}}, {}));
}

using Local2 = Dual<3>;  // over x, y and z of the point
Vec3<Local2> point(double x, double y, double z) {
  return {Local2::variable(x, 0), Local2::variable(y, 1), Local2::variable(z, 2)};
}

// A relief from a formula of x and y.
struct Formula final : model::Relief {
  explicit Formula(const std::string& text)
      : law(expression::Expression::compile(text, {{{"x", {}}, {"y", {}}}, {}}, {})) {}
  expression::Expression law;
  model::Bend at(double x, double y) const override {
    using Twice = Dual<2, Dual<2>>;
    Twice at[2] = {Twice(Dual<2>::variable(x, 0)), Twice(Dual<2>::variable(y, 1))};
    at[0].d[0] = Dual<2>(1.0), at[1].d[1] = Dual<2>(1.0);
    const Twice h = law.evaluate(std::span<const Twice>(at, 2));
    return {h.v.v, h.v.d[0], h.v.d[1], h.d[0].d[0], h.d[0].d[1], h.d[1].d[1]};
  }
  bool varies_across() const override { return true; }
};
std::shared_ptr<const model::Relief> relief(const std::string& of_x_y) { return std::make_shared<Formula>(of_x_y); }

// Differences of f about x, of order 4.
template <class F>
double difference(F&& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

Surface all_parts(double along = 1, double across = 1) {
  return Surface({.profile = curve("0.05*sin(2*x) + 0.1*x"),
                  .reliefs = {relief("0.03*sin(3*x + 2*y)"), relief("0.02*x*y^2")},
                  .stairs = {{-1.0, 0.2}, {2.5, -0.3}},
                  .lift = motion("0.3*sin(5*t)"),
                  .along = along,
                  .across = across});
}

}  // namespace

TEST_CASE("A surface without parts is the plane; one of height 0 is the same by the long way") {
  const Surface plane, flat(curve("0*x")), wide({.reliefs = {relief("0*x*y")}});
  for (const Vec3d r : {Vec3d{0.3, 1, 0.7}, Vec3d{-2, 0, -0.1}}) {
    for (const Surface* s : {&plane, &flat, &wide}) {
      CHECK(s->nearest(r).distance == r.z);
      CHECK(s->nearest(r).normal == Vec3d{0, 0, 1});
      CHECK(s->foot(r).bend == 0.0);
      CHECK(s->nearest(point(r.x, r.y, r.z)).distance.d[2] == 1.0);
    }
  }
  CHECK(plane.is_plane());
  CHECK_FALSE(flat.is_plane());
  CHECK_FALSE(flat.varies_across());
  CHECK(wide.varies_across());
}

TEST_CASE("Slopes and curvatures of all parts are differences of the height; the lift alone has a rate") {
  const double t = 0.7, h = 1e-3, y = 0.3;
  for (const double along : {1.0, -1.0}) {
    const Surface s = all_parts(along, -along);
    for (const double x : {-2.0, -0.3, 0.2, 1.7, 4.0}) {
      for (int segment = 0; segment < 3; ++segment) {
        CAPTURE(x);
        const Surface::Height at = s.height(x, y, t, segment);
        const auto along_x = [&](auto of) {
          return difference([&](double u) { return of(s.height(u, y, t, segment)); }, x, h);
        };
        const auto along_y = [&](auto of) {
          return difference([&](double u) { return of(s.height(x, u, t, segment)); }, y, h);
        };
        // Differences of order 4: h^4 times the fifth derivative (at most 1e1 here), and rounding over h.
        CHECK(std::abs(at.x - along_x([](const auto& b) { return b.value; })) < 1e-10);
        CHECK(std::abs(at.y - along_y([](const auto& b) { return b.value; })) < 1e-10);
        CHECK(std::abs(at.xx - along_x([](const auto& b) { return b.x; })) < 1e-9);
        CHECK(std::abs(at.xy - along_x([](const auto& b) { return b.y; })) < 1e-9);
        CHECK(std::abs(at.xy - along_y([](const auto& b) { return b.x; })) < 1e-9);
        CHECK(std::abs(at.yy - along_y([](const auto& b) { return b.y; })) < 1e-9);
        CHECK(at.rate == Approx(1.5 * std::cos(5 * t)).epsilon(1e-14));
      }
    }
  }
  // mirrored, the surface is the image of the other
  CHECK(all_parts(-1, 1).height(0.4, 0.2, 0, 1).value == all_parts().height(-0.4, 0.2, 0, 1).value);
  CHECK(all_parts(1, -1).height(0.4, 0.2, 0, 1).value == all_parts().height(0.4, -0.2, 0, 1).value);
  CHECK(all_parts(-1, 1).segment_at(-3.0) == all_parts().segment_at(3.0));
  CHECK(all_parts(-1, 1).behind_begin(-3.0, 2) == Approx(0.5));
}

TEST_CASE("On dual numbers the road below has the derivatives of its height and of its unit normal") {
  const Surface s = all_parts();
  const double x = 0.4, y = -0.7, t = 0.2, h = 1e-3;
  const model::Below<Local2> b = s.below(Local2::variable(x, 0), Local2::variable(y, 1), t, 1);
  const model::Below<double> plain = s.below(x, y, t, 1);
  CHECK(value_of(b.height) == plain.height);
  CHECK(value_of(b.rate) == plain.rate);
  CHECK(norm(plain.normal) == Approx(1.0).epsilon(1e-15));
  const Surface::Height at = s.height(x, y, t, 1);
  CHECK(plain.normal.x / plain.normal.z == Approx(-at.x).epsilon(1e-14));
  CHECK(plain.normal.y / plain.normal.z == Approx(-at.y).epsilon(1e-14));
  for (std::size_t i = 0; i < 2; ++i) {
    const auto moved = [&](auto of) {
      return difference([&](double d) { return of(s.below(i == 0 ? x + d : x, i == 1 ? y + d : y, t, 1)); }, 0.0, h);
    };
    CHECK(std::abs(b.height.d[i] - moved([](const auto& p) { return p.height; })) < 1e-10);
    CHECK(std::abs(b.normal.x.d[i] - moved([](const auto& p) { return p.normal.x; })) < 1e-9);
    CHECK(std::abs(b.normal.y.d[i] - moved([](const auto& p) { return p.normal.y; })) < 1e-9);
    CHECK(std::abs(b.normal.z.d[i] - moved([](const auto& p) { return p.normal.z; })) < 1e-9);
  }
}

TEST_CASE("Friction is that of the last patch that holds a point, with smooth edges") {
  const Surface s({.friction = 0.9,
                   .patches = {{.x_first = 10, .x_last = 20, .friction = 0.5},
                               {.x_first = 12, .x_last = 30, .y_first = 0, .friction = 0.1}}});
  CHECK(s.friction(0, 0) == 0.9);
  CHECK(s.friction(11, 5) == Approx(0.5));
  CHECK(s.friction(15, 1) == Approx(0.1));
  CHECK(s.friction(15, -1) == Approx(0.5));
  CHECK(s.friction(25, 1) == Approx(0.1));
  CHECK(s.friction(25, -1) == 0.9);
  CHECK(s.friction(10, -1) == Approx(0.7));  // half at the edge
  CHECK(s.below(15.0, 1.0, 0).friction == Approx(0.1));
  for (double x = 9.9; x < 10.1; x += 0.01) CHECK(s.friction(x + 0.01, -1) <= s.friction(x, -1));
  // its slopes at the edges, on dual numbers too
  for (const auto& [x, y] :
       std::vector<std::pair<double, double>>{{9.97, -1}, {10.03, -1}, {20.02, 1}, {15, 0.01}, {20.01, 0.02}}) {
    const model::FrictionSlope f = s.friction_slope(x, y);
    CHECK(f.value == Approx(s.friction(x, y)).epsilon(1e-14));
    CHECK(f.x == Approx(difference([&](double at) { return s.friction(at, y); }, x, 1e-4)).epsilon(1e-8));
    CHECK(f.y == Approx(difference([&](double at) { return s.friction(x, at); }, y, 1e-4)).epsilon(1e-8));
    const auto below = s.below(Dual<2>::variable(x, 0), Dual<2>::variable(y, 1), 0);
    CHECK(below.friction.d[0] == f.x);
    CHECK(below.friction.d[1] == f.y);
  }
}

TEST_CASE("A profile as a table is its curve, with the derivatives of its polynomials") {
  const std::vector<double> x{-1, 0, 0.5, 2}, z{0.2, 0, 0.1, 0.4};
  const MonotoneCubic table(x, z);
  const Surface s(Curve{table});
  for (const double at : {-3.0, -0.4, 0.2, 1.3, 5.0}) {
    const Surface::Height h = s.height(at);
    CHECK(h.value == Approx(table(at)).epsilon(1e-15));
    CHECK(h.x == Approx(table.derivative(at)).epsilon(1e-14));
    CHECK(h.xx == Approx(table.second_derivative(at)).epsilon(1e-13));
  }
  CHECK(s.profile()->table() != nullptr);
}

TEST_CASE("Stairs cut a surface into segments; those of no height are none") {
  const Surface s({.stairs = {{1.0, 0.1}, {2.0, 0.0}, {3.0, -0.4}}});
  CHECK(s.segment_at(0.9) == 0);
  CHECK(s.segment_at(2.5) == 1);
  CHECK(s.segment_at(3.0) == 2);
  CHECK(s.height(7, 0, 0, 0).value == 0.0);  // each goes on beyond its ends
  CHECK(s.height(7, 0, 0, 1).value == 0.1);
  CHECK(s.height(7, 0, 0, 2).value == Approx(-0.3));
  CHECK(s.behind_begin(1.5, 1) == 0.5);
  CHECK(s.before_end(1.5, 1) == 1.5);
  CHECK(s.behind_begin(1.5, 0) == std::numeric_limits<double>::infinity());
  CHECK(s.before_end(1.5, 2) == std::numeric_limits<double>::infinity());
}

TEST_CASE("The distance from a circular valley and from a straight slope is that of plane geometry") {
  const Surface valley(curve("2 - sqrt(4 - x^2)"));  // circle about (0, 2) with radius 2
  for (const Vec3d r : {Vec3d{0.3, 5, 0.7}, Vec3d{-1.1, -2, 1.0}, Vec3d{0.9, 0, 0.1}, Vec3d{0, 0, 1.5}}) {
    for (const auto search : {Surface::Search::below, Surface::Search::all}) {
      const Surface::Foot p = valley.foot(r, search);
      const double from_centre = std::hypot(r.x, r.z - 2);
      CHECK(p.distance == Approx(2 - from_centre).epsilon(1e-13));
      CHECK(std::abs(p.normal.x + r.x / from_centre) < 1e-13);
      CHECK(p.normal.z == Approx((2 - r.z) / from_centre).epsilon(1e-13));
      CHECK(p.normal.y == 0.0);
      CHECK(p.bend == Approx(-1 / from_centre).epsilon(1e-12));  // of 2 - |r - centre|
    }
  }
  const Surface::Foot slope = Surface(curve("0.75*x + 1")).foot({2, 9, 5});
  CHECK(slope.distance == Approx((5 - 2.5) * 0.8).epsilon(1e-14));
  CHECK(slope.bend == 0.0);
  CHECK(slope.tangent.z == Approx(0.6).epsilon(1e-14));
}

TEST_CASE("Of several foot points the nearest is taken where all count; below the surface the distance is negative") {
  const Surface waves(curve("sin(4*x)"));
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    const Vec3d r{std::uniform_real_distribution(-3.0, 3.0)(random), 0,
                  std::uniform_real_distribution(-2.0, 2.5)(random)};
    double least = 1e9;
    for (double x = -8; x < 8; x += 1e-3) least = std::min(least, std::hypot(x - r.x, std::sin(4 * x) - r.z));
    const Surface::Foot p = waves.foot(r, Surface::Search::all);
    CHECK(std::abs(p.distance) <= least + 1e-12);
    CHECK(std::abs(p.distance) >= least - 1e-3 * 5);  // how far a scanned point may be from the foot
    const Surface::Foot below = waves.foot(r);        // stands upright on the surface too, and is near or farther
    CHECK(std::abs(below.distance) >= std::abs(p.distance) - 1e-12);
    CHECK(std::hypot(below.x - r.x, std::sin(4 * below.x) - r.z) == Approx(std::abs(below.distance)).epsilon(1e-9));
    for (const auto& foot : {p, below}) {
      if (std::abs(foot.distance) > 1e-3) CHECK((foot.distance > 0) == (r.z > std::sin(4 * r.x)));
    }
  }
}

TEST_CASE("Distance and normal have exact derivatives") {
  const Surface waves(curve("0.1*sin(2*x) + 0.05*x^2")),
      hills({.profile = curve("0.05*x^2"), .reliefs = {relief("0.1*sin(2*x + y) + 0.03*y^2")}});
  const double h = 1e-3, y = 0.2;
  for (const Surface* s : {&waves, &hills}) {
    for (const double x : {-0.9, 0.1, 0.7}) {
      for (const double z : {-0.1, 0.2, 0.5}) {
        const auto once = s->nearest(point(x, y, z));
        CHECK(value_of(once.distance) == Approx(s->nearest(Vec3d{x, y, z}).distance).epsilon(1e-13));
        for (std::size_t i = 0; i < 3; ++i) {
          const auto moved = [&](auto of) {
            return difference(
                [&](double d) {
                  return of(s->nearest(Vec3d{x + (i == 0 ? d : 0), y + (i == 1 ? d : 0), z + (i == 2 ? d : 0)}));
                },
                0.0, h);
          };
          CHECK(std::abs(once.distance.d[i] - moved([](const auto& n) { return n.distance; })) < 1e-9);
          CHECK(std::abs(once.normal.x.d[i] - moved([](const auto& n) { return n.normal.x; })) < 1e-9);
          CHECK(std::abs(once.normal.y.d[i] - moved([](const auto& n) { return n.normal.y; })) < 1e-9);
          CHECK(std::abs(once.normal.z.d[i] - moved([](const auto& n) { return n.normal.z; })) < 1e-9);
        }
      }
    }
  }
}

// About the centre of a sphere the distance is R - |r - centre|, with both bends -1/|r - centre|; about the axis of a cylinder that lies
// askew one of them is 0.
TEST_CASE("The distance from a bowl and from a trough that lies askew is that of geometry in space") {
  const Surface bowl({.reliefs = {relief("2 - sqrt(4 - x^2 - y^2)")}}),
      trough({.reliefs = {relief("2 - sqrt(4 - (0.6*x + 0.8*y)^2)")}});
  for (const Vec3d r : {Vec3d{0.3, 0.5, 0.7}, Vec3d{-0.9, -0.4, 1.0}, Vec3d{0.7, 0.2, 0.1}}) {
    for (const auto search : {Surface::Search::below, Surface::Search::all}) {
      const Surface::Foot p = bowl.foot(r, search);
      const Vec3d from_centre = r - Vec3d{0, 0, 2};
      CHECK(p.distance == Approx(2 - norm(from_centre)).epsilon(1e-12));
      CHECK(norm(p.normal + normalized(from_centre)) < 1e-12);
      CHECK(p.bend == Approx(-1 / norm(from_centre)).epsilon(1e-10));
      CHECK(p.other_bend == Approx(-1 / norm(from_centre)).epsilon(1e-10));
      const Surface::Foot q = trough.foot(r, search);
      const double side = 0.6 * r.x + 0.8 * r.y, from_axis = std::hypot(side, r.z - 2);
      CHECK(q.distance == Approx(2 - from_axis).epsilon(1e-12));
      CHECK(q.normal.x == Approx(-0.6 * side / from_axis).epsilon(1e-11));
      CHECK(std::min(q.bend, q.other_bend) == Approx(-1 / from_axis).epsilon(1e-10));
      CHECK(std::abs(std::max(q.bend, q.other_bend)) < 1e-12);
    }
  }
}
