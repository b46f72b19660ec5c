// From matrices over columns of the motion subspace to those over coordinates: the columns of points of a body that bends are sums of its modes or nodal coordinates,
// (q, v, a) of columns = T (q, v, a) with constant T, so that tau = T^T tau and K = T^T K T hold exactly.
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
  Contraction(const Pattern& wide, const Expansion& rows, const Expansion& columns, std::span<const std::pair<int, int>> more = {});
  const Pattern& pattern() const { return narrow_; }
  int nonzeros() const { return wide_; }  // of the wide matrix
  // All entries; `scratch` keeps what is between.
  void apply(std::span<const double> wide, double* const* columns, std::vector<double>& scratch) const;
  void apply(std::span<const double> wide, std::span<double> values, std::vector<double>& scratch) const;

 private:
  struct Term {
    int from, to;
    double factor;
  };
  static std::vector<Term> terms_of(const Pattern& from, const Pattern& to, const Expansion& index, bool is_row);

  Pattern narrow_;
  int wide_ = 0, between_ = 0;
  std::vector<Term> columns_, rows_;  // first columns are put together, then rows
};

}  // namespace skyhook::formalism::recursive
