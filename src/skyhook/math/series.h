// A power series in h, cut off behind N terms: a[0] + a[1] h + a[2] h^2 + ... Functions along a line are known by it with their derivatives,
// at the cost of a few products.
#pragma once
#include <array>
#include <cmath>

namespace skyhook {

template <int N>
struct Series {
  std::array<double, N> a{};

  constexpr double& operator[](int i) { return a[static_cast<std::size_t>(i)]; }
  constexpr double operator[](int i) const { return a[static_cast<std::size_t>(i)]; }

  friend constexpr Series operator+(Series p, const Series& q) {
    for (int i = 0; i < N; ++i) p[i] += q[i];
    return p;
  }
  friend constexpr Series operator-(Series p, const Series& q) {
    for (int i = 0; i < N; ++i) p[i] -= q[i];
    return p;
  }
  friend constexpr Series operator-(const Series& p) { return Series{} - p; }
  friend constexpr Series operator*(const Series& p, const Series& q) {
    Series out;
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) out[i] += p[j] * q[i - j];
    }
    return out;
  }
};

// From `value` on, with this rate.
template <int N>
constexpr Series<N> integral(double value, const Series<N>& rate) {
  Series<N> out;
  out[0] = value;
  for (int i = 1; i < N; ++i) out[i] = rate[i - 1] / i;
  return out;
}

// The other way: its last term is not known and left 0.
template <int N>
constexpr Series<N> rate_of(const Series<N>& p) {
  Series<N> out;
  for (int i = 1; i < N; ++i) out[i - 1] = i * p[i];
  return out;
}

// sqrt(1 - p^2), of |p| < 1: the cosine that belongs to the sine p.
template <int N>
Series<N> cosine_beside(const Series<N>& p) {
  const Series<N> square = p * p;
  Series<N> out;
  out[0] = std::sqrt(1 - square[0]);
  for (int i = 1; i < N; ++i) {
    double sum = -square[i];
    for (int j = 1; j < i; ++j) sum -= out[j] * out[i - j];
    out[i] = sum / (2 * out[0]);
  }
  return out;
}

template <int N>
struct SineCosine {
  Series<N> sine, cosine;
};
// sine' = angle' cosine, cosine' = -angle' sine, term by term.
template <int N>
SineCosine<N> sine_cosine(const Series<N>& angle) {
  SineCosine<N> out;
  out.sine[0] = std::sin(angle[0]), out.cosine[0] = std::cos(angle[0]);
  for (int i = 1; i < N; ++i) {
    for (int j = 1; j <= i; ++j) {
      out.sine[i] += j * angle[j] * out.cosine[i - j] / i;
      out.cosine[i] -= j * angle[j] * out.sine[i - j] / i;
    }
  }
  return out;
}

}  // namespace skyhook
