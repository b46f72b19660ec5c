#include "skyhook/element/rail/elastic_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numbers>

#include "skyhook/base/kept_answers.h"
#include "skyhook/element/rail/contact_report.h"
#include "skyhook/element/rail/kept_on_thread.h"
#include "skyhook/element/rail/standing.h"

namespace skyhook::element::rail {
namespace {

// What the geometry depends on: c_y, c_z and the axle's direction. Derivatives are taken to these five and chained.
constexpr int waist = 5;
using Slope = Dual<waist>;

template <class T>
std::array<T, waist> through(const Axle<T>& axle) {
  return {axle.centre.y, axle.centre.z, axle.axis.x, axle.axis.y, axle.axis.z};
}
Axle<Slope> seeded(const Axle<double>& at) {
  const std::array<double, waist> u = through(at);
  const auto x = [&](int i) { return Slope::variable(u[static_cast<std::size_t>(i)], i); };
  Mat3<Slope> R = Mat3<Slope>::identity();
  for (int i = 0; i < 3; ++i) R[i][1] = x(2 + i);
  return axle_of(WheelOnRail{}, Vec3<Slope>{Slope(at.centre.x), x(0), x(1)}, R);  // a left wheel at its own centre
}
Axle<double> values(const Axle<double>& a) { return a; }
template <class T>
Axle<double> values(const Axle<T>& a) {
  const auto plain = [](const Vec3<T>& v) { return Vec3d{value_of(v.x), value_of(v.y), value_of(v.z)}; };
  return {plain(a.centre), plain(a.axis), plain(a.ahead), plain(a.down), value_of(a.length)};
}

// Conform profiles touch along a line that no ellipse describes: B is kept above this, smoothly. At 0.5/m it adds 0.04 %.
constexpr double least_across = 0.1;  // 1/m
template <class T>
T bounded(const T& B) {
  using std::sqrt;
  constexpr double fourth = least_across * least_across * least_across * least_across;
  if (!(value_of(B) > 0.0)) return T(least_across);
  const T square = B * B;
  return sqrt(sqrt(square * square + T(fourth)));
}

// At a place where the tangents are parallel. On duals s and sigma move with the pose: the slopes of (17.23) to the pose over those to the two lengths.
template <class D>
TouchGeometry<D> geometry_at(const WheelOnRail& of, const Axle<D>& axle, const Parallel& place,
                             const Elastic& material) {
  using std::sqrt;
  D s(place.s), sigma(place.sigma);
  if constexpr (!std::is_same_v<D, double>) {
    std::array<double, 2> rest{};
    double distance = 0;
    const Steering j = steering(of, values(axle), place.s, place.sigma, rest, distance);
    const std::array<D, 2> r = not_parallel(silhouette_point(of, axle, s), of.rail->jet(sigma));
    const double one = 1.0 / j.determinant();
    for (std::size_t k = 0; k < s.d.size(); ++k) {
      if (place.is_held) {
        sigma.d[k] = -r[0].d[k] / j.f_sigma;
        continue;
      }
      s.d[k] = -(r[0].d[k] * j.h_sigma - r[1].d[k] * j.f_sigma) * one;
      sigma.d[k] = -(j.f_s * r[1].d[k] - j.h_s * r[0].d[k]) * one;
    }
  }
  const WheelPoint<D> wheel = silhouette_point(of, axle, s);
  const ProfileJet<D> q = of.rail->jet(sigma);
  const RailFoot<D> foot{sigma, q, sqrt(q.y1 * q.y1 + q.z1 * q.z1)};
  TouchGeometry<D> out;
  const D one = D(1.0) / foot.length;
  out.normal_y = -(foot.profile.z1 * one), out.normal_z = foot.profile.y1 * one;
  out.approach = -distance_of(wheel, foot);
  const D half = D(0.5) * out.approach;
  out.at = wheel.at + Vec3<D>{D(0.0), half * out.normal_y, half * out.normal_z};
  const D upright = sqrt(wheel.profile.y1 * wheel.profile.y1 + wheel.profile.z1 * wheel.profile.z1);
  out.rho = wheel.rho;
  // Where the wheel yaws its circle is skew to the track: c is the cosine of the angle between them, in the tangent plane.
  const D one_rho = D(1.0) / wheel.rho;
  const D down_y = (wheel.at.y - axle.centre.y - wheel.profile.y * axle.axis.y) * one_rho;
  const D down_z = (wheel.at.z - axle.centre.z - wheel.profile.y * axle.axis.z) * one_rho;
  const D c = axle.axis.y * down_z - axle.axis.z * down_y, c2 = c * c, s2 = D(1.0) - c2;
  const D rolls = wheel.profile.y1 * one_rho / upright, bends = detail::curvature(wheel.profile);
  out.A = D(0.5) * (c2 * rolls + s2 * bends);
  out.B = D(0.5) * (s2 * rolls + c2 * bends - detail::curvature(foot.profile));
  // The axes of the ellipse turn with the skew: its curvatures are the eigenvalues, to second order of what couples x and y, and as they are where the patch is round.
  const D coupling2 = D(0.25) * (rolls - bends) * (rolls - bends) * c2 * s2, apart = out.A - out.B;
  const D more = coupling2 * apart / (apart * apart + D(2.0) * coupling2 + D(1e-12));
  out.A = out.A + more, out.B = out.B - more;
  out.shape = hertz_shape(out.A, bounded(out.B), material);
  return out;
}

template <class T>
TouchGeometry<T> touch_geometry(const WheelOnRail& of, const Axle<T>& axle, const Parallel& s,
                                const Elastic& material) {
  if constexpr (std::is_same_v<T, double>) {
    return geometry_at(of, axle, s, material);
  } else {
    const TouchGeometry<Slope> f = geometry_at(of, seeded(values(axle)), s, material);
    const std::array<T, waist> u = through(axle);
    const auto chained = [&](const Slope& y) {
      T out(y.v);
      for (std::size_t i = 0; i < waist; ++i) {
        for (std::size_t k = 0; k < out.d.size(); ++k) out.d[k] += y.d[i] * u[i].d[k];
      }
      return out;
    };
    // Along the rail nothing changes but the place: at.x moves with the centre.
    return {chained(f.approach),
            {chained(f.shape.a), chained(f.shape.b), chained(f.shape.stiffness)},
            {chained(f.at.x) + axle.centre.x - T(value_of(axle.centre.x)), chained(f.at.y), chained(f.at.z)},
            chained(f.normal_y),
            chained(f.normal_z),
            chained(f.A),
            chained(f.B),
            chained(f.rho)};
  }
}

// (17.27): what two overlaps of one body share counts once. `p` and `other` stand above their saddle; the one that stands lower gives way, and goes as the two
// become one.
template <class T>
T shared(const T& p, const T& other, const T& saddle) {
  if (!(value_of(saddle) > 0.0)) return T(0.0);
  const T own = p - saddle, others = other - saddle, both = own + others;
  if (!(value_of(both) > 0.0)) return saddle;
  return saddle * others / both;
}

struct Law final : model::LoadsLaw<Law>, OnRail {
  ElasticOptions with;
  OverlapSearch search_;
  unsigned number_ = 0;
  model::Declared declaration;

