// What `force` and `torque` share: three formulas between two frames, or one on a joint coordinate.
#pragma once
#include <algorithm>
#include <array>

#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

// Three formulas of t and other variables as the components of a vector; a missing one is 0.
struct FormulaVector {
  std::array<std::optional<model::Formula>, 3> component;
  std::array<std::vector<int>, 3> used;  // variables of each, without t

  explicit FormulaVector(std::array<std::optional<model::Formula>, 3> formulas) : component(std::move(formulas)) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!component[k]) continue;
      for (const int variable : component[k]->used_variables()) {
        if (variable > 0) used[k].push_back(variable);
      }
    }
  }

  template <class T, std::size_t N>
  Vec3<T> at(const std::array<T, N>& variables) const {
    Vec3<T> out;
    for (int k = 0; k < 3; ++k) {
      const std::optional<model::Formula>& formula = component[static_cast<std::size_t>(k)];
      if (formula) out[k] = value(*formula, used[static_cast<std::size_t>(k)], variables);
    }
    return out;
  }
  bool empty() const { return !component[0] && !component[1] && !component[2]; }

 private:
  template <std::size_t N>
  static double value(const model::Formula& formula, const std::vector<int>&, const std::array<double, N>& x) {
    return formula.evaluate<double>(x);
  }
  // Chain rule, two variables at a time: few formulas have more.
  template <std::size_t N>
  static model::Local value(const model::Formula& formula, const std::vector<int>& used_here,
                            const std::array<model::Local, N>& x) {
    std::array<Dual<2>, N> seeded;
    for (std::size_t i = 0; i < N; ++i) seeded[i] = Dual<2>(x[i].v);
    model::Local out;
    for (std::size_t k = 0; k < std::max<std::size_t>(1, used_here.size()); k += 2) {
      const std::size_t count = std::min<std::size_t>(2, used_here.size() - k);
      for (std::size_t l = 0; l < count; ++l) seeded[static_cast<std::size_t>(used_here[k + l])].d[l] = 1.0;
      const Dual<2> f = formula.evaluate<Dual<2>>(seeded);
      out.v = f.v;
      for (std::size_t l = 0; l < count; ++l) {
        const auto variable = static_cast<std::size_t>(used_here[k + l]);
        for (std::size_t i = 0; i < out.d.size(); ++i) out.d[i] += f.d[l] * x[variable].d[i];
        seeded[variable].d[l] = 0.0;
      }
    }
    return out;
  }
};

// A generalised force on a coordinate as a formula of t, q, qd and the signal it listens to; positive drives q up. A law of line_force.h.
struct CoordinateFormula {
  model::Formula value;
  static constexpr double pull = -1.0;

  template <class T>
  T force(const T& q, const T& qd, double t, const model::Setting& set) const {
    return value.evaluate<T>(std::array{T(t), q, qd, set.heard<T>()});
  }
  bool reads(int variable) const { return std::ranges::count(value.used_variables(), variable) > 0; }
  double energy(double /*q*/) const { return 0.0; }
};

// Adds it; the signal is a plain number.
void add_formula(const model::Formula& value, const model::SignalRef& signal, const Place& place,
                 const model::FieldSource& source, model::Model& model);

// ModelError unless there are components between two frames, or a value on a coordinate of the right kind.
Place place_formulas(const LineOrJointFields& fields, const FormulaVector& components, bool has_value, bool for_angle,
                     const model::FieldSource& source, const model::Model& model);

}  // namespace skyhook::element
