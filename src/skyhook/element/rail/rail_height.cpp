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

double RailHeight::sharpness(double y) const {
  return rough_[static_cast<std::size_t>(std::clamp((y - first_) * per_step_, 0.0, static_cast<double>(rough_.size() - 1)))].sharpness;
}

std::array<double, 4> RailHeight::jet(double y) const {
  const double at = std::clamp((y - first_) * per_step_, 0.0, static_cast<double>(cells_.size()) - 1e-9);
  const auto k = static_cast<std::size_t>(at);
  const std::array<double, 6>& c = cells_[k];
  const double u = y - first_ - static_cast<double>(k) * step;
  return {c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5])))),
          c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5]))),
          2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5])), 6 * c[3] + u * (24 * c[4] + u * 60 * c[5])};
}

}  // namespace skyhook::element::rail