  explicit Law(const ElasticOptions& options) : with(options), search_(with.place) {
    static std::atomic<unsigned> count{0};
    number_ = count++;
    declaration.has_loads = true;
    if (!has_bed()) return;
    declaration.coordinates = {{.name = "rail_lateral", .unit = "m", .mass = with.bed.mass},
                               {.name = "rail_vertical", .unit = "m", .mass = with.bed.mass}};
  }
  bool has_bed() const { return with.bed.mass > 0; }
  // Against the rail where it has moved to, in its axes.
  template <class T>
  Seen<T> seen_from_rail(const model::LoadInput<T>& in) const {
    Seen<T> out = seen_from_line(in.motion);
    if (!has_bed()) return out;
    out.motion.r.y = out.motion.r.y - in.p[0], out.motion.r.z = out.motion.r.z - in.p[1];
    out.motion.v.y = out.motion.v.y - in.p_rate[0], out.motion.v.z = out.motion.v.z - in.p_rate[1];
    return out;
  }
  Seen<double> seen_from_line(const model::Relative<double>& m) const {
    return is_plain(with.line) ? seen(with.place, with.line, m) : seen_in(frame(m.r, m.R.column(1), m.set.way), m);
  }
  template <class T>
  Seen<T> seen_from_line(const model::Relative<T>& m) const {
    if (is_plain(with.line)) return seen(with.place, with.line, m);
    const auto plain = [](const Vec3<T>& v) { return Vec3d{value_of(v.x), value_of(v.y), value_of(v.z)}; };
    const Vec3<T> axis = m.R.column(1);
    return seen_in(rail_frame(with.place, *with.line, m.r, axis, frame(plain(m.r), plain(axis), m.set.way).s), m);
  }
  // What spring and damper do to the mass, and what the wheel does, `on_wheel` in axes of the rail.
  template <class T>
  void push_bed(const model::LoadInput<T>& in, const Vec3<T>& on_wheel, const model::LoadOutput<T>& out) const {
    for (std::size_t i = 0; i < 2 && has_bed(); ++i)
      out.forces[i] = T(-with.bed.stiffness[i]) * in.p[i] - T(with.bed.damping[i]) * in.p_rate[i] -
                      (i == 0 ? on_wheel.y : on_wheel.z);
  }
  double energy(const model::LoadInput<double>& in) const override {
    double sum = 0;
    for (std::size_t i = 0; i < 2 && has_bed(); ++i) sum += 0.5 * with.bed.stiffness[i] * in.p[i] * in.p[i];
    return sum;
  }
  const model::Declared& declared() const override { return declaration; }
  const WheelOnRail& on_rail() const override { return with.place; }
  const LinePtr& line() const override { return with.line; }

