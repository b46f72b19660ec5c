// References: the formulas of the page by hand, differences, the wrench at the wheel's centre from the force at the contact point.
#include "skyhook/element/force/tyre_linear.h"

#include <numbers>

#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/tyre/linear.h"
#include "skyhook/element/tyre/slip_check.testing.h"
#include "skyhook/model/measuring_law.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

TyreLinear wheel() {
  TyreLinear t;
  t.from = marker(model::ground, {0, 0, 0});
  t.to = marker(1, {0, 0, 0.28});
  t.radius = 0.3, t.stiffness = 2e5, t.damping = 100;
  t.slip_stiffness = 6e4, t.cornering_stiffness = 5e4, t.camber_stiffness = 3e3, t.trail = 0.03;
  t.rolling_radius = 0.29;
  return t;
}

Relative<double> rolling(double vx, double vy, double spin, double z = 0.28) {
  Relative<double> m{};
  m.r = {0, 0, z}, m.R = Mat3d::identity(), m.v = {vx, vy, 0}, m.w = {0, spin, 0};
  return m;
}

struct Answer {
  Wrench<double> wrench;
  std::vector<double> rates, measured;
};
Answer answer(const model::ContributionLaw& law, const Relative<double>& m, std::vector<double> c = {}) {
  Answer out{{}, std::vector<double>(c.size()), {}};
  const model::LoadInput<double> in{m, c, {}, {}};
  law.loads(in, {out.wrench, out.rates, {}});
  law.measure(in, {out.wrench, {}}, out.measured);
  REQUIRE(out.measured.size() == law.quantities().size());
  return out;
}
// Both at once.
Answer measured_answer(const model::ContributionLaw& law, const Relative<double>& m, std::vector<double> c) {
  Answer out{{}, std::vector<double>(c.size()), {}};
  dynamic_cast<const model::MeasuringLaw&>(law).measured_loads({m, c, {}, {}}, {out.wrench, out.rates, {}},
                                                               out.measured);
  return out;
}
double channel(const model::ContributionLaw& law, const Answer& of, const std::string& name) {
  const auto all = law.quantities();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return of.measured[i];
  }
  FAIL("no channel " << name);
  return 0;
}

}  // namespace

TEST_CASE("A linear tyre: law and derivatives") {
  const tyre::Linear law{6e4, 5e4, 3e3, 0.03, 0.9};
  check_against(law, [](const Slip<double>& s) -> std::array<double, 5> {
    const double x = 6e4 * s.kappa, y = 5e4 * std::atan(s.tan_alpha) + 3e3 * s.camber, mu = 0.9 * s.friction * s.load;
    const double share = std::pow(1 + std::pow(std::hypot(x, y) / mu, 4), -0.25);
    return {x * share, -y * share, 0, 0, 0.03 * y * share};
  });
  check_slopes(law, [](const Slip<double>&) { return true; });
}

TEST_CASE("A tyre measures with its loads what it measures by itself, on the road and in the air") {
  TyreLinear relaxing = wheel();
  relaxing.relaxation_x = 0.3, relaxing.relaxation_y = 0.5;
  const auto plain = law_of(wheel()), with_states = law_of(relaxing);
  for (const double height : {0.28, 0.27, 0.35}) {
    for (const auto& law : {plain, with_states}) {
      const std::vector<double> c(law->declared().states.size(), 0.004);
      const Relative<double> m = rolling(10, 0.3, 36, height);
      const Answer apart = answer(*law, m, c), at_once = measured_answer(*law, m, c);
      CHECK(apart.wrench.f == at_once.wrench.f);
      CHECK(apart.wrench.n == at_once.wrench.n);
      CHECK(apart.rates == at_once.rates);
      CHECK(apart.measured == at_once.measured);
    }
  }
}

