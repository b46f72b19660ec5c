// A scalar law acting along the line between two points.
//
// A law has
//   template <class T> T force(const T& x, const T& v, double t) const;   x length, v its rate
//   or the same with a last argument const model::Setting&
//   double energy(double x) const;
//   static constexpr double pull = 1 or -1;   1: positive force pulls the points together, -1: pushes them apart
// and, where it does not read t, static constexpr bool reads_time = false;
// where it switches, first_mode, watch, next_mode and event as in model::SwitchingCoordinate;
// where it has tables, look as in model::TabulatedCoordinate.
#pragma once
#include <type_traits>

#include "skyhook/model/element.h"
#include "skyhook/model/tabulated.h"
#include "skyhook/model/timeless.h"

namespace skyhook::element {

template <class Law, class T>
T force_of(const Law& law, const T& x, const T& v, double t, const model::Setting& set) {
  if constexpr (requires { law.force(x, v, t, set); })
    return law.force(x, v, t, set);
  else
    return law.force(x, v, t);
}

template <class Law>
concept SwitchingLaw = requires(const Law& law, const model::Stroke<double>& s) {
  law.first_mode(s);
  law.watch(s);
  law.next_mode(s);
  law.event(1, 2);
};
struct NotSwitching {};

template <class Law>
concept TabulatedLaw =
    requires(const Law& law, const model::Stroke<double>& s, model::TableLooks& looks) { law.look(s, looks); };
struct NotTabulated {};

template <class Law>
concept TimelessLaw = requires { requires !Law::reads_time; };
struct NotTimeless {};

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

// Derived has stroke_of(motion) and law_of_force.
template <class Derived>
struct SwitchingLine : model::Switching {
  int first_mode(const model::Relative<double>& m) const override { return law().first_mode(self().stroke_of(m)); }
  double watch(const model::Relative<double>& m) const override { return law().watch(self().stroke_of(m)); }
  int next_mode(const model::Relative<double>& m) const override { return law().next_mode(self().stroke_of(m)); }
  std::string event(int from, int to) const override { return law().event(from, to); }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  const auto& law() const { return self().law_of_force; }
};

template <class Derived>
struct TabulatedLine : model::Tabulated {
  void look(const model::Relative<double>& m, model::TableLooks& looks) const override {
    const auto& self = static_cast<const Derived&>(*this);
    self.law_of_force.look(self.stroke_of(m), looks);
  }
};

template <class Law>
struct LineForce final : model::WrenchLaw<LineForce<Law>>,
                         std::conditional_t<SwitchingLaw<Law>, SwitchingLine<LineForce<Law>>, NotSwitching>,
                         std::conditional_t<TabulatedLaw<Law>, TabulatedLine<LineForce<Law>>, NotTabulated>,
                         std::conditional_t<TimelessLaw<Law>, model::Timeless, NotTimeless> {
  explicit LineForce(Law given) : law_of_force(std::move(given)) {}

  // At length zero there is no direction: no force and no derivative, rather than NaN.
  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    out = {};
    if (value_of(dot(m.r, m.r)) == 0.0) return;  // a NaN goes on and shows
    const Line<T> line = line_of(m);
    const T pull = T(Law::pull) * force(line.length, line.rate, value_of(m.t), m.set);
    out.f = -pull * line.direction;
  }
  double force(double x, double v, double t, const model::Setting& set) const {
    return force_of(law_of_force, x, v, t, set);
  }
  model::Local force(const model::Local& x, const model::Local& v, double t, const model::Setting& set) const {
    return model::scalar_force(
        [&](const auto& of_x, const auto& of_v) { return force_of(law_of_force, of_x, of_v, t, set); }, x, v, set);
  }
  model::Stroke<double> stroke_of(const model::Relative<double>& m) const {
    const Line<double> line = dot(m.r, m.r) != 0.0 ? line_of(m) : Line<double>{};
    return {line.length, line.rate, m.t, m.set};
  }
  bool between_points() const override { return true; }
  double energy(const model::Relative<double>& m) const override { return law_of_force.energy(norm(m.r)); }
  std::vector<model::Quantity> quantities() const override {
    return {{"force", "N", Law::pull > 0 ? "force, positive in tension" : "force, positive where it pushes apart"},
            {"length", "m", "distance of its points"},
            {"rate", "m/s", "rate of its length"}};
  }
  void measure(const model::Relative<double>& m, const model::Wrench<double>&,
               std::vector<double>& out) const override {
    const model::Stroke<double> s = stroke_of(m);
    out.insert(out.end(), {s.x != 0.0 ? force(s.x, s.v, s.t, s.set) : 0.0, s.x, s.v});
  }

  Law law_of_force;
};

}  // namespace skyhook::element