  template <class T>
  struct Touch {
    TouchGeometry<T> geometry;
    HertzPatch<T> patch;
    T load;
    Rolling<T> rolling;
    Creeping<T> creeping{};
  };
  struct Touches {
    std::array<Touch<double>, most_patches> all;
    int count = 0;
  };

  // The last answer of each law is kept, on each thread: rates, reactions and what is recorded ask for the loads of one motion again, and derivatives for those of
  // the residual before.
  struct Kept {
    unsigned number = ~0u, answers = 0;
    bool is_touching = false, has_overlaps = false, has_frame = false;
    std::array<Vec3d, 2> of_frame{};  // the wheel's place and the direction of its axle
    double near = 0;
    RailFrame<double> frame{};
    model::Relative<double> motion{};
    std::array<double, 4> bed{};
    Seen<double> see{};
    Touches all{};
    std::array<double, 5> axle{};
    Overlaps overlaps{};
  };
  Kept& kept() const {
    auto& all = kept_on_thread<Kept>();
    Kept& mine = all[number_ % all.size()];
    const unsigned answers = KeptAnswers::number();
    if (mine.number != number_ || mine.answers != answers)
      mine.number = number_, mine.answers = answers, mine.is_touching = mine.has_overlaps = mine.has_frame = false;
    return mine;
  }
  // Of the line, which is not plain, under a wheel there.
  const RailFrame<double>& frame(const Vec3d& r, const Vec3d& axis, double near) const {
    Kept& mine = kept();
    if (const std::array<Vec3d, 2> at{r, axis}; !mine.has_frame || mine.of_frame != at || mine.near != near)
      mine.frame = rail_frame(with.place, *with.line, r, axis, near), mine.of_frame = at, mine.near = near,
      mine.has_frame = true;
    return mine.frame;
  }
  static bool is_same(const model::Relative<double>& a, const model::Relative<double>& b) {
    return a.r == b.r && a.v == b.v && a.w == b.w && a.R == b.R && a.set.way == b.set.way;
  }
  const Kept& touching_here(const model::LoadInput<double>& in) const {
    Kept& mine = kept();
    std::array<double, 4> bed{};
    for (std::size_t i = 0; i < 2 && has_bed(); ++i) bed[i] = in.p[i], bed[2 + i] = in.p_rate[i];
    if (mine.is_touching && is_same(mine.motion, in.motion) && mine.bed == bed) return mine;
    mine.see = seen_from_rail(in);
    mine.all.count = 0;
    for_each_touch(mine.see.motion,
                   [&](const Touch<double>& each) { mine.all.all[static_cast<std::size_t>(mine.all.count++)] = each; });
    mine.is_touching = true, mine.motion = in.motion, mine.bed = bed;
    return mine;
  }

