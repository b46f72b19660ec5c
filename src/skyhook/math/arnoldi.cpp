#include "skyhook/math/arnoldi.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skyhook {
namespace {

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

void scale(Vector& x, double by) {
  for (double& e : x) e *= by;
}

struct Small {  // eigenvalues of the Hessenberg matrix, the largest first
  EigenPairs pairs;
  std::vector<std::size_t> order;
};

Small solve_small(const DenseMatrix& H, int m) {
  DenseMatrix square(m, m);
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) square(i, j) = H(i, j);
  }
  Small out{eigen_pairs(square), {}};
  out.order.resize(out.pairs.values.size());
  std::iota(out.order.begin(), out.order.end(), std::size_t{0});
  std::ranges::stable_sort(out.order, std::greater{}, [&](std::size_t k) { return std::abs(out.pairs.values[k]); });
  return out;
}

int converged(const Small& s, double rest, double tolerance) {
  int count = 0;
  for (const std::size_t k : s.order) {
    if (!(std::abs(rest * s.pairs.right[k].back()) <= tolerance * std::abs(s.pairs.values[k]))) break;
    ++count;
  }
  return count;
}

RitzPairs expand(const Small& s, const std::vector<Vector>& basis, int count) {
  RitzPairs out;
  for (int c = 0; c < count; ++c) {
    const std::size_t k = s.order[static_cast<std::size_t>(c)];
    out.values.push_back(s.pairs.values[k]);
    ComplexVector& x = out.vectors.emplace_back(basis[0].size());
    for (std::size_t j = 0; j < s.pairs.right[k].size(); ++j) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += s.pairs.right[k][j] * basis[j][i];
    }
  }
  return out;
}

}  // namespace

RitzPairs arnoldi(const Vector& start, const Product& product, const ArnoldiOptions& o) {
  const int most = std::min<int>(o.most, static_cast<int>(start.size()));
  DenseMatrix H(most + 1, most);
  std::vector<Vector> basis{start};
  scale(basis[0], 1 / std::sqrt(dot(start, start)));
  for (int m = 1; m <= most; ++m) {
    Vector next(start.size());
    product(basis.back(), next);
    const double before = std::sqrt(dot(next, next));
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough
      for (int i = 0; i < m; ++i) {
        const double h = dot(basis[static_cast<std::size_t>(i)], next);
        H(i, m - 1) += h;
        for (std::size_t e = 0; e < next.size(); ++e) next[e] -= h * basis[static_cast<std::size_t>(i)][e];
      }
    }
    const double rest = std::sqrt(dot(next, next));
    H(m, m - 1) = rest;
    const bool is_all = rest <= 1e-14 * before || m == most;
    if (is_all || (m >= 2 * o.wanted && m % 10 == 0)) {
      const Small small = solve_small(H, m);
      if (!small.pairs.ok) return {};
      const int good = rest <= 1e-14 * before ? m : converged(small, rest, o.tolerance);
      if (good >= o.wanted || is_all) {
        RitzPairs out = expand(small, basis, std::min(good, o.wanted));
        out.converged = good >= std::min(o.wanted, m), out.products = m;
        return out;
      }
    }
    scale(next, 1 / rest);
    basis.push_back(std::move(next));
  }
  return {};
}

}  // namespace skyhook
