#include "skyhook/element/line_or_joint.h"

#include "skyhook/element/coordinate.h"
#include "skyhook/element/finding.h"
#include "skyhook/element/joint_fields.h"

namespace skyhook::element {

namespace {

Place on_joint(const model::CoordinateRef& joint, const model::FieldSource& source, const model::Model& model) {
  Place place;
  place.on_joint = true;
  place.joint = joint;
  place.is_angle = dof_of(joint, model, source, "joint").is_angle();
  place.design = reference_of(joint, model);
  return place;
}

// A length along an axis grows where `to` moves away from `from`, as the distance of its points does.
void put_on_axis(const LineOrJointFields& fields, const model::FieldSource& source, Place& place) {
  const bool turns = fields.about.has_value();
  const Vec3d global = unit_axis(source, turns ? "about" : "along", turns ? *fields.about : *fields.along);
  const Mat3d& axes = place.pair.from.axes;
  model::AxisCoordinate axis{transpose_times(axes, global), turns, transpose(axes) * place.pair.to.axes};
  place.is_angle = turns;
  place.design = turns ? 0.0 : dot(global, place.pair.to.at - place.pair.from.at);
  if (place.design < 0) axis.axis = -axis.axis, place.design = -place.design;
  place.axis = axis;
}

Place along_line(const LineOrJointFields& fields, const model::FieldSource& source) {
  PairFields both;
  both.from = *fields.from;
  both.to = *fields.to;
  both.from_at = fields.from_at;
  both.to_at = fields.to_at;
  Place place;
  place.pair = both.place(source);
  place.design = design_distance(place.pair);
  if (fields.along || fields.about) put_on_axis(fields, source, place);
  return place;
}

}  // namespace

Place place_of(const LineOrJointFields& fields, const model::FieldSource& source, const model::Model& model) {
  const bool any_point = fields.from || fields.to || fields.from_at || fields.to_at || fields.along || fields.about;
  if (fields.joint && any_point) {
    fail(source, "joint", "it cannot act on a joint coordinate and between two points as well.",
         "Remove `joint`, or remove `from` and `to` with their points and axis.");
  }
  if (fields.along && fields.about) {
    fail(source, "about", "both `along` and `about` are given.",
         "Remove one: it acts on a length along an axis, or on an angle about one.");
  }
  if (fields.joint) return on_joint(*fields.joint, source, model);
  if (!fields.from || !fields.to) {
    fail(source, fields.from ? "to" : "from", "it is not said where the force acts.",
         "Give `from` and `to`, or the coordinate as `joint`.");
  }
  return along_line(fields, source);
}

void refuse(bool given, const char* field, const Place& place, const model::FieldSource& source) {
  if (!given) return;
  const char* x = place.is_angle ? "an angle" : "a length";
  fail(source, field, std::string(field) + " does not fit: the force acts on " + x + ".",
       place.is_angle ? "Use the fields of angles: N.m instead of N, angle instead of length."
                      : "A line between two points has no angle. To act on an angle give its axis as `about`, or the "
                        "coordinate as `joint`; for a length use the fields of lengths: N instead of N.m.");
}

void warn_of_no_line(const Place& place, const model::FieldSource& source, model::Model& model) {
  if (place.design > 0.0 || place.axis) return;
  model.warnings.push_back(
      {"no_line", source.where(""), '"' + source.name() + "\": its two points coincide at the design position.",
       "A line of length 0 has no direction and its force is 0. Give from_at and to_at, or use a bushing."});
}

void add_state_force(std::shared_ptr<const model::StateElement> law, const Place& place,
                     const model::FieldSource& source, model::Model& model) {
  model::Contribution force = begin_contribution(place.pair, source);
  if (place.on_joint)
    force.joint = place.joint.joint, force.dof = place.joint.dof;
  else
    warn_of_no_line(place, source, model);
  force.axis = place.axis;
  force.inner = std::move(law);
  model.contributions.push_back(std::move(force));
}

}  // namespace skyhook::element