  const Overlaps& found(const Axle<double>& axle) const {
    Kept& mine = kept();
    if (const std::array<double, 5> at = through(axle); !mine.has_overlaps || mine.axle != at)
      mine.overlaps = search_.find(axle, 0.0), mine.axle = at, mine.has_overlaps = true;
    return mine.overlaps;
  }
  template <class T, class Visit>
  void for_each_touch(const model::Relative<T>& m, Visit&& visit) const {
    const Axle<T> axle = axle_of(with.place, m.r, m.R);
    const Overlaps& at = found(values(axle));
    std::array<TouchGeometry<T>, most_patches> geometry;
    for (std::size_t i = 0; i < static_cast<std::size_t>(at.count); ++i)
      geometry[i] = touch_geometry(with.place, axle, at.least[i], with.rolling.material);
    std::array<T, most_patches> approach;
    for (std::size_t i = 0; i < static_cast<std::size_t>(at.count); ++i) approach[i] = geometry[i].approach;
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(at.count); ++i) {
      if (at.between[i].distance >= 0.0) continue;
      const T saddle = touch_geometry(with.place, axle, at.between[i], with.rolling.material).approach;
      const T low = shared(geometry[i].approach, geometry[i + 1].approach, saddle), high = saddle - low;
      approach[i] = approach[i] - low, approach[i + 1] = approach[i + 1] - high;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(at.count); ++i) {
      if (!(value_of(approach[i]) > 0.0)) continue;
      if (with.has_several || at.count == 1) {
        touch(geometry[i], approach[i], T(1.0), m, visit);
      } else if (const T share = share_of(approach, i, at.count); value_of(share) > least_share) {
        touch(geometry[i], geometry[i].approach, share, m, visit);
      }
    }
  }

