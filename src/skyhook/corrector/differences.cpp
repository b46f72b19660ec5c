#include "skyhook/corrector/differences.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/base/kept_answers.h"

namespace skyhook {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Adds scale * dF/dx to column, where x is the entry of y or y' that `at` looks at.
Eval add_central_difference(const DaeProblem& problem, const Point& at, double& x, double nominal, double scale,
                            Span column, Workspace& workspace) {
  const double x0 = x, step = std::cbrt(epsilon) * std::max(std::abs(x0), nominal);
  std::vector<double> ahead(column.size()), behind(column.size());
  x = x0 + step;
  const Eval first = problem.residual(at, ahead, workspace);
  const double top = x;
  x = x0 - step;
  const Eval second = problem.residual(at, behind, workspace);
  const double bottom = x;
  x = x0;
  for (std::size_t i = 0; i < column.size(); ++i) column[i] += scale * (ahead[i] - behind[i]) / (top - bottom);
  return std::max(first, second);
}

// Calls use(j, column j of J) for each column, by central differences. y and y' are moved one after the other:
// moving both at once would lose the digits of dF/dy when alpha is large.
template <class Use>
Eval central_columns(const DaeProblem& problem, const Point& point, double alpha, Workspace& workspace, Use&& use) {
  const Structure& s = problem.structure();
  std::vector<double> y(point.y.begin(), point.y.end()), yp(point.yp.begin(), point.yp.end()), column(s.size());
  const Point at{point.t, y, yp, point.u};
  for (int j = 0; j < s.size(); ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    const double nominal = s.y[j].nominal;
    const Eval in_y = add_central_difference(problem, at, y[j], nominal, 1.0, column, workspace);
    const Eval in_yp = add_central_difference(problem, at, yp[j], nominal, alpha, column, workspace);
    if (const Eval eval = std::max(in_y, in_yp); eval != Eval::ok) return eval;
    use(j, CSpan(column));
  }
  return Eval::ok;
}

}  // namespace

const Increments Increments::first_order{std::sqrt(epsilon), std::sqrt(std::sqrt(epsilon))};
const Increments Increments::pattern{std::cbrt(epsilon), 1.0};
const Increments Increments::second_order{std::sqrt(std::sqrt(epsilon)), 1.0};

double Increments::of(double y, const Variable& v) const {
  const double size = v.counts_way ? std::min(std::abs(y), v.nominal) : std::abs(y);
  return relative * std::max(size, floor * v.nominal);
}

DifferenceJacobian::DifferenceJacobian(const DaeProblem& problem, ColumnGroups groups, const Increments& increments)
    : DifferenceJacobian(problem, std::move(groups), *problem.structure().pattern, increments) {}

DifferenceJacobian::DifferenceJacobian(const DaeProblem& problem, ColumnGroups groups, const Pattern& pattern,
                                       const Increments& increments)
    : problem_(problem),
      groups_(std::move(groups)),
      increments_(increments),
      products_(problem.structure().products, pattern) {
  const std::vector<char> follows = is_product(problem.structure());
  for (auto& group : groups_) std::erase_if(group, [&](int j) { return follows[j]; });
  std::erase_if(groups_, [](const auto& group) { return group.empty(); });
  for (auto* v : {&y_, &yp_, &delta_, &F_}) v->resize(problem.structure().size());
}

Eval DifferenceJacobian::evaluate(const Point& point, CSpan F, double alpha, Csc& J, Workspace& workspace) {
  std::copy(point.y.begin(), point.y.end(), y_.begin());
  std::copy(point.yp.begin(), point.yp.end(), yp_.begin());
  for (const std::vector<int>& group : groups_) {
    for (int j : group) move(point, j, alpha);
    ++residuals_, KeptAnswers::forget_if_told();
    if (const Eval eval = problem_.residual({point.t, y_, yp_, point.u}, F_, workspace); eval != Eval::ok) return eval;
    for (int j : group) store(point, F, j, J);
  }
  products_.fill(J);
  return Eval::ok;
}

void DifferenceJacobian::move(const Point& point, int j, double alpha) {
  y_[j] = point.y[j] + increments_.of(point.y[j], problem_.structure().y[j]);
  delta_[j] = y_[j] - point.y[j];  // what was really added after rounding
  yp_[j] = point.yp[j] + alpha * delta_[j];
}

void DifferenceJacobian::store(const Point& point, CSpan F, int j, Csc& J) {
  const Pattern& p = *J.pattern;
  for (int k = p.start[j]; k < p.start[j + 1]; ++k) J.value[k] = (F_[p.row[k]] - F[p.row[k]]) / delta_[j];
  y_[j] = point.y[j];
  yp_[j] = point.yp[j];
}

Eval difference_jacobian(const DaeProblem& problem, const Point& point, double alpha, Csc& J, Workspace& workspace) {
  const Pattern& p = *J.pattern;
  return central_columns(problem, point, alpha, workspace, [&](int j, CSpan column) {
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) J.value[k] = column[p.row[k]];
  });
}

JacobianMismatch largest_mismatch(const DaeProblem& problem, const Point& point, double alpha, Workspace& workspace) {
  const int n = problem.structure().size();
  Csc exact(problem.structure().pattern), exact_yp(problem.structure().pattern);
  problem.derivatives(point, exact, exact_yp, workspace);
  for (std::size_t k = 0; k < exact.value.size(); ++k) exact.value[k] += alpha * exact_yp.value[k];

  std::vector<std::vector<double>> columns(n);
  std::vector<double> row_size(n, 1.0), column_size(n, 1.0);
  central_columns(problem, point, alpha, workspace, [&](int j, CSpan column) {
    columns[j].assign(column.begin(), column.end());
    for (int i = 0; i < n; ++i) {
      row_size[i] = std::max(row_size[i], std::abs(column[i]));
      column_size[j] = std::max(column_size[j], std::abs(column[i]));
    }
  });
  JacobianMismatch worst;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double a = exact.at(i, j), b = columns[j][i];
      const double relative = std::abs(a - b) / std::min(row_size[i], column_size[j]);
      if (!(relative <= worst.relative)) worst = {relative, i, j, a, b};
    }
  return worst;
}

}  // namespace skyhook
