#include "skyhook/analysis/large_modes.h"

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/mode_energies.h"
#include "skyhook/analysis/mode_shapes.h"
#include "skyhook/formalism/block_store.h"
#include "skyhook/math/arnoldi.h"
#include "skyhook/math/klu.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;

// Matrices must be constant without moving axes.
std::string why_not(const Equations& eq, const OperatingPoint& at) {
  if (at.yaw_rate != 0) return "Modes of large models are not found in a steady curve.";
  for (const auto& r : eq.rotations()) {
    for (int k = 0; k < 3; ++k) {
      if (at.state.v[static_cast<std::size_t>(r.iv + k)] != 0)
        return "Modes of large models are found where no rotation spins that is described by a quaternion.";
    }
  }
  const auto moves = [](double v) { return v != 0; };
  if (!at.is_given_motion && std::any_of(at.state.v.begin(), at.state.v.begin() + eq.moving(), moves))
    return "Modes of large models are found at rest or in a steady motion that is given.";
  return "";
}

// s^2 M + s D + K, of inner states s M + D, with G^T + F^T beside and G below.
class Shifted {
 public:
  Shifted(const Equations& eq, const formalism::BlockStore& b, double shift)
      : b_(b), n_(eq.nv()), moving_(eq.moving()), m_(eq.ng()), shift_(shift), lu_(nullptr) {
    PatternBuilder builder(n_ + m_, n_ + m_);
    const auto visit = [&](const Pattern& p, auto&& each) {
      for (int j = 0; j < p.cols; ++j) {
        for (int k = p.start[j]; k < p.start[j + 1]; ++k) each(p.row[k], j, k);
      }
    };
    const Pattern& tangent = *b.stiffness().pattern;
    const Pattern& rows = *b.jacobian().pattern;
    visit(tangent, [&](int i, int j, int) { builder.add(i, j); });
    visit(rows, [&](int i, int j, int) { builder.add(n_ + i, j), builder.add(j, n_ + i); });
    Csc a(std::make_shared<const Pattern>(builder.build()));
    const auto at = [&](int i, int j) -> double& { return a.value[static_cast<std::size_t>(a.pattern->find(i, j))]; };
    visit(tangent, [&](int i, int j, int k) {
      const double by_rate = b.damping().value[k] + shift * b.mass().value[k];
      at(i, j) += j < moving_ ? b.stiffness().value[k] + shift * by_rate : by_rate;
    });
    visit(rows, [&](int i, int j, int k) {
      at(n_ + i, j) = b.jacobian().value[k], at(j, n_ + i) = b.jacobian().value[k] + b.friction().value[k];
    });
    lu_ = std::make_unique<Klu>(a.pattern);
    ok_ = lu_->factor(a.value);
  }
  bool ok() const { return ok_; }
  int size() const { return moving_ + n_; }
  // x = (a, b): changes of displacements, and of velocities and inner states.
  void product(std::span<const double> x, std::span<double> y) {
    const auto a = x.first(moving_), b = x.subspan(moving_);
    Vector right(static_cast<std::size_t>(n_ + m_)), rates(static_cast<std::size_t>(n_)), sum(b.begin(), b.end());
    for (int i = 0; i < moving_; ++i) rates[i] = a[i], sum[i] += shift_ * a[i];
    multiply_add(b_.mass(), sum, -1, std::span(right).first(n_));
    multiply_add(b_.damping(), rates, -1, std::span(right).first(n_));
    lu_->solve_refined(right);
    for (int i = 0; i < moving_; ++i) y[i] = right[i], y[moving_ + i] = a[i] + shift_ * right[i];
    for (int i = moving_; i < n_; ++i) y[moving_ + i] = right[i];
  }

 private:
  const formalism::BlockStore& b_;
  int n_, moving_, m_;
  double shift_;
  std::unique_ptr<Klu> lu_;
  bool ok_ = false;
};

// Nothing that a mode would be orthogonal to by its symmetry; twice through the map it obeys the constraints.
Vector start_of(Shifted& map) {
  Vector x(static_cast<std::size_t>(map.size())), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + 0.5 * std::sin(1.0 + 1.7 * static_cast<double>(i * i % 1013));
  map.product(x, y), map.product(y, x);
  return x;
}

}  // namespace

Modes find_lowest_modes(const simulation::Prepared& prepared, const OperatingPoint& at, const LargeOptions& o) {
  Modes out;
  const Equations& eq = *prepared.active;
  if (out.problem = why_not(eq, at); !out.problem.empty()) return out;
  formalism::BlockStore blocks(eq);
  auto ws = eq.workspace();
  if (eq.derivatives(at.input(), blocks.blocks(), ws) != Eval::ok)
    return out.problem = "The forces cannot be differentiated there: " + ws.blame() + ".", out;
  const double shift = o.shift != 0 ? o.shift : 1.0;
  Shifted map(eq, blocks, shift);
  if (!map.ok())
    return out.problem = "The shifted matrix is singular: another shift may help, or mass is missing.", out;
  const RitzPairs found =
      arnoldi(start_of(map), [&](std::span<const double> x, std::span<double> y) { map.product(x, y); },
              {.wanted = 2 * o.count, .tolerance = 1e-9, .most = std::max(400, 8 * o.count)});
  if (!found.converged) return out.problem = "The eigenvalues nearest to the shift were not found.", out;
  ModeEnergies energies(prepared, at, blocks);
  for (std::size_t k = 0; k < found.values.size(); ++k) {
    const Complex value = shift + 1.0 / found.values[k];
    const bool is_free = std::abs(value) < 1e-5 * std::abs(shift);
    if (value.imag() < -1e-9 * std::abs(value) && !is_free) continue;
    Mode mode = mode_of(is_free ? Complex(0) : value, {});
    mode.is_rigid = is_free;
    const auto& x = found.vectors[k];
    mode.coordinates.assign(x.begin(), x.begin() + eq.moving());
    mode.coordinates.insert(mode.coordinates.end(), x.begin() + 2 * eq.moving(), x.end());  // inner states
    complete(eq, at, energies, mode);
    out.free_motions += is_free;
    out.is_stable = out.is_stable && mode.value.real() <= 1e-7 * std::abs(mode.value);
    out.modes.push_back(std::move(mode));
  }
  std::ranges::stable_sort(out.modes, {}, [](const Mode& m) { return std::pair(!m.is_rigid, m.frequency); });
  return out;
}

}  // namespace skyhook::analysis
