// Impacts of systems with constraints, and which contacts stay closed after them (docs/theory/09_hybrid_systems.md):
//
//   M (v+ - v-) = G^T L + N^T p,   G v+ + gI = 0,   0 <= p  perpendicular to  xi >= 0,
//   xi = (N v+ + nI) + e min(N v- + nI, 0)
//
// The positions stay as they are. G holds the constraints of joints, rods, couplers, drives and coordinates that stick, N the contacts
// that touch. The Equations may have redundant rows; rows of contacts among them are left out of G, the closed ones belong to
// `touching` like those that meet just now. Where contacts that part take part, or coefficients differ, Newton's law can gain energy:
// all e are then lowered by one factor until the impulses do no work. Velocity coordinates that N and G do not see keep their values.
// Dense, of the coordinates that the contacts reach.
#pragma once
#include <string>
#include <vector>

#include "skyhook/formalism/consistency.h"

namespace skyhook::formalism {

struct Touching {
  int contact;  // among Equations::contacts()
  double restitution;
};

struct Impact {
  bool ok = false;
  std::string problem;           // why not
  std::vector<double> v;         // after it
  std::vector<double> impulses;  // p in N s, in the order of `touching`
  double kinetic_before = 0, kinetic_after = 0;
  double lowered = 1;  // factor of all restitutions
};
Impact impact(const recursive::Equations& eq, const State& before, const std::vector<Touching>& touching);

// Of contacts that touch and neither meet nor part: those with 0 <= p perpendicular to N a + nII >= 0 that do not open. A contact
// whose force and acceleration are both zero stays.
struct Closing {
  bool ok = false;
  std::string problem;
  std::vector<bool> stays;                    // in the order of `touching`
  std::vector<double> forces, accelerations;  // p in N; N a + nII, 0 where it stays
};
Closing stays_closed(const recursive::Equations& eq, const State& state, const std::vector<int>& touching);

}  // namespace skyhook::formalism
