// Quasi-elastic contact [Arnold 2003] (10): g = -nu ln(mean of exp(-distance / nu)) over the wheel, instead of its least distance (smoothed_gap.h). The angle
// about the axle is eliminated in closed form, as in rigid contact; what is left is an integral over the profile.
//
// The distance depends on four numbers of the pose alone. Derivatives are closed there, and pass that waist to what is asked for. So do those of the contact point, by
// duals of the five numbers of an axle.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "skyhook/base/kept_answers.h"
#include "skyhook/element/rail/contact_report.h"
#include "skyhook/element/rail/kept_on_thread.h"
#include "skyhook/element/rail/smoothed_gap.h"
#include "skyhook/element/rail/standing.h"
#include "skyhook/model/gradient_law.h"
#include "skyhook/model/path_law.h"
#include "skyhook/model/sloped_loads.h"

namespace skyhook::element::rail {
namespace {

using model::Pose;

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
  return {m.t.v,       values(m.r), Mat3d::columns(values(m.R.column(0)), values(m.R.column(1)), values(m.R.column(2))),
          values(m.v), values(m.w), m.set};
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
  return stands(m.r) && stands(m.v) && stands(m.w) && stands(m.R.column(0)) && stands(m.R.column(1)) &&
         stands(m.R.column(2));
}

class Law final : public model::ConditionsLaw<Law, model::LoadsLaw<Law>>,
                  public model::AlongPath<Law>,
                  public model::WithGradients<Law>,
                  public model::SlopedLoads,
                  public OnRail {
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
    const Kept& kept = here(Stand(x.r, axis, x.way));
    g[0] = kept.answer.is_there ? mean_distance(kept, x.r, axis) : T(std::nan(""));
  }

  template <class T>
  void gradient(const Pose<T>& x, std::span<T> g, std::span<T> G) const {
    const Vec3<T> axis = x.R.column(1);
    const Kept& kept = here(Stand(x.r, axis, x.way));
    const Pull<T> by = pull(kept, x.r, axis);
    const Vec3<T> moment = cross(axis, by.axis);
    g[0] = T(kept.answer.is_there ? kept.answer.g : std::nan(""));
    for (int i = 0; i < 3; ++i) G[i] = by.frame[i], G[3 + i] = moment[i];
    if constexpr (order_of<T> > 0) {
      for (std::size_t i = 0; i < 6; ++i) g[0].d[i] = value_of(G[i]);
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
      const Kept& kept = here(Stand(in.motion.r, in.motion.R.column(1), in.motion.set.way));
      const Seen<T> see = kept.is_turned ? seen_in(turned_frame(kept, in.motion.r, in.motion.R.column(1)), in.motion)
                                         : Seen<T>{in.motion, Mat3<T>::identity(), false};
      const Rolling<T> at = rolling(see.motion, kept);
      out.wrench = see.back(creep(at, patch_shape(at, with_.rolling), with_.rolling, load));
    }
  }

  // Creepages and the shape of the patch pass to one direction more, that of the load.
  void loads_and_slopes(const model::Relative<model::Local>& seeded, const model::LoadInput<double>& in,
                        const model::LoadOutput<double>& out, std::span<double> slopes) const override {
    using T = model::Local;
    constexpr int by_load = 12;
    using Loaded = Dual<by_load + 1>;
    std::ranges::fill(slopes, 0.0), out.wrench = {};
    if (!(-in.lambda[0] > 0.0)) return;
    const Kept& kept = here(Stand(seeded.r, seeded.R.column(1), seeded.set.way));
    const Seen<T> see = kept.is_turned ? seen_in(turned_frame(kept, seeded.r, seeded.R.column(1)), seeded)
                                       : Seen<T>{seeded, Mat3<T>::identity(), false};
    const Rolling<T> at = rolling(see.motion, kept);
    const HertzShape<T> shape = patch_shape(at, with_.rolling);
    const auto wide = [](const T& x) {
      Loaded y(x.v);
      std::ranges::copy(x.d, y.d.begin());
      return y;
    };
    const auto narrow = [](const Loaded& x) {
      T y(x.v);
      std::copy_n(x.d.begin(), y.d.size(), y.d.begin());
      return y;
    };
    const Rolling<Loaded> numbers{
        {},           {},         {},        {}, wide(at.slide_x), wide(at.slide_y), wide(at.spin), wide(at.speed),
        wide(at.rho), wide(at.A), wide(at.B)};
    const CreepForce<Loaded> force = creep_at(numbers, {wide(shape.a), wide(shape.b), wide(shape.stiffness)},
                                              with_.rolling, Loaded::variable(-in.lambda[0], by_load))
                                         .force;
    model::Wrench<T> sum{};
    add_creep_force(at, {narrow(force.x), narrow(force.y), narrow(force.moment)}, sum);
    sum = see.back(sum);

    model::Wrench<double> per_load{};
    Rolling<double> still{};
    still.arm = values(at.arm), still.ahead = values(at.ahead), still.across = values(at.across),
    still.normal = values(at.normal);
    add_creep_force(still, {force.x.d[by_load], force.y.d[by_load], force.moment.d[by_load]}, per_load);
    per_load = kept.seen_back(per_load);
    const auto put = [&](std::size_t row, const T& y, double by) {
      std::ranges::copy(y.d, slopes.begin() + static_cast<long>(row * (by_load + 1)));
      slopes[row * (by_load + 1) + by_load] = -by;
      return y.v;
    };
    for (std::size_t i = 0; i < 3; ++i) {
      const int axis = static_cast<int>(i);
      out.wrench.f[axis] = put(i, sum.f[axis], per_load.f[axis]),
      out.wrench.n[axis] = put(3 + i, sum.n[axis], per_load.n[axis]);
    }
  }

