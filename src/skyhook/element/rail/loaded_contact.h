// One wheel pressed onto its rail and rolling: patch, creepages and forces, at one position. For tables and benchmarks; runs have the element
// `wheel_rail`.
//
// In axes of a left wheel, or of a right one in the mirror (contact_geometry.h). The plane of contact has the axes x ahead, y across, up the slope to the
// field side, and the normal up. Creepages are those of the wheel against the rail; forces act on the wheel.
#pragma once
#include "skyhook/element/rail/contact_geometry.h"
#include "skyhook/element/rail/creep_law.h"

namespace skyhook::element::rail {

struct WheelMotion {
  double speed = 2;  // m/s along the track
  std::optional<double>
      pitch_rate{};  // rad/s about the axle, positive where it rolls ahead; nothing: speed over the radius at the contact
  double lateral = 0;  // m/s
};

struct LoadedOptions {
  double load = 1e4;  // N, vertical, on this wheel
  double friction = 0.3;
  std::string patch = "hertz";  // or half_space
  double cell = 0;              // m, size of these cells in place of their number
  CreepOptions creep{};         // law and material
  int cells = 41;               // of the grid of half_space, along each side
  double separate =
      8e-3;  // m, half_space: places that overlap are one patch on one plane if they are no further from each other
  double weaken =
      0;  // m, half_space: what such places do to each other is weakened if they are further apart than this, as CONTACT does it; 0: never
  bool is_exact = false;  // half_space: tractions by the half-space too, in place of creep.law (rolling_half_space.h)
};

struct LoadedPatch {
  RailContact rigid;  // where the rigid wheel touches, or would with a lower one
  RailContact
      centre;  // half_space: the centre of the overlap, and the plane of contact there (16.13); Hertz: the same as `rigid`
  double pressed_rail_y = 0;        // m: of the centre of the pressures, on the rail's profile
  double normal = 0, pressure = 0;  // N, Pa (the largest)
  double approach = 0;  // m: how deep the bodies would overlap at most, along the normal, if nothing yielded
  double a = 0, b = 0,
         area = 0;  // m, m, m^2; half_space: the ellipse of the patch's area, as long as it is for its width
  double creep_x = 0, creep_y = 0, spin = 0;  // -, -, 1/m
  double fx = 0, fy = 0, moment = 0;          // N, N, N.m on the wheel, in the plane of contact
  double lateral = 0, vertical = 0;           // N on the wheel, in axes of the track
  std::string doubt{};                        // of the half-space: what has not settled; empty: nothing
};

// The patch with the largest load; and where the wheel touches in several points, the others.
struct LoadedContact : LoadedPatch {
  double height = 0;                  // of the axle: the rigid one less what the bodies give way
  std::vector<LoadedPatch> others{};  // by their load
  double sum(double LoadedPatch::*part) const;
};

// `law` is that of options.creep (make_creep_law).
// Points of `found` that come to press too share the load (16.12); those that lie within the patch of another are part of it.
LoadedContact load_contact(const RailPair& pair, const AxlePlace& place, const RailContacts& found,
                           const WheelMotion& motion, const LoadedOptions& options, const CreepLaw& law);

}  // namespace skyhook::element::rail
