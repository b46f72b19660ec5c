#include "skyhook/element/force/bushing.h"

#include "skyhook/element/rotation_vector.h"

namespace skyhook::element {

namespace {

template <class T>
Vec3<T> scaled(const Vec3d& by, const Vec3<T>& a) {
  return {T(by.x) * a.x, T(by.y) * a.y, T(by.z) * a.z};
}

// to += gain x, without the numbers that a + gain b of two duals would copy
inline void add(double gain, double x, double& to) { to += gain * x; }
inline void add(double gain, const model::Local& x, model::Local& to) {
  to.v += gain * x.v;
  for (std::size_t i = 0; i < to.d.size(); ++i) to.d[i] += gain * x.d[i];
}

// U = 1/2 d.K d - F.d + 1/2 phi.C phi - M.phi with d = r - r_design and phi = log(R R_design^T), all in axes of A.
struct BushingLaw final : model::WrenchLaw<BushingLaw> {
  Vec3d stiffness, angular_stiffness, damping, angular_damping, force, moment;
  Vec3d r_design;
  Mat3d R_design;

  template <class T>
  Vec3<T> turned(const Mat3<T>& R) const {
    return rotation_vector(R * Mat3<T>(transpose(R_design)));
  }
  // The gradient with respect to rotations, not K phi itself: only so the moment conserves energy at large angles.
  template <class T>
  Vec3<T> elastic_moment(const Mat3<T>& R) const {
    const Vec3<T> phi = turned(R);
    return -gradient_for_rotation(phi, scaled(angular_stiffness, phi) - Vec3<T>(moment));
  }
  // Rotation has three directions: all of it runs on these, and the chain rule leads to those of the caller.
  Vec3<model::Local> elastic_moment(const Mat3<model::Local>& R) const {
    Mat3<Dual<3>> seeded;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) seeded[i][j].v = R[i][j].v;
    }
    Vec3<model::Local> turn;  // dR R^T = [turn]x
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        seeded[b][j].d[static_cast<std::size_t>(k)] = R[a][j].v,
        seeded[a][j].d[static_cast<std::size_t>(k)] = -R[b][j].v;
        for (std::size_t i = 0; i < turn.x.d.size(); ++i) turn[k].d[i] += R[b][j].d[i] * R[a][j].v;
      }
    }
    const Vec3<Dual<3>> n = elastic_moment<Dual<3>>(seeded);
    Vec3<model::Local> out;
    for (int k = 0; k < 3; ++k) {
      out[k].v = n[k].v;
      for (std::size_t i = 0; i < turn.x.d.size(); ++i)
        out[k].d[i] = n[k].d[0] * turn.x.d[i] + n[k].d[1] * turn.y.d[i] + n[k].d[2] * turn.z.d[i];
    }
    return out;
  }

  bool resists_rotation() const { return !(angular_stiffness == Vec3d{} && moment == Vec3d{}); }
  bool between_points() const override { return !resists_rotation() && angular_damping == Vec3d{}; }

  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    out = {};
    for (int k = 0; k < 3; ++k) {
      out.f[k] = T(force[k]);
      add(-stiffness[k], m.r[k] - T(r_design[k]), out.f[k]);
      add(-damping[k], m.v[k], out.f[k]);
    }
    if (between_points()) return;
    if (resists_rotation()) out.n = elastic_moment(m.R);
    for (int k = 0; k < 3; ++k) add(-angular_damping[k], m.w[k], out.n[k]);
  }

  double energy(const model::Relative<double>& m) const override {
    const Vec3d d = m.r - r_design, phi = turned(m.R);
    return 0.5 * dot(d, scaled(stiffness, d)) - dot(force, d) + 0.5 * dot(phi, scaled(angular_stiffness, phi)) -
           dot(moment, phi);
  }

  std::vector<model::Quantity> quantities() const override {
    constexpr const char *on_to = "force on `to`, axes of `from`", *about_to = "moment on `to`, axes of `from`",
                         *shift = "displacement from design, axes of `from`", *turn = "rotation vector from design";
    return {{"fx", "N", on_to},      {"fy", "N", on_to},      {"fz", "N", on_to},  {"mx", "N.m", about_to},
            {"my", "N.m", about_to}, {"mz", "N.m", about_to}, {"dx", "m", shift},  {"dy", "m", shift},
            {"dz", "m", shift},      {"rx", "rad", turn},     {"ry", "rad", turn}, {"rz", "rad", turn}};
  }
  void measure(const model::Relative<double>& m, const model::Wrench<double>& w,
               std::vector<double>& out) const override {
    for (const Vec3d& a : {w.f, w.n, m.r - r_design, turned(m.R)}) out.insert(out.end(), {a.x, a.y, a.z});
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
  model::Contribution added = begin_contribution(pair, source);
  added.wrench = std::move(law);
  model.contributions.push_back(std::move(added));
}

}  // namespace skyhook::element