  std::string refuses(const Pose<double>& x, std::span<const double>) const override {
    const SmoothedGap::Answer& f = here(Stand(x.r, x.R.column(1), x.way)).answer;
    if (f.is_there && !gap_.reaches_end(f)) return {};
    const Axle<double> axle = axle_on(with_.place, with_.line, x);
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
    measure_place(
        with_, kept.motion,
        kept.is_turned ? kept.rail.s : in.motion.r.x + with_.place.side * with_.place.half * in.motion.R.column(1).x,
        kept.answer.s, first, out);
  }
  std::string doubts(const model::Acting& acting) const override { return lifts_off(acting.multipliers[0]); }

 private:
  // What is known of the last place, and of the last motion there.
  struct Kept {
    unsigned number = ~0u, answers = 0;
    bool is_turned = false, is_rolling = false;
    std::array<double, 7> at{};
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
  static model::Wrench<T> creep(const Rolling<T>& at, const HertzShape<T>& shape, const RollingOptions& with,
                                const T& load) {
    model::Wrench<T> sum{};
    add_creep_force(at, creep_at(at, shape, with, load).force, sum);
    return sum;
  }
  // Derivatives to the multiplier are asked for with a motion that has none: there is one direction, that of the load.
  void creep_over_load(const Kept& here, const model::Local& load, const model::LoadOutput<model::Local>& out) const {
    using T = Dual<1>;
    const Rolling<double>& at = here.rolling;
    const Rolling<T> still{Vec3<T>(at.arm), Vec3<T>(at.ahead), Vec3<T>(at.across), Vec3<T>(at.normal), T(at.slide_x),
                           T(at.slide_y),   T(at.spin),        T(at.speed),        T(at.rho),          T(at.A),
                           T(at.B)};
    const HertzShape<T> shape{T(here.shape.a), T(here.shape.b), T(here.shape.stiffness)};
    const model::Wrench<T> sum = here.seen_back(creep(still, shape, with_.rolling, T::variable(load.v, 0)));
    for (int i = 0; i < 3; ++i)
      out.wrench.f[i] = load.chain(sum.f[i].v, sum.f[i].d[0]), out.wrench.n[i] = load.chain(sum.n[i].v, sum.n[i].d[0]);
  }

  // Where the wheel's frame is and where its axle points, seen from the frame of the track, and roughly where that is on its line.
  struct Stand {
    template <class T>
    Stand(const Vec3<T>& r, const Vec3<T>& a, double way)
        : at{value_of(r.x), value_of(r.y), value_of(r.z), value_of(a.x), value_of(a.y), value_of(a.z), way} {}
    std::array<double, 7> at;
  };
  // Rows, loads and checks ask for the same place one after the other, and accelerations for the loads of the same motion under one normal force after another: the last
  // answer of each law is kept, on each thread.
  Kept& here(const Stand& x) const {
    auto& all = kept_on_thread<Kept>();
    Kept& kept = all[number_ % all.size()];
    const unsigned answers = KeptAnswers::number();
    if (kept.number == number_ && kept.answers == answers && kept.at == x.at) return kept;
    Vec3d r{x.at[0], x.at[1], x.at[2]}, axis{x.at[3], x.at[4], x.at[5]};
    kept.number = number_, kept.answers = answers, kept.at = x.at;
    kept.is_rolling = false, kept.is_turned = !is_plain(with_.line);
    if (kept.is_turned) {
      kept.rail = rail_frame(with_.place, *with_.line, r, axis, x.at[6]);
      r = transpose_times(kept.rail.axes, r - kept.rail.origin), axis = transpose_times(kept.rail.axes, axis);
    }
    kept.axle = axle_along(with_.place, r, axis);
    kept.place = gap_place(kept.axle.centre, kept.axle.axis);
    kept.answer = gap_.at(kept.place);
    return kept;
  }

