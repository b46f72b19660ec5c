// The coefficients of the Radau IIA method of three stages, as in radau5.f of Hairer and Wanner (Solving Ordinary Differential
// Equations II, IV.8): T^-1 A^-1 T is diagonal but for the block of the complex pair.
#pragma once
#include <array>
#include <cmath>
#include <complex>

namespace skyhook::integrator::radau_iia {

inline const double sqrt6 = std::sqrt(6.0);
inline const std::array<double, 3> c = {(4 - sqrt6) / 10, (4 + sqrt6) / 10, 1.0};
inline constexpr double gamma_real = 3.63783425274449573;  // real eigenvalue of A^-1
inline const std::complex<double> gamma_complex(2.68108287362775213, 3.05043019924741057);
inline constexpr double T[3][3] = {{9.1232394870892942792e-2, -0.14125529502095420843, -3.0029194105147424492e-2},
                                   {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
                                   {0.96604818261509293619, 1.0, 0.0}};
inline constexpr double TI[3][3] = {{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
                                    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
                                    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};
// Where in a step its polynomial is farthest from a smooth solution: there |s (s - c1) (s - c2) (s - 1)| is largest.
inline constexpr double farthest = 0.87;
inline const std::array<double, 3> e = {-(13 + 7 * sqrt6) / 3, (-13 + 7 * sqrt6) / 3,
                                        -1.0 / 3};  // of the error estimate

// Value and slope at s, over [0, 1], of the polynomial of the stage increments: what the k-th counts in them.
inline std::array<double, 2> share_of(std::size_t k, double s) {
  const double a = c[(k + 1) % 3], b = c[(k + 2) % 3], scale = c[k] * (c[k] - a) * (c[k] - b);
  return {s * (s - a) * (s - b) / scale, ((s - a) * (s - b) + s * (2 * s - a - b)) / scale};
}

}  // namespace skyhook::integrator::radau_iia
