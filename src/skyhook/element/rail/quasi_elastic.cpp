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

// f(u) by Taylor's formula about the values of u, which is exact for duals of that order.
template <class T>
T expanded(const SmoothedGap::Answer& f, const std::array<T, gap_directions>& u) {
  T out(f.g);
  if constexpr (order_of<T> > 0) {
    std::array<T, gap_directions> by;
    for (std::size_t i = 0; i < u.size(); ++i) by[i] = u[i], add_scaled(by[i], -value_of(u[i]), T(1.0));
    for (std::size_t i = 0; i < u.size(); ++i) add_scaled(out, f.g_u[i], by[i]);
    if constexpr (order_of<T> > 1) {
      for (std::size_t i = 0; i < u.size(); ++i) {
        T slope(0.0);
        for (std::size_t j = 0; j < u.size(); ++j) add_scaled(slope, 0.5 * f.g_uu[i][j], by[j]);
        out += slope * by[i];
      }
    }
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
    const SeenAxle<T> at = seen_axle(with_.place, with_.line, x.r, x.R);
    const Vec3<T> axis = T(with_.place.side) * mirrored(with_.place, at.axis);
    Vec3<T> centre = mirrored(with_.place, at.r) + T(with_.place.half) * axis;
    centre.y = centre.y - T(with_.place.rail_y);
    const SmoothedGap::Answer& f = answer(Stand(x.r, x.R.column(1)), order_of<T> > 1);
    g[0] = f.is_there ? expanded(f, gap_place(centre, axis)) : T(std::nan(""));
  }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    const T load = -in.lambda[0];
    if (!(value_of(load) > 0.0)) return;
    if constexpr (order_of<T> == 0) {
      const Kept& here = rolling_here(in.motion);
      out.wrench = here.seen_back(creep(here.rolling, with_.rolling, load));
    } else {
      if (stands(in.motion)) return creep_over_load(rolling_here(values(in.motion)), load, out);
      const SmoothedGap::Answer& f = answer(Stand(in.motion.r, in.motion.R.column(1)), false);
      const Seen<T> see = seen(with_.place, with_.line, in.motion);
      out.wrench = see.back(creep(rolling(see.motion, f), with_.rolling, load));
    }
  }

  std::string refuses(const Pose<double>& x, std::span<const double>) const override {
    const SmoothedGap::Answer& f = answer(Stand(x.r, x.R.column(1)), false);
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
    const model::Relative<double> m = seen(with_.place, with_.line, in.motion).motion;
    const double s = answer(Stand(in.motion.r, in.motion.R.column(1)), false).s;
    const std::size_t first = out.size();
    measure_contact(with_, m, s, -acting.multipliers[0], out);
    out.push_back(s);
    measure_place(with_, in.motion, s, first, out);
  }
  std::string doubts(const model::Acting& acting) const override { return lifts_off(acting.multipliers[0]); }

 private:
  // What is known of the last place, and of the last motion there.
  struct Kept {
    unsigned number = ~0u;
    bool has_bends = false, needs_bends = false, is_turned = false, is_rolling = false;
    std::array<double, 6> at{};
    RailFrame<double> rail{};
    SmoothedGap::Answer answer;
    Vec3d v{}, w{};
    Rolling<double> rolling{};

    template <class T>
    model::Wrench<T> seen_back(const model::Wrench<T>& wrench) const {
      return Seen<T>{{}, Mat3<T>(rail.axes), is_turned}.back(wrench);
    }
  };
  template <class T>
  static model::Wrench<T> creep(const Rolling<T>& at, const RollingOptions& with, const T& load) {
    model::Wrench<T> sum{};
    add_creep_force(at, creep_at(at, with, load).force, sum);
    return sum;
  }
  // Derivatives to the multiplier are asked for with a motion that has none: there is one direction, that of the load.
  void creep_over_load(const Kept& here, const model::Local& load, const model::LoadOutput<model::Local>& out) const {
    using T = Dual<1>;
    const Rolling<double>& at = here.rolling;
    const Rolling<T> still{Vec3<T>(at.arm), Vec3<T>(at.ahead), Vec3<T>(at.across), Vec3<T>(at.normal), T(at.slide_x), T(at.slide_y), T(at.spin), T(at.speed), T(at.rho), T(at.A), T(at.B)};
    const model::Wrench<T> sum = here.seen_back(creep(still, with_.rolling, T::variable(load.v, 0)));
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
  // answer of each law is kept, on each thread. Where second derivatives were asked for at one place after all they are found at the next one at once.
  const SmoothedGap::Answer& answer(const Stand& x, bool with_bends) const { return here(x, with_bends).answer; }

  Kept& here(const Stand& x, bool with_bends) const {
    auto& all = kept_on_thread<Kept>();
    Kept& kept = all[number_ % all.size()];
    const bool is_here = kept.number == number_ && kept.at == x.at;
    if (!is_here || (with_bends && !kept.has_bends)) {
      const bool bends = with_bends || (!is_here && kept.number == number_ && kept.needs_bends);
      Vec3d r{x.at[0], x.at[1], x.at[2]}, axis{x.at[3], x.at[4], x.at[5]};
      kept.number = number_, kept.has_bends = bends, kept.needs_bends = with_bends, kept.at = x.at;
      kept.is_rolling = false, kept.is_turned = !is_plain(with_.line);
      if (kept.is_turned) {
        kept.rail = rail_frame(with_.place, *with_.line, r, axis);
        r = transpose_times(kept.rail.axes, r - kept.rail.origin), axis = transpose_times(kept.rail.axes, axis);
      }
      const Axle<double> axle = axle_along(with_.place, r, axis);
      kept.answer = gap_.at(gap_place(axle.centre, axle.axis), bends);
    }
    kept.needs_bends = kept.needs_bends || with_bends;
    return kept;
  }

  const Kept& rolling_here(const model::Relative<double>& m) const {
    Kept& kept = here(Stand(m.r, m.R.column(1)), false);
    if (kept.is_rolling && kept.v == m.v && kept.w == m.w) return kept;
    kept.rolling = rolling(kept.is_turned ? seen_in(kept.rail, m).motion : m, kept.answer);
    kept.v = m.v, kept.w = m.w, kept.is_rolling = true;
    return kept;
  }

  Rolling<double> rolling(const model::Relative<double>& m, const SmoothedGap::Answer& f) const {
    return rolling_of(with_.place, with_.rolling, m, touch_place(with_.place, axle_of(with_.place, m.r, m.R), f.s));
  }
  // Where it touches moves with the five numbers of the axle.
  template <int N>
  Rolling<Dual<N>> rolling(const model::Relative<Dual<N>>& m, const SmoothedGap::Answer& f) const {
    using T = Dual<N>;
    const Axle<T> axle = axle_of(with_.place, m.r, m.R);
    const Axle<double> here = values(axle);
    const Axle<Slope> turned = seeded(here);
    const std::array<Slope, gap_directions> u = gap_place(turned.centre, turned.axis);
    Slope s(f.s);
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (std::size_t k = 0; k < s.d.size(); ++k) s.d[k] += f.s_u[i] * u[i].d[k];
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
