// Beside ContributionLaw, of a law with rows, and neither coordinates nor contact variables of its own, that knows how its rows change with the pose: what
// nested dual numbers find too, at several times the cost. How that changes in turn follows from first derivatives then.
#pragma once
#include "skyhook/model/contribution.h"

namespace skyhook::model {

using PoseSlope = Dual<6>;  // displacement and rotation of B

struct GradientLaw {
  virtual ~GradientLaw() = default;
  // Each row, and force and moment of a unit multiplier on B: six numbers a row.
  virtual void gradients(const Pose<double>& x, std::span<double> g, std::span<double> G) const = 0;
  virtual void gradients(const Pose<PoseSlope>& x, std::span<PoseSlope> g, std::span<PoseSlope> G) const = 0;
};

// Derived has: template <class T> void gradient(const Pose<T>&, std::span<T> g, std::span<T> G) const.
template <class Derived>
struct WithGradients : GradientLaw {
  void gradients(const Pose<double>& x, std::span<double> g, std::span<double> G) const override {
    static_cast<const Derived&>(*this).gradient(x, g, G);
  }
  void gradients(const Pose<PoseSlope>& x, std::span<PoseSlope> g, std::span<PoseSlope> G) const override {
    static_cast<const Derived&>(*this).gradient(x, g, G);
  }
};

}  // namespace skyhook::model
