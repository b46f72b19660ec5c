// What the run and its parts call the mechanics at one instant.
#pragma once
#include "skyhook/formalism/evaluator.h"

namespace skyhook::simulation {

using formalism::Evaluator;
using formalism::Snapshot;
using Equations = formalism::EquationsOfMotion;

}  // namespace skyhook::simulation
