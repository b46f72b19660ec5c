// The three translations of free and translating joints, along axes that are global at design and fixed in `from`.
#pragma once
#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

struct TranslationFields {
  std::optional<Vec3d> displacement, velocity;
  std::optional<model::Motion> drive_x, drive_y, drive_z;

  static constexpr auto fields = describe(
      field(&TranslationFields::displacement, "displacement", "m", any(), "initial, from the design position")
          .mirrored(Mirror::polar),
      field(&TranslationFields::velocity, "velocity", "m/s", any(), "initial velocity").mirrored(Mirror::polar),
      field(&TranslationFields::drive_x, "drive_x", "m", any(), "x over time").mirrored(Mirror::x).over("t:s"),
      field(&TranslationFields::drive_y, "drive_y", "m", any(), "y over time").mirrored(Mirror::y).over("t:s"),
      field(&TranslationFields::drive_z, "drive_z", "m", any(), "z over time").mirrored(Mirror::z).over("t:s"));
};

// Appends the coordinates x, y, z; a driven one starts on its drive.
void add_translation(model::Joint& joint, const TranslationFields& given, const model::FieldSource& source);

}  // namespace skyhook::element
