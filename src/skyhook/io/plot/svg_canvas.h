// SVG as text, with real text elements in the reader's sans-serif font.
#pragma once
#include "skyhook/io/plot/canvas.h"

namespace skyhook::io::plot {

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height, const std::string& title);
  void stroke(const std::vector<Piece>& lines, const Stroke& stroke) override;
  void fill(const Piece& polygon, Colour colour) override;
  void text(const Text& text) override;
  double width_of(const std::string& text, double size) const override;
  void clip(const std::optional<Rect>& to) override;

  std::string finish();  // the whole document; nothing can be drawn after it

 private:
  std::string out_;
  int clips_ = 0;
  bool clipped_ = false;
};

// For text and attributes; what XML cannot hold at all becomes U+FFFD.
std::string xml_escaped(const std::string& text);

}  // namespace skyhook::io::plot
