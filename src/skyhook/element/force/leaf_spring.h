// A leaf spring: it acts along one direction of the body that carries it and follows the other end sideways; its leaves rub.
#pragma once
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

struct LeafSpring : PairFields {
  Vec3d along{0, 0, 1};
  double stiffness = 0, damping = 0, preload = 0;
  std::optional<double> free_length;
  std::optional<model::Curve> force;
  std::optional<double> stop_length;
  double stop_stiffness = 0;
  double friction = 0, friction_ratio = 0, friction_travel = 0;

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(
          field(&LeafSpring::along, "along", "-", any(),
                "axis of `from` along which it acts, global at design: x, y, z or a vector")
              .mirrored(Mirror::polar),
          field(&LeafSpring::stiffness, "stiffness", "N/m", at_least(0.0), "of the leaves"),
          field(&LeafSpring::force, "force", "N", any(), "over the deflection, positive in tension; replaces stiffness")
              .over("x:m"),
          field(&LeafSpring::free_length, "free_length", "m", any(), "length of deflection 0; default: that at design"),
          field(&LeafSpring::preload, "preload", "N", any(), "added to the force, positive in tension"),
          field(&LeafSpring::damping, "damping", "N.s/m", at_least(0.0), "viscous rate"),
          field(&LeafSpring::stop_length, "stop_length", "m", any(), "a stop touches below this length"),
          field(&LeafSpring::stop_stiffness, "stop_stiffness", "N/m", at_least(0.0),
                "of the stop, beside that of the leaves"),
          field(&LeafSpring::friction, "friction", "N", at_least(0.0), "half of the width of the loop of hysteresis"),
          field(&LeafSpring::friction_ratio, "friction_ratio", "-", at_least(0.0),
                "what the friction grows by, of the force of the leaves"),
          field(&LeafSpring::friction_travel, "friction_travel", "m", at_least(0.0),
                "way on which 63 % of the friction are built up")));
  static constexpr const char* summary = "leaf spring along one direction, with a stop and friction between its leaves";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
