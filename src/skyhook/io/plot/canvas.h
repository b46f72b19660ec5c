// What a figure is drawn on. Places are in pixels (SVG: user units) from the upper left corner, y downwards.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/io/plot/thin.h"

namespace skyhook::io::plot {

struct Colour {
  int red = 0, green = 0, blue = 0;
};

struct Rect {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct Stroke {
  Colour colour;
  double width = 1;
  Dash dash = Dash::solid;
  std::string name = {};  // shown where the pointer rests, if the medium can do that
};

enum class Align { left, centre, right };

struct Text {
  std::string text;  // UTF-8 without control characters
  Point at;          // on the base line
  double size = 12;
  Colour colour;
  Align align = Align::left;
  bool upwards = false;  // turned by a quarter, read from below
  bool bold = false;
};

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void stroke(const std::vector<Piece>& lines, const Stroke& stroke) = 0;
  virtual void fill(const Piece& polygon, Colour colour) = 0;
  virtual void text(const Text& text) = 0;
  virtual double width_of(const std::string& text, double size) const = 0;
  virtual void clip(const std::optional<Rect>& to) = 0;  // nothing: the whole canvas again
};

}  // namespace skyhook::io::plot
