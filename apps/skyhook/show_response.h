// A frequency response goes out: as table or JSON, drawn in the terminal, as CSV and as a picture.
#pragma once
#include <string>

#include "model_commands.h"
#include "skyhook/base/table.h"
#include "skyhook/io/plot/draw.h"

namespace skyhook::app {

void show_response(const ResponseCommand& options, const std::string& json, const Table& table,
                   const io::plot::Figure& figure);

}  // namespace skyhook::app
