#include "skyhook/element/rail/eased_profile.h"

#include <algorithm>
#include <cmath>

namespace skyhook::element::rail {
namespace {

// Angles of the tangent at equal lengths.
struct Tangents {
  double step;
  std::vector<double> angle;  // in the middles of the steps
  std::size_t origin;         // the step that passes y = 0, from its begin
  double part;                // of this step, up to y = 0
  double z;                   // there
};

Tangents tangents_of(const ProfilePoints& p) {
  std::vector<double> s{0};
  for (std::size_t i = 1; i < p.y.size(); ++i)
    s.push_back(s.back() + std::hypot(p.y[i] - p.y[i - 1], p.z[i] - p.z[i - 1]));
  Tangents out;
  const auto steps = static_cast<std::size_t>(std::ceil(s.back() / 20e-6));
  out.step = s.back() / static_cast<double>(steps);
  const auto at = [&](double l) {
    const auto above = std::ranges::upper_bound(s, l) - s.begin();
    const auto k =
        static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above, 1, static_cast<std::ptrdiff_t>(s.size()) - 1));
    const double part = (l - s[k - 1]) / (s[k] - s[k - 1]);
    return ProfilePoint<double>{p.y[k - 1] + part * (p.y[k] - p.y[k - 1]), p.z[k - 1] + part * (p.z[k] - p.z[k - 1])};
  };
  double highest = -1e300;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto a = at(out.step * static_cast<double>(i)), b = at(out.step * static_cast<double>(i + 1));
    double angle = std::atan2(b.z - a.z, b.y - a.y);
    if (i > 0) angle += 2 * M_PI * std::round((out.angle.back() - angle) / (2 * M_PI));
    out.angle.push_back(angle);
    if (a.y <= 0 && b.y > 0 && a.z > highest)
      highest = a.z, out.origin = i, out.part = -a.y / (b.y - a.y), out.z = a.z + out.part * (b.z - a.z);
  }
  return out;
}

// Twice over `count` steps, at the ends over as many as there are to both sides.
std::vector<double> averaged(const std::vector<double>& x, std::size_t count) {
  std::vector<double> sums{0}, out;
  for (const double v : x) sums.push_back(sums.back() + v);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t reach = std::min({count / 2, i, x.size() - 1 - i});
    out.push_back((sums[i + reach + 1] - sums[i - reach]) / static_cast<double>(2 * reach + 1));
  }
  return out;
}

}  // namespace

ProfilePoints eased(const ProfilePoints& points, double length) {
  const Tangents t = tangents_of(points);
  const auto count = static_cast<std::size_t>(std::max(1.0, length / 2 / t.step));
  const std::vector<double> angle = averaged(averaged(t.angle, count), count);
  ProfilePoints out;
  out.y.resize(angle.size() + 1), out.z.resize(angle.size() + 1);
  out.y[t.origin] = -t.part * t.step * std::cos(angle[t.origin]);
  out.z[t.origin] = t.z - t.part * t.step * std::sin(angle[t.origin]);
  for (std::size_t i = t.origin; i < angle.size(); ++i)
    out.y[i + 1] = out.y[i] + t.step * std::cos(angle[i]), out.z[i + 1] = out.z[i] + t.step * std::sin(angle[i]);
  for (std::size_t i = t.origin; i > 0; --i)
    out.y[i - 1] = out.y[i] - t.step * std::cos(angle[i - 1]),
              out.z[i - 1] = out.z[i] - t.step * std::sin(angle[i - 1]);
  return out;
}

}  // namespace skyhook::element::rail
