// A scalar law acting along the line between two points.
//
// A law has
//   template <class T> T force(const T& x, const T& v, double t) const;   x length, v its rate
//   double energy(double x) const;
//   static constexpr double pull = 1 or -1;   1: positive force pulls the points together, -1: pushes them apart
#pragma once
#include "skyhook/model/element.h"

namespace skyhook::element {

template <class T>
struct Line {
  T length, rate;
  Vec3<T> direction;  // unit, from A to B
};

// r·r > 0 is asked for: at zero length the line has no direction.
template <class T>
Line<T> line_of(const model::Relative<T>& m) {
  const T length = norm(m.r);
  const Vec3<T> e = (T(1.0) / length) * m.r;
  return {length, dot(e, m.v), e};
}

template <class Law>
struct LineForce final : model::WrenchLaw<LineForce<Law>> {
  explicit LineForce(Law given) : law_of_force(std::move(given)) {}

  // At length zero there is no direction: no force and no derivative, rather than NaN.
  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    out = {};
    if (value_of(dot(m.r, m.r)) == 0.0) return;  // a NaN goes on and shows
    const Line<T> line = line_of(m);
    const T pull = T(Law::pull) * force(line.length, line.rate, value_of(m.t));
    out.f = -pull * line.direction;
  }
  double force(double x, double v, double t) const { return law_of_force.force(x, v, t); }
  model::Local force(const model::Local& x, const model::Local& v, double t) const {  // two directions are enough
    return model::chain_rule(law_of_force.force(Dual<2>::variable(x.v, 0), Dual<2>::variable(v.v, 1), t), x, v);
  }
  bool between_points() const override { return true; }
  double energy(const model::Relative<double>& m) const override { return law_of_force.energy(norm(m.r)); }
  std::vector<model::Quantity> quantities() const override {
    return {{"force", "N"}, {"length", "m"}, {"rate", "m/s"}};
  }
  void measure(const model::Relative<double>& m, const model::Wrench<double>&,
               std::vector<double>& out) const override {
    const bool has_line = dot(m.r, m.r) != 0.0;
    const Line<double> line = has_line ? line_of(m) : Line<double>{};
    const double force = has_line ? law_of_force.force(line.length, line.rate, m.t) : 0.0;
    out.insert(out.end(), {force, line.length, line.rate});
  }

  Law law_of_force;
};

}  // namespace skyhook::element
