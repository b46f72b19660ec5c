// Sparse LU of a complex matrix alpha A + B whose parts A and B are real and share a pattern (RADAU5).
#pragma once
#include <complex>
#include <memory>
#include <span>

#include "skyhook/math/csc.h"

namespace skyhook {

class ComplexKlu {
 public:
  explicit ComplexKlu(std::shared_ptr<const Pattern> pattern);  // square
  ~ComplexKlu();
  ComplexKlu(const ComplexKlu&);  // with its pivots: it goes on to give the same numbers, bit by bit
  ComplexKlu& operator=(const ComplexKlu&);
  ComplexKlu(ComplexKlu&&) noexcept;
  ComplexKlu& operator=(ComplexKlu&&) noexcept;

  // Of alpha * a + b. False: singular or not finite; solve() is then not allowed. Pivots are kept while they are good.
  bool factor(std::complex<double> alpha, std::span<const double> a, std::span<const double> b);
  void solve(std::span<std::complex<double>> x);
  // How often pivots were chosen (1 after the first factor).
  long pivotings() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace skyhook
