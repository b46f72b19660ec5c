#include "skyhook/corrector/pattern_estimate.h"

#include <algorithm>
#include <cmath>

#include "skyhook/base/kept_answers.h"
#include "skyhook/corrector/differences.h"

namespace skyhook {
namespace {

constexpr double negligible = 1e-8;

void add_pattern(const Pattern& p, PatternBuilder& builder) {
  for (int j = 0; j < p.cols; ++j) {
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) builder.add(p.row[k], j);
  }
}

}  // namespace

PatternEstimate::PatternEstimate(const DaeProblem& problem) : problem_(problem), mass_(problem.structure().pattern) {
  const int n = problem.structure().size();
  pattern_ = std::make_shared<const Pattern>(PatternBuilder(n, n).build());
}

Eval PatternEstimate::scan(const Point& point, CSpan F, Workspace& workspace) {
  has_grown_ = false;
  if (const Eval eval = find_entries(point, F, workspace); eval != Eval::ok) return eval;
  const Structure& s = problem_.structure();
  PatternBuilder builder(s.size(), s.size());
  add_pattern(*pattern_, builder);
  add_entries(builder);
  add_mass(point, builder, workspace);
  add_products(s.products, builder.build(), builder);
  auto widened = std::make_shared<const Pattern>(builder.build());
  has_grown_ = widened->nonzeros() > pattern_->nonzeros();
  if (has_grown_) pattern_ = std::move(widened);
  return Eval::ok;
}

Eval PatternEstimate::find_entries(const Point& point, CSpan F, Workspace& workspace) {
  const Structure& s = problem_.structure();
  const std::vector<char> follows = is_product(s);
  std::vector<double> y(point.y.begin(), point.y.end()), yp(point.yp.begin(), point.yp.end()), moved(F.size());
  entries_.clear();
  for (int j = 0; j < s.size(); ++j) {
    if (follows[j]) continue;
    y[j] += Increments::pattern.of(y[j], s.y[j]);
    const double delta = y[j] - point.y[j];
    yp[j] += delta;
    ++residuals_, KeptAnswers::forget_if_told();
    if (const Eval eval = problem_.residual({point.t, y, yp, point.u}, moved, workspace); eval != Eval::ok) return eval;
    for (int i = 0; i < s.size(); ++i)
      if (moved[i] != F[i]) entries_.push_back({i, j, std::abs(moved[i] - F[i]) / delta});
    y[j] = point.y[j];
    yp[j] = point.yp[j];
  }
  return Eval::ok;
}

void PatternEstimate::add_entries(PatternBuilder& builder) const {
  const std::size_t n = problem_.structure().y.size();
  std::vector<double> in_row(n, 0.0), in_column(n, 0.0);
  for (const Entry& e : entries_) {
    in_row[e.row] = std::max(in_row[e.row], e.size);
    in_column[e.column] = std::max(in_column[e.column], e.size);
  }
  for (const Entry& e : entries_)
    if (e.size > negligible * std::min(in_row[e.row], in_column[e.column])) builder.add(e.row, e.column);
}

// dF/dy and dF/dy' may cancel in the sum, and not later.
void PatternEstimate::add_mass(const Point& point, PatternBuilder& builder, Workspace& workspace) {
  if (!problem_.mass(point, mass_, workspace)) return;
  const Pattern& p = *mass_.pattern;
  for (int j = 0; j < p.cols; ++j) {
    for (int k = p.start[j]; k < p.start[j + 1]; ++k)
      if (mass_.value[k] != 0) builder.add(p.row[k], j);
  }
}

}  // namespace skyhook
