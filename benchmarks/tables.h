// The tables of the benchmark, one file each.
#pragma once
#include "report.h"

namespace skyhook::bench {

void tree_dynamics(Report& report);     // residual and forward dynamics per body, and how they grow with the bodies
void jacobian(Report& report);          // the exact Jacobian in residuals
void accelerations(Report& report);     // the explicit formulations' right-hand sides in residuals
void time_to_accuracy(Report& report);  // mechanisms with loops: work over precision
void projection(Report& report);        // the five-link suspension: S4's table 1

}  // namespace skyhook::bench
