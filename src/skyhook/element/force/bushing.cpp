#include "skyhook/element/force/bushing.h"

#include <array>
#include <span>

#include "skyhook/element/finding.h"
#include "skyhook/element/rotation_vector.h"
#include "skyhook/model/tabulated.h"
#include "skyhook/model/timeless.h"

namespace skyhook::element {

namespace {

constexpr const char* names[4][3] = {{"spring_x", "spring_y", "spring_z"},
                                     {"damper_x", "damper_y", "damper_z"},
                                     {"angular_spring_x", "angular_spring_y", "angular_spring_z"},
                                     {"angular_damper_x", "angular_damper_y", "angular_damper_z"}};

// to += gain x, without the numbers that a + gain b of two duals would copy
inline void add(double gain, double x, double& to) { to += gain * x; }
inline void add(double gain, const model::Local& x, model::Local& to) {
  to.v += gain * x.v;
  for (std::size_t i = 0; i < to.d.size(); ++i) to.d[i] += gain * x.d[i];
}

using Curves = std::array<std::optional<model::Curve>, 3>;

bool any_of(const Curves& curves) { return curves[0] || curves[1] || curves[2]; }

// Along one axis: the rate, or the curve in its place.
template <class T>
T resisting(double rate, const std::optional<model::Curve>& curve, const T& x) {
  return curve ? curve->at(x) : T(rate) * x;
}
double energy_of(double rate, const std::optional<model::Curve>& curve, double x) {
  return curve ? curve->integral(x) : 0.5 * rate * x * x;
}

// U = sum of 1/2 K d^2 - F d, or of a curve its integral, over d = r - r_design and phi = log(R R_design^T), all in axes of A.
struct BushingLaw final : model::WrenchLaw<BushingLaw>, model::Tabulated, model::Timeless {
  Vec3d stiffness, angular_stiffness, damping, angular_damping, force, moment;
  Curves spring, damper, angular_spring, angular_damper;
  bool has_curves = false, halfway = false;
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
    Vec3<T> along = -Vec3<T>(moment);
    for (int k = 0; k < 3; ++k)
      along[k] += resisting(angular_stiffness[k], angular_spring[static_cast<std::size_t>(k)], phi[k]);
    return -gradient_for_rotation(phi, along);
  }
  // Rotation has three directions: all of it runs on these, and the chain rule leads to those of the caller.
  Vec3<model::Local> elastic_moment(const Mat3<model::Local>& R) const {
    const Vec3<model::Local> turn = turn_of(R);
    return chained(elastic_moment<Dual<3>>(seeded<3>(R, 0)),
                   std::array<const model::Local*, 3>{&turn.x, &turn.y, &turn.z});
  }
  // dR R^T = [turn]x, as derivatives of numbers that are zero.
  static Vec3<model::Local> turn_of(const Mat3<model::Local>& R) {
    Vec3<model::Local> turn;
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        for (std::size_t i = 0; i < turn.x.d.size(); ++i) turn[k].d[i] += R[b][j].d[i] * R[a][j].v;
      }
    }
    return turn;
  }
  // Its value, with turns as directions from `first` on.
  template <int N>
  static Mat3<Dual<N>> seeded(const Mat3<model::Local>& R, std::size_t first) {
    Mat3<Dual<N>> out;
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      const std::size_t i = first + static_cast<std::size_t>(k);
      for (int j = 0; j < 3; ++j) out[k][j].v = R[k][j].v, out[b][j].d[i] = R[a][j].v, out[a][j].d[i] = -R[b][j].v;
    }
    return out;
  }
  template <int N>
  static Vec3<model::Local> chained(const Vec3<Dual<N>>& y, std::span<const model::Local* const> directions) {
    Vec3<model::Local> out;
    for (int k = 0; k < 3; ++k) {
      out[k].v = y[k].v;
      for (std::size_t j = 0; j < N; ++j) {
        for (std::size_t i = 0; i < out.x.d.size(); ++i) out[k].d[i] += y[k].d[j] * directions[j]->d[i];
      }
    }
    return out;
  }

  // With d = H^T r - r_design, H being half of the rotation: U depends on the rotation by d too. Force and moment are the gradients of U.
  template <class T>
  void add_halfway(const Vec3<T>& r, const Mat3<T>& R, model::Wrench<T>& out) const {
    const Vec3<T> phi = turned(R);
    Vec3<Dual<3, T>> half, still;
    for (int k = 0; k < 3; ++k) half[k] = Dual<3, T>::variable(T(0.5) * phi[k], k), still[k] = Dual<3, T>(r[k]);
    const Vec3<Dual<3, T>> d = turned_back(half, still);
    Vec3<T> g, along = -Vec3<T>(moment);
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      g[k] = resisting(stiffness[k], spring[i], T(d[k].v - T(r_design[k]))) - T(force[k]);
      along[k] += resisting(angular_stiffness[k], angular_spring[i], phi[k]);
    }
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) along[k] += T(0.5) * g[i] * d[i].d[static_cast<std::size_t>(k)];
    }
    out.f -= turned_back(T(-0.5) * phi, g);
    out.n -= gradient_for_rotation(phi, along);
  }
  // In six directions, likewise.
  void add_halfway(const Vec3<model::Local>& r, const Mat3<model::Local>& R, model::Wrench<model::Local>& out) const {
    using D = Dual<6>;
    const Vec3<model::Local> turn = turn_of(R);
    const std::array<const model::Local*, 6> directions{&r.x, &r.y, &r.z, &turn.x, &turn.y, &turn.z};
    model::Wrench<D> w{};
    add_halfway<D>({D::variable(r.x.v, 0), D::variable(r.y.v, 1), D::variable(r.z.v, 2)}, seeded<6>(R, 3), w);
    out.f += chained(w.f, directions), out.n += chained(w.n, directions);
  }
  // exp([phi]x)^T r
  template <class T>
  static Vec3<T> turned_back(const Vec3<T>& phi, const Vec3<T>& r) {
    const Vec3<T> back = -phi, once = cross(back, r);
    const SineTerms<T> terms(dot(phi, phi));
    return r + terms.sine * once + terms.versine * cross(back, once);
  }
  // sin(a)/a and (1 - cos a)/a^2 over a^2: by their series where the closed forms lose digits.
  template <class T>
  struct SineTerms {
    T sine, versine;
    explicit SineTerms(const T& s) {
      using std::cos, std::sin, std::sqrt;
      if (value_of(s) < 0.01) {  // the next terms are below 1e-20
        sine = T(1.0) -
               s * (T(1. / 6) - s * (T(1. / 120) - s * (T(1. / 5040) - s * (T(1. / 362880) - s * T(1. / 39916800)))));
        versine =
            T(0.5) -
            s * (T(1. / 24) - s * (T(1. / 720) - s * (T(1. / 40320) - s * (T(1. / 3628800) - s * T(1. / 479001600)))));
        return;
      }
      const T angle = sqrt(s);
      sine = sin(angle) / angle, versine = (T(1.0) - cos(angle)) / s;
    }
  };

  bool resists_rotation() const {
    return !(angular_stiffness == Vec3d{} && moment == Vec3d{}) || any_of(angular_spring);
  }
  bool between_points() const override {
    return !halfway && !resists_rotation() && angular_damping == Vec3d{} && !any_of(angular_damper);
  }

  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    out = {};
    if (halfway) return bent(m, out);
    for (int k = 0; k < 3; ++k) {
      out.f[k] = T(force[k]);
      add(-stiffness[k], m.r[k] - T(r_design[k]), out.f[k]);
      add(-damping[k], m.v[k], out.f[k]);
    }
    if (has_curves) add_curves(m, out);
    if (between_points()) return;
    if (resists_rotation()) out.n += elastic_moment(m.R);
    for (int k = 0; k < 3; ++k) add(-angular_damping[k], m.w[k], out.n[k]);
  }
  template <class T>
  void bent(const model::Relative<T>& m, model::Wrench<T>& out) const {
    add_halfway(m.r, m.R, out);
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      out.f[k] -= resisting(damping[k], damper[i], m.v[k]);
      out.n[k] -= resisting(angular_damping[k], angular_damper[i], m.w[k]);
    }
  }
  // All but those of the rotation: elastic_moment has them.
  template <class T>
  void add_curves(const model::Relative<T>& m, model::Wrench<T>& out) const {
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (spring[i]) out.f[k] -= spring[i]->at(T(m.r[k] - T(r_design[k])));
      if (damper[i]) out.f[k] -= damper[i]->at(m.v[k]);
      if (angular_damper[i]) out.n[k] -= angular_damper[i]->at(m.w[k]);
    }
  }

  Vec3d deflection(const model::Relative<double>& m) const {
    return (halfway ? turned_back(0.5 * turned(m.R), m.r) : m.r) - r_design;
  }
  double energy(const model::Relative<double>& m) const override {
    const Vec3d d = deflection(m), phi = turned(m.R);
    double sum = -dot(force, d) - dot(moment, phi);
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      sum += energy_of(stiffness[k], spring[i], d[k]) + energy_of(angular_stiffness[k], angular_spring[i], phi[k]);
    }
    return sum;
  }
  void look(const model::Relative<double>& m, model::TableLooks& looks) const override {
    if (!has_curves) return;
    const Vec3d d = deflection(m), phi = turned(m.R);
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (spring[i]) add_look(*spring[i], names[0][i], "displacement", "m", d[k], looks);
      if (damper[i]) add_look(*damper[i], names[1][i], "velocity", "m/s", m.v[k], looks);
      if (angular_spring[i]) add_look(*angular_spring[i], names[2][i], "rotation", "rad", phi[k], looks);
      if (angular_damper[i]) add_look(*angular_damper[i], names[3][i], "angular velocity", "rad/s", m.w[k], looks);
    }
  }

  std::vector<model::Quantity> quantities() const override {
    constexpr const char *on_to = "force on `to`, axes of `from`", *about_to = "moment on `to`, axes of `from`",
                         *shift = "displacement from design, axes of the springs",
                         *turn = "rotation vector from design";
    return {{"fx", "N", on_to},      {"fy", "N", on_to},      {"fz", "N", on_to},  {"mx", "N.m", about_to},
            {"my", "N.m", about_to}, {"mz", "N.m", about_to}, {"dx", "m", shift},  {"dy", "m", shift},
            {"dz", "m", shift},      {"rx", "rad", turn},     {"ry", "rad", turn}, {"rz", "rad", turn}};
  }
  void measure(const model::Relative<double>& m, const model::Wrench<double>& w,
               std::vector<double>& out) const override {
    for (const Vec3d& a : {w.f, w.n, deflection(m), turned(m.R)}) out.insert(out.end(), {a.x, a.y, a.z});
  }
};

