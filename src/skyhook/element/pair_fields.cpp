#include "skyhook/element/pair_fields.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

Pair PairFields::place(const model::FieldSource& source) const {
  Pair pair{from, to};
  if (from_at) pair.from.at = *from_at;
  if (to_at) pair.to.at = *to_at;
  if (pair.from.body == pair.to.body) {
    fail(source, "to", "`from` and `to` are fixed in the same body, so nothing can act between them.",
         "Let them be of two bodies, or of a body and the ground.");
  }
  return pair;
}

model::Contribution begin_contribution(const Pair& pair, const model::FieldSource& source) {
  model::Contribution added;
  added.name = source.name(), added.where = source.where("");
  added.from = pair.from, added.to = pair.to;
  return added;
}

model::Contribution begin_contribution(const model::CoordinateRef& joint, const model::FieldSource& source) {
  model::Contribution added = begin_contribution(Pair{}, source);
  added.joint = joint.joint, added.dof = joint.dof;
  return added;
}

model::Contribution contribution(const Pair& pair, const model::FieldSource& source,
                                 std::shared_ptr<const model::ContributionLaw> law) {
  model::Contribution added = begin_contribution(pair, source);
  added.law = std::move(law);
  return added;
}

}  // namespace skyhook::element