TEST_CASE("A linear tyre without relaxation: forces at the contact point, wrench at the wheel's centre") {
  const auto law = law_of(wheel());
  CHECK(law->declared().states.empty());
  const double spin = 10 / 0.29 * 1.02;  // 2 % of slip
  const Answer a = answer(*law, rolling(10, 0.3, spin));
  CHECK(a.wrench.f.x == doctest::Approx(6e4 * 0.02));
  CHECK(a.wrench.f.y == doctest::Approx(-5e4 * std::atan(0.03)));
  CHECK(a.wrench.f.z == doctest::Approx(4000));
  CHECK(a.wrench.n.y == doctest::Approx(-0.28 * 6e4 * 0.02));   // brakes what drives
  CHECK(a.wrench.n.x == doctest::Approx(0.28 * a.wrench.f.y));  // (0, 0, -r) x f
  CHECK(a.wrench.n.z == doctest::Approx(-0.03 * a.wrench.f.y).epsilon(1e-6));
  CHECK(channel(*law, a, "fx") == doctest::Approx(1200));
  CHECK(channel(*law, a, "kappa") == doctest::Approx(0.02));
  CHECK(channel(*law, a, "alpha") == doctest::Approx(std::atan(0.03)));
  CHECK(channel(*law, a, "deflection") == doctest::Approx(0.02));
  CHECK(channel(*law, a, "heat") == doctest::Approx(1200 * 0.2 + 5e4 * std::atan(0.03) * 0.3));
  // rolling back: the same slip, and the trail on the other side
  const Answer back = answer(*law, rolling(-10, 0.3, -spin));
  CHECK(back.wrench.f.x == doctest::Approx(-1200));
  CHECK(back.wrench.f.y == doctest::Approx(a.wrench.f.y));
  CHECK(back.wrench.n.z == doctest::Approx(-a.wrench.n.z));
}

// On a slope of 0.1 at x = 0: by hand. The wheel climbs at 10 m/s * 0.1, which its damper feels in both cases.
TEST_CASE("On a slope the load is normal to the road, or vertical") {
  TyreLinear t = wheel();
  t.bump_height = 1, t.bump_length = 10 * std::numbers::pi,
  t.bump_at = -5 * std::numbers::pi / 2;  // h = 1/2, slope 0.1
  t.normal = "vertical";
  const double push = 2e5 * 0.02 + 100 * 1.0;
  const auto law = law_of(t);
  const Answer vertical = answer(*law, rolling(10, 0, 10 / 0.29, 0.5 + 0.28));
  CHECK(vertical.wrench.f.z == doctest::Approx(push));
  CHECK(std::abs(vertical.wrench.f.x) < 1e-9 * push);
  CHECK(channel(*law, vertical, "deflection") == doctest::Approx(0.02));
  t.normal = "road", t.slip_stiffness = 0;
  const Answer normal = answer(*law_of(t), rolling(10, 0, 10 / 0.29, 0.5 + 0.28));
  const double cosine = 1 / std::sqrt(1.01), load = 2e5 * (0.3 - 0.28 * cosine) + 100 * cosine;
  CHECK(normal.wrench.f.z == doctest::Approx(load * cosine));
  CHECK(normal.wrench.f.x == doctest::Approx(-0.1 * load * cosine));
}

TEST_CASE("A road that runs below the wheel is a belt: slip of its speed, deflection rate of its slope") {
  TyreLinear t = wheel();
  t.speed = 10, t.profile = model::Curve(formula("0.005[m]*sin(3*x/1[m])", "x:m"));
  const auto law = law_of(t);
  const auto at = [&](double time) {
    Relative<double> m = rolling(0, 0.3, 10 / 0.29, 0.285);
    m.t = time;
    return answer(*law, m);
  };
  const double h = 1e-6, time = 0.07;
  const double rate = (channel(*law, at(time + h), "deflection") - channel(*law, at(time - h), "deflection")) / (2 * h);
  const Answer a = at(time);
  CHECK(std::abs(rate) > 0.01);
  CHECK(channel(*law, a, "fz") == doctest::Approx(2e5 * channel(*law, a, "deflection") + 100 * rate).epsilon(3e-4));
  CHECK(channel(*law, a, "alpha") == doctest::Approx(std::atan(0.03)).epsilon(1e-2));
  CHECK(std::abs(channel(*law, a, "kappa")) < 1e-2);
}

