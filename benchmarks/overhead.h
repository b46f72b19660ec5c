// What an integrator spends outside the functions of the problem.
#pragma once
#include "report.h"

namespace skyhook::bench {

void overhead(Report& report);

}  // namespace skyhook::bench
