#include "skyhook/element/rail/rail_height.h"

#include <algorithm>
#include <cmath>

namespace skyhook::element::rail {
namespace {

struct Knot {
  double z, slope, bend;
};

Knot knot_at(const Profile& rail, double y) {
  double s = rail.s_at(y);
  ProfileJet<double> q = rail.jet(s);
  for (int pass = 0; pass < 3; ++pass) s -= (q.y - y) / q.y1, q = rail.jet(s);
  const double slope = q.z1 / q.y1;
  return {q.z, slope, (q.z2 - slope * q.y2) / (q.y1 * q.y1)};
}

// Through height, slope and second derivative at both ends of a cell of length h.
std::array<double, 6> quintic(const Knot& a, const Knot& b, double h) {
  const double d = b.z - a.z - h * (a.slope + 0.5 * h * a.bend), e = (b.slope - a.slope - h * a.bend) * h,
               f = (b.bend - a.bend) * h * h;
  const double h3 = h * h * h;
  return {a.z, a.slope, 0.5 * a.bend, (10 * d - 4 * e + 0.5 * f) / h3, (-15 * d + 7 * e - f) / (h3 * h),
          (6 * d - 3 * e + 0.5 * f) / (h3 * h * h)};
}

}  // namespace

RailHeight::RailHeight(const Profile& rail) {
  const auto is_flat = [&](double y) {
    const ProfileJet<double> q = rail.jet(rail.s_at(y));
    return q.y1 > 0 && std::abs(q.z1) < steepest * q.y1;
  };
  const double middle = std::clamp(0.0, rail.first_y(), rail.last_y());
  int left = 0, right = 0;
  while (middle - (left + 1) * step > rail.first_y() && is_flat(middle - (left + 1) * step)) ++left;
  while (middle + (right + 1) * step < rail.last_y() && is_flat(middle + (right + 1) * step)) ++right;
  first_ = middle - left * step, last_ = middle + right * step;
  std::vector<Knot> knots;
  for (int k = -left; k <= right; ++k) {
    knots.push_back(knot_at(rail, middle + k * step));
    const double cosine = 1 / std::hypot(1.0, knots.back().slope);
    rough_.push_back({knots.back().z, cosine, -knots.back().bend * cosine * cosine * cosine});
  }
  rough_.push_back(rough_.back());
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) cells_.push_back(quintic(knots[k], knots[k + 1], step));
}

namespace {

template <class T>
std::array<T, 4> with_derivatives(const std::array<T, 6>& c, const T& u) {
  return {c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5])))),
          c[1] + u * (T(2.0) * c[2] + u * (T(3.0) * c[3] + u * (T(4.0) * c[4] + u * T(5.0) * c[5]))),
          T(2.0) * c[2] + u * (T(6.0) * c[3] + u * (T(12.0) * c[4] + u * T(20.0) * c[5])), T(6.0) * c[3] + u * (T(24.0) * c[4] + u * T(60.0) * c[5])};
}

}  // namespace

std::array<double, 4> RailHeight::jet(double y) const {
  const double at = std::clamp((y - first_) * per_step_, 0.0, static_cast<double>(cells_.size()) - 1e-9);
  const auto k = static_cast<std::size_t>(at);
  return with_derivatives(cells_[k], y - first_ - static_cast<double>(k) * step);
}

std::array<Lanes, 4> RailHeight::jet(const Lanes& y) const {
  const Lanes at = min(max((y - Lanes(first_)) * Lanes(per_step_), Lanes(0.0)), Lanes(static_cast<double>(cells_.size()) - 1e-9));
  std::array<const double*, Lanes::count> cell;
  Lanes u;
  for (int i = 0; i < Lanes::count; ++i) {
    const auto k = static_cast<std::size_t>(at[i]);
    cell[static_cast<std::size_t>(i)] = cells_[k].data();
    u.set(i, at[i] - static_cast<double>(k));
  }
  std::array<Lanes, 6> c;
  for (std::size_t j = 0; j < c.size(); ++j) c[j] = Lanes(cell[0][j], cell[1][j], cell[2][j], cell[3][j]);
  return with_derivatives(c, u * Lanes(step));
}

}  // namespace skyhook::element::rail
