#include "skyhook/formalism/recursive/contraction.h"

#include <algorithm>

namespace skyhook::formalism::recursive {
namespace {

Pattern contracted(const Pattern& from, const Expansion& rows, const Expansion& columns, std::span<const std::pair<int, int>> more = {}) {
  PatternBuilder builder(rows.narrow, columns.narrow);
  for (const auto& [i, j] : more) builder.add(i, j);
  for (int j = 0; j < from.cols; ++j) {
    for (int k = from.start[j]; k < from.start[j + 1]; ++k) {
      for (const auto& column : columns.of[j]) {
        for (const auto& row : rows.of[from.row[k]]) builder.add(row.first, column.first);
      }
    }
  }
  return builder.build();
}

}  // namespace

Expansion Expansion::same(int count) {
  Expansion out{{}, count};
  for (int i = 0; i < count; ++i) out.of.push_back({{i, 1.0}});
  return out;
}

Expansion Expansion::columns(const Tree& tree) {
  Expansion out = same(tree.first_waist);
  for (const int p : tree.points) {
    const Waist& waist = *tree.nodes[p].waist;
    for (int c = 0; c < 6; ++c) {
      out.of.emplace_back();
      for (int k = 0; k < waist.modes; ++k) {
        const double factor = waist.B[c * waist.modes + k];
        if (factor != 0.0) out.of.back().push_back({waist.iv + k, factor});
      }
    }
  }
  return out;
}

void Expansion::append(const Expansion& other) {
  for (auto terms : other.of) {
    for (auto& term : terms) term.first += narrow;
    of.push_back(std::move(terms));
  }
  narrow += other.narrow;
}

Contraction::Contraction(const Pattern& wide, const Expansion& rows, const Expansion& columns, std::span<const std::pair<int, int>> more)
    : wide_(wide.nonzeros()) {
  const Pattern between = contracted(wide, Expansion::same(wide.rows), columns);
  narrow_ = contracted(wide, rows, columns, more);
  between_ = between.nonzeros();
  columns_ = terms_of(wide, between, columns, false);
  rows_ = terms_of(between, narrow_, rows, true);
}

std::vector<Contraction::Term> Contraction::terms_of(const Pattern& from, const Pattern& to, const Expansion& index,
                                                     bool is_row) {
  std::vector<Term> out;
  for (int j = 0; j < from.cols; ++j) {
    for (int k = from.start[j]; k < from.start[j + 1]; ++k) {
      const int i = from.row[k];
      for (const auto& [narrow, factor] : index.of[is_row ? i : j])
        out.push_back({k, is_row ? to.find(narrow, j) : to.find(i, narrow), factor});
    }
  }
  return out;
}

void Contraction::apply(std::span<const double> wide, std::span<double> values, std::vector<double>& scratch) const {
  scratch.assign(static_cast<std::size_t>(between_), 0.0);
  for (const Term& t : columns_)
    scratch[static_cast<std::size_t>(t.to)] += t.factor * wide[static_cast<std::size_t>(t.from)];
  std::ranges::fill(values, 0.0);
  for (const Term& t : rows_)
    values[static_cast<std::size_t>(t.to)] += t.factor * scratch[static_cast<std::size_t>(t.from)];
}

void Contraction::apply(std::span<const double> wide, double* const* columns, std::vector<double>& scratch) const {
  const auto between = static_cast<std::size_t>(between_), all = between + static_cast<std::size_t>(narrow_.nonzeros());
  scratch.assign(all, 0.0);
  double *const first = scratch.data(), *const second = first + between;
  for (const Term& t : columns_) first[t.to] += t.factor * wide[static_cast<std::size_t>(t.from)];
  for (const Term& t : rows_) second[t.to] += t.factor * first[t.from];
  for (int j = 0; j < narrow_.cols; ++j)
    std::copy(second + narrow_.start[j], second + narrow_.start[j + 1], columns[j]);
}

}  // namespace skyhook::formalism::recursive
