#include "skyhook/math/sparse_rank.h"

#include <colamd.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skyhook {
namespace {

struct Entry {
  int at;  // place of the column in the order
  double value;
};
using Row = std::vector<Entry>;  // ascending

// Columns in the order in which they are eliminated.
std::vector<int> fill_reducing_order(const Pattern& p) {
  std::vector<int> order(p.start);
  std::vector<int> work(colamd_recommended(p.nonzeros(), p.rows, p.cols), 0);
  std::copy(p.row.begin(), p.row.end(), work.begin());
  int stats[COLAMD_STATS];
  if (!colamd(p.rows, p.cols, static_cast<int>(work.size()), work.data(), order.data(), nullptr, stats))
    std::iota(order.begin(), order.end(), 0);
  order.resize(p.cols);
  return order;
}

std::vector<Row> rows_in_order(const Csc& a, const std::vector<int>& order) {
  std::vector<Row> rows(a.pattern->rows);
  for (int k = 0; k < static_cast<int>(order.size()); ++k) {
    for (int e = a.pattern->start[order[k]]; e < a.pattern->start[order[k] + 1]; ++e) {
      if (a.value[e] != 0) rows[a.pattern->row[e]].push_back({k, a.value[e]});
    }
  }
  return rows;
}

class Triangle {
 public:
  explicit Triangle(int columns) : rows_(columns) {}

  // Rotates a row away: where R has no row of its first column yet it becomes that.
  void take(Row row) {
    while (!row.empty()) {
      Row& upper = rows_[row.front().at];
      if (upper.empty()) {
        upper.swap(row);
        return;
      }
      rotate(upper, row);
    }
  }
  double pivot(int k) const { return rows_[k].empty() ? 0.0 : std::abs(rows_[k].front().value); }
  // Column k depends on others: its pivot is nothing.
  void drop(int k) {
    Row rest;
    rest.swap(rows_[k]);
    if (!rest.empty()) rest.erase(rest.begin());
    take(std::move(rest));
  }

 private:
  // Both begin with one column; `lower` loses it.
  void rotate(Row& upper, Row& lower) {
    const double a = upper.front().value, b = lower.front().value, r = std::hypot(a, b), c = a / r, s = b / r;
    up_.clear(), low_.clear();
    up_.push_back({upper.front().at, r});
    auto i = upper.begin() + 1, j = lower.begin() + 1;
    while (i != upper.end() || j != lower.end()) {
      const bool has_i = i != upper.end() && (j == lower.end() || i->at <= j->at);
      const bool has_j = j != lower.end() && (i == upper.end() || j->at <= i->at);
      const int at = has_i ? i->at : j->at;
      const double x = has_i ? (i++)->value : 0.0, y = has_j ? (j++)->value : 0.0;
      put(up_, at, c * x + s * y), put(low_, at, c * y - s * x);
    }
    upper.swap(up_), lower.swap(low_);
  }
  static void put(Row& to, int at, double value) {
    if (value != 0) to.push_back({at, value});
  }

  std::vector<Row> rows_;
  Row up_, low_;
};

double longest_column(const Csc& a) {
  double most = 0;
  for (int j = 0; j < a.pattern->cols; ++j) {
    double square = 0;
    for (int k = a.pattern->start[j]; k < a.pattern->start[j + 1]; ++k) square += a.value[k] * a.value[k];
    most = std::max(most, square);
  }
  return std::sqrt(most);
}

}  // namespace

IndependentColumns independent_columns(const Csc& a, double threshold) {
  const std::vector<int> order = fill_reducing_order(*a.pattern);
  Triangle triangle(a.pattern->cols);
  for (Row& row : rows_in_order(a, order)) triangle.take(std::move(row));
  IndependentColumns out;
  out.independent.assign(a.pattern->cols, 0);
  const double nothing = threshold * longest_column(a);
  double most = 0, least = 0;
  for (int k = 0; k < a.pattern->cols; ++k) {
    const double pivot = triangle.pivot(k);
    if (!(pivot > nothing)) {
      triangle.drop(k);
      continue;
    }
    out.independent[order[k]] = 1;
    least = out.rank == 0 ? pivot : std::min(least, pivot), most = std::max(most, pivot);
    ++out.rank;
  }
  if (out.rank > 0) out.condition = most / least;
  return out;
}

}  // namespace skyhook
