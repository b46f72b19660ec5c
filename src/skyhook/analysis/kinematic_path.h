// The positions of a model along the travel of its rig, found from point to neighbouring point, with exact tangents.
//
// Kinematic: g(q, s) = 0, and G dq/ds + dg/ds = 0 where the drives leave nothing free; what they leave free stays where it is, as far as it
// can. Quasi-static: the equilibrium, and
//
//   [K  G^T] [dq/ds     ]     [d tau/ds]
//   [G   0 ] [dlambda/ds] = - [d g/ds  ]
//
// Each point starts from the tangent of the last. Where that fails, or ends up elsewhere, the step is halved; where even the smallest step
// fails, the travel ends, and it is told why.
#pragma once
#include <string>
#include <vector>

#include "skyhook/analysis/kinematic_rig.h"
#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

// See KinematicRig.
struct Pace {
  double slowness = 1, step = 1;
};

struct PathPoint {
  double s = 0;
  formalism::State state;             // v: dq/ds, inner states behind it as they are
  std::vector<double> lambda, slope;  // forces of the active rows at rest, and their derivative along s
};

struct KinematicPath {
  simulation::Prepared prepared;
  std::vector<PathPoint> points;                                      // s ascending
  model::Kinematics::Mode mode = model::Kinematics::Mode::kinematic;  // that was used
  std::vector<std::string> free;                                      // coordinates that the drives leave free
  std::string problem;                                                // why there is no point at all; empty: there are
  std::vector<std::string> ends;  // why it ends before the asked travel does: below, above
  int halvings = 0;
  std::vector<Warning> warnings;  // what equilibria leave out, told once
  Pace pace;
  bool ok() const { return problem.empty(); }
};

// dq/ds of the same position for other drives: of equations with the same coordinates and rows. Empty: it is singular.
std::vector<double> tangent_of(const KinematicPath& path, const PathPoint& at,
                               std::shared_ptr<const model::Model> driven_otherwise);

KinematicPath find_path(const KinematicRig& rig, const model::Kinematics& plan, const model::Experiment& experiment);

}  // namespace skyhook::analysis
