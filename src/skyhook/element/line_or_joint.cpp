#include "skyhook/element/line_or_joint.h"

#include "skyhook/element/coordinate.h"
#include "skyhook/element/finding.h"

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

Place along_line(const LineOrJointFields& fields, const model::FieldSource& source) {
  PairFields both;
  both.from = *fields.from;
  both.to = *fields.to;
  both.from_at = fields.from_at;
  both.to_at = fields.to_at;
  Place place;
  place.pair = both.place(source);
  place.design = design_distance(place.pair);
  return place;
}

}  // namespace

Place place_of(const LineOrJointFields& fields, const model::FieldSource& source, const model::Model& model) {
  const bool any_point = fields.from || fields.to || fields.from_at || fields.to_at;
  if (fields.joint && any_point) {
    fail(source, "joint", "it cannot act on a joint coordinate and between two points as well.",
         "Remove `joint`, or remove `from` and `to` with their points.");
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
       place.is_angle
           ? "Use the fields of angles: N.m instead of N, angle instead of length."
           : "A line between two points has no angle. For a torsion spring give the coordinate as `joint`, or "
             "use a bushing with angular_stiffness about its axis; for a line the fields of lengths: N "
             "instead of N.m.");
}

void warn_of_no_line(const Place& place, const model::FieldSource& source, model::Model& model) {
  if (place.design > 0.0) return;
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
  force.inner = std::move(law);
  model.contributions.push_back(std::move(force));
}

}  // namespace skyhook::element
