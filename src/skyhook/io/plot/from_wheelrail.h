// A wheelset on a track as a figure: rolling radius difference, contact angles and places over the shift, profiles with their contacts, conicity.
#pragma once
#include "skyhook/analysis/wheelrail.h"
#include "skyhook/io/plot/figure.h"

namespace skyhook::io::plot {

// Panels of what there is: no rows, no panels over the shift.
Figure figure_of(const element::rail::WheelsetOnTrack& wheelset, const std::vector<analysis::WheelrailRow>& rows,
                 const std::vector<analysis::ConicityRow>& conicity);

}  // namespace skyhook::io::plot