// The curve replaces the rate along its axis.
void refuse_twice(const Vec3d& rate, const Curves& curves, const char* const* fields, const char* rate_field,
                  const model::FieldSource& source) {
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (rate[k] != 0 && curves[i])
      fail(source, fields[i],
           std::string("both ") + rate_field + " along " + "xyz"[i] + " and " + fields[i] + " are given.",
           "Let that entry of the rate be 0: the curve replaces it.");
  }
}

}  // namespace

void Bushing::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  auto law = std::make_shared<BushingLaw>();
  law->halfway = axes == "halfway";
  law->stiffness = stiffness;
  law->angular_stiffness = angular_stiffness;
  law->damping = damping;
  law->angular_damping = angular_damping;
  law->force = force;
  law->moment = moment;
  law->spring = {spring_x, spring_y, spring_z};
  law->damper = {damper_x, damper_y, damper_z};
  law->angular_spring = {angular_spring_x, angular_spring_y, angular_spring_z};
  law->angular_damper = {angular_damper_x, angular_damper_y, angular_damper_z};
  law->has_curves =
      any_of(law->spring) || any_of(law->damper) || any_of(law->angular_spring) || any_of(law->angular_damper);
  refuse_twice(stiffness, law->spring, names[0], "stiffness", source);
  refuse_twice(damping, law->damper, names[1], "damping", source);
  refuse_twice(angular_stiffness, law->angular_spring, names[2], "angular_stiffness", source);
  refuse_twice(angular_damping, law->angular_damper, names[3], "angular_damping", source);
  law->r_design = transpose_times(pair.from.axes, pair.to.at - pair.from.at);
  law->R_design = transpose(pair.from.axes) * pair.to.axes;
  model::Contribution added = begin_contribution(pair, source);
  added.wrench = std::move(law);
  model.contributions.push_back(std::move(added));
}

}  // namespace skyhook::element
