#include "skyhook/element/joint/planar.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

namespace {

struct NamedPlane {
  const char* name;
  PlaneAxes axes;
};
// The angle counts about the positive global axis. So in xz it turns z towards x, although x is the first axis.
constexpr std::array<NamedPlane, 3> planes{
    {{"xy", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, "x", "y", Mirror::x, Mirror::y, Mirror::xy}},
     {"xz", {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}, "x", "z", Mirror::x, Mirror::z, Mirror::xz}},
     {"yz", {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, "y", "z", Mirror::y, Mirror::z, Mirror::yz}}}};

unsigned smallest_entry(const Vec3d& v) {  // as perpendicular() chooses it
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  return x <= y && x <= z ? 0 : y <= z ? 1 : 2;
}

unsigned largest_entry(const Vec3d& v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

Mirror bit(unsigned axis) { return static_cast<Mirror>(1u << axis); }
Mirror without(Mirror m) { return static_cast<Mirror>(7u ^ static_cast<unsigned>(m)); }

}  // namespace

PlaneAxes plane_of(const std::string& name, const std::optional<Vec3d>& normal, const model::FieldSource& source) {
  if (normal && !name.empty()) {
    fail(source, "axis", "both `plane` and `axis` are given.", "Remove one: `axis` is the normal of the plane.");
  }
  if (normal) return plane_across(unit_axis(source, "axis", *normal));
  if (name.empty()) fail(source, "plane", "the plane is missing.", "Give plane: xy, xz or yz, or its normal `axis`.");
  if (const auto named = plane_named(name)) return *named;
  fail(source, "plane", "plane \"" + name + "\" is not known.", "Choose xy, xz or yz, or give the normal as `axis`.");
}

void add_displacement(model::Joint& joint, const PlaneAxes& axes, int number, const InPlaneMotion& given,
                      const model::FieldSource& source) {
  const bool first = number == 1;
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::prismatic, first ? axes.first : axes.second,
                          first ? axes.first_name : axes.second_name, first ? axes.first_mirror : axes.second_mirror},
                  .reference = given.reference,
                  .position = given.position,
                  .velocity = given.velocity,
                  .drive = given.drive,
                  .drive_field = first ? "drive_1" : "drive_2",
                  .position_field = first ? "displacement_1" : "displacement_2",
                  .velocity_field = first ? "displacement_1_rate" : "displacement_2_rate"});
}

std::optional<PlaneAxes> plane_named(const std::string& name) {
  const auto found = std::ranges::find_if(planes, [&](const NamedPlane& p) { return name == p.name; });
  return found == planes.end() ? std::nullopt : std::optional(found->axes);
}

bool is_along_axis(const Vec3d& normal) {
  return int(normal.x != 0.0) + int(normal.y != 0.0) + int(normal.z != 0.0) == 1;
}

// With n' = S n and e_k the axis that perpendicular() crosses with: u' = n' x e_k = s_k det S u and v' = n' x u' =
// s_k S v, while the displacement S (u d1 + v d2) is that of the mirror image and the angle turns about det S n.
PlaneAxes plane_across(const Vec3d& normal) {
  const auto found = std::ranges::find_if(planes, [&](const NamedPlane& p) { return normal == p.axes.normal; });
  if (found != planes.end()) return found->axes;
  const Triad t = triad(normal);
  if (is_along_axis(normal))
    return {
        t.u, t.v, t.e, "u", "v", bit(largest_entry(t.u)), bit(largest_entry(t.v)), without(bit(largest_entry(t.e)))};
  const Mirror k = bit(smallest_entry(normal));
  return {t.u, t.v, t.e, "u", "v", without(k), k, Mirror::xyz};
}

void Planar::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  const PlaneAxes axes = plane_of(plane, axis, source);
  joint.axis = axes.normal;
  joint.shape.rows = no_motion_along({axes.normal}) + parallel_axis({axes.normal, axes.first, axes.second});
  add_displacement(joint, axes, 1, {displacement_1, displacement_1_rate, drive_1, reference_1}, source);
  add_displacement(joint, axes, 2, {displacement_2, displacement_2_rate, drive_2, reference_2}, source);
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::revolute, axes.normal, "angle", axes.angle_mirror},
                  .reference = reference_angle,
                  .position = angle,
                  .velocity = angle_rate,
                  .drive = drive_angle,
                  .drive_field = "drive_angle"});
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
