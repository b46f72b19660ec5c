// Eigenvalues and eigenvectors of small real matrices that need not be symmetric: A x = lambda x.
#pragma once
#include <complex>
#include <vector>

#include "skyhook/math/dense.h"

namespace skyhook {

using Complex = std::complex<double>;
using ComplexVector = std::vector<Complex>;

struct EigenPairs {
  bool ok = false;  // the QR iteration has ended
  ComplexVector values;
  std::vector<ComplexVector> right, left;  // of each value: A x = lambda x, y^T A = lambda y^T, of length 1
};

// The matrix is balanced first (Parlett and Reinsch 1969): states in units of very different size cost no digits. Conjugate values stand side by
// side. Left vectors where they are asked for.
EigenPairs eigen_pairs(const DenseMatrix& a, bool with_left = false);

// (s - A)^-1 b.
ComplexVector solve_shifted(const DenseMatrix& a, Complex s, const ComplexVector& b);

}  // namespace skyhook
