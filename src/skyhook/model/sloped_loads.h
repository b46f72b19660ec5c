// Beside ContributionLaw, of a law whose loads depend on the motion, its inner states and the multipliers of its rows alone, and that finds them with all their
// derivatives at once. Jacobians do not ask it for loads on dual numbers.
#pragma once
#include "skyhook/model/contribution.h"

namespace skyhook::model {

struct SlopedLoads {
  virtual ~SlopedLoads() = default;
  // As ContributionLaw::loads(). `slopes`: row by row force, moment and rates; columns are the twelve directions of `seeded`, the motion with derivatives, then c and lambda.
  virtual void loads_and_slopes(const Relative<Local>& seeded, const LoadInput<double>& in,
                                const LoadOutput<double>& out, std::span<double> slopes) const = 0;
};

}  // namespace skyhook::model
