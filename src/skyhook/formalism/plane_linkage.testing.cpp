#include "skyhook/formalism/plane_linkage.testing.h"

#include "skyhook/element/joint_rows.h"

namespace skyhook::formalism::testing {

int Linkage::rod(const std::string& name, const Vec3d& from, const Vec3d& to, double density) {
  const Vec3d d = to - from;
  model::Body b;
  b.name = name, b.at = from, b.com = from + 0.5 * d, b.mass = density * norm(d);
  b.inertia = (b.mass / 12) * (dot(d, d) * Mat3d::identity() - outer(d, d));
  model->bodies.push_back(b);
  return static_cast<int>(model->bodies.size()) - 1;
}

model::Joint& Linkage::hinge(const std::string& name, int from, int to, const Vec3d& at) {
  return joint(name, "revolute", from, to, at, {0, 0, 1});
}

model::Joint& Linkage::slide(const std::string& name, int from, int to, const Vec3d& at, const Vec3d& axis) {
  return joint(name, "prismatic", from, to, at, axis);
}

model::Joint& Linkage::ball(const std::string& name, int from, int to, const Vec3d& at) {
  return joint(name, "spherical", from, to, at, {0, 0, 1});
}

void Linkage::drive(model::Joint& joint, const std::string& of_t) {
  joint.drive[0].emplace(expression::Expression::compile(of_t, {{{"t", {}}}, {}}, {}));
}

model::Joint& Linkage::joint(const std::string& name, const std::string& type, int from, int to, const Vec3d& at,
                             const Vec3d& axis) {
  using element::operator+;
  Random unused(1);
  model::Joint j = make_joint(name, type, from, to, at, unused);
  const element::Triad t = element::triad(axis);
  const element::Rows points = element::no_motion_along({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  j.axis = axis;
  if (type == "revolute") j.shape = {{{Dof::Kind::revolute, axis, "angle"}}, points + element::parallel_axis(t)};
  if (type == "prismatic")
    j.shape = {{{Dof::Kind::prismatic, axis, "displacement"}},
               element::no_motion_along({t.u, t.v}) + element::fixed_orientation(t)};
  model->joints.push_back(j);
  return model->joints.back();
}

Linkage four_bar(const Vec3d& gap, double crank_density, double rocker_density) {
  const Vec3d A{0, 0, 0}, B{0, 0.4, 0}, C{0.85, 0.75, 0}, D{1, 0, 0};
  Linkage l;
  const int crank = l.rod("crank", A, B, crank_density), coupler = l.rod("coupler", B, C),
            rocker = l.rod("rocker", D, C + gap, rocker_density);
  l.hinge("A", model::ground, crank, A);
  l.hinge("B", crank, coupler, B);
  l.hinge("D", model::ground, rocker, D);
  l.hinge("C", coupler, rocker, C).at_to = C + gap;
  return l;
}

}  // namespace skyhook::formalism::testing
