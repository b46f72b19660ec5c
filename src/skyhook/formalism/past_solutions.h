// The last solutions (a, lambda), and what they foretell of the next: by the polynomial through them whose order would have foretold the last
// one best.
#pragma once
#include <array>
#include <vector>

#include "skyhook/formalism/evaluation.h"

namespace skyhook::formalism {

// Of accelerations and of multipliers: each the largest.
std::array<double, 2> sizes_of(CSpan x, std::size_t nv);

class PastSolutions {
 public:
  explicit PastSolutions(std::size_t nv) : nv_(nv) {}
  void add(double t, const std::vector<double>& x);  // at a time that is not later than the last one they begin anew
  // Whether there are enough of them, close enough.
  bool foretells(double t) const { return may_extrapolate(least_order, t); }
  void foretell(double t, std::vector<double>& x) const;
  // Accelerations and multipliers have sizes of their own: of their shares the larger one.
  double relative_size(CSpan of, CSpan x) const;

 private:
  bool may_extrapolate(std::size_t order, double t) const;
  void extrapolate(std::size_t order, double t, std::vector<double>& x) const;
  void choose_order(double t, const std::vector<double>& x);

  struct Solution {
    double t = 0;
    std::vector<double> x;
  };
  static constexpr std::size_t least_order = 2;
  std::size_t nv_;
  std::array<Solution, 6> before_;  // the latest first
  std::size_t known_ = 0, order_ = least_order;
  int since_choice_ = 0;  // solutions since the order was chosen
  std::vector<double> guess_;
};

}  // namespace skyhook::formalism
