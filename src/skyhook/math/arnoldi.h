// The largest eigenvalues of a large matrix that is known by its products alone (Arnoldi 1951; Saad, Numerical Methods for Large
// Eigenvalue Problems, 2011, chapter 6). With (A - s)^-1 as the product they are those of A nearest to s.
#pragma once
#include <functional>
#include <span>

#include "skyhook/math/eigenproblem.h"

namespace skyhook {

struct ArnoldiOptions {
  int wanted = 10;
  double tolerance = 1e-10;  // of the residual, relative to the value
  int most = 400;            // products
};

struct RitzPairs {
  bool converged = false;  // all that were wanted, or all that there are
  ComplexVector values;    // the largest first
  std::vector<ComplexVector> vectors;
  int products = 0;
};

using Product = std::function<void(std::span<const double> x, std::span<double> y)>;
// `start`: any vector that has a share of what is looked for.
RitzPairs arnoldi(const Vector& start, const Product& product, const ArnoldiOptions& options = {});

}  // namespace skyhook
