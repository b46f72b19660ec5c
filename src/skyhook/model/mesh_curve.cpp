#include "skyhook/model/mesh_curve.h"

#include <algorithm>
#include <cmath>

namespace skyhook::model {

MeshCurve::Place MeshCurve::place(double s) const {
  Place out;
  const double L = element_length;
  out.element =
      std::clamp(static_cast<int>(std::floor(std::clamp(s / L, -1.0, 1.0 + static_cast<double>(elements.size())))), 0,
                 static_cast<int>(elements.size()) - 1);
  const double x = s / L - out.element;
  const double of_x[4][4] = {
      {1 - 3 * x * x + 2 * x * x * x, x - 2 * x * x + x * x * x, 3 * x * x - 2 * x * x * x, x * x * x - x * x},
      {-6 * x + 6 * x * x, 1 - 4 * x + 3 * x * x, 6 * x - 6 * x * x, 3 * x * x - 2 * x},
      {-6 + 12 * x, -4 + 6 * x, 6 - 12 * x, 6 * x - 2},
      {12, 6, -12, 6}};
  double scale = 1;
  for (int k = 0; k < 4; ++k, scale /= L) {
    for (int i = 0; i < 4; ++i) out.h[k][i] = scale * of_x[k][i] * (i % 2 == 1 ? L : 1.0);
  }
  return out;
}

Vec3d MeshCurve::position(const Place& place, int k, std::span<const double> q) const {
  return place.sum(elements[static_cast<std::size_t>(place.element)].design, k) + rate(place, k, q);
}

Vec3d MeshCurve::rate(const Place& place, int k, std::span<const double> v) const {
  Vec3d parts[4];
  for (const Share& share : elements[static_cast<std::size_t>(place.element)].shares) {
    const double x = v[static_cast<std::size_t>(share.coordinate)];
    for (int i = 0; i < 4; ++i) parts[i] += x * share.adds[i];
  }
  return place.sum(parts, k);
}

// Steps are no longer than an element: beyond it another cubic holds.
std::optional<double> MeshCurve::foot(const Vec3d& p, std::span<const double> q, double begin) const {
  double s = begin, last = INFINITY;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Place at = place(s);
    const Vec3d away = p - position(at, 0, q), slope = position(at, 1, q);
    const double square = dot(slope, slope), turns = square - dot(position(at, 2, q), away);
    if (!(turns > 1e-3 * square))
      return std::nullopt;  // at the centre of curvature and beyond it there is no such point
    const double step = std::clamp(dot(slope, away) / turns, -element_length, element_length);
    s += step;
    if (std::abs(step) <= 1e-15 * length() || (std::abs(step) < 1e-12 * length() && std::abs(step) >= 0.5 * last))
      return s;
    last = std::abs(step);
  }
  return std::nullopt;
}

double MeshCurve::near(const Vec3d& p, std::span<const double> q) const {
  constexpr int parts = 4;
  double best = 0, least = INFINITY;
  for (int k = 0; k <= parts * static_cast<int>(elements.size()); ++k) {
    const double s = k * element_length / parts, away = norm(p - position(place(s), 0, q));
    if (away < least) best = s, least = away;
  }
  return best;
}

}  // namespace skyhook::model
