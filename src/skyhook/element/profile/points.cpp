#include "skyhook/element/profile/points.h"

#include "skyhook/element/rail/profile_file.h"

namespace skyhook::element {

void PointsProfile::add_to(model::FieldSource& source, model::Model& model) const {
  const auto kind = of == "rail" ? model::Profile::Kind::rail : model::Profile::Kind::wheel;
  const rail::FilePoints read =
      rail::parse_profile(file.text, file.path, {.kind = kind, .y = y, .z = z, .unit = unit, .origin = origin});
  rail::Shaping shaping{.name = source.name(), .kind = kind, .smoothing = smoothing, .largest_gap = largest_gap};
  shaping.file = file.path, shaping.notes = read.notes;
  put(rail::fit_profile(read.points, shaping), source, model);
}

}  // namespace skyhook::element
