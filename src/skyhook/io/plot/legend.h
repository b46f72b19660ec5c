// The legend stands above the frame of its panel, in rows, so that it hides no curve.
#pragma once
#include "skyhook/io/plot/canvas.h"
#include "skyhook/io/plot/theme.h"

namespace skyhook::io::plot {

struct LegendEntry {
  std::size_t curve;  // number in the panel; that of the panel's curves + 1 where only text stands
  std::string text;
  Point at;  // left end of the sample line, from the upper left corner of the legend
};

struct Legend {
  std::vector<LegendEntry> entries;
  double height = 0;
};

// Wraps the labels of the curves into rows of a width; of more than `most_rows` rows the rest is counted in words.
Legend arrange_legend(const Panel& panel, double width, int most_rows, const Canvas& canvas);
void draw_legend(const Legend& legend, const Panel& panel, Point corner, const Theme& theme, Canvas& canvas);

Stroke stroke_of(const Panel& panel, std::size_t curve, const Theme& theme);
// A small shape around a place.
void draw_mark(Mark mark, Point at, Colour colour, Canvas& canvas);

// The text, shortened in its middle until it fits.
std::string fitted(const std::string& text, double size, double width, const Canvas& canvas);

}  // namespace skyhook::io::plot
