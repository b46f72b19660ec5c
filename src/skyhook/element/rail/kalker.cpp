#include "skyhook/element/rail/kalker.h"

#include <cmath>
#include <numbers>

namespace skyhook::element::rail {
namespace {

constexpr double pi = std::numbers::pi;

}  // namespace

// [Kalker 1990] table E.3; the column C33, which newer programs leave out, as in [Kalker 1967] table 1.
const std::array<KalkerRow, 19>& kalker_table() {
  static const std::array<KalkerRow, 19> table{{
      {0.1, {{{2.51, 3.31, 4.85}, {2.51, 2.52, 2.53}, {0.334, 0.473, 0.731}, {6.42, 8.28, 11.7}}}},
      {0.2, {{{2.59, 3.37, 4.81}, {2.59, 2.63, 2.66}, {0.483, 0.603, 0.809}, {3.46, 4.27, 5.66}}}},
      {0.3, {{{2.68, 3.44, 4.80}, {2.68, 2.75, 2.81}, {0.607, 0.715, 0.889}, {2.49, 2.96, 3.72}}}},
      {0.4, {{{2.78, 3.53, 4.82}, {2.78, 2.88, 2.98}, {0.720, 0.823, 0.977}, {2.02, 2.32, 2.77}}}},
      {0.5, {{{2.88, 3.62, 4.83}, {2.88, 3.01, 3.14}, {0.827, 0.929, 1.07}, {1.74, 1.93, 2.22}}}},
      {0.6, {{{2.98, 3.72, 4.91}, {2.98, 3.14, 3.31}, {0.930, 1.03, 1.18}, {1.56, 1.68, 1.86}}}},
      {0.7, {{{3.09, 3.81, 4.97}, {3.09, 3.28, 3.48}, {1.03, 1.14, 1.29}, {1.43, 1.50, 1.60}}}},
      {0.8, {{{3.19, 3.91, 5.05}, {3.19, 3.41, 3.65}, {1.13, 1.25, 1.40}, {1.34, 1.37, 1.42}}}},
      {0.9, {{{3.29, 4.01, 5.12}, {3.29, 3.54, 3.82}, {1.23, 1.36, 1.51}, {1.27, 1.27, 1.27}}}},
      {1.0, {{{3.40, 4.12, 5.20}, {3.40, 3.67, 3.98}, {1.33, 1.47, 1.63}, {1.21, 1.19, 1.16}}}},
      {1 / 0.9, {{{3.51, 4.22, 5.30}, {3.51, 3.81, 4.16}, {1.44, 1.59, 1.77}, {1.16, 1.11, 1.06}}}},
      {1 / 0.8, {{{3.65, 4.36, 5.42}, {3.65, 3.99, 4.39}, {1.58, 1.75, 1.94}, {1.10, 1.04, 0.954}}}},
      {1 / 0.7, {{{3.82, 4.54, 5.58}, {3.82, 4.21, 4.67}, {1.76, 1.95, 2.18}, {1.05, 0.965, 0.852}}}},
      {1 / 0.6, {{{4.06, 4.78, 5.80}, {4.06, 4.50, 5.04}, {2.01, 2.23, 2.50}, {1.01, 0.892, 0.751}}}},
      {1 / 0.5, {{{4.37, 5.10, 6.11}, {4.37, 4.90, 5.56}, {2.35, 2.62, 2.96}, {0.958, 0.819, 0.650}}}},
      {1 / 0.4, {{{4.84, 5.57, 6.57}, {4.84, 5.48, 6.31}, {2.88, 3.24, 3.70}, {0.912, 0.747, 0.549}}}},
      {1 / 0.3, {{{5.57, 6.34, 7.34}, {5.57, 6.40, 7.51}, {3.79, 4.32, 5.01}, {0.868, 0.674, 0.446}}}},
      {1 / 0.2, {{{6.96, 7.78, 8.82}, {6.96, 8.14, 9.79}, {5.72, 6.63, 7.89}, {0.828, 0.601, 0.341}}}},
      {1 / 0.1, {{{10.7, 11.7, 12.9}, {10.7, 12.8, 16.0}, {12.2, 14.6, 18.0}, {0.795, 0.526, 0.228}}}},
  }};
  return table;
}

double at_poisson(const std::array<double, 3>& C, double nu) {
  return 1.0 / (8 * (nu - 0.25) * (nu - 0.5) / C[0] - 16 * nu * (nu - 0.5) / C[1] + 8 * nu * (nu - 0.25) / C[2]);
}

std::array<double, 4> narrow_along(double g, double nu) {
  return {pi * pi / 4 / (1 - nu), pi * pi / 4, pi * std::sqrt(g) / (3 * (1 - nu)) * (1 + nu * (std::log(16 / g) - 5)),
          pi * pi / (16 * (1 - nu) * g)};
}

std::array<double, 4> narrow_across(double g, double nu) {
  const double L = std::log(16 / (g * g)), k = 3 - std::log(4.0), along = L - 2 * nu, across = (1 - nu) * L + 2 * nu;
  const double spin = (1 - nu) * L - 2 + 4 * nu;
  return {2 * pi / (along * g) * (1 + k / along), 2 * pi / g * (1 + (1 - nu) * k / across) / across,
          2 * pi / (3 * g * std::sqrt(g)) / spin, pi / 4 * (1 - nu * (L - 2) / spin)};
}

KalkerCoefficients::KalkerCoefficients(double poisson) {
  constexpr std::array<double, 5> slender{0.001, 0.003, 0.01, 0.025, 0.05};
  std::vector<double> x;
  std::array<std::vector<double>, 4> y;
  const auto add = [&](double ratio, const std::array<double, 4>& C) {
    x.push_back(std::log(ratio));
    for (std::size_t i = 0; i < 4; ++i) y[i].push_back(std::log(C[i]));
  };
  for (double g : slender) add(g, narrow_along(g, poisson));
  for (const KalkerRow& row : kalker_table()) {
    std::array<double, 4> C{};
    for (std::size_t i = 0; i < 4; ++i) C[i] = at_poisson(row.C[i], poisson);
    add(row.ratio, C);
  }
  for (auto g = slender.rbegin(); g != slender.rend(); ++g) add(1 / *g, narrow_across(*g, poisson));
  for (const std::vector<double>& values : y) curves_.emplace_back(x, values, SplineEnd::natural);
}

}  // namespace skyhook::element::rail
