// A wheel on a road: contact, load, slip with relaxation, and the forces of one of the laws of slip. `Law` is as slip.h says, and has
//   static constexpr bool drives;   // false: no longitudinal force
//   template <class T> Displaced<T> lengths(const T& load, const T& camber) const;   // relaxation lengths in m, above zero; may be missing
#pragma once
#include <algorithm>
#include <cmath>

#include "skyhook/element/tyre/channels.h"
#include "skyhook/element/tyre/contact.h"
#include "skyhook/element/tyre/relaxation.h"
#include "skyhook/element/tyre/road_contact.h"
#include "skyhook/element/tyre/slip.h"
#include "skyhook/element/tyre/vertical.h"
#include "skyhook/model/measuring_law.h"
#include "skyhook/model/sloped_loads.h"

namespace skyhook::element::tyre {

template <class Law>
struct Wheel {
  Law law;
  Vertical vertical;
  RollingRadius rolling;
  Relaxation relaxation;
  Displaced<double> lengths{0, 0};  // of laws without their own
  double usual_load = 0;
  RoadContact road;
  bool spins = true, is_vertical = false;  // the load is vertical on slopes, too
  Convention convention = Convention::iso;
};

template <class Law>
struct TyreLaw final : model::ContributionLaw,
                       model::SlopedLoads,
                       model::SwitchingLaw,
                       model::MeasuringLaw,
                       model::TabulatedLoads,
                       model::OnRoad,
                       model::OverGround,
                       Characteristic {
  template <class T>
  using In = model::LoadInput<T>;

  explicit TyreLaw(Wheel<Law> given) : wheel(std::move(given)) {
    declaration.has_loads = true;
    if (!relaxes()) return;
    constexpr double usual = 0.01;
    if (has_x()) declaration.states.push_back({"patch_x", "m", usual, 0.0});
    declaration.states.push_back({"patch_y", "m", usual, 0.0});
  }

  using model::ContributionLaw::loads;
  Wheel<Law> wheel;
  model::Declared declaration;

  const model::Declared& declared() const override { return declaration; }

  static constexpr double least_friction = 1e-3;  // of roads: laws of slip divide by it

  bool relaxes() const { return wheel.lengths.v > 0.0; }
  bool has_x() const { return Law::drives && wheel.spins; }

  // Where the wheel meets the road. Not there: a wheel in the air by its mode, or one that lies.
  template <class T>
  struct Meeting {
    WheelContact<T> at;
    T friction = T(1.0);
    bool is_there = false;
  };
  template <class T>
  struct Load {
    WheelContact<T> at;
    T deflection, force, friction = T(1.0);
    bool touches = false;
  };

  template <class T>
  Below<T> below(const model::Relative<T>& m, int segment) const {
    const Below<T> road = wheel.road.below(m, segment);
    return wheel.is_vertical ? level(road, m.v) : road;
  }

  template <class T>
  Meeting<T> meeting(const model::Relative<T>& m) const {
    Meeting<T> out;
    const RoadMode mode = wheel.road.mode_of(m);
    if (m.set.mode > 0 && !mode.in_contact) return out;
    const Below<T> road = below(m, mode.segment);
    out.friction = value_of(road.friction) > least_friction ? road.friction : T(least_friction);
    out.at = contact_of(wheel.road.moving(m), road);
    out.is_there = out.at.is_upright;
    return out;
  }
  // In mode 0 the law decides itself whether the wheel touches.
  template <class T>
  Load<T> load_of(const Meeting<T>& on, int mode) const {
    Load<T> load{on.at, T(0.0), T(0.0), on.friction};
    if (!on.is_there) return load;
    load.deflection = wheel.vertical.free_radius(load.at.spin) - load.at.radius;
    load.force = wheel.vertical.elastic(load.deflection, load.at.spin, load.at.camber) +
                 T(wheel.vertical.damping) * load.at.deflection_rate;
    const bool is_off = value_of(load.deflection) <= 0.0 || value_of(load.force) <= 0.0;  // a NaN goes on and shows
    load.touches = mode > 0 || !is_off;
    return load;
  }
  // Positive where the tyre touches and pushes, as of tyre_vertical.
  double grip(const model::Relative<double>& m, int segment) const {
    const WheelContact<double> at = contact_of(wheel.road.moving(m), below(m, segment));
    if (!at.is_upright) return -wheel.vertical.radius;
    const double p = wheel.vertical.free_radius(at.spin) - at.radius, k = wheel.vertical.stiffness;
    const double pressed = p > 0.0 ? wheel.vertical.elastic(p, at.spin, at.camber) / k : p;
    return pressed + std::min(0.0, wheel.vertical.damping / k * at.deflection_rate);
  }

  template <class T>
  Displaced<T> slide_of(const Load<T>& load) const {
    if (!wheel.spins) return {T(0.0), load.at.slide_y};
    return {load.at.speed - rolling_radius(load) * load.at.spin, load.at.slide_y};
  }
  // What the free radius has grown by, the way per angle has too.
  template <class T>
  T rolling_radius(const Load<T>& load) const {
    const Vertical& v = wheel.vertical;
    if (v.is_linear() && v.growth == 0.0) return wheel.rolling.at(load.deflection);
    const T pressed = v.elastic(load.deflection, load.at.spin, load.at.camber) / T(v.stiffness);
    return wheel.rolling.at(pressed) + v.free_radius(load.at.spin) - T(v.radius);
  }
  // In the two directions that they have, and chained.
  template <class T>
  Displaced<T> lengths_at(const T& load, const T& camber) const {
    if constexpr (!requires { wheel.law.lengths(load, camber); }) {
      return {T(wheel.lengths.u), T(wheel.lengths.v)};
    } else if constexpr (std::is_same_v<T, double>) {
      return wheel.law.lengths(load, camber);
    } else {
      const Displaced<Dual<2>> sigma = wheel.law.lengths(Dual<2>::variable(load.v, 0), Dual<2>::variable(camber.v, 1));
      const auto chained = [&](const Dual<2>& y) {
        T out(y.v);
        for (std::size_t k = 0; k < out.d.size(); ++k) out.d[k] = y.d[0] * load.d[k] + y.d[1] * camber.d[k];
        return out;
      };
      return {chained(sigma.u), chained(sigma.v)};
    }
  }

  // (kappa, tan alpha); the rates of the states where there are any.
  template <class T>
  Displaced<T> slips(const Load<T>& load, std::span<const T> patch, std::span<T> rates) const {
    const Displaced<T> slide = slide_of(load);
    if (!relaxes()) return slip_at_once(load.at.speed, slide, wheel.relaxation.low_speed);
    const Displaced<T> c = has_x() ? Displaced<T>{patch[0], patch[1]} : Displaced<T>{T(0.0), patch[0]};
    const Displaced<T> sigma = lengths_at(load.force, load.at.camber);
    const Displaced<T> slide_here = has_x() ? slide : Displaced<T>{T(0.0), slide.v};
    const Displaced<T> rate = rate_of(wheel.relaxation, load.at.speed, slide_here, c, sigma);
    if (has_x()) rates[0] = rate.u;
    rates[has_x() ? 1 : 0] = rate.v;
    return slip_of(wheel.relaxation, load.at.speed, c, rate, sigma);
  }

  // A law that knows driving from braking is that of a wheel that rolls ahead; back it is its mirror image across the wheel's axis.
  // `direction`: 1 ahead, -1 back, smooth in between.
  template <class T>
  ContactForce<T> directed(const Slip<T>& slip, const T& direction) const {
    if constexpr (!requires { Law::one_way; }) {
      return force_of(wheel.law, slip);
    } else {
      constexpr double all = 1.0 - 1e-9;
      if (value_of(direction) > all) return force_of(wheel.law, slip);
      Slip<T> turned = slip;
      turned.kappa = -slip.kappa;
      ContactForce<T> back = force_of(wheel.law, turned);
      back.fx = -back.fx;
      if (value_of(direction) < -all) return back;
      const ContactForce<T> ahead = force_of(wheel.law, slip);
      const T share = T(0.5) + T(0.5) * direction, rest = T(0.5) - T(0.5) * direction;
      const auto mixed = [&](const T& a, const T& b) { return share * a + rest * b; };
      return {mixed(ahead.fx, back.fx), mixed(ahead.fy, back.fy), mixed(ahead.mx, back.mx), mixed(ahead.my, back.my),
              mixed(ahead.mz, back.mz)};
    }
  }

  template <class T>
  struct Result {
    Load<T> load;
    Displaced<T> slip{};
    ContactForce<T> force;
    bool pushes = false;
  };

  template <class T>
  Result<T> evaluate(const In<T>& in, std::span<T> rates) const {
    return evaluate(meeting(in.motion), in.motion.set.mode, in.c, rates);
  }
  // All but the force. `patch`: its displacements.
  template <class T>
  Result<T> slipping(const Meeting<T>& on, int mode, std::span<const T> patch, std::span<T> rates) const {
    constexpr double air_time = 0.01;  // s: a tyre in the air takes its shape
    Result<T> r;
    r.load = load_of(on, mode);
    r.pushes = r.load.touches && !(value_of(r.load.force) <= 0.0);
    if (r.pushes)
      r.slip = slips(r.load, patch, rates);
    else
      for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = T(-1.0 / air_time) * patch[i];
    return r;
  }
  template <class T>
  Result<T> evaluate(const Meeting<T>& on, int mode, std::span<const T> patch, std::span<T> rates) const {
    using std::tanh;
    constexpr double turning = 0.1;  // of low_speed: moments of rolling change their sign with the direction
    Result<T> r = slipping(on, mode, patch, rates);
    if (!r.pushes) return r;
    const T& speed = r.load.at.speed;
    const T direction = tanh(speed / T(turning * wheel.relaxation.low_speed));
    r.force = directed(Slip<T>{r.slip.u, r.slip.v, r.load.at.camber, r.load.force, speed, r.load.friction}, direction);
    r.force.my = direction * r.force.my, r.force.mz = direction * r.force.mz;
    if (!wheel.spins) r.force.my = T(0.0);
    return r;
  }

  // Linear in the forces.
  template <class T>
  model::Wrench<T> wrench_of(const WheelContact<T>& at, const ContactForce<T>& f, const T& load,
                             const Vec3<T>& axle) const {
    model::Wrench<T> out;
    out.f = f.fx * at.ahead + f.fy * at.left + load * at.up;
    out.n = cross(at.arm, out.f) + f.mx * at.ahead + f.my * at.left + f.mz * at.up;
    // A carrier that does not turn must not feel what brakes or drives the wheel on it.
    if (!wheel.spins) out.n = out.n - dot(out.n, axle) * axle;
    return out;
  }
  Result<double> write(const In<double>& in, const model::LoadOutput<double>& out) const {
    const Result<double> r = evaluate(in, out.rates);
    out.wrench =
        r.load.touches ? wrench_of(r.load.at, r.force, r.load.force, in.motion.R.column(1)) : model::Wrench<double>{};
    return r;
  }
  void loads(const In<double>& in, const model::LoadOutput<double>& out) const override { write(in, out); }

  // But for the axes and the arm of the contact, all depends on six numbers of it and the displacements of the patch: derivatives pass this waist, and only where
  // the friction of the road changes that is one more.
  static constexpr int waist = 8;
  using Local = model::Local;
  void loads_and_slopes(const model::Relative<Local>& seeded, const In<double>& in,
                        const model::LoadOutput<double>& out, std::span<double> slopes) const override {
    const Meeting<Local> on = meeting(seeded);
    if (is_constant(on.friction))
      through_waist<waist>(on, seeded, in, out, slopes);
    else
      through_waist<waist + 1>(on, seeded, in, out, slopes);
  }
  template <int N>
  void through_waist(const Meeting<Local>& on, const model::Relative<Local>& seeded, const In<double>& in,
                     const model::LoadOutput<double>& out, std::span<double> slopes) const {
    using D = Dual<N>;
    const std::size_t states = in.c.size();
    const WheelContact<Local>& at = on.at;
    const std::array<const Local*, 6> numbers{&at.camber, &at.radius,  &at.deflection_rate,
                                              &at.speed,  &at.slide_y, &at.spin};
    const auto variable = [&](std::size_t k) { return D::variable(numbers[k]->v, static_cast<int>(k)); };
    Meeting<D> narrow;
    narrow.at.camber = variable(0), narrow.at.radius = variable(1), narrow.at.deflection_rate = variable(2);
    narrow.at.speed = variable(3), narrow.at.slide_y = variable(4), narrow.at.spin = variable(5);
    narrow.is_there = on.is_there, narrow.friction = N > waist ? D::variable(on.friction.v, waist) : D(on.friction.v);
    std::array<D, 2> patch, rates;
    for (std::size_t i = 0; i < states; ++i) patch[i] = D::variable(in.c[i], static_cast<int>(6 + i));
    const Result<D> r =
        evaluate(narrow, in.motion.set.mode, std::span<const D>(patch).first(states), std::span(rates).first(states));

    const auto chained = [&](const D& y) {
      Local whole(y.v);
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        for (std::size_t j = 0; j < whole.d.size(); ++j) whole.d[j] += y.d[k] * numbers[k]->d[j];
      }
      if constexpr (N > waist) {
        for (std::size_t j = 0; j < whole.d.size(); ++j) whole.d[j] += y.d[waist] * on.friction.d[j];
      }
      return whole;
    };
    const std::size_t columns = 12 + states;
    const auto put = [&](std::size_t row, const Local& y) {
      return std::ranges::copy(y.d, slopes.begin() + static_cast<long>(row * columns)), y.v;
    };
    model::Wrench<Local> w;
    if (r.load.touches) {
      const auto& f = r.force;
      w = wrench_of(at, {chained(f.fx), chained(f.fy), chained(f.mx), chained(f.my), chained(f.mz)},
                    chained(r.load.force), seeded.R.column(1));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const int axis = static_cast<int>(i);
      out.wrench.f[axis] = put(i, w.f[axis]), out.wrench.n[axis] = put(3 + i, w.n[axis]);
    }
    for (std::size_t i = 0; i < states; ++i) out.rates[i] = put(6 + i, chained(rates[i]));
    const WheelContact<double> here = axes_of(at);
    for (std::size_t j = 0; j < states; ++j) {
      const auto by = [&](const D& y) { return y.d[6 + j]; };
      const auto& f = r.force;
      model::Wrench<double> change{};
      if (r.load.touches)
        change = wrench_of(here, {by(f.fx), by(f.fy), by(f.mx), by(f.my), by(f.mz)}, by(r.load.force),
                           in.motion.R.column(1));
      const auto entry = [&](std::size_t row) -> double& { return slopes[row * columns + 12 + j]; };
      for (std::size_t i = 0; i < 3; ++i)
        entry(i) = change.f[static_cast<int>(i)], entry(3 + i) = change.n[static_cast<int>(i)];
      for (std::size_t i = 0; i < states; ++i) entry(6 + i) = by(rates[i]);
    }
  }

