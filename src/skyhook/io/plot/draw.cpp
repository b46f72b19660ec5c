#include "skyhook/io/plot/draw.h"

#include <algorithm>

#include "skyhook/base/new_file.h"
#include "skyhook/base/utf8.h"
#include "skyhook/io/plot/legend.h"
#include "skyhook/io/plot/png_canvas.h"
#include "skyhook/io/plot/svg_canvas.h"

namespace skyhook::io::plot {
namespace {

// A panel with all that is known before its place is.
struct Prepared {
  const Panel* panel;
  Range x, y;
  Ticks x_ticks, y_ticks;
  Legend legend;
  bool labelled_below;  // has an x axis of its own
  double above = 0;     // height of what stands over the frame
};

double widest(const Ticks& ticks, const Canvas& canvas) {
  double width = 0;
  for (const Tick& t : ticks.major) width = std::max(width, canvas.width_of(t.label, tick_size));
  return width;
}

// As many x ticks as fit side by side.
Ticks fitting_ticks(const Range& range, bool logarithmic, double width, const Canvas& canvas) {
  for (int wanted = std::max(2, static_cast<int>(width / 65)); wanted > 1; --wanted) {
    Ticks t = ticks(range, logarithmic, wanted);
    const double needed = widest(t, canvas) + 12;
    if (static_cast<double>(t.major.size()) * needed <= width + needed) return t;
  }
  return ticks(range, logarithmic, 1);
}

bool shares_x(const Figure& f) {
  return std::all_of(f.panels.begin(), f.panels.end(), [&](const Panel& p) {
    const Axis &a = p.x, &b = f.panels.front().x;
    return a.label == b.label && a.unit == b.unit && a.logarithmic == b.logarithmic;
  });
}

Range joined(const Range& a, const Range& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

class Drawing {
 public:
  Drawing(const Figure& figure, const Paper& paper, Canvas& canvas)
      : figure_(figure), paper_(paper), canvas_(canvas), theme_(paper.dark ? dark : light) {}

  void all() {
    canvas_.fill({{0, 0}, {paper_.width, 0}, {paper_.width, paper_.height}, {0, paper_.height}}, theme_.background);
    prepare();
    double top = margin;
    if (!figure_.title.empty()) {
      canvas_.text({fitted(printable(figure_.title), title_size, paper_.width - 2 * margin, canvas_),
                    {left_, top + title_size},
                    title_size,
                    theme_.ink,
                    Align::left,
                    false,
                    true});
      top += title_size + 12;
    }
    for (const Prepared& p : panels_) {
      top += p.above;
      const Rect frame{left_, top, paper_.width - left_ - right_, height_};
      draw_panel(p, frame);
      top = frame.bottom() + (p.labelled_below ? axis_height : gap);
    }
  }

 private:
  static constexpr double axis_height = 42, gap = 12;

  void prepare() {
    const bool shared = !figure_.panels.empty() && shares_x(figure_);
    for (const Panel& panel : figure_.panels) {
      Prepared p{
          .panel = &panel, .x = range_of(panel.curves, panel.x, true), .y = range_of(panel.curves, panel.y, false)};
      p.labelled_below = !shared || &panel == &figure_.panels.back();
      panels_.push_back(std::move(p));
    }
    if (shared) share_x();
    // Legends need a width, the width needs tick labels, their number needs a height: a first guess of it will do.
    height_ = paper_.height / static_cast<double>(std::max<std::size_t>(panels_.size(), 1)) - axis_height;
    make_y_ticks();
    for (Prepared& p : panels_) arrange(p);
    height_ = frame_height();
    make_y_ticks();
  }

  void share_x() {
    Range all = panels_.front().x;
    for (const Prepared& p : panels_) all = joined(all, p.x);
    for (Prepared& p : panels_) p.x = all;
  }

  void make_y_ticks() {
    double widest_label = 0;
    for (Prepared& p : panels_) {
      p.y_ticks = ticks(p.y, p.panel->y.logarithmic, std::max(2, static_cast<int>(height_ / 32)));
      widest_label = std::max(widest_label, widest(p.y_ticks, canvas_));
    }
    left_ = margin + label_size + 10 + widest_label + 8;
  }

  void arrange(Prepared& p) {
    const double width = paper_.width - left_ - right_;
    p.x_ticks = fitting_ticks(p.x, p.panel->x.logarithmic, width, canvas_);
    p.legend = arrange_legend(*p.panel, width, std::max(1, static_cast<int>(height_ / 60)), canvas_);
    p.above = p.legend.height;
    if (!p.panel->title.empty()) p.above += label_size + 8;
    if (p.above == 0 && p.y_ticks.exponent != 0) p.above = tick_size + 4;
  }

  double frame_height() const {
    double used = margin + (figure_.title.empty() ? 0 : title_size + 12);
    for (const Prepared& p : panels_) used += p.above + (p.labelled_below ? axis_height : gap);
    return std::max((paper_.height - used - 4) / static_cast<double>(std::max<std::size_t>(panels_.size(), 1)), 10.0);
  }

  void draw_panel(const Prepared& p, const Rect& frame) {
    const Scale x(p.x, p.panel->x.logarithmic, frame.left, frame.right());
    const Scale y(p.y, p.panel->y.logarithmic, frame.bottom(), frame.top);
    draw_grid(p, frame, x, y);
    canvas_.clip(Rect{frame.left - 1, frame.top - 1, frame.width + 2, frame.height + 2});
    for (const EventLine& e : p.panel->events) {
      if (e.x >= p.x.low && e.x <= p.x.high)
        canvas_.stroke({{{x(e.x), frame.top}, {x(e.x), frame.bottom()}}}, {theme_.event, 1, Dash::dotted, e.label});
    }
    for (std::size_t k = 0; k < p.panel->curves.size(); ++k) draw_curve(*p.panel, k, x, y);
    canvas_.clip({});
    draw_frame(frame);
    label_y(p, frame, y);
    if (p.labelled_below) label_x(p, frame, x);
    draw_head(p, frame);
  }

  void draw_grid(const Prepared& p, const Rect& f, const Scale& x, const Scale& y) {
    std::vector<Piece> fine, zero;
    for (const Tick& t : p.x_ticks.major) fine.push_back({{x(t.value), f.top}, {x(t.value), f.bottom()}});
    for (const Tick& t : p.y_ticks.major) {
      const bool is_zero = t.value == 0 && !p.panel->y.logarithmic;
      (is_zero ? zero : fine).push_back({{f.left, y(t.value)}, {f.right(), y(t.value)}});
    }
    canvas_.stroke(fine, {theme_.grid, 1});
    canvas_.stroke(zero, {theme_.zero, 1});
  }

  void draw_curve(const Panel& panel, std::size_t k, const Scale& x, const Scale& y) {
    const Curve& curve = panel.curves[k];
    const Stroke stroke = stroke_of(panel, k, theme_);
    std::vector<Piece> lines = pieces(curve, panel.x, panel.y, x, y);
    for (const Piece& p : lines) {
      if (curve.mark != Mark::none) {
        for (const Point& at : p) draw_mark(curve.mark, at, stroke.colour, canvas_);
      } else if (p.size() == 1) {
        draw_mark(Mark::circle, p.front(), stroke.colour, canvas_);  // else it could not be seen
      }
    }
    std::erase_if(lines, [](const Piece& p) { return p.size() < 2; });
    if (curve.line && !lines.empty()) canvas_.stroke(lines, stroke);
  }

  void draw_frame(const Rect& f) {
    canvas_.stroke({{{f.left, f.top}, {f.left, f.bottom()}, {f.right(), f.bottom()}}}, {theme_.frame, 1});
  }

  void label_y(const Prepared& p, const Rect& f, const Scale& y) {
    std::vector<Piece> short_ticks;
    for (double v : p.y_ticks.minor) short_ticks.push_back({{f.left, y(v)}, {f.left + 4, y(v)}});
    canvas_.stroke(short_ticks, {theme_.frame, 1});
    for (const Tick& t : p.y_ticks.major)
      canvas_.text({t.label, {f.left - 7, y(t.value) + 0.35 * tick_size}, tick_size, theme_.muted, Align::right});
    const std::string title = fitted(printable(axis_title(p.panel->y)), label_size, f.height + p.above, canvas_);
    const double half = canvas_.width_of(title, label_size) / 2;
    const double middle = std::min(f.top + f.height / 2, f.bottom() - half);  // a long one reaches beside the legend
    canvas_.text({title, {margin + label_size, middle}, label_size, theme_.ink, Align::centre, true});
  }

  void label_x(const Prepared& p, const Rect& f, const Scale& x) {
    std::vector<Piece> short_ticks;
    for (double v : p.x_ticks.minor) short_ticks.push_back({{x(v), f.bottom()}, {x(v), f.bottom() - 4}});
    canvas_.stroke(short_ticks, {theme_.frame, 1});
    for (const Tick& t : p.x_ticks.major)
      canvas_.text({t.label, {x(t.value), f.bottom() + tick_size + 5}, tick_size, theme_.muted, Align::centre});
    const double below = f.bottom() + tick_size + label_size + 11;
    canvas_.text({fitted(printable(axis_title(p.panel->x)), label_size, f.width - 80, canvas_),
                  {f.left + f.width / 2, below},
                  label_size,
                  theme_.ink,
                  Align::centre});
    if (p.x_ticks.exponent != 0)
      canvas_.text({"×" + power_of_ten(p.x_ticks.exponent), {f.right(), below}, tick_size, theme_.muted, Align::right});
  }

  void draw_head(const Prepared& p, const Rect& f) {
    draw_legend(p.legend, *p.panel, {f.left, f.top - p.legend.height}, theme_, canvas_);
    const double above_legend = f.top - p.legend.height - 6;
    if (!p.panel->title.empty())
      canvas_.text({fitted(printable(p.panel->title), label_size, f.width, canvas_),
                    {f.left, above_legend},
                    label_size,
                    theme_.ink});
    if (p.y_ticks.exponent != 0)
      canvas_.text(
          {"×" + power_of_ten(p.y_ticks.exponent), {f.left - 7, f.top - 5}, tick_size, theme_.muted, Align::right});
  }

  const Figure& figure_;
  const Paper& paper_;
  Canvas& canvas_;
  const Theme& theme_;
  std::vector<Prepared> panels_;
  double left_ = 0, right_ = 24, height_ = 0;
};

std::string bytes_of(const Figure& figure, const Paper& paper, const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".svg" || ending == ".SVG") return to_svg(figure, paper);
  if (ending == ".png" || ending == ".PNG") return to_png(figure, paper);
  throw ModelError({path.string()}, "pictures of this kind are not known.", "Give a name that ends in .svg or .png.");
}

}  // namespace

void draw(const Figure& figure, const Paper& paper, Canvas& canvas) { Drawing(figure, paper, canvas).all(); }

std::string to_svg(const Figure& figure, const Paper& paper) {
  SvgCanvas canvas(paper.width, paper.height, figure.title.empty() ? "plot" : printable(figure.title));
  draw(figure, paper, canvas);
  return canvas.finish();
}

std::string to_png(const Figure& figure, const Paper& paper) {
  PngCanvas canvas(paper.width, paper.height, paper.scale);
  draw(figure, paper, canvas);
  return canvas.finish();
}

void write_figure(const Figure& figure, const Paper& paper, const std::filesystem::path& path) {
  write_file(path, bytes_of(figure, paper, path), "the picture");
}

}  // namespace skyhook::io::plot
