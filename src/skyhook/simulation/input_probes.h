// Inputs that come and go with time: formulas and tables of drives and forces, a road that passes under a wheel. An integrator looks at the
// ends of its steps; where the model rests these grow long, and a short input between two of them would be seen by nobody. So the
// inputs are looked at before the run, and no step leaps over one.
#pragma once
#include <vector>

#include "skyhook/simulation/snapshot.h"

namespace skyhook::simulation {

// Where an input begins to change, turns or ends, and halfway between these, are its probes. A step may go to the third one ahead: there
// the next input is at work. Steps that resolve their inputs anyway are shorter.
struct InputProbes {
  std::vector<double> from, limits;  // a step from before from[k] ends at limits[k] at the latest; both ascending
  double limit(double t) const;
};

// Each force along the motion that goes on as it starts, each drive with its rate and acceleration, at thousands of times and more
// where it changes fast. What comes and goes between two of these is not found. Plug-ins are not asked: they may count their calls.
InputProbes probe_inputs(const Snapshot& start, double until);

}  // namespace skyhook::simulation
