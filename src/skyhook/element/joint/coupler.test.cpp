// References: the documented sum.
#include "skyhook/element/joint/coupler.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

Coupler rack() {
  Coupler c;
  c.coordinate_1 = hinge;
  c.ratio_1 = 0.1;
  c.coordinate_2 = slider;
  c.ratio_2 = -1;
  return c;
}

model::Row added(const Coupler& c) {
  TestSource source;
  model::Model model = three_joints();
  c.add_to(source, model);
  return model.contributions.at(0).row.value();
}

}  // namespace

TEST_CASE("A coupler has a term for each coordinate and no offset unless given") {
  const model::Row c = added(rack());
  REQUIRE(c.terms.size() == 2);
  CHECK(c.terms[0].ratio == 0.1);
  CHECK(c.terms[1].joint == 1);
  CHECK_FALSE(c.drive.has_value());
}

TEST_CASE("An offset is a drive that stands still") {
  for (const double offset : {0.25, -1e-7, 0.1 + 0.2}) {
    Coupler c = rack();
    c.offset = offset;
    CHECK(added(c).drive->at(3.0).value == offset);
    CHECK(added(c).drive->at(3.0).rate == 0.0);
  }
}

TEST_CASE("A third coordinate adds a term") {
  Coupler c = rack();
  c.coordinate_3 = slider;
  c.ratio_3 = 2;
  CHECK(added(c).terms.at(2).ratio == 2.0);
}

TEST_CASE("Couplers refuse a ratio of 0, balls, and offset together with drive") {
  Coupler c = rack();
  c.ratio_2 = 0;
  CHECK(refused_field(c, three_joints()) == "ratio_2");
  c = rack();
  c.coordinate_1 = ball;
  CHECK(refused_field(c, three_joints()) == "coordinate_1");
  c = rack();
  c.offset = 1;
  c.drive = motion("t/1[s]");
  CHECK(refused_field(c, three_joints()) == "offset");
}
