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
};

struct LoadedContact {
  RailContact rigid;                              // where the rigid wheel touches
  RailContact centre;                             // where the pressures have their centre; Hertz: the same
  double height = 0;                              // of the axle: the rigid one less the approach
  double normal = 0, approach = 0, pressure = 0;  // N, m, Pa (the largest)
  double a = 0, b = 0,
         area = 0;  // m, m, m^2; half_space: the ellipse of the patch's area, as long as it is for its width
  double creep_x = 0, creep_y = 0, spin = 0;  // -, -, 1/m
  double fx = 0, fy = 0, moment = 0;          // N, N, N.m on the wheel, in the plane of contact
  double lateral = 0, vertical = 0;           // N on the wheel, in axes of the track
  int patches = 1;                            // that press, of rivals too; half_space: one, of any shape
};

// `law` is that of options.creep (make_creep_law).
LoadedContact load_contact(const RailPair& pair, const AxlePlace& place, const RailContact& rigid,
                           const WheelMotion& motion, const LoadedOptions& options, const CreepLaw& law);

}  // namespace skyhook::element::rail
