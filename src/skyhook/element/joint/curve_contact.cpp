#include "skyhook/element/joint/curve_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "skyhook/element/curve_fields.h"
#include "skyhook/element/finding.h"
#include "skyhook/model/local_conditions.h"

namespace skyhook::element {
namespace {

using model::Pose;
using model::SpaceCurve;
using Curve = std::shared_ptr<const SpaceCurve>;

// In the plane of x and z.
template <class T>
struct Flat {
  T x, z;
  explicit Flat(const Vec3<T>& p) : x(p.x), z(p.z) {}
};
template <class T>
T dot(const Flat<T>& a, const Flat<T>& b) {
  return a.x * b.x + a.z * b.z;
}
template <class T>
T cross(const Flat<T>& a, const Flat<T>& b) {  // positive where b lies to the left of a
  return a.x * b.z - a.z * b.x;
}

// +1 where the left of the tangent is outside: of an open profile, the material lies to the right.
double outside_of(const SpaceCurve& curve) {
  if (!curve.is_closed()) return 1;
  double area = 0;
  const auto& at = curve.samples();
  for (std::size_t k = 1; k < at.size(); ++k) area += cross(Flat(at[k - 1].p), Flat(at[k].p));
  return area > 0 ? -1 : 1;
}

// Where P1, P2 are points of the profiles with tangents t1, t2 and n1 the normal of the first:
//   h = t1 . (P2 - P1), t1 x t2     the place where they touch
//   g = n1 . (P2 - P1)              their distance, which does not depend on s there
//   g = arc1(s1) -+ arc2(s2) - c    where they roll: equal lengths pass by
struct CurvesTouch final : model::ConditionsLaw<CurvesTouch> {
  Curve first, second;
  double side = 1;       // +1: `to` lies to the left of the first profile
  double direction = 1;  // of the second tangent along the first
  bool rolls;
  double passed = 0;  // c
  double size;        // of the smaller profile, for the search
  model::Declared declaration;

  CurvesTouch(Curve of_from, Curve of_to, bool rolling, const Pose<double>& design)
      : first(std::move(of_from)),
        second(std::move(of_to)),
        rolls(rolling),
        size(std::min(first->length(), second->length())) {
    declaration.contact_variables = {{"s_from", "-", first->span(), first->first()},
                                     {"s_to", "-", second->span(), second->first()}};
    declaration.rows = {{"distance of the profiles"}};
    if (rolls) declaration.rows.push_back({"slip along the profiles"});
    std::array<double, 2> s{};
    direction = 0;  // of either
    nearest(design, s);
    decide_sides(design, s);
    model::LocalConditions touching;
    if (rolls && find_contact(*this, design, s, touching))
      passed = first->arc(touching.s[0]) - direction * second->arc(touching.s[1]);
  }
  const model::Declared& declared() const override { return declaration; }

  template <class T>
  void law(const Pose<T>& x, std::span<const T> s, std::span<T> g, std::span<T> h) const {
    using std::sqrt;
    const auto one = first->place(s[0]), other = second->place(s[1]);
    const Flat<T> t1(one.tangent), t2(x.R * other.tangent), away(x.r + x.R * other.position - one.position);
    h[0] = dot(t1, away);
    h[1] = cross(t1, t2);
    g[0] = T(side) * cross(t1, away) / sqrt(dot(t1, t1));
    if (rolls) g[1] = first->arc(s[0]) - T(direction) * second->arc(s[1]) - T(passed);
  }

  void search(const Pose<double>& x, std::span<double> s) const override { nearest(x, s); }
  // On the other side of a disc the tangents are parallel as well.
  bool takes(const Pose<double>& x, std::span<double> s) const override {
    const Flat<double> t1(first->tangent(s[0])), t2(x.R * second->tangent(s[1]));
    if (direction * dot(t1, t2) < 0) return false;
    if (rolls) count_turns(s);
    return true;
  }
  std::string refuses(const Pose<double>& x, std::span<const double> s) const override {
    if (s.empty()) return {};
    constexpr double least_cosine = 0.99999;  // a quarter of a degree
    if (std::abs(x.R[1][1]) < least_cosine) return "its profiles do not lie in one plane";
    for (const auto& [curve, at, name] :
         {std::tuple{first.get(), s[0], "from"}, std::tuple{second.get(), s[1], "to"}}) {
      if (!curve->has(at))
        return fmt::format("it has reached the end of the profile of `{}` (s_{} = {:.6g})", name, name, at);
    }
    return {};
  }

  std::vector<model::Quantity> quantities() const override {
    std::vector<model::Quantity> all{{"normal", "N", "normal force, pressing positive"}};
    all.push_back(rolls ? model::Quantity{"tangential", "N", "force on `to` along the profile of `from`"}
                        : model::Quantity{"slip", "m/s", "velocity of `to` along the profile of `from`"});
    return all;
  }
  void measure(const model::LoadInput<double>& in, const model::Acting& acting,
               std::vector<double>& out) const override {
    out.push_back(-acting.multipliers[0]);
    if (rolls) return out.push_back(-acting.multipliers[1]);
    const model::Relative<double>& m = in.motion;
    const Flat<double> t(first->tangent(in.s[0]));
    const Flat<double> v(m.v + skyhook::cross(m.w, m.R * second->position(in.s[1])));
    out.push_back(dot(t, v) / std::sqrt(dot(t, t)));
  }
  std::string doubts(const model::Acting& acting) const override {
    constexpr double least = 1e-6;  // N
    return acting.multipliers[0] > least ? "its profiles pull at each other, where a contact would open" : "";
  }
  std::string signature() const override {
    return fmt::format("{} {} {}", first->is_closed(), second->is_closed(), rolls);
  }

