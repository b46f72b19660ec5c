// Truncated Taylor series in one variable: a value with its first N derivatives along it, which nested dual numbers carry several times over
// (2^(N+1) numbers instead of N + 1). Coefficients are derivatives over factorials, so that a product is that of polynomials; functions follow
// from their differential equations (Griewank and Walther, Evaluating Derivatives, 2nd ed. 2008, §13.2).
#pragma once
#include <array>
#include <cmath>

namespace skyhook {

template <int N>
struct Taylor {
  std::array<double, N + 1> c{};

  constexpr Taylor() = default;
  constexpr Taylor(double value) : c{value} {}  // NOLINT: constants mix freely with series
  static constexpr Taylor variable(double value) {
    Taylor x(value);
    if constexpr (N > 0) x.c[1] = 1.0;
    return x;
  }
  double derivative(int k) const {
    double factorial = 1;
    for (int i = 2; i <= k; ++i) factorial *= i;
    return factorial * c[static_cast<std::size_t>(k)];
  }

  Taylor& operator+=(const Taylor& b) {
    for (int k = 0; k <= N; ++k) c[k] += b.c[k];
    return *this;
  }
  Taylor& operator-=(const Taylor& b) {
    for (int k = 0; k <= N; ++k) c[k] -= b.c[k];
    return *this;
  }
  friend Taylor operator+(Taylor a, const Taylor& b) { return a += b; }
  friend Taylor operator-(Taylor a, const Taylor& b) { return a -= b; }
  friend Taylor operator-(Taylor a) {
    for (double& x : a.c) x = -x;
    return a;
  }
  friend Taylor operator*(const Taylor& a, const Taylor& b) {
    Taylor out;
    for (int k = 0; k <= N; ++k) {
      for (int j = 0; j <= k; ++j) out.c[k] += a.c[j] * b.c[k - j];
    }
    return out;
  }
  friend Taylor operator/(const Taylor& a, const Taylor& b) {
    Taylor out;
    const double inverse = 1 / b.c[0];
    for (int k = 0; k <= N; ++k) {
      double sum = a.c[k];
      for (int j = 1; j <= k; ++j) sum -= b.c[j] * out.c[k - j];
      out.c[k] = sum * inverse;
    }
    return out;
  }

