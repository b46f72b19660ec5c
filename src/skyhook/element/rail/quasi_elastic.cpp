// Quasi-elastic contact [Arnold 2003] (10): g = -nu ln(mean of exp(-distance / nu)) over the wheel, instead of its least distance (smoothed_gap.h). The angle
// about the axle is eliminated in closed form, as in rigid contact; what is left is an integral over the profile.
//
// The distance depends on four numbers of the pose alone. Derivatives are closed there, and pass that waist to what is asked for. So do those of the contact point, by
// duals of the five numbers of an axle.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "skyhook/element/rail/contact_report.h"
#include "skyhook/element/rail/smoothed_gap.h"
#include "skyhook/element/rail/standing.h"

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

class Law final : public model::ConditionsLaw<Law, model::LoadsLaw<Law>>, public OnRail {
 public:
  explicit Law(const ConstraintOptions& options) : with_(options), gap_(with_.place, with_.nu) {
    static std::atomic<unsigned> count{0};
    number_ = count++;
    declaration_.rows = {{"mean distance of wheel and rail"}};
    declaration_.has_loads = declaration_.reads_multipliers = with_.rolling.creep != nullptr;
  }
  const model::Declared& declared() const override { return declaration_; }
  const WheelOnRail& on_rail() const override { return with_.place; }

  template <class T>
  void law(const Pose<T>& x, std::span<const T>, std::span<T> g, std::span<T>) const {
    const SeenAxle<T> at = seen_axle(with_.place, with_.line, x.r, x.R);
    const Vec3<T> axis = T(with_.place.side) * mirrored(with_.place, at.axis);
    Vec3<T> centre = mirrored(with_.place, at.r) + T(with_.place.half) * axis;
    centre.y = centre.y - T(with_.place.rail_y);
    const std::array<T, gap_directions> u = gap_place(centre, axis);
    const SmoothedGap::Answer& f = answer({value_of(u[0]), value_of(u[1]), value_of(u[2]), value_of(u[3])}, order_of<T> > 1);
    g[0] = f.is_there ? expanded(f, u) : T(std::nan(""));
  }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    const T load = -in.lambda[0];
    if (!(value_of(load) > 0.0)) return;
    const Seen<T> see = seen(with_.place, with_.line, in.motion);
    const Rolling<T> at = rolling(see.motion);
    model::Wrench<T> sum{};
    add_creep_force(at, creep_at(at, with_.rolling, load).force, sum);
    out.wrench = see.back(sum);
  }

  std::string refuses(const Pose<double>& x, std::span<const double>) const override {
    const Axle<double> axle = axle_on(with_.place, with_.line, x.r, x.R);
    const SmoothedGap::Answer& f = answer_at(axle);
    if (!f.is_there) return beside_rail(with_.place, axle);
    return gap_.reaches_end(f) ? off_profiles(with_.place, axle, f.s) : std::string();
  }
  std::vector<model::Quantity> quantities() const override {
    auto all = contact_quantities(with_.rolling.creep != nullptr);
    all.push_back({"s", "m", "mean of the contact along the wheel's profile"});
    for (model::Quantity& each : place_quantities()) all.push_back(std::move(each));
    return all;
  }
  void measure(const model::LoadInput<double>& in, const model::Acting& acting,
               std::vector<double>& out) const override {
    const model::Relative<double> m = seen(with_.place, with_.line, in.motion).motion;
    const double s = answer_at(axle_of(with_.place, m.r, m.R)).s;
    const std::size_t first = out.size();
    measure_contact(with_, m, s, -acting.multipliers[0], out);
    out.push_back(s);
    measure_place(with_, in.motion, s, first, out);
  }
  std::string doubts(const model::Acting& acting) const override { return lifts_off(acting.multipliers[0]); }

 private:
  // Rows, loads and checks ask for the same place one after the other: the last answer of each law is kept, on each thread.
  const SmoothedGap::Answer& answer(const GapPlace& u, bool with_bends) const {
    struct Kept {
      unsigned number = ~0u;
      bool has_bends = false;
      GapPlace u{};
      SmoothedGap::Answer answer;
    };
    static thread_local std::array<Kept, 32> all;
    Kept& kept = all[number_ % all.size()];
    if (kept.number != number_ || kept.u != u || (with_bends && !kept.has_bends))
      kept = {number_, with_bends, u, gap_.at(u, with_bends)};
    return kept.answer;
  }
  const SmoothedGap::Answer& answer_at(const Axle<double>& axle) const {
    return answer(gap_place(axle.centre, axle.axis), false);
  }

  Rolling<double> rolling(const model::Relative<double>& m) const {
    const Axle<double> axle = axle_of(with_.place, m.r, m.R);
    return rolling_of(with_.place, with_.rolling, m, touch_place(with_.place, axle, answer_at(axle).s));
  }
  // Where it touches moves with the five numbers of the axle.
  template <int N>
  Rolling<Dual<N>> rolling(const model::Relative<Dual<N>>& m) const {
    using T = Dual<N>;
    const Axle<T> axle = axle_of(with_.place, m.r, m.R);
    const Axle<double> here = values(axle);
    const SmoothedGap::Answer& f = answer_at(here);
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
