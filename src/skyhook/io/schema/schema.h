// The JSON Schema of model files, for editors: completion, help on hovering, and red lines under what is wrong.
#pragma once
#include <string>
#include <vector>

#include "skyhook/io/schema/json.h"

namespace skyhook::io {

// Draft 7, which is what the YAML language server understands best. It says what can be said of a file without
// evaluating it: keys, types, required fields, shapes, ranges of plain numbers. Units, expressions and references are
// left to `skyhook check`.
Json model_schema();

// Fields with a form of their own ("body.markers") whose form the schema does not know: anything is allowed there.
std::vector<std::string> parts_without_form();

}  // namespace skyhook::io
