// The discrete Fourier transform X_k = sum_n x_n exp(-2 pi i k n / N) for N a power of two, in place.
#pragma once
#include <complex>
#include <cstddef>
#include <vector>

#include "skyhook/math/lanes.h"

namespace skyhook {

std::size_t power_of_two_from(std::size_t n);  // the smallest that is not below n
void transform(std::vector<std::complex<double>>& x);

// Four at once.
struct ComplexLanes {
  Lanes real, imag;
};
void transform(std::vector<ComplexLanes>& x);

}  // namespace skyhook
