// Quasi-elastic contact [Arnold 2003] (10): g = -nu ln(mean of exp(-distance / nu)) over the wheel, instead of its least distance. The angle
// about the axle is eliminated in closed form, as in rigid contact; what is left is an integral over the profile.
//
// The distance depends on five numbers of the pose alone: two of the wheel's centre across the track, three of the axle. Derivatives are taken
// to these, and pass that waist to what is asked for.
#include <fmt/format.h>

#include <algorithm>

#include "skyhook/element/rail/contact_report.h"

namespace skyhook::element::rail {
namespace {

using model::Pose;

constexpr int waist = 5;  // c_y, c_z, a
using Slope = Dual<waist>;
using Curve = Dual<waist, Slope>;

constexpr double cut = 40;  // distances beyond the least one by more than this many nu weigh 4e-18

template <class T>
std::array<T, waist> through(const Axle<T>& axle) {
  return {axle.centre.y, axle.centre.z, axle.axis.x, axle.axis.y, axle.axis.z};
}

// The axle from the five, as duals of any order.
template <class D>
Axle<D> seeded(const Axle<double>& at) {
  const auto u = through(at);
  std::array<D, waist> x;
  for (int i = 0; i < waist; ++i) {
    if constexpr (order_of<D> == 2)
      x[i] = D::variable(Slope::variable(u[i], i), i);
    else
      x[i] = D::variable(u[i], i);
  }
  Mat3<D> R = Mat3<D>::identity();
  for (int i = 0; i < 3; ++i) R[i][1] = x[2 + i];
  WheelOnRail plain;  // a left wheel at its own centre: these are in the mirror already
  return axle_of(plain, Vec3<D>{D(at.centre.x), x[0], x[1]}, R);
}

struct Node {
  double s, width;
};

class Law final : public model::ConditionsLaw<Law, model::LoadsLaw<Law>> {
 public:
  explicit Law(const ConstraintOptions& options) : with_(options), scan_(with_.place) {
    declaration_.rows = {{"mean distance of wheel and rail"}};
    declaration_.has_loads = declaration_.reads_multipliers = with_.rolling.creep != nullptr;
  }
  const model::Declared& declared() const override { return declaration_; }

  template <class T>
  void law(const Pose<T>& x, std::span<const T>, std::span<T> g, std::span<T>) const {
    const Axle<T> axle = axle_of(with_.place, x.r, x.R);
    g[0] = smoothed(axle);
  }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    const T load = -in.lambda[0];
    if (!(value_of(load) > 0.0)) return;
    const Rolling<T> at =
        rolling_at(with_.place, with_.rolling, in.motion, middle(axle_of(with_.place, in.motion.r, in.motion.R)));
    add_creep_force(at, creep_at(at, with_.rolling, load).force, out.wrench);
  }

  std::string refuses(const Pose<double>& x, std::span<const double>) const override {
    const Axle<double> axle = axle_of(with_.place, x.r, x.R);
    if (nodes(axle).empty()) return "no point of the wheel is above the rail";
    return off_profiles(with_.place, x, middle(axle));
  }
  std::vector<model::Quantity> quantities() const override {
    auto all = contact_quantities(with_.rolling.creep != nullptr);
    all.push_back({"s", "m", "mean of the contact along the wheel's profile"});
    return all;
  }
  void measure(const model::LoadInput<double>& in, const model::Acting& acting,
               std::vector<double>& out) const override {
    const double s = middle(axle_of(with_.place, in.motion.r, in.motion.R));
    measure_contact(with_, in.motion, s, -acting.multipliers[0], out);
    out.push_back(s);
  }
  std::string doubts(const model::Acting& acting) const override { return lifts_off(acting.multipliers[0]); }

 private:
  template <class D>
  D distance_at(const Axle<D>& axle, double s) const {
    const WheelPoint<D> wheel = silhouette_point(with_.place, axle, D(s));
    return distance_of(wheel, foot_on_rail(*with_.place.rail, wheel.at.y, wheel.at.z));
  }

