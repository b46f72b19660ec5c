// For tests of what acts on joint coordinates: a model with a hinge (reference 0.2 rad), a slider (0.1 m), a ball.
#pragma once
#include "skyhook/element/joint/prismatic.h"
#include "skyhook/element/joint/revolute.h"
#include "skyhook/element/joint/spherical.h"
#include "skyhook/element/source.testing.h"

namespace skyhook::element::test {

constexpr model::CoordinateRef hinge{0, 0}, slider{1, 0}, ball{2, 1};

inline model::Model three_joints() {
  model::Model model = two_bodies();
  TestSource source;
  Revolute revolute;
  revolute.to.index = 0;
  revolute.reference = 0.2;
  revolute.add_to(source, model);
  Prismatic prismatic;
  prismatic.to.index = 1;
  prismatic.reference = 0.1;
  prismatic.add_to(source, model);
  Spherical spherical;
  spherical.to.index = 1;
  spherical.add_to(source, model);
  return model;
}

}  // namespace skyhook::element::test
