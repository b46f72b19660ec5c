// Quasi-elastic contact [Arnold 2003] (10): g = -nu ln(mean of exp(-distance / nu)) over the wheel, instead of its least distance (smoothed_gap.h). The angle
// about the axle is eliminated in closed form, as in rigid contact; what is left is an integral over the profile.
//
// The distance depends on four numbers of the pose alone. Derivatives are closed there, and pass that waist to what is asked for. So do those of the contact point, by
// duals of the five numbers of an axle.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "skyhook/element/rail/contact_report.h"
#include "skyhook/element/rail/kept_on_thread.h"
#include "skyhook/element/rail/smoothed_gap.h"
#include "skyhook/element/rail/standing.h"
#include "skyhook/model/path_law.h"

namespace skyhook::element::rail {
namespace {

using model::Pose;

// out += k x, without the products that a dual number would make of k.
void add_scaled(double& out, double k, double x) { out += k * x; }
template <int N, class S>
void add_scaled(Dual<N, S>& out, double k, const Dual<N, S>& x) {
  add_scaled(out.v, k, x.v);
  for (std::size_t i = 0; i < N; ++i) add_scaled(out.d[i], k, x.d[i]);
}

// g(u) by Taylor's formula about the values of u, which is exact for duals of second order.
template <class T>
T expanded(double g, const GapPlace& g_u, const SmoothedGap::Bends& g_uu, const std::array<T, gap_directions>& u) {
  T out(g);
  std::array<T, gap_directions> by;
  for (std::size_t i = 0; i < u.size(); ++i) by[i] = u[i], add_scaled(by[i], -value_of(u[i]), T(1.0));
  for (std::size_t i = 0; i < u.size(); ++i) {
    add_scaled(out, g_u[i], by[i]);
    T slope(0.0);
    for (std::size_t j = 0; j < u.size(); ++j) add_scaled(slope, 0.5 * g_uu[i][j], by[j]);
    out += slope * by[i];
  }
  return out;
}

constexpr int axle_directions = 5;  // c_y, c_z, a
using Slope = Dual<axle_directions>;

// The axle with directions of its own, of a left wheel at its own centre: what is given is in the mirror already.
Axle<Slope> seeded(const Axle<double>& at) {
  const auto x = [](double v, int i) { return Slope::variable(v, i); };
  return axle_along(WheelOnRail{}, Vec3<Slope>{Slope(at.centre.x), x(at.centre.y, 0), x(at.centre.z, 1)},
                    Vec3<Slope>{x(at.axis.x, 2), x(at.axis.y, 3), x(at.axis.z, 4)});
}
template <class T>
Axle<double> values(const Axle<T>& a) {
  const auto plain = [](const Vec3<T>& v) { return Vec3d{value_of(v.x), value_of(v.y), value_of(v.z)}; };
  return {plain(a.centre), plain(a.axis), plain(a.ahead), plain(a.down), value_of(a.length)};
}

Vec3d values(const Vec3<model::Local>& v) { return {v.x.v, v.y.v, v.z.v}; }
model::Relative<double> values(const model::Relative<model::Local>& m) {
  return {m.t.v, values(m.r), Mat3d::columns(values(m.R.column(0)), values(m.R.column(1)), values(m.R.column(2))), values(m.v), values(m.w), m.set};
}
bool stands(const Vec3<model::Local>& v) {
  for (const model::Local* x : {&v.x, &v.y, &v.z}) {
    for (const double d : x->d) {
      if (d != 0.0) return false;
    }
  }
  return true;
}
bool stands(const model::Relative<model::Local>& m) {
  return stands(m.r) && stands(m.v) && stands(m.w) && stands(m.R.column(0)) && stands(m.R.column(1)) && stands(m.R.column(2));
}

class Law final : public model::ConditionsLaw<Law, model::LoadsLaw<Law>>, public model::AlongPath<Law>, public OnRail {
 public:
  explicit Law(const ConstraintOptions& options) : with_(options), gap_(with_.place, with_.nu) {
    static std::atomic<unsigned> count{0};
    number_ = count++;
    declaration_.rows = {{"mean distance of wheel and rail"}};
    declaration_.has_loads = declaration_.reads_multipliers = with_.rolling.creep != nullptr;
  }
  const model::Declared& declared() const override { return declaration_; }
  const WheelOnRail& on_rail() const override { return with_.place; }
  const LinePtr& line() const override { return with_.line; }