  // Equally far from each other where exp(-distance / nu) counts, near enough for its sharpest peak: the trapezoidal rule is exact to
  // exp(-2 pi^2 / 0.7^2) = 3e-18 for a bell.
  std::span<const Node> nodes(const Axle<double>& axle) const {
    static thread_local std::vector<double> rough;
    static thread_local std::vector<Node> out;
    out.clear();
    scan_.distances(axle, rough);
    const double least = *std::ranges::min_element(rough);
    if (least == GapScan::nowhere) return out;
    const double most = least + cut * with_.nu + slack;
    double sharpest = 1;  // 1/m
    for (int k = 1; k + 1 < scan_.size(); ++k) {
      if (rough[k] > most || rough[k - 1] == GapScan::nowhere || rough[k + 1] == GapScan::nowhere) continue;
      const double bend = (rough[k + 1] - 2 * rough[k] + rough[k - 1]) / (GapScan::step * GapScan::step);
      sharpest = std::max(sharpest, bend);
    }
    const double step = 0.7 * std::sqrt(with_.nu / sharpest);
    for (int k = 0; k + 1 < scan_.size(); ++k) {
      if (std::min(rough[k], rough[k + 1]) > most) continue;
      // the nodes i * step within this cell
      for (auto i = static_cast<long>(std::ceil(scan_.s(k) / step)); static_cast<double>(i) * step < scan_.s(k + 1);
           ++i)
        out.push_back({static_cast<double>(i) * step, step});
    }
    return out;
  }
  static constexpr double slack = 2e-5;  // m: what the grid may miss of a peak

  // g and the mean of s, on numbers or duals.
  template <class D>
  struct Mean {
    D g, s;
  };
  template <class D>
  Mean<D> mean(const Axle<D>& axle, std::span<const Node> at, double least) const {
    using std::exp, std::log;
    D sum(0.0), moment(0.0);
    for (const Node& node : at) {
      const D weight = exp((D(least) - distance_at(axle, node.s)) * D(1 / with_.nu));
      sum = sum + weight, moment = moment + D(node.s) * weight;
    }
    const double length = with_.place.wheel->last() - with_.place.wheel->first();
    return {D(least) - D(with_.nu) * log(sum * D(at.front().width / length)), moment / sum};
  }
  double least_of(const Axle<double>& axle, std::span<const Node> at) const {
    double least = 1e300;
    for (const Node& node : at) least = std::min(least, distance_at(axle, node.s));
    return least;
  }

  static Axle<double> value_of_axle(const auto& axle) {
    const auto v = [](const auto& x) { return Vec3d{value_of(x.x), value_of(x.y), value_of(x.z)}; };
    return {v(axle.centre), v(axle.axis), v(axle.ahead), v(axle.down), value_of(axle.length)};
  }

  template <class T>
  T smoothed(const Axle<T>& axle) const {
    const Axle<double> here = value_of_axle(axle);
    const auto at = nodes(here);
    if (at.empty()) return T(std::nan(""));
    const double least = least_of(here, at);
    if constexpr (order_of<T> == 0)
      return mean(here, at, least).g;
    else
      return passed(axle, here, at, least);
  }
  // By Taylor's formula about the values, which is exact for duals of that order.
  template <class T>
  T passed(const Axle<T>& axle, const Axle<double>& here, std::span<const Node> at, double least) const {
    const auto u = through(axle);
    const auto value = through(here);
    std::array<T, waist> by;
    for (int i = 0; i < waist; ++i) by[i] = u[i] - T(value[i]);
    if constexpr (order_of<T> == 1) {
      const Slope g = mean(seeded<Slope>(here), at, least).g;
      T out(g.v);
      for (int i = 0; i < waist; ++i) out = out + T(g.d[i]) * by[i];
      return out;
    } else {
      const Curve g = mean(seeded<Curve>(here), at, least).g;
      T out(g.v.v);
      for (int i = 0; i < waist; ++i) {
        T slope(g.v.d[i]);
        for (int j = 0; j < waist; ++j) slope = slope + T(0.5 * g.d[i].d[j]) * by[j];
        out = out + slope * by[i];
      }
      return out;
    }
  }

  template <class T>
  T middle(const Axle<T>& axle) const {
    const Axle<double> here = value_of_axle(axle);
    const auto at = nodes(here);
    const double least = least_of(here, at);
    if constexpr (order_of<T> == 0) {
      return mean(here, at, least).s;
    } else {
      const Slope s = mean(seeded<Slope>(here), at, least).s;
      const auto u = through(axle);
      T out(s.v);
      for (int i = 0; i < waist; ++i) out = out + T(s.d[i]) * (u[i] - T(value_of(u[i])));
      return out;
    }
  }

  ConstraintOptions with_;
  GapScan scan_;
  model::Declared declaration_;
};

}  // namespace

std::shared_ptr<const model::ContributionLaw> quasi_elastic_contact(const ConstraintOptions& options) {
  return std::make_shared<const Law>(options);
}

}  // namespace skyhook::element::rail
