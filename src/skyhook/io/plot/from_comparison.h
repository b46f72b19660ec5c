// The work-precision diagram of a comparison: what an error costs, by solver.
#pragma once
#include "skyhook/analysis/compare.h"
#include "skyhook/io/plot/figure.h"

namespace skyhook::io::plot {

// Two panels over the error of the positions, all axes logarithmic: time in the integrator, and evaluations. A curve a
// solver; runs that did not finish are left out. A dotted line stands where the reference's own error begins to count.
Figure figure_of(const analysis::Comparison& comparison, const std::string& title);

}  // namespace skyhook::io::plot
