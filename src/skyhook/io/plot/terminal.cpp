#include "skyhook/io/plot/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/base/utf8.h"
#include "skyhook/io/plot/scale.h"
#include "skyhook/io/plot/thin.h"

namespace skyhook::io::plot {
namespace {

constexpr int palette[] = {39, 208, 42, 175, 220, 75, 15, 245};  // of 256 colours, near those of theme.h

std::string coloured(const std::string& text, std::size_t colour, bool on) {
  return on ? fmt::format("\x1b[38;5;{}m{}\x1b[0m", palette[colour % std::size(palette)], text) : text;
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(used < width ? width - used : 0, ' ') + text;
}

// A whole character, which tells curves apart where there are no colours.
constexpr char32_t sign_of(Mark mark) { return U" ●■▲◆▼★◄►"[static_cast<int>(mark)]; }

// Dots in cells of 2 x 4. The colour of a cell is that of the last curve that touched it; a mark hides its dots.
class Dots {
 public:
  Dots(int columns, int rows)
      : columns_(columns), rows_(rows), cells_(columns * rows), signs_(columns * rows), colours_(columns * rows) {}

  void line(Point a, Point b, std::size_t colour) {
    const double steps = std::ceil(std::max({std::abs(b.x - a.x), std::abs(b.y - a.y), 1.0}));
    for (double k = 0; k <= std::min(steps, 1e5); ++k)
      dot(a.x + (b.x - a.x) * k / steps, a.y + (b.y - a.y) * k / steps, colour);
  }

  void dot(double px, double py, std::size_t colour, char32_t sign = 0) {
    const double fx = std::floor(px + 0.5), fy = std::floor(py + 0.5);
    if (!(fx >= 0 && fx < 2 * columns_ && fy >= 0 && fy < 4 * rows_)) return;
    const int x = static_cast<int>(fx), y = static_cast<int>(fy);
    static constexpr unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const auto cell = static_cast<std::size_t>(y / 4 * columns_ + x / 2);
    cells_[cell] |= bits[y % 4][x % 2];
    if (sign != 0) signs_[cell] = sign;
    if (sign != 0 || signs_[cell] == 0) colours_[cell] = colour;
  }

  std::string row(int number, bool colours) const {
    std::string out, run;
    std::size_t colour = 0;
    const auto flush = [&] {
      if (!run.empty()) out += coloured(run, colour, colours);
      run.clear();
    };
    for (int c = 0; c < columns_; ++c) {
      const auto cell = static_cast<std::size_t>(number * columns_ + c);
      if (cells_[cell] == 0) {
        flush(), out += ' ';
        continue;
      }
      if (colours_[cell] != colour) flush(), colour = colours_[cell];
      append_utf8(run, signs_[cell] != 0 ? signs_[cell] : 0x2800 + cells_[cell]);
    }
    flush();
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  }

