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
std::array<double, 8> quintic(const Knot& a, const Knot& b, double h) {
  const double d = b.z - a.z - h * (a.slope + 0.5 * h * a.bend), e = (b.slope - a.slope - h * a.bend) * h,
               f = (b.bend - a.bend) * h * h;
  const double h3 = h * h * h;
  return {a.z,
          a.slope,
          0.5 * a.bend,
          (10 * d - 4 * e + 0.5 * f) / h3,
          (-15 * d + 7 * e - f) / (h3 * h),
          (6 * d - 3 * e + 0.5 * f) / (h3 * h * h),
          0,
          0};
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
  for (int k = -left; k <= right; ++k) knots.push_back(knot_at(rail, middle + k * step));
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    const Knot &a = knots[k], &b = knots[k + 1];
    cells_.push_back(quintic(a, b, step));
    const double cosine = 1 / std::hypot(1.0, 0.5 * (a.slope + b.slope));
    rough_.push_back({a.z, b.z - a.z, cosine, -0.5 * (a.bend + b.bend) * cosine * cosine * cosine});
  }
}

namespace {

template <class T>
std::array<T, 4> with_derivatives(const std::array<T, 8>& c, const T& u) {
  return {c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5])))),
          c[1] + u * (T(2.0) * c[2] + u * (T(3.0) * c[3] + u * (T(4.0) * c[4] + u * T(5.0) * c[5]))),
          T(2.0) * c[2] + u * (T(6.0) * c[3] + u * (T(12.0) * c[4] + u * T(20.0) * c[5])),
          T(6.0) * c[3] + u * (T(24.0) * c[4] + u * T(60.0) * c[5])};
}

}  // namespace

std::array<double, 4> RailHeight::jet(double y) const {
  const double at = std::clamp((y - first_) * per_step_, 0.0, static_cast<double>(cells_.size()) - 1e-9);
  const auto k = static_cast<std::size_t>(at);
  return with_derivatives(cells_[k], y - first_ - static_cast<double>(k) * step);
}

namespace {

// Rows become columns: of four pieces of memory what stands at one place of each.
void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  const Lanes::Register ab02 = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6),
                        ab13 = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7);
  const Lanes::Register cd02 = __builtin_shufflevector(c.v, d.v, 0, 4, 2, 6),
                        cd13 = __builtin_shufflevector(c.v, d.v, 1, 5, 3, 7);
  a.v = __builtin_shufflevector(ab02, cd02, 0, 1, 4, 5), b.v = __builtin_shufflevector(ab13, cd13, 0, 1, 4, 5);
  c.v = __builtin_shufflevector(ab02, cd02, 2, 3, 6, 7), d.v = __builtin_shufflevector(ab13, cd13, 2, 3, 6, 7);
}

}  // namespace

// What is no number stands at the first end.
RailHeight::Place RailHeight::place(const Lanes& y) const {
  const Lanes at =
      min(max(Lanes(0.0), (y - Lanes(first_)) * Lanes(per_step_)), Lanes(static_cast<double>(cells_.size()) - 1e-9));
  Place out;
  out.cell = __builtin_convertvector(at.v, decltype(out.cell));
  out.part = at - Lanes(__builtin_convertvector(out.cell, Lanes::Register));
  return out;
}

RailHeight::Rough RailHeight::rough(const Lanes& y) const {
  const Place at = place(y);
  const auto of = [&](int i) { return Lanes::load(rough_[static_cast<std::size_t>(at.cell[i])].data()); };
  Lanes z = of(0), change = of(1), cosine = of(2), sharpness = of(3);
  transpose(z, change, cosine, sharpness);
  return {z + at.part * change, cosine, sharpness};
}

std::array<Lanes, 4> RailHeight::jet(const Lanes& y) const {
  const Place at = place(y);
  std::array<Lanes, 8> c;
  for (std::size_t i = 0; i < Lanes::count; ++i) {
    const double* const from = cells_[static_cast<std::size_t>(at.cell[static_cast<int>(i)])].data();
    c[i] = Lanes::load(from), c[4 + i] = Lanes::load(from + 4);
  }
  transpose(c[0], c[1], c[2], c[3]);
  transpose(c[4], c[5], c[6], c[7]);
  return with_derivatives(c, at.part * Lanes(step));
}

}  // namespace skyhook::element::rail
