// Puts states between the ends of a step back onto the constraints, where the ends themselves are: to the nearest positions, then
// velocities, in the mass metric ([Simeon 1996] §4.3). What a step cannot see of the motion that constraints lead it
// makes good at those times that are asked for: such errors lie in the directions of reactions, M^-1 G^T, and that is
// how the mass metric moves. One decomposition for all of it: a state moves by about a tolerance. Where accelerations are found with the same factors
// (solver()) those of an earlier place serve as long as they do there: then steps are repeated until what is left is far below the tolerance and what
// rounding of a run leaves, along the constraints a thousandth of the tolerance, and residuals that the solution for accelerations sees later tell whether that was true.
#pragma once
#include <vector>

#include "skyhook/formulation/projection.h"

namespace skyhook::simulation {

class OntoConstraints {
 public:
  explicit OntoConstraints(const formalism::EquationsOfMotion& equations, double tolerance = 1e-8);

  // False: there is no such state nearby; q and v may be anything.
  bool move(double t, Span q, Span v);
  // The same, but q and v stay as they were where there is none: at singular positions the constraints tell too little.
  // That is counted.
  void move_if_near(double t, Span q, Span v);
  long left() const { return left_; }
  formalism::AccelerationSolver& solver() { return projection_.solver(); }

 private:
  enum class Step { done, holds, fails };  // holds: singular there, but nothing is to be done
  Step correct(const std::vector<double>& residual);
  bool is_there(CSpan v) const;  // as projection_ has evaluated it
  void look_back();
  bool move_with_kept_factors(double t, Span q, Span v);
  bool keep_positions(double t, Span q, CSpan v);
  bool keep_velocities(double t, CSpan q, Span v);
  bool move_positions(double t, Span q, CSpan v);
  bool move_velocities(double t, CSpan q, Span v);

  formalism::EquationsOfMotion equations_;
  formulation::Projection projection_;
  bool has_constraints_;
  bool was_there_ = true;  // the last state; then the next may be too, and is looked at before anything is decomposed
  long left_ = 0;
  double moved_ = 0, last_ = 0;  // positions: in all, and in the last step
  double along_, least_;  // m, rad: what factors that are kept may do along the constraints, and leave across them
  double kept_at_ = 0, speed_ = 0;  // when they were used last, and what velocities may then have left
  bool has_kept_ = false;
  int doubts_ = 0;  // samples whose rates are evaluated again
  std::vector<double> step_, right_, q_, v_;
};

}  // namespace skyhook::simulation
