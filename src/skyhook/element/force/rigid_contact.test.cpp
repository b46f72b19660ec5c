// References: the fields as given; the contact's mechanics are tested in formalism/recursive/contacts.test.cpp.
#include "skyhook/element/force/rigid_contact.h"

#include <doctest/doctest.h>

#include "skyhook/element/source.testing.h"
#include "skyhook/model/surface.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

RigidContact contact(const std::string& with) {
  RigidContact c;
  c.from = marker(model::ground, {0, 0, 0});
  c.to = marker(1, {0, 0, 0.5});
  c.with = with;
  return c;
}

model::Contribution added(const RigidContact& c) {
  model::Model model = two_bodies();
  TestSource source;
  c.add_to(source, model);
  REQUIRE(model.contributions.size() == 1);
  CHECK(model.contributions[0].holds(model::Row::Holds::pressed));
  return model.contributions[0];
}

}  // namespace

TEST_CASE("A rigid contact is with what the file says") {
  RigidContact ball = contact("plane");
  ball.radius = 0.1, ball.restitution = 0.8, ball.to_at = Vec3d{1, 2, 3};
  const model::Contribution plane = added(ball);
  CHECK(plane.row->kind == model::Row::Kind::plane);
  CHECK(plane.name == "part");
  CHECK(plane.row->radius == 0.1);
  CHECK(plane.row->restitution == 0.8);
  CHECK(plane.to.at == Vec3d{1, 2, 3});
  RigidContact two = contact("sphere");
  two.other_radius = 0.2;
  CHECK(added(two).row->kind == model::Row::Kind::distance);
  CHECK(added(two).row->length == 0.2);
  RigidContact road = contact("profile");
  road.profile.emplace(formula("2*x", "x:m"));
  CHECK(added(road).row->kind == model::Row::Kind::profile);
  CHECK(added(road).row->surface->height(0.25).value == 0.5);
}

TEST_CASE("Rigid contacts refuse contradictions, and restitution outside of 0 to 1") {
  CHECK(refused_field(contact("profile")) == "profile");
  CHECK(refused_field(contact("sphere")) == "radius");
  RigidContact c = contact("plane");
  c.other_radius = 1;
  CHECK(refused_field(c) == "other_radius");
  c = contact("plane");
  c.profile.emplace(formula("2*x", "x:m"));
  CHECK(refused_field(c) == "profile");
  c = contact("plane");
  c.to = marker(model::ground, {1, 0, 0});
  CHECK(refused_field(c) != "");
  for (const FieldInfo& info : infos_of(RigidContact::fields)) {
    if (std::string(info.name) != "restitution") continue;
    CHECK(info.range.contains(0));
    CHECK(info.range.contains(1));
    CHECK_FALSE(info.range.contains(1.0001));
    CHECK_FALSE(info.range.contains(-1e-9));
  }
}
