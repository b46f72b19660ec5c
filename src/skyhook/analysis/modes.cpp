#include "skyhook/analysis/modes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/analysis/free_motions.h"
#include "skyhook/analysis/mode_shapes.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;

ComplexVector state_of(const ComplexVector& y, Complex value, const ComplexVector& c) {
  ComplexVector x = y;
  for (const Complex& e : y) x.push_back(value * e);
  x.insert(x.end(), c.begin(), c.end());
  return x;
}

ComplexVector coordinates_of(const Linearisation& linear, const ComplexVector& state) {
  const int n = linear.coordinates, nv = linear.shape.rows, moving = nv - linear.inner;
  ComplexVector out(static_cast<std::size_t>(nv));
  for (int i = 0; i < moving; ++i) {
    for (int j = 0; j < n; ++j) out[i] += linear.shape(i, j) * state[j];
  }
  for (int k = 0; k < linear.inner; ++k) out[moving + k] = state[2 * n + k];
  return out;
}

// Where nothing resists a coordinate, that along the road of a car that drives, its stiffness is rounding of other terms. Balancing would
// scale that up until it is as large as the rest, and rounding with it: eigenvectors would have nothing but that coordinate. So what is
// below rounding in coordinates in which the inertia is 1 is zero.
DenseMatrix without_rounding(const Linearisation& linear) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  DenseMatrix A = linear.A;
  const int n = linear.coordinates;
  const auto inertia = [&](int i) { return std::sqrt(std::abs(linear.M(i, i))); };
  for (const int first : {0, n}) {
    double most = 0;
    const auto size = [&](int i, int j) { return std::abs(A(n + i, first + j)) * inertia(i); };
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) most = std::max(most, size(i, j) / inertia(j));
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (size(i, j) <= rounding * most * inertia(j)) A(n + i, first + j) = 0;
      }
    }
  }
  return A;
}

}  // namespace

int growing(const Modes& modes) {
  constexpr double of_itself = 1e-9, of_others = 1e-12;
  double fastest = 0;
  for (const Mode& mode : modes.modes) fastest = std::max(fastest, std::abs(mode.value));
  return static_cast<int>(std::ranges::count_if(modes.modes, [&](const Mode& mode) {
    return !mode.is_rigid && mode.value.real() > std::max(of_itself * std::abs(mode.value), of_others * fastest);
  }));
}

double likeness(const ComplexVector& a, const ComplexVector& b) {
  Complex product = 0;
  double aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    product += std::conj(a[i]) * b[i], aa += std::norm(a[i]), bb += std::norm(b[i]);
  return aa > 0 && bb > 0 ? std::norm(product) / (aa * bb) : 0.0;
}

Modes find_modes(const simulation::Prepared& prepared, const OperatingPoint& at, const Linearisation& linear) {
  Modes out;
  const Equations& eq = *prepared.active;
  const int n = linear.coordinates;
  if (linear.A.rows == 0) return out;  // nothing can move
  const FreeMotions free = find_free_motions(eq, linear);
  const EigenPairs pairs = eigen_pairs(without_rounding(linear));
  if (!pairs.ok) return out.problem = "The eigenvalues cannot be found: the iteration does not end.", out;
  std::vector<std::size_t> order(pairs.values.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return std::abs(pairs.values[k]); });

  for (const Vector& y : free.shapes) {
    Mode mode = mode_of(0, state_of(ComplexVector(y.begin(), y.begin() + n), 0, ComplexVector(y.begin() + n, y.end())));
    mode.is_rigid = true;
    out.modes.push_back(mode);
  }
  out.free_motions = static_cast<int>(free.shapes.size());
  for (std::size_t k = static_cast<std::size_t>(free.zeros); k < order.size(); ++k) {
    const Mode mode = mode_of(pairs.values[order[k]], pairs.right[order[k]]);
    if (mode.value.imag() < 0 && mode.oscillates) continue;
    out.modes.push_back(mode);
  }
  out.is_stable = growing(out) == 0;
  std::stable_sort(out.modes.begin() + out.free_motions, out.modes.end(),
                   [](const Mode& a, const Mode& b) { return a.frequency < b.frequency; });
  ModeEnergies energies(prepared, at, linear);
  for (Mode& mode : out.modes) {
    mode.coordinates = coordinates_of(linear, mode.state);
    complete(eq, at, energies, mode);
  }
  return out;
}

}  // namespace skyhook::analysis
