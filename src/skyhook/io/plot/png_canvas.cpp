#include "skyhook/io/plot/png_canvas.h"

#include <cairo.h>

#include <cmath>
#include <numbers>

#include "skyhook/base/error.h"
#include "skyhook/io/plot/cairo_library.h"

namespace skyhook::io::plot {
namespace {

void set_colour(cairo_t* c, Colour colour) {
  cairo().set_source_rgb(c, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0);
}

void set_dash(cairo_t* c, Dash dash) {
  static const double dashed[] = {7, 4}, dotted[] = {2, 3};
  cairo().set_dash(c, dash == Dash::dashed ? dashed : dotted, dash == Dash::solid ? 0 : 2, 0);
}

void set_font(cairo_t* c, double size, bool bold) {
  cairo().select_font_face(c, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo().set_font_size(c, size);
}

void add_path(cairo_t* c, const Piece& line) {
  cairo().new_sub_path(c);
  for (const Point& p : line) cairo().line_to(c, p.x, p.y);
}

cairo_status_t append(void* target, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(target)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void require(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw ModelError({}, std::string("the picture could not be made: ") + cairo().status_to_string(status) + ".",
                     "Choose a smaller --size, or write SVG.");
}

}  // namespace

struct PngCanvas::Cairo {
  cairo_surface_t* surface;
  cairo_t* pen;
  Cairo(int width, int height)
      : surface(cairo().image_surface_create(CAIRO_FORMAT_RGB24, width, height)), pen(cairo().create(surface)) {}
  Cairo(const Cairo&) = delete;
  Cairo& operator=(const Cairo&) = delete;
  ~Cairo() {
    cairo().destroy(pen);
    cairo().surface_destroy(surface);
  }
};

PngCanvas::PngCanvas(double width, double height, double scale) {
  const auto pixels = [scale](double length) { return static_cast<int>(std::lround(length * scale)); };
  cairo_ = std::make_unique<Cairo>(pixels(width), pixels(height));
  require(cairo().status(cairo_->pen));
  cairo().scale(cairo_->pen, scale, scale);
  cairo().set_line_join(cairo_->pen, CAIRO_LINE_JOIN_ROUND);
  // Widths as on paper: rounding them to pixels makes small text uneven.
  cairo_font_options_t* options = cairo().font_options_create();
  cairo().font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo().font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo().set_font_options(cairo_->pen, options);
  cairo().font_options_destroy(options);
}

PngCanvas::~PngCanvas() = default;

void PngCanvas::stroke(const std::vector<Piece>& lines, const Stroke& s) {
  cairo_t* c = cairo_->pen;
  set_colour(c, s.colour);
  set_dash(c, s.dash);
  cairo().set_line_width(c, s.width);
  for (const Piece& line : lines) add_path(c, line);
  cairo().stroke(c);
}

void PngCanvas::fill(const Piece& polygon, Colour colour) {
  set_colour(cairo_->pen, colour);
  add_path(cairo_->pen, polygon);
  cairo().fill(cairo_->pen);
}

void PngCanvas::text(const Text& t) {
  cairo_t* c = cairo_->pen;
  set_font(c, t.size, t.bold);
  cairo_text_extents_t extents;
  cairo().text_extents(c, t.text.c_str(), &extents);
  const double share = t.align == Align::left ? 0 : t.align == Align::centre ? 0.5 : 1;
  cairo().save(c);
  set_colour(c, t.colour);
  cairo().translate(c, t.at.x, t.at.y);
  if (t.upwards) cairo().rotate(c, -std::numbers::pi / 2);
  cairo().move_to(c, -share * extents.x_advance, 0);
  cairo().show_text(c, t.text.c_str());
  cairo().restore(c);
  cairo().new_path(c);
}

double PngCanvas::width_of(const std::string& text, double size) const {
  set_font(cairo_->pen, size, false);
  cairo_text_extents_t extents;
  cairo().text_extents(cairo_->pen, text.c_str(), &extents);
  return extents.x_advance;
}

void PngCanvas::clip(const std::optional<Rect>& to) {
  cairo().reset_clip(cairo_->pen);
  if (!to) return;
  cairo().rectangle(cairo_->pen, to->left, to->top, to->width, to->height);
  cairo().clip(cairo_->pen);
}

std::string PngCanvas::finish() {
  require(cairo().status(cairo_->pen));
  std::string bytes;
  cairo().surface_flush(cairo_->surface);
  require(cairo().surface_write_to_png_stream(cairo_->surface, append, &bytes));
  return bytes;
}

}  // namespace skyhook::io::plot
