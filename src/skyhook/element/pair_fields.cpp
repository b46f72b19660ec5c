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

model::Force begin_force(const Pair& pair, const model::FieldSource& source) {
  model::Force force;
  force.name = source.name();
  force.where = source.where("");
  force.from = pair.from;
  force.to = pair.to;
  return force;
}

model::Contribution contribution(const Pair& pair, const model::FieldSource& source,
                                 std::shared_ptr<const model::ContributionLaw> law) {
  return {.name = source.name(),
          .type = {},
          .where = source.where(""),
          .from = pair.from,
          .to = pair.to,
          .law = std::move(law)};
}

}  // namespace skyhook::element
