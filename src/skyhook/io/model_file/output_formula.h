// Outputs as formulas: "=left.load - right.load" as it stands in the file, in the names of its part, and as the model keeps it.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "skyhook/io/model_file/reading.h"
#include "skyhook/io/model_file/scalar.h"

namespace skyhook::io::model_file {

// The formula with parameters as numbers with their units and channels by their full names: what it means no longer depends on where it
// stands. Units are checked when the channels are known (simulation/formula_channels.h). nullopt: it is wrong, and reported, or
// one of its channels `is_left_out`.
std::optional<std::string> global_formula(const Node& formula, const Scope& scope, Reading& reading,
                                          const std::string& what,
                                          const std::function<bool(const std::string& channel)>& is_left_out);
// Of the first character behind '=', for messages of formulas in this form; where the text has changed the column is not known.
Location place_of(const Node& formula, const std::string& global, const Reading& reading);

}  // namespace skyhook::io::model_file
