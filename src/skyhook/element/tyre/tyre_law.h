// A wheel on a road: contact, load, slip with relaxation, and the forces of one of the laws of slip. `Law` is as slip.h says, and has
//   static constexpr bool drives;   // false: no longitudinal force
//   template <class T> Displaced<T> lengths(const T& load) const;   // relaxation lengths in m, above zero; may be missing
#pragma once
#include <algorithm>
#include <cmath>

#include "skyhook/element/tyre/channels.h"
#include "skyhook/element/tyre/contact.h"
#include "skyhook/element/tyre/relaxation.h"
#include "skyhook/element/tyre/road_contact.h"
#include "skyhook/element/tyre/slip.h"
#include "skyhook/element/tyre/vertical.h"
#include "skyhook/model/contribution.h"

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
struct TyreLaw final : model::LoadsLaw<TyreLaw<Law>>,
                       model::SwitchingLaw,
                       model::TabulatedLoads,
                       model::OnRoad,
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

  Wheel<Law> wheel;
  model::Declared declaration;

  const model::Declared& declared() const override { return declaration; }

  bool relaxes() const { return wheel.lengths.v > 0.0; }
  bool has_x() const { return Law::drives && wheel.spins; }

  template <class T>
  struct Load {
    Contact<T> at;
    T deflection, force;
    double friction = 1;
    bool touches = false;
  };

  template <class T>
  Below<T> below(const model::Relative<T>& m, int segment) const {
    const Below<T> road = wheel.road.below(m, segment);
    return wheel.is_vertical ? level(road, m.v) : road;
  }

  // In mode 0 the law decides itself whether the wheel touches.
  template <class T>
  Load<T> load_of(const model::Relative<T>& m) const {
    Load<T> load;
    const RoadMode mode = wheel.road.mode_of(m);
    if (m.set.mode > 0 && !mode.in_contact) return load;
    const Below<T> road = below(m, mode.segment);
    load.friction = road.friction;
    load.at = contact_of(wheel.road.moving(m), road);
    if (!load.at.is_upright) return load;
    load.deflection = T(wheel.vertical.radius) - load.at.radius;
    load.force = wheel.vertical.push(load.deflection, load.at.deflection_rate);
    const bool is_off = value_of(load.deflection) <= 0.0 || value_of(load.force) <= 0.0;  // a NaN goes on and shows
    load.touches = m.set.mode > 0 || !is_off;
    return load;
  }
  // Positive where the tyre touches and pushes, as of tyre_vertical.
  double grip(const model::Relative<double>& m, int segment) const {
    const Contact<double> at = contact_of(wheel.road.moving(m), below(m, segment));
    if (!at.is_upright) return -wheel.vertical.radius;
    const double p = wheel.vertical.radius - at.radius, k = wheel.vertical.stiffness;
    const double pressed = p > 0.0 ? p * (1.0 + wheel.vertical.progressive / k * p) : p;
    return pressed + std::min(0.0, wheel.vertical.damping / k * at.deflection_rate);
  }

  template <class T>
  Displaced<T> slide_of(const Load<T>& load) const {
    if (!wheel.spins) return {T(0.0), load.at.slide_y};
    return {load.at.speed - wheel.rolling.at(load.deflection) * load.at.spin, load.at.slide_y};
  }
  template <class T>
  Displaced<T> lengths_at(const T& load) const {
    if constexpr (requires { wheel.law.lengths(load); }) {
      return wheel.law.lengths(load);
    } else {
      return {T(wheel.lengths.u), T(wheel.lengths.v)};
    }
  }

  // (kappa, tan alpha); the rates of the states where there are any.
  template <class T>
  Displaced<T> slips(const Load<T>& load, const In<T>& in, std::span<T> rates) const {
    const Displaced<T> slide = slide_of(load);
    if (!relaxes()) return slip_at_once(load.at.speed, slide, wheel.relaxation.low_speed);
    const Displaced<T> c = has_x() ? Displaced<T>{in.c[0], in.c[1]} : Displaced<T>{T(0.0), in.c[0]};
    const Displaced<T> sigma = lengths_at(load.force);
    const Displaced<T> slide_here = has_x() ? slide : Displaced<T>{T(0.0), slide.v};
    const Displaced<T> rate = rate_of(wheel.relaxation, load.at.speed, slide_here, c, sigma);
    if (has_x()) rates[0] = rate.u;
    rates[has_x() ? 1 : 0] = rate.v;
    return slip_of(wheel.relaxation, load.at.speed, c, rate, sigma);
  }

  template <class T>
  struct Result {
    Load<T> load;
    Displaced<T> slip{};
    ContactForce<T> force;
  };

  template <class T>
  Result<T> evaluate(const In<T>& in, std::span<T> rates) const {
    using std::tanh;
    constexpr double air_time = 0.01;  // s: a tyre in the air takes its shape
    constexpr double turning = 0.1;    // of low_speed: moments of rolling change their sign with the direction
    Result<T> r;
    r.load = load_of(in.motion);
    if (!r.load.touches || value_of(r.load.force) <= 0.0) {
      for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = T(-1.0 / air_time) * in.c[i];
      return r;
    }
    r.slip = slips(r.load, in, rates);
    const T& speed = r.load.at.speed;
    r.force = force_of(wheel.law, Slip<T>{r.slip.u, r.slip.v, r.load.at.camber, r.load.force, speed, r.load.friction});
    const T direction = tanh(speed / T(turning * wheel.relaxation.low_speed));
    r.force.my = direction * r.force.my, r.force.mz = direction * r.force.mz;
    if (!wheel.spins) r.force.my = T(0.0);
    return r;
  }

  template <class T>
  void law(const In<T>& in, const model::LoadOutput<T>& out) const {
    const Result<T> r = evaluate(in, out.rates);
    out.wrench = {};
    if (!r.load.touches) return;
    const Contact<T>& at = r.load.at;
    const ContactForce<T>& f = r.force;
    out.wrench.f = f.fx * at.ahead + f.fy * at.left + r.load.force * at.up;
    out.wrench.n = cross(at.arm, out.wrench.f) + f.mx * at.ahead + f.my * at.left + f.mz * at.up;
    // A carrier that does not turn must not feel what brakes or drives the wheel on it.
    if (!wheel.spins) out.wrench.n = out.wrench.n - dot(out.wrench.n, in.motion.R.column(1)) * in.motion.R.column(1);
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
      const Result<double> r = evaluate(in, std::span(rates).first(declaration.states.size()));
      if (!r.load.touches) return;
      wheel.law.look({r.slip.u, r.slip.v, r.load.at.camber, r.load.force, r.load.at.speed, 1.0}, looks);
    }
  }

  void raise_road(const model::Raise& by, model::Contribution& to) const override {
    Wheel<Law> raised = wheel;
    raised.road.raise = {wheel.road.raise.height + by.height, wheel.road.raise.rate + by.rate};
    to.law = std::make_shared<TyreLaw>(std::move(raised));
  }

  std::vector<model::Quantity> quantities() const override { return tyre::quantities(); }
  void measure(const In<double>& in, const model::Acting&, std::vector<double>& out) const override {
    std::array<double, 2> rates{};
    const Result<double> r = evaluate(in, std::span(rates).first(declaration.states.size()));
    Measured m{.deflection = -wheel.vertical.radius};
    if (r.load.touches) {
      const Displaced<double> slide = slide_of(r.load);
      m = {r.load.at, r.force, r.load.force, r.load.deflection, r.slip.u, r.slip.v, slide.u, slide.v};
    } else {
      m.deflection = gap(in.motion);
    }
    put(m, in.motion, wheel.convention, out);
  }
  double gap(const model::Relative<double>& m) const {
    const Contact<double> at = contact_of(wheel.road.moving(m), below(m, wheel.road.mode_of(m).segment));
    return wheel.vertical.radius - (at.is_upright ? at.radius : 2.0 * wheel.vertical.radius);
  }
};

}  // namespace skyhook::element::tyre
