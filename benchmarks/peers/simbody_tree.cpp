#include <Simbody.h>

#include "peer_simbody.h"

namespace skyhook::bench {
namespace {

using namespace SimTK;
using Joint = WorkloadBody::Joint;

// A pin turns about its z axis: this frame has it along the wanted one, x and y permuted cyclically.
Rotation pin_axes(Joint joint) {
  if (joint == Joint::about_x) return Rotation(UnitVec3(1, 0, 0), ZAxis, Vec3(0, 1, 0), XAxis);
  if (joint == Joint::about_y) return Rotation(UnitVec3(0, 1, 0), ZAxis, Vec3(0, 0, 1), XAxis);
  return Rotation();
}

class SimbodyTree : public TreeSimulator {
 public:
  explicit SimbodyTree(const Workload& w) {
    for (const WorkloadBody& b : w.bodies) add_body(b);
    system_.realizeTopology();
    state_ = system_.getDefaultState();
    system_.realizeModel(state_);
    set_state(w);
  }

  // Velocity is the stage that inverse dynamics needs; gravity alone acts, and it is known from positions on.
  void residual() override {
    restart();
    system_.realize(state_, Stage::Velocity);
    matter_.calcResidualForceIgnoringConstraints(state_, no_mobility_forces_, gravity_.getBodyForces(state_), a_,
                                                 residual_);
  }
  void forward() override {
    restart();
    system_.realize(state_, Stage::Acceleration);
  }
  std::vector<double> residual_forces() override { return in_workload_convention(residual_); }
  std::vector<double> accelerations() override { return in_workload_convention(state_.getUDot()); }

 private:
  void add_body(const WorkloadBody& b) {
    const Vec3 com(0, 0, com_z), at(b.at[0], b.at[1], b.at[2]);
    const Body::Rigid body(
        MassProperties(mass, com, Inertia(inertia[0], inertia[1], inertia[2]).shiftFromMassCenter(com, mass)));
    MobilizedBody parent = b.parent < 0 ? MobilizedBody(matter_.Ground()) : bodies_[b.parent];
    is_free_.push_back(b.joint == Joint::free);
    if (b.joint == Joint::free) {
      bodies_.push_back(MobilizedBody::Free(parent, Transform(at), body, Transform()));
    } else {
      const Rotation axes = pin_axes(b.joint);
      bodies_.push_back(MobilizedBody::Pin(parent, Transform(axes, at), body, Transform(axes)));
    }
  }

  // A free joint here has the quaternion first, and velocities (angular, linear) both in parent axes.
  void set_state(const Workload& w) {
    q_ = state_.getQ(), u_ = state_.getU(), a_ = state_.getU();
    const double *q = w.q.data(), *v = w.v.data(), *a = w.a.data();
    for (int i = 0; i < w.size(); ++i) {
      const int iq = bodies_[i].getFirstQIndex(state_), iu = bodies_[i].getFirstUIndex(state_);
      if (is_free_[i]) {
        rotation_.push_back(Rotation(Quaternion(q[3], q[4], q[5], q[6])));
        for (int k = 0; k < 4; ++k) q_[iq + k] = q[3 + k];
        for (int k = 0; k < 3; ++k) q_[iq + 4 + k] = q[k], u_[iu + 3 + k] = v[k], a_[iu + 3 + k] = a[k];
        const Vec3 omega = rotation_.back() * Vec3(v[3], v[4], v[5]), alpha = rotation_.back() * Vec3(a[3], a[4], a[5]);
        for (int k = 0; k < 3; ++k) u_[iu + k] = omega[k], a_[iu + k] = alpha[k];
      } else {
        rotation_.push_back(Rotation());
        q_[iq] = q[0], u_[iu] = v[0], a_[iu] = a[0];
      }
      q += w.bodies[i].nq(), v += w.bodies[i].nv(), a += w.bodies[i].nv();
    }
    no_mobility_forces_.resize(u_.size());
    no_mobility_forces_.setToZero();
  }

  void restart() {  // writing to them makes Simbody forget what it had computed
    state_.updQ() = q_;
    state_.updU() = u_;
  }

  std::vector<double> in_workload_convention(const Vector& x) const {
    std::vector<double> out;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const int iu = bodies_[i].getFirstUIndex(state_);
      if (!is_free_[i]) {
        out.push_back(x[iu]);
        continue;
      }
      const Vec3 angular = ~rotation_[i] * Vec3(x[iu], x[iu + 1], x[iu + 2]);
      for (int k = 0; k < 3; ++k) out.push_back(x[iu + 3 + k]);
      for (int k = 0; k < 3; ++k) out.push_back(angular[k]);
    }
    return out;
  }

  MultibodySystem system_;
  SimbodyMatterSubsystem matter_{system_};
  GeneralForceSubsystem forces_{system_};
  Force::Gravity gravity_{forces_, matter_, Vec3(0, 0, gravity_z)};
  std::vector<MobilizedBody> bodies_;
  std::vector<bool> is_free_;
  std::vector<Rotation> rotation_;
  State state_;
  Vector q_, u_, a_, residual_, no_mobility_forces_;
};

}  // namespace

std::unique_ptr<TreeSimulator> simbody_tree(const Workload& workload) {
  return std::make_unique<SimbodyTree>(workload);
}

const char* simbody_version() {
  static const std::string text = [] {
    int major, minor, build;
    SimTK_version_simbody(&major, &minor, &build);
    return std::to_string(major) + "." + std::to_string(minor);
  }();
  return text.c_str();
}

}  // namespace skyhook::bench
