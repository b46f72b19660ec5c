#include "skyhook/element/force/bushing.h"

#include "skyhook/element/rotation_vector.h"

namespace skyhook::element {

namespace {

template <class T>
Vec3<T> scaled(const Vec3d& by, const Vec3<T>& a) {
  return {T(by.x) * a.x, T(by.y) * a.y, T(by.z) * a.z};
}

// U = 1/2 d.K d - F.d + 1/2 phi.C phi - M.phi with d = r - r_design and phi = log(R R_design^T), all in axes of A.
struct BushingLaw final : model::WrenchLaw<BushingLaw> {
  Vec3d stiffness, angular_stiffness, damping, angular_damping, force, moment;
  Vec3d r_design;
  Mat3d R_design;

  template <class T>
  Vec3<T> turned(const model::Relative<T>& m) const {
    return rotation_vector(m.R * Mat3<T>(transpose(R_design)));
  }

  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    const Vec3<T> d = m.r - Vec3<T>(r_design), phi = turned(m);
    out.f = Vec3<T>(force) - scaled(stiffness, d) - scaled(damping, m.v);
    // The gradient with respect to rotations, not K phi itself: only so the moment conserves energy at large angles.
    const Vec3<T> k = scaled(angular_stiffness, phi) - Vec3<T>(moment);
    out.n = -gradient_for_rotation(phi, k) - scaled(angular_damping, m.w);
  }

  double energy(const model::Relative<double>& m) const override {
    const Vec3d d = m.r - r_design, phi = turned(m);
    return 0.5 * dot(d, scaled(stiffness, d)) - dot(force, d) + 0.5 * dot(phi, scaled(angular_stiffness, phi)) -
           dot(moment, phi);
  }

  std::vector<model::Quantity> quantities() const override {
    return {{"fx", "N"}, {"fy", "N"}, {"fz", "N"}, {"mx", "N.m"}, {"my", "N.m"}, {"mz", "N.m"},
            {"dx", "m"}, {"dy", "m"}, {"dz", "m"}, {"rx", "rad"}, {"ry", "rad"}, {"rz", "rad"}};
  }
  void measure(const model::Relative<double>& m, const model::Wrench<double>& w,
               std::vector<double>& out) const override {
    for (const Vec3d& a : {w.f, w.n, m.r - r_design, turned(m)}) out.insert(out.end(), {a.x, a.y, a.z});
  }
};

}  // namespace

void Bushing::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  auto law = std::make_shared<BushingLaw>();
  law->stiffness = stiffness;
  law->angular_stiffness = angular_stiffness;
  law->damping = damping;
  law->angular_damping = angular_damping;
  law->force = force;
  law->moment = moment;
  law->r_design = transpose_times(pair.from.axes, pair.to.at - pair.from.at);
  law->R_design = transpose(pair.from.axes) * pair.to.axes;
  model::Force added = begin_force(pair, source);
  added.wrench = std::move(law);
  model.forces.push_back(std::move(added));
}

}  // namespace skyhook::element
