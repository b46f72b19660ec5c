#include "skyhook/element/force/leaf_spring.h"

#include <cmath>
#include <limits>

#include "skyhook/element/finding.h"
#include "skyhook/expression/scalar_functions.h"

namespace skyhook::element {
namespace {

// Without friction: a law of line_force.h.
struct Leaves {
  double stiffness, damping, free, preload;
  std::optional<model::Curve> curve;
  double stop, stop_stiffness;
  static constexpr double pull = 1.0;  // positive in tension
  static constexpr bool reads_time = false;

  template <class T>
  T elastic(const T& x) const {
    const T d = x - T(free), leaves = T(preload) + (curve ? curve->at(d) : T(stiffness) * d);
    return value_of(x) < stop ? leaves + T(stop_stiffness) * (x - T(stop)) : leaves;
  }
  template <class T>
  T force(const T& x, const T& v, double /*t*/) const {
    return elastic(x) + T(damping) * v;
  }
  double energy(double x) const {
    const double d = x - free, into = std::fmax(stop - x, 0.0);
    return preload * d + (curve ? curve->integral(d) : 0.5 * stiffness * d * d) + 0.5 * stop_stiffness * into * into;
  }
  void look(const model::Stroke<double>& s, model::TableLooks& looks) const {
    if (curve) add_look(*curve, "force", "deflection", "m", s.x - free, looks);
  }
};

// With it: a spring in series with a slider (Dahl 1968), whose state is the deflection of that spring.
struct RubbingLeaves final : model::StateLaw<RubbingLeaves> {
  Leaves leaves;
  double friction, ratio, travel;

  RubbingLeaves(Leaves given, const LeafSpring& s)
      : leaves(std::move(given)), friction(s.friction), ratio(s.friction_ratio), travel(s.friction_travel) {}

  std::vector<model::InnerState> states() const override { return {{"friction_deflection", "m", travel, 0.0}}; }
  template <class T>
  T most(const T& elastic) const {
    return T(friction) + T(ratio) * expression::absolute(elastic);
  }
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    const T elastic = leaves.elastic(s.x), slid = T(1 / travel) * c[0];
    rates[0] = s.v - T(value_of(s.v) < 0 ? -1.0 : 1.0) * s.v * slid;
    return elastic + T(leaves.damping) * s.v + most(elastic) * slid;
  }
  double energy(double x, std::span<const double> c) const override {
    return leaves.energy(x) + 0.5 * most(leaves.elastic(x)) / travel * c[0] * c[0];
  }
};

void check(const LeafSpring& s, const model::FieldSource& source) {
  if (s.stiffness != 0 && s.force)
    fail(source, "force", "both stiffness and force are given.", "Remove one: the curve replaces the rate.");
  const bool rubs = s.friction > 0 || s.friction_ratio > 0;
  if (rubs != (s.friction_travel > 0))
    fail(source, "friction_travel",
         rubs ? "the way on which friction is built up is missing." : "there is a way, but no friction.",
         "Give friction or friction_ratio together with friction_travel, some millimetres.");
  if (s.stop_length.has_value() != (s.stop_stiffness > 0))
    fail(source, "stop_length", "a stop needs its length and its stiffness.", "Give stop_length and stop_stiffness.");
}

}  // namespace

void LeafSpring::add_to(model::FieldSource& source, model::Model& model) const {
  LineOrJointFields between;
  between.from = from, between.to = to, between.from_at = from_at, between.to_at = to_at, between.along = along;
  const Place place = place_of(between, source, model);
  check(*this, source);
  Leaves leaves{stiffness,     damping, free_length.value_or(place.design),
                preload,       force,   stop_length.value_or(-std::numeric_limits<double>::infinity()),
                stop_stiffness};
  if (friction_travel > 0)
    add_state_force(std::make_shared<RubbingLeaves>(std::move(leaves), *this), place, source, model);
  else
    add_force(std::move(leaves), place, source, model);
}

}  // namespace skyhook::element
