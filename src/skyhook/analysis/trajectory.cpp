#include "skyhook/analysis/trajectory.h"

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/unknown.h"

namespace skyhook::analysis {
namespace {

// Of the rotation between two quaternions, whose lengths do not count. |a - b| and |a + b| are the chords of half the angle
// to b and to -b, which is the same rotation; unlike acos(a.b) they keep their digits for small angles.
double angle_between(const double* a, const double* b) {
  double aa = 0, bb = 0, minus = 0, plus = 0;
  for (int k = 0; k < 4; ++k) aa += a[k] * a[k], bb += b[k] * b[k];
  const double to_unit_a = 1 / std::sqrt(aa), to_unit_b = 1 / std::sqrt(bb);
  for (int k = 0; k < 4; ++k) {
    const double x = to_unit_a * a[k], y = to_unit_b * b[k];
    minus += (x - y) * (x - y), plus += (x + y) * (x + y);
  }
  return 4 * std::asin(0.5 * std::sqrt(std::min(minus, plus)));  // at most sqrt(2) / 2
}

// NaN stays, which std::max would lose.
void raise(double& largest, double value) {
  if (!(value <= largest) && !std::isnan(largest)) largest = value;
}

double coordinate_error(const Trajectory& run, const Trajectory& reference, std::size_t i) {
  double difference = 0, size = 1;
  for (std::size_t k = 0; k < run.states.size(); ++k) {
    raise(difference, std::abs(run.states[k][i] - reference.states[k][i]));
    raise(size, std::abs(reference.states[k][i]));
  }
  return difference / size;
}

double rotation_error(const Trajectory& run, const Trajectory& reference, std::size_t i) {
  double angle = 0;
  for (std::size_t k = 0; k < run.states.size(); ++k)
    raise(angle, angle_between(&run.states[k][i], &reference.states[k][i]));
  return angle;
}

}  // namespace

StateLayout layout_of(const simulation::Equations& equations) {
  StateLayout out{equations.nq(), equations.nv(), {}};
  for (const auto& slot : equations.rotations()) out.quaternions.push_back(slot.iq);
  return out;
}

std::optional<double> first_not_finite(const Trajectory& run) {
  for (std::size_t k = 0; k < run.states.size(); ++k) {
    for (const double y : run.states[k]) {
      if (!std::isfinite(y)) return run.time[k];
    }
  }
  return std::nullopt;
}

StateError state_error(const Trajectory& run, const Trajectory& reference, const StateLayout& layout) {
  if (run.time != reference.time) return {unknown, unknown};
  StateError out;
  std::vector<bool> in_quaternion(static_cast<std::size_t>(layout.nq));
  for (const int first : layout.quaternions) {
    std::fill_n(in_quaternion.begin() + first, 4, true);
    raise(out.positions, rotation_error(run, reference, static_cast<std::size_t>(first)));
  }
  const auto nq = static_cast<std::size_t>(layout.nq), nv = static_cast<std::size_t>(layout.nv);
  for (std::size_t i = 0; i < nq; ++i) {
    if (!in_quaternion[i]) raise(out.positions, coordinate_error(run, reference, i));
  }
  for (std::size_t i = nq; i < nq + nv; ++i) raise(out.velocities, coordinate_error(run, reference, i));
  return out;
}

}  // namespace skyhook::analysis
