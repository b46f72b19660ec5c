// Sparse LU by SuiteSparse KLU on a fixed pattern: ordering once, then numbers only.
#pragma once
#include <memory>
#include <span>

#include "skyhook/math/csc.h"

namespace skyhook {

// Rows are scaled by their largest entry. The first factor() chooses pivots; later ones keep them and only renew the
// numbers (3-5 times cheaper, no allocation). When the kept pivots let entries grow, pivots are chosen anew. Of more than 1000 unknowns
// only the entries are factored that have been other than zero (live_entries.h): where one comes to life, all begins anew.
class Klu {
 public:
  // For a matrix that is factored many times the first factor() tries several orderings; for one that is factored `once` that costs more
  // than it gains.
  enum class Use { often, once };
  explicit Klu(std::shared_ptr<const Pattern> pattern,
               Use use = Use::often);  // square; may have empty columns, or none
  ~Klu();
  Klu(const Klu&);  // with its pivots: it goes on to give the same numbers, bit by bit
  Klu& operator=(const Klu&);
  Klu(Klu&&) noexcept;
  Klu& operator=(Klu&&) noexcept;

  // Values on the pattern. False: singular (or not finite), see singular_column(); the solves are then not allowed.
  bool factor(std::span<const double> values);
  // The first column that depends on others (or holds a non-finite value); -1 when the last factor() succeeded.
  int singular_column() const;

  // b becomes A⁻¹ b.
  void solve(std::span<double> b);
  // The same with one step of iterative refinement in working precision: twice the cost, backward stable again
  // after moderate growth of the kept pivots.
  void solve_refined(std::span<double> b);

  // Crude estimate min|u_ii| / max|u_ii| after row scaling. 1 for a 0 x 0 matrix, 0 when singular.
  double rcond() const;
  struct Work {
    double entries = 0, operations = 0;  // of L and U; of a factorisation
  };
  Work work() const;  // of the factors there are
  // How often pivots were chosen (1 after the first factor).
  long pivotings() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// Entries of the factors of a matrix of symmetric pattern, by the ordering AMD, before any pivot is chosen.
double estimated_fill(const Pattern& pattern);

}  // namespace skyhook
