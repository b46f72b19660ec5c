// Pictures of contact patches: where FASTSIM sticks and slides.
#pragma once
#include "wheelrail_command.h"

namespace skyhook::app {

// One object a row: left and right with a, b (m), bound (Pa), sliding, across, along and cells [px, py, slides], tractions in per cent of the bound.
std::string patches_json(const std::vector<analysis::WheelrailRow>& rows, const element::rail::LoadedOptions& load);
// The patches of the rows below each other, left and right, as SVG; at most `most` rows, spread evenly.
std::string patches_svg(const std::vector<analysis::WheelrailRow>& rows, const element::rail::LoadedOptions& load,
                        std::size_t most = 5);

}  // namespace skyhook::app
