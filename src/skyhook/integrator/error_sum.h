// What local errors come to over the time scale tau of a motion, for methods of order 2: their steps are so many that errors of one tolerance each would add
// up to far more. Of a smooth motion they all have one sign. Those of a vibration cancel, and must not keep a method with damping of its own from passing over
// it. So a local error e counts for the time in which errors stay alike, at most tau:
//
//   error = |e| max(1, T / h)
//
// Third derivatives d = e / h^3 are summed with their signs and without, and forgotten: J <- J f + h d, A <- A f + h |d|, W <- W f + h. The coherence c = |J| / A
// is 1 where all are alike. In the long run, f = exp(-h / tau), T is c tau. Over the last steps, f = exp(-1 / 8), it is c W / (1 - c)^2: no limit where
// errors are alike but for what Newton's method has left over, little more than a step where they alternate. The smaller one counts: the first has forgotten
// what the second still sees, vibrations of old, and the second does not see what adds up beside larger errors that cancel.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook::integrator {

class ErrorSum {
 public:
  explicit ErrorSum(std::size_t n) : long_run_(n), recent_(n) {}
  void forget() { long_run_.forget(), recent_.forget(); }
  // Behind a jump errors count as if all of them had been alike so far, until they are seen not to be.
  void interrupt() { long_run_.interrupt(), recent_.interrupt(); }

  // Of weighted local errors e, of order 3, in a step of h; `norm` takes a span. The step may be rejected.
  template <class Norm>
  double measure(CSpan e, double h, double tau, Norm&& norm) {
    const double one = norm(e), kept_recent = std::exp(-1.0 / 8);
    long_run_.add(e, one, h, tau > 0 ? std::exp(-h / tau) : 0.0), recent_.add(e, one, h, kept_recent);
    const double c = recent_.coherence(norm), apart = (1 - c) * (1 - c);
    const double in_the_long_run = long_run_.coherence(norm) * tau;
    const double lately = apart > 0 ? c * recent_.next_time / apart : std::numeric_limits<double>::infinity();
    const double alike = std::min(in_the_long_run, lately);
    is_sum_ = alike > h;
    return is_sum_ ? one * alike / h : one;
  }
  // Of errors that are guessed, in a first step: alike for the whole time scale, and no part of the sums.
  template <class Norm>
  double guess(CSpan e, double h, double tau, Norm&& norm) {
    long_run_.stay(), recent_.stay();
    is_sum_ = tau > h;
    return norm(e) * std::max(1.0, tau / h);
  }
  bool is_sum() const { return is_sum_; }  // the last one: of order 2, not 3
  void accept() { long_run_.accept(), recent_.accept(); }

 private:
  struct Sums {
    explicit Sums(std::size_t n) : sum(n, 0.0), next(n, 0.0) {}
    void interrupt() { std::fill(sum.begin(), sum.end(), 0.0), size = 0; }
    void forget() { interrupt(), time = 0; }
    void add(CSpan e, double one, double h, double kept) {
      const double scale = 1 / (h * h);
      for (std::size_t i = 0; i < sum.size(); ++i) next[i] = kept * sum[i] + scale * e[i];
      next_size = kept * size + scale * one, next_time = kept * time + h;
    }
    void stay() { next = sum, next_size = size, next_time = time; }
    template <class Norm>
    double coherence(Norm&& norm) const {
      return next_size > 0 ? std::min(1.0, norm(next) / next_size) : 0.0;
    }
    void accept() { std::swap(sum, next), size = next_size, time = next_time; }

    std::vector<double> sum, next;
    double size = 0, next_size = 0, time = 0, next_time = 0;
  };
  Sums long_run_, recent_;
  bool is_sum_ = false;
};

}  // namespace skyhook::integrator
