// A chart of the positions that the constraints allow (S2 §2.2): from independent increments x away from a position q0 to
// all of it. With tangent steps d of nv components, q = q0 ⊞ d, the independent components of d are x, and the others follow
// from g(t, q0 ⊞ d) = 0 by Newton's method with S2's matrix
//
//   A = [G J(d)]    J: the differential of ⊞, the unit matrix except in balls (math/rotation_vector.h),
//       [  E   ]    E: ones at the independent components.
//
// Velocities: A d' = (-gI, x'), v = J d'. All of this is exact; only Newton's matrix may be an older one. Newton begins at
// the last accepted step d with the matrix there, and runs to rounding: what it finds is a function of t, x and x' alone as
// long as nothing is accepted.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/formalism/recursive/acceleration_solver.h"

namespace skyhook::formulation {

// What charts of the same equations share, and what they find.
struct ChartWork {
  explicit ChartWork(const formalism::recursive::Equations& eq);
  std::vector<double> q, v, step, rate;  // rate: d'
  std::vector<double> a, lambda;

  formalism::recursive::AccelerationSolver solver;
  formalism::recursive::Equations::Workspace equations;
  std::vector<double> g, gI, right, zero_v;
  long factorisations = 0;  // of A
  std::string blame;
};

class Chart {
 public:
  // `independent`: nv - ng tangent coordinates, ascending. q0 is consistent at time t; it is the first accepted position.
  Chart(const formalism::recursive::Equations& eq, double t, CSpan q0, std::vector<int> independent, ChartWork& work);

  const std::vector<int>& independent() const { return independent_; }
  // All of the state at (x, x'): q, v, step and rate of `work`.
  Eval expand(double t, CSpan x, CSpan x_rate, ChartWork& work);
  // x'' at the state that expand() has found; a and lambda of `work`.
  Eval accelerations(double t, Span x_acceleration, ChartWork& work);
  // What expand() has found is the accepted position from here on.
  void accept(const ChartWork& work);

  // The largest angle by which a ball has turned from q0 at the accepted position.
  double turned() const;
  // The largest sqrt(M_jj) |d d_j / d x_i| / sqrt(M_ii) at the accepted position: how far dependent coordinates move with
  // independent ones. Infinite where the independent ones do not determine the others. M is the one last factored.
  double sensitivity(ChartWork& work);

 private:
  bool factor(double t, ChartWork& work);                     // A at work.step, into here_
  Eval positions(double t, CSpan x, ChartWork& work);         // work.step, work.q
  Eval velocities(double t, CSpan x_rate, ChartWork& work);   // work.rate, work.v
  void place(ChartWork& work) const;                          // work.q from work.step
  bool correct(Klu& lu, double t, CSpan x, ChartWork& work);  // one step of Newton's method, left in work.right

  const formalism::recursive::Equations* eq_;
  std::vector<double> q0_, guess_;
  std::vector<int> independent_;
  Csc matrix_;
  std::unique_ptr<Klu> here_, accepted_;
  bool regular_ = false;  // A at the accepted position
};

}  // namespace skyhook::formulation
