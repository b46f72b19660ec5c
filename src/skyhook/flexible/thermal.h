// Forces of heat: what would hold beams and plates that become warm.
#pragma once
#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

// One column for each name: a beam or plate that is warm all over ("bar"), or warmer on one side of its section, growing along y or z ("bar.z"; a plate
// has z alone). For an expansion of 1: only the shape counts. The forces of each balance each other. Throws ModelError at `where` for a name that is not there.
Dense thermal_loads(const FeModel& part, const std::vector<std::string>& names, const Location& where);

}  // namespace skyhook::flexible
