// References: laws by hand, differences, balance of energy (law_check.testing.h).
#include "skyhook/element/axis_force.h"

#include "skyhook/element/force/bump_stop.h"
#include "skyhook/element/force/maxwell.h"
#include "skyhook/element/force/spring_damper.h"
#include "skyhook/element/force/torque.h"
#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

// Markers with different axes, apart from each other.
template <class Element>
Element between() {
  Element s;
  s.from = marker(0, {0.1, 0.2, 0.3}, cardan_rotation({0.4, -0.3, 0.8}));
  s.to = marker(1, {0.2, 0.1, 0.5}, cardan_rotation({-0.2, 0.5, 0.1}));
  return s;
}

SpringDamper shaft() {
  auto s = between<SpringDamper>();
  s.about = Vec3d{1, -2, 0.5};
  s.angular_stiffness = 40;
  return s;
}

Mat3d design(const SpringDamper& s) { return transpose(s.from->axes) * s.to->axes; }

}  // namespace

TEST_CASE("A torsion spring between two bodies counts its turns") {
  SpringDamper s = shaft();
  s.angular_preload = 3;
  const model::Contribution force = force_of(s);
  REQUIRE(force.counts_turns());
  const Vec3d e = transpose_times(s.from->axes, normalized(*s.about));  // in axes of `from`
  for (const double angle : {0.0, 1.0, -2.5, 20.0}) {
    Relative<double> m{0, {5, 6, 7}, axis_rotation(e, angle) * design(s), {1, 2, 3}, 2.0 * e};
    m.set.angles[0] = angle - 1;
    const Wrench<double> w = wrench_of(*force.wrench, m);
    CHECK(norm(w.f) == 0);
    CHECK(norm(w.n + (3 + 40 * angle) * e) < 1e-10);
    std::vector<double> out;
    force.wrench->measure(m, w, out);
    REQUIRE(out.size() == 3);
    CHECK(out[0] == doctest::Approx(-3 - 40 * angle));  // it turns `to` down
    CHECK(std::abs(out[1] - angle) < 1e-13);
    CHECK(out[2] == doctest::Approx(2));
  }
}

TEST_CASE("Laws about and along an axis are exact in their derivatives and keep energy, the axes bent too") {
  SpringDamper s = shaft();
  const Mat3d R = design(s);
  const auto not_bent_back = [&](const Relative<double>& m) {
    const Vec3d e = transpose_times(s.from->axes, normalized(*s.about));
    return dot(e, m.R * transpose_times(R, e)) > -0.5;
  };
  check_law(*force_of(s).wrench, true, not_bent_back);
  s.angular_damping = 3;
  check_law(*force_of(s).wrench, false, not_bent_back);
  auto strut = between<SpringDamper>();
  strut.along = Vec3d{1, -2, 0.5}, strut.stiffness = 100, strut.preload = 7;
  CHECK(force_of(strut).wrench->between_points());
  check_law(*force_of(strut).wrench, true);
  auto stop = between<BumpStop>();
  stop.along = Vec3d{0, 0, 1}, stop.engage_length = 0.3, stop.stiffness = 1000;
  check_modes(*force_of(stop).wrench, {1, 2});
}

TEST_CASE("A length along an axis is positive at design, whichever way the axis points") {
  for (const double sign : {1.0, -1.0}) {
    auto s = between<SpringDamper>();
    s.along = Vec3d{0, 0, sign}, s.stiffness = 10;
    const model::Contribution force = force_of(s);
    REQUIRE(force.axis);
    CHECK(norm(force.axis->axis - transpose_times(s.from->axes, Vec3d{0, 0, 1})) < 1e-15);
    const Vec3d r = transpose_times(s.from->axes, s.to->at - s.from->at);
    CHECK(norm(wrench_of(*force.wrench, {0, r, Mat3d::identity(), {}, {}}).f) < 1e-15);
  }
}

TEST_CASE("A torque about an axis is a formula of its angle and rate") {
  auto t = between<Torque>();
  t.about = Vec3d{0, 0, 1};
  t.value = formula("5[N.m] - 2[N.m]*q - 1[N.m.s]*qd*t/1[s]", "t:s q:rad qd:rad/s signal:-");
  const model::Contribution force = force_of(t);
  const Vec3d e = transpose_times(t.from->axes, Vec3d{0, 0, 1});
  const Mat3d R = transpose(t.from->axes) * t.to->axes;
  const Wrench<double> w = wrench_of(*force.wrench, {2.0, {}, axis_rotation(e, 0.7) * R, {}, 3.0 * e});
  CHECK(norm(w.n - (5 - 2 * 0.7 - 3 * 2.0) * e) < 1e-12);
  t.about.reset(), t.along = Vec3d{0, 0, 1};
  CHECK(refused_field(t) == "along");
}

TEST_CASE("An axis takes the fields of its kind, and one of both") {
  SpringDamper s = shaft();
  s.stiffness = 1;
  CHECK(refused_field(s) == "stiffness");
  s = shaft(), s.along = Vec3d{0, 0, 1};
  CHECK(refused_field(s) == "about");
  s = shaft(), s.about = Vec3d{};
  CHECK(refused_field(s) == "about");
  auto m = between<Maxwell>();
  m.about = Vec3d{0, 1, 0}, m.angular_stiffness = 5, m.angular_damping = 1;
  CHECK(force_of(m).counts_turns());
  CHECK(force_of(m).inner->states()[0].unit == "rad");
}

TEST_CASE("A torsion spring does not ask where its frames stand to each other, a spring along an axis does") {
  const auto asks = [](const SpringDamper& s) {
    const model::Contribution force = force_of(s);
    const Relative<double> here{0, {5, 6, 7}, design(s), {}, {}}, there{0, {-1, 2, 9}, design(s), {}, {}};
    const Wrench<double> a = wrench_of(*force.wrench, here), b = wrench_of(*force.wrench, there);
    const auto* timeless = dynamic_cast<const model::Timeless*>(force.wrench.get());
    REQUIRE(timeless);
    CHECK(timeless->reads_position() == (norm(a.f - b.f) + norm(a.n - b.n) > 0));
    return timeless->reads_position();
  };
  CHECK_FALSE(asks(shaft()));
  SpringDamper s = between<SpringDamper>();
  s.along = Vec3d{0, 0, 1}, s.stiffness = 100;
  CHECK(asks(s));
}
