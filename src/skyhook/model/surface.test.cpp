// References: plane geometry by hand (line, circle), a scan of all points, differences, and the same surface told in another way.
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

using Twice = Dual<2, Dual<2>>;  // over x and z of the point, each level
Vec3<Twice> point_twice(double x, double z) {
  const auto variable = [](double value, int k) {
    Twice t(Dual<2>::variable(value, k));
    t.d[static_cast<std::size_t>(k)] = Dual<2>(1.0);
    return t;
  };
  return {variable(x, 0), Twice(0.0), variable(z, 1)};
}

// Differences of f about x, of order 4.
template <class F>
double difference(F&& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

Surface all_parts() {
  return Surface({.profile = curve("0.05*sin(2*x) + 0.1*x"),
                  .bump_height = 0.08,
                  .bump_length = 1.5,
                  .bump_at = 0.4,
                  .stairs = {{-1.0, 0.2}, {2.5, -0.3}},
                  .lift = motion("0.3*sin(5*t)")});
}

}  // namespace

TEST_CASE("A surface without parts is the plane; one of height 0 is the same by the long way") {
  const Surface plane, flat(curve("0*x"));
  for (const Vec3d r : {Vec3d{0.3, 1, 0.7}, Vec3d{-2, 0, -0.1}}) {
    for (const Surface* s : {&plane, &flat}) {
      CHECK(s->nearest(r).distance == r.z);
      CHECK(s->nearest(r).normal == Vec3d{0, 0, 1});
      CHECK(s->foot(r).bend == 0.0);
      const auto twice = s->nearest(point_twice(r.x, r.z));
      CHECK(twice.distance.v.d[1] == 1.0);
      CHECK(twice.distance.d[0].d[0] == 0.0);
    }
  }
  CHECK(plane.is_plane());
  CHECK_FALSE(flat.is_plane());
}

TEST_CASE(
    "Three derivatives of the height are those of differences, on every part; between corners the lift alone has a "
    "rate") {
  const Surface s = all_parts();
  const double t = 0.7, h = 1e-3;
  for (const double x : {-2.0, -0.3, 0.2, 0.6, 1.1, 1.7, 2.2, 4.0}) {
    CAPTURE(x);
    for (int segment = 0; segment < 3; ++segment) {
      const auto d = s.derivatives(x, t, segment);
      const Surface::Height at = s.height(x, t, segment);
      CHECK(d[0] == at.value);
      CHECK(d[1] == at.slope);
      CHECK(d[2] == at.curvature);
      // Differences of order 4: h^4 times the fifth derivative (at most 4e1 here), and rounding over h.
      CHECK(d[1] == Approx(difference([&](double y) { return s.height(y, t, segment).value; }, x, h)).epsilon(1e-9));
      CHECK(d[2] == Approx(difference([&](double y) { return s.height(y, t, segment).slope; }, x, h)).epsilon(1e-9));
      CHECK(d[3] ==
            Approx(difference([&](double y) { return s.height(y, t, segment).curvature; }, x, h)).epsilon(1e-8));
      CHECK(at.rate == Approx(1.5 * std::cos(5 * t)).epsilon(1e-14));
    }
  }
}

TEST_CASE("On dual numbers of three levels a height is that of its formula") {
  using Thrice = Dual<1, Dual<1, Dual<1>>>;
  Thrice x(Dual<1, Dual<1>>(Dual<1>::variable(0.8, 0)));
  x.v.d[0] = Dual<1>(1.0), x.d[0] = Dual<1, Dual<1>>(1.0);
  const Thrice y = Surface(curve("0.05*sin(2*x) + x^3")).height_of(x);
  CHECK(y.v.v.v == Approx(0.05 * std::sin(1.6) + 0.512).epsilon(1e-14));
  CHECK(y.v.d[0].v == Approx(0.1 * std::cos(1.6) + 1.92).epsilon(1e-14));
  CHECK(y.d[0].d[0].v == Approx(-0.2 * std::sin(1.6) + 4.8).epsilon(1e-14));
  CHECK(y.d[0].d[0].d[0] == Approx(-0.4 * std::cos(1.6) + 6).epsilon(1e-14));
}

TEST_CASE("A profile as a table is its curve, with the derivatives of its polynomials") {
  const std::vector<double> x{-1, 0, 0.5, 2}, z{0.2, 0, 0.1, 0.4};
  const MonotoneCubic table(x, z);
  const Surface s(Curve{table});
  for (const double at : {-3.0, -0.4, 0.2, 1.3, 5.0}) {
    const auto d = s.derivatives(at);
    CHECK(d[0] == Approx(table(at)).epsilon(1e-15));
    CHECK(d[1] == Approx(table.derivative(at)).epsilon(1e-14));
    CHECK(d[2] == Approx(table.second_derivative(at)).epsilon(1e-13));
  }
  CHECK(s.derivatives(-3)[3] == 0.0);  // straight on
  CHECK(s.profile()->table() != nullptr);
}

