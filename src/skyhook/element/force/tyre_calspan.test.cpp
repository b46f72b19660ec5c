// References: the formulae of the IAVSD benchmark as its data have them, in another arrangement; limits by hand.
#include "skyhook/element/force/tyre_calspan.h"

#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/tyre/calspan.h"
#include "skyhook/element/tyre/slip_check.testing.h"
#include "skyhook/model/contribution.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

const tyre::Calspan iltis{.a0 = 2625.0,
                          .a1 = 14.47,
                          .a2 = 12930.0,
                          .a3 = 2.29,
                          .a4 = 18175.0,
                          .a_omega = 1.0,
                          .b1 = -0.464e-4,
                          .b3 = 1.216,
                          .b4 = 2.18e-11,
                          .ratio = 1.0274,
                          .af1 = -0.171e-4,
                          .af2 = 0.171e-4};

// As written in the data of the benchmark; `normalised` is its alpha bar.
double normalised(const Slip<double>& s) {
  const double A0 = 2625, A1 = 14.47, A2 = 12930, A3 = 2.29, A4 = 18175, Fz = s.load;
  const double mu = (-0.464e-4 * Fz + 1.216 + 2.18e-11 * Fz * Fz) * 1.0274 * s.friction;
  const double bracket = A1 * Fz * (Fz - A2) - A0 * A2;
  const double alpha_phi = -A2 * A3 * (A4 - Fz) * Fz / (A4 * bracket) * s.camber;
  return bracket / (A2 * mu * Fz) * (std::atan(s.tan_alpha) + alpha_phi);
}
double lateral(const Slip<double>& s) {
  const double mu = (-0.464e-4 * s.load + 1.216 + 2.18e-11 * s.load * s.load) * 1.0274 * s.friction;
  const double a = normalised(s);
  const double g = std::abs(a) < 3 ? a - a * std::abs(a) / 3 + a * a * a / 27 : a > 0 ? 1.0 : -1.0;
  return mu * s.load * g;
}

}  // namespace

TEST_CASE("Calspan's tyre: 500 random slips against the formulae of the benchmark, derivatives") {
  check_against(iltis, [](const Slip<double>& s) -> std::array<double, 5> {
    const double fy = lateral(s);
    return {0, fy, 0, 0, (-0.171e-4 * s.load + 0.171e-4 * std::abs(fy)) * fy};
  });
  // the third derivative jumps where it begins to slide and at zero, the second at zero
  check_slopes(iltis, [](const Slip<double>& s) {
    return std::abs(std::abs(normalised(s)) - 3) > 1e-2 && std::abs(normalised(s)) > 1e-2;
  });
}

TEST_CASE("Calspan's tyre: against sliding, towards its lean, to the friction and no farther") {
  const auto fy = [](double tan_alpha, double camber) { return iltis(Slip<double>{0, tan_alpha, camber, 4000}).fy; };
  CHECK(fy(0, 0) == 0);
  CHECK(fy(0.01, 0) < 0);
  CHECK(fy(0, 0.01) < 0);                               // its top leans to the right
  CHECK(iltis(Slip<double>{0, 0.01, 0, 4000}).mz > 0);  // turns it into its motion
  // small slip: -(A0 + A1 Fz (1 - Fz/A2)) alpha
  CHECK(fy(1e-7, 0) == doctest::Approx(-1e-7 * (2625 + 14.47 * 4000 * (1 - 4000.0 / 12930))).epsilon(1e-5));
  const double most = (-0.464e-4 * 4000 + 1.216 + 2.18e-11 * 16e6) * 1.0274 * 4000;
  CHECK(fy(1.0, 0) == doctest::Approx(-most));
  CHECK(iltis(Slip<double>{0, 1.0, 0, 4000}).mz == doctest::Approx((-0.171e-4 * 4000 + 0.171e-4 * most) * -most));
}

TEST_CASE("Calspan's tyre beyond its loads: stiffness and friction stay, and no load makes it pull") {
  for (const double load : {12930.0, 15000.0, 30000.0, 1e5}) {
    CHECK(iltis.stiffness(load) == doctest::Approx(-2625));
    CHECK(iltis(Slip<double>{0, 0.05, 0, load}).fy < 0);
  }
}

TEST_CASE("Calspan's tyre as an element: one lateral state, none without relaxation; wrong stiffness is refused") {
  TyreCalspan t;
  t.from = marker(model::ground, {0, 0, 0}), t.to = marker(1, {0, 0, 0.355});
  t.radius = 0.364325, t.stiffness = 460000;
  t.a0 = 2625, t.a1 = 14.47, t.a2 = 12930, t.a3 = 2.29, t.a4 = 18175, t.b1 = -0.464e-4, t.b3 = 1.216, t.b4 = 2.18e-11;
  t.friction_ratio = 1.0274, t.af1 = -0.171e-4, t.af2 = 0.171e-4;
  CHECK(law_of(t)->declared().states.empty());
  model::Relative<double> m{};
  m.r = {0, 0, 0.355}, m.R = Mat3d::identity(), m.v = {20, 0.4, 0}, m.w = {0, 56, 0};
  Wrench<double> w{};
  law_of(t)->loads({m, {}, {}, {}}, {w, {}, {}});
  const double load = 460000 * (0.364325 - 0.355);
  CHECK(w.f.z == doctest::Approx(load));
  CHECK(w.f.y == doctest::Approx(lateral({0, 0.02, 0, load})));
  CHECK(w.f.x == 0);
  CHECK(std::abs(w.n.y) < 1e-9);
  t.relaxation_y = 0.5;
  CHECK(law_of(t)->declared().states.size() == 1);
  t.relaxation_x = 0.5;
  CHECK(refused_field(t) == "relaxation_x");
  t.relaxation_x = 0, t.a1 = -5;
  CHECK(refused_field(t) == "a1");
}
