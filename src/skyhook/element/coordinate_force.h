// The scalar laws of line_force.h acting on a joint coordinate instead: x its value, v its rate.
#pragma once
#include "skyhook/model/element.h"

namespace skyhook::element {

template <class Law>
struct CoordinateForce final : model::CoordinateElement {
  explicit CoordinateForce(Law given) : law(std::move(given)) {}
  // Pulling together means shortening: it drives the coordinate down.
  double force(double x, double v, double t) const override { return -Law::pull * law.force(x, v, t); }
  Dual<2> force(const Dual<2>& x, const Dual<2>& v, double t) const override {
    return Dual<2>(-Law::pull) * law.force(x, v, t);
  }
  double energy(double x) const override { return law.energy(x); }

  Law law;
};

}  // namespace skyhook::element
