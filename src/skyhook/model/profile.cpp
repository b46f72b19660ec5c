#include "skyhook/model/profile.h"

#include <cassert>
#include <cmath>

namespace skyhook::model {

Profile::Profile(Parts parts) : parts_(std::move(parts)) {
  assert(!parts_.cells.empty() && parts_.step > 0);
  last_ = parts_.first + static_cast<double>(parts_.cells.size()) * parts_.step;
  per_step_ = 1 / parts_.step;
  const auto straight = [&](double s) {
    const ProfileJet<double> j = jet(s);
    return Cell{{j.y, j.y1, 0, 0, 0, 0}, {j.z, j.z1, 0, 0, 0, 0}};
  };
  before_ = straight(parts_.first);
  behind_ = straight(last_);
  const auto walk = [&](double by) {
    double s = std::clamp(0.0, first(), last());
    while (contains(s + by) && jet(s + by).y1 > 0.02) s += by;  // up to about 89 deg
    return s;
  };
  grows_from_ = walk(-parts_.step / 2), grows_to_ = walk(parts_.step / 2);
  first_y_ = at(grows_from_).y, last_y_ = at(grows_to_).y;
  look_along_y();
}

// By chords.
void Profile::look_along_y() {
  constexpr double apart = 2.5e-4;  // m
  const int cells = std::clamp(static_cast<int>((last_y_ - first_y_) / apart), 1, 100000);
  const double by = std::min(apart, (grows_to_ - grows_from_) / 2);
  double s = grows_from_, y = first_y_, next_s = s, next_y = y;
  for (int k = 0; k <= cells; ++k) {
    const double wanted = first_y_ + (last_y_ - first_y_) * k / cells;
    while (next_y < wanted && next_s < grows_to_)
      s = next_s, y = next_y, next_s = std::min(s + by, grows_to_), next_y = at(next_s).y;
    rough_s_.push_back(next_y > y ? s + (wanted - y) / (next_y - y) * (next_s - s) : s);
  }
}

double Profile::rough_s_at(double y) const {
  const double place = (y - first_y_) / (last_y_ - first_y_) * static_cast<double>(rough_s_.size() - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(place), rough_s_.size() - 2);
  return rough_s_[k] + (place - static_cast<double>(k)) * (rough_s_[k + 1] - rough_s_[k]);
}

double Profile::angle(double s) const {
  const ProfileJet<double> j = jet(s);
  return std::atan2(j.z1, j.y1);
}

double Profile::curvature(double s) const {
  const ProfileJet<double> j = jet(s);
  return (j.y1 * j.z2 - j.z1 * j.y2) / std::pow(j.y1 * j.y1 + j.z1 * j.z1, 1.5);
}

double Profile::s_at(double y) const {
  if (y <= first_y_) return grows_from_;
  if (y >= last_y_) return grows_to_;
  double low = grows_from_, high = grows_to_, s = std::clamp(rough_s_at(y), low, high);
  for (int pass = 0; pass < 100; ++pass) {  // Newton, and halving where it would leave the bracket
    const ProfileJet<double> j = jet(s);
    const double newton = (y - j.y) / j.y1;
    if (std::abs(newton) < 1e-10) return s + newton;  // m: the next one would be the square of this over a radius
    (j.y < y ? low : high) = s;
    s = s + newton > low && s + newton < high ? s + newton : (low + high) / 2;
  }
  return s;
}

double Profile::gauge_face(double depth) const {
  double top = at(first()).z, face = at(first()).y;
  const double step = parts_.step / 8;
  for (double s = first(); s <= last(); s += step) top = std::max(top, at(s).z);
  face = at(0.0).y;
  double before = 0;
  for (double s = 0; s >= first(); before = s, s -= step) {
    const ProfilePoint<double> p = at(s);
    if (p.z < top - depth) {  // where it passes that depth
      const double z = at(before).z, part = (z - (top - depth)) / (z - p.z);
      face = std::min(face, at(before + part * (s - before)).y);
      break;
    }
    face = std::min(face, p.y);
  }
  return face;
}

}  // namespace skyhook::model