  template <class T>
  void law(const Pose<T>& x, std::span<const T>, std::span<T> g, std::span<T>) const {
    const Vec3<T> axis = x.R.column(1);
    const Kept& kept = here(Stand(x.r, axis));
    g[0] = T(kept.answer.is_there ? kept.answer.g : std::nan(""));
    if constexpr (order_of<T> == 1) {
      const Pull by = pull(kept);
      for (int i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < x.r[i].d.size(); ++k) g[0].d[k] += by.frame[i] * x.r[i].d[k] + by.axis[i] * axis[i].d[k];
      }
    }
    if constexpr (order_of<T> == 2) {
      if (kept.answer.is_there) g[0] = bent(kept, seen_place(kept, x.r, axis));
    }
  }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    const T load = -in.lambda[0];
    if (!(value_of(load) > 0.0)) return;
    if constexpr (order_of<T> == 0) {
      const Kept& here = rolling_here(in.motion);
      out.wrench = here.seen_back(creep(here.rolling, here.shape, with_.rolling, load));
    } else {
      if (stands(in.motion)) return creep_over_load(rolling_here(values(in.motion)), load, out);
      const Kept& kept = here(Stand(in.motion.r, in.motion.R.column(1)));
      const Seen<T> see = kept.is_turned ? seen_in(turned_frame(kept, in.motion.r, in.motion.R.column(1)), in.motion) : Seen<T>{in.motion, Mat3<T>::identity(), false};
      const Rolling<T> at = rolling(see.motion, kept);
      out.wrench = see.back(creep(at, patch_shape(at, with_.rolling), with_.rolling, load));
    }
  }

  std::string refuses(const Pose<double>& x, std::span<const double>) const override {
    const SmoothedGap::Answer& f = here(Stand(x.r, x.R.column(1))).answer;
    if (f.is_there && !gap_.reaches_end(f)) return {};
    const Axle<double> axle = axle_on(with_.place, with_.line, x.r, x.R);
    const std::string beside = beside_rail(with_.place, axle);
    if (!beside.empty()) return beside;
    return f.is_there ? off_profiles(with_.place, axle, f.s) : no_point(axle);
  }
  std::vector<model::Quantity> quantities() const override {
    auto all = contact_quantities(with_.rolling.creep != nullptr);
    all.push_back({"s", "m", "mean of the contact along the wheel's profile"});
    for (model::Quantity& each : place_quantities(with_.place)) all.push_back(std::move(each));
    return all;
  }
  void measure(const model::LoadInput<double>& in, const model::Acting& acting,
               std::vector<double>& out) const override {
    const Kept& kept = rolling_here(in.motion);
    const std::size_t first = out.size();
    measure_contact(with_, kept.rolling, kept.shape, -acting.multipliers[0], out);
    out.push_back(kept.answer.s);
    measure_place(with_, kept.motion, kept.is_turned ? kept.rail.s : in.motion.r.x + with_.place.side * with_.place.half * in.motion.R.column(1).x, kept.answer.s, first, out);
  }
  std::string doubts(const model::Acting& acting) const override { return lifts_off(acting.multipliers[0]); }

 private:
  // What is known of the last place, and of the last motion there.
  struct Kept {
    unsigned number = ~0u;
    bool is_turned = false, is_rolling = false;
    std::array<double, 6> at{};
    RailFrame<double> rail{};
    Axle<double> axle{};
    GapPlace place{};
    SmoothedGap::Answer answer;
    model::Relative<double> motion{};  // seen from its rail
    Vec3d v{}, w{};                    // before it was
    Rolling<double> rolling{};
    HertzShape<double> shape{};

    template <class T>
    model::Wrench<T> seen_back(const model::Wrench<T>& wrench) const {
      return Seen<T>{{}, Mat3<T>(rail.axes), is_turned}.back(wrench);
    }
  };
  template <class T>
  static model::Wrench<T> creep(const Rolling<T>& at, const HertzShape<T>& shape, const RollingOptions& with, const T& load) {
    model::Wrench<T> sum{};
    add_creep_force(at, creep_at(at, shape, with, load).force, sum);
    return sum;
  }
  // Derivatives to the multiplier are asked for with a motion that has none: there is one direction, that of the load.
  void creep_over_load(const Kept& here, const model::Local& load, const model::LoadOutput<model::Local>& out) const {
    using T = Dual<1>;
    const Rolling<double>& at = here.rolling;
    const Rolling<T> still{Vec3<T>(at.arm), Vec3<T>(at.ahead), Vec3<T>(at.across), Vec3<T>(at.normal), T(at.slide_x), T(at.slide_y), T(at.spin), T(at.speed), T(at.rho), T(at.A), T(at.B)};
    const HertzShape<T> shape{T(here.shape.a), T(here.shape.b), T(here.shape.stiffness)};
    const model::Wrench<T> sum = here.seen_back(creep(still, shape, with_.rolling, T::variable(load.v, 0)));
    for (int i = 0; i < 3; ++i) out.wrench.f[i] = load.chain(sum.f[i].v, sum.f[i].d[0]), out.wrench.n[i] = load.chain(sum.n[i].v, sum.n[i].d[0]);
  }

