// What a tyre records, in the axes and with the signs of a convention: docs/theory/14_tyres.md, "Axes and signs".
#pragma once
#include <string>
#include <vector>

#include "skyhook/element/tyre/contact.h"
#include "skyhook/element/tyre/slip.h"

namespace skyhook::element::tyre {

// iso: ISO 8855 and TYDEX W, at the contact point. tydex_c: at the wheel's centre, y along the wheel's axis. tydex_h: at the wheel's
// centre, axes of the road. sae: SAE J670, at the contact point, y to the right, z into the road.
enum class Convention { iso, tydex_c, tydex_h, sae };
Convention convention_of(const std::string& name);

struct Measured {
  WheelContact<double> at{};
  ContactForce<double> force{};
  double load = 0, deflection = 0;
  double kappa = 0, tan_alpha = 0;
  double slide_x = 0, slide_y = 0;  // m/s
};

std::vector<model::Quantity> quantities();
// Values in the order of quantities(). `motion` is that of the wheel seen from the road.
void put(const Measured& what, const model::Relative<double>& motion, Convention convention, std::vector<double>& out);

}  // namespace skyhook::element::tyre
