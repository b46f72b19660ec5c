// References: the formulas of the standards, written out again here; closed forms of lines and circles; differences.
#include "skyhook/element/rail/profile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "skyhook/base/error.h"
#include "skyhook/element/rail/standard_profiles.h"

using namespace skyhook;
using namespace skyhook::element::rail;
using doctest::Approx;

namespace {

// Zone B and D of S1002, EN 13715, mm.
double zone_b(double y) {
  return -3.358537058e-2 * y + 1.565681624e-3 * y * y - 2.810427944e-5 * std::pow(y, 3) +
         5.844240864e-8 * std::pow(y, 4) - 1.562379023e-8 * std::pow(y, 5) + 5.309217349e-15 * std::pow(y, 6) -
         5.957839843e-12 * std::pow(y, 7) + 2.646656573e-13 * std::pow(y, 8);
}
double zone_d(double y) { return 16.446 - std::sqrt(13 * 13 - (y + 26.210665) * (y + 26.210665)); }

std::string complaint(const ProfilePoints& p, Shaping shaping = {.name = "mine", .file = "p.csv"}) {
  try {
    fit_profile(p, shaping);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

ProfilePoints parabola() {
  ProfilePoints p;
  for (int k = 0; k <= 100; ++k) {
    const double y = 1e-3 * (k - 50);
    p.y.push_back(y), p.z.push_back(-2 * y * y), p.lines.push_back(k + 3);
  }
  return p;
}

}  // namespace

// Made twice, by the tool that the build runs and here.
TEST_CASE("Profiles that stand in the program are those fitted to their zones, to the last digit") {
  for (const StandardProfile& each : standard_profiles) {
    const ProfilePtr known = built_in(each.name), made = fit_standard(each);
    CHECK(stored(*known) == stored(*made));
    CHECK(known->name() == made->name());
    CHECK(known->parts().kind == made->parts().kind);
    CHECK(known->parts().notes == made->parts().notes);
  }
}

TEST_CASE("S1002 is that of the standard to 0.3 um, in slope and curvature too") {
  const ProfilePtr p = built_in("s1002");
  CHECK(p->parts().deviation < 0.3e-6);
  for (double y = -25.5; y < 30; y += 0.7) {
    CAPTURE(y);
    CHECK(1e3 * p->height(1e-3 * y) == Approx(-zone_b(y)).scale(1).epsilon(2e-5));
    const double slope = (zone_b(y + 0.01) - zone_b(y - 0.01)) / 0.02;
    CHECK(p->height(Dual<1>::variable(1e-3 * y, 0)).d[0] == Approx(-slope).scale(1).epsilon(1e-5));
  }
  for (double y = -38; y < -36; y += 0.3)
    CHECK(1e3 * p->height(1e-3 * y) == Approx(-zone_d(y)).epsilon(2.5e-5));  // k l^2/48, by the cosine of the slope
  CHECK(1e-3 * p->curvature(p->s_at(-37e-3)) ==
        Approx(-1.0 / 13).epsilon(0.01));  // convex towards the rail would be positive
  CHECK(std::abs(p->at(0.0).y) < 1e-15);
  CHECK(std::abs(p->at(0.0).z) < 1e-15);
  for (double y = p->first_y(); y < p->last_y(); y += 3.7e-4) CHECK(std::abs(p->at(p->s_at(y)).y - y) < 1e-15);
}

TEST_CASE("UIC 60 leant by 0.05 rad is rail A of EN 15302") {
  const ProfilePtr a = built_in("en15302_rail_a"), b = inclined(*built_in("uic60"), 0.05);
  const double shift = a->gauge_face(14e-3) - b->gauge_face(14e-3);
  // Heights to 0.5 um, where the rail is not steep: the angles of the arcs are those of rail A, rounded to 1e-7.
  for (double y = -25e-3; y < 25e-3; y += 1e-3)
    CHECK(a->height(y + shift) == Approx(b->height(y)).scale(1).epsilon(0.5e-6));
  CHECK(a->gauge_face(14e-3) == Approx(-32.4178e-3).epsilon(1e-5));
}

TEST_CASE("A curve by length has unit speed, and derivatives that are those of duals and of differences") {
  std::mt19937 random(3);
  for (const char* name : {"s1002", "uic60_1in40"}) {
    const ProfilePtr p = built_in(name);
    for (int k = 0; k < 200; ++k) {
      const double s = std::uniform_real_distribution(p->first() + 1e-3, p->last() - 1e-3)(random), h = 1e-6;
      const ProfileJet<double> j = p->jet(s), a = p->jet(s - h), b = p->jet(s + h);
      CHECK(std::hypot(j.y1, j.z1) == Approx(1).epsilon(1e-4));
      CHECK(j.y1 == Approx((b.y - a.y) / (2 * h)).scale(1).epsilon(1e-6));
      CHECK(j.z2 == Approx((b.z1 - a.z1) / (2 * h)).scale(100).epsilon(1e-5));
      CHECK(j.z3 == Approx((b.z2 - a.z2) / (2 * h)).scale(1e5).epsilon(1e-4));
      using D = Dual<1, Dual<1, Dual<1>>>;
      const auto z = p->at(D::variable(Dual<1, Dual<1>>::variable(Dual<1>::variable(s, 0), 0), 0)).z;
      CHECK(z.v.v.d[0] == Approx(j.z1));
      CHECK(z.v.d[0].d[0] == Approx(j.z2));
      CHECK(z.d[0].d[0].d[0] == Approx(j.z3));
    }
  }
}

TEST_CASE("z over y has exact derivatives, of duals of duals too") {
  const ProfilePtr p = circular(0.3, 0.05);
  using D = Dual<1, Dual<1>>;
  const double y = 0.01, lean = std::atan(0.05), sine = std::sin(lean) - y / 0.3;
  const D z = p->height(D::variable(Dual<1>::variable(y, 0), 0));
  CHECK(z.v.v == Approx(0.3 * (std::sqrt(1 - sine * sine) - std::cos(lean))).epsilon(1e-12));
  CHECK(z.v.d[0] == Approx(sine / std::sqrt(1 - sine * sine)).epsilon(1e-12));
  CHECK(z.d[0].d[0] == Approx(-1 / 0.3 / std::pow(1 - sine * sine, 1.5)).epsilon(1e-9));
}

TEST_CASE("Cones are lines and circles are round, and both go on straight beyond their ends") {
  const ProfilePtr cone = conical(0.05), head = circular(0.08);
  for (double y = -0.07; y <= 0.07; y += 0.01) CHECK(std::abs(cone->height(y) - 0.05 * y) < 1e-17);
  for (double s = head->first(); s <= head->last(); s += 1e-3) {
    const ProfilePoint<double> q = head->at(s);
    CHECK(std::hypot(q.y, q.z + 0.08) == Approx(0.08).epsilon(1e-14));
    CHECK(head->curvature(s) == Approx(-1 / 0.08).epsilon(1e-9));
  }
  const ProfileJet<double> end = head->jet(head->last()), beyond = head->jet(head->last() + 0.01);
  CHECK(beyond.z == Approx(end.z + 0.01 * end.z1));
  CHECK(beyond.z2 == 0.0);
  CHECK_FALSE(head->contains(head->last() + 0.01));
}

TEST_CASE("A rail that leans turns about its origin, and its top stays at z = 0") {
  const ProfilePtr upright = built_in("uic60"), p = inclined(*upright, 0.025);
  double top = -1;
  for (double s = p->first(); s < p->last(); s += 1e-5) top = std::max(top, p->at(s).z);
  CHECK(top == Approx(0).scale(1).epsilon(1e-10));      // half a step of 10 um beside the top of a circle of 300 mm
  CHECK(p->angle(0.0) == Approx(0.025).epsilon(1e-6));  // the field side goes up
  CHECK(p->curvature(0.0) == Approx(upright->curvature(0.0)));
}

TEST_CASE("A worn wheel is flat where it is worn, and as before elsewhere") {
  const ProfilePtr fresh = built_in("s1002"), worn = worn_flat(*fresh, -15e-3, 20e-3);
  CHECK(std::abs(worn->curvature(worn->s_at(2e-3))) < 0.01);
  CHECK(worn->height(-30e-3) - worn->height(-25e-3) ==
        Approx(fresh->height(-30e-3) - fresh->height(-25e-3)).epsilon(1e-5));
}

TEST_CASE("Noise of points is smoothed as stated, and its size is told") {
  ProfilePoints p = parabola();
  std::mt19937 random(1);
  for (double& z : p.z) z += std::uniform_real_distribution(-1e-6, 1e-6)(random);
  const ProfilePtr coarse = fit_profile(p, {.name = "p", .smoothing = 10e-3}),
                   fine = fit_profile(p, {.name = "p", .smoothing = 0});
  CHECK(coarse->parts().deviation < 1.5e-6);
  CHECK(coarse->parts().deviation > 0.3e-6);
  CHECK(fine->parts().deviation < 0.05e-6);
  double rough_coarse = 0, rough_fine = 0;  // curvature beside -4/m
  for (double y = -0.03; y < 0.03; y += 1e-3) {
    rough_coarse = std::max(rough_coarse, std::abs(coarse->curvature(coarse->s_at(y)) / (1 - 24 * y * y) + 4));
    rough_fine = std::max(rough_fine, std::abs(fine->curvature(fine->s_at(y)) / (1 - 24 * y * y) + 4));
  }
  CHECK(rough_coarse < 0.2);
  CHECK(rough_fine > 1);
}

TEST_CASE("What is wrong with points is told with its line") {
  CHECK(complaint(parabola()).empty());
  ProfilePoints p = parabola();
  p.y[20] = p.y[19], p.z[20] = p.z[19];
  CHECK(has(complaint(p), "p.csv:23"));
  CHECK(has(complaint(p), "the one before it again"));
  p = parabola();
  p.z[50] = std::nan("");
  CHECK(has(complaint(p), "is no number"));
  p = parabola();
  for (auto* list : {&p.y, &p.z}) list->erase(list->begin() + 30, list->begin() + 40);
  p.lines.erase(p.lines.begin() + 30, p.lines.begin() + 40);
  CHECK(has(complaint(p), "p.csv:43"));
  CHECK(has(complaint(p), "a gap of 11"));
  p = parabola();
  std::swap(p.y[40], p.y[42]), std::swap(p.z[40], p.z[42]);
  CHECK(has(complaint(p), "turns back"));
  p = parabola();
  for (double& y : p.y) y *= 1e3;
  for (double& z : p.z) z *= 1e3;
  CHECK(has(complaint(p), "Check the unit"));
  p = parabola();
  for (double& y : p.y) y += 0.2;
  CHECK(has(complaint(p), "not over y = 0"));
  p = parabola();
  p.y.resize(5), p.z.resize(5);
  CHECK(has(complaint(p), "it has 5 points"));
  ProfilePoints loop;
  for (int k = 0; k <= 200; ++k) {
    const double t = -4 + 0.04 * k;
    loop.y.push_back(0.01 * (t - 2 * std::sin(t))),
        loop.z.push_back(0.01 * (1 - 2 * std::cos(t)));  // a cycloid with loops
  }
  CHECK(has(complaint(loop), "has a loop"));
}