  friend bool operator<(const Taylor& a, const Taylor& b) { return a.c[0] < b.c[0]; }
  friend bool operator>(const Taylor& a, const Taylor& b) { return a.c[0] > b.c[0]; }
  friend bool operator<=(const Taylor& a, const Taylor& b) { return a.c[0] <= b.c[0]; }
  friend bool operator>=(const Taylor& a, const Taylor& b) { return a.c[0] >= b.c[0]; }
  friend bool operator==(const Taylor& a, const Taylor& b) { return a.c[0] == b.c[0]; }
};

template <int N>
double value_of(const Taylor<N>& a) {
  return a.c[0];
}

namespace taylor {

// k times the coefficient k of the integral of g a': the sum over j from 1 to k of j a[j] g[k - j].
template <int N>
double chained(const Taylor<N>& a, const Taylor<N>& g, int k) {
  double sum = 0;
  for (int j = 1; j <= k; ++j) sum += j * a.c[j] * g.c[k - j];
  return sum;
}

// f with f' = a' / g, where g does not depend on f.
template <int N>
Taylor<N> integral_over(double value, const Taylor<N>& a, const Taylor<N>& g) {
  Taylor<N> f(value);
  const double inverse = 1 / g.c[0];
  for (int k = 1; k <= N; ++k) {
    double sum = k * a.c[k];
    for (int j = 1; j < k; ++j) sum -= j * f.c[j] * g.c[k - j];
    f.c[k] = sum * inverse / k;
  }
  return f;
}

template <int N>
struct Two {
  Taylor<N> s, c;
};
// s' = c a', c' = sign s a'.
template <int N>
Two<N> oscillating(const Taylor<N>& a, double s, double c, double sign) {
  Two<N> out{Taylor<N>(s), Taylor<N>(c)};
  for (int k = 1; k <= N; ++k) {
    const double of_s = chained(a, out.c, k), of_c = chained(a, out.s, k);
    out.s.c[k] = of_s / k, out.c.c[k] = sign * of_c / k;
  }
  return out;
}

// f' = (1 + sign f^2) a'.
template <int N>
Taylor<N> tangent(const Taylor<N>& a, double value, double sign) {
  Taylor<N> f(value), slope(1 + sign * value * value);
  for (int k = 1; k <= N; ++k) {
    f.c[k] = chained(a, slope, k) / k;
    double square = 0;
    for (int j = 0; j <= k; ++j) square += f.c[j] * f.c[k - j];
    slope.c[k] = sign * square;
  }
  return f;
}

}  // namespace taylor

template <int N>
Taylor<N> sin(const Taylor<N>& a) {
  return taylor::oscillating(a, std::sin(a.c[0]), std::cos(a.c[0]), -1.0).s;
}
template <int N>
Taylor<N> cos(const Taylor<N>& a) {
  return taylor::oscillating(a, std::sin(a.c[0]), std::cos(a.c[0]), -1.0).c;
}
template <int N>
Taylor<N> sinh(const Taylor<N>& a) {
  return taylor::oscillating(a, std::sinh(a.c[0]), std::cosh(a.c[0]), 1.0).s;
}
template <int N>
Taylor<N> cosh(const Taylor<N>& a) {
  return taylor::oscillating(a, std::sinh(a.c[0]), std::cosh(a.c[0]), 1.0).c;
}
template <int N>
Taylor<N> tan(const Taylor<N>& a) {
  return taylor::tangent(a, std::tan(a.c[0]), 1.0);
}
template <int N>
Taylor<N> tanh(const Taylor<N>& a) {
  return taylor::tangent(a, std::tanh(a.c[0]), -1.0);
}
template <int N>
Taylor<N> exp(const Taylor<N>& a) {
  Taylor<N> f(std::exp(a.c[0]));
  for (int k = 1; k <= N; ++k) f.c[k] = taylor::chained(a, f, k) / k;
  return f;
}
template <int N>
Taylor<N> log(const Taylor<N>& a) {
  return taylor::integral_over(std::log(a.c[0]), a, a);
}
template <int N>
Taylor<N> log10(const Taylor<N>& a) {
  constexpr double of_e = 0.43429448190325182765;
  Taylor<N> f = log(a);
  for (int k = 1; k <= N; ++k) f.c[k] *= of_e;
  f.c[0] = std::log10(a.c[0]);
  return f;
}
template <int N>
Taylor<N> sqrt(const Taylor<N>& a) {
  Taylor<N> f(std::sqrt(a.c[0]));
  const double half = 0.5 / f.c[0];
  for (int k = 1; k <= N; ++k) {
    double sum = a.c[k];
    for (int j = 1; j < k; ++j) sum -= f.c[j] * f.c[k - j];
    f.c[k] = half * sum;
  }
  return f;
}
template <int N>
Taylor<N> atan(const Taylor<N>& a) {
  return taylor::integral_over(std::atan(a.c[0]), a, Taylor<N>(1.0) + a * a);
}
template <int N>
Taylor<N> asin(const Taylor<N>& a) {
  return taylor::integral_over(std::asin(a.c[0]), a, sqrt(Taylor<N>(1.0) - a * a));
}
template <int N>
Taylor<N> acos(const Taylor<N>& a) {
  return taylor::integral_over(std::acos(a.c[0]), -a, sqrt(Taylor<N>(1.0) - a * a));
}
// f' = (x y' - y x') / (x^2 + y^2).
template <int N>
Taylor<N> atan2(const Taylor<N>& y, const Taylor<N>& x) {
  Taylor<N> f(std::atan2(y.c[0], x.c[0]));
  const Taylor<N> square = x * x + y * y;
  const double inverse = 1 / square.c[0];
  for (int k = 1; k <= N; ++k) {
    double sum = taylor::chained(y, x, k) - taylor::chained(x, y, k);
    for (int j = 1; j < k; ++j) sum -= j * f.c[j] * square.c[k - j];
    f.c[k] = sum * inverse / k;
  }
  return f;
}
template <int N>
Taylor<N> abs(const Taylor<N>& a) {
  return a.c[0] < 0 ? -a : a;
}

}  // namespace skyhook
