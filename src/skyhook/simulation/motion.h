// The motion (q, v) of a model, step by step, by any pair of formulation and integrator. Here, and only here, the two meet.
#pragma once
#include <memory>

#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/integrator/step.h"
#include "skyhook/simulation/solvers.h"

namespace skyhook::model {
struct Experiment;
}

namespace skyhook::simulation {

// A consistent state with its accelerations and multipliers.
struct MotionStart {
  double t;
  CSpan q, v, a, lambda;
};

struct Motion {
  virtual ~Motion() = default;
  // One step of the integrator's own size, never past t_limit. `dominant` counts the states (q, v); -1: none of them.
  virtual integrator::StepResult step(double t_limit) = 0;
  // The next instant at which the run stops for sure, where limits of steps may be nearer.
  virtual void stops_at(double /*t*/) {}
  // Within the last step, roughly and at no cost: several tolerances off, and beside constraints that lead the motion by more.
  // False: there is no such state, `blame` says why.
  virtual bool interpolate(double t, Span q, Span v) = 0;
  // The same, as good as the ends of the step: where the run goes on.
  virtual bool sample(double t, Span q, Span v) = 0;
  // What has put the last sample onto the constraints; null: nothing has.
  virtual formalism::AccelerationSolver* solver_of_sample() { return nullptr; }
  // Accelerations and multipliers that the method has where a state was last asked for: there solutions for them may begin, where this is worth its price. False: it is not.
  virtual bool foretell(double, Span /*a*/, Span /*lambda*/) { return false; }
  // What puts samples onto the constraints, for solutions that foretold ones begin: null: there is none.
  virtual formalism::AccelerationSolver* solver_of_records() { return nullptr; }
  // Goes on from a state at a time within the last step; what the jump leaves valid is kept. False: it cannot, start anew.
  virtual bool restart(integrator::Jump, const MotionStart&) { return false; }
  virtual double t() const = 0;
  virtual Cost cost() const = 0;
  // A copy that goes on as this one would, bit by bit; of the same equations, which read the same model::Held. Null: the integrator
  // cannot be copied.
  virtual std::unique_ptr<Motion> clone() const = 0;
  // An implicit method would take far larger steps: the rate of what is stiff, in 1/s; 0: nothing is.
  virtual double stiff_rate() const { return 0; }
  virtual void forget_stiffness() {}  // until it is seen again
  // How many states between steps could not be put onto the constraints and are only interpolated.
  virtual long left_beside() const { return 0; }
  // The constraint rows have come near to depending on each other: where there are redundant ones, choose anew.
  virtual bool wants_other_rows() { return false; }
  // As sample(), for what is recorded alone: in its last digits it may depend on what was recorded before, which a run must not go on from.
  virtual bool sample_to_record(double t, Span q, Span v) { return sample(t, q, v); }
  // The same in two parts: a state between steps, as it is, and later, behind other steps of the same equations, onto the constraints.
  virtual bool sample_to_leave_out(double t, Span q, Span v) { return sample_to_record(t, q, v); }
  virtual void put_onto_constraints(double, Span, Span) {}
  std::string blame;
};

// Throws ModelError if the Jacobian strategy of the experiment does not suit the equations that the solver would solve.
void require_jacobian(const Solver& solver, const model::Experiment& experiment,
                      const formalism::EquationsOfMotion& equations);

// nullptr: nothing can move, there is no unknown.
std::unique_ptr<Motion> start_motion(const Solver& solver, const model::Experiment& experiment,
                                     const formalism::EquationsOfMotion& equations, const MotionStart& start);

}  // namespace skyhook::simulation
