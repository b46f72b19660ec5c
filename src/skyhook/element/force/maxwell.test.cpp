// References: the law by hand, its exact relaxation, differences, balance of energy.
#include "skyhook/element/force/maxwell.h"

#include <array>

#include "skyhook/element/law_check.testing.h"
#include "skyhook/model/timeless.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

Maxwell mount() {
  Maxwell m;
  m.from = marker(0, {0, 0, 0});
  m.to = marker(1, {0, 0, 0.5});
  m.stiffness = 1000, m.damping = 50, m.parallel_stiffness = 200;
  return m;
}

}  // namespace

TEST_CASE("A spring in series with a damper: force and rate by hand, exact derivatives") {
  const model::Contribution force = force_of(mount());
  REQUIRE(force.inner);
  CHECK(force.inner->states()[0].name == "damper_length");
  const std::array<double, 1> c{0.04};
  std::array<double, 1> rate{};
  // Extended by 0.1, of which 0.04 in the damper: 0.06 are left to the spring.
  CHECK(force.inner->evaluate({0.6, 3.0}, c, rate) == doctest::Approx(1000 * 0.06 + 200 * 0.1));
  CHECK(rate[0] == doctest::Approx(1000 * 0.06 / 50));
  CHECK(force.inner->energy(0.6, c) == doctest::Approx(0.5 * (1000 * 0.06 * 0.06 + 200 * 0.1 * 0.1)));
  check_state_law(*force.inner, {0.7, -0.3, 0.2}, {0.05});
}

TEST_CASE("A Maxwell element does not read the time, and says so: a run need not look for jumps of it") {
  const model::Contribution force = force_of(mount());
  const auto* timeless = dynamic_cast<const model::Timeless*>(force.inner.get());
  REQUIRE(timeless);
  CHECK(timeless->is_timeless());
  CHECK(timeless->reads_position());
  const std::array<double, 1> c{0.04};
  std::array<double, 1> rate{}, later{};
  CHECK(force.inner->evaluate({0.6, 3.0, 0.0}, c, rate) == force.inner->evaluate({0.6, 3.0, 7.0}, c, later));
  CHECK(rate[0] == later[0]);
}

TEST_CASE("What goes into a Maxwell element is stored or heats its damper") {
  const model::Contribution force = force_of(mount());
  const double x = 0.63, v = 0.4, h = 1e-6;
  const std::array<double, 1> c{-0.02};
  std::array<double, 1> rate{};
  const double pull = force.inner->evaluate({x, v}, c, rate), heat = 50 * rate[0] * rate[0];
  const auto stored = [&](double s) { return force.inner->energy(x + s * v, std::array{c[0] + s * rate[0]}); };
  CHECK(pull * v == doctest::Approx((stored(h) - stored(-h)) / (2 * h) + heat).epsilon(1e-8));
}

TEST_CASE("A Maxwell element on an angle takes the angular fields, and refuses what is missing") {
  Maxwell m;
  m.joint = hinge;
  m.angular_stiffness = 40, m.angular_damping = 2;
  const model::Contribution force = force_of(m, three_joints());
  CHECK(force.joint == 0);
  CHECK(force.inner->states()[0].unit == "rad");
  std::array<double, 1> rate{};
  CHECK(force.inner->evaluate({0.3, 0.0}, std::array{0.0}, rate) == doctest::Approx(4.0));  // from 0.2 at design
  m.damping = 1;
  CHECK(refused_field(m, three_joints()) == "damping");
  m = mount(), m.damping = 0;
  CHECK(refused_field(m) == "damping");
  m = mount(), m.stiffness = 0;
  CHECK(refused_field(m) == "stiffness");
  m = mount(), m.free_angle = 1;
  CHECK(refused_field(m) == "free_angle");
}

// The damper by hand: F/c below, F_b/c + (F - F_b)/c_b far beyond, and one smooth curve between.
TEST_CASE("A damper that blows off yields more beyond that force, either way, and smoothly") {
  Maxwell m = mount();
  m.blow_off = 30, m.blow_off_damping = 4;
  const model::Contribution force = force_of(m);
  const auto rate_at = [&](double branch) {
    std::array<double, 1> rate{};
    force.inner->evaluate({0.5 + branch / 1000, 0.0}, std::array{0.0}, rate);
    return rate[0];
  };
  for (const double sign : {1.0, -1.0}) {
    CHECK(rate_at(sign * 26) == doctest::Approx(sign * 26 / 50.0));
    CHECK(rate_at(sign * 80) == doctest::Approx(sign * (30 / 50.0 + 50 / 4.0)));
    CHECK(rate_at(sign * 30) == doctest::Approx(sign * (30 / 50.0 + 0.75 * (1 / 4.0 - 1 / 50.0))));
  }
  for (const double branch : {20.0, 28.5, 30.0, 32.0, -31.0, -60.0})
    check_state_law(*force.inner, {0.5 + branch / 1000, -0.3, 0.2}, {0.0});
  m.blow_off_damping = 60;
  CHECK(refused_field(m) == "blow_off_damping");
  m.blow_off.reset(), m.blow_off_damping = 3;
  CHECK(refused_field(m) == "blow_off_damping");
}
