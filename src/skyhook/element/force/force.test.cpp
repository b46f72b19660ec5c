// References: the formulas by hand, differences.
#include "skyhook/element/force/force.h"

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

Force between() {
  Force f;
  f.from = marker(model::ground, {0, 0, 0});
  f.to = marker(1, {0, 0, 0});
  return f;
}

}  // namespace

TEST_CASE("Components act on `to` along the axes of `from`; missing ones are 0") {
  Force f = between();
  f.x = formula("10[N] + 2[N/s]*t", Force::variables);
  f.z = formula("-3[N/m]*y - 4[N.s/m]*vx", Force::variables);
  const model::Contribution force = force_of(f);
  const Relative<double> m{2.0, {0, 5, 0}, Mat3d::identity(), {7, 0, 0}, {}};
  const Wrench<double> w = wrench_of(*force.wrench, m);
  CHECK(w.f == Vec3d{14, 0, -43});
  CHECK(w.n == Vec3d{});
  std::vector<double> out;
  force.wrench->measure(m, w, out);
  CHECK(out == std::vector<double>{14, 0, -43});
}

TEST_CASE("A force by formulas has exact derivatives in all its variables") {
  Force f = between();
  f.x = formula("1[N]*sin(x/1[m] + 2*y/1[m])*vz/1[m/s]", Force::variables);
  f.y = formula("1[N/m^2]*z^2 + 1[N]*t/1[s]", Force::variables);
  f.z = formula("3[N.s/m]*vx + 1[N.s^2/m^2]*vy*vy", Force::variables);
  check_law(*force_of(f).wrench, false);
}

TEST_CASE("A force that follows `to` has its components along the axes of `to`") {
  Force f = between();
  f.axes = "to";
  f.x = formula("10[N] + 2[N/m]*y", Force::variables);
  f.z = formula("3[N]", Force::variables);
  const model::Contribution force = force_of(f);
  const Mat3d quarter{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};                                  // x of `to` is y of `from`
  const Wrench<double> w = wrench_of(*force.wrench, {0.0, {-5, 0, 0}, quarter, {}, {}});  // 5 m along y of `to`
  CHECK(w.f == Vec3d{0, 20, 3});
  CHECK(w.n == Vec3d{});
  check_law(*force.wrench, false);
}

TEST_CASE("On a sliding coordinate the value drives it up") {
  Force f;
  f.joint = slider;
  f.value = formula("5[N] - 100[N/m]*q - 2[N.s/m]*qd", "t:s q:m qd:m/s");
  const model::Contribution force = force_of(f, three_joints());
  CHECK(force.coordinate->force(0.1, 3.0, 0.0) == doctest::Approx(5 - 10 - 6));
  check_coordinate_law(*force.coordinate, 0.2, 0.4, false);
}

TEST_CASE("Forces refuse the wrong formula for their place") {
  Force f = between();
  CHECK(refused_field(f) == "x");
  f.value = formula("1[N]", "t:s q:m qd:m/s");
  CHECK(refused_field(f) == "x");
  Force on_joint;
  on_joint.joint = slider;
  CHECK(refused_field(on_joint, three_joints()) == "value");
  on_joint.joint = hinge;
  on_joint.value = f.value;
  CHECK(refused_field(on_joint, three_joints()) == "joint");
}
