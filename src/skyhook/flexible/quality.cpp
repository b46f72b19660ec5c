#include "skyhook/flexible/quality.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace skyhook::flexible {
namespace {

constexpr const char* directions[] = {"x", "y", "z", "about x", "about y", "about z"};

// Free vibrations of the reduced part: its shapes without what moves as a whole, which the frame then does.
Vibrations free_vibrations(const FeModel& part, const Reduced& r) {
  const Dense V = without_rigid(part, mean_frame(part), r.shapes, part.where);
  const Dense K = V.transpose() * (part.stiffness * V), M = V.transpose() * (part.mass * V);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Dense> eigen((M + M.transpose()) / 2, (K + K.transpose()) / 2);
  Vibrations out;
  out.squares = eigen.eigenvalues().reverse().cwiseInverse();
  out.shapes = V * eigen.eigenvectors().rowwise().reverse() * out.squares.cwiseSqrt().asDiagonal();
  out.converged = true;
  return out;
}

// Of a group of shapes of the full part with equal frequency any combination is one: the best of them counts.
double mac(const FeModel& part, const Column& x, const Vibrations& full, double square) {
  double sum = 0;
  const Column Mx = part.mass * x;
  for (int i = 0; i < full.squares.size(); ++i) {
    if (std::abs(full.squares[i] - square) <= 1e-6 * square) sum += std::pow(full.shapes.col(i).dot(Mx), 2);
  }
  return sum / x.dot(Mx);
}

void compare_vibrations(const FeModel& part, const Compliance& free, const Vibrations& reduced, int most,
                        Quality& out) {
  const int count = std::min<int>(most, static_cast<int>(reduced.squares.size()));
  const Vibrations full = lowest_vibrations(free, count + 4);  // a few more: equal ones at the end
  const int known = std::min<int>(count, static_cast<int>(full.squares.size()));
  for (int i = 0; i < known; ++i) {
    const double hz = std::sqrt(reduced.squares[i]) / two_pi, full_hz = std::sqrt(full.squares[i]) / two_pi;
    out.vibrations.push_back({hz, full_hz, mac(part, reduced.shapes.col(i), full, full.squares[i])});
    if (i < (known + 1) / 2) out.worst_below = std::max(out.worst_below, std::abs(hz / full_hz - 1));
  }
}

void compare_statics(const Compliance& free, const std::vector<Place>& places, const Vibrations& reduced,
                     Quality& out) {
  const Column flexibility = reduced.squares.cwiseInverse();
  for (const Place& place : places) {
    const Dense rows(place.rows), full = rows * free.solve(rows.transpose()), own = rows * reduced.shapes;
    for (int i = 0; i < (place.has_turn ? 6 : 3); ++i)
      out.statics.push_back({place.name, directions[i], full(i, i),
                             (own.row(i).array().square() * flexibility.transpose().array()).sum()});
  }
}

}  // namespace

Quality quality_of(const FeModel& part, const std::vector<Place>& places, const Reduced& r, int most) {
  Quality out;
  const Compliance free = Compliance::free(part);
  const Vibrations reduced = free_vibrations(part, r);
  compare_vibrations(part, free, reduced, most, out);
  compare_statics(free, places, reduced, out);
  out.effective = effective_masses(part, r.shapes);
  out.highest_kept = std::sqrt(r.squares.maxCoeff()) / two_pi;
  return out;
}

}  // namespace skyhook::flexible
