// Functions that stand in model files: curves (force over deflection), motions (of time) and formulas.
#pragma once
#include <optional>
#include <span>
#include <variant>

#include "skyhook/expression/expression.h"
#include "skyhook/math/dual.h"
#include "skyhook/math/spline.h"

namespace skyhook::model {

// Value with first and second time derivative.
struct Motion2 {
  double value = 0, rate = 0, acceleration = 0;
};

// A prescribed function of time: formula of `t`, or table read as a C2 spline.
class Motion {
 public:
  explicit Motion(expression::Expression of_t) : law_(std::move(of_t)) {}
  explicit Motion(CubicSpline table) : law_(std::move(table)) {}
  Motion2 at(double t) const;
  Motion2 value_and_rate(double t) const;  // its acceleration is left 0

 private:
  std::variant<expression::Expression, CubicSpline> law_;
};

// A scalar function of one variable: formula of `x`, or table read as a monotone C1 curve.
class Curve {
 public:
  explicit Curve(expression::Expression of_x) : law_(std::move(of_x)) {}
  explicit Curve(MonotoneCubic table) : law_(std::move(table)) {}
  template <class T>
  T at(const T& x) const {
    if (const auto* table = std::get_if<MonotoneCubic>(&law_)) return table->evaluate(x);
    return std::get<expression::Expression>(law_).evaluate(std::span<const T>(&x, 1));
  }
  // The pieces of a table (PiecewiseCubic), nullptr for a formula: its second derivative jumps where they meet.
  const MonotoneCubic* table() const { return std::get_if<MonotoneCubic>(&law_); }
  // Integral from 0 to x: exact for a table, five-point Gauss on eight panels for a formula.
  double integral(double x) const;

 private:
  std::variant<expression::Expression, MonotoneCubic> law_;
};

// A formula over the variables that its field declares.
using Formula = expression::Expression;

}  // namespace skyhook::model
