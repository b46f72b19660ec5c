#include "skyhook/formalism/recursive/load_feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace skyhook::formalism::recursive {

LoadFeedback::LoadFeedback(const Equations& eq)
    : factor(eq.frictions().size()),
      force(eq.frictions().size()),
      eq_(eq),
      n_(static_cast<std::size_t>(eq.nv() + eq.ng())),
      responses_(factor.size() * n_),
      lambda_(static_cast<std::size_t>(eq.ng())),
      matrix_(factor.size() * factor.size()),
      right_(factor.size()),
      diagonal_(factor.size(), 1.0) {}

void LoadFeedback::multipliers(CSpan x) {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  std::copy(x.begin() + static_cast<long>(nv), x.end(), lambda_.begin());
  for (int k = 0; k < size(); ++k) {
    const CSpan zeta = response(k).subspan(nv);
    for (std::size_t i = 0; i < lambda_.size(); ++i) lambda_[i] -= force[k] * zeta[i];
  }
}

// right = s N - F and its matrix, rows one after another.
void LoadFeedback::linearise() {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  for (int k = 0; k < size(); ++k) {
    const LoadFriction& friction = eq_.frictions()[k];
    const auto& rows = eq_.pair_constraints()[friction.constraint].rows;
    const LoadFriction::Load load = friction.load(rows, lambda_);
    right_[k] = factor[k] * load.size - force[k];
    double* const row = &matrix_[static_cast<std::size_t>(k) * factor.size()];
    for (int l = 0; l < size(); ++l) row[l] = k == l ? 1.0 : 0.0;
    for (const PairRow& r : rows) {
      const double slope = factor[k] * LoadFriction::load_slope(r, lambda_, load);
      if (slope == 0) continue;
      for (int l = 0; l < size(); ++l) row[l] += slope * response(l)[nv + static_cast<std::size_t>(r.row)];
    }
    diagonal_[k] = row[k];
  }
}

// Gauss with row pivots: there are a handful of such joints.
bool LoadFeedback::eliminate() {
  const std::size_t n = factor.size();
  determinant_ = 1;
  auto at = [&](std::size_t i, std::size_t j) -> double& { return matrix_[i * n + j]; };
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < n; ++i) {
      if (std::abs(at(i, j)) > std::abs(at(pivot, j))) pivot = i;
    }
    if (pivot != j) {
      for (std::size_t c = 0; c < n; ++c) std::swap(at(pivot, c), at(j, c));
      std::swap(right_[pivot], right_[j]);
      determinant_ = -determinant_;
    }
    determinant_ *= at(j, j);
    if (!(std::abs(at(j, j)) > 1e-14)) return false;
    for (std::size_t i = j + 1; i < n; ++i) {
      const double part = at(i, j) / at(j, j);
      for (std::size_t c = j + 1; c < n; ++c) at(i, c) -= part * at(j, c);
      right_[i] -= part * right_[j];
    }
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t c = j + 1; c < n; ++c) right_[j] -= at(j, c) * right_[c];
    right_[j] /= at(j, j);
  }
  return true;
}

bool LoadFeedback::solve(Span x) {
  constexpr int most = 60;
  double last = 1;
  std::ranges::fill(force, 0.0);
  for (int iteration = 0;; ++iteration) {
    multipliers(x);
    linearise();
    if (iteration == most || !eliminate()) return false;
    double step = 0, size_of_forces = 1e-12;
    for (int k = 0; k < size(); ++k) {
      force[k] += right_[k];
      step = std::max(step, std::abs(right_[k]));
      size_of_forces = std::max(size_of_forces, std::abs(force[k]));
    }
    if (!std::isfinite(step)) return false;
    if (last < 1e-8) break;  // Newton: the step before has left its square
    last = step / size_of_forces;
  }
  for (int k = 0; k < size(); ++k) {
    const CSpan z = response(k);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= force[k] * z[i];
  }
  return determinant_ > 0;
}

int LoadFeedback::culprit() const { return static_cast<int>(std::ranges::min_element(diagonal_) - diagonal_.begin()); }

std::string LoadFeedback::blame() const {
  const model::Contribution& what = *eq_.frictions()[culprit()].what;
  return fmt::format(
      "friction \"{}\" jams joint \"{}\": the more it holds the more it is loaded, so that no accelerations follow "
      "(coefficient {:.4g})",
      what.name, eq_.model().joints[what.joint].name, what.friction->coefficient());
}

}  // namespace skyhook::formalism::recursive
