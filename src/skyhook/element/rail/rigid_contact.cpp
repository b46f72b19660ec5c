#include "skyhook/element/rail/rigid_contact.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/element/rail/contact_report.h"
#include "skyhook/element/rail/standing.h"
#include "skyhook/model/jumping_law.h"
#include "skyhook/model/path_law.h"

namespace skyhook::element::rail {
namespace {

using model::Pose;

// g: the distance along the rail's normal. h: normals are parallel, and where psi is a variable that the wheel's has no part along the rail.
struct Law final : model::ConditionsLaw<Law, model::LoadsLaw<Law>>,
                   model::AlongPath<Law>,
                   model::SwitchingLaw,
                   model::JumpingLaw,
                   OnRail {
  ConstraintOptions with;
  GapScan scan;
  model::Declared declaration;

  explicit Law(const ConstraintOptions& options) : with(options), scan(with.place) {
    declaration.contact_variables = {{"s", "m", 0.01, 0.0}};
    if (with.variables == 2) declaration.contact_variables.push_back({"psi", "rad", 0.1, 0.0});
    declaration.rows = {{"distance of wheel and rail"}};
    declaration.has_loads = declaration.reads_multipliers = with.rolling.creep != nullptr;
  }
  const model::Declared& declared() const override { return declaration; }
  const WheelOnRail& on_rail() const override { return with.place; }
  const LinePtr& line() const override { return with.line; }

  template <class T>
  WheelPoint<T> wheel_at(const Axle<T>& axle, std::span<const T> s) const {
    return s.size() == 2 ? wheel_point(with.place, axle, s[0], s[1]) : silhouette_point(with.place, axle, s[0]);
  }

  template <class T>
  void law(const Pose<T>& x, std::span<const T> s, std::span<T> g, std::span<T> h) const {
    const Axle<T> axle = axle_on(with.place, with.line, x);
    const WheelPoint<T> wheel = wheel_at(axle, s);
    const RailFoot<T> foot = foot_on_rail(*with.place.rail, wheel.at.y, wheel.at.z);
    h[0] = crossing_of(wheel, foot);
    if (s.size() == 2) h[1] = wheel.normal.x;
    g[0] = distance_of(wheel, foot);
  }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    const T load = -in.lambda[0];
    if (!(value_of(load) > 0.0)) return;  // lifts: nothing to creep with
    const Seen<T> see = seen(with.place, with.line, in.motion);
    const Rolling<T> at = rolling_at(with.place, with.rolling, see.motion, in.s[0]);
    model::Wrench<T> sum{};
    add_creep_force(at, creep_at(at, with.rolling, load).force, sum);
    out.wrench = see.back(sum);
  }

  Axle<double> axle_at(const Pose<double>& x) const { return axle_on(with.place, with.line, x); }
  void search(const Pose<double>& x, std::span<double> s) const override {
    const Axle<double> axle = axle_at(x);
    const auto all = nearest_points(with.place, scan, axle);
    set(all.empty() ? 0.0 : all.front().s, axle, s);
  }
  void set(double at, const Axle<double>& axle, std::span<double> s) const {
    s[0] = at;
    if (s.size() == 1) return;
    const ProfileJet<double> p = with.place.wheel->jet(at);
    s[1] = std::asin(std::clamp(-(p.z1 * axle.axis.x) / (p.y1 * axle.length), -1.0, 1.0));
  }
  // A place where the distance is largest satisfies h as well.
  bool takes(const Pose<double>& x, std::span<double> s) const override {
    constexpr double step = 1e-6;
    const Axle<double> axle = axle_at(x);
    const auto slope = [&](double at) {
      const auto wheel = silhouette_point(with.place, axle, at);
      return crossing_of(wheel, foot_on_rail(*with.place.rail, wheel.at.y, wheel.at.z));
    };
    return slope(s[0] - step) < slope(s[0] + step);
  }
  std::string refuses(const Pose<double>& x, std::span<const double> s) const override {
    const Axle<double> axle = axle_at(x);
    const std::string beside = beside_rail(with.place, axle);
    if (!beside.empty()) return beside;
    return s.empty() ? no_point(axle) : off_profiles(with.place, axle, s[0]);
  }

  // ---- the rival: another point that comes to touch
  double rival(const model::LoadInput<double>& in, double& s) const {
    const auto all = nearest_points(with.place, scan, axle_at({in.motion.r, in.motion.R, {}, in.motion.set.way}), far);
    const auto now = std::ranges::min_element(all, {}, [&](const Nearest& n) { return std::abs(n.s - in.s[0]); });
    double least = far;
    if (now == all.end() || std::abs(now->s - in.s[0]) > same) return least;  // told by refuses()
    for (const Nearest& n : all) {
      if (&n == &*now) continue;
      const double gap = n.distance - now->distance;
      if (gap < least) least = gap, s = n.s;
    }
    return least;
  }
  static constexpr double far = 5e-3, same = 1e-4;  // m
  int first_mode(const model::LoadInput<double>&) const override { return 1; }
  double watch(const model::LoadInput<double>& in) const override {
    double s = 0;
    return rival(in, s);
  }
  int next_mode(const model::LoadInput<double>& in) const override { return 3 - std::max(1, in.motion.set.mode); }
  std::string event(int, int) const override { return "contact point jumps"; }
  std::string chattering() const override {
    return "A rigid wheel wants to touch in two places there, as on tread and flange at once. Take `contact: "
           "quasi_elastic`, which passes from one to the other, or "
           "`contact: multi_hertz`, which has both; with `contact: rigid` friction helps (`creep: polach`).";
  }
  bool jump(const model::LoadInput<double>& in, std::span<double> s) const override {
    double to = in.s[0];
    if (rival(in, to) >= far) return false;
    set(to, axle_at({in.motion.r, in.motion.R, {}, in.motion.set.way}), s);
    return true;
  }

  std::vector<model::Quantity> quantities() const override {
    auto all = contact_quantities(with.rolling.creep != nullptr);
    for (model::Quantity& each : place_quantities(with.place)) all.push_back(std::move(each));
    return all;
  }
  void measure(const model::LoadInput<double>& in, const model::Acting& acting,
               std::vector<double>& out) const override {
    const std::size_t first = out.size();
    const Vec3d centre = in.motion.r + with.place.side * with.place.half * in.motion.R.column(1);
    const model::Relative<double> m = seen(with.place, with.line, in.motion).motion;
    const Rolling<double> at = rolling_at(with.place, with.rolling, m, in.s[0]);
    measure_contact(with, at, patch_shape(at, with.rolling), -acting.multipliers[0], out);
    measure_place(with, m, with.line ? with.line->foot(centre, in.motion.set.way) : centre.x, in.s[0], first, out);
  }
  std::string doubts(const model::Acting& acting) const override { return lifts_off(acting.multipliers[0]); }
  std::string signature() const override { return fmt::format("{}", with.variables); }
};

}  // namespace

std::shared_ptr<const model::ContributionLaw> rigid_contact(const ConstraintOptions& options) {
  return std::make_shared<const Law>(options);
}

}  // namespace skyhook::element::rail
