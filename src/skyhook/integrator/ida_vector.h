// Vector operations for SUNDIALS' serial vectors that are worth having. For ida.cpp only: Debian builds libsundials
// without optimisation, and on small problems nearly half of the time goes into these loops.
#pragma once
#include <nvector/nvector_serial.h>

#include <cmath>

// The next loop carries nothing from one pass to the next, although pointers might alias.
#ifdef __clang__
#define SKYHOOK_NO_ALIAS _Pragma("clang loop vectorize(assume_safety)")
#else
#define SKYHOOK_NO_ALIAS _Pragma("GCC ivdep")
#endif

namespace skyhook::integrator {

inline double* entries(N_Vector v) { return NV_DATA_S(v); }
inline long length(N_Vector v) { return NV_LENGTH_S(v); }

// z = a x + b y; z may be x or y
inline void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  const double *p = entries(x), *q = entries(y);
  double* r = entries(z);
  const long n = length(x);
  SKYHOOK_NO_ALIAS
  for (long i = 0; i < n; ++i) r[i] = a * p[i] + b * q[i];
}

inline void scale(double c, N_Vector x, N_Vector z) {
  const double* p = entries(x);
  double* r = entries(z);
  const long n = length(x);
  SKYHOOK_NO_ALIAS
  for (long i = 0; i < n; ++i) r[i] = c * p[i];
}

// z = sum c_k X_k; X_0 may be z
inline int linear_combination(int count, double* c, N_Vector* X, N_Vector z) {
  scale(c[0], X[0], z);
  for (int k = 1; k < count; ++k) linear_sum(1.0, z, c[k], X[k], z);
  return 0;
}

// sqrt(mean of term(i)^2), in four partial sums
template <class Term>
double root_mean_square(long n, Term&& term) {
  double sum[4] = {0, 0, 0, 0};
  long i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; ++k) sum[k] += term(i + k) * term(i + k);
  }
  for (; i < n; ++i) sum[0] += term(i) * term(i);
  return std::sqrt((sum[0] + sum[1] + sum[2] + sum[3]) / static_cast<double>(n));
}
inline double weighted_norm(N_Vector x, N_Vector w) {
  const double *p = entries(x), *q = entries(w);
  return root_mean_square(length(x), [=](long i) { return p[i] * q[i]; });
}
inline double masked_norm(N_Vector x, N_Vector w, N_Vector id) {  // id: 1 where the entry counts, 0 elsewhere
  const double *p = entries(x), *q = entries(w), *m = entries(id);
  return root_mean_square(length(x), [=](long i) { return p[i] * q[i] * m[i]; });
}

// The vector and all clones of it use the operations above.
inline void use_own_operations(N_Vector v) {
  v->ops->nvlinearsum = linear_sum;
  v->ops->nvscale = scale;
  v->ops->nvlinearcombination = linear_combination;
  v->ops->nvwrmsnorm = weighted_norm;
  v->ops->nvwrmsnormmask = masked_norm;
}

}  // namespace skyhook::integrator

#undef SKYHOOK_NO_ALIAS
