#include "skyhook/element/rail/contact_report.h"

#include <fmt/format.h>

namespace skyhook::element::rail {

std::vector<model::Quantity> contact_quantities(bool creeps) {
  std::vector<model::Quantity> all{
      {"normal", "N", "normal force, pressing positive"},
      {"angle", "rad", "of the contact plane across the track, positive on an ordinary tread"},
      {"radius", "m", "rolling radius"}};
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

void measure_contact(const ConstraintOptions& with, const model::Relative<double>& motion, double s, double load,
                     std::vector<double>& out) {
  const Rolling<double> at = rolling_at(with.place, with.rolling, motion, s);
  out.push_back(load);
  out.push_back(std::atan2(-with.place.side * at.normal.y, at.normal.z));
  out.push_back(at.rho);
  if (!with.rolling.creep) return;
  const Creeping<double> c = creep_at(at, with.rolling, std::max(load, 0.0));
  out.insert(out.end(), {c.creep.x, c.creep.y, c.creep.spin, c.force.x, c.force.y,
                         -(c.force.x * at.slide_x + c.force.y * at.slide_y + c.force.moment * at.spin)});
}

std::string lifts_off(double multiplier) {
  constexpr double least = 1e-6;  // N
  return multiplier > least
             ? "the rail pulls at the wheel that is held on it, where it would lift off: `contact: hertz` lets it"
             : "";
}

std::string off_profiles(const WheelOnRail& of, const model::Pose<double>& x, double s) {
  if (!of.wheel->contains(s))
    return fmt::format(
        "the contact has reached the end of the wheel's profile ({:.4g} mm of {:.4g} to {:.4g} mm): the wheel derails",
        1e3 * s, 1e3 * of.wheel->first(), 1e3 * of.wheel->last());
  const auto wheel = silhouette_point(of, axle_of(of, x.r, x.R), s);
  const double sigma = foot_on_rail(*of.rail, wheel.at.y, wheel.at.z).sigma;
  if (of.rail->contains(sigma)) return {};
  return fmt::format(
      "the contact has reached the end of the rail's profile ({:.4g} mm of {:.4g} to {:.4g} mm): the wheel derails",
      1e3 * sigma, 1e3 * of.rail->first(), 1e3 * of.rail->last());
}

}  // namespace skyhook::element::rail
