#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/element/rail/contact_geometry.h"

namespace skyhook::element::rail {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double grid_step = 1e-4;  // m, of the rail's heights over y
constexpr double spacing = 0.5e-3;  // m, of the nodes of the wheel

}  // namespace

std::optional<double> RailContacts::rival_gap() const {
  if (minima.size() < 2) return std::nullopt;
  return minima[0].height - minima[1].height;
}

RailPair::RailPair(ProfilePtr wheel, ProfilePtr rail, double half, double radius, double rail_y)
    : wheel_(std::move(wheel)), rail_(std::move(rail)), half_(half), radius_(radius), rail_y_(rail_y) {
  const int count = std::max(20, static_cast<int>((wheel_->last() - wheel_->first()) / spacing));
  for (int k = 0; k <= count; ++k) {
    const double s = wheel_->first() + (wheel_->last() - wheel_->first()) * k / count;
    nodes_.push_back({s, wheel_->jet(s)});
  }
  const int cells = static_cast<int>((rail_->last_y() - rail_->first_y()) / grid_step);
  for (int k = 0; k <= cells; ++k) heights_.push_back(rail_->height(rail_->first_y() + k * grid_step));
}

double RailPair::rail_height(double y) const {
  const double at = (y - rail_y_ - rail_->first_y()) / grid_step;
  if (!(at >= 0) || at >= static_cast<double>(heights_.size() - 1)) return -infinite;
  const auto k = static_cast<std::size_t>(at);
  const double part = at - static_cast<double>(k);
  return heights_[k] + part * (heights_[k + 1] - heights_[k]);
}

// With the middle of the axle at height 0: minus the height at which this node touches.
std::vector<double> RailPair::gaps(const AxleTurn& turn) const {
  std::vector<double> out;
  out.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    const SilhouettePoint<double> p = silhouette(node.jet, turn, half_, radius_);
    out.push_back(p.is_seen ? p.at.z - rail_height(p.at.y) : infinite);
  }
  return out;
}

RailContact RailPair::contact_at(const AxleTurn& turn, double s, double sigma) const {
  RailContact c;
  c.s = s, c.sigma = sigma;
  const ProfileJet<double> jet = wheel_->jet(s);
  const SilhouettePoint<double> p = silhouette(jet, turn, half_, radius_);
  c.rail = rail_->at(sigma), c.wheel = {jet.y, jet.z};
  c.x = p.at.x, c.y = rail_y_ + c.rail.y, c.z = c.rail.z;
  c.height = c.z - p.at.z;
  c.angle = std::atan2(p.ny, -p.nz);
  c.radius = radius_ - jet.z;
  c.phi = std::asin(p.sine);
  c.wheel_curvature = wheel_->curvature(s), c.rail_curvature = -rail_->curvature(sigma);
  c.rolling_curvature = std::cos(wheel_->angle(s)) / c.radius;
  const double cp = std::sqrt(1 - p.sine * p.sine);
  const Vec3d circle{turn.cy * cp + turn.sy * turn.sr * p.sine, turn.sy * cp - turn.cy * turn.sr * p.sine,
                     turn.cr * p.sine};
  c.skew = std::asin(std::cos(c.angle) * circle.y + std::sin(c.angle) * circle.z);
  c.is_edge = !wheel_->contains(s) || !rail_->contains(sigma);
  return c;
}

// The same y, and the rail's tangent across the wheel's normal.
std::optional<RailContact> RailPair::refined(const AxleTurn& turn, double s, double sigma) const {
  using D = Dual<2>;
  double last = infinite;
  for (int pass = 0; pass < 30; ++pass) {
    const SilhouettePoint<D> p = silhouette(wheel_->jet(D::variable(s, 0)), turn, half_, radius_);
    if (!p.is_seen) return std::nullopt;
    const ProfileJet<D> r = rail_->jet(D::variable(sigma, 1));
    const D across = p.at.y - D(rail_y_) - r.y, turned = p.ny * r.y1 + p.nz * r.z1;
    const double det = across.d[0] * turned.d[1] - across.d[1] * turned.d[0];
    double ds = -(across.v * turned.d[1] - across.d[1] * turned.v) / det,
           dsigma = -(across.d[0] * turned.v - across.v * turned.d[0]) / det;
    const double size = std::max(std::abs(ds), std::abs(dsigma));
    if (!std::isfinite(size)) return std::nullopt;
    if (size < 1e-14 || (size >= last && size < 1e-11)) return contact_at(turn, s, sigma);
    const double held = std::min(1.0, 1e-3 / size);  // never further than two nodes
    s += held * ds, sigma += held * dsigma;
    last = size;
  }
  return std::nullopt;
}

std::optional<RailContact> RailPair::refine(const AxlePlace& place, double s, double sigma) const {
  return refined(AxleTurn(place), s, sigma);
}

// Where Newton's method leaves the node (curvatures that change within a step of it): the slope of the gap passes zero between `low` and `high`, and is
// halved until it is found. Nothing: it does not pass there.
std::optional<RailContact> RailPair::bisected(const AxleTurn& turn, double low, double high) const {
  const auto slope = [&](double s) {  // of the gap over the wheel's length, up to a positive factor
    const SilhouettePoint<double> p = silhouette(wheel_->jet(s), turn, half_, radius_);
    const double sigma = rail_->s_at(p.at.y - rail_y_);
    const ProfileJet<double> r = rail_->jet(sigma);
    return std::pair(p.is_seen ? p.ny * r.y1 + p.nz * r.z1 : std::nan(""), sigma);
  };
  if (!(slope(low).first < 0) || !(slope(high).first > 0)) return std::nullopt;
  for (int pass = 0; pass < 60 && high - low > 1e-15; ++pass) {
    const double middle = (low + high) / 2;
    (slope(middle).first < 0 ? low : high) = middle;
  }
  const double s = (low + high) / 2;
  return contact_at(turn, s, slope(s).second);
}

// The minimum near a node.
RailContact RailPair::near(const AxleTurn& turn, std::size_t k) const {
  const double s = nodes_[k].s, sigma = rail_->s_at(silhouette(nodes_[k].jet, turn, half_, radius_).at.y - rail_y_);
  const auto found = refined(turn, s, sigma);
  if (found && std::abs(found->s - s) < 1.5 * spacing && !found->is_edge) return *found;
  for (const std::size_t reach : {1, 2, 4}) {
    if (k < reach || k + reach >= nodes_.size()) break;
    if (const auto between = bisected(turn, nodes_[k - reach].s, nodes_[k + reach].s)) return *between;
  }
  RailContact end = contact_at(turn, s, sigma);
  end.is_edge = true;
  return end;
}

RailContacts RailPair::find(const AxlePlace& place, double within) const {
  const AxleTurn turn(place);
  const std::vector<double> gap = gaps(turn);
  RailContacts out;
  const double least = std::ranges::min(gap);
  out.is_between = !(least < infinite);
  if (out.is_between) return out;
  for (std::size_t k = 0; k < gap.size(); ++k) {
    const double before = k == 0 ? infinite : gap[k - 1], behind = k + 1 == gap.size() ? infinite : gap[k + 1];
    if (!(gap[k] < infinite) || gap[k] > before || gap[k] >= behind || gap[k] > least + within + 0.5e-3) continue;
    const RailContact c = near(turn, k);
    const auto is_same = [&](const RailContact& other) { return std::abs(other.s - c.s) < 1e-7; };
    if (std::ranges::none_of(out.minima, is_same)) out.minima.push_back(c);
  }
  std::ranges::sort(out.minima, std::greater{}, &RailContact::height);
  return out;
}

}  // namespace skyhook::element::rail