  // One patch: where two places overlap nearly as deep the contact passes from one to the other (17.31). A jump would have no equilibrium there, and steps would shrink to nothing.
  static constexpr double least_share = 1e-9;
  template <class T>
  static T share_of(const std::array<T, most_patches>& approach, std::size_t i, int count) {
    const auto power = [](const T& x) {  // the 16th
      T out = x * x;
      for (int k = 0; k < 3; ++k) out = out * out;
      return out;
    };
    T sum(0.0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      if (value_of(approach[k]) > 0.0) sum = sum + power(approach[k] / approach[i]);
    return T(1.0) / sum;
  }

  // Smooth, and 1e-6 off at 90 kN: a flange forced so deep into its rail that Hertz would ask for meganewtons presses by this.
  static constexpr double largest_load = 2e6;  // N
  template <class T>
  static T bounded_load(const T& load) {
    using std::sqrt;
    const T part = load * (1.0 / largest_load), square = part * part;
    return load / sqrt(sqrt(T(1.0) + square * square));
  }

  template <class T, class Visit>
  void touch(const TouchGeometry<T>& g, const T& approach, const T& share, const model::Relative<T>& m,
             Visit&& visit) const {
    Touch<T> out;
    out.geometry = g;
    out.patch = patch_of_approach(g.shape, approach);
    out.rolling = rolling_of(with.place, with.rolling, m, {g.at, g.normal_y, g.normal_z, g.rho, g.A, g.B});
    // p' is the velocity of the wheel into the rail; where it leaves so fast that it would pull, nothing acts
    const T rate = -dot(m.v + cross(m.w, out.rolling.arm), out.rolling.normal),
            factor = T(1.0) + T(with.damping) * rate;
    if (!(value_of(factor) > 0.0)) return;
    out.load = bounded_load(out.patch.load) * factor;
    if (with.rolling.creep) out.creeping = creep_of(out);
    if (value_of(share) < 1.0) take(share, out);
    visit(out);
  }

  template <class T>
  static void take(const T& share, Touch<T>& at) {
    at.load = share * at.load;
    CreepForce<T>& f = at.creeping.force;
    f.x = share * f.x, f.y = share * f.y, f.moment = share * f.moment;
  }

  template <class T>
  Creeping<T> creep_of(const Touch<T>& at) const {
    const Rolling<T>& r = at.rolling;
    const T one = T(1.0) / r.speed;
    const Creep<T> creep{r.slide_x * one,
                         r.slide_y * one,
                         r.spin * one,
                         at.load,
                         at.patch.a,
                         at.patch.b,
                         with.rolling.friction.at(r.slide_x, r.slide_y)};
    return {creep, creep_force(*with.rolling.creep, creep)};
  }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    model::Wrench<T> sum{};
    if constexpr (std::is_same_v<T, double>) {
      const Kept& here = touching_here(in);
      for (std::size_t i = 0; i < static_cast<std::size_t>(here.all.count); ++i) push(here.all.all[i], sum);
      out.wrench = here.see.back(sum);
    } else {
      const Seen<T> see = seen_from_rail(in);
      for_each_touch(see.motion, [&](const Touch<T>& at) { push(at, sum); });
      out.wrench = see.back(sum);
    }
    push_bed(in, sum.f, out);
  }
  template <class T>
  void push(const Touch<T>& at, model::Wrench<T>& sum) const {
    const Vec3<T> push = at.load * at.rolling.normal;
    sum.f += push, sum.n += cross(at.rolling.arm, push);
    if (with.rolling.creep) add_creep_force(at.rolling, at.creeping.force, sum);
  }

  // Off the rail: a wheel in the air above its rail is none of it.
  std::string refuses(const model::Pose<double>& x, std::span<const double>) const override {
    const Vec3d axis = x.R.column(1);
    if (is_plain(with.line)) return beside_rail(with.place, axle_along(with.place, x.r, axis));
    const RailFrame<double>& rail = frame(x.r, axis, x.way);
    return beside_rail(with.place, axle_along(with.place, transpose_times(rail.axes, x.r - rail.origin),
                                              transpose_times(rail.axes, axis)));
  }

  std::vector<model::Quantity> quantities() const override {
    std::vector<model::Quantity> all{
        {"normal", "N", "normal force of the patch with the largest one"},
        {"angle", "rad", "of its plane across the track, positive on an ordinary tread"},
        {"radius", "m", "rolling radius there"},
        {"creep_x", "-", "creepage along the track"},
        {"creep_y", "-", "creepage across"},
        {"creep_spin", "1/m", "spin"},
        {"tangential_x", "N", "creep force on the wheel, in the direction of travel"},
        {"tangential_y", "N", "creep force on the wheel, across, in the contact plane"},
        {"power", "W", "that creep takes, of all patches"},
        {"approach", "m", "of the bodies; negative: the gap"},
        {"patch_a", "m", "semi-axis along the track"},
        {"patch_b", "m", "semi-axis across"},
        {"pressure", "Pa", "the largest"},
        {"on_wheel", "m", "the point on the wheel's profile, to the field side"},
        {"on_rail", "m", "the point on the rail's profile, to the field side"},
        {"Y", "N", "of the wheel on the rail across the track, to the field side; all patches"},
        {"Q", "N", "of the wheel on the rail, down; all patches"}};
    if (with.has_several) {
      all.push_back({"patches", "-", "how many touch"});
      all.push_back({"second_normal", "N", "of the patch with the next largest normal force"});
      all.push_back({"second_angle", "rad", "of its plane"});
      all.push_back({"second_on_wheel", "m", "its point on the wheel's profile"});
    }
    for (model::Quantity& each : standing_quantities(with.place)) all.push_back(std::move(each));
    return all;
  }

