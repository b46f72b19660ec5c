// A rubber bushing whose stiffness and damping depend on frequency and amplitude: in each of six directions a spring, Maxwell branches and a
// branch of dry friction side by side.
#pragma once
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct RubberBushing : PairFields {
  Vec3d stiffness, angular_stiffness;
  model::Rows branches, angular_branches;
  std::vector<double> branch_times;
  Vec3d friction, friction_stiffness, angular_friction, angular_friction_stiffness;

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(field(&RubberBushing::stiffness, "stiffness", "N/m", at_least(0.0), "at rest, along the axes of `from`")
                   .in_axes_of_from(),
               field(&RubberBushing::angular_stiffness, "angular_stiffness", "N.m/rad", at_least(0.0),
                     "at rest, about the axes of `from`")
                   .in_axes_of_from(),
               field(&RubberBushing::branches, "branches", "N/m", at_least(0.0),
                     "stiffness of each Maxwell branch along the three axes, a row a branch")
                   .in_axes_of_from(),
               field(&RubberBushing::angular_branches, "angular_branches", "N.m/rad", at_least(0.0),
                     "the same about the three axes")
                   .in_axes_of_from(),
               field(&RubberBushing::branch_times, "branch_times", "s", positive(),
                     "relaxation time of each branch: its damping over its stiffness"),
               field(&RubberBushing::friction, "friction", "N", at_least(0.0), "largest force of dry friction")
                   .in_axes_of_from(),
               field(&RubberBushing::friction_stiffness, "friction_stiffness", "N/m", at_least(0.0),
                     "of the friction branch where the motion turns")
                   .in_axes_of_from(),
               field(&RubberBushing::angular_friction, "angular_friction", "N.m", at_least(0.0),
                     "largest moment of dry friction")
                   .in_axes_of_from(),
               field(&RubberBushing::angular_friction_stiffness, "angular_friction_stiffness", "N.m/rad", at_least(0.0),
                     "of the friction branch where the motion turns")
                   .in_axes_of_from()));
  static constexpr const char* summary = "rubber bushing: springs, relaxation and dry friction in six directions";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
