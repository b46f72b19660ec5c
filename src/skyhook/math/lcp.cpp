#include "skyhook/math/lcp.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skyhook {
namespace {

constexpr double least_pivot = 1e-10;  // of a problem whose diagonal is one: what is smaller is rounding

// The equations w - M z - e z0 = q solved for the basic variables. Columns: w, z, z0, right-hand side; the columns of w hold the
// inverse of the basis, which the lexicographic rule compares.
class Tableau {
 public:
  Tableau(const DenseMatrix& M, const Vector& q)
      : n_(M.rows), t_(n_, 2 * n_ + 2), basic_(static_cast<std::size_t>(n_)) {
    for (int i = 0; i < n_; ++i) {
      t_(i, i) = 1, t_(i, extra()) = -1, t_(i, right()) = q[static_cast<std::size_t>(i)];
      for (int j = 0; j < n_; ++j) t_(i, n_ + j) = -M(i, j);
      basic_[static_cast<std::size_t>(i)] = i;
    }
  }

  int extra() const { return 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  double value(int row) const { return t_(row, right()); }
  // z0 is zero, or so small that only rounding keeps it from leaving in a tie.
  bool is_solved() const {
    const auto row = std::ranges::find(basic_, extra());
    return row == basic_.end() || value(static_cast<int>(row - basic_.begin())) < 1e-12;
  }
  const std::vector<int>& basic() const { return basic_; }

  int most_negative_row() const {
    int row = 0;
    for (int i = 1; i < n_; ++i) {
      if (precedes(i, 1.0, row, 1.0)) row = i;
    }
    return row;
  }

  // -1: the variable can grow without end.
  int leaving_row(int entering) const {
    int row = -1;
    for (int i = 0; i < n_; ++i) {
      const double pivot = t_(i, entering);
      if (pivot > least_pivot && (row < 0 || precedes(i, pivot, row, t_(row, entering)))) row = i;
    }
    return row;
  }

  // The variable that left.
  int pivot(int row, int entering) {
    const double scale = 1 / t_(row, entering);
    for (int j = 0; j < t_.cols; ++j) t_(row, j) *= scale;
    for (int i = 0; i < n_; ++i) {
      const double factor = t_(i, entering);
      if (i == row || factor == 0) continue;
      for (int j = 0; j < t_.cols; ++j) t_(i, j) -= factor * t_(row, j);
      t_(i, entering) = 0;
    }
    return std::exchange(basic_[static_cast<std::size_t>(row)], entering);
  }

 private:
  int right() const { return 2 * n_ + 1; }
  // Whether (value, inverse of the basis) of row i divided by a comes before that of row k divided by b.
  bool precedes(int i, double a, int k, double b) const {
    if (const double d = value(i) / a - value(k) / b; std::abs(d) > 1e-14 * (std::abs(value(i) / a) + 1)) return d < 0;
    for (int j = 0; j < n_; ++j) {
      if (const double d = t_(i, j) / a - t_(k, j) / b; std::abs(d) > 1e-14) return d < 0;
    }
    return false;
  }

  int n_;
  DenseMatrix t_;
  std::vector<int> basic_;
};

// Lemke's path from z0 = -min q to z0 = 0: the values of z, or nothing.
bool follow_path(const DenseMatrix& M, const Vector& q, Vector& z, int& pivots) {
  Tableau tableau(M, q);
  const int n = M.rows, most = 50 + 20 * n * n;
  int left = tableau.pivot(tableau.most_negative_row(), tableau.extra());
  for (pivots = 1; !tableau.is_solved(); ++pivots) {
    const int entering = tableau.complement(left), row = tableau.leaving_row(entering);
    if (row < 0 || pivots > most) return false;
    left = tableau.pivot(row, entering);
  }
  for (int i = 0; i < n; ++i) {
    const int variable = tableau.basic()[static_cast<std::size_t>(i)];
    if (variable >= n && variable != tableau.extra())
      z[static_cast<std::size_t>(variable - n)] = std::max(0.0, tableau.value(i));
  }
  return true;
}

}  // namespace

Complementarity solve_complementarity(const DenseMatrix& M, const Vector& q) {
  const auto n = q.size();
  Complementarity out;
  out.z.assign(n, 0.0), out.w = q;
  out.ok = std::ranges::all_of(q, [](double x) { return x >= 0; });
  if (out.ok || !M.is_finite() || !std::isfinite(largest(q))) return out;
  Vector scale(n, 1.0), scaled_q = q;  // D M D with ones on the diagonal: masses may differ by many orders
  for (std::size_t i = 0; i < n; ++i) {
    if (const double d = M(static_cast<int>(i), static_cast<int>(i)); d > 0) scale[i] = 1 / std::sqrt(d);
  }
  for (std::size_t i = 0; i < n; ++i) scaled_q[i] *= scale[i];
  const double size = largest(scaled_q);
  for (double& x : scaled_q) x /= size;
  DenseMatrix scaled = M;
  for (int j = 0; j < M.cols; ++j) {
    for (int i = 0; i < M.rows; ++i)
      scaled(i, j) *= scale[static_cast<std::size_t>(i)] * scale[static_cast<std::size_t>(j)];
  }
  out.ok = follow_path(scaled, scaled_q, out.z, out.pivots);
  for (std::size_t i = 0; i < n; ++i) out.z[i] *= size * scale[i];
  out.w = M * out.z;
  for (std::size_t i = 0; i < n; ++i) out.w[i] = out.z[i] > 0 ? 0.0 : std::max(0.0, out.w[i] + q[i]);
  return out;
}

}  // namespace skyhook
