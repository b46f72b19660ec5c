#include "skyhook/element/force/rigid_contact.h"

#include "skyhook/element/finding.h"
#include "skyhook/model/surface.h"

namespace skyhook::element {
namespace {

using With = model::Contact::With;

With kind_of(const RigidContact& c) {
  return c.with == "sphere" ? With::sphere : c.with == "profile" ? With::profile : With::plane;
}

void check(const RigidContact& c, const model::FieldSource& source) {
  const With with = kind_of(c);
  if (with == With::profile && !c.profile)
    fail(source, "profile", "the profile is missing.", "Give `profile`, a formula or table of the height over x.");
  if (with != With::profile && c.profile)
    fail(source, "profile", "a profile is given, but the contact is with a " + c.with + ".", "Write `with: profile`.");
  if (with != With::sphere && c.other_radius != 0)
    fail(source, "other_radius", "other_radius does not fit: the contact is with a " + c.with + ".",
         "Write `with: sphere`, or give the radius of the sphere at `to` as `radius`.");
  if (with == With::sphere && !(c.radius + c.other_radius > 0))
    fail(source, "radius", "two points have no contact.", "Give `radius`, `other_radius` or both.");
}

}  // namespace

void RigidContact::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  check(*this, source);
  model::Contact contact{.name = source.name(),
                         .where = source.where(""),
                         .from = pair.from,
                         .to = pair.to,
                         .with = kind_of(*this),
                         .radius = radius,
                         .other_radius = other_radius,
                         .restitution = restitution,
                         .surface = {}};
  if (profile) contact.surface = std::make_shared<const model::Surface>(*profile);
  model.contacts.push_back(std::move(contact));
}

}  // namespace skyhook::element
