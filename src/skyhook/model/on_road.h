// Beside the law of a contribution, of one that stands on a road: the height of the road below it is an input of linear systems.
#pragma once
#include "skyhook/model/contribution.h"
#include "skyhook/model/model.h"

namespace skyhook::model {

// What is added to the height of a road below one wheel, and to its rate.
struct Raise {
  double height = 0, rate = 0;  // m, m/s
};

struct OnRoad {
  virtual ~OnRoad() = default;
  // Puts the same law on a road that is raised, all else as it is, into a contribution that had this one.
  virtual void raise_road(const Raise& by, Contribution& to) const = 0;
};

// nullptr: it stands on none.
inline const OnRoad* on_road(const Contribution& c) {
  if (const auto* wrench = dynamic_cast<const OnRoad*>(c.wrench.get())) return wrench;
  return dynamic_cast<const OnRoad*>(c.law.get());
}

}  // namespace skyhook::model
