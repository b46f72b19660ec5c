#include "skyhook/element/force/air_spring.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/element/finding.h"

namespace skyhook::element {
namespace {

// y(x) with its slope at value_of(x): as much as first derivatives need.
inline double along_slope(double y, double /*slope*/, double /*x*/) { return y; }
template <int N>
Dual<N> along_slope(double y, double slope, const Dual<N>& x) {
  return x.chain(y, slope);
}

struct Bag {
  model::Curve area;
  double volume0, length0, exponent, ambient, pressure0, damping;

  template <class T>
  T volume(const T& x) const {
    const double d = value_of(x) - length0;
    return along_slope(volume0 + area.integral(d), area.at(d), x);
  }
  template <class T>
  T push(const T& x, const T& v, const T& p) const {
    return (p - T(ambient)) * area.at(T(x - T(length0))) - T(damping) * v;
  }
  // Of a bag that is torn or pressed flat nothing is known.
  template <class T>
  T not_empty(const T& V) const {
    return value_of(V) > 0 ? V : T(std::nan(""));
  }
  void look(const model::Stroke<double>& s, model::TableLooks& looks) const {
    add_look(area, "area", "deflection", "m", s.x - length0, looks);
  }
};

// Without a tank: p V^n stays what it is. A law of line_force.h.
struct ClosedBag : Bag {
  explicit ClosedBag(Bag bag) : Bag(std::move(bag)) {}
  static constexpr double pull = -1.0;  // positive pushes apart
  static constexpr bool reads_time = false;

  template <class T>
  T pressure(const T& x) const {
    using std::exp, std::log;
    return T(pressure0) * exp(T(exponent) * log(T(volume0) / not_empty(volume(x))));
  }
  template <class T>
  T force(const T& x, const T& v, double /*t*/) const {
    return push(x, v, pressure(x));
  }
  double energy(double x) const { return pressure(x) * volume(x) / (exponent - 1) + ambient * volume(x); }
};

// With one: states are both pressures, in bar so that tolerances fit. Flow takes gas of the working pressure along.
struct BagAndTank final : model::StateLaw<BagAndTank> {
  static constexpr double bar = 1e5;
  Bag bag;
  double tank, orifice;
  BagAndTank(Bag given, double tank_volume, double flow) : bag(std::move(given)), tank(tank_volume), orifice(flow) {}

  std::vector<model::InnerState> states() const override {
    const double p0 = bag.pressure0 / bar;
    return {{"pressure", "bar", p0, p0}, {"tank_pressure", "bar", p0, p0}};
  }
  bool pushes() const override { return true; }
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    const T p = T(bar) * c[0], flow = T(orifice * bag.pressure0 * bar) * (c[1] - c[0]);
    const T V_rate = bag.area.at(T(s.x - T(bag.length0))) * s.v;
    rates[0] = T(bag.exponent / bar) / bag.not_empty(bag.volume(s.x)) * (flow - p * V_rate);
    rates[1] = T(-bag.exponent / bar / tank) * flow;
    return -bag.push(s.x, s.v, p);
  }
  double energy(double x, std::span<const double> c) const override {
    const double V = bag.volume(x);
    return bar * (c[0] * V + c[1] * tank) / (bag.exponent - 1) + bag.ambient * V;
  }
};

Bag bag_of(const AirSpring& s, const Place& place, const model::FieldSource& source) {
  if (!s.area) fail(source, "area", "its area is missing.", "Give `area`: a number, a table or a formula of x.");
  if (s.pressure.has_value() == s.load.has_value())
    fail(source, "pressure", s.load ? "both `pressure` and `load` are given." : "its pressure is missing.",
         "Give `pressure`, or `load`, the force that it carries at working_length.");
  const double area = s.area->at(0.0);
  if (!(area > 0)) fail(source, "area", "the area is not above 0 at working_length.", "Correct its table or formula.");
  Bag bag{*s.area,    s.volume,  s.working_length.value_or(place.design),
          s.exponent, s.ambient, s.pressure.value_or(s.ambient + s.load.value_or(0.0) / area),
          s.damping};
  const double drawn = bag.volume(place.design), shorter = bag.length0 - place.design;
  if (!(drawn > 0))
    fail(source, s.working_length ? "working_length" : "volume",
         fmt::format("the bag has no volume left as it is drawn: there it is {:.4g} m shorter than at working_length, "
                     "which takes {:.4g} l of its {:.4g} l.",
                     shorter, 1e3 * (bag.volume0 - drawn), 1e3 * bag.volume0),
         "Give a larger volume, a smaller area, or a working_length nearer to the drawn one.");
  return bag;
}

}  // namespace

void AirSpring::add_to(model::FieldSource& source, model::Model& model) const {
  const Place place = place_of(*this, source, model);
  if (place.is_angle)
    fail(source, place.on_joint ? "joint" : "about", "it acts on an angle, but an air spring acts on a length.",
         "Give two points, `along`, or a sliding coordinate.");
  if ((tank_volume > 0) != (orifice > 0))
    fail(source, "tank_volume", "a tank needs its volume and an orifice.", "Give tank_volume and orifice, or neither.");
  Bag bag = bag_of(*this, place, source);
  if (tank_volume > 0)
    add_state_force(std::make_shared<BagAndTank>(std::move(bag), tank_volume, orifice), place, source, model);
  else
    add_force(ClosedBag(std::move(bag)), place, source, model);
}

}  // namespace skyhook::element
