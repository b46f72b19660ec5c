#include <Simbody.h>

#include <chrono>
#include <functional>

#include "peer_simbody.h"

namespace skyhook::bench {
namespace {

using namespace SimTK;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of a plane body only izz matters; the others keep the inertia physical.
Body::Rigid plane_body(double m, const Vec3& com, double izz) {
  return Body::Rigid(MassProperties(m, com, Inertia(izz / 2, izz / 2, izz).shiftFromMassCenter(com, m)));
}

class SimbodyMechanism : public MechanismSimulator {
 public:
  // The time of stepTo() alone: initialisation and projection of the start are left out.
  MechanismRun run(double tolerance) override {
    RungeKuttaMersonIntegrator integrator(system_);
    integrator.setAccuracy(tolerance);
    MechanismRun out;
    try {
      State state = start_;
      system_.realize(state, Stage::Velocity);
      TimeStepper stepper(system_, integrator);
      stepper.initialize(state);
      const double begin = seconds_now();
      stepper.stepTo(end_);
      out.seconds = out.seconds_in_all = seconds_now() - begin;
      out.steps = integrator.getNumStepsTaken();
      out.angles = angles_(integrator.getState());
    } catch (const std::exception&) {  // the accuracy was not reached: no angles
    }
    return out;
  }

 protected:
  MobilizedBody add_pin(MobilizedBody parent, const Vec3& at, const Body::Rigid& body) {
    return MobilizedBody::Pin(parent, Transform(at), body, Transform());
  }
  // Two scalar conditions: a of A and b of B coincide in the plane.
  void close_loop(MobilizedBody A, const Vec3& a, MobilizedBody B, const Vec3& b) {
    Constraint::PointInPlane(A, UnitVec3(1, 0, 0), a[0], B, b);
    Constraint::PointInPlane(A, UnitVec3(0, 1, 0), a[1], B, b);
  }
  void finish() {
    system_.realizeTopology();
    start_ = system_.getDefaultState();
  }

  MultibodySystem system_;
  SimbodyMatterSubsystem matter_{system_};
  GeneralForceSubsystem forces_{system_};
  State start_;
  double end_ = 0;
  std::function<std::vector<double>(const State&)> angles_;
};

// Data and names: Test Set for IVP Solvers 2.4, II-13; models/mechanisms/andrews.yaml holds the same.
class Andrews : public SimbodyMechanism {
 public:
  Andrews() {
    const double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072, d = .028, da = .0115,
                 e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035, sa = .01874, sb = .01043, sc = .018, sd = .02,
                 ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;
    MobilizedBody ground = matter_.Ground();
    const Vec3 A(xa, ya, 0), B(xb, yb, 0), C(xc, yc, 0);
    auto k1 = add_pin(ground, Vec3(0), plane_body(.04325, Vec3(ra, 0, 0), 2.194e-6));
    auto k2 = add_pin(k1, Vec3(rr, 0, 0), plane_body(.00365, Vec3(-da, 0, 0), 4.410e-7));
    auto k3 = add_pin(ground, B, plane_body(.02373, Vec3(sb, -sa, 0), 5.255e-6));
    auto k5 = add_pin(ground, A, plane_body(.07050, Vec3(ta, tb, 0), 1.169e-5));
    auto k4 = add_pin(k5, Vec3(zt, 0, 0), plane_body(.00706, Vec3(0, ea - e, 0), 5.667e-7));
    auto k7 = add_pin(ground, A, plane_body(.05498, Vec3(-ub, -ua, 0), 1.912e-5));
    auto k6 = add_pin(k7, Vec3(0, -u, 0), plane_body(.00706, Vec3(zf - fa, 0, 0), 5.667e-7));
    const Vec3 E(-d, 0, 0);  // of K2
    close_loop(k2, E, k3, Vec3(0, -ss, 0));
    close_loop(k2, E, k4, Vec3(0, -e, 0));
    close_loop(k2, E, k6, Vec3(zf, 0, 0));
    Force::MobilityConstantForce(forces_, k1, MobilizerUIndex(0), .033);
    Force::TwoPointLinearSpring(forces_, ground, C, k3, Vec3(sd, -sc, 0), 4530, .07785);
    finish();
    const std::vector<MobilizedBody> bodies{k1, k2, k3, k4, k5, k6, k7};
    const double angle[] = {-0.0617138900142764496, 0,
                            0.455279819163070380,   0.222668390165885885,
                            0.487364979543842550,   -0.222668390165885885,
                            1.23054744454982119};
    for (int i = 0; i < 7; ++i) bodies[i].setOneQ(start_, 0, angle[i]);
    angles_ = [bodies](const State& s) {
      std::vector<double> out;
      for (const auto& b : bodies) out.push_back(b.getOneQ(s, 0));
      return out;
    };
    end_ = 0.03;
  }
};

class FourBars : public SimbodyMechanism {
 public:
  explicit FourBars(int n) {
    Force::Gravity(forces_, matter_, Vec3(0, -9.81, 0));
    const auto rod = plane_body(1, Vec3(.5, 0, 0), 1 / 12.0);
    const Vec3 tip(1, 0, 0);
    std::vector<MobilizedBody> cranks, couplers;
    for (int i = 0; i <= n; ++i) cranks.push_back(add_pin(matter_.Ground(), Vec3(i, 0, 0), rod));
    for (int i = 0; i < n; ++i) {
      couplers.push_back(add_pin(cranks[i], tip, rod));
      close_loop(cranks[i + 1], tip, couplers[i], tip);
    }
    finish();
    for (const auto& c : cranks) c.setOneQ(start_, 0, -Pi / 2), c.setOneU(start_, 0, 1);
    for (const auto& c : couplers) c.setOneQ(start_, 0, Pi / 2), c.setOneU(start_, 0, -1);
    angles_ = [cranks, couplers](const State& s) {
      std::vector<double> out;
      for (std::size_t i = 0; i < cranks.size(); ++i) {
        const double crank = cranks[i].getOneQ(s, 0);
        out.push_back(crank);
        if (i < couplers.size()) out.push_back(crank + couplers[i].getOneQ(s, 0));
      }
      return out;
    };
    end_ = 10;
  }
};

}  // namespace

std::unique_ptr<MechanismSimulator> simbody_andrews() { return std::make_unique<Andrews>(); }
std::unique_ptr<MechanismSimulator> simbody_four_bars(int n) { return std::make_unique<FourBars>(n); }

}  // namespace skyhook::bench
