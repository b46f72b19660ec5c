// PNG by cairo. The only files that know cairo are png_canvas.cpp and cairo_library.
#pragma once
#include <memory>

#include "skyhook/io/plot/canvas.h"

namespace skyhook::io::plot {

class PngCanvas : public Canvas {
 public:
  // `scale` pixels a unit: 2 for screens of high resolution and for print.
  PngCanvas(double width, double height, double scale = 1);
  ~PngCanvas() override;
  PngCanvas(const PngCanvas&) = delete;
  PngCanvas& operator=(const PngCanvas&) = delete;

  void stroke(const std::vector<Piece>& lines, const Stroke& stroke) override;
  void fill(const Piece& polygon, Colour colour) override;
  void text(const Text& text) override;
  double width_of(const std::string& text, double size) const override;
  void clip(const std::optional<Rect>& to) override;

  std::string finish();  // the bytes of the file

 private:
  struct Cairo;
  std::unique_ptr<Cairo> cairo_;
};

}  // namespace skyhook::io::plot
