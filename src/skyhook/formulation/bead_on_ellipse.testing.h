// A bead that slides round an ellipse without gravity or friction: an exact motion with a contact variable. For the
// index study of [Arnold 2004] §4.
#pragma once
#include <memory>
#include <vector>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formulation::testing {

struct Bead {
  static constexpr double mass = 2, a = 0.3, b = 0.2;  // kg; half axes, m

  // From the point s = `from` of the curve (a cos s, 0, b sin s).
  explicit Bead(double from = 0, double speed = 0.5);

  // Speed and energy stay: arc(s) = arc(from) + speed t, by an elliptic integral.
  struct Exact {
    double s;
    Vec3d position, velocity;  // position from the start, as the coordinates count it
    double force;              // of the wire: mass speed^2 curvature
  };
  Exact exact(double t) const;
  // How far s is off the foot of the bead at position q: |h| / |c'|^2.
  double beside_foot(CSpan q, double s) const;
  double largest_force() const { return mass * speed_ * speed_ * a / (b * b); }

  std::size_t nq() const { return static_cast<std::size_t>(equations->nq()); }
  std::size_t nv() const { return static_cast<std::size_t>(equations->nv()); }
  std::size_t ng() const { return static_cast<std::size_t>(equations->ng()); }

  // y and y' of a formulation with unknowns (q, v, lambda, ...), s last where it is one of them; what else follows is zero.
  struct Start {
    std::vector<double> y, yp;
  };
  Start start(int size, bool has_s) const;

  std::shared_ptr<const formalism::recursive::Equations> equations;
  std::vector<double> y;  // q, v

 private:
  double from_, speed_;
};

}  // namespace skyhook::formulation::testing
