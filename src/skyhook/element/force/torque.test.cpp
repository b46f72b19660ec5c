// References: the formulas by hand, differences.
#include "skyhook/element/force/torque.h"

#include "skyhook/element/law_check.testing.h"
#include "skyhook/model/timeless.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

Torque between() {
  Torque q;
  q.from = marker(0, {0, 0, 0});
  q.to = marker(1, {0, 0, 0});
  return q;
}

}  // namespace

TEST_CASE("Components turn `to` about the axes of `from`; there is no force") {
  Torque q = between();
  q.y = formula("10[N.m] - 2[N.m.s]*wy + 1[N.m/s]*t", Torque::variables);
  const Wrench<double> w = wrench_of(*force_of(q).wrench, {3.0, {1, 1, 1}, Mat3d::identity(), {}, {0, 4, 0}});
  CHECK(w.f == Vec3d{});
  CHECK(w.n == Vec3d{0, 5, 0});
}

TEST_CASE("A torque by formulas has exact derivatives in all its variables") {
  Torque q = between();
  q.x = formula("1[N.m.s^2]*wy*wz", Torque::variables);
  q.y = formula("1[N.m]*tanh(wx/1[rad/s])", Torque::variables);
  q.z = formula("-1[N.m.s]*wz*cos(t/1[s])", Torque::variables);
  check_law(*force_of(q).wrench, false);
}

TEST_CASE("On an angle the value drives it up") {
  Torque q;
  q.joint = hinge;
  q.value = formula("5[N.m] - 2[N.m]*sin(q) - 3[N.m.s]*qd", "t:s q:rad qd:rad/s");
  const model::Contribution force = force_of(q, three_joints());
  CHECK(force.coordinate->force(0.0, 1.0, 0.0) == doctest::Approx(2.0));
  check_coordinate_law(*force.coordinate, 0.2, 0.4, false);
}

TEST_CASE("A formula on a coordinate says whether it reads the time and the coordinate") {
  const auto law = [](const char* text) {
    Torque q;
    q.joint = hinge;
    q.value = formula(text, "t:s q:rad qd:rad/s");
    return force_of(q, three_joints()).coordinate;
  };
  for (const char* text :
       {"-3[N.m.s]*qd", "2[N.m]*sin(q) - 3[N.m.s]*qd", "5[N.m]*sin(t/1[s])", "q*1[N.m] + t*1[N.m/s]"}) {
    CAPTURE(text);
    const auto of = law(text);
    const auto* timeless = dynamic_cast<const model::Timeless*>(of.get());
    REQUIRE(timeless);
    CHECK(timeless->is_timeless() == (of->force(0.2, 0.4, 0.0) == of->force(0.2, 0.4, 1.0)));
    CHECK(timeless->reads_position() == (of->force(0.2, 0.4, 0.0) != of->force(0.7, 0.4, 0.0)));
  }
}

TEST_CASE("A torque on a sliding coordinate is refused") {
  Torque q;
  q.joint = slider;
  q.value = formula("1[N.m]", "t:s q:rad qd:rad/s");
  CHECK(refused_field(q, three_joints()) == "joint");
}
