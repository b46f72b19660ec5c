#include "skyhook/math/complex_klu.h"

#include <klu.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <new>
#include <vector>

namespace skyhook {

struct ComplexKlu::Factors {
  explicit Factors(std::shared_ptr<const Pattern> p)
      : pattern(std::move(p)), value(2 * pattern->row.size()), pivoted(value) {
    klu_defaults(&common);
    if (n() > 0) analyse();
  }
  ~Factors() {
    if (numeric) klu_z_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
  // As in klu.cpp.
  Factors(const Factors& other)
      : pattern(other.pattern),
        value(other.value),
        pivoted(other.pivoted),
        pivotings(other.pivotings),
        common(other.common) {
    if (n() == 0) return;
    analyse();
    if (!other.numeric) return;
    numeric = klu_z_factor(start(), row(), pivoted.data(), symbolic, &common);
    if (!numeric) throw std::bad_alloc();
    if (pivoted != value) klu_z_refactor(start(), row(), value.data(), symbolic, numeric, &common);
  }
  Factors& operator=(const Factors&) = delete;

  void analyse() {
    common.halt_if_singular = 0;  // analyse a structurally singular pattern too
    symbolic = klu_analyze(n(), start(), row(), &common);
    common.halt_if_singular = 1;
    if (!symbolic) throw std::bad_alloc();
  }
  int n() const { return pattern->cols; }
  int* start() { return const_cast<int*>(pattern->start.data()); }  // KLU does not write to it
  int* row() { return const_cast<int*>(pattern->row.data()); }

  // Kept pivots are given up where entries grow ten thousand times, as in klu.cpp.
  bool keep_pivots() {
    if (!numeric || !klu_z_refactor(start(), row(), value.data(), symbolic, numeric, &common)) return false;
    klu_z_rcond(symbolic, numeric, &common);
    if (!(common.rcond > 0)) return false;
    klu_z_rgrowth(start(), row(), value.data(), symbolic, numeric, &common);
    return common.rgrowth >= 1e-4;
  }
  bool choose_pivots() {
    if (numeric) klu_z_free_numeric(&numeric, &common);
    numeric = klu_z_factor(start(), row(), value.data(), symbolic, &common);
    if (!numeric && common.status != KLU_SINGULAR) throw std::bad_alloc();
    pivoted = value, ++pivotings;
    if (common.status != KLU_SINGULAR) return true;
    if (numeric) klu_z_free_numeric(&numeric, &common);
    return false;
  }

  std::shared_ptr<const Pattern> pattern;
  std::vector<double> value;    // real and imaginary part in turn
  std::vector<double> pivoted;  // those with which the pivots were chosen
  long pivotings = 0;
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

ComplexKlu::ComplexKlu(std::shared_ptr<const Pattern> pattern)
    : factors_(std::make_unique<Factors>(std::move(pattern))) {}
ComplexKlu::~ComplexKlu() = default;
ComplexKlu::ComplexKlu(const ComplexKlu& other) : factors_(std::make_unique<Factors>(*other.factors_)) {}
ComplexKlu& ComplexKlu::operator=(const ComplexKlu& other) { return *this = ComplexKlu(other); }
ComplexKlu::ComplexKlu(ComplexKlu&&) noexcept = default;
ComplexKlu& ComplexKlu::operator=(ComplexKlu&&) noexcept = default;

bool ComplexKlu::factor(std::complex<double> alpha, std::span<const double> a, std::span<const double> b) {
  Factors& f = *factors_;
  assert(2 * a.size() == f.value.size() && a.size() == b.size());
  if (f.n() == 0) return true;
  bool finite = true;
  for (std::size_t k = 0; k < a.size(); ++k) {
    f.value[2 * k] = alpha.real() * a[k] + b[k];
    f.value[2 * k + 1] = alpha.imag() * a[k];
    finite = finite && std::isfinite(f.value[2 * k]) && std::isfinite(f.value[2 * k + 1]);
  }
  return finite && (f.keep_pivots() || f.choose_pivots());
}

long ComplexKlu::pivotings() const { return factors_->pivotings; }

void ComplexKlu::solve(std::span<std::complex<double>> x) {
  Factors& f = *factors_;
  assert(static_cast<int>(x.size()) == f.n());
  if (f.n() == 0) return;
  assert(f.numeric);
  klu_z_solve(f.symbolic, f.numeric, f.n(), 1, reinterpret_cast<double*>(x.data()), &f.common);
}

}  // namespace skyhook
