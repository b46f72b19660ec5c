// Draws a figure: frames, grid, labels, legends, curves.
#pragma once
#include <filesystem>

#include "skyhook/io/plot/canvas.h"

namespace skyhook::io::plot {

struct Paper {
  double width = 900, height = 500;
  bool dark = false;  // light on dark instead of dark on white
  double scale = 1;   // pixels a unit, of PNG
};

void draw(const Figure& figure, const Paper& paper, Canvas& canvas);

std::string to_svg(const Figure& figure, const Paper& paper);
std::string to_png(const Figure& figure, const Paper& paper);  // the bytes

// By the ending of the name: .svg or .png. ModelError for another one, or if it cannot be written.
void write_figure(const Figure& figure, const Paper& paper, const std::filesystem::path& path);

}  // namespace skyhook::io::plot
