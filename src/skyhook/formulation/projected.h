// The equations of motion as an ordinary differential equation y' = (H v, a(t, q, v)), y = (q, v), with the
// accelerations of [Simeon 1996] (4) or Baumgarte's, and what brings y back to the constraints after each step
// ([Simeon 1996] §4.2). Unit quaternions are normalised along with that. Names no integrator.
#pragma once
#include <memory>

#include "skyhook/formulation/projection.h"
#include "skyhook/problem/ode_problem.h"

namespace skyhook::formulation {

struct ProjectionOptions {
  using Metric = formulation::Metric;
  // Of the positions: never, after every step, or under control (16) of [Simeon 1996].
  enum class Positions { never, always, controlled };
  Positions positions = Positions::controlled;
  bool velocities = true;
  Metric metric = Metric::mass;  // "nearest" means so
  // 1/s; above zero the accelerations bring constraint errors down at this rate, critically damped (Baumgarte;
  // [Arnold 2004] §4), beside the projections or instead of them. Far above the frequencies of the motion it makes the
  // equations stiff.
  double alpha = 0;
};

class Projected : public OdeProblem {
 public:
  Projected(formalism::EquationsOfMotion equations, ProjectionOptions options);

  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override;
  Eval rhs(double t, CSpan y, Span yp, Workspace&) const override;
  Eval repair(double t, Span y, CSpan weight, Repair&, Workspace&) const override;
  bool repairs() const override;
  long factorisations(const Workspace&) const override;
  bool accepted(double t, Span y, Workspace&) const override;

  // Largest position and velocity residual at y.
  struct Drift {
    double position = 0, velocity = 0;
  };
  Drift drift(double t, CSpan y, Workspace&) const;

 private:
  struct Work;
  formalism::EquationsOfMotion equations_;
  ProjectionOptions options_;
  Structure structure_;
};

}  // namespace skyhook::formulation
