// A motion of one body against another by a law of its own: position and rotation of frame `to` seen from frame `from` as functions of up
// to six coordinates. Its motion subspace S(q), how that changes and all derivatives follow from nested duals, so that a law says where
// the body is and nothing else. Lower pairs have their own fast paths (Dof).
#pragma once
#include <span>
#include <string>

#include "skyhook/math/jet2.h"
#include "skyhook/math/vec.h"

namespace skyhook::model {

constexpr int most_guide_coordinates = 6;

// How the pose changes with each coordinate; along a motion in time; and the former along the latter.
using ByCoordinate = Dual<most_guide_coordinates>;
using ByBoth = Dual<most_guide_coordinates, Jet2>;

// In axes of `from`: r from the joint's point on `from` to that on `to`, R turns axes of `to` into those of `from`. Both are zero and the
// identity at the design position, where all coordinates are zero.
template <class T>
struct GuidePose {
  Vec3<T> r;
  Mat3<T> R;
};

struct Guide {
  virtual ~Guide() = default;
  virtual int coordinates() const = 0;
  virtual GuidePose<ByCoordinate> pose(std::span<const ByCoordinate> q) const = 0;
  virtual GuidePose<Jet2> pose(std::span<const Jet2> q) const = 0;
  virtual GuidePose<ByBoth> pose(std::span<const ByBoth> q) const = 0;
  // Why there is no such place: "the end of the curve is reached". Empty: there is.
  virtual std::string refuses(std::span<const double> /*q*/) const { return {}; }
  // What must stay the same where a run takes over a changed model.
  virtual std::string signature() const { return {}; }
};

// Derived has: template <class T> GuidePose<T> law(std::span<const T> q) const;
template <class Derived>
struct GuideLaw : Guide {
  GuidePose<ByCoordinate> pose(std::span<const ByCoordinate> q) const override { return derived().law(q); }
  GuidePose<Jet2> pose(std::span<const Jet2> q) const override { return derived().law(q); }
  GuidePose<ByBoth> pose(std::span<const ByBoth> q) const override { return derived().law(q); }

 private:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }
};

}  // namespace skyhook::model
