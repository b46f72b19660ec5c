// From matrices over columns of the motion subspace to those over coordinates: the columns of points of a body that bends are sums of its modes or nodal coordinates,
// (q, v, a) of columns = T (q, v, a) with constant T, so that tau = T^T tau and K = T^T K T hold exactly.
//
// A point of a body with m modes makes m terms of each entry in its six columns. They lie side by side, and so do their factors (a row of the point's
// matrix): so they are kept as one run, and the sums are loops without indices.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "skyhook/formalism/recursive/tree.h"
#include "skyhook/math/csc.h"

namespace skyhook::formalism::recursive {

// What each wide index becomes: narrow ones with their factors.
struct Expansion {
  std::vector<std::vector<std::pair<int, double>>> of;
  int narrow = 0;

  static Expansion same(int count);
  static Expansion columns(const Tree& tree);  // columns to coordinates
  void append(const Expansion& other);         // behind the present ones
};

class Contraction {
 public:
  Contraction() = default;
  // `more`: entries of the result that are added to it later.
  Contraction(const Pattern& wide, const Expansion& rows, const Expansion& columns,
              std::span<const std::pair<int, int>> more = {});
  const Pattern& pattern() const { return narrow_; }
  int nonzeros() const { return wide_; }  // of the wide matrix
  // All entries; `scratch` keeps what is between.
  void apply(std::span<const double> wide, double* const* columns, std::vector<double>& scratch) const;
  void apply(std::span<const double> wide, std::span<double> values, std::vector<double>& scratch) const;

 private:
  // to[i] += from * factor[i] for i below count, or to[i] += from[i] where the factors are all one.
  struct Run {
    int from, to, count, factors;
  };
  struct Runs {
    std::vector<Run> same, spread;
    void add(int from, int to, double factor, int place);
    void apply(const double* from, const std::vector<double>& factors, double* to) const;
  };

  Pattern narrow_;
  int wide_ = 0, between_ = 0;
  std::vector<double> column_factors_, row_factors_;  // of all wide indices, one behind the other
  Runs columns_, rows_;  // first columns are put together, to what lies between row by row; then rows
};

}  // namespace skyhook::formalism::recursive
