// References: the documented ratio: coordinate_1 - ratio * coordinate_2 = const.
#include "skyhook/element/joint/gear.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joint/prismatic.h"
#include "skyhook/element/joint/revolute.h"

namespace {

// Joints 0 and 1: hinges; joint 2: a slider.
model::Model mechanism() {
  model::Model model = two_bodies();
  TestSource source;
  Revolute hinge;
  hinge.to.index = 0;
  hinge.add_to(source, model);
  hinge.to.index = 1;
  hinge.add_to(source, model);
  Prismatic slider;
  slider.to.index = 1;
  slider.add_to(source, model);
  return model;
}

Gear gear(int second, double ratio) {
  Gear g;
  g.joint_1 = {0, 0};
  g.joint_2 = {second, 0};
  g.ratio = ratio;
  return g;
}

}  // namespace

TEST_CASE("The first coordinate is ratio times the second") {
  TestSource source;
  model::Model model = mechanism();
  gear(1, -3).add_to(source, model);
  const auto& terms = model.contributions.at(0).row->terms;
  // With coordinate_2 = 1 the sum vanishes for coordinate_1 = -3: external teeth turn the other way.
  CHECK(terms[0].ratio * -3.0 + terms[1].ratio * 1.0 == 0.0);
  CHECK_FALSE(model.contributions[0].row->drive.has_value());
}

TEST_CASE("Gears refuse unequal kinds and a ratio of 0") {
  CHECK(refused_field(gear(2, 1), mechanism()) == "joint_2");
  CHECK(refused_field(gear(1, 0), mechanism()) == "ratio");
}
