// Beside the law of a contribution, of one that stands on a surface along which it moves: a road, a track that bends or is uneven. What it meets
// depends on where it is, so that a step which is long enough would leap over it.
#pragma once
#include <span>

#include "skyhook/model/contribution.h"
#include "skyhook/model/model.h"

namespace skyhook::model {

struct OverGround {
  virtual ~OverGround() = default;
  // What it meets, as numbers of any unit: heights of a road, shifts of a rail.
  virtual int sights() const = 0;
  static constexpr int most_sights = 8;
  // Looks that are so far apart, in seconds, see all that is there if it goes on as it does now; infinite: there is nothing, or it stands.
  virtual double grain(const Relative<double>& now) const = 0;
  // At `count` times: first, first + step, ... seconds from now, if it goes on as it does now. Sight by sight, `count` values each.
  struct Times {
    double first, step;
    int count;
  };
  virtual void look_ahead(const Relative<double>& now, const Times& times, std::span<double> seen) const = 0;
  // It is so stiff that positions within a tolerance are no forces within any: a step then goes no further than two grains where there is anything.
  virtual bool is_stiff() const { return false; }
  // It changes with time, too: of one that stands.
  virtual bool is_lifted() const { return false; }
};

// nullptr: it stands on none.
inline const OverGround* over_ground(const Contribution& c) {
  if (const auto* wrench = dynamic_cast<const OverGround*>(c.wrench.get())) return wrench;
  return dynamic_cast<const OverGround*>(c.law.get());
}

}  // namespace skyhook::model
