#include "wheelrail_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/element/rail/patch_picture.h"
#include "skyhook/io/report/json_object.h"

namespace skyhook::app {
namespace {

using namespace element::rail;
using analysis::WheelrailRow;

// Not what rounding leaves of none.
double shown(double creepage) { return std::abs(creepage) < 1e-12 ? 0.0 : creepage; }

std::string patch_json(const PatchPicture& p) {
  std::string cells = "[";
  for (const Bristle& c : p.cells)
    cells += fmt::format("{}[{:.0f},{:.0f},{}]", cells.size() > 1 ? "," : "", 100 * c.px, 100 * c.py, c.slides ? 1 : 0);
  io::report::JsonObject o;
  o.number("a", p.a).number("b", p.b).number("bound", p.bound).number("sliding", p.sliding);
  return o.number("across", p.grid.across).number("along", p.grid.along).json("cells", cells + "]").str();
}

constexpr double scale = 12, wide = 330, high = 210;  // pixels a mm; of one patch

// Borders of a cell: equal angles across, equal parts of the slice along.
struct Borders {
  double x0, x1, y0, y1;  // mm
};
Borders borders(const PatchPicture& p, int j, int i) {
  const auto sine = [&](int k) { return std::sin(std::numbers::pi * (static_cast<double>(k) / p.grid.across - 0.5)); };
  const double half = 1e3 * p.a * std::cos(std::numbers::pi * ((j + 0.5) / p.grid.across - 0.5));
  return {half * (1 - 2.0 * (i + 1) / p.grid.along), half * (1 - 2.0 * i / p.grid.along), 1e3 * p.b * sine(j),
          1e3 * p.b * sine(j + 1)};
}

// x ahead is up the page, y to the field side to the left for a left wheel: as seen from above, behind the wheel.
std::string cells_svg(const PatchPicture& p, double side, double cx, double cy) {
  std::string out;
  const auto slides = [&](int j, int i) { return p.cells[static_cast<std::size_t>(j * p.grid.along + i)].slides; };
  for (int j = 0; j < p.grid.across; ++j) {
    for (int i = 0, end = 0; i < p.grid.along; i = end) {  // runs of cells that do the same
      for (end = i + 1; end < p.grid.along && slides(j, end) == slides(j, i);) ++end;
      const Borders first = borders(p, j, i), last = borders(p, j, end - 1);
      const double left = std::min(-side * first.y0, -side * first.y1), width = first.y1 - first.y0;
      out += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)", cx + scale * left,
                         cy - scale * first.x1, scale * width + 0.3, scale * (first.x1 - last.x0),
                         slides(j, i) ? "#e8a33d" : "#9fc3e6");
    }
  }
  std::size_t k = 0;
  for (int j = 0; j < p.grid.across; ++j) {
    for (int i = 0; i < p.grid.along; ++i, ++k) {
      const Bristle& b = p.cells[k];
      if (j % 3 != 1 || i % 3 != 1 || std::abs(b.y) > 0.97) continue;
      const double x = cx - scale * side * 1e3 * p.b * b.y, y = cy - scale * 1e3 * p.a * b.x, dx = -side * 18 * b.py,
                   dy = -18 * b.px;
      out += fmt::format(
          R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/><circle cx="{:.1f}" cy="{:.1f}" r="1"/>)", x, y,
          x + dx, y + dy, x, y);
    }
  }
  return out;
}

std::string patch_svg(const PatchPicture& p, const LoadedContact& at, const char* name, double side, double shift,
                      double cx, double cy) {
  std::string out = fmt::format(R"(<text x="{:.1f}" y="{:.1f}">{}, shift {:.3g} mm: {:.0f} % slides</text>)",
                                cx - wide / 2 + 8, cy - high / 2 - 22, name, 1e3 * shift, 100 * p.sliding);
  out += fmt::format(
      R"(<text x="{:.1f}" y="{:.1f}" class="small">creep {:.2g}, {:.2g}; spin {:.2g}/m; {:.3g} x {:.3g} mm</text>)",
      cx - wide / 2 + 8, cy - high / 2 - 6, shown(at.creep_x), shown(at.creep_y), at.spin, 2e3 * p.a, 2e3 * p.b);
  if (p.cells.empty())
    return out + fmt::format(R"(<text x="{:.1f}" y="{:.1f}" class="small">no friction</text>)", cx, cy);
  return out + cells_svg(p, side, cx, cy);
}

}  // namespace

std::string patches_json(const std::vector<WheelrailRow>& rows, const LoadedOptions& load) {
  std::string text = "[";
  for (const WheelrailRow& r : rows) {
    io::report::JsonObject o;
    o.json("left", patch_json(patch_picture(r.left, load, {16, 16})))
        .json("right", patch_json(patch_picture(r.right, load, {16, 16})));
    text += (text.size() > 1 ? ", " : "") + o.str();
  }
  return text + "]";
}

std::string patches_svg(const std::vector<WheelrailRow>& rows, const LoadedOptions& load, std::size_t most) {
  const std::size_t count = std::min(most, rows.size());
  const double height = static_cast<double>(count) * (high + 50) + 50;
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" font-family="sans-serif" font-size="13">)"
      R"(<style>.small{{font-size:11px;fill:#444}} line{{stroke:#222;stroke-width:1}} circle{{fill:#222}}</style><rect width="100%" height="100%" fill="white"/>)",
      2 * wide, height);
  for (std::size_t k = 0; k < count; ++k) {
    const WheelrailRow& r = rows[count > 1 ? k * (rows.size() - 1) / (count - 1) : 0];
    const double cy = static_cast<double>(k) * (high + 50) + 50 + high / 2;
    out += patch_svg(patch_picture(r.left, load, {32, 32}), r.left, "left", 1, r.shift, wide / 2, cy);
    out += patch_svg(patch_picture(r.right, load, {32, 32}), r.right, "right", -1, r.shift, 1.5 * wide, cy);
  }
  out += fmt::format(
      R"(<rect x="8" y="{0:.0f}" width="14" height="12" fill="#9fc3e6"/><text x="28" y="{1:.0f}">sticks</text>)"
      R"(<rect x="88" y="{0:.0f}" width="14" height="12" fill="#e8a33d"/><text x="108" y="{1:.0f}">slides</text>)"
      R"(<text x="180" y="{1:.0f}" class="small">seen from above, ahead is up; lines: tractions on the wheel, from the dot</text>)",
      height - 26, height - 15);
  return out + "</svg>\n";
}

}  // namespace skyhook::app
