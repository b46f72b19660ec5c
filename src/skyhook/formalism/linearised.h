// The constraints and the mass matrix at one state: for assembling, and for finding the rank. As dense matrices where there are few
// coordinates, as sparse ones where there are many (constrained_steps.h works on those).
#pragma once
#include "skyhook/formalism/conditions.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/state.h"
#include "skyhook/formalism/storage.h"
#include "skyhook/math/dense.h"

namespace skyhook::formalism {

constexpr double rank_threshold = 1e-8;  // relative pivot below which a constraint row counts as dependent

// What coordinates get that move no mass. `rank`: a trace, 1e-9 of the largest inertia, to all. `nearest`: those that move none get a
// 1e-9 of the least that is there, so that they change as little as possible; all others 1e-13 of their own, for directions
// without mass across several coordinates.
enum class Trace { rank, nearest };

// Rows of lengths are divided by the characteristic length. `given` adds its conditions behind the constraints.
class Linearised {
 public:
  Linearised(const recursive::Equations& eq, Trace trace, const Conditions* given = nullptr,
             Storage storage = Storage::by_size);

  bool evaluate(const State& s);
  DenseMatrix scaled() const { return Cholesky(M).solve_lower(transpose(G)); }  // L^-1 G^T with M = L L^T
  const std::string& blame() const { return ws_.blame; }
  std::vector<recursive::NodeState>& nodes() { return ws_.nodes; }
  const Vector& traces() const { return traces_; }
  const recursive::Equations& equations() const { return eq_; }
  const Conditions* given() const { return given_; }
  int rows() const { return rows_.pattern->rows; }
  double inertia(int j) const { return mass_.value[diagonal_[j]]; }  // M_jj
  bool is_sparse() const { return sparse_; }
  const Csc& sparse_rows() const { return rows_; }
  const Csc& sparse_mass() const { return mass_; }

  DenseMatrix G, M;  // empty where it is sparse
  Vector g, rate;

 private:
  void find_traces();
  void find_row_places();

  const recursive::Equations& eq_;
  const Conditions* given_;
  Trace trace_;
  bool sparse_;
  Csc mass_, jacobian_, rows_;  // rows_: those of the constraints, scaled, and of `given`
  std::vector<int> jacobian_at_, diagonal_;
  recursive::Equations::Workspace ws_;
  Vector tau_, qdot_, zero_v_, zero_g_, scale_, traces_;
};

// Smallest x in the mass metric with G x = b (least squares where that cannot be); zero for the coordinates of `held`.
Vector smallest_step(const Linearised& lin, const Vector& b, const std::vector<int>& held);
std::vector<int> all_but(const std::vector<int>& held, int count);

Vector scaled_by(double s, Vector x);
// Rows brought to length 1, but for those that are nothing but rounding. `b` goes with them.
void equilibrate(DenseMatrix& a, Vector& b);

}  // namespace skyhook::formalism
