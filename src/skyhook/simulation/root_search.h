// Where the first of several functions of time changes sign.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook::simulation {

struct Bracket {
  double before, after;  // no function has changed sign at `before`, some have at `after`
};

// A function has changed sign where its value is of the sign opposite to `sign`, +1 or -1; functions of sign 0 are not watched.
inline bool has_changed(int sign, double z) { return sign * z < 0; }
bool any_changed(const std::vector<int>& sign, CSpan z);

// Fills in the values at t. False: there are none.
using Values = std::function<bool(double t, Span z)>;

struct RootSearch {
  std::vector<int> sign;
  double width = 0;  // of the bracket wanted
  int most = 200;    // probes; fewer than 60 halve a step down to rounding
};

// Narrows (from, to], where some have changed sign at `to` and none at `from`: by the method of interpolation, truncation and
// projection (Oliveira, Takahashi 2020) on the function whose straight line crosses zero first, which needs no more probes than
// bisection does and usually a fifth of them. Earlier changes that a probe meets take precedence. nullopt: no values.
std::optional<Bracket> first_change(const RootSearch& search, Bracket within, CSpan z_before, CSpan z_after,
                                    const Values& values);

}  // namespace skyhook::simulation
