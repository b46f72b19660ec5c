// A wheel on a rail whose profile changes along the line: the contact with each profile, one after the other. Where one passes into the next, the loads pass from the one contact's to the other's, with two continuous
// derivatives; both are found with the wheel where it is. That is not the contact with a profile in between: over a short piece both are near to each other, or the rail would have a step.
#pragma once
#include <vector>

#include "skyhook/element/rail/on_track.h"
#include "skyhook/model/contribution.h"

namespace skyhook::element::rail {

struct Stretch {
  double begin = 0, over = 0;  // m: from where on, and how long it takes
  std::shared_ptr<const model::ContributionLaw> law;
};

// `stretches` in order, the first from the begin of the line on. All have the same unknowns and quantities.
std::shared_ptr<const model::ContributionLaw> varied_contact(const WheelOnRail& place, LinePtr line,
                                                             std::vector<Stretch> stretches);

}  // namespace skyhook::element::rail