  const Kept& rolling_here(const model::Relative<double>& m) const {
    Kept& kept = here(Stand(m.r, m.R.column(1), m.set.way));
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
  // Where the wheel is above its rail, in the mirror of a left one: all that the distance depends on.
  template <class S>
  struct Seat {
    Vec3<S> centre, axis;
  };
  template <class S>
  Seat<S> seat(const Vec3<S>& r, const Vec3<S>& axis) const {
    const Vec3<S> along = S(with_.place.side) * mirrored(with_.place, axis);
    Seat<S> out{mirrored(with_.place, r) + S(with_.place.half) * along, along};
    out.centre.y = out.centre.y - S(with_.place.rail_y);
    return out;
  }

  // Derivatives of one order follow from the pull with those of the order below.
  template <class T>
  T mean_distance(const Kept& kept, const Vec3<T>& r, const Vec3<T>& axis) const {
    if constexpr (order_of<T> == 0) {
      return kept.answer.g;
    } else {
      using S = decltype(T::v);
      const Vec3<S> at{r.x.v, r.y.v, r.z.v}, along{axis.x.v, axis.y.v, axis.z.v};
      const Pull<S> by = pull(kept, at, along);
      T g(mean_distance(kept, at, along));
      for (int i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < g.d.size(); ++k) g.d[k] += by.frame[i] * r[i].d[k] + by.axis[i] * axis[i].d[k];
      }
      return g;
    }
  }
  Jet2 mean_distance(const Kept& kept, Vec3<Jet2> r, Vec3<Jet2> axis) const {
    if (kept.is_turned) {
      const RailFrame<Jet2> rail = turned_frame(kept, r, axis);
      r = transpose_times(rail.axes, r - rail.origin), axis = transpose_times(rail.axes, axis);
    }
    const Seat<Jet2> at = seat(r, axis);
    const std::array<Jet2, gap_directions> u = gap_place(at.centre, at.axis);
    GapPlace by{};
    double first = 0, second = 0;
    for (std::size_t i = 0; i < by.size(); ++i)
      by[i] = rate(u[i]), first += kept.answer.g_u[i] * by[i], second += kept.answer.g_u[i] * acceleration(u[i]);
    return jet2(kept.answer.g, first, second + gap_.bend_along(kept.place, by));
  }

  // How the mean distance changes with the four numbers of its place.
  const GapPlace& slopes(const Kept& kept, const Seat<double>&) const { return kept.answer.g_u; }
  template <int N>
  std::array<Dual<N>, gap_directions> slopes(const Kept& kept, const Seat<Dual<N>>& at) const {
    const std::array<Dual<N>, gap_directions> u = gap_place(at.centre, at.axis);
    const SmoothedGap::Bends g_uu = gap_.bends(kept.place);
    std::array<Dual<N>, gap_directions> out;
    for (std::size_t i = 0; i < u.size(); ++i) {
      out[i].v = kept.answer.g_u[i];
      for (std::size_t j = 0; j < u.size(); ++j) {
        for (std::size_t k = 0; k < N; ++k) out[i].d[k] += g_uu[i][j] * u[j].d[k];
      }
    }
    return out;
  }

