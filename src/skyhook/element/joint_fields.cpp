#include "skyhook/element/joint_fields.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

Vec3d reference_point(const model::Joint& joint, const model::Model& model) {
  const int body = joint.to == model::ground ? joint.from : joint.to;  // the ground has no point of interest
  return model.bodies.at(static_cast<std::size_t>(body)).at;
}

}  // namespace

model::Joint begin_joint(const JointFields& fields, const model::FieldSource& source, const model::Model& model) {
  model::Joint joint;
  joint.name = source.name();
  joint.where = source.where("");
  joint.from = fields.from.index;
  joint.to = fields.to.index;
  if (joint.from == joint.to) fail(source, "to", "connects a body with itself.", "Let `from` and `to` differ.");
  joint.at_from = fields.at ? *fields.at : reference_point(joint, model);
  joint.at_to = fields.at_to.value_or(joint.at_from);
  joint.cut = fields.cut;
  return joint;
}

void add_coordinate(model::Joint& joint, const model::FieldSource& source, Coordinate coordinate) {
  if (coordinate.drive && (coordinate.position || coordinate.velocity)) {
    fail(source, coordinate.drive_field, "coordinate " + coordinate.dof.name + " is driven and has an initial value.",
         "Remove the initial value: the drive gives it.");
  }
  const std::string name = coordinate.dof.name;
  const auto place = [&](const char* field, const std::string& usual) {
    return source.where(*field ? field : usual.c_str());
  };
  joint.position_where.push_back(place(coordinate.position_field, name));
  joint.velocity_where.push_back(place(coordinate.velocity_field, name + "_rate"));
  joint.shape.dofs.push_back(std::move(coordinate.dof));
  joint.reference.push_back(coordinate.reference);
  joint.position.push_back(coordinate.position);
  joint.velocity.push_back(coordinate.velocity);
  joint.drive.push_back(std::move(coordinate.drive));
  joint.drive_where.push_back(source.where(coordinate.drive_field));
}

Vec3d unit_axis(const model::FieldSource& source, const char* field, const Vec3d& axis) {
  const double length = norm(axis);
  if (!(length > 0.0)) {
    fail(source, field, std::string(field) + " has no direction: its length is 0.", "Give x, y, z or a vector.");
  }
  return (1.0 / length) * axis;
}

}  // namespace skyhook::element
