// Sparse LU of small and medium matrices on a fixed pattern, refactorised on a fixed list of operations.
#pragma once
#include <complex>
#include <memory>
#include <span>
#include <vector>

#include "skyhook/math/csc.h"
#include "skyhook/math/elimination_list.h"

namespace skyhook {

// The first factor() chooses pivots (markowitz.h) and lists what is to be done; later ones only run the list, four numbers at a time, without allocation.
// When the kept pivots let entries grow, they are chosen anew. Copies share the list and give the same numbers bit by bit. Scalar: double or
// std::complex<double>. Klu is the reference, and for matrices that are too large for markowitz_order().
template <class Scalar>
class FixedLu {
 public:
  explicit FixedLu(std::shared_ptr<const Pattern> pattern);  // square

  // Values on the pattern, columns multiplied by `column_scale` unless that is empty. False: singular (or not finite), see
  // singular_column(); solve() is then not allowed.
  bool factor(std::span<const Scalar> values, std::span<const double> column_scale = {});
  // A column that depends on others, or holds a value that is not finite; -1 when the last factor() succeeded.
  int singular_column() const { return singular_column_; }
  // b becomes A⁻¹ b, A without the scale.
  void solve(std::span<Scalar> b);

  // Smallest over largest pivot, rows being scaled: a crude estimate. 0 when singular.
  double rcond() const { return singular_column_ < 0 ? rcond_ : 0.0; }
  // How often pivots were chosen (1 after the first factor).
  long pivotings() const { return pivotings_; }
  // Multiplications of one factorisation; 0 before the first.
  long operations() const { return list_ ? list_->operations() : 0; }

 private:
  void fill(std::span<const Scalar> values);
  void size_rows();
  void eliminate();
  bool has_good_pivots(std::span<const Scalar> values);
  bool choose_pivots(std::span<const Scalar> values);
  bool reject(int column);
  double growth(std::span<const Scalar> values);
  int not_finite(std::span<const Scalar> values) const;

  std::shared_ptr<const Pattern> pattern_;
  std::shared_ptr<const EliminationList> list_;
  std::vector<double> values_, multipliers_, inverse_, lower_, upper_, x_;  // real parts, then imaginary ones
  std::vector<double> column_scale_;                                        // as it was given, or 1
  std::vector<double> row_scale_;               // in the order of the pivots: 1 / largest entry
  std::vector<double> largest_, largest_of_u_;  // scratch, by column
  double rcond_ = 1;                            // smallest over largest pivot of scaled rows
  double fresh_growth_ = 1, fresh_rcond_ = 1;   // when the pivots were chosen
  int singular_column_ = -1;
  long pivotings_ = 0;
};

extern template class FixedLu<double>;
extern template class FixedLu<std::complex<double>>;

}  // namespace skyhook
