#include "skyhook/model/function.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/expression/derivatives.h"
#include "skyhook/expression/derivatives_in_lanes.h"
#include "skyhook/math/lanes.h"

namespace skyhook::model {

namespace {

template <class T>
T evaluate(const std::variant<expression::Expression, CubicSpline>& of, const T& x) {
  return std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.evaluate(x); })
          return T(law.evaluate(x));
        else
          return law.template evaluate<T>(std::span<const T>(&x, 1));
      },
      of);
}

}  // namespace

Motion2 Motion::at(double t) const {
  if (const auto* formula = std::get_if<expression::Expression>(&law_)) {
    const auto [value, rate, acceleration] = expression::derivatives<2>(*formula, t);
    return {value, rate, acceleration};
  }
  using Second = Dual<1, Dual<1>>;
  Second x(Dual<1>::variable(t, 0));
  x.d[0] = Dual<1>(1.0);
  const Second y = evaluate(law_, x);
  return {y.v.v, y.v.d[0], y.d[0].d[0]};
}

std::vector<Motion2> Motion::at(std::span<const double> times) const {
  std::vector<Motion2> out;
  out.reserve(times.size());
  const auto* formula = std::get_if<expression::Expression>(&law_);
  const std::size_t fours = formula ? times.size() / Lanes::count * Lanes::count : 0;
  for (std::size_t k = 0; k < fours; k += Lanes::count) {
    const auto [value, rate, acceleration] = expression::derivatives_in_lanes(*formula, Lanes::load(&times[k]));
    for (int i = 0; i < Lanes::count; ++i) out.push_back({value[i], rate[i], acceleration[i]});
  }
  for (const double t : times.subspan(fours)) out.push_back(at(t));
  return out;
}

Motion2 Motion::value_and_rate(double t) const {
  const Dual<1> y = evaluate(law_, Dual<1>::variable(t, 0));
  return {y.v, y.d[0], 0.0};
}

namespace {

struct Integral {
  double value, of_size;  // of the formula, and of its absolute value
};

// Of a formula from 0 to x by Gauss' rule of five points on each of so many panels, four points at a time.
Integral by_panels(const expression::Expression& of, double x, int panels) {
  constexpr std::array node{-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831, 0.9061798459386640};
  constexpr std::array weight{0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                              0.2369268850561891};
  constexpr int points = node.size();
  const double half = x / panels / 2;
  Integral sum{0, 0};
  for (int first = 0; first < points * panels; first += Lanes::count) {
    Lanes at, weights;
    for (int k = 0; k < Lanes::count; ++k) {
      const int point = std::min(first + k, points * panels - 1);
      at.v[k] = half * (2 * (point / points) + 1 + node[static_cast<std::size_t>(point % points)]);
      weights.v[k] = first + k == point ? weight[static_cast<std::size_t>(point % points)] : 0.0;
    }
    const Lanes value = of.evaluate<Lanes>(std::span<const Lanes>(&at, 1));
    for (int k = 0; k < Lanes::count; ++k)
      sum.value += weights.v[k] * value.v[k], sum.of_size += weights.v[k] * std::abs(value.v[k]);
  }
  return {sum.value * half, sum.of_size * std::abs(half)};
}

}  // namespace

// Where one panel and two agree the error of the two, a thousandth of the difference, is rounding: a polynomial up to the ninth degree is
// done at once.
double Curve::integral(double x) const {
  if (const auto* table = std::get_if<MonotoneCubic>(&law_)) return table->integral(x) - table->integral(0.0);
  constexpr double agree = 1e-12;
  const auto& formula = std::get<expression::Expression>(law_);
  const Integral one = by_panels(formula, x, 1), two = by_panels(formula, x, 2);
  if (std::abs(two.value - one.value) <= agree * two.of_size) return two.value;
  return by_panels(formula, x, 8).value;
}

}  // namespace skyhook::model
