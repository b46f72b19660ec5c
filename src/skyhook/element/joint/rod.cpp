#include "skyhook/element/joint/rod.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

void Rod::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  const double distance = design_distance(pair);
  if (!(distance > 0.0)) {  // the condition |r| = L has no gradient at r = 0
    fail(source, "to_at", "its two points coincide at the design position.",
         "Give points with a distance, or use a spherical joint.");
  }
  if (length && drive) {
    fail(source, "length", "both `length` and `drive` are given.",
         "Remove `length`: the drive is the length over time.");
  }
  model::Contribution rod = begin_contribution(pair, source);
  rod.row = {.kind = model::Row::Kind::distance, .length = length.value_or(distance), .drive = drive};
  model.contributions.push_back(std::move(rod));
}

}  // namespace skyhook::element
