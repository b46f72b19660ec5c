// References: the conditions of a lower pair (joint_check.testing.h), and what the fields say.
#include "skyhook/element/joint/translation.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Translation level() {
  Translation t;
  t.from.index = model::ground;
  t.to.index = 0;
  return t;
}

}  // namespace

TEST_CASE("A translating joint is a lower pair with three displacements") {
  const model::Joint joint = joint_of(level());
  check_lower_pair(joint);
  CHECK(joint.shape.rows.size() == 3);
  CHECK(joint.shape.dofs.at(1).name == "y");
}

TEST_CASE("Initial values of a translating joint arrive; a driven displacement starts on its drive") {
  Translation t = level();
  t.displacement = Vec3d{1, 2, 3};
  t.velocity = Vec3d{4, 5, 6};
  t.drive_z = motion("2[m/s]*t");
  const model::Joint joint = joint_of(t);
  CHECK(joint.position == std::vector<std::optional<double>>{1, 2, std::nullopt});
  CHECK(joint.velocity == std::vector<std::optional<double>>{4, 5, std::nullopt});
  CHECK(joint.drive[2]->at(1.0).rate == doctest::Approx(2));
}
