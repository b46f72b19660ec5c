// The coefficients of Dormand and Prince's explicit Runge-Kutta method of order 5(4), J. Comput. Appl. Math. 6, 1980, with the
// dense output of Shampine (Math. Comp. 46, 1986) as in dopri5.f of Hairer and Wanner. The seventh stage is the end of the step.
#pragma once
#include <cstddef>

namespace skyhook::integrator::dormand_prince {

inline constexpr std::size_t stages = 7;
inline constexpr double c[stages] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
inline constexpr double a[stages][stages - 1] = {{},
                                                 {1. / 5},
                                                 {3. / 40, 9. / 40},
                                                 {44. / 45, -56. / 15, 32. / 9},
                                                 {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                                 {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                                 {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
// The end of order 5 minus that of order 4.
inline constexpr double e[stages] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
// Of the last term of the dense output.
inline constexpr double d[stages] = {-12715105075. / 11282082432,  0,
                                     87487479700. / 32700410799,   -10690763975. / 1880347072,
                                     701980252875. / 199316789632, -1453857185. / 822651844,
                                     69997945. / 29380423};
inline constexpr double stability_bound = 3.25;  // h |lambda| on the negative real axis

}  // namespace skyhook::integrator::dormand_prince
