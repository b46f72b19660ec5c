#include "skyhook/io/plot/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/base/utf8.h"

namespace skyhook::io::plot {
namespace {

constexpr double row_height = 18, sample_length = 24, sample_gap = 6, entry_gap = 20, below = 5;

std::u32string shortened(const std::u32string& text, std::size_t kept) {
  const std::size_t tail = kept / 2, head = kept - tail;
  return text.substr(0, head) + U"…" + text.substr(text.size() - tail);
}

std::string encoded(const std::u32string& text) {
  std::string out;
  for (char32_t c : text) append_utf8(out, c);
  return out;
}

}  // namespace

std::string fitted(const std::string& text, double size, double width, const Canvas& canvas) {
  if (canvas.width_of(text, size) <= width) return text;
  const std::u32string all = decode_utf8(text);
  std::size_t fits = 0, beyond = all.size();  // bisection: names may be very long
  while (beyond - fits > 1) {
    const std::size_t kept = (fits + beyond) / 2;
    (canvas.width_of(encoded(shortened(all, kept)), size) <= width ? fits : beyond) = kept;
  }
  return encoded(shortened(all, fits));
}

Legend arrange_legend(const Panel& panel, double width, int most_rows, const Canvas& canvas) {
  Legend out;
  double x = 0;
  int row = 0;
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    if (panel.curves[k].label.empty()) continue;
    const std::string text =
        fitted(printable(panel.curves[k].label), label_size, width - sample_length - sample_gap, canvas);
    const double length = sample_length + sample_gap + canvas.width_of(text, label_size);
    if (x > 0 && x + length > width) x = 0, ++row;
    if (row >= most_rows) {
      auto& last = out.entries.back();
      last = {panel.curves.size(), fmt::format("… and {} more", panel.curves.size() - k + 1), last.at};
      --row;
      break;
    }
    out.entries.push_back({k, text, {x, row * row_height}});
    x += length + entry_gap;
  }
  if (!out.entries.empty()) out.height = (row + 1) * row_height + below;
  return out;
}

Stroke stroke_of(const Panel& panel, std::size_t curve, const Theme& theme) {
  const Curve& c = panel.curves[curve];
  const std::size_t number = c.colour.value_or(curve), cycle = number / theme.palette.size();
  const Dash again = cycle % 3 == 1 ? Dash::dotted : cycle % 3 == 2 ? Dash::dashed : Dash::solid;
  return {theme.palette[number % theme.palette.size()], curve_width, c.dash == Dash::solid ? again : c.dash, c.label};
}

namespace {

struct Shape {
  int corners;
  double radius, inner;  // of every other corner, that of a star
  double start;          // where the first corner is, in quarters of a turn from x towards y, which is down
};

constexpr Shape shape_of(Mark mark) {
  switch (mark) {
    case Mark::square: return {4, 4.0, 4.0, 0.5};
    case Mark::triangle: return {3, 4.4, 4.4, -1};
    case Mark::diamond: return {4, 4.0, 4.0, -1};
    case Mark::triangle_down: return {3, 4.4, 4.4, 1};
    case Mark::star: return {10, 5.0, 2.2, -1};
    case Mark::triangle_left: return {3, 4.4, 4.4, 2};
    case Mark::triangle_right: return {3, 4.4, 4.4, 0};
    default: return {20, 3.2, 3.2, -1};  // a circle
  }
}

}  // namespace

void draw_mark(Mark mark, Point at, Colour colour, Canvas& canvas) {
  if (mark == Mark::none) return;
  const Shape shape = shape_of(mark);
  Piece polygon;
  for (int k = 0; k < shape.corners; ++k) {
    const double angle = std::numbers::pi * (shape.start / 2 + 2.0 * k / shape.corners);
    const double radius = k % 2 == 0 ? shape.radius : shape.inner;
    polygon.push_back({at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)});
  }
  canvas.fill(polygon, colour);
}

void draw_legend(const Legend& legend, const Panel& panel, Point corner, const Theme& theme, Canvas& canvas) {
  for (const LegendEntry& e : legend.entries) {
    const Point left{corner.x + e.at.x, corner.y + e.at.y + row_height / 2};
    if (e.curve < panel.curves.size()) {
      Stroke stroke = stroke_of(panel, e.curve, theme);
      stroke.width = 2.2, stroke.name.clear();
      if (panel.curves[e.curve].line) canvas.stroke({{left, {left.x + sample_length, left.y}}}, stroke);
      draw_mark(panel.curves[e.curve].mark, {left.x + sample_length / 2, left.y}, stroke.colour, canvas);
    }
    canvas.text({e.text, {left.x + sample_length + sample_gap, left.y + 0.35 * label_size}, label_size, theme.ink});
  }
}

}  // namespace skyhook::io::plot
