// Sparse LU of small and medium matrices on a fixed pattern, refactorised on a fixed list of operations.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "skyhook/math/csc.h"
#include "skyhook/math/elimination_list.h"
#include "skyhook/math/markowitz.h"

namespace skyhook {

// Memory that is worth keeping, but holds nothing.
template <class T>
struct NotCopied : std::unique_ptr<T> {
  NotCopied() = default;
  NotCopied(const NotCopied&) : std::unique_ptr<T>() {}
  NotCopied& operator=(const NotCopied&) { return *this; }
  NotCopied(NotCopied&&) noexcept = default;
  NotCopied& operator=(NotCopied&&) noexcept = default;
  ~NotCopied() = default;
  using std::unique_ptr<T>::operator=;
};

// The first factor() chooses pivots (markowitz.h) and lists what is to be done; later ones only run the list, four numbers at a time, without allocation.
// When the kept pivots let entries grow, they are chosen anew, in memory that is kept for it: unless the fill is more than twice that of the first list, or
// a copy shares the list, that allocates nothing either. Copies give the same numbers bit by bit. Klu is the reference,
// and for matrices that are too large for a MarkowitzSearch.
class FixedLu {
 public:
  explicit FixedLu(std::shared_ptr<const Pattern> pattern);  // square

  // Values on the pattern, columns multiplied by `column_scale` unless that is empty. False: singular (or not finite), see
  // singular_column(); solve() is then not allowed.
  bool factor(std::span<const double> values, std::span<const double> column_scale = {});
  // A column that depends on others, or holds a value that is not finite; -1 when the last factor() succeeded.
  int singular_column() const { return singular_column_; }
  // b becomes A⁻¹ b, A without the scale.
  void solve(std::span<double> b);

  // Smallest over largest pivot, rows being scaled: a crude estimate. 0 when singular.
  double rcond() const { return singular_column_ < 0 ? rcond_ : 0.0; }
  // How often pivots were chosen (1 after the first factor).
  long pivotings() const { return pivotings_; }
  // Multiplications of one factorisation; 0 before the first.
  long operations() const { return has_list_ ? list_->operations() : 0; }

 private:
  struct PivotScratch {
    explicit PivotScratch(const Pattern& p) : search(p.cols), largest(p.rows), scaled(p.row.size()) {}
    MarkowitzSearch search;
    std::vector<double> largest;  // of each row
    std::vector<double> scaled;
  };
  void fill(std::span<const double> values);
  void size_rows();
  void eliminate();
  bool has_good_pivots(std::span<const double> values);
  bool choose_pivots(std::span<const double> values);
  const EliminationOrder& search_pivots(std::span<const double> values);
  void make_list(const EliminationOrder& order);
  bool reject(int column);
  double growth(std::span<const double> values);
  int not_finite(std::span<const double> values) const;

  std::shared_ptr<const Pattern> pattern_;
  std::shared_ptr<EliminationList> list_;
  bool has_list_ = false;
  NotCopied<PivotScratch> scratch_;
  std::vector<double> values_, multipliers_, inverse_, lower_, upper_, x_;
  std::vector<double> column_scale_;            // as it was given, or 1
  std::vector<double> row_scale_;               // in the order of the pivots: 1 / largest entry
  std::vector<double> largest_, largest_of_u_;  // scratch, by column
  double rcond_ = 1;                            // smallest over largest pivot of scaled rows
  double fresh_growth_ = 1, fresh_rcond_ = 1;   // when the pivots were chosen
  double watched_rcond_ = 1;                    // when growth was last looked at, or a higher one since
  int singular_column_ = -1;
  long pivotings_ = 0;
};

}  // namespace skyhook
