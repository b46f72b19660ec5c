#include "skyhook/integrator/bdf_history.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "skyhook/integrator/passes.h"

namespace skyhook::integrator {
namespace {

// Calls f with the order as a constant, so that the loop over differences inside f unrolls.
template <class F>
void with_order(int k, F&& f) {
  switch (k) {
    case 1: return f(std::integral_constant<int, 1>{});
    case 2: return f(std::integral_constant<int, 2>{});
    case 3: return f(std::integral_constant<int, 3>{});
    case 4: return f(std::integral_constant<int, 4>{});
    default: return f(std::integral_constant<int, 5>{});
  }
}

}  // namespace

BdfHistory::BdfHistory(std::size_t n) : n_(n), phi_(n * (highest_order + 2)) {}

void BdfHistory::begin(const std::vector<std::vector<double>>& values, double h) {
  assert(values.size() <= highest_order + 1);
  std::ranges::fill(phi_, 0.0);
  double binomial[highest_order + 2] = {1};
  for (int order = 0; order < static_cast<int>(values.size()); ++order) {
    for (int j = 0; j <= order; ++j)
      for (std::size_t i = 0; i < n_; ++i) difference(order)[i] += binomial[j] * values[static_cast<std::size_t>(j)][i];
    for (int j = order + 1; j > 0; --j) binomial[j] -= binomial[j - 1];
  }
  for (std::size_t i = 0; i < psi_.size(); ++i) psi_[i] = static_cast<double>(i + 1) * h;
}

BdfHistory::Step BdfHistory::coefficients(double h, int k) const {
  Step s;
  s.h = h, s.k = k;
  std::array<double, highest_order + 2> alpha{};
  s.psi[0] = h, s.beta[0] = 1, s.sigma[0] = 1, alpha[0] = 1;
  double leading = 0, sum = 0;
  for (int i = 1; i <= k + 1 && i < static_cast<int>(s.psi.size()); ++i) {
    const auto u = static_cast<std::size_t>(i);
    s.psi[u] = psi_[u - 1] + h;
    s.beta[u] = s.beta[u - 1] * s.psi[u - 1] / psi_[u - 1];
    alpha[u] = h / s.psi[u];
    s.gamma[u] = s.gamma[u - 1] + alpha[u - 1] / h;
    s.sigma[u] = i * s.sigma[u - 1] * alpha[u];
  }
  for (int i = 1; i <= k; ++i) leading += 1.0 / i, sum += alpha[static_cast<std::size_t>(i - 1)];
  s.alpha = leading / h;
  const double last = alpha[static_cast<std::size_t>(k)];
  s.error = std::max(std::abs(last - leading + sum), last);
  return s;
}

void BdfHistory::predict(const Step& s, Span y, Span yp) const {
  const double* phi = phi_.data();
  const std::size_t n = n_;
  double *out = y.data(), *slope = yp.data();
  with_order(s.k, [&](auto order) {
    constexpr int k = order;
    double value[k + 1], rate[k + 1];
    for (int j = 0; j <= k; ++j) value[j] = s.beta[j], rate[j] = s.beta[j] * s.gamma[j];
    in_fours(n, [&](auto kind, std::size_t i) {
      using T = decltype(kind);
      T a = load<T>(phi + i), b = T(0.0);
      for (int j = 1; j <= k; ++j) {
        const T d = load<T>(phi + static_cast<std::size_t>(j) * n + i);
        a += T(value[j]) * d, b += T(rate[j]) * d;
      }
      store(a, out + i), store(b, slope + i);
    });
  });
}

BdfHistory::Norms BdfHistory::norms(const Step& s, CSpan E, CSpan weight, double count) const {
  const std::size_t n = n_;
  const double *e = E.data(), *w = weight.data();
  const auto difference_of = [&](int order) { return difference(std::max(order, 0)); };
  const auto beta_of = [&](int order) { return order < 0 ? 0.0 : s.beta[order]; };
  const double *d0 = difference_of(s.k), *d1 = difference_of(s.k - 1), *d2 = difference_of(s.k - 2),
               *d3 = difference_of(s.k + 1);
  const double b0 = beta_of(s.k), b1 = beta_of(s.k - 1), b2 = beta_of(s.k - 2), b3 = beta_of(s.k + 1);
  Sum same, minus_1, minus_2, minus_3, plus_1;
  in_fours(n, [&](auto kind, std::size_t i) {
    using T = decltype(kind);
    const T wi = load<T>(w + i), x = wi * load<T>(e + i), m1 = x + wi * T(b0) * load<T>(d0 + i),
            m2 = m1 + wi * T(b1) * load<T>(d1 + i), m3 = m2 + wi * T(b2) * load<T>(d2 + i),
            p1 = x - wi * T(b3) * load<T>(d3 + i);
    same.add(x * x), minus_1.add(m1 * m1), minus_2.add(m2 * m2), minus_3.add(m3 * m3), plus_1.add(p1 * p1);
  });
  const auto mean = [&](const Sum& sum) { return std::sqrt(sum.total() / count); };
  return {mean(same), mean(minus_1), mean(minus_2), mean(minus_3), mean(plus_1)};
}

void BdfHistory::advance(const Step& s, CSpan E) {
  double* phi = phi_.data();
  const double* e = E.data();
  const std::size_t n = n_;
  with_order(s.k, [&](auto order) {
    constexpr int k = order;
    double beta[k + 1];
    for (int j = 0; j <= k; ++j) beta[j] = s.beta[j];
    in_fours(n, [&](auto kind, std::size_t i) {
      using T = decltype(kind);
      T sum = load<T>(e + i);
      store(sum, phi + static_cast<std::size_t>(k + 1) * n + i);
      for (int j = k; j >= 0; --j) {
        double* const d = phi + static_cast<std::size_t>(j) * n + i;
        sum += T(beta[j]) * load<T>(d);
        store(sum, d);
      }
    });
  });
  psi_ = s.psi;
}

void BdfHistory::interpolate(double back, int k, Span y, Span yp) const {
  double c[highest_order + 1], d[highest_order + 1];
  c[0] = 1, d[0] = 0;
  double gamma = -back / psi_[0], rate = 0, value = 1;
  for (int j = 1; j <= k; ++j) {
    rate = rate * gamma + value / psi_[j - 1];
    value *= gamma;
    c[j] = value, d[j] = rate;
    gamma = (psi_[j - 1] - back) / psi_[j];
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    double a = 0;
    for (int j = 0; j <= k; ++j) a += c[j] * difference(j)[i];
    y[i] = a;
  }
  for (std::size_t i = 0; i < yp.size(); ++i) {
    double a = 0;
    for (int j = 1; j <= k; ++j) a += d[j] * difference(j)[i];
    yp[i] = a;
  }
}

}  // namespace skyhook::integrator
