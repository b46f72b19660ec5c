// A wheelset on a track, shifted through its clearance: contacts, rolling radii, patches; and its equivalent conicity (EN 15302).
#pragma once
#include <functional>
#include <vector>

#include "skyhook/element/rail/conicity.h"
#include "skyhook/element/rail/loaded_contact.h"

namespace skyhook::analysis {

struct WheelrailRow {
  double shift = 0;  // m, to the left
  element::rail::WheelsetContacts contacts;
  element::rail::LoadedContact left, right;  // under the load
};

// ModelError where a wheel is not above its rail.
std::vector<WheelrailRow> shift_wheelset(const element::rail::WheelsetOnTrack& wheelset,
                                         const std::vector<double>& shifts, double yaw,
                                         const element::rail::WheelMotion& motion,
                                         const element::rail::LoadedOptions& options);

// Rolling radius left - right over the shift, up to `most` to either side or to where a wheel leaves its rail, in steps of `step`; m. EN 15302
// leaves the wheelset level, as its reference results show; `rolls`: both wheels touch.
element::rail::RadiusDifference radius_difference(const element::rail::WheelsetOnTrack& wheelset, double most,
                                                  bool rolls, double step = 2e-5);

struct ConicityRow {
  double amplitude;           // m
  double harmonic, integral;  // NaN: there is no wave of this amplitude
};
std::vector<ConicityRow> conicities(const element::rail::RadiusDifference& delta_r,
                                    const std::vector<double>& amplitudes);

}  // namespace skyhook::analysis
