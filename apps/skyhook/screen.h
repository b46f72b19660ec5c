#pragma once
#include "skyhook/io/plot/terminal.h"

namespace skyhook::app {

// Standard output as it is: its size, or 80 x 30 where it is no terminal, with lines enough for the panels; colours on a
// terminal unless NO_COLOR is set.
io::plot::Screen screen_of_terminal(std::size_t panels);

}  // namespace skyhook::app
