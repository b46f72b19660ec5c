// Reference: the element itself, asked at the coordinate and rate that the motion was made from.
#include "skyhook/formalism/recursive/cut_coordinate.h"

#include <doctest/doctest.h>

#include "skyhook/math/rotation.h"

using namespace skyhook;
using namespace skyhook::formalism::recursive;

namespace {

struct Plain : model::CoordinateElement {
  double force(double x, double v, double /*t*/, const model::Setting& set) const override { return x + v + set.mode; }
  Dual<2> force(const Dual<2>& x, const Dual<2>& v, double /*t*/, const model::Setting& set) const override {
    return x + v + Dual<2>(set.mode);
  }
};

struct Switches final : Plain, model::SwitchingCoordinate {
  int first_mode(const model::Stroke<double>& s) const override { return s.x > 0.5 ? 2 : 1; }
  double watch(const model::Stroke<double>& s) const override { return 10 * s.x + s.v + 100 * s.t + s.set.mode; }
  int next_mode(const model::Stroke<double>& s) const override { return s.set.mode + 1; }
  std::string event(int from, int to) const override { return std::to_string(from) + std::to_string(to); }
};

model::Joint joint_of(model::Dof::Kind kind, const Vec3d& axis, double reference) {
  model::Joint joint;
  joint.shape.dofs = {{kind, axis, "x"}};
  joint.reference = {reference};
  return joint;
}

model::Relative<double> motion(const Vec3d& axis, bool turns) {
  if (turns) return {2.0, {}, axis_rotation(axis, 0.4), {}, 3.0 * axis, {.mode = 7}};
  return {2.0, 0.4 * axis, Mat3d::identity(), 3.0 * axis, {}, {.mode = 7}};
}

}  // namespace

TEST_CASE("A cut coordinate switches where its element does, at the same coordinate, rate, time and mode") {
  const Vec3d axis{0.6, 0, 0.8};
  for (const auto kind : {model::Dof::Kind::revolute, model::Dof::Kind::prismatic}) {
    const auto law = cut_coordinate(joint_of(kind, axis, 0.2), 0, std::make_shared<Switches>());
    const auto* switching = dynamic_cast<const model::Switching*>(law.get());
    REQUIRE(switching);
    const auto m = motion(axis, kind == model::Dof::Kind::revolute);
    CHECK(switching->first_mode(m) == 2);
    CHECK(switching->watch(m) == doctest::Approx(6 + 3 + 200 + 7));
    CHECK(switching->next_mode(m) == 8);
    CHECK(switching->event(1, 2) == "12");
    model::Wrench<double> w{};
    law->wrench(m, w);
    CHECK(dot(kind == model::Dof::Kind::revolute ? w.n : w.f, axis) == doctest::Approx(0.6 + 3 + 7));
  }
}

TEST_CASE("A cut coordinate whose element does not switch is not watched") {
  const auto law = cut_coordinate(joint_of(model::Dof::Kind::revolute, {0, 0, 1}, 0.0), 0, std::make_shared<Plain>());
  CHECK(dynamic_cast<const model::Switching*>(law.get()) == nullptr);
}
