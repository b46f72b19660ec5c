// A function of one variable on dual numbers of any kind, from its derivatives as plain numbers.
#pragma once
#include <type_traits>

#include "skyhook/math/dual.h"

namespace skyhook {

// f(x), with f and its derivatives at value_of(x) in f[0], f[1], ...: as many are read as T has levels, and one more.
template <class T>
T from_derivatives(const T& x, const double* f) {
  if constexpr (std::is_same_v<T, double>)
    return (void)x, f[0];
  else
    return x.chain(from_derivatives(x.v, f), from_derivatives(x.v, f + 1));
}

}  // namespace skyhook
