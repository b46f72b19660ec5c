// What all joints between two bodies share: their fields, and how a model::Joint is put together from them.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct JointFields {
  model::BodyRef from, to;
  std::optional<Vec3d> at, at_to;
  std::optional<bool> cut;

  static constexpr auto fields = describe(
      field(&JointFields::from, "from", "-", any(), "body that carries the joint, or ground").required(),
      field(&JointFields::to, "to", "-", any(), "body that moves relative to `from`").required(),
      field(&JointFields::at, "at", "m", any(), "joint's point, global; default: reference point of `to`")
          .mirrored(Mirror::point),
      field(&JointFields::at_to, "at_to", "m", any(), "its point on `to` where the design position is not assembled")
          .mirrored(Mirror::point),
      field(&JointFields::cut, "cut", "-", any(), "true: closes a loop, false: stays in the tree; default: automatic"));
};

// One scalar coordinate. `position`, `velocity` and `drive` are in the user's count: `reference` at design.
struct Coordinate {
  model::Dof dof;
  double reference = 0;
  std::optional<double> position, velocity;
  std::optional<model::Motion> drive;
  const char* drive_field = "drive";
  // Where the file gives the initial values; empty: fields of the name of the coordinate, with _rate.
  const char *position_field = "", *velocity_field = "";
};

// Bodies, points and the user's wish for the cut. ModelError if both sides are the same body.
model::Joint begin_joint(const JointFields& fields, const model::FieldSource& source, const model::Model& model);

// ModelError if the coordinate is driven and has an initial value as well: the drive gives that.
void add_coordinate(model::Joint& joint, const model::FieldSource& source, Coordinate coordinate);

// One component of initial values that a file gives as a vector, or none.
inline std::optional<double> component(const std::optional<Vec3d>& v, int k) {
  return v ? std::optional<double>((*v)[k]) : std::nullopt;
}

// The vector with length 1. ModelError if it has none.
Vec3d unit_axis(const model::FieldSource& source, const char* field, const Vec3d& axis);

}  // namespace skyhook::element
