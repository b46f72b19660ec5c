#include "skyhook/simulation/onto_constraints.h"

#include <algorithm>
#include <cmath>

namespace skyhook::simulation {
namespace {

// Moved by more than this part of its size, a state is another one.
constexpr double largest_move = 0.1;

bool is_near(CSpan before, CSpan now) {
  double size = 1, moved = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    size = std::max(size, std::abs(before[i]));
    const double by = std::abs(now[i] - before[i]);
    if (!(by <= moved)) moved = by;  // a NaN too
  }
  return moved <= largest_move * size;
}

}  // namespace

OntoConstraints::OntoConstraints(const formalism::EquationsOfMotion& equations, double tolerance)
    : projection_(equations, formulation::Metric::mass),
      has_constraints_(equations.ng() > 0),
      tolerance_(tolerance),
      weight_(equations.nq()),
      q_(equations.nq()),
      v_(equations.nv()) {}

// One decomposition, at positions that move by about a tolerance: what that leaves of the first step is gone with the second.
bool OntoConstraints::move(double t, Span q, Span v) {
  projection_.normalise_quaternions(q);
  if (!has_constraints_) return true;
  for (std::size_t i = 0; i < weight_.size(); ++i) weight_[i] = 1 / (tolerance_ * (1 + std::abs(q[i])));
  Repair repair;
  projection_.solver().factor(t, q, projection_.workspace());
  return projection_.positions(t, q, v, weight_, repair) == Eval::ok &&
         projection_.velocities_nearby(t, q, v) == Eval::ok && projection_.velocities_nearby(t, q, v) == Eval::ok;
}

void OntoConstraints::move_if_near(double t, Span q, Span v) {
  std::ranges::copy(q, q_.begin());
  std::ranges::copy(v, v_.begin());
  if (move(t, q, v) && is_near(q_, q) && is_near(v_, v)) return;
  ++left_;
  std::ranges::copy(q_, q.begin());
  std::ranges::copy(v_, v.begin());
}

}  // namespace skyhook::simulation
