// Linear systems A s = r of which only products A v are known: Arnoldi's method and the incomplete orthogonalisation method of
// [Aboubakr 2015] §4.1 (Saad; Brown and Hindmarsh 1986). With a depth p a new vector is made orthogonal to the last p alone.
#pragma once
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook::integrator {

class Krylov {
 public:
  static constexpr int most = 20;  // vectors

  Krylov(std::size_t n, int depth);

  // r becomes s. `product(v, out)` is false where A v cannot be had. Ends where |r - A s| <= enough; false: it does not get there, or no product.
  // Norms are Euclidean: the caller scales.
  template <class Product>
  bool solve(Span r, double enough, Product&& product) {
    const double beta = begin(r);
    if (!(beta > enough)) return beta <= enough;
    for (int m = 0; m < limit_; ++m) {
      if (!product(vector(m), next())) return false;
      orthogonalise(m);
      const double left = project(m, beta);
      ++vectors_;
      if (left <= enough) return combine(m, r), true;
    }
    return false;
  }
  long vectors() const { return vectors_; }  // so far

 private:
  double begin(Span r);
  CSpan vector(int m) const { return {basis_.data() + static_cast<std::size_t>(m) * n_, n_}; }
  Span next() { return work_; }
  void orthogonalise(int m);
  double project(int m, double beta);
  void combine(int m, Span s) const;
  double& entry(int i, int j) { return hessenberg_[static_cast<std::size_t>(i * (most + 1) + j)]; }

  std::size_t n_;
  int depth_, limit_;
  long vectors_ = 0;
  std::vector<double> basis_, work_, hessenberg_, factors_, coefficients_;
};

}  // namespace skyhook::integrator
