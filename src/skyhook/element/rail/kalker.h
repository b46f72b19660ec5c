// Kalker's coefficients of linear creep over the ratio a/b of the patch [Kalker 1990] table E.3, smooth: (17.9).
#pragma once
#include <optional>
#include <vector>

#include "skyhook/element/rail/creep_law.h"
#include "skyhook/math/spline.h"

namespace skyhook::element::rail {

template <class T>
struct CreepCoefficients {
  T C11, C22, C23, C33;
};

// The table at Poisson's ratio nu (a parabola through 1/C at 0, 1/4 and 1/2, as CONTACT has it), and Kalker's asymptotes for slender patches as
// more points of it. Between the points: C2 splines of ln C over ln(a/b); beyond 1 to 1000, powers of a/b.
class KalkerCoefficients {
 public:
  explicit KalkerCoefficients(double poisson);

  template <class T>
  CreepCoefficients<T> at(const T& a, const T& b) const {
    using std::log;
    const T x = log(a / b);
    const int piece = curves_[0].piece_at(value_of(x));
    return {value(0, piece, x), value(1, piece, x), value(2, piece, x), value(3, piece, x)};
  }
  // Without the last one, which moments of linear creep need alone: 0.
  template <class T>
  CreepCoefficients<T> without_C33(const T& a, const T& b) const {
    using std::log;
    const T x = log(a / b);
    const int piece = curves_[0].piece_at(value_of(x));
    return {value(0, piece, x), value(1, piece, x), value(2, piece, x), T(0.0)};
  }

 private:
  template <class T>
  T value(std::size_t i, int piece, const T& x) const {
    using std::exp;
    return exp(curves_[i].evaluate_piece(piece, x));
  }

  std::vector<CubicSpline> curves_;
};

// As the patch has them, or as the user says.
class CoefficientsOf {
 public:
  explicit CoefficientsOf(const CreepOptions& options)
      : fixed_(options.coefficients), table_(options.material.poisson) {}

  template <class T>
  CreepCoefficients<T> at(const T& a, const T& b) const {
    if (!fixed_) return table_.at(a, b);
    return {T(fixed_->C11), T(fixed_->C22), T(fixed_->C23), T(fixed_->C33)};
  }
  template <class T>
  CreepCoefficients<T> without_C33(const T& a, const T& b) const {
    return fixed_ ? at(a, b) : table_.without_C33(a, b);
  }

 private:
  std::optional<FixedCoefficients> fixed_;
  KalkerCoefficients table_;
};

// One row of the table as printed: g = min(a/b, b/a), three Poisson's ratios 0, 1/4, 1/2 for each of C11, C22, C23, C33.
struct KalkerRow {
  double ratio;  // a/b
  std::array<std::array<double, 3>, 4> C;
};
const std::array<KalkerRow, 19>& kalker_table();
double at_poisson(const std::array<double, 3>& C, double nu);
// Of a patch with a << b, a/b = g; or with b << a, b/a = g.
std::array<double, 4> narrow_along(double g, double nu);
std::array<double, 4> narrow_across(double g, double nu);

}  // namespace skyhook::element::rail
