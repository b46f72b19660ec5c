#include "skyhook/element/force/rigid_contact.h"

#include "skyhook/element/finding.h"
#include "skyhook/model/surface.h"

namespace skyhook::element {
namespace {

using RowKind = model::Row::Kind;

RowKind kind_of(const RigidContact& c) {
  return c.with == "sphere"                        ? RowKind::distance
         : c.with == "profile" || c.with == "road" ? RowKind::profile
                                                   : RowKind::plane;
}

void check(const RigidContact& c, const model::FieldSource& source) {
  const RowKind with = kind_of(c);
  if ((c.with == "road") != (c.road.index >= 0))
    fail(source, "road",
         c.with == "road" ? "the road is missing." : "a road is given, but the contact is with a " + c.with + ".",
         c.with == "road" ? "Name it: `road: main`." : "Write `with: road`.");
  if (c.with == "profile" && !c.profile)
    fail(source, "profile", "the profile is missing.", "Give `profile`, a formula or table of the height over x.");
  if (c.with != "profile" && c.profile)
    fail(source, "profile", "a profile is given, but the contact is with a " + c.with + ".", "Write `with: profile`.");
  if (with != RowKind::distance && c.other_radius != 0)
    fail(source, "other_radius", "other_radius does not fit: the contact is with a " + c.with + ".",
         "Write `with: sphere`, or give the radius of the sphere at `to` as `radius`.");
  if (with == RowKind::distance && !(c.radius + c.other_radius > 0))
    fail(source, "radius", "two points have no contact.", "Give `radius`, `other_radius` or both.");
}

}  // namespace

void RigidContact::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source, model);
  check(*this, source);
  model::Contribution contact = begin_contribution(pair, source);
  contact.row = {.kind = kind_of(*this),
                 .holds = model::Row::Holds::pressed,
                 .length = radius + other_radius,
                 .radius = radius,
                 .restitution = restitution};
  if (contact.row->kind == RowKind::profile) contact.row->surface = ground_of(*this, profile, model, source);
  model.contributions.push_back(std::move(contact));
}

}  // namespace skyhook::element