  int first_mode(const In<double>& in) const override {
    return wheel.road.first_mode(in.motion, [&](int segment) { return grip(in.motion, segment); });
  }
  double watch(const In<double>& in) const override {
    return wheel.road.watch(in.motion, [&](int segment) { return grip(in.motion, segment); });
  }
  int next_mode(const In<double>& in) const override {
    return wheel.road.next_mode(in.motion, [&](int segment) { return grip(in.motion, segment); });
  }
  std::string event(int from, int to) const override { return RoadContact::event(from, to); }

  ContactForce<double> force(const Slip<double>& slip) const override { return wheel.law(slip); }
  double usual_load() const override { return wheel.usual_load; }

  void look(const In<double>& in, model::TableLooks& looks) const override {
    wheel.road.road.look(in.motion, looks);
    if constexpr (requires(const Slip<double>& slip) { wheel.law.look(slip, looks); }) {
      std::array<double, 2> rates{};
      const Result<double> r =
          slipping(meeting(in.motion), in.motion.set.mode, in.c, std::span(rates).first(declaration.states.size()));
      if (!r.load.touches) return;
      wheel.law.look({r.slip.u, r.slip.v, r.load.at.camber, r.load.force, r.load.at.speed}, looks);
    }
  }

  int sights() const override { return RoadContact::sights; }
  double grain(const model::Relative<double>& now) const override { return wheel.road.grain(now); }
  void look_ahead(const model::Relative<double>& now, const model::OverGround::Times& times,
                  std::span<double> seen) const override {
    wheel.road.look_ahead(now, times, seen);
  }

