#include "screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "terminal.h"

namespace skyhook::app {

io::plot::Screen screen_of_terminal(std::size_t panels) {
  winsize size{};
  const bool known = ioctl(output_descriptor(), TIOCGWINSZ, &size) == 0;
  const int columns = known && size.ws_col > 0 ? size.ws_col : 80, rows = known && size.ws_row > 0 ? size.ws_row : 30;
  const char* no_colour = std::getenv("NO_COLOR");  // no-color.org: set and not empty
  const bool colours = isatty(output_descriptor()) != 0 && (no_colour == nullptr || *no_colour == '\0');
  return {columns, std::max(rows - 2, 15 * static_cast<int>(panels)), colours};
}

}  // namespace skyhook::app
