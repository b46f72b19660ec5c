// Omega, the pattern of dF/dy and dF/dy' as differences show it, for residuals whose entries nobody can tell ([Arnold 2006] §3.1).
#pragma once
#include <memory>
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook {

// Entries of elements that are not active yet are missing: scan() adds them once they are. An entry counts where its quotient
// exceeds 1e-8 of the largest in its row or in its column, whichever is smaller. Newton's method would not notice what is
// below; much of it are rounding errors of terms that cancel. One that is above, in a small column of a large row, may be
// taken in for an entry: that costs a group at worst, while an entry that is left out costs convergence.
class PatternEstimate {
 public:
  explicit PatternEstimate(const DaeProblem& problem);

  // Omega becomes Omega u Sigma(dF/dy + dF/dy'), by a residual for each column; F is that at the point. A factor of one in
  // place of alpha: what is found shall not depend on the step size. Allocates.
  Eval scan(const Point& point, CSpan F, Workspace& workspace);
  long residuals() const { return residuals_; }  // of all scans

  const std::shared_ptr<const Pattern>& pattern() const { return pattern_; }
  bool has_grown() const { return has_grown_; }  // in the last scan

 private:
  struct Entry {
    int row, column;
    double size;
  };
  Eval find_entries(const Point& point, CSpan F, Workspace& workspace);
  void add_entries(PatternBuilder& builder) const;
  void add_mass(const Point& point, PatternBuilder& builder, Workspace& workspace);

  const DaeProblem& problem_;
  std::shared_ptr<const Pattern> pattern_;
  std::vector<Entry> entries_;  // of the last scan
  Csc mass_;
  long residuals_ = 0;
  bool has_grown_ = false;
};

}  // namespace skyhook
