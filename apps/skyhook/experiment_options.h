// What an experiment says of its analysis, where the command line is silent.
#pragma once
#include "linear_commands.h"

namespace skyhook::app {

// Each reads the model for that. Throws ModelError.
void complete(ModesCommand& options);
void complete(LinearizeCommand& options);
void complete(NominalCommand& options);
void complete(LinearResponseCommand& options);  // an experiment with `analysis: response` makes it linear

}  // namespace skyhook::app
