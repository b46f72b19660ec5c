// Beside ContributionLaw and SwitchingLaw, of a law whose contact variables may jump: where its mode changes another solution of h(x, s) = 0 takes
// over. Positions stay, but its rows are others there, so velocities change as in an impact without rebound ([Arnold 2003] §2.3).
#pragma once
#include "skyhook/model/contribution.h"

namespace skyhook::model {

struct JumpingLaw {
  virtual ~JumpingLaw() = default;
  // The contact variables behind the jump; `in` has those before it. False: there are no others.
  virtual bool jump(const LoadInput<double>& in, std::span<double> s) const = 0;
};

}  // namespace skyhook::model
