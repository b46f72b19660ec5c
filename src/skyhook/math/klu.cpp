#include "skyhook/math/klu.h"

#include <klu.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "skyhook/math/live_entries.h"

namespace skyhook {

namespace {

// Reciprocal growth below which kept pivots are given up. At 1e-4 four digits are lost, which one refinement step
// recovers. Where fresh pivots do no better than that either, a hundredth of their growth is tolerated.
constexpr double poor_growth = 1e-4;
constexpr double worse_than_fresh = 1e-2;
// Growth shows in small pivots first: it is looked at only when these have fallen to a tenth.
constexpr double fallen_pivots = 0.1;

// Which ordering fills in least differs from matrix to matrix by a factor of two and more, and cannot be told before: the first
// factor() tries these.
struct Ordering {
  int method, blocks;  // 0: AMD, 1: COLAMD; whether into block triangular form
};
constexpr Ordering orderings[] = {{0, 0}, {0, 1}, {1, 1}};
// A wrong one takes minutes to try where there are many unknowns: pivots off the diagonal, which zeros on it call for, leave AMD's
// forecast far behind. COLAMD's order holds for any choice of pivots (Davis et al., ACM Trans. Math. Softw. 30, 2004, 353-376), as long as
// blocks do not exchange the rows first. Entries that are zero are left out there.
constexpr Ordering of_many{1, 0};
constexpr Ordering of_few{
    1, 1};  // of few unknowns, factored once: a wrong one costs little; the same work or, of 40 four-bars, half of it
constexpr int many = 1000;

}  // namespace

struct Klu::Factors {
  Factors(std::shared_ptr<const Pattern> p, Use use)
      : a(std::move(p)),
        live(a.pattern, n() <= many),
        scale(a.pattern->rows),
        rhs(a.pattern->rows),
        tries_orderings(use == Use::often && n() <= many) {
    assert(a.pattern->rows == a.pattern->cols);
    klu_defaults(&common);
    common.scale = -1;  // we scale: KLU divides anew in each of its functions, a tenth of the time for small systems
  }
  ~Factors() {
    if (numeric) klu_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
  // KLU copies nothing: what its numbers follow from is done again. Pivots depend on the values with which they were chosen, all
  // else on the last values alone.
  Factors(const Factors& other)
      : a(other.a),
        live(other.live),
        scaled(other.scaled),
        scale(other.scale),
        pivoted(other.pivoted),
        rhs(other.rhs),
        tries_orderings(other.tries_orderings),
        common(other.common),
        fresh_growth(other.fresh_growth),
        fresh_rcond(other.fresh_rcond),
        has_ordering(other.has_ordering),
        ordering(other.ordering),
        singular_column(other.singular_column),
        pivotings(other.pivotings) {
    if (other.symbolic) analyse(ordering);
    if (other.numeric) {
      numeric = klu_factor(start(), row(), pivoted.data(), symbolic, &common);
      if (!numeric) throw std::bad_alloc();
      if (pivoted != scaled) klu_refactor(start(), row(), scaled.data(), symbolic, numeric, &common);
    }
    common.rcond = other.common.rcond;
  }
  Factors& operator=(const Factors&) = delete;

  void analyse(Ordering wanted) {
    if (symbolic) klu_free_symbolic(&symbolic, &common);
    ordering = wanted;
    common.ordering = ordering.method, common.btf = ordering.blocks;
    common.halt_if_singular = 0;  // analyse a structurally singular pattern too: factor() shall name its column
    symbolic = klu_analyze(n(), start(), row(), &common);
    common.halt_if_singular = 1;  // otherwise klu_factor forgets in its last lines that it met a zero pivot
    if (!symbolic) throw std::bad_alloc();
  }
  // Leaves the ordering with the least work, and its factors; a singular matrix decides nothing.
  void choose_ordering() {
    if (!tries_orderings) {
      analyse(n() <= many ? of_few : of_many);
      has_ordering = true;
      return;
    }
    double least = std::numeric_limits<double>::infinity();
    Ordering best = orderings[1];
    klu_symbolic* best_symbolic = nullptr;
    klu_numeric* best_numeric = nullptr;
    for (const Ordering& o : orderings) {
      analyse(o);
      numeric = klu_factor(start(), row(), scaled.data(), symbolic, &common);
      if (const double work = work_of_factors(); work < least) {
        least = work, best = o;
        std::swap(symbolic, best_symbolic), std::swap(numeric, best_numeric);
      }
      if (numeric) klu_free_numeric(&numeric, &common);
    }
    has_ordering = std::isfinite(least);
    if (!has_ordering) return analyse(best);
    std::swap(symbolic, best_symbolic), std::swap(numeric, best_numeric);
    if (best_symbolic) klu_free_symbolic(&best_symbolic, &common);
    ordering = best, common.status = KLU_OK;
  }
  // Infinite where there are none.
  double work_of_factors() {
    if (!numeric || common.status == KLU_SINGULAR) return std::numeric_limits<double>::infinity();
    klu_flops(symbolic, numeric, &common);
    return common.flops + numeric->lnz + numeric->unz;
  }

  int n() const { return a.pattern->cols; }
  // KLU's interface is not const-correct; it does not write to the pattern.
  int* start() { return const_cast<int*>(live.pattern().start.data()); }
  int* row() { return const_cast<int*>(live.pattern().row.data()); }

  // Pivots and ordering belong to the entries there were.
  void take_new_entries() {
    if (!live.take(a.value)) return;
    if (numeric) klu_free_numeric(&numeric, &common);
    has_ordering = false;
  }
  // Rows by their largest entries.
  void scale_rows() {
    const int entries = live.count();
    const int* const at = row();
    scaled.resize(entries);
    std::fill(scale.begin(), scale.end(), 0.0);
    for (int k = 0; k < entries; ++k)
      scaled[k] = a.value[live.in_whole(k)], scale[at[k]] = std::max(scale[at[k]], std::abs(scaled[k]));
    for (double& s : scale) s = s > 0 ? 1 / s : 1.0;
    for (int k = 0; k < entries; ++k) scaled[k] *= scale[at[k]];
  }
  bool keep_pivots() {
    if (!numeric || !klu_refactor(start(), row(), scaled.data(), symbolic, numeric, &common)) return false;
    if (!has_pivots()) return false;
    return common.rcond >= fallen_pivots * fresh_rcond ||
           growth() >= std::min(poor_growth, worse_than_fresh * fresh_growth);
  }
  bool choose_pivots() {
    if (numeric) klu_free_numeric(&numeric, &common);
    if (!has_ordering) choose_ordering();
    if (!numeric) numeric = klu_factor(start(), row(), scaled.data(), symbolic, &common);
    ++pivotings, pivoted = scaled;
    if (!numeric && common.status != KLU_SINGULAR) throw std::bad_alloc();
    if (common.status == KLU_SINGULAR) return reject(common.singular_col);
    fresh_growth = growth();
    klu_rcond(symbolic, numeric, &common);  // rcond() tells it
    fresh_rcond = common.rcond;
    return true;
  }
  bool reject(int column) {
    singular_column = column;
    if (numeric) klu_free_numeric(&numeric, &common);
    return false;
  }
  bool has_pivots() {  // klu_refactor does not look at blocks of size 1
    klu_rcond(symbolic, numeric, &common);
    return common.rcond > 0;
  }
  double growth() {
    klu_rgrowth(start(), row(), scaled.data(), symbolic, numeric, &common);
    return common.rgrowth;
  }
  // Column of the first value that is not finite, or -1. KLU would loop or crash on such.
  int not_finite() const {
    const auto bad = std::find_if(a.value.begin(), a.value.end(), [](double v) { return !std::isfinite(v); });
    if (bad == a.value.end()) return -1;
    const auto& s = a.pattern->start;
    return static_cast<int>(std::upper_bound(s.begin(), s.end(), bad - a.value.begin()) - s.begin()) - 1;
  }

  Csc a;                              // the values last factored: refinement needs them
  LiveEntries live;                   // of which KLU knows
  std::vector<double> scaled, scale;  // what KLU sees; of each row
  std::vector<double> pivoted;        // those scaled with which the pivots were chosen
  std::vector<double> rhs;
  bool tries_orderings;
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  double fresh_growth = 1, fresh_rcond = 1;
  bool has_ordering = false;
  Ordering ordering{0, 1};  // of the symbolic analysis
  int singular_column = -1;
  long pivotings = 0;
};

Klu::Klu(std::shared_ptr<const Pattern> pattern, Use use)
    : factors_(std::make_unique<Factors>(std::move(pattern), use)) {}
Klu::~Klu() = default;
Klu::Klu(const Klu& other) : factors_(std::make_unique<Factors>(*other.factors_)) {}
Klu& Klu::operator=(const Klu& other) { return *this = Klu(other); }
Klu::Klu(Klu&&) noexcept = default;
Klu& Klu::operator=(Klu&&) noexcept = default;

bool Klu::factor(std::span<const double> values) {
  Factors& f = *factors_;
  assert(values.size() == f.a.value.size());
  std::copy(values.begin(), values.end(), f.a.value.begin());
  f.singular_column = -1;
  if (f.n() == 0) return true;
  if (const int column = f.not_finite(); column >= 0) return f.reject(column);
  f.take_new_entries();
  f.scale_rows();
  return f.keep_pivots() || f.choose_pivots();
}

int Klu::singular_column() const { return factors_->singular_column; }
long Klu::pivotings() const { return factors_->pivotings; }

void Klu::solve(std::span<double> b) {
  Factors& f = *factors_;
  assert(static_cast<int>(b.size()) == f.n());
  if (f.n() == 0) return;
  assert(f.numeric);
  for (int i = 0; i < f.n(); ++i) b[i] *= f.scale[i];
  klu_solve(f.symbolic, f.numeric, f.n(), 1, b.data(), &f.common);
}

void Klu::solve_refined(std::span<double> b) {
  Factors& f = *factors_;
  std::copy(b.begin(), b.end(), f.rhs.begin());
  solve(b);
  multiply_add(f.a, b, -1.0, f.rhs);  // the residual b - A x
  solve(f.rhs);
  for (int i = 0; i < f.n(); ++i) b[i] += f.rhs[i];
}

Klu::Work Klu::work() const {
  Factors& f = *factors_;
  if (!f.numeric) return {};
  klu_flops(f.symbolic, f.numeric, &f.common);
  return {static_cast<double>(f.numeric->lnz) + f.numeric->unz, f.common.flops};
}

double Klu::rcond() const {
  const Factors& f = *factors_;
  if (f.n() == 0) return 1.0;
  return f.numeric ? f.common.rcond : 0.0;
}

double estimated_fill(const Pattern& pattern) {
  assert(pattern.rows == pattern.cols);
  if (pattern.cols == 0) return 0.0;
  klu_common common;
  klu_defaults(&common);
  common.ordering = 0, common.btf = 0;  // COLAMD tells none
  klu_symbolic* symbolic =
      klu_analyze(pattern.cols, const_cast<int*>(pattern.start.data()), const_cast<int*>(pattern.row.data()), &common);
  if (!symbolic) throw std::bad_alloc();
  const double fill = symbolic->lnz + symbolic->unz;
  klu_free_symbolic(&symbolic, &common);
  return fill;
}

}  // namespace skyhook