  bool is_lifted() const override { return wheel.road.is_lifted(); }
  void raise_road(const model::Raise& by, model::Contribution& to) const override {
    Wheel<Law> raised = wheel;
    raised.road.raise = {wheel.road.raise.height + by.height, wheel.road.raise.rate + by.rate};
    to.law = std::make_shared<TyreLaw>(std::move(raised));
  }

  std::vector<model::Quantity> quantities() const override { return tyre::quantities(); }
  void measure(const In<double>& in, const model::Acting&, std::vector<double>& out) const override {
    std::array<double, 2> rates{};
    tell(evaluate(in, std::span(rates).first(declaration.states.size())), in, out);
  }
  void measured_loads(const In<double>& in, const model::LoadOutput<double>& out,
                      std::vector<double>& measured) const override {
    tell(write(in, out), in, measured);
  }
  void tell(const Result<double>& r, const In<double>& in, std::vector<double>& out) const {
    Measured m{.deflection = -wheel.vertical.radius};
    if (r.load.touches) {
      const Displaced<double> slide = slide_of(r.load);
      // At lift-off rounding may pull.
      m = {r.load.at, r.force, std::max(0.0, r.load.force), r.load.deflection, r.slip.u, r.slip.v, slide.u, slide.v};
    } else {
      m.deflection = gap(in.motion);
    }
    put(m, in.motion, wheel.convention, out);
  }
  double gap(const model::Relative<double>& m) const {
    const WheelContact<double> at = contact_of(wheel.road.moving(m), below(m, wheel.road.mode_of(m).segment));
    return wheel.vertical.free_radius(at.spin) - (at.is_upright ? at.radius : 2.0 * wheel.vertical.radius);
  }
};

}  // namespace skyhook::element::tyre