  // And with the wheel's frame and its axle, in axes of the track.
  template <class S>
  struct Pull {
    Vec3<S> frame, axis;
  };
  template <class S>
  Pull<S> pull(const Kept& kept, const Vec3<S>& r, const Vec3<S>& axis) const {
    return kept.is_turned ? pull_along_line(kept, r, axis) : pull_on_rail(kept, r, axis);
  }
  template <class S>
  Pull<S> pull_on_rail(const Kept& kept, const Vec3<S>& r, const Vec3<S>& axis) const {
    const Seat<S> at = seat(r, axis);
    const Vec3<S>& a = at.axis;
    const auto& [across, up, roll, skew] = slopes(kept, at);
    const S flat = S(1.0) / (a.y * a.y + a.z * a.z), by_skew = S(2.0) * a.x * flat * skew,
            by_flat = by_skew * a.x * flat;
    const Vec3<S> centre{S(0.0), across, up};
    const Vec3<S> axle = S(with_.place.half) * centre +
                         Vec3<S>{by_skew, -(roll * flat * a.z) - by_flat * a.y, roll * flat * a.y - by_flat * a.z};
    return {mirrored(with_.place, centre), S(with_.place.side) * mirrored(with_.place, axle)};
  }
  // The rail turns and moves with the foot of the wheel on the line, t . (r - c(s)) = 0.
  template <class S>
  Pull<S> pull_along_line(const Kept& kept, const Vec3<S>& r, const Vec3<S>& axis) const {
    using T = Dual<1, S>;
    const S arm(with_.place.side * with_.place.half);
    const Vec3<S> centre = r + arm * axis;
    const T s = T::variable(way(kept, centre), 0);
    const model::TrackPlace<T> foot = with_.line->place(s);
    const RailFrame<T> rail = rail_frame_at(with_.place, *with_.line, foot, s);
    const Vec3<T> r_seen = transpose_times(rail.axes, Vec3<T>(r) - rail.origin),
                  axis_seen = transpose_times(rail.axes, Vec3<T>(axis));
    const Pull<S> seen = pull_on_rail(kept, value(r_seen), value(axis_seen));
    const Mat3<S> axes =
        Mat3<S>::columns(value(rail.axes.column(0)), value(rail.axes.column(1)), value(rail.axes.column(2)));
    const S by_way = dot(seen.frame, slope(r_seen)) + dot(seen.axis, slope(axis_seen));
    const Vec3<S> with_foot = by_way * foot_slope(foot, centre);
    return {axes * seen.frame + with_foot, axes * seen.axis + arm * with_foot};
  }
  template <class S>
  static Vec3<S> value(const Vec3<Dual<1, S>>& x) {
    return {x.x.v, x.y.v, x.z.v};
  }
  template <class S>
  static Vec3<S> slope(const Vec3<Dual<1, S>>& x) {
    return {x.x.d[0], x.y.d[0], x.z.d[0]};
  }
  // How the way along the line changes with the wheel's centre.
  template <class S>
  static Vec3<S> foot_slope(const model::TrackPlace<Dual<1, S>>& foot, const Vec3<S>& centre) {
    const Vec3<Dual<1, S>> tangent = foot.tangent();
    return (S(1.0) / (S(1.0) - dot(slope(tangent), centre - value(foot.position)))) * value(tangent);
  }
  double way(const Kept& kept, const Vec3d&) const { return kept.rail.s; }
  template <int N>
  Dual<N> way(const Kept& kept, const Vec3<Dual<N>>& centre) const {
    const Vec3d by =
        foot_slope(with_.line->place(Dual<1>::variable(kept.rail.s, 0)), {centre.x.v, centre.y.v, centre.z.v});
    Dual<N> s(kept.rail.s);
    for (std::size_t k = 0; k < N; ++k) s.d[k] = by.x * centre.x.d[k] + by.y * centre.y.d[k] + by.z * centre.z.d[k];
    return s;
  }

  Rolling<double> rolling(const model::Relative<double>& m, const Kept& kept) const {
    return rolling_of(with_.place, with_.rolling, m,
                      touch_place(with_.place, axle_of(with_.place, m.r, m.R), kept.answer.s));
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
    const std::array<const T*, axle_directions> in{&axle.centre.y, &axle.centre.z, &axle.axis.x, &axle.axis.y,
                                                   &axle.axis.z};
    const auto chained = [&](const Slope& y) {
      T out(y.v);
      for (std::size_t i = 0; i < in.size(); ++i) {
        for (std::size_t k = 0; k < N; ++k) out.d[k] += y.d[i] * in[i]->d[k];
      }
      return out;
    };
    // Along the rail nothing changes but the place: at.x moves with the centre.
    const TouchPlace<T> moved{{chained(at.at.x) + axle.centre.x - T(here.centre.x), chained(at.at.y), chained(at.at.z)},
                              chained(at.normal_y),
                              chained(at.normal_z),
                              chained(at.rho),
                              chained(at.A),
                              chained(at.B)};
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
