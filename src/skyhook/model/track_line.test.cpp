// References: arcs by hand, integrals in small steps, differences, and the equation of the foot.
#include "skyhook/model/track_line.h"

#include <doctest/doctest.h>

#include <numbers>
#include <random>

using namespace skyhook;
using namespace skyhook::model;

namespace {

constexpr double pi = std::numbers::pi;

Along constant(double value) {
  Along out;
  out.c[0] = value;
  return out;
}

TrackPiece arc(double length, double curvature, double climb = 0, double tilt = 0) {
  return {length, constant(curvature), constant(climb), constant(tilt), {}};
}

// A clothoid, a sine and a polynomial piece that climb and tilt, between straights and arcs.
TrackLine winding() {
  TrackPiece clothoid = arc(40, 0, 0.01), sine = arc(60, 1 / 300.0, 0.02, -0.08), bloss = arc(30, 0.001, 0.02, -0.02);
  clothoid.curvature.c[1] = 1 / 300.0 / 40, clothoid.climb.c[1] = 0.01 / 40, clothoid.tilt.c[2] = -0.08 / 1600;
  sine.curvature.c[1] = -0.00005, sine.curvature.sine = 0.0004, sine.curvature.number = 2 * pi / 60;
  sine.tilt.c[1] = 0.001, sine.tilt.cosine = 0.003, sine.tilt.number = 2 * pi / 60, sine.tilt.c[0] -= 0.003;
  bloss.curvature.c[2] = 1e-6, bloss.curvature.c[3] = -2e-8, bloss.widening.c[3] = 1e-7, bloss.widening.c[4] = 2e-9;
  return TrackLine({arc(25, 0, 0.01), clothoid, sine, bloss, arc(200, -1 / 150.0, 0.02)}, {{3, -2, 1}, 0.7});
}

struct Walk {
  Vec3d at;
  double heading;
};
// Simpson's rule over the layout in small steps, within one piece.
void walk(const TrackLine& line, double from, double to, Walk& w) {
  const int steps = 1 + static_cast<int>((to - from) / 0.05);
  const double h = (to - from) / steps;
  const auto look = [&](double x) { return line.layout(x); };
  for (int k = 0; k < steps; ++k) {
    const double a = from + k * h;
    const auto k0 = look(a + 1e-12), k1 = look(a + 0.25 * h), k2 = look(a + 0.5 * h), k3 = look(a + 0.75 * h),
               k4 = look(a + h - 1e-12);
    const double half = w.heading + h / 12 * (k0.curvature + 4 * k1.curvature + k2.curvature);
    const double end = half + h / 12 * (k2.curvature + 4 * k3.curvature + k4.curvature);
    const auto ahead = [](double heading, double climb) {
      const double p = std::sqrt(1 - climb * climb);
      return Vec3d{p * std::cos(heading), p * std::sin(heading), climb};
    };
    w.at += h / 6 * (ahead(w.heading, k0.climb) + 4.0 * ahead(half, k2.climb) + ahead(end, k4.climb));
    w.heading = end;
  }
}

using Four = Dual<1, Dual<1, Dual<1, Dual<1>>>>;

// s, s + ds, ... with all first derivatives 1.
template <class T>
T variable(double s) {
  if constexpr (std::is_same_v<T, double>) {
    return s;
  } else {
    T out(variable<decltype(T::v)>(s));
    out.d[0] = decltype(T::v)(1.0);
    return out;
  }
}
double inner(double x) { return x; }
template <int N, class S>
double inner(const Dual<N, S>& x) {
  return inner(x.d[0]);
}

}  // namespace

TEST_CASE("A track without layout is straight and has no end") {
  const TrackLine line;
  CHECK(line.is_endless());
  const auto p = line.place(123456.0);
  CHECK(p.position == Vec3d{123456, 0, 0});
  CHECK(p.axes == Mat3d::identity());
  CHECK(line.foot({-17, 3, 2}) == -17);
  CHECK(line.rails(5.0).of_left.up == 0);
}

