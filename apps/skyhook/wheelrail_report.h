// The result and the report of `wheelrail`: an abscissa (the shift), channels over it, and the profiles for the drawing that moves.
#pragma once
#include "wheelrail_command.h"

namespace skyhook::app {

// Says where they are.
void write_wheelrail_report(const WheelrailCommand& options, const element::rail::WheelsetOnTrack& wheelset,
                            const std::vector<analysis::WheelrailRow>& rows,
                            const std::vector<analysis::ConicityRow>& conicity);

}  // namespace skyhook::app