  double on_wheel(const Touch<double>& t, const Axle<double>& axle) const {
    return dot(t.geometry.at - axle.centre, axle.axis);
  }

  void measure(const model::LoadInput<double>& in, const model::Acting&, std::vector<double>& out) const override {
    const Kept& here = touching_here(in);
    const model::Relative<double>& m = here.see.motion;
    Touches all = here.all;
    const Axle<double> axle = axle_of(with.place, m.r, m.R);
    if (all.count == 0) {
      out.insert(out.end(), 9, 0.0);
      out.push_back(-gap(axle));
      out.insert(out.end(), with.has_several ? 11 : 7, 0.0);
      measure_standing(with.place, with.line, m, along(in.motion), {}, out);
      return;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(all.count); ++i) {  // the largest load first
      for (std::size_t k = i + 1; k < static_cast<std::size_t>(all.count); ++k) {
        if (all.all[k].load > all.all[i].load) std::swap(all.all[i], all.all[k]);
      }
    }
    const Touch<double>& t = all.all[0];
    double power = 0, Y = 0, Q = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(all.count); ++i) {
      const Touch<double>& each = all.all[i];
      const CreepForce<double>& f = each.creeping.force;
      const Vec3d force = each.load * each.rolling.normal + f.x * each.rolling.ahead + f.y * each.rolling.across;
      power -= f.x * each.rolling.slide_x + f.y * each.rolling.slide_y + f.moment * each.rolling.spin;
      Y -= with.place.side * force.y, Q += force.z;
    }
    const auto angle = [&](const Touch<double>& of) { return std::atan2(-of.geometry.normal_y, of.geometry.normal_z); };
    const auto& c = t.creeping;
    out.insert(out.end(),
               {t.load, angle(t), t.geometry.rho, c.creep.x, c.creep.y, c.creep.spin, c.force.x, c.force.y, power,
                t.patch.approach, t.patch.a, t.patch.b, 1.5 / std::numbers::pi * t.load / (t.patch.a * t.patch.b),
                on_wheel(t, axle), t.geometry.at.y, Y, Q});
    if (with.has_several) {
      out.push_back(all.count);
      const bool two = all.count > 1;
      out.insert(out.end(),
                 {two ? all.all[1].load : 0.0, two ? angle(all.all[1]) : 0.0, two ? on_wheel(all.all[1], axle) : 0.0});
    }
    measure_standing(with.place, with.line, m, along(in.motion), {Y, Q}, out);
  }
  double along(const model::Relative<double>& m) const {  // the line
    return is_plain(with.line) ? (m.r + with.place.side * with.place.half * m.R.column(1)).x
                               : frame(m.r, m.R.column(1), m.set.way).s;
  }
  double gap(const Axle<double>& axle) const {
    const Overlaps near = search_.find(axle, 0.05);
    double least = GapScan::nowhere;
    for (std::size_t i = 0; i < static_cast<std::size_t>(near.count); ++i)
      least = std::min(least, near.least[i].distance);
    return near.count > 0 ? least : axle.centre.z - with.place.radius;
  }
};

}  // namespace

std::shared_ptr<const model::ContributionLaw> elastic_contact(const ElasticOptions& options) {
  return std::make_shared<const Law>(options);
}

}  // namespace skyhook::element::rail
