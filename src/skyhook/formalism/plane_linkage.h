// Plane linkages for tests, built without a model file: rods of mass 1 kg a metre in the xy plane, hinges about z.
#pragma once
#include <memory>

#include "skyhook/formalism/random_model.h"

namespace skyhook::formalism::testing {

class Linkage {
 public:
  std::shared_ptr<model::Model> model = std::make_shared<model::Model>();

  Linkage() { model->gravity = {0, -9.81, 0}; }

  // A uniform rod between two points; `density` in kg/m.
  int rod(const std::string& name, const Vec3d& from, const Vec3d& to, double density = 1) {
    const Vec3d d = to - from;
    model::Body b;
    b.name = name, b.at = from, b.com = from + 0.5 * d, b.mass = density * norm(d);
    b.inertia = (b.mass / 12) * (dot(d, d) * Mat3d::identity() - outer(d, d));
    model->bodies.push_back(b);
    return static_cast<int>(model->bodies.size()) - 1;
  }
  model::Joint& hinge(const std::string& name, int from, int to, const Vec3d& at) {
    return joint(name, "revolute", from, to, at, {0, 0, 1});
  }
  model::Joint& slide(const std::string& name, int from, int to, const Vec3d& at, const Vec3d& axis) {
    return joint(name, "prismatic", from, to, at, axis);
  }
  model::Joint& ball(const std::string& name, int from, int to, const Vec3d& at) {
    return joint(name, "spherical", from, to, at, {0, 0, 1});
  }
  static void drive(model::Joint& joint, const std::string& of_t) {
    joint.drive[0].emplace(expression::Expression::compile(of_t, {{{"t", {}}}, {}}, {}));
  }

  model::Joint& joint(const std::string& name, const std::string& type, int from, int to, const Vec3d& at,
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
};

// Crank A-B, coupler B-C, rocker D-C; A and D on the ground. `gap`: C of the rocker stands off C of the coupler by this.
inline Linkage four_bar(const Vec3d& gap = {}, double crank_density = 1, double rocker_density = 1) {
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