TEST_CASE("Arcs that climb end where a helix does, to rounding") {
  const double R = 250, w = 0.03, p = std::sqrt(1 - w * w);
  const TrackLine line({arc(4000, 1 / R, w)});
  for (const double s : {1.0, 333.3, 2500.0, 4000.0}) {
    const auto at = line.place(s);
    const Vec3d exact{p * R * std::sin(s / R), p * R * (1 - std::cos(s / R)), w * s};
    CHECK(norm(at.position - exact) < 1e-12 * (R + s));
    CHECK(norm(at.tangent() - Vec3d{p * std::cos(s / R), p * std::sin(s / R), w}) < 1e-14 * (1 + s / R));
  }
}

// Simpson's steps of 5 cm leave 1e-11 m and less.
TEST_CASE("Heading and position are the integrals of curvature and climb") {
  const TrackLine line = winding();
  for (const double s : {20.0, 64.9, 90.0, 125.0, 155.0, 354.0}) {
    Walk w{{3, -2, 1}, 0.7};
    double from = 0;
    for (const double end : {25.0, 65.0, 125.0, 155.0, 355.0})
      walk(line, from, std::min(s, end), w), from = std::min(s, end);
    CHECK(std::abs(line.layout(s).heading - w.heading) < 1e-11);
    CHECK(norm(line.place(s).position - w.at) < 1e-10);
  }
  CHECK(line.length() == doctest::Approx(355).epsilon(1e-15));
}

TEST_CASE("The axes of a track are right-handed and unit, x along it, y to the left, and tilted by the cant") {
  const TrackLine line = winding();
  for (double s = -10; s < 360; s += 3.7) {
    const Mat3d A = line.place(s).axes, one = transpose(A) * A;
    for (int i = 0; i < 3; ++i) CHECK(norm(one[i] - Mat3d::identity()[i]) < 1e-14);
    CHECK(norm(cross(A.column(0), A.column(1)) - A.column(2)) < 1e-14);
    const auto l = line.layout(s);
    CHECK(A.column(1).z == doctest::Approx(l.tilt * std::sqrt(1 - l.climb * l.climb)).epsilon(1e-12));
    CHECK(dot(A.column(1), Vec3d{-std::sin(l.heading), std::cos(l.heading), 0}) > 0.99);
  }
}

// Each derivative against central differences of the one before: their error is h^2/6 of the third after it.
TEST_CASE("Four derivatives of position and axes, against differences of each other") {
  const TrackLine line = winding();
  const auto all = [&](double s) {
    const auto p = line.place(variable<Four>(s));
    std::array<std::array<double, 5>, 12> out;
    for (int i = 0; i < 12; ++i) {
      const Four& f = i < 3 ? p.position[i] : p.axes[(i - 3) / 3][(i - 3) % 3];
      out[static_cast<std::size_t>(i)] = {f.v.v.v.v, f.d[0].v.v.v, f.d[0].d[0].v.v, f.d[0].d[0].d[0].v, inner(f)};
    }
    return out;
  };
  for (const double s : {-5.0, 10.0, 40.0, 77.0, 101.0, 140.0, 300.0, 400.0}) {
    const double h = 1e-3;
    const auto here = all(s), behind = all(s - h), ahead = all(s + h);
    for (std::size_t i = 0; i < 12; ++i) {
      for (std::size_t k = 0; k < 4; ++k)
        CHECK(std::abs((ahead[i][k] - behind[i][k]) / (2 * h) - here[i][k + 1]) < (k == 0 && i < 3 ? 1e-10 : 1e-11));
    }
  }
}

TEST_CASE("The foot of a point: the tangent is perpendicular to the way there, found from near and from nothing") {
  const TrackLine line = winding();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> way(-30, 400), off(-3, 3);
  for (int k = 0; k < 300; ++k) {
    const double s = way(random);
    const auto p = line.place(s);
    const Vec3d r = p.position + off(random) * p.axes.column(1) + off(random) * p.axes.column(2);
    CHECK(std::abs(line.foot(r) - s) < 1e-11);
    CHECK(std::abs(line.foot(r, s + 3 * off(random)) - s) < 1e-11);
  }
}

// All places of a circle of three rounds are places of each round.
TEST_CASE("The foot of a point on a circle of several rounds is on the round on which it is looked for") {
  const double R = 40, round = 2 * pi * R;
  const TrackLine line({arc(3 * round, 1 / R, 0, 0.05)});
  for (double s = 5; s < 3 * round; s += 7.3) {
    const auto p = line.place(s);
    const Vec3d r = p.position + 0.75 * p.axes.column(1);
    for (const double off : {-4.0, 0.1, 4.0}) CHECK(std::abs(line.foot(r, s + off) - s) < 1e-9);
  }
}

