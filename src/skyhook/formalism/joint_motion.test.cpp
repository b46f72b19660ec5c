#include "skyhook/formalism/joint_motion.h"

#include <doctest/doctest.h>

#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/math/rotation.h"

using namespace skyhook;
using namespace skyhook::formalism;

// There and back; and rates against differences of positions.
TEST_CASE("Coordinates of a joint are measured as they were set, for all joints that have some") {
  formalism::testing::Random random(11);
  for (const char* type : {"revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free"}) {
    CAPTURE(type);
    const model::Joint joint = formalism::testing::make_joint("J", type, model::ground, 0, {0.1, 0.2, 0.3}, random);
    const std::size_t n = joint.position.size();
    std::vector<double> x(n), rate(n);
    for (std::size_t k = 0; k < n; ++k)
      x[k] = 0.3 + 0.2 * static_cast<double>(k), rate[k] = 1.0 - 0.4 * static_cast<double>(k);
    const JointMotion m = motion_of(joint, x, rate);
    const auto back = measure_positions(joint, m, x), rates = measure_rates(joint, m);
    for (std::size_t k = 0; k < n; ++k) {
      CHECK(std::abs(back[k] - x[k]) < 1e-13);
      CHECK(std::abs(rates[k] - rate[k]) < 1e-13);
    }
  }
}

TEST_CASE("An angle is measured on the turn nearest to what is asked for") {
  formalism::testing::Random random(3);
  const model::Joint joint = formalism::testing::make_joint("J", "revolute", model::ground, 0, {}, random);
  const JointMotion m = motion_of(joint, {20.0}, {0.0});
  CHECK(std::abs(measure_positions(joint, m, {19.0})[0] - 20.0) < 1e-13);
}

TEST_CASE("A rotation vector turns as its matrix does, up to half a turn") {
  const Vec3d axis = normalized(Vec3d{1, -2, 0.5});
  for (const double angle : {0.0, 1e-9, 0.4, 3.1})
    CHECK(norm(rotation_vector(axis_rotation(axis, angle)) - angle * axis) < 1e-12);
}
