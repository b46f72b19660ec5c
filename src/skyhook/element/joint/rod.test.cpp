// References: distances computed by hand.
#include "skyhook/element/joint/rod.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Rod between(Vec3d a, Vec3d b) {
  Rod rod;
  rod.from = marker(0, a);
  rod.to = marker(1, b);
  return rod;
}

model::Contribution added(const Rod& rod) {
  TestSource source;
  model::Model model = two_bodies();
  rod.add_to(source, model);
  return model.contributions.at(0);
}

}  // namespace

TEST_CASE("A rod is as long as its points are apart at design") {
  CHECK(added(between({0, 0, 0}, {3, 4, 0})).row->length == 5.0);
  Rod rod = between({0, 0, 0}, {3, 4, 0});
  rod.to_at = Vec3d{0, 0, 2};
  CHECK(added(rod).row->length == 2.0);
  CHECK(added(rod).to.at == Vec3d{0, 0, 2});
  CHECK(added(rod).to.body == 1);
}

TEST_CASE("A rod may have another length, or one over time, not both") {
  Rod rod = between({0, 0, 0}, {3, 4, 0});
  rod.length = 5.1;
  CHECK(added(rod).row->length == 5.1);
  rod.drive = motion("5[m] + 0.1[m]*sin(t/1[s])");
  CHECK(refused_field(rod) == "length");
  rod.length.reset();
  CHECK(added(rod).row->drive->at(0).rate == doctest::Approx(0.1));
}

TEST_CASE("A rod between coinciding points or within one body is refused") {
  CHECK(refused_field(between({1, 1, 1}, {1, 1, 1})) == "to_at");
  Rod rod = between({0, 0, 0}, {3, 4, 0});
  rod.to.body = 0;
  CHECK(refused_field(rod) == "to");
}
