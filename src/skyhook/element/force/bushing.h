// A bushing: springs and dampers for all six relative motions of two frames, counted from the design position.
#pragma once
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct Bushing : PairFields {
  Vec3d stiffness, angular_stiffness, damping, angular_damping, force, moment;

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(
          field(&Bushing::stiffness, "stiffness", "N/m", at_least(0.0), "along the axes of `from`").in_axes_of_from(),
          field(&Bushing::angular_stiffness, "angular_stiffness", "N.m/rad", at_least(0.0), "about the axes of `from`")
              .in_axes_of_from(),
          field(&Bushing::damping, "damping", "N.s/m", at_least(0.0), "along the axes of `from`").in_axes_of_from(),
          field(&Bushing::angular_damping, "angular_damping", "N.m.s/rad", at_least(0.0), "about the axes of `from`")
              .in_axes_of_from(),
          field(&Bushing::force, "force", "N", any(), "preload: force on `to` at design, in axes of `from`")
              .mirrored(Mirror::polar)
              .in_axes_of_from(),
          field(&Bushing::moment, "moment", "N.m", any(), "preload: moment on `to` at design, in axes of `from`")
              .mirrored(Mirror::axial)
              .in_axes_of_from()));
  static constexpr const char* summary = "bushing: springs and dampers in three directions and about three axes";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
