#include "skyhook/element/rail/contact_report.h"

#include <fmt/format.h>

#include "skyhook/element/rail/standing.h"

namespace skyhook::element::rail {

std::vector<model::Quantity> contact_quantities(bool creeps) {
  std::vector<model::Quantity> all{
      {"normal", "N", "normal force, pressing positive"},
      {"angle", "rad", "of the contact plane across the track, positive on an ordinary tread"},
      {"radius", "m", "rolling radius"},
      {"Y", "N", "of the wheel on the rail across the track, to the field side"},
      {"Q", "N", "of the wheel on the rail, down"}};
  if (!creeps) return all;
  for (model::Quantity q : {model::Quantity{"creep_x", "-", "creepage along the track"},
                            {"creep_y", "-", "creepage across"},
                            {"creep_spin", "1/m", "spin"},
                            {"tangential_x", "N", "creep force on the wheel, in the direction of travel"},
                            {"tangential_y", "N", "creep force on the wheel, across, in the contact plane"},
                            {"power", "W", "that creep takes"}})
    all.push_back(std::move(q));
  return all;
}

void measure_contact(const ConstraintOptions& with, const Rolling<double>& at, const HertzShape<double>& shape,
                     double load, std::vector<double>& out) {
  out.push_back(load);
  out.push_back(std::atan2(-with.place.side * at.normal.y, at.normal.z));
  out.push_back(at.rho);
  const Creeping<double> c =
      with.rolling.creep ? creep_at(at, shape, with.rolling, std::max(load, 0.0)) : Creeping<double>{};
  const Vec3d on_wheel = load * at.normal + c.force.x * at.ahead + c.force.y * at.across;
  out.insert(out.end(), {-with.place.side * on_wheel.y, on_wheel.z});
  if (!with.rolling.creep) return;
  out.insert(out.end(), {c.creep.x, c.creep.y, c.creep.spin, c.force.x, c.force.y,
                         -(c.force.x * at.slide_x + c.force.y * at.slide_y + c.force.moment * at.spin)});
}

std::vector<model::Quantity> place_quantities(const WheelOnRail& of) {
  std::vector<model::Quantity> all{{"on_wheel", "m", "the point on the wheel's profile, to the field side"},
                                   {"on_rail", "m", "the point on the rail's profile, to the field side"}};
  for (model::Quantity& each : standing_quantities(of)) all.push_back(std::move(each));
  return all;
}

void measure_place(const ConstraintOptions& with, const model::Relative<double>& seen, double along, double s,
                   std::size_t first, std::vector<double>& out) {
  const WheelPoint<double> wheel = silhouette_point(with.place, axle_of(with.place, seen.r, seen.R), s);
  out.insert(out.end(), {wheel.profile.y, foot_on_rail(*with.place.rail, wheel.at.y, wheel.at.z).profile.y});
  measure_standing(with.place, with.line, seen, along, {.Y = out[first + 3], .Q = out[first + 4]},
                   out);  // behind normal, angle and radius
}

std::string lifts_off(double multiplier) {
  constexpr double least = 1e-6;  // N
  return multiplier > least
             ? "the rail pulls at the wheel that is held on it, where it would lift off: `contact: hertz` lets it"
             : "";
}

std::string off_profiles(const WheelOnRail& of, const Axle<double>& axle, double s) {
  if (!of.wheel->contains(s))
    return fmt::format(
        "the contact has reached the end of the wheel's profile ({:.4g} mm of {:.4g} to {:.4g} mm): the wheel derails",
        1e3 * s, 1e3 * of.wheel->first(), 1e3 * of.wheel->last());
  const auto wheel = silhouette_point(of, axle, s);
  const double sigma = foot_on_rail(*of.rail, wheel.at.y, wheel.at.z).sigma;
  if (of.rail->contains(sigma)) return {};
  return fmt::format(
      "the contact has reached the end of the rail's profile ({:.4g} mm of {:.4g} to {:.4g} mm): the wheel derails",
      1e3 * sigma, 1e3 * of.rail->first(), 1e3 * of.rail->last());
}

std::string beside_rail(const WheelOnRail& of, const Axle<double>& axle) {
  const double under = -axle.centre.y;  // the rail's top, along the wheel's profile
  if (under < of.wheel->first_y())
    return fmt::format(
        "the wheel is {:.3g} mm outside of its place on the rail, with its flange across it: it has derailed",
        -1e3 * under);
  if (under > of.wheel->last_y())
    return fmt::format(
        "the wheel stands between the rails, {:.3g} mm inside of its place: check gauge, flange back distance and "
        "start, or it has derailed",
        1e3 * under);
  constexpr double deepest = 0.02;  // m: no body is pressed so far
  if (axle.centre.z < of.radius - deepest)
    return fmt::format("the wheel is {:.3g} mm below the top of its rail: it has derailed, or the start is wrong",
                       1e3 * (of.radius - axle.centre.z));
  constexpr double highest = 0.05;  // m: flanges are 26 to 36 mm high, so that one may stand on the rail
  if (axle.centre.z > of.radius + highest)
    return fmt::format(
        "the wheel is {:.3g} mm above its rail, higher than its flange reaches: it has derailed, or the start is wrong",
        1e3 * (axle.centre.z - of.radius));
  return {};
}

std::string no_point(const Axle<double>& axle) {
  return fmt::format(
      "no point of the wheel's profile touches the rail, {:.3g} mm beside its place: it climbs its flange and derails, "
      "or its contact jumps; `contact: multi_hertz` goes on there",
      1e3 * std::abs(axle.centre.y));
}

}  // namespace skyhook::element::rail
