// Consistent initial values (SPEC I8): positions on g(q) = 0, velocities on G v + gI = 0.
//
// What the user gives is held. The rest is where the mass moves least, min of the integral of |x - x_reference|^2 dm, and velocities
// where the kinetic energy relative to the reference motion is least. Both are properties of the bodies alone: neither the tree nor
// the choice of cuts has a say. Given values that the constraints do not allow change as little as can be (least squares, angles in
// rad, lengths by the characteristic length) and are told. Redundant constraints are the normal case.
#pragma once
#include <string>
#include <vector>

#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/given_values.h"
#include "skyhook/formalism/linearised.h"

namespace skyhook::formalism {

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
};

struct Consistency {
  bool ok = false;
  std::string problem;  // why not, and what to do
  int iterations = 0;
  double residual = 0;           // largest scaled residual that remains
  int open_row = -1;             // not ok: the constraint, among Equations::rows(), that stays open most
  std::vector<Moved> moved;      // coordinates of the tree that differ from the start by more than 1e-9, most first
  std::vector<Changed> changed;  // in the order of the model
};

// The model's initial values, quaternions and inner states included; what is not given is zero.
State initial_guess(const recursive::Equations& eq, double t);

// From `state`, nearest to it. `held`: tangent coordinates that keep their values. `eq` holds all rows, redundant ones included.
Consistency assemble(const recursive::Equations& eq, State& state, const std::vector<int>& held);
Consistency fit_velocities(const recursive::Equations& eq, State& state, const std::vector<int>& held);

// From what the user gives, nearest to the references; `state` is a guess.
Consistency assemble(const recursive::Equations& eq, State& state, const GivenValues& given, const Poses& reference);
Consistency fit_velocities(const recursive::Equations& eq, State& state, const GivenValues& given,
                           const Velocities& reference);

// Behind a jump of drives: the velocities nearest to those before it, by the mass that they move. That is what impulses of drives and
// constraints make of them, which do no work on what is left free.
Consistency velocities_behind_jump(const recursive::Equations& eq, State& state, const State& before);

// The nodes of a state, moved by its drives.
std::vector<recursive::NodeState> nodes_of(const recursive::Equations& eq, const State& state);

// A point on the manifold near `s` by damped Newton steps of least size. False: none was found; `s` is where it went.
bool close_loops(const recursive::Equations& eq, Linearised& lin, State& s, const std::vector<int>& held,
                 Consistency& out);
// The row that stays open most, -1 if it is none of the constraints; "C: displacement along x stays open by 3.2 mm".
int widest_row(const recursive::Equations& eq, const Vector& g);
std::string widest_gap(const recursive::Equations& eq, const Vector& g);

}  // namespace skyhook::formalism
