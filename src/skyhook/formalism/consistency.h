// Consistent initial values (SPEC I8) and the rank of the constraints (SPEC E12).
//
// Positions: the point of g(q) = 0 nearest to the start in the mass metric, or with chosen coordinates held.
// Velocities: likewise for G v + gI = 0. Both rank-revealing: redundant constraints are the normal case.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

struct State {
  double t = 0;
  std::vector<double> q, v;  // v with the inner states of forces behind the velocities
};

struct Moved {
  std::string name;
  double from, to;
};

struct Consistency {
  bool ok = false;
  std::string problem;  // why not, and what to do
  int iterations = 0;
  double residual = 0;       // largest scaled residual that remains
  std::vector<Moved> moved;  // coordinates changed by more than 1e-9, most first
};

// The model's initial values, quaternions and inner states included; what is not given is zero.
State initial_guess(const recursive::Equations& eq, double t);
// `held`: tangent coordinates that keep their values. `eq` holds all rows, redundant ones included.
Consistency assemble(const recursive::Equations& eq, State& state, const std::vector<int>& held);
Consistency fit_velocities(const recursive::Equations& eq, State& state, const std::vector<int>& held);
// Tangent coordinates whose initial position or velocity the user has given.
struct Given {
  std::vector<int> positions, velocities;
};
Given given_coordinates(const recursive::Equations& eq);
// Tangent coordinates by name ("crank.angle"). Throws ModelError for a name that is none.
std::vector<int> find_coordinates(const recursive::Equations& eq, const std::vector<std::string>& names,
                                  const Location& where);

struct Rank {
  int rank = 0;                  // of G, at a regular position
  int here = 0;                  // at the given one; less than rank: singular position
  std::vector<int> independent;  // rows that carry the rank, in the order of Equations::rows()
  std::vector<int> redundant;
  double condition = 1;  // of the independent rows in the mass metric
  int degrees_of_freedom(const recursive::Equations& eq) const { return eq.tree().nv - rank; }
};
// Decided at the assembled state and at two neighbouring assembled ones.
Rank find_rank(const recursive::Equations& eq, const State& state);

// Which tangent coordinates the constraints determine from the others: the pivot columns of G with column j divided by
// sqrt(M_jj) and rows of lengths by the characteristic length. Light coordinates that the constraints bear on most become
// dependent. `eq` holds independent rows; rank < eq.ng(): singular position, where the choice is arbitrary in part.
struct Partition {
  std::vector<int> dependent, independent;  // ascending
  int rank = 0;
  double condition = 1;  // largest over smallest pivot: large where the rows nearly depend on each other
};
Partition choose_dependent(const recursive::Equations& eq, const State& state);

// A length typical of the model: by it moments and rotations are compared with forces and displacements.
double characteristic_length(const model::Model& model);

}  // namespace skyhook::formalism
