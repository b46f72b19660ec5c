// What the options of `wheelrail` mean.
#pragma once
#include "skyhook/element/rail/contact_geometry.h"
#include "wheelrail_command.h"

namespace skyhook::app {

// In SI; plain numbers count in mm (or in `plain`, a unit).
double rail_quantity(const std::string& option, const std::string& text, const char* plain = "mm");
// "-6.5..6.5:0.5" or "1,2,3", of mm, in m.
std::vector<double> rail_range(const std::string& option, const std::string& text);
// 0.025, 1/40 or 1:40.
double rail_ratio(const std::string& option, const std::string& text);

// By name, or from a file. ModelError with the names that there are.
element::rail::ProfilePtr rail_profile(const WheelrailCommand& options, const std::string& option,
                                       const std::string& name, element::rail::Profile::Kind kind);
element::rail::WheelsetOnTrack wheelset_of(const WheelrailCommand& options);
// `usual`: the patch where the user has named none.
element::rail::LoadedOptions load_of(const WheelrailCommand& options, const char* usual);

}  // namespace skyhook::app
