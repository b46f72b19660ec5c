// clang-format off: run() names power() with its namespace, so that what it shall find must stand before it
#include "skyhook/math/taylor.h"

namespace skyhook::expression {
template <int N>
Taylor<N> power(const Taylor<N>& x, double p);
}
#include "skyhook/expression/derivatives.h"
// clang-format on

#include <algorithm>

namespace skyhook {

// What a formula asks of its scalar beside mathematical functions; found by the namespace of the scalar.
template <int N>
Taylor<N> without_derivative(const Taylor<N>& x) {
  return Taylor<N>(x.c[0]);
}
template <int N>
Taylor<N> floor(const Taylor<N>& x) {
  return Taylor<N>(std::floor(x.c[0]));
}
template <int N>
Taylor<N> ceil(const Taylor<N>& x) {
  return Taylor<N>(std::ceil(x.c[0]));
}
template <int N>
Taylor<N> round(const Taylor<N>& x) {
  return Taylor<N>(std::round(x.c[0]));
}
// x^p = exp(p log x); where x is not positive p varies without effect on derivatives, as for dual numbers.
template <int N>
Taylor<N> power_varying(const Taylor<N>& x, const Taylor<N>& p) {
  const bool varies = std::any_of(p.c.begin() + 1, p.c.end(), [](double k) { return k != 0; });
  if (!varies || !(x.c[0] > 0)) return expression::power(x, p.c[0]);
  Taylor<N> f = exp(p * log(x));
  const double exact = std::pow(x.c[0], p.c[0]), scale = f.c[0] != 0 ? exact / f.c[0] : 1.0;
  for (double& k : f.c) k *= scale;
  f.c[0] = exact;
  return f;
}

namespace expression {

namespace {

// Of a whole number of factors: at zero too.
template <int N>
Taylor<N> product(const Taylor<N>& x, int factors) {
  Taylor<N> out = x;
  for (int k = 1; k < factors; ++k) out = out * x;
  return out;
}

}  // namespace

// x f' = p x' f. At zero a power has the derivatives of a polynomial, or none that are finite, which count as 0.
template <int N>
Taylor<N> power(const Taylor<N>& x, double p) {
  if (p == 0) return Taylor<N>(1.0);
  if (p == 1 || p == 2 || p == 3) return product(x, static_cast<int>(p));
  Taylor<N> f(power(x.c[0], p));
  if (x.c[0] == 0) {
    if (p > 0 && p <= N && p == std::floor(p)) return product(x, static_cast<int>(p));
    return f;
  }
  const double inverse = 1 / x.c[0];
  for (int k = 1; k <= N; ++k) {
    double sum = 0;
    for (int j = 1; j <= k; ++j) sum += (p * j - (k - j)) * x.c[j] * f.c[k - j];
    f.c[k] = sum * inverse / k;
  }
  return f;
}

template <int N>
std::array<double, N + 1> derivatives(const Expression& of, double x) {
  const Taylor<N> at = Taylor<N>::variable(x);
  const Taylor<N> y = of.evaluate<Taylor<N>>(std::span<const Taylor<N>>(&at, 1));
  std::array<double, N + 1> out;
  for (int k = 0; k <= N; ++k) out[static_cast<std::size_t>(k)] = y.derivative(k);
  return out;
}

template std::array<double, 3> derivatives<2>(const Expression&, double);
template std::array<double, 4> derivatives<3>(const Expression&, double);
template std::array<double, 5> derivatives<4>(const Expression&, double);

}  // namespace expression
}  // namespace skyhook
