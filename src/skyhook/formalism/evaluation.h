// What one evaluation of the equations of motion works on, and what it fills.
#pragma once
#include <string>

#include "skyhook/problem/problem.h"

namespace skyhook::model {
struct Contribution;
}

namespace skyhook::formalism {

enum class Drives { move, stand };  // stand: at their values, without rates

// One scalar constraint as the user knows it.
struct RowInfo {
  std::string element;     // joint or contribution
  std::string direction;   // "along x", "x not perpendicular to y", ...
  bool is_moment = false;  // its multiplier is a moment
  int joint = -1;          // cut joint it belongs to
  std::string name() const { return element + ": " + direction; }
};

// A row that is there in some modes only. The row of a contact is its gap, so that its multiplier is negative where
// it presses: the normal force is p = -lambda |N| >= 0 with |N| = 1 but for spheres that are not quite at their distance.
struct SwitchRow {
  const model::Contribution* what;
  int row;  // among rows()
};

// How far a contact is open (m), and how fast it opens.
struct Gap {
  double gap, rate;
};

// What one evaluation works on; lambda and eta have ng entries.
struct Input {
  double t;
  CSpan q, v, a, lambda, eta;
  Drives drives = Drives::move;
  CSpan u = {};  // in place of inputs(t); empty: these
  CSpan z = {};  // algebraic unknowns and contact variables of contributions (nz); empty: they are found inside
};

// What residual() fills.
struct Output {
  Span tau;        // M a - f + G^T lambda (nv)
  Span qdot;       // H(q) (v - G^T eta)   (nq)
  Span g, g_rate;  // g, G v + gI          (ng)
  Span h = {};     // where z is given: b and h, what the unknowns follow from (nz); g is reduced by them to first order
};

// Where derivatives() writes: column j of each block starts at the given pointer, entries in the order of its pattern.
// Rows and columns are velocity (tangent) coordinates.
struct Blocks {
  double* const* stiffness;    // d tau / d q           on tangent pattern
  double* const* damping;      // d tau / d v           on tangent pattern
  double* const* mass;         // d tau / d a           on tangent pattern
  double* const* eta_part;     // d (G^T eta) / d q     on loop pattern
  double* const* jacobian;     // G                     on constraint pattern
  double* const* g_rate_part;  // d (G v + gI) / d q    on constraint pattern
  // (-d f / d lambda)^T on constraint pattern: entries of rows with friction alone, the others are left as they were.
  double* const* friction = nullptr;
  // Where z is given: columns of z on the own pattern; d h / d q and d h / d v on the pattern of own rows.
  double* const* own = nullptr;
  double* const* own_stiffness = nullptr;
  double* const* own_damping = nullptr;
};

// Where matrices() writes: values on mass_pattern() and constraint_pattern().
struct Matrices {
  Span mass, jacobian;
};

// What levels() fills: everything but the multipliers' part.
struct Levels {
  Span tau;                        // M a - f                  (nv)
  Span g, g_rate, g_acceleration;  // g, G v + gI, G a + gII   (ng)
};

}  // namespace skyhook::formalism
