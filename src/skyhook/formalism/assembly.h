// Consistent initial values on the levels of [Arnold 2004] (20b), (21a): positions on g(q) = 0, velocities on G v + gI
// = 0.
//
// What the user gives is held. The rest is where the mass moves least, min of the integral of |x - x_reference|^2 dm, and velocities
// where the kinetic energy relative to the reference motion is least. Both are properties of the bodies alone: neither the tree nor
// the choice of cuts has a say. Given values that the constraints do not allow change as little as can be (least squares, angles in
// rad, lengths by the characteristic length) and are told. Redundant constraints are the normal case.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/given_values.h"
#include "skyhook/math/dense.h"

namespace skyhook::formalism {

class Conditions;
class Linearised;

struct Moved {
  std::string name;
  double from, to;
};

// A given initial value that the constraints did not allow.
struct Changed {
  std::string name;
  double given, used;
  std::string unit;  // SI
  Location where;
  std::string why;  // "but ..."; empty: the other given values do not leave room for it
};

// Given rates that are kept, although the position is so near to a dead centre that others become `leverage` times as large.
struct NearDeadCentre {
  Changed given;
  double leverage;
  std::string fastest;  // of the tree
  double rate;
};

// Another way in which the loops close with the same given values. Displacements are integrals of |dx|^2 dm.
struct OtherClosure {
  double displacement, displacement_here;
  std::string name;  // coordinate of the tree that differs most
  double value, value_here;
  std::string unit;
};

struct Consistency {
  bool ok = false;
  std::string problem;  // why not, and what to do
  int iterations = 0;
  double residual = 0;           // largest scaled residual that remains
  int open_row = -1;             // not ok: the constraint, among Equations::rows(), that stays open most
  std::vector<Moved> moved;      // coordinates of the tree that differ from the start by more than 1e-9, most first
  std::vector<Changed> changed;  // in the order of the model; those at dead centres last
  double short_of_least = 0;     // rad or m: the search for the least displacement has given up so far from it
  std::optional<OtherClosure> other_closure;
  std::optional<NearDeadCentre> near_dead_centre;
};

// The model's initial values, quaternions and inner states included; what is not given is zero.
State initial_guess(const recursive::Equations& eq, double t);

// Masses that are no bodies and that the constraints have moved away from where they were to start.
void report_own_changes(const recursive::Equations& eq, const State& s, Consistency& positions,
                        Consistency& velocities);

// From `state`, nearest to it. `held`: tangent coordinates that keep their values. `eq` holds all rows, redundant ones included.
Consistency assemble(const recursive::Equations& eq, State& state, const std::vector<int>& held);

// From what the user gives, nearest to the reference; `state` is a guess.
Consistency assemble(const recursive::Equations& eq, State& state, const GivenValues& given, const Poses& reference);

// Into Consistency::moved; `reference`: what the user calls zero. Into Consistency::changed.
void report_moves(const std::vector<std::string>& names, const Vector& reference, const Vector& before,
                  const Vector& after, Consistency& out);
void report_changes(const recursive::Equations& eq, const Conditions& asked, const State& s, bool rates,
                    const std::string& why, Consistency& out);
void report_changes(const recursive::Equations& eq, const GivenValues& asked, const State& s, bool rates,
                    const std::string& why, Consistency& out);

// A point on the manifold near `s` by damped Newton steps of least size. False: none was found; `s` is where it went.
bool close_loops(const recursive::Equations& eq, Linearised& lin, State& s, const std::vector<int>& held,
                 Consistency& out);
// The row that stays open most, -1 if it is none of the constraints; "C: displacement along x stays open by 3.2 mm", or "cannot be evaluated".
int widest_row(const recursive::Equations& eq, const Vector& g);
std::string widest_gap(const recursive::Equations& eq, const Vector& g);

}  // namespace skyhook::formalism
