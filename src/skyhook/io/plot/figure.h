// A figure as plain data: what is drawn, not how. Results, work-precision tables and tests make one; draw.h puts it on
// a canvas (SVG, PNG), terminal.h into a terminal.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace skyhook::io::plot {

enum class Dash { solid, dashed, dotted };
enum class Mark { none, circle, square, triangle, diamond, triangle_down, star, triangle_left, triangle_right };

// Points in order. A point that is not finite, or not positive on a logarithmic axis, is a gap. Two points at one x
// are a jump (both sides of an event).
struct Curve {
  std::string label;  // in the legend; empty: not listed
  std::vector<double> x, y;
  Dash dash = Dash::solid;
  Mark mark = Mark::none;
  bool line = true;
  std::optional<std::size_t> colour = {};  // number in the palette; default: its number among the curves of the panel
};

struct Axis {
  std::string label, unit;  // "time", "s": printed as "time [s]"
  bool logarithmic = false;
  std::optional<double> low = {}, high = {};  // default: what the curves need
  bool tight = false;                         // curves reach the frame, as those over time do
};

struct EventLine {
  double x = 0;
  std::string label;  // what a pointer resting on it shows
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
  std::vector<EventLine> events;
};

// Panels stand below each other. Where all have the same x axis, it is labelled once, below the last.
struct Figure {
  std::string title;
  std::vector<Panel> panels;
};

// "time [s]"; without a unit the label alone, without a label "[s]".
std::string axis_title(const Axis& axis);

}  // namespace skyhook::io::plot
