// Signals by the names that a model file uses for them.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::model {

// The index of a signal: "speed_loop" or "brakes.left". The only one of a controller is also called "speed_loop.output".
// -1: there is none of this name.
int find_signal(const Model& model, const std::string& name);
// The same, or a continuous one.
SignalRef find_any_signal(const Model& model, const std::string& name);
std::vector<std::string> signal_names(const Model& model);
std::vector<std::string> all_signal_names(const Model& model);  // with those that are continuous

}  // namespace skyhook::model