 private:
  // Of a number of samples, the pair that comes closest to h = 0, near rather than far.
  void nearest(const Pose<double>& x, std::span<double> s) const {
    constexpr std::size_t enough = 160;
    const auto &one = first->samples(), &other = second->samples();
    const auto stride = [](const auto& list) { return std::max<std::size_t>(1, list.size() / enough); };
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < other.size(); j += stride(other)) {
      const Flat<double> p(x.r + x.R * other[j].p), t(x.R * other[j].tangent);
      for (std::size_t i = 0; i < one.size(); i += stride(one)) {
        const Flat<double> t1(one[i].tangent);
        const Flat<double> away(Vec3d{p.x - one[i].p.x, 0, p.z - one[i].p.z});
        if (direction * dot(t1, t) < 0) continue;
        const double along = dot(t1, away), across = size * cross(t1, t);
        const double miss = along * along + across * across + 0.01 * dot(away, away);
        if (miss < least) least = miss, s[0] = one[i].s, s[1] = other[j].s;
      }
    }
  }

  // Two solids face each other; where their normals agree, the one that is curved more lies inside of the other.
  void decide_sides(const Pose<double>& x, const std::array<double, 2>& s) {
    const auto c1 = first->at(s[0]), c2 = second->at(s[1]);
    const Flat<double> t1(c1[1]), t2(x.R * c2[1]);
    direction = dot(t1, t2) < 0 ? -1 : 1;
    const double out1 = outside_of(*first), out2 = direction * outside_of(*second);
    const auto bend = [](const std::array<Vec3d, 4>& c) {
      const Flat<double> t(c[1]), a(c[2]);
      return std::abs(cross(t, a)) / std::pow(dot(t, t), 1.5);
    };
    side = out1 != out2 || bend(c1) >= bend(c2) ? out1 : -out2;
  }

  // Whole turns of closed profiles, so that equal lengths have passed by. Of two closed profiles many turns come near to anything: the
  // fewest with which the lengths agree count, and none of the first where they never do.
  void count_turns(std::span<double> s) const {
    constexpr int most = 50;
    const double miss = first->arc(s[0]) - direction * second->arc(s[1]) - passed;
    double turns1 = 0, turns2 = 0;
    for (int k = 0; k <= (first->is_closed() ? 2 * most : 0); ++k) {
      const double one = (k % 2 == 1 ? 1 : -1) * ((k + 1) / 2);  // 0, 1, -1, 2, ...
      const double left = miss + one * first->length();
      const double other = second->is_closed() ? std::round(direction * left / second->length()) : 0.0;
      const bool agrees = std::abs(left - direction * other * second->length()) < 1e-3 * size;
      if (k == 0 || agrees) turns1 = one, turns2 = other;
      if (agrees) break;
    }
    s[0] += turns1 * first->span(), s[1] += turns2 * second->span();
  }
};

struct Side {
  const char* points_name;
  const char* radius_name;
  const model::Rows& points;
  const std::optional<model::Formula>&x, &z;
  const std::vector<double>& range;
  bool closed;
  double radius;
};

Curve profile_of(const Side& side, const model::FieldSource& source) {
  if (side.radius > 0) {
    if (!side.points.empty() || side.x || side.z)
      fail(source, side.radius_name, "the profile is given twice.", "Give a radius, or points, or formulas.");
    return std::make_shared<const SpaceCurve>(side.radius);
  }
  CurveFields fields;
  for (const auto& row : side.points) {
    if (row.size() != 2) fail(source, side.points_name, "a point of a profile needs two numbers.", "Write [x, z].");
    fields.points.push_back({row[0], 0.0, row[1]});
  }
  fields.x = side.x, fields.z = side.z, fields.range = side.range, fields.closed = side.closed;
  return curve_of(fields, source, side.points_name);
}

}  // namespace

void CurveContact::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  const Curve first = profile_of(
      {"from_points", "from_radius", from_points, from_x, from_z, from_range, from_closed, from_radius}, source);
  const Curve second =
      profile_of({"to_points", "to_radius", to_points, to_x, to_z, to_range, to_closed, to_radius}, source);
  const Pose<double> design{transpose_times(pair.from.axes, pair.to.at - pair.from.at),
                            transpose(pair.from.axes) * pair.to.axes};
  if (std::abs(design.R[1][1]) < 0.99999)
    fail(source, "to", "the planes of the two profiles are not parallel: those of x and z of `from` and `to`.",
         "Turn one of the frames.");
  model.contributions.push_back(
      contribution(pair, source, std::make_shared<const CurvesTouch>(first, second, rolling, design)));
  draw(*first, Drawn::profile, pair.from, model), draw(*second, Drawn::profile, pair.to, model);
}

}  // namespace skyhook::element