 private:
  int columns_, rows_;
  std::vector<unsigned char> cells_;
  std::vector<char32_t> signs_;
  std::vector<std::size_t> colours_;
};

struct Frame {
  const Panel& panel;
  Range x, y;
  Ticks x_ticks, y_ticks;
  std::size_t label_width = 0;
  int columns = 0, rows = 0;  // of the dots
};

Frame frame_of(const Panel& panel, int columns, int rows) {
  Frame f{panel, range_of(panel.curves, panel.x, true), range_of(panel.curves, panel.y, false), {}, {}};
  f.rows = std::max(rows, 3);
  f.y_ticks = ticks(f.y, panel.y.logarithmic, std::max(2, f.rows / 3));
  for (const Tick& t : f.y_ticks.major) f.label_width = std::max(f.label_width, display_width(t.label));
  f.columns = std::max(columns - static_cast<int>(f.label_width) - 2, 10);
  f.x_ticks = ticks(f.x, panel.x.logarithmic, std::max(2, f.columns / 14));
  return f;
}

Dots dots_of(const Frame& f) {
  Dots dots(f.columns, f.rows);
  const Scale x(f.x, f.panel.x.logarithmic, 0, 2 * f.columns - 1), y(f.y, f.panel.y.logarithmic, 4 * f.rows - 1, 0);
  for (std::size_t k = 0; k < f.panel.curves.size(); ++k) {
    const Curve& curve = f.panel.curves[k];
    const std::size_t colour = curve.colour.value_or(k);
    for (const Piece& p : pieces(curve, f.panel.x, f.panel.y, x, y)) {
      dots.dot(p[0].x, p[0].y, colour);
      for (std::size_t i = 1; i < p.size() && curve.line; ++i) dots.line(p[i - 1], p[i], colour);
      for (std::size_t i = 0; i < p.size() && curve.mark != Mark::none; ++i)
        dots.dot(p[i].x, p[i].y, colour, sign_of(curve.mark));
    }
  }
  return dots;
}

std::string sample_of(const Curve& c) {
  std::string out = c.dash == Dash::solid ? "━" : "╍";
  if (c.mark == Mark::none) return out + out + " ";
  append_utf8(out, sign_of(c.mark));
  return out + " ";
}

std::string legend_of(const Panel& panel, const Screen& screen) {
  std::string out, line;
  std::size_t used = 0;
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const Curve& c = panel.curves[k];
    if (c.label.empty()) continue;
    const std::string label = printable(c.label), sample = sample_of(c);
    const std::size_t width = display_width(label) + 6;
    if (used > 0 && used + width > static_cast<std::size_t>(screen.columns)) line += '\n', used = 0;
    line += coloured(sample, c.colour.value_or(k), screen.colours) + label + "   ";
    used += width;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line.empty() ? "" : line + "\n";
}

std::string head_of(const Frame& f, const Screen& screen) {
  std::string title = printable(f.panel.title), axis = printable(axis_title(f.panel.y));
  if (f.y_ticks.exponent != 0) axis += " ×" + power_of_ten(f.y_ticks.exponent);
  return (title.empty() ? "" : title + "\n") + legend_of(f.panel, screen) + (axis.empty() ? "" : axis + "\n");
}

// Tick labels below their places, as many as do not touch.
std::string x_labels(const Frame& f) {
  std::string line;
  std::size_t used = 0;
  const Scale place(f.x, f.panel.x.logarithmic, 0, f.columns - 1);
  for (const Tick& t : f.x_ticks.major) {
    const double width = static_cast<double>(display_width(t.label));
    const double at = std::clamp(std::round(place(t.value) - width / 2), 0.0, std::max(f.columns - width, 0.0));
    const auto start = static_cast<std::size_t>(at);
    if (used > 0 && start < used + 2) continue;
    line += std::string(start - used, ' ') + t.label;
    used = start + static_cast<std::size_t>(width);
  }
  return line;
}

std::string body_of(const Frame& f, const Screen& screen) {
  const Dots dots = dots_of(f);
  const Scale y(f.y, f.panel.y.logarithmic, 4 * f.rows - 1, 0);
  std::vector<std::string> labels(static_cast<std::size_t>(f.rows)), rows(labels);
  for (const Tick& t : f.y_ticks.major) {
    const int row = std::clamp(static_cast<int>(std::floor((y(t.value) + 0.5) / 4)), 0, f.rows - 1);
    if (labels[static_cast<std::size_t>(row)].empty()) labels[static_cast<std::size_t>(row)] = t.label;
  }
  std::string out;
  for (int r = 0; r < f.rows; ++r) {
    const std::string& label = labels[static_cast<std::size_t>(r)];
    out += padded_left(label, f.label_width) + (label.empty() ? " │" : " ┤") + dots.row(r, screen.colours) + "\n";
  }
  std::string axis;
  for (int c = 0; c < f.columns; ++c) axis += "─";
  return out + padded_left("", f.label_width) + " └" + axis + "\n";
}

std::string foot_of(const Frame& f) {
  std::string title = printable(axis_title(f.panel.x));
  if (f.x_ticks.exponent != 0) title += " ×" + power_of_ten(f.x_ticks.exponent);
  const std::string indent(f.label_width + 2, ' ');
  const std::size_t width = display_width(title), space = static_cast<std::size_t>(f.columns);
  return indent + x_labels(f) + "\n" + indent + std::string(width < space ? (space - width) / 2 : 0, ' ') + title +
         "\n";
}

}  // namespace

std::string to_terminal(const Figure& figure, const Screen& screen) {
  std::string out = figure.title.empty() ? "" : printable(figure.title) + "\n";
  const int count = std::max(static_cast<int>(figure.panels.size()), 1);
  const int around = 5;  // legend, name of the axis, axis, labels, name of x
  for (const Panel& panel : figure.panels) {
    const Frame f = frame_of(panel, screen.columns, (screen.rows - 1) / count - around);
    out += head_of(f, screen) + body_of(f, screen) + foot_of(f);
  }
  return out;
}

}  // namespace skyhook::io::plot
