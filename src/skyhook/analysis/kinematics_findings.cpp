// A kinematic analysis as findings, over its travel.
#include "skyhook/analysis/kinematics.h"

namespace skyhook::analysis {

Findings findings_of(const KinematicCurves& curves) {
  const simulation::Prepared& p = curves.path.prepared;
  Findings out{.analysis = "kinematics", .method = name_of(curves.path.mode)};
  out.abscissa = {curves.rig.abscissa, curves.rig.unit};
  out.channels = curves.channels, out.warnings = curves.warnings, out.failures = curves.path.halvings;
  for (std::size_t i = 0; i < curves.values.size(); ++i) {
    const PathPoint& point = curves.path.points[i];
    auto stand = std::make_shared<const Stand>(stand_at_rest(p.active, p.all, point.state, point.lambda));
    out.points.push_back({point.s, curves.values[i], curves.rates[i], std::move(stand)});
  }
  return out;
}

}  // namespace skyhook::analysis
