// What local errors come to over the time scale of a motion, for methods of order 2: their steps are so many that errors of one tolerance each would add
// up to far more. Of a smooth motion they all have one sign. Those of a vibration cancel, and must not keep a method with damping of its own from passing over
// it. So the errors are added with their signs, and forgotten at the rate of the time scale:
//
//   S <- S exp(-h / tau) + e,   A <- A exp(-h / tau) + |e|,   error = |e| max(1, |S| / A tau / h)
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook::integrator {

class ErrorSum {
 public:
  explicit ErrorSum(std::size_t n) : sum_(n, 0.0), next_(n, 0.0) {}
  void forget() { std::fill(sum_.begin(), sum_.end(), 0.0), size_ = 0; }

  // Of weighted local errors e in a step of h; `norm` takes a span. The step may be rejected.
  template <class Norm>
  double measure(CSpan e, double h, double tau, Norm&& norm) {
    const double kept = tau > 0 ? std::exp(-h / tau) : 0.0, one = norm(e);
    for (std::size_t i = 0; i < sum_.size(); ++i) next_[i] = kept * sum_[i] + e[i];
    next_size_ = kept * size_ + one;
    const double coherent = next_size_ > 0 ? norm(next_) / next_size_ : 1.0;
    is_sum_ = coherent * tau > h;
    return one * (is_sum_ ? coherent * tau / h : 1.0);
  }
  bool is_sum() const { return is_sum_; }  // the last one: of order 2, not 3
  void accept() { std::swap(sum_, next_), size_ = next_size_; }

 private:
  std::vector<double> sum_, next_;
  double size_ = 0, next_size_ = 0;
  bool is_sum_ = false;
};

}  // namespace skyhook::integrator
