// A limit cycle as the root of shooting equations (docs/theory/20_limit_cycles.md): unknown are a state x on a section across the cycle, the
// period T and the parameter p,
//
//   phi_T(x; p) - x = 0,   f_ref^T (x - x_ref) = 0                                                            (20.2)
//
// Its derivatives are differences of runs; those of phi with respect to x are the monodromy matrix, whose eigenvalues are the Floquet multipliers.
#pragma once
#include <string>

#include "skyhook/analysis/flow_map.h"
#include "skyhook/math/eigenproblem.h"

namespace skyhook::analysis {

struct CyclePoint {
  Vector x;
  double T = 0, p = 0;
};

// Sizes of the unknowns, by which they are compared with each other.
struct CycleScales {
  Vector x;
  double most[3] = {0, 0, 0};  // what moves most, by FlowMap::Kind, in nominal sizes
  double T = 1, p = 1;
};

struct ShootingMatrix {
  DenseMatrix end, start;  // d phi/d x; d of the state itself, the unit matrix where nothing is constrained
  Vector by_T, by_p;
};

class Shooting {
 public:
  explicit Shooting(const FlowMap& flow) : flow_(flow) {}
  int size() const { return flow_.size(); }
  Passage run(const CyclePoint& at, const CycleScales& scales) const;
  ShootingMatrix matrix(const CyclePoint& at, const Passage& passage, const CycleScales& scales,
                        std::string& problem) const;
  // Half the range of each state along the cycle, times the root of their number; what hardly moves counts as 3 % of what moves most
  // of its kind: less could not be told from the tolerance of runs.
  CycleScales scales_of(const Passage& passage, double T, double p_scale) const;
  long runs() const { return runs_; }

 private:
  const FlowMap& flow_;
  mutable long runs_ = 0;
};

// Floquet multipliers, largest first: those of the map from a section across the cycle to itself, (1 - f n^T/(n^T f)) d phi/d x with the flow f and the section's normal n, f in
// scales. So the one of the cycle's own direction, which differences leave some way off 1, is not among them and spoils none of the others.
struct Multipliers {
  ComplexVector values;
  double own =
      0;  // by how much the flow at the begin is not carried into itself, in scales: what the matrix is good for
};
Multipliers multipliers_of(const ShootingMatrix& matrix, const Vector& rate, const CycleScales& scales);

// x(T) - x(0), as it stands.
Vector gap_of(const Passage& passage);

}  // namespace skyhook::analysis
