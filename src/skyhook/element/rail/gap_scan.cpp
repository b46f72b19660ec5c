#include "skyhook/element/rail/gap_scan.h"

#include <algorithm>

namespace skyhook::element::rail {

GapScan::GapScan(const WheelOnRail& of) : radius_(of.radius), first_(of.wheel->first()) {
  for (double at = first_; at <= of.wheel->last(); at += step) nodes_.push_back(of.wheel->jet(at));
  constexpr double rail_step = 1e-4;
  rail_first_ = of.rail->first_y(), per_step_ = 1 / rail_step;
  for (double y = rail_first_; y <= of.rail->last_y(); y += rail_step) {
    const ProfileJet<double> q = of.rail->jet(of.rail->s_at(y));
    rail_.push_back({q.z, q.y1 / std::hypot(q.y1, q.z1)});
  }
}

void GapScan::distances(const Axle<double>& axle, std::vector<double>& out) const {
  out.resize(nodes_.size());
  const double ratio = -axle.axis.x / axle.length;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const ProfileJet<double>& p = nodes_[k];
    out[k] = nowhere;
    const double sine = ratio * p.z1 / p.y1;
    if (p.y1 <= 0 || std::abs(sine) >= 1) continue;
    const double cosine = std::sqrt(1 - sine * sine), rho = radius_ - p.z;
    const double y = axle.centre.y + p.y * axle.axis.y + rho * (sine * axle.ahead.y + cosine * axle.down.y);
    const double at = (y - rail_first_) * per_step_;
    if (!(at >= 0 && at < static_cast<double>(rail_.size() - 1))) continue;
    const double z = axle.centre.z + p.y * axle.axis.z + rho * (sine * axle.ahead.z + cosine * axle.down.z);
    const auto cell = static_cast<std::size_t>(at);
    const double part = at - static_cast<double>(cell);
    const Rail &a = rail_[cell], &b = rail_[cell + 1];
    out[k] = (z - a.z - part * (b.z - a.z)) * (a.cosine + part * (b.cosine - a.cosine));
  }
}

}  // namespace skyhook::element::rail
