// Forces of heat: what would hold beams and plates that become warm.
#pragma once
#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

// One column for each name: a beam or plate that is warm all over ("bar"), or warmer on one side of its section, growing along y or z ("bar.z"; a plate
// has z alone). For an expansion of 1: only the shape counts. The forces of each balance each other. Throws ModelError at `where` for a name that is not there.
Dense thermal_loads(const FeModel& part, const std::vector<std::string>& names, const Location& where);

// Heat of a part as those names say it, with the strain that it causes where nothing hinders it, or the curvature in 1/m.
struct Heat {
  std::string name;
  double strain = 0;
};
// Of a beam: in its axes, the forces on its nodes that this strain needs; of a plate: stresses that it would have if it were held. Zero for other beams and plates.
Column heat_forces(const FeModel& part, const BeamSpan& beam, const std::vector<Heat>& heats,
                   const Location& where);  // 12
Column heat_stresses(const FeModel& part, const PlateSpan& plate, const std::vector<Heat>& heats,
                     const Location& where);  // 6: above x, y, xy, then below

}  // namespace skyhook::flexible
