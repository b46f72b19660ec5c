// Figures in a terminal: braille characters have 2 x 4 dots each, enough to see a curve.
#pragma once
#include "skyhook/io/plot/figure.h"

namespace skyhook::io::plot {

struct Screen {
  int columns = 80, rows = 24;  // characters of the whole figure; panels share the rows
  bool colours = false;         // ANSI escapes
};

std::string to_terminal(const Figure& figure, const Screen& screen);

}  // namespace skyhook::io::plot
