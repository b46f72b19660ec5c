// Beside ContributionLaw, of a law with rows that can be evaluated along a motion. Accelerations ask for no more: the second derivative of a row in one
// direction, that of the velocity, where all directions would cost ten times as much.
#pragma once
#include "skyhook/math/jet2.h"
#include "skyhook/model/contribution.h"

namespace skyhook::model {

struct PathLaw {
  virtual ~PathLaw() = default;
  virtual void along(const Pose<Jet2>& x, std::span<const Jet2> s, std::span<Jet2> g, std::span<Jet2> h) const = 0;
};

// Derived is a ConditionsLaw too, whose template it evaluates.
template <class Derived>
struct AlongPath : PathLaw {
  void along(const Pose<Jet2>& x, std::span<const Jet2> s, std::span<Jet2> g, std::span<Jet2> h) const override {
    static_cast<const Derived&>(*this).law(x, s, g, h);
  }
};

}  // namespace skyhook::model
