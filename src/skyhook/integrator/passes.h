// Passes over all unknowns, four at a time: compilers do not reorder sums of doubles by themselves.
#pragma once
#include <cstddef>
#include <type_traits>

#include "skyhook/math/lanes.h"

namespace skyhook::integrator {

template <class T>
T load(const double* from) {
  if constexpr (std::is_same_v<T, double>)
    return *from;
  else
    return T::load(from);
}
inline void store(double value, double* to) { *to = value; }
inline void store(const Lanes& value, double* to) { value.store(to); }

struct Sum {
  Lanes fours;
  double rest = 0;
  void add(const Lanes& x) { fours += x; }
  void add(double x) { rest += x; }
  double total() const { return fours[0] + fours[1] + (fours[2] + fours[3]) + rest; }
};

// f(Lanes(), i) for i = 0, 4, ..., then f(double(), i) for what is left.
template <class F>
void in_fours(std::size_t n, F&& f) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) f(Lanes(), i);
  for (; i < n; ++i) f(double(), i);
}

// 0 times anything but a finite number is no number.
inline bool all_finite(const double* x, std::size_t n) {
  Sum sum;
  in_fours(n, [&](auto kind, std::size_t i) { sum.add(decltype(kind)(0.0) * load<decltype(kind)>(x + i)); });
  return sum.total() == 0;
}

}  // namespace skyhook::integrator
