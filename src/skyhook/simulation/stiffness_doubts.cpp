#include "skyhook/simulation/stiffness_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/recursive/pair.h"

namespace skyhook::simulation {
namespace {

using model::Local;

struct Stiffness {
  double linear = 0, angular = 0;  // N/m, N.m/rad
};

// What resists: of the heavier body, and of that with the larger inertia.
struct Carried {
  double mass = 0;
  double inertia = 0, mass_of_inertia = 0;  // about the point where the force acts
};

model::Relative<Local> varied(const model::Relative<double>& m) {
  model::Relative<Local> at;
  at.t = Local(m.t), at.set = m.set;
  constexpr Vec3d unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    at.r[i] = Local::variable(m.r[i], static_cast<std::size_t>(i));
    at.v[i] = Local(m.v[i]), at.w[i] = Local(m.w[i]);
    for (int j = 0; j < 3; ++j) {
      const Vec3d column{m.R[0][j], m.R[1][j], m.R[2][j]};
      at.R[i][j] = Local(m.R[i][j]);
      for (std::size_t k = 0; k < 3; ++k) at.R[i][j].d[3 + k] = cross(unit[k], column)[i];
    }
  }
  return at;
}

// Largest entries of d(force)/d(position) and d(moment)/d(rotation), of the law at this motion.
Stiffness stiffness_of(const model::WrenchElement& law, const model::Relative<double>& m) {
  model::Wrench<Local> w;
  law.wrench(varied(m), w);
  Stiffness s;
  for (int i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      s.linear = std::max(s.linear, std::abs(w.f[i].d[k]));
      s.angular = std::max(s.angular, std::abs(w.n[i].d[3 + k]));
    }
  }
  return s;
}

void carry(const model::Model& m, int body, const Vec3d& at, Carried& out) {
  if (body == model::ground) return;
  const model::Body& b = m.bodies[static_cast<std::size_t>(body)];
  out.mass = std::max(out.mass, b.mass);
  const Vec3d arm = b.com - at;
  const double largest = std::max({b.inertia[0][0], b.inertia[1][1], b.inertia[2][2]});
  const double inertia = largest + b.mass * dot(arm, arm);
  if (inertia > out.inertia) out.inertia = inertia, out.mass_of_inertia = b.mass;
}

class Doubts {
 public:
  Doubts(const Prepared& p, const model::Experiment& e)
      : p_(p), tolerance_(e.absolute_tolerance > 0 ? e.absolute_tolerance : e.tolerance), ws_(p.active->workspace()) {
    using namespace formalism::recursive;
    set_drives(p.active->tree(), p.state.t, Drives::move, ws_.nodes);
    positions_velocities(p.active->tree(), p.state.q, p.state.v, ws_.nodes);
  }

  std::vector<Warning> all() {
    formalism::recursive::PairMotion motion;
    for (const auto& item : p_.active->forces()) {
      if (dynamic_cast<const model::Outsider*>(item.law.get())) continue;  // code of others runs in runs only
      relative_motion(item.pair, ws_.nodes, p_.state.t, motion);
      Carried carried;
      carry(*p_.model, item.force->from.body, item.force->from.at, carried);
      carry(*p_.model, item.force->to.body, item.force->to.at, carried);
      doubt(*item.force, stiffness_of(*item.law, motion.rel), carried);
    }
    for (const auto& item : p_.active->coordinate_forces())
      doubt_coordinate(*item.force, p_.state.q[static_cast<std::size_t>(item.iq)] + item.reference,
                       p_.state.v[static_cast<std::size_t>(item.iv)]);
    return std::move(out_);
  }

 private:
  void doubt_coordinate(const model::Contribution& force, double x, double v) {
    const model::Joint& joint = p_.model->joints[static_cast<std::size_t>(force.joint)];
    const double stiffness = std::abs(force.coordinate->force(Dual<2>::variable(x, 0), Dual<2>(v), p_.state.t).d[0]);
    Carried carried;
    carry(*p_.model, joint.from, joint.at_from, carried);
    carry(*p_.model, joint.to, joint.at_to, carried);
    turns(joint, force.dof) ? doubt(force, {0, stiffness}, carried) : doubt(force, {stiffness, 0}, carried);
  }

  // By the number of a scalar coordinate, of which a ball has three.
  static bool turns(const model::Joint& joint, int number) {
    for (const model::Dof& dof : joint.shape.dofs) {
      number -= dof.kind == model::Dof::Kind::ball ? 3 : 1;
      if (number < 0) return !dof.is_length();
    }
    return false;
  }

  void doubt(const model::Contribution& force, const Stiffness& s, const Carried& carried) {
    constexpr double g = 9.81;
    const char* advice = "Check its unit; tighten absolute_tolerance, or put a joint in its place.";
    if (carried.mass > 0 && std::isfinite(s.linear) && s.linear * tolerance_ > carried.mass * g)
      out_.push_back(
          {"too_stiff", force.where,
           fmt::format("Force \"{}\" has a stiffness of {:.3g} N/m: an error of the tolerance, {:.3g} m, changes it by "
                       "{:.3g} N, more than the weight of {:.3g} kg that it carries.",
                       force.name, s.linear, tolerance_, s.linear * tolerance_, carried.mass),
           advice});
    const double radius = carried.inertia > 0 ? std::sqrt(carried.inertia / carried.mass_of_inertia) : 0;
    if (radius > 0 && std::isfinite(s.angular) && s.angular * tolerance_ > carried.mass_of_inertia * g * radius)
      out_.push_back(
          {"too_stiff", force.where,
           fmt::format(
               "Force \"{}\" has a stiffness of {:.3g} N.m/rad: an error of the tolerance, {:.3g} rad, changes it "
               "by {:.3g} N.m, more than the weight of the {:.3g} kg that it turns, at their radius of gyration "
               "of {:.3g} m.",
               force.name, s.angular, tolerance_, s.angular * tolerance_, carried.mass_of_inertia, radius),
           advice});
  }

  const Prepared& p_;
  double tolerance_;
  formalism::recursive::Equations::Workspace ws_;
  std::vector<Warning> out_;
};

}  // namespace

std::vector<Warning> doubts_of_stiffness(const Prepared& p, const model::Experiment& e) { return Doubts(p, e).all(); }

}  // namespace skyhook::simulation
