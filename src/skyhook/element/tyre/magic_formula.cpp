#include "skyhook/element/tyre/magic_formula.h"

#include <cmath>

namespace skyhook::element::tyre {

double MagicFormula::my_by_speed(const Slip<double>& slip) const {
  if (!drives_x || (c.qsy3 == 0.0 && c.qsy4 == 0.0)) return 0.0;
  const double load = within(slip.load, c.load_min, c.load_max);
  const double v = std::abs(slip.speed) / c.nominal_speed;
  const double slope = (c.qsy3 + 4.0 * c.qsy4 * v * v * v) / c.nominal_speed * sign(slip.speed);
  return -c.radius * c.lmy * rolling_load(at(load, 0.0, 1.0)) * slip.load / load * slope;
}

// With QFZ1 as it is; else 6.1 has it from the stiffness at the nominal load, k = Fz0/R0 sqrt(QFZ1^2 + 4 QFZ2).
Vertical MagicFormula::vertical() const {
  const double by_pressure = (1.0 + c.ppfz1 * pressure_change()) * c.lcz, unit = c.nominal_load / c.radius;
  const double told = c.stiffness / unit;
  const double first = c.qfz1 > 0.0 ? c.qfz1 : c.qfz2 == 0.0 ? told : std::sqrt(told * told - 4.0 * c.qfz2);
  const bool is_linear = c.qfz1 <= 0.0 && c.qfz2 == 0.0;
  const double per_spin = c.radius / c.nominal_speed;
  return {.radius = c.radius * c.qre0,
          .stiffness = (is_linear ? c.stiffness : first * unit) * by_pressure,
          .progressive = c.qfz2 * unit / c.radius * by_pressure,
          .damping = c.damping,
          .growth = c.radius * c.qv1 * per_spin * per_spin,
          .stiffening = c.qv2 * per_spin,
          .lean = c.qfz3 / first};
}

// Free radius - Fz0/k (DREFF atan(BREFF Fz/Fz0) + FREFF Fz/Fz0); without these a third of the deflection.
RollingRadius MagicFormula::rolling() const {
  const Vertical spring = vertical();
  if (c.breff == 0.0 && c.freff == 0.0) return {.radius = spring.radius};
  const double told = c.stiffness > 0.0 ? c.stiffness * (1.0 + c.ppfz1 * pressure_change()) * c.lcz : spring.stiffness;
  return {spring.radius, c.freff * spring.stiffness / told, c.dreff * c.nominal_load / told,
          c.breff * spring.stiffness / c.nominal_load};
}

void MagicFormula::look(const Slip<double>& s, model::TableLooks& looks) const {
  constexpr auto said = model::Beyond::unsaid;
  const double side = mirrored ? -1.0 : 1.0;
  constexpr const char* goes_on = "the formula has gone on";
  looks.push_back({"kappa", "longitudinal slip", "", s.kappa, c.kappa_min, c.kappa_max, said, "range", goes_on});
  looks.push_back(
      {"alpha", "slip angle", "rad", side * std::atan(s.tan_alpha), c.alpha_min, c.alpha_max, said, "range", goes_on});
  looks.push_back({"camber", "camber", "rad", side * s.camber, c.camber_min, c.camber_max, said, "range",
                   "it has been taken as at the end"});
  looks.push_back(
      {"load", "load", "N", s.load, 0.0, c.load_max, said, "range", "forces have grown in proportion to it"});
}

Displaced<double> MagicFormula::limits() const {
  const At<double> a = at(c.lfzo * c.nominal_load, 0.0, 1.0);
  return {drives_x ? c.pdx1 * a.mu_x * a.load / stiffness_x(a) : 0.0,
          drives_y ? std::abs(c.pdy1 * a.mu_y * a.load / stiffness_y(a, 0.0)) : 0.0};
}

}  // namespace skyhook::element::tyre
