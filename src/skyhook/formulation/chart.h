// A chart of the positions that the constraints allow ([Aboubakr 2015] §2.2): from independent increments x away from a
// position q0 to all of it. With tangent steps d of nv components, q = q0 ⊞ d, the independent components of d are
// scale x, and the others follow from g(t, q0 ⊞ d) = 0 by Newton's method with the matrix of [Aboubakr 2015]
//
//   A = [G J(d)]    J: the differential of ⊞, the unit matrix except in balls (math/rotation_vector.h),
//       [  E   ]    E: ones at the independent components.
//
// x is measured in units of its own: one unit moves the coordinate that it moves most by one at q0. An integrator's error of
// x is then, at q0, the largest error that it makes in any coordinate, dependent ones included.
//
// Velocities: A d' = (-gI, scale x'), v = J d'. All of this is exact; only Newton's matrix may be an older one. Newton
// begins at the last accepted step d with the matrix there, so that its first correction is the linear prediction, and runs
// to rounding. A result on another branch than the accepted step, beyond a dead centre, is refused. What is found is a
// function of t, x and x' alone as long as nothing is accepted.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/equations_of_motion.h"

namespace skyhook::formulation {

// What charts of the same equations share, and what they find.
struct ChartWork {
  explicit ChartWork(const formalism::EquationsOfMotion& eq);
  std::vector<double> q, v, step, rate;  // rate: d'
  std::vector<double> a, lambda;

  formalism::AccelerationSolver solver;
  formalism::EquationsOfMotion::Workspace equations;
  std::vector<double> g, gI, right, zero_v;
  std::vector<double> predicted;  // Newton's first correction
  long factorisations = 0;        // of A
  std::string blame;
};

class Chart {
 public:
  // `independent`: nv - ng tangent coordinates, ascending. q0 is consistent at time t; it is the first accepted position.
  // `eq` must live on.
  Chart(const formalism::EquationsOfMotion& eq, double t, CSpan q0, std::vector<int> independent, ChartWork& work);
  Chart(formalism::EquationsOfMotion&&, double, CSpan, std::vector<int>, ChartWork&) = delete;

  const std::vector<int>& independent() const { return independent_; }
  const std::vector<double>& scale() const { return scale_; }  // of each independent component, at most 1
  // All of the state at (x, x'): q, v, step and rate of `work`.
  Eval expand(double t, CSpan x, CSpan x_rate, ChartWork& work);
  // x'' at the state that expand() has found; a and lambda of `work`.
  Eval accelerations(double t, Span x_acceleration, ChartWork& work);
  // A change of x at the state that expand() has found, as a step of tangent coordinates there; and the independent part of such a step.
  void spread(CSpan x, Span step, ChartWork& work);
  void gather(CSpan step, Span x, ChartWork& work) const;
  // What expand() has found is the accepted position from here on.
  void accept(const ChartWork& work);

  // The largest angle by which a ball has turned from q0 at the accepted position.
  double turned() const;
  struct Sensitivity {
    double energy = 0;  // largest sqrt(M_jj) |d d_j / d x_i| / sqrt(M_ii)
    double growth = 1;  // largest |d d_j / d x_i| scale_i
  };
  // How far dependent coordinates d_j move with independent ones at the accepted position; infinite where they are not
  // determined. M is the one last factored.
  Sensitivity sensitivity(ChartWork& work);
  double rcond() { return regular_ ? accepted_->rcond() : 0.0; }  // crude, of A at the accepted position

 private:
  bool factor(double t, ChartWork& work);              // A at work.step, into here_
  Eval positions(double t, CSpan x, ChartWork& work);  // work.step, work.q
  Eval arrived(ChartWork& work) const;                 // what Newton has found is on the branch it left
  bool turns_too_far(const ChartWork& work) const;
  Eval velocities(double t, CSpan x_rate, ChartWork& work);   // work.rate, work.v
  double response(std::size_t k, ChartWork& work);            // of the dependent components to an independent one
  void place(ChartWork& work) const;                          // work.q from work.step
  bool correct(Klu& lu, double t, CSpan x, ChartWork& work);  // one step of Newton's method, left in work.right

  const formalism::EquationsOfMotion* eq_;
  std::vector<double> q0_, guess_, scale_;
  std::vector<int> independent_;
  Csc matrix_;
  Boxed<Klu> here_, accepted_;
  bool regular_ = false;  // A at the accepted position
};

}  // namespace skyhook::formulation
