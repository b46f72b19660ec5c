// Functions that stand in model files: curves (force over deflection), motions (of time) and formulas.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "skyhook/expression/expression.h"
#include "skyhook/math/dual.h"
#include "skyhook/math/spline.h"

namespace skyhook::model {

// What a table does beyond its first and last row.
enum class Beyond {
  unsaid,    // the user has not said it: of time as hold, of others as straight; a run that gets there warns
  hold,      // the value of the last row holds
  stop,      // the same, and the curve comes to rest in it: of time only
  straight,  // on along the last slope
  refuse,    // no run goes there
};

// A table of time, as long as anybody asks where it ends.
struct TimeTable {
  std::string what;  // joint "crank": drive
  Location where;
  double first = 0, last = 0;
  double first_rate = 0, last_rate = 0;  // of the curve, inside
  Beyond beyond = Beyond::unsaid;
};

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
  std::vector<Motion2> at(std::span<const double> times) const;  // formulas four times at once
  Motion2 value_and_rate(double t) const;                        // its acceleration is left 0
  // A formula without t. What only happens to stay the same does not count.
  bool is_constant() const {
    const auto* formula = std::get_if<expression::Expression>(&law_);
    return formula && formula->is_constant();
  }

 private:
  std::variant<expression::Expression, CubicSpline> law_;
};

// A scalar function of one variable: formula of `x`, or table read as a monotone C1 curve.
class Curve {
 public:
  explicit Curve(expression::Expression of_x) : law_(std::move(of_x)) {}
  explicit Curve(MonotoneCubic table, Beyond beyond = Beyond::straight) : law_(std::move(table)), beyond_(beyond) {}
  template <class T>
  T at(const T& x) const {
    if (const auto* table = std::get_if<MonotoneCubic>(&law_)) return table->evaluate(x);
    return std::get<expression::Expression>(law_).evaluate(std::span<const T>(&x, 1));
  }
  // The pieces of a table (PiecewiseCubic), nullptr for a formula: its second derivative jumps where they meet.
  const MonotoneCubic* table() const { return std::get_if<MonotoneCubic>(&law_); }
  Beyond beyond() const { return beyond_; }
  // Integral from 0 to x: exact for a table, five-point Gauss on eight panels for a formula.
  double integral(double x) const;

 private:
  std::variant<expression::Expression, MonotoneCubic> law_;
  Beyond beyond_ = Beyond::straight;
};

// A formula over the variables that its field declares.
using Formula = expression::Expression;

}  // namespace skyhook::model
