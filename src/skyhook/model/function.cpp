#include "skyhook/model/function.h"

#include <array>
#include <cmath>

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
  using Second = Dual<1, Dual<1>>;
  Second x(Dual<1>::variable(t, 0));
  x.d[0] = Dual<1>(1.0);
  const Second y = evaluate(law_, x);
  return {y.v.v, y.v.d[0], y.d[0].d[0]};
}

Motion2 Motion::value_and_rate(double t) const {
  const Dual<1> y = evaluate(law_, Dual<1>::variable(t, 0));
  return {y.v, y.d[0], 0.0};
}

double Curve::integral(double x) const {
  if (const auto* table = std::get_if<MonotoneCubic>(&law_)) return table->integral(x) - table->integral(0.0);
  constexpr std::array node{0.0, 0.5384693101056831, 0.9061798459386640};
  constexpr std::array weight{0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  constexpr int panels = 8;
  const double half = x / panels / 2;
  double sum = 0;
  for (int p = 0; p < panels; ++p) {
    const double middle = (2 * p + 1) * half;
    sum += weight[0] * at(middle);
    for (int k = 1; k < 3; ++k) sum += weight[k] * (at(middle - half * node[k]) + at(middle + half * node[k]));
  }
  return sum * half;
}

}  // namespace skyhook::model
