#include "skyhook/formalism/constrained_steps.h"

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/components.h"
#include "skyhook/math/sparse_rank.h"

namespace skyhook::formalism {
namespace {

// The rows of a matrix one by one.
class RowAccess {
 public:
  struct Entry {
    int column;
    double value;
  };
  RowAccess(const Csc& a, const Linearised& lin, const std::vector<int>& held) : rows_(a.pattern->rows) {
    std::vector<char> is_held(a.pattern->cols, 0);
    for (const int j : held) is_held[j] = 1;
    for (int j = 0; j < a.pattern->cols; ++j) {
      if (is_held[j]) continue;
      const double scale = 1 / std::sqrt(lin.inertia(j));
      for (int k = a.pattern->start[j]; k < a.pattern->start[j + 1]; ++k) {
        if (a.value[k] != 0) rows_[a.pattern->row[k]].push_back({j, scale * a.value[k]});
      }
    }
  }
  const std::vector<Entry>& row(int r) const { return rows_[r]; }
  // Columns that the rows of a group touch.
  std::vector<int> columns(const std::vector<int>& group) const {
    std::vector<int> out;
    for (const int r : group) {
      for (const Entry& e : rows_[r]) out.push_back(e.column);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

 private:
  std::vector<std::vector<Entry>> rows_;
};

int place_of(const std::vector<int>& columns, int column) {
  return static_cast<int>(std::lower_bound(columns.begin(), columns.end(), column) - columns.begin());
}

using Columns = std::vector<Vector>;

void remove_parts(const Columns& basis, Vector& x) {
  for (int pass = 0; pass < 2; ++pass) {  // once more for what rounding has left
    for (const Vector& b : basis) {
      double part = 0;
      for (std::size_t i = 0; i < x.size(); ++i) part += b[i] * x[i];
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * b[i];
    }
  }
}

double length_of(const Vector& x) {
  double square = 0;
  for (const double e : x) square += e * e;
  return std::sqrt(square);
}

// Rows of given values that do not depend on what is chosen already, in their order.
void add_given(const DenseMatrix& A, const std::vector<int>& given, double longest, std::vector<int>& chosen) {
  Columns basis;
  const auto column = [&](int k) {
    const auto first = A.value.begin() + static_cast<std::ptrdiff_t>(k) * A.rows;
    return Vector(first, first + A.rows);
  };
  const auto take = [&](int k) {
    Vector x = column(k);
    remove_parts(basis, x);
    const double length = length_of(x);
    if (!(length > rank_threshold * longest)) return false;
    for (double& e : x) e /= length;
    basis.push_back(std::move(x));
    return true;
  };
  for (const int k : chosen) take(k);
  for (const int k : given) {
    if (static_cast<int>(basis.size()) == A.rows) break;  // nothing else is independent of so many
    if (take(k)) chosen.push_back(k);
  }
}

// Rows that touch a coordinate. Those of a plane loop that ask for nothing beside its plane are as many again, or more, and depend on no row.
std::vector<int> rows_with_entries(const RowAccess& access, const std::vector<int>& rows) {
  std::vector<int> out;
  std::ranges::copy_if(rows, std::back_inserter(out), [&](int r) { return !access.row(r).empty(); });
  return out;
}

void rank_dense(const RowAccess& access, int constraints, RowRank::Group& group) {
  const std::vector<int> columns = access.columns(group.rows), rows = rows_with_entries(access, group.rows);
  group.touching = static_cast<int>(rows.size());
  DenseMatrix A(static_cast<int>(columns.size()), static_cast<int>(rows.size()));  // transposed
  std::vector<int> every(columns.size()), first, given;
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<int>(i);
  double longest = 0;
  for (int k = 0; k < A.cols; ++k) {
    double square = 0;
    for (const auto& e : access.row(rows[k])) A(place_of(columns, e.column), k) = e.value, square += e.value * e.value;
    longest = std::max(longest, std::sqrt(square));
    (rows[k] < constraints ? first : given).push_back(k);
  }
  if (columns.empty()) return;
  std::vector<int> chosen;
  if (!first.empty()) {
    const PivotedColumns pivots = pivot_columns(A.select(every, first), rank_threshold);
    for (int k = 0; k < pivots.rank; ++k) chosen.push_back(first[pivots.order[k]]);
    group.condition = pivots.condition;
  }
  if (!given.empty()) add_given(A, given, longest, chosen);
  for (const int k : chosen) group.independent.push_back(rows[k]);
}

std::vector<int> independent_rows(const RowAccess& access, const std::vector<int>& rows, double& condition) {
  const std::vector<int> columns = access.columns(rows);
  PatternBuilder builder(static_cast<int>(columns.size()), static_cast<int>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const auto& e : access.row(rows[k])) builder.add(place_of(columns, e.column), static_cast<int>(k));
  }
  Csc A(std::make_shared<const Pattern>(builder.build()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    int at = A.pattern->start[k];  // both are sorted by columns
    for (const auto& e : access.row(rows[k])) A.value[at++] = e.value;
  }
  const IndependentColumns found = independent_columns(A, rank_threshold);
  condition = found.condition;
  std::vector<int> out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (found.independent[k]) out.push_back(rows[k]);
  }
  return out;
}

// Given values count only as far as all of them fit on top of the constraints: which of them to leave takes pivots.
void rank_sparse(const RowAccess& access, int constraints, RowRank::Group& group) {
  std::vector<int> first, given;
  for (const int r : group.rows) (r < constraints ? first : given).push_back(r);
  group.independent = independent_rows(access, first, group.condition);
  for (const int r : given) {
    std::vector<int> more = group.independent;
    more.push_back(r);
    double ignored = 1;
    if (independent_rows(access, more, ignored).size() == more.size()) group.independent = std::move(more);
  }
}

// Joined groups, as many linkages that couplers tie together: rows depend on each other within the parts as a rule, and what is independent there stays so
// together. False: not here.
bool rank_by_parts(const RowAccess& access, int constraints, const std::vector<std::vector<int>>& parts,
                   RowRank::Group& group) {
  std::vector<int> chosen, given;
  double condition = 1;
  for (const std::vector<int>& rows : parts) {
    RowRank::Group part;
    for (const int r : rows) (r < constraints ? part.rows : given).push_back(r);
    const bool is_small = static_cast<int>(part.rows.size()) <= dense_rows;
    (is_small ? rank_dense : rank_sparse)(access, constraints, part);
    chosen.insert(chosen.end(), part.independent.begin(), part.independent.end());
    condition = std::max(condition, part.condition);
  }
  if (independent_rows(access, chosen, group.condition).size() != chosen.size()) return false;
  group.condition = std::max(group.condition, condition);
  chosen.insert(chosen.end(), given.begin(), given.end());
  double ignored = 1;
  if (!given.empty() && independent_rows(access, chosen, ignored).size() != chosen.size()) return false;
  group.independent = std::move(chosen);
  group.parts = parts;
  return true;
}

}  // namespace

int RowRank::count() const {
  std::size_t sum = 0;
  for (const Group& group : groups) sum += group.independent.size();
  return static_cast<int>(sum);
}

RowRank rank_by_component(const Linearised& lin, const std::vector<int>& held, int firm) {
  const RowAccess access(lin.sparse_rows(), lin, held);
  const int constraints = lin.equations().ng() + firm;
  RowRank out;
  for (auto& [rows, parts] : row_components(lin.equations(), lin.given(), held)) {
    RowRank::Group& group = out.groups.emplace_back();
    group.rows = std::move(rows), group.touching = static_cast<int>(group.rows.size());
    const bool is_small = static_cast<int>(group.rows.size()) <= dense_rows;
    if (parts.size() == 1 || !rank_by_parts(access, constraints, parts, group))
      (is_small ? rank_dense : rank_sparse)(access, constraints, group);
    std::sort(group.independent.begin(), group.independent.end());
  }
  return out;
}

Vector ConstrainedSteps::Reduced::right(const Vector& b) const {
  Vector of_constraints, of_given;
  for (const int r : constraints) of_constraints.push_back(b[r]);
  for (const int r : given) of_given.push_back(b[r]);
  Vector y = of_first ? of_first->solve(of_constraints) : Vector();
  if (!y.empty() && of_second) {
    const Vector met = across * y;
    for (std::size_t i = 0; i < met.size(); ++i) of_given[i] -= met[i];
  }
  if (keeps_constraints) y.clear();
  if (!of_second) return y;
  const Vector more = of_second->solve(of_given);
  y.insert(y.end(), more.begin(), more.end());
  return y;
}

void ConstrainedSteps::reduce(const Linearised& lin, const std::vector<int>& group) {
  std::vector<int> columns;
  Reduced reduced;
  for (const int r : group) {
    if (rows_of_[r].empty()) continue;
    (r < constraints_ ? reduced.constraints : reduced.given).push_back(r);
    for (const auto& [column, value] : rows_of_[r]) columns.push_back(column);
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  const auto scaled = [&](const std::vector<int>& rows) {
    DenseMatrix A(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
    for (int i = 0; i < A.rows; ++i) {
      for (const auto& [column, value] : rows_of_[rows[i]])
        A(i, place_of(columns, column)) = value / std::sqrt(lin.inertia(column));
    }
    return A;
  };
  const auto use = [&](const DenseMatrix& basis) {  // columns
    for (int k = 0; k < basis.cols; ++k, ++rows_) {
      for (int j = 0; j < basis.rows; ++j)
        entries_.push_back({rows_, columns[j], basis(j, k) * std::sqrt(lin.inertia(columns[j]))});
    }
  };
  const DenseMatrix A = scaled(reduced.constraints);
  const DenseMatrix first = row_space(A, rank_threshold);
  if (first.cols > 0) reduced.of_first.emplace(A * first, rank_threshold);
  reduced.keeps_constraints = first.cols == A.rows;  // they depend on nothing, and are sparse
  if (reduced.keeps_constraints) keep(reduced.constraints);
  reduced.at = rows_;
  if (!reduced.keeps_constraints) use(first);
  if (!reduced.given.empty()) {
    DenseMatrix B = scaled(reduced.given);
    if (first.cols > 0) {
      reduced.across = B * first;
      const DenseMatrix along = reduced.across * transpose(first);
      const double size = largest(B.value);
      for (std::size_t i = 0; i < B.value.size(); ++i) {
        B.value[i] -= along.value[i];
        if (std::abs(B.value[i]) < 10 * rank_threshold * rank_threshold * size) B.value[i] = 0;  // rounding
      }
    }
    const DenseMatrix second = largest(B.value) > 0 ? row_space(B, rank_threshold) : DenseMatrix(B.cols, 0);
    if (second.cols > 0) reduced.of_second.emplace(B * second, rank_threshold);
    use(second);
  }
  reduced_.push_back(std::move(reduced));
}

void ConstrainedSteps::keep(const std::vector<int>& rows) {
  for (const int r : rows) {
    for (const auto& [column, value] : rows_of_[r]) entries_.push_back({rows_, column, value});
    kept_.push_back({r, rows_++});
  }
}

void ConstrainedSteps::add_group(const Linearised& lin, const RowRank::Group& group) {
  const auto is_small = [](const std::vector<int>& rows) { return static_cast<int>(rows.size()) <= dense_rows; };
  if (group.is_full()) return keep(group.independent);
  if (group.parts.empty()) return is_small(group.rows) ? reduce(lin, group.rows) : keep(group.independent);
  for (const std::vector<int>& rows : group.parts) {
    std::vector<int> independent, dependent, given;
    for (const int r : rows) {
      if (rows_of_[r].empty()) continue;
      const bool is_independent = std::ranges::binary_search(group.independent, r);
      (r >= constraints_ ? given : is_independent ? independent : dependent).push_back(r);
    }
    keep(given);
    if (dependent.empty() || !is_small(rows)) {
      keep(independent);
      continue;
    }
    independent.insert(independent.end(), dependent.begin(), dependent.end());
    std::ranges::sort(independent);
    reduce(lin, independent);
  }
}

ConstrainedSteps::ConstrainedSteps(const Linearised& lin, const std::vector<int>& held, int firm, const SoftRows& soft)
    : ConstrainedSteps(lin, rank_by_component(lin, held, firm), held, firm, soft) {}

ConstrainedSteps::ConstrainedSteps(const Linearised& lin, const RowRank& rank, const std::vector<int>& held, int firm,
                                   const SoftRows& soft)
    : nv_(lin.equations().nv()), constraints_(lin.equations().ng() + firm), is_held_(nv_, 0), rows_of_(lin.rows()) {
  for (const int j : held) is_held_[j] = 1;
  const Csc& G = lin.sparse_rows();
  for (int j = 0; j < nv_; ++j) {
    for (int k = G.pattern->start[j]; k < G.pattern->start[j + 1] && !is_held_[j]; ++k) {
      if (G.value[k] != 0) rows_of_[G.pattern->row[k]].push_back({j, G.value[k]});
    }
  }
  for (const auto& group : rank.groups) add_group(lin, group);
  factor(lin, soft);
}

void ConstrainedSteps::factor(const Linearised& lin, const SoftRows& soft) {
  const int n = nv_ + rows_ + soft.count;
  const Pattern& mass = *lin.sparse_mass().pattern;
  const auto entries = [&](auto&& put) {
    for (int j = 0; j < nv_; ++j) {
      if (is_held_[j]) put(j, j, 1.0);
      for (int k = mass.start[j]; k < mass.start[j + 1]; ++k) {
        if (!is_held_[j] && !is_held_[mass.row[k]]) put(mass.row[k], j, lin.sparse_mass().value[k]);
      }
    }
    for (const Entry& e : entries_) put(nv_ + e.row, e.column, e.value), put(e.column, nv_ + e.row, e.value);
    for (int k = 0; k < soft.count; ++k) put(nv_ + rows_ + k, nv_ + rows_ + k, -1 / soft.stiffness);
    for (const auto& e : soft.entries) {
      const int row = nv_ + rows_ + e.row;
      if (!is_held_[e.column]) put(row, e.column, e.value), put(e.column, row, e.value);
    }
  };
  PatternBuilder builder(n, n);
  entries([&](int i, int j, double) { builder.add(i, j); });
  matrix_ = Csc(std::make_shared<const Pattern>(builder.build()));
  entries([&](int i, int j, double value) { matrix_.value[matrix_.pattern->find(i, j)] = value; });
  lu_.emplace(matrix_.pattern, Klu::Use::once);
  ok_ = lu_->factor(matrix_.value);
}

Vector ConstrainedSteps::nearest(const Vector& force, const Vector& b) {
  if (!ok_) return Vector(nv_, std::nan(""));
  Vector x(matrix_.pattern->cols, 0.0);
  for (int j = 0; j < nv_; ++j) x[j] = is_held_[j] ? 0.0 : force[j];
  for (const auto& [row, at] : kept_) x[nv_ + at] = b[row];
  for (const Reduced& reduced : reduced_) std::ranges::copy(reduced.right(b), x.begin() + nv_ + reduced.at);
  lu_->solve_refined(x);
  x.resize(nv_);
  return x;
}

}  // namespace skyhook::formalism
