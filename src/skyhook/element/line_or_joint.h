// Where a scalar force acts: along the line between two points, along or about an axis fixed in `from`, or on a joint coordinate.
#pragma once
#include <memory>

#include "skyhook/element/axis_force.h"
#include "skyhook/element/coordinate_force.h"
#include "skyhook/element/line_force.h"
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct LineOrJointFields {
  std::optional<model::Marker> from, to;
  std::optional<Vec3d> from_at, to_at, along, about;
  std::optional<model::CoordinateRef> joint;

  static constexpr auto fields =
      describe(field(&LineOrJointFields::from, "from", "-", any(), "marker or body (its reference frame), or ground"),
               field(&LineOrJointFields::to, "to", "-", any(), "marker or body (its reference frame), or ground"),
               field(&LineOrJointFields::from_at, "from_at", "m", any(),
                     "point on `from`, global; default: that of the marker or body")
                   .mirrored(Mirror::point),
               field(&LineOrJointFields::to_at, "to_at", "m", any(),
                     "point on `to`, global; default: that of the marker or body")
                   .mirrored(Mirror::point),
               field(&LineOrJointFields::along, "along", "-", any(),
                     "axis of `from`, global at design, along which it acts, instead of the line: x, y, z or a vector")
                   .mirrored(Mirror::polar),
               field(&LineOrJointFields::about, "about", "-", any(),
                     "axis of `from`, likewise, about which it acts: on the angle of `to`, turns counted")
                   .mirrored(Mirror::axial),
               field(&LineOrJointFields::joint, "joint", "-", any(),
                     "joint coordinate to act on instead: crank or crank.angle"));
};

struct Place {
  bool on_joint = false;
  bool is_angle = false;  // x is an angle: the angular fields hold
  double design =
      0;      // x at the design position: the length, 0 of an angle about an axis, or the coordinate's reference
  Pair pair;  // where not on a joint
  std::optional<model::AxisCoordinate> axis;  // where not on the line between its points either
  model::CoordinateRef joint;
  bool has_coordinate() const { return on_joint || axis; }
};

// ModelError unless there is either from and to, or joint.
Place place_of(const LineOrJointFields& fields, const model::FieldSource& source, const model::Model& model);

// A field that was given although the place does not use it ("angular_stiffness" on a line) is an error.
void refuse(bool given, const char* field, const Place& place, const model::FieldSource& source);

// Warns where the line has no direction at the design position; not of an axis.
void warn_of_no_line(const Place& place, const model::FieldSource& source, model::Model& model);

// A law with inner states.
void add_state_force(std::shared_ptr<const model::StateElement> law, const Place& place,
                     const model::FieldSource& source, model::Model& model);

template <class Law>
void add_force(Law law, const Place& place, const model::FieldSource& source, model::Model& model) {
  model::Contribution force = begin_contribution(place.pair, source);
  if (place.on_joint) {
    force.joint = place.joint.joint;
    force.dof = place.joint.dof;
    force.coordinate = std::make_shared<CoordinateForce<Law>>(std::move(law));
  } else if (place.axis) {
    force.axis = place.axis;
    force.wrench = std::make_shared<AxisForce<Law>>(std::move(law), *place.axis);
  } else {
    warn_of_no_line(place, source, model);
    force.wrench = std::make_shared<LineForce<Law>>(std::move(law));
  }
  model.contributions.push_back(std::move(force));
}

}  // namespace skyhook::element