  // Where the wheel's frame is and where its axle points, seen from the frame of the track.
  struct Stand {
    template <class T>
    Stand(const Vec3<T>& r, const Vec3<T>& a)
        : at{value_of(r.x), value_of(r.y), value_of(r.z), value_of(a.x), value_of(a.y), value_of(a.z)} {}
    std::array<double, 6> at;
  };
  // Rows, loads and checks ask for the same place one after the other, and accelerations for the loads of the same motion under one normal force after another: the last
  // answer of each law is kept, on each thread.
  Kept& here(const Stand& x) const {
    auto& all = kept_on_thread<Kept>();
    Kept& kept = all[number_ % all.size()];
    if (kept.number == number_ && kept.at == x.at) return kept;
    Vec3d r{x.at[0], x.at[1], x.at[2]}, axis{x.at[3], x.at[4], x.at[5]};
    kept.number = number_, kept.at = x.at;
    kept.is_rolling = false, kept.is_turned = !is_plain(with_.line);
    if (kept.is_turned) {
      kept.rail = rail_frame(with_.place, *with_.line, r, axis);
      r = transpose_times(kept.rail.axes, r - kept.rail.origin), axis = transpose_times(kept.rail.axes, axis);
    }
    kept.axle = axle_along(with_.place, r, axis);
    kept.place = gap_place(kept.axle.centre, kept.axle.axis);
    kept.answer = gap_.at(kept.place);
    return kept;
  }

  const Kept& rolling_here(const model::Relative<double>& m) const {
    Kept& kept = here(Stand(m.r, m.R.column(1)));
    if (kept.is_rolling && kept.v == m.v && kept.w == m.w) return kept;
    kept.motion = kept.is_turned ? seen_in(kept.rail, m).motion : m;
    kept.rolling = rolling(kept.motion, kept);
    kept.shape = patch_shape(kept.rolling, with_.rolling);
    kept.v = m.v, kept.w = m.w, kept.is_rolling = true;
    return kept;
  }

  // The frame of the rail with derivatives, its foot being known.
  template <class T>
  RailFrame<T> turned_frame(const Kept& kept, const Vec3<T>& r, const Vec3<T>& axis) const {
    return rail_frame(with_.place, *with_.line, r, axis, kept.rail.s);
  }
  template <class T>
  std::array<T, gap_directions> seen_place(const Kept& kept, Vec3<T> r, Vec3<T> axis) const {
    if (kept.is_turned) {
      const RailFrame<T> rail = turned_frame(kept, r, axis);
      r = transpose_times(rail.axes, r - rail.origin), axis = transpose_times(rail.axes, axis);
    }
    axis = T(with_.place.side) * mirrored(with_.place, axis);
    Vec3<T> centre = mirrored(with_.place, r) + T(with_.place.half) * axis;
    centre.y = centre.y - T(with_.place.rail_y);
    return gap_place(centre, axis);
  }

  Jet2 bent(const Kept& kept, const std::array<Jet2, gap_directions>& u) const {
    GapPlace by{};
    double first = 0, second = 0;
    for (std::size_t i = 0; i < by.size(); ++i) by[i] = rate(u[i]), first += kept.answer.g_u[i] * by[i], second += kept.answer.g_u[i] * acceleration(u[i]);
    return jet2(kept.answer.g, first, second + gap_.bend_along(kept.place, by));
  }
  template <class T>
  T bent(const Kept& kept, const std::array<T, gap_directions>& u) const {
    return expanded(kept.answer.g, kept.answer.g_u, gap_.bends(kept.place), u);
  }

