// Backward differences of a solution on changing steps, for BDF with fixed leading coefficient: the formulas of Brenan,
// Campbell, Petzold, Numerical Solution of Initial-Value Problems in DAEs, chapter 5. phi[i] is the i-th divided difference
// times psi[0] ... psi[i-1], psi[i] the time from the newest value back over i + 1 steps. Each pass over the unknowns does
// all it can at once.
#pragma once
#include <array>
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook::integrator {

class BdfHistory {
 public:
  static constexpr int highest_order = 5;

  // Coefficients of a step of size h by order k from the present history.
  struct Step {
    double h = 0;
    int k = 1;
    double alpha = 0;  // y' = alpha y + ...: the leading coefficient over h
    double error = 0;  // the local error is this times the correction E of the predictor
    std::array<double, highest_order + 2> psi{}, beta{}, gamma{}, sigma{};
  };
  // Weighted root mean squares of what orders k - 3 to k + 1 would have left, up to their factors.
  struct Norms {
    double E = 0, minus_1 = 0, minus_2 = 0, minus_3 = 0, plus_1 = 0;
  };

  explicit BdfHistory(std::size_t n);

  // Begins at order `values.size() - 1` from equidistant values, the newest first.
  void begin(const std::vector<std::vector<double>>& values, double h);

  Step coefficients(double h, int k) const;
  // y and y' of the polynomial through the last k + 1 values, at the end of the step.
  void predict(const Step& step, Span y, Span yp) const;
  // weight is 0 where a variable is not tested.
  Norms norms(const Step& step, CSpan E, CSpan weight, double count) const;
  // Takes y = prediction + E as the newest value.
  void advance(const Step& step, CSpan E);
  // The polynomial of order k through the newest values, and its slope unless yp is empty; `back` before the newest.
  void interpolate(double back, int k, Span y, Span yp) const;

  CSpan newest() const { return {difference(0), n_}; }

 private:
  double* difference(int i) { return phi_.data() + static_cast<std::size_t>(i) * n_; }
  const double* difference(int i) const { return phi_.data() + static_cast<std::size_t>(i) * n_; }

  std::size_t n_;
  std::vector<double> phi_;
  std::array<double, highest_order + 2> psi_{};
};

}  // namespace skyhook::integrator
