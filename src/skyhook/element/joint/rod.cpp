#include "skyhook/element/joint/rod.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

void Rod::add_to(model::FieldSource& source, model::Model& model) const {
  Pair pair = place(source);
  const double distance = design_distance(pair);
  if (!(distance > 0.0)) {  // the condition |r| = L has no gradient at r = 0
    fail(source, "to_at", "its two points coincide at the design position.",
         "Give points with a distance, or use a spherical joint.");
  }
  if (length && drive) {
    fail(source, "length", "both `length` and `drive` are given.",
         "Remove `length`: the drive is the length over time.");
  }
  model.rods.push_back(
      {source.name(), source.where(""), std::move(pair.from), std::move(pair.to), length.value_or(distance), drive});
}

}  // namespace skyhook::element
