// What `force` and `torque` share: three formulas between two frames, or one on a joint coordinate.
#pragma once
#include <array>

#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

// Three formulas as the components of a vector; a missing one is 0.
struct FormulaVector {
  std::array<std::optional<model::Formula>, 3> component;

  template <class T, std::size_t N>
  Vec3<T> at(const std::array<T, N>& variables) const {
    Vec3<T> out;
    for (int k = 0; k < 3; ++k) {
      const std::optional<model::Formula>& formula = component[static_cast<std::size_t>(k)];
      if (formula) out[k] = formula->evaluate<T>(variables);
    }
    return out;
  }
  bool empty() const { return !component[0] && !component[1] && !component[2]; }
};

// A generalised force on a coordinate as a formula of t, q and qd; positive drives q up. A law of line_force.h.
struct CoordinateFormula {
  model::Formula value;
  static constexpr double pull = -1.0;

  template <class T>
  T force(const T& q, const T& qd, double t) const {
    return value.evaluate<T>(std::array{T(t), q, qd});
  }
  double energy(double /*q*/) const { return 0.0; }
};

// ModelError unless there are components between two frames, or a value on a coordinate of the right kind.
Place place_formulas(const LineOrJointFields& fields, const FormulaVector& components, bool has_value, bool for_angle,
                     const model::FieldSource& source, const model::Model& model);

}  // namespace skyhook::element
