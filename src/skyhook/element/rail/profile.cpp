#include "skyhook/element/rail/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "skyhook/base/error.h"
#include "skyhook/element/rail/profile_points.h"
#include "skyhook/math/smoothing_spline.h"

namespace skyhook::element::rail {
namespace {

using Kind = Profile::Kind;

ProfilePoints rising(ProfilePoints p) {  // towards the field side
  if (p.y.front() <= p.y.back()) return p;
  std::ranges::reverse(p.y), std::ranges::reverse(p.z), std::ranges::reverse(p.lines);
  return p;
}

double usual_distance(const ProfilePoints& p) {
  std::vector<double> all;
  for (std::size_t i = 1; i < p.y.size(); ++i) all.push_back(std::hypot(p.y[i] - p.y[i - 1], p.z[i] - p.z[i - 1]));
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
  return all[all.size() / 2];
}

std::vector<double> chords(const ProfilePoints& p) {
  std::vector<double> t{0};
  for (std::size_t i = 1; i < p.y.size(); ++i)
    t.push_back(t.back() + std::hypot(p.y[i] - p.y[i - 1], p.z[i] - p.z[i - 1]));
  return t;
}

Profile fitted(const ProfilePoints& p, const std::vector<double>& t, const Profile::Parts& head) {
  const SmoothingSplines splines(t, head.smoothing);
  const UniformQuintic y = splines.near(p.y), z = splines.near(p.z);
  Profile::Parts parts = head;
  parts.first = y.first, parts.step = y.step;
  for (std::size_t k = 0; k < y.cells.size(); ++k) parts.cells.push_back({y.cells[k], z.cells[k]});
  return Profile(std::move(parts));
}

// Lengths along the curve at the parameters t; Gauss's three points on pieces of half a cell.
std::vector<double> lengths(const Profile& curve, const std::vector<double>& t) {
  static const double far = std::sqrt(0.15);
  const auto speed = [&](double s) {
    const ProfileJet<double> j = curve.jet(s);
    return std::hypot(j.y1, j.z1);
  };
  std::vector<double> s{0};
  for (std::size_t i = 1; i < t.size(); ++i) {
    const int pieces = 1 + static_cast<int>(2 * (t[i] - t[i - 1]) / curve.parts().step);
    double sum = 0;
    for (int k = 0; k < pieces; ++k) {
      const double h = (t[i] - t[i - 1]) / pieces, a = t[i - 1] + k * h;
      sum += h / 18 * (5 * speed(a + (0.5 - far) * h) + 8 * speed(a + 0.5 * h) + 5 * speed(a + (0.5 + far) * h));
    }
    s.push_back(s.back() + sum);
  }
  return s;
}

// s where y = 0; of several the highest, which is the head of a rail.
double origin_of(const Profile& p) {
  const double step = p.parts().step / 4;
  double best = p.first(), highest = -1e300;
  for (double s = p.first(); s + step <= p.last(); s += step) {
    const ProfilePoint<double> a = p.at(s), b = p.at(s + step);
    if (a.y > 0 || b.y < 0 || a.z <= highest) continue;
    highest = a.z;
    best = s - a.y / (b.y - a.y) * step;
    for (int pass = 0; pass < 5; ++pass) best -= p.jet(best).y / p.jet(best).y1;
  }
  return best;
}

double top_of(const Profile& p) {
  double top = -1e300, at = 0;
  for (double s = p.first(); s <= p.last(); s += p.parts().step / 4)
    if (p.at(s).z > top) top = p.at(s).z, at = s;
  for (int pass = 0; pass < 20; ++pass) {
    const ProfileJet<double> j = p.jet(at);
    if (!(j.z2 < 0) || !p.contains(at - j.z1 / j.z2)) break;
    at -= j.z1 / j.z2;
  }
  return std::max(top, p.at(at).z);
}

void lift(Profile::Parts& parts, double by) {
  for (Profile::Cell& c : parts.cells) c.z[0] += by;
}

Profile placed(const Profile& p) {
  Profile::Parts parts = p.parts();
  const double origin = origin_of(p);
  parts.first -= origin;
  if (parts.kind == Kind::wheel) lift(parts, -p.at(origin).z);
  if (parts.kind == Kind::rail) lift(parts, -top_of(p));
  return Profile(std::move(parts));
}

// Of the points, across the curve: each is looked for a little behind the one before it.
void note_deviation(const ProfilePoints& p, const Profile& curve, Profile::Parts& parts) {
  double s = curve.first();
  for (std::size_t i = 0; i < p.y.size(); ++i) {
    if (i > 0) s += std::hypot(p.y[i] - p.y[i - 1], p.z[i] - p.z[i - 1]);
    for (int pass = 0; pass < 3; ++pass) {
      const ProfileJet<double> j = curve.jet(s);
      s += ((p.y[i] - j.y) * j.y1 + (p.z[i] - j.z) * j.z1) / (j.y1 * j.y1 + j.z1 * j.z1);
    }
    const ProfilePoint<double> at = curve.at(s);
    const double d = std::hypot(p.y[i] - at.y, p.z[i] - at.z);
    if (d > parts.deviation) parts.deviation = d, parts.deviation_at = p.y[i];
  }
}

}  // namespace

ProfilePtr fit_profile(const ProfilePoints& given, const Shaping& shaping) {
  check_points(given, shaping);
  const ProfilePoints all = rising(given);
  Profile::Parts head{.name = shaping.name, .kind = shaping.kind, .notes = shaping.notes};
  head.smoothing = shaping.smoothing > 0 ? shaping.smoothing : usual_distance(all) / 2;
  // Where points are dense, the lengths between them are rounding: a tenth of a cell is enough.
  const ProfilePoints p = thinned(all, head.smoothing / 40);
  std::vector<double> t = chords(p);
  for (int pass = 0; pass < 2; ++pass) t = lengths(fitted(p, t, head), t);
  const Profile curve = fitted(p, t, head);
  Profile::Parts parts = placed(curve).parts();
  note_deviation(shaping.given.y.empty() ? p : rising(shaping.given), curve, parts);
  return std::make_shared<const Profile>(std::move(parts));
}

ProfilePtr conical(double slope, double width) {
  const double c = 1 / std::hypot(1.0, slope), half = width / 2 / c;
  Profile::Parts parts{.name = "conical", .kind = Kind::wheel, .first = -half, .step = 2 * half};
  parts.cells = {{{-half * c, c, 0, 0, 0, 0}, {-half * c * slope, c * slope, 0, 0, 0, 0}}};
  parts.notes = {fmt::format("a cone of slope {:.6g}", slope)};
  return std::make_shared<const Profile>(std::move(parts));
}

// Taylor's polynomials of sine and cosine over cells that turn by 0.002 rad: the error is (0.002)^6 / 720 of the radius.
ProfilePtr circular(double radius, double slope, double width) {
  const double lean = std::atan(slope), half = width / 2 / radius;
  const double begin = std::asin(std::min(1.0, std::sin(lean) + half)),  // angles of the tangent, which falls with s
      end = std::asin(std::max(-1.0, std::sin(lean) - half));
  const auto cells = static_cast<std::size_t>(std::ceil((begin - end) / 0.002));
  const double turn = (begin - end) / static_cast<double>(cells), k = 1 / radius;
  Profile::Parts parts{.name = "circular", .kind = Kind::rail, .first = radius * (lean - begin), .step = radius * turn};
  for (std::size_t i = 0; i < cells; ++i) {
    const double angle = begin - turn * static_cast<double>(i), c = std::cos(angle), s = std::sin(angle);
    parts.cells.push_back(
        {{radius * (std::sin(lean) - s), c, k * s / 2, -k * k * c / 6, -k * k * k * s / 24, k * k * k * k * c / 120},
         {radius * (c - std::cos(lean)), s, -k * c / 2, -k * k * s / 6, k * k * k * c / 24, k * k * k * k * s / 120}});
  }
  parts.notes = {fmt::format("a circle of radius {:.6g} mm", 1e3 * radius)};
  return std::make_shared<const Profile>(std::move(parts));
}

ProfilePtr inclined(const Profile& rail, double angle) {
  Profile::Parts parts = rail.parts();
  const double c = std::cos(angle), s = std::sin(angle);
  for (Profile::Cell& cell : parts.cells) {
    for (std::size_t p = 0; p < 6; ++p) {
      const double y = cell.y[p], z = cell.z[p];
      cell.y[p] = c * y - s * z, cell.z[p] = s * y + c * z;
    }
  }
  if (angle != 0) parts.notes.push_back(fmt::format("leant to the inside by {:.5g} rad", angle));
  lift(parts, -top_of(Profile(parts)));
  return std::make_shared<const Profile>(std::move(parts));
}

ProfilePtr leant(const ProfilePtr& rail, double angle) {
  struct Made {
    std::weak_ptr<const Profile> of;
    double angle;
    std::weak_ptr<const Profile> leant;
  };
  static std::vector<Made> all;
  static std::mutex changing;
  const std::lock_guard<std::mutex> one_at_a_time(changing);
  std::erase_if(all, [](const Made& each) { return each.of.expired() || each.leant.expired(); });
  for (const Made& each : all) {
    if (each.angle != angle || each.of.lock() != rail) continue;
    if (ProfilePtr made = each.leant.lock()) return made;
  }
  ProfilePtr made = inclined(*rail, angle);
  all.push_back({rail, angle, made});
  return made;
}

ProfilePtr worn_flat(const Profile& profile, double from, double to) {
  const double a = profile.s_at(from), b = profile.s_at(to);
  const ProfilePoint<double> left = profile.at(a), right = profile.at(b);
  ProfilePoints p;
  for (double s = profile.first(); s <= profile.last(); s += profile.parts().step / 2) {
    const double part = (s - a) / (b - a);
    const bool worn = part > 0 && part < 1;
    p.y.push_back(worn ? left.y + part * (right.y - left.y) : profile.at(s).y);
    p.z.push_back(worn ? left.z + part * (right.z - left.z) : profile.at(s).z);
  }
  Shaping shaping{.name = profile.name(), .kind = profile.parts().kind, .smoothing = profile.parts().smoothing};
  shaping.notes = profile.parts().notes;
  shaping.notes.push_back(fmt::format("worn flat from y = {:.4g} mm to {:.4g} mm", 1e3 * from, 1e3 * to));
  return fit_profile(p, shaping);
}

}  // namespace skyhook::element::rail