TEST_CASE("A tyre in the air is silent, does not pull, and its patch takes its shape") {
  TyreLinear t = wheel();
  t.relaxation_x = 0.2, t.relaxation_y = 0.4;
  const auto law = law_of(t);
  REQUIRE(law->declared().states.size() == 2);
  const Answer a = answer(*law, rolling(10, 1, 20, 0.31), {0.01, 0.02});
  CHECK(norm(a.wrench.f) == 0);
  CHECK(norm(a.wrench.n) == 0);
  CHECK(a.rates[0] < 0);
  CHECK(channel(*law, a, "deflection") == doctest::Approx(-0.01));
  Relative<double> up = rolling(10, 1, 20, 0.2999);
  up.v.z = 1;  // 20 N - 100 N
  CHECK(norm(answer(*law, up, {0, 0}).wrench.f) == 0);
  const auto& modes = dynamic_cast<const model::SwitchingLaw&>(*law);
  const std::vector<double> c{0, 0};
  CHECK(modes.first_mode({up, c, {}, {}}) == 2);
  Relative<double> down = rolling(10, 1, 20);
  CHECK(modes.first_mode({down, c, {}, {}}) == 1);
  down.set.mode = 1;
  CHECK(modes.watch({down, c, {}, {}}) == doctest::Approx(0.02));
  CHECK(modes.next_mode({down, c, {}, {}}) == 2);
  CHECK(modes.event(1, 2) == "lift-off");
  CHECK(modes.event(2, 1) == "landing");
}

TEST_CASE("A carrier that does not turn feels no moment about its axis, and rolls freely") {
  TyreLinear t = wheel();
  t.spin = "free", t.relaxation_y = 0.4;
  const auto law = law_of(t);
  REQUIRE(law->declared().states.size() == 1);
  Relative<double> m = rolling(10, 0.3, 0);
  m.R = exponential({0.1, 0, 0.2});
  const Answer a = answer(*law, m, {-0.01});
  CHECK(std::abs(dot(a.wrench.n, m.R.column(1))) < 1e-9);
  CHECK(channel(*law, a, "fx") == 0);
  CHECK(channel(*law, a, "camber") == doctest::Approx(std::asin(m.R.column(1).z)));
}

TEST_CASE("The conventions: one force in other axes") {
  TyreLinear t = wheel();
  Relative<double> m = rolling(10, 0.3, 40);
  m.R = exponential({0.1, 0, 0});
  const auto at = [&](const char* convention) {
    t.convention = convention;
    const auto law = law_of(t);
    const Answer a = answer(*law, m);
    std::vector<double> out;
    for (const char* name : {"fx", "fy", "fz", "mx", "my", "mz", "alpha", "kappa"})
      out.push_back(channel(*law, a, name));
    out.push_back(a.wrench.n.x), out.push_back(a.wrench.n.y), out.push_back(a.wrench.n.z);
    return out;
  };
  const auto iso = at("iso"), sae = at("sae"), h = at("tydex_h"), c = at("tydex_c");
  for (const int same : {0, 3, 7}) CHECK(sae[same] == doctest::Approx(iso[same]));
  for (const int turned : {1, 2, 4, 5, 6}) CHECK(sae[turned] == doctest::Approx(-iso[turned]));
  for (const int k : {0, 1, 2}) CHECK(h[k] == doctest::Approx(iso[k]));
  for (const int k : {0, 1, 2})
    CHECK(h[3 + k] == doctest::Approx(iso[8 + k]));  // at the wheel's centre, axes as the road's
  // C leans with the wheel
  CHECK(c[1] == doctest::Approx(std::cos(0.1) * iso[1] + std::sin(0.1) * iso[2]));
  CHECK(c[2] == doctest::Approx(-std::sin(0.1) * iso[1] + std::cos(0.1) * iso[2]));
  CHECK(c[4] == doctest::Approx(std::cos(0.1) * h[4] + std::sin(0.1) * h[5]));
}

TEST_CASE("Tyres refuse halves") {
  TyreLinear t = wheel();
  t.relaxation_x = 0.3;
  CHECK(refused_field(t) == "relaxation_y");
  t.spin = "free";
  CHECK(refused_field(t) == "relaxation_x");
}
