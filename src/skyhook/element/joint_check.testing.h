// For tests of joints: what must hold for the shape of every lower pair.
#pragma once
#include <doctest/doctest.h>

#include "skyhook/element/source.testing.h"
#include "skyhook/math/rotation.h"

namespace skyhook::element::test {

template <class Element>
model::Joint joint_of(const Element& element, model::Model model = two_bodies()) {
  TestSource source;
  element.add_to(source, model);
  REQUIRE(model.joints.size() == 1);
  return model.joints[0];
}

// Freedoms and conditions together span all six directions, and no condition hinders a freedom; far from design every
// condition still holds, as the same pair closes loops; and there is a value for each coordinate.
void check_lower_pair(const model::Joint& joint);

// An axis that is parallel to none of the global ones.
constexpr Vec3d skew_axis{1, -2, 0.5};

}  // namespace skyhook::element::test