TEST_CASE("A cosine bump is the same as a part and as a profile") {
  const Surface part({.bump_height = 0.1, .bump_length = 2, .bump_at = 0}), formula(curve("0.05*(1 - cos(pi*x))"));
  for (const double x : {0.1, 0.9, 1.7}) {
    for (std::size_t k = 0; k < 4; ++k)
      CHECK(part.derivatives(x)[k] == Approx(formula.derivatives(x)[k]).epsilon(1e-12));
    const Vec3d r{x, 0, 0.13};
    for (const auto search : {Surface::Search::below, Surface::Search::all})
      CHECK(part.foot(r, search).distance == Approx(formula.foot(r, search).distance).epsilon(1e-13));
  }
  CHECK(part.derivatives(-0.1)[0] == 0.0);
}

TEST_CASE("Stairs cut a surface into segments; those of no height are none") {
  const Surface s({.stairs = {{1.0, 0.1}, {2.0, 0.0}, {3.0, -0.4}}});
  CHECK(s.segment_at(0.9) == 0);
  CHECK(s.segment_at(2.5) == 1);
  CHECK(s.segment_at(3.0) == 2);
  CHECK(s.height(7, 0, 0).value == 0.0);  // each goes on beyond its ends
  CHECK(s.height(7, 0, 1).value == 0.1);
  CHECK(s.height(7, 0, 2).value == Approx(-0.3));
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

// About the centre of a circle the distance 2 - R has the Hessian -t t^T / R: by hand.
TEST_CASE("Distance and normal have exact first and second derivatives") {
  const Surface valley(curve("2 - sqrt(4 - x^2)")), waves(curve("0.1*sin(2*x) + 0.05*x^2"));
  const auto circle = valley.nearest(point_twice(0.6, 1.2)).distance;
  const double R = 1.0;  // hypot(0.6, 0.8)
  CHECK(circle.v.d[0] == Approx(-0.6).epsilon(1e-13));
  CHECK(circle.v.d[1] == Approx(0.8).epsilon(1e-13));
  CHECK(circle.d[0].d[0] == Approx(-0.64 / R).epsilon(1e-12));
  CHECK(circle.d[0].d[1] == Approx(-0.48 / R).epsilon(1e-12));
  CHECK(circle.d[1].d[1] == Approx(-0.36 / R).epsilon(1e-12));
  const double h = 1e-3;
  for (const double x : {-0.9, 0.1, 0.7}) {
    for (const double z : {-0.1, 0.2, 0.5}) {
      const auto twice = waves.nearest(point_twice(x, z));
      const auto once = waves.nearest(Vec3<Dual<2>>{Dual<2>::variable(x, 0), Dual<2>(0.0), Dual<2>::variable(z, 1)});
      const auto plain = waves.nearest(Vec3d{x, 0, z});
      CHECK(twice.distance.v.v == Approx(plain.distance).epsilon(1e-13));
      for (std::size_t i = 0; i < 2; ++i) {
        CHECK(twice.distance.v.d[i] == Approx(once.distance.d[i]).epsilon(1e-12));
        CHECK(twice.normal.x.v.d[i] == Approx(once.normal.x.d[i]).epsilon(1e-11));
        const auto moved = [&](auto of) {
          return difference([&](double d) { return of(i == 0 ? x + d : x, i == 0 ? z : z + d); }, 0.0, h);
        };
        const auto distance = [&](double a, double b) { return waves.nearest(Vec3d{a, 0, b}).distance; };
        const auto normal_x = [&](double a, double b) { return waves.nearest(Vec3d{a, 0, b}).normal.x; };
        CHECK(std::abs(once.distance.d[i] - moved(distance)) < 1e-9);
        CHECK(std::abs(once.normal.x.d[i] - moved(normal_x)) < 1e-9);
        for (std::size_t j = 0; j < 2; ++j) {
          CHECK(std::abs(twice.distance.d[i].d[j] - (j == 0 ? once.normal.x.d[i] : once.normal.z.d[i])) < 1e-11);
          const auto first = [&](double a, double b) {
            return waves.nearest(Vec3<Dual<2>>{Dual<2>::variable(a, 0), Dual<2>(0.0), Dual<2>::variable(b, 1)})
                .normal.x.d[j];
          };
          CHECK(std::abs(twice.normal.x.d[i].d[j] - moved(first)) < 1e-8);
        }
      }
    }
  }
}