// Derivatives of the foot to r along a line of points, first and second, against differences of it.
TEST_CASE("The foot of a point on dual numbers: its derivatives are those of its equation") {
  const TrackLine line = winding();
  for (const double s : {15.0, 50.0, 95.0, 200.0}) {
    const auto p = line.place(s);
    const Vec3d r = p.position + 1.3 * p.axes.column(1) - 0.4 * p.axes.column(2), way{0.6, -0.7, 0.3};
    const auto at = [&](double h) { return line.foot(r + h * way, s); };
    using Two = Dual<1, Dual<1>>;
    Vec3<Two> x;
    for (int i = 0; i < 3; ++i) {
      x[i] = Two(Dual<1>(r[i]));
      x[i].v.d[0] = way[i], x[i].d[0].v = way[i];
    }
    const auto foot = line.at_foot(x, s);
    const double h = 1e-2;
    CHECK(foot.s.v.v == doctest::Approx(s).epsilon(1e-14));
    CHECK(std::abs(foot.s.v.d[0] - (at(h) - at(-h)) / (2 * h)) < 1e-8);
    CHECK(std::abs(foot.s.d[0].d[0] - (at(h) - 2 * at(0) + at(-h)) / (h * h)) < 2e-8);
    // The place goes along: c(s(r)) has the tangent times the rate of s.
    for (int i = 0; i < 3; ++i) CHECK(std::abs(foot.position[i].v.d[0] - p.axes.column(0)[i] * foot.s.v.d[0]) < 1e-13);
    const Vec3<Dual<1>> first{{r.x}, {r.y}, {r.z}};
    Vec3<Dual<1>> moved = first;
    for (int i = 0; i < 3; ++i) moved[i].d[0] = way[i];
    CHECK(line.at_foot(moved).s.d[0] == doctest::Approx(foot.s.v.d[0]).epsilon(1e-12));
  }
}

TEST_CASE("Where the curvature jumps, the line says so, and its tangent goes on") {
  const TrackLine line = winding();
  REQUIRE(line.jumps().size() == 3);  // behind the sine and the polynomial, and at the end, where it goes on straight
  CHECK(line.jumps()[0] == doctest::Approx(125));
  CHECK(line.jumps()[1] == doctest::Approx(155));
  CHECK(line.jumps()[2] == doctest::Approx(355));
  for (const double s : line.jumps())
    CHECK(norm(line.place(s - 1e-9).tangent() - line.place(s + 1e-9).tangent()) < 1e-10);
}

TEST_CASE("What the layout widens shifts both rails, half each") {
  const TrackLine line = winding();
  const double s = 125 + 20, wide = 1e-7 * 8000 + 2e-9 * 160000;
  CHECK_FALSE(line.is_even());
  const auto rails = line.rails(variable<Dual<1>>(s));
  CHECK(rails.of_left.left.v == doctest::Approx(0.5 * wide).epsilon(1e-12));
  CHECK(rails.of_right.left.v == doctest::Approx(-0.5 * wide).epsilon(1e-12));
  CHECK(rails.of_left.left.d[0] == doctest::Approx(0.5 * (3e-7 * 400 + 8e-9 * 8000)).epsilon(1e-12));
}

// Sixteen places at each of 4000 curves of 25 m: from the end of 100 km the way is as exact as the positions' own rounding, and as quick.
TEST_CASE("A line of 100 km is found from nothing, and its end costs no more than its begin") {
  std::vector<TrackPiece> pieces;
  for (int k = 0; k < 1000; ++k) {
    TrackPiece in = arc(25, 0), out = arc(25, 1 / 400.0);
    in.curvature.c[1] = 1 / 400.0 / 25, out.curvature.c[1] = -1 / 400.0 / 25;
    pieces.insert(pieces.end(), {in, arc(25, 1 / 400.0), out, arc(25, -1 / 200.0 * 1)});
  }
  const TrackLine line(pieces);
  CHECK(line.length() == doctest::Approx(100000).epsilon(1e-14));
  for (const double s : {3.0, 50001.5, 99999.0}) {
    const auto p = line.place(s);
    CHECK(std::abs(line.foot(p.position + p.axes.column(1)) - s) < 1e-9);
  }
}
