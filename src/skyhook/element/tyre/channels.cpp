#include "skyhook/element/tyre/channels.h"

#include <cmath>

namespace skyhook::element::tyre {

Convention convention_of(const std::string& name) {
  if (name == "tydex_c") return Convention::tydex_c;
  if (name == "tydex_h") return Convention::tydex_h;
  return name == "sae" ? Convention::sae : Convention::iso;
}

std::vector<model::Quantity> quantities() {
  constexpr const char *force = "on the wheel, axes of `convention`", *moment = "on the wheel, axes of `convention`";
  return {{"fx", "N", force},
          {"fy", "N", force},
          {"fz", "N", force},
          {"mx", "N.m", moment},
          {"my", "N.m", moment},
          {"mz", "N.m", moment},
          {"kappa", "", "longitudinal slip, positive where the wheel drives"},
          {"alpha", "rad", "slip angle"},
          {"camber", "rad", "of the wheel against the road's normal"},
          {"deflection", "m", "unloaded minus loaded radius; negative: the gap"},
          {"radius", "m", "loaded: from the wheel's centre to the contact point"},
          {"slide_x", "m/s", "velocity of sliding ahead"},
          {"slide_y", "m/s", "velocity of sliding along y of `convention`"},
          {"heat", "W", "power that sliding takes"},
          {"contact_x", "m", "contact point seen from `from`"},
          {"contact_y", "m", "contact point seen from `from`"},
          {"contact_z", "m", "contact point seen from `from`"}};
}

void put(const Measured& what, const model::Relative<double>& motion, Convention convention, std::vector<double>& out) {
  const ContactForce<double>& f = what.force;
  Vec3d force{f.fx, f.fy, what.load}, moment{f.mx, f.my, f.mz};
  const bool is_touching = what.at.is_upright && what.at.radius != 0.0;
  double alpha = std::atan(what.tan_alpha), slide_y = what.slide_y;
  if (is_touching && (convention == Convention::tydex_c || convention == Convention::tydex_h)) {
    const Mat3d axes = Mat3d::columns(what.at.ahead, what.at.left, what.at.up);
    const Vec3d pull = axes * force, turn = axes * moment + cross(what.at.arm, pull);
    const Vec3d axis = motion.R.column(1);
    const Mat3d seen =
        convention == Convention::tydex_h ? axes : Mat3d::columns(what.at.ahead, axis, cross(what.at.ahead, axis));
    force = transpose_times(seen, pull), moment = transpose_times(seen, turn);
  }
  if (convention == Convention::sae) {
    force = {force.x, -force.y, -force.z}, moment = {moment.x, -moment.y, -moment.z};
    alpha = -alpha, slide_y = -slide_y;
  }
  const double heat = -(f.fx * what.slide_x + f.fy * what.slide_y);
  const Vec3d point = is_touching ? motion.r + what.at.arm : motion.r;
  out.insert(out.end(), {force.x, force.y, force.z, moment.x, moment.y, moment.z, what.kappa, alpha, what.at.camber,
                         what.deflection, what.at.radius, what.slide_x, slide_y, heat, point.x, point.y, point.z});
}

}  // namespace skyhook::element::tyre
