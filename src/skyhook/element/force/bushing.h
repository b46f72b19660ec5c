// A bushing: springs and dampers for all six relative motions of two frames, counted from the design position.
#pragma once
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct Bushing : PairFields {
  std::string axes = "from";
  Vec3d stiffness, angular_stiffness, damping, angular_damping, force, moment;
  std::optional<model::Curve> spring_x, spring_y, spring_z, damper_x, damper_y, damper_z;
  std::optional<model::Curve> angular_spring_x, angular_spring_y, angular_spring_z;
  std::optional<model::Curve> angular_damper_x, angular_damper_y, angular_damper_z;

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(
          field(&Bushing::axes, "axes", "-", any(),
                "in which its springs lie: those of `from`, or halfway between those of `from` and `to`, as in a coil "
                "spring that is sheared and "
                "bent between its seats")
              .one_of("from halfway"),
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
              .in_axes_of_from(),
          field(&Bushing::spring_x, "spring_x", "N", any(),
                "resisting force along x, over the displacement; replaces that rate")
              .mirrored(Mirror::x)
              .in_axes_of_from()
              .over("x:m", "x:x"),
          field(&Bushing::spring_y, "spring_y", "N", any(),
                "resisting force along y, over the displacement; replaces that rate")
              .mirrored(Mirror::y)
              .in_axes_of_from()
              .over("x:m", "x:y"),
          field(&Bushing::spring_z, "spring_z", "N", any(),
                "resisting force along z, over the displacement; replaces that rate")
              .mirrored(Mirror::z)
              .in_axes_of_from()
              .over("x:m", "x:z"),
          field(&Bushing::damper_x, "damper_x", "N", any(),
                "resisting force along x, over the velocity; replaces that rate")
              .mirrored(Mirror::x)
              .in_axes_of_from()
              .over("v:m/s", "v:x"),
          field(&Bushing::damper_y, "damper_y", "N", any(),
                "resisting force along y, over the velocity; replaces that rate")
              .mirrored(Mirror::y)
              .in_axes_of_from()
              .over("v:m/s", "v:y"),
          field(&Bushing::damper_z, "damper_z", "N", any(),
                "resisting force along z, over the velocity; replaces that rate")
              .mirrored(Mirror::z)
              .in_axes_of_from()
              .over("v:m/s", "v:z"),
          field(&Bushing::angular_spring_x, "angular_spring_x", "N.m", any(),
                "resisting moment about x, over the rotation; replaces that rate")
              .mirrored(Mirror::yz)
              .in_axes_of_from()
              .over("x:rad", "x:yz"),
          field(&Bushing::angular_spring_y, "angular_spring_y", "N.m", any(),
                "resisting moment about y, over the rotation; replaces that rate")
              .mirrored(Mirror::xz)
              .in_axes_of_from()
              .over("x:rad", "x:xz"),
          field(&Bushing::angular_spring_z, "angular_spring_z", "N.m", any(),
                "resisting moment about z, over the rotation; replaces that rate")
              .mirrored(Mirror::xy)
              .in_axes_of_from()
              .over("x:rad", "x:xy"),
          field(&Bushing::angular_damper_x, "angular_damper_x", "N.m", any(),
                "resisting moment about x, over the angular velocity; replaces that rate")
              .mirrored(Mirror::yz)
              .in_axes_of_from()
              .over("v:rad/s", "v:yz"),
          field(&Bushing::angular_damper_y, "angular_damper_y", "N.m", any(),
                "resisting moment about y, over the angular velocity; replaces that rate")
              .mirrored(Mirror::xz)
              .in_axes_of_from()
              .over("v:rad/s", "v:xz"),
          field(&Bushing::angular_damper_z, "angular_damper_z", "N.m", any(),
                "resisting moment about z, over the angular velocity; replaces that rate")
              .mirrored(Mirror::xy)
              .in_axes_of_from()
              .over("v:rad/s", "v:xy")));
  static constexpr const char* summary =
      "bushing: springs and dampers, linear or by curves, in three directions and about three axes";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
