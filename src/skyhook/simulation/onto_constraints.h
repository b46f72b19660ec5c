// Puts states between the ends of a step back onto the constraints, where the ends themselves are: to the nearest positions, then
// velocities, in the mass metric ([Simeon 1996] §4.3). What a step cannot see of the motion that constraints lead it
// makes good at those times that are asked for: such errors lie in the directions of reactions, M^-1 G^T, and that is
// how the mass metric moves. One decomposition for all of it: a state moves by about a tolerance.
#pragma once
#include <vector>

#include "skyhook/formulation/projection.h"

namespace skyhook::simulation {

class OntoConstraints {
 public:
  explicit OntoConstraints(const formalism::EquationsOfMotion& equations);

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
  bool move_positions(double t, Span q, CSpan v);
  bool move_velocities(double t, CSpan q, Span v);

  formalism::EquationsOfMotion equations_;
  formulation::Projection projection_;
  bool has_constraints_;
  bool was_there_ = true;  // the last state; then the next may be too, and is looked at before anything is decomposed
  long left_ = 0;
  double moved_ = 0, last_ = 0;  // positions: in all, and in the last step
  std::vector<double> step_, right_, q_, v_;
};

}  // namespace skyhook::simulation