  // How the mean distance changes with the wheel's frame and its axle, in axes of the track.
  struct Pull {
    Vec3d frame, axis;
  };
  Pull pull(const Kept& kept) const {
    const Vec3d& a = kept.axle.axis;
    const auto& [across, up, roll, skew] = kept.answer.g_u;
    const double flat = 1 / (a.y * a.y + a.z * a.z), by_skew = 2 * a.x * flat * skew, by_flat = by_skew * a.x * flat;
    const Vec3d centre{0, across, up};
    const Vec3d axle = with_.place.half * centre + Vec3d{by_skew, -roll * flat * a.z - by_flat * a.y, roll * flat * a.y - by_flat * a.z};
    const Pull seen{mirrored(with_.place, centre), with_.place.side * mirrored(with_.place, axle)};
    return kept.is_turned ? along_line(kept, seen) : seen;
  }
  // The rail turns and moves with the foot of the wheel on the line, t . (r - c(s)) = 0.
  Pull along_line(const Kept& kept, const Pull& seen) const {
    using T = Dual<1>;
    const T s = T::variable(kept.rail.s, 0);
    const model::TrackPlace<T> foot = with_.line->place(s);
    const RailFrame<T> rail = rail_frame_at(with_.place, *with_.line, foot, s);
    const Vec3d r{kept.at[0], kept.at[1], kept.at[2]}, axis{kept.at[3], kept.at[4], kept.at[5]};
    const auto value = [](const Vec3<T>& x) { return Vec3d{x.x.v, x.y.v, x.z.v}; };
    const auto slope = [](const Vec3<T>& x) { return Vec3d{x.x.d[0], x.y.d[0], x.z.d[0]}; };
    const Vec3<T> r_seen = transpose_times(rail.axes, Vec3<T>(r) - rail.origin), axis_seen = transpose_times(rail.axes, Vec3<T>(axis));
    const double arm = with_.place.side * with_.place.half, by_way = dot(seen.frame, slope(r_seen)) + dot(seen.axis, slope(axis_seen));
    const Vec3d off = r + arm * axis - value(foot.position), tangent = value(foot.tangent());
    const Vec3d with_foot = (by_way / (1 - dot(slope(foot.tangent()), off))) * tangent;
    return {kept.rail.axes * seen.frame + with_foot, kept.rail.axes * seen.axis + arm * with_foot};
  }

  Rolling<double> rolling(const model::Relative<double>& m, const Kept& kept) const {
    return rolling_of(with_.place, with_.rolling, m, touch_place(with_.place, axle_of(with_.place, m.r, m.R), kept.answer.s));
  }
  // Where it touches moves with the five numbers of the axle.
  template <int N>
  Rolling<Dual<N>> rolling(const model::Relative<Dual<N>>& m, const Kept& kept) const {
    using T = Dual<N>;
    const Axle<T> axle = axle_of(with_.place, m.r, m.R);
    const Axle<double> here = values(axle);
    const Axle<Slope> turned = seeded(here);
    const std::array<Slope, gap_directions> u = gap_place(turned.centre, turned.axis);
    const GapPlace s_u = gap_.slopes_of_s(kept.place);
    Slope s(kept.answer.s);
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (std::size_t k = 0; k < s.d.size(); ++k) s.d[k] += s_u[i] * u[i].d[k];
    }
    const TouchPlace<Slope> at = touch_place(with_.place, turned, s);
    const std::array<const T*, axle_directions> in{&axle.centre.y, &axle.centre.z, &axle.axis.x, &axle.axis.y, &axle.axis.z};
    const auto chained = [&](const Slope& y) {
      T out(y.v);
      for (std::size_t i = 0; i < in.size(); ++i) {
        for (std::size_t k = 0; k < N; ++k) out.d[k] += y.d[i] * in[i]->d[k];
      }
      return out;
    };
    // Along the rail nothing changes but the place: at.x moves with the centre.
    const TouchPlace<T> moved{{chained(at.at.x) + axle.centre.x - T(here.centre.x), chained(at.at.y), chained(at.at.z)},
                              chained(at.normal_y), chained(at.normal_z), chained(at.rho), chained(at.A), chained(at.B)};
    return rolling_of(with_.place, with_.rolling, m, moved);
  }

  ConstraintOptions with_;
  SmoothedGap gap_;
  unsigned number_ = 0;
  model::Declared declaration_;
};

}  // namespace

std::shared_ptr<const model::ContributionLaw> quasi_elastic_contact(const ConstraintOptions& options) {
  return std::make_shared<const Law>(options);
}

}  // namespace skyhook::element::rail
