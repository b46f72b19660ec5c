#include "skyhook/io/plot/thin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_set>

namespace skyhook::io::plot {
namespace {

constexpr std::size_t many = 4;  // thinning pays beyond so many points a column

std::vector<Piece> split(const Curve& c, const Axis& x_axis, const Axis& y_axis, const Scale& x, const Scale& y) {
  std::vector<Piece> out(1);
  for (std::size_t k = 0; k < std::min(c.x.size(), c.y.size()); ++k) {
    if (drawable(c.x[k], x_axis.logarithmic) && drawable(c.y[k], y_axis.logarithmic))
      out.back().push_back({x(c.x[k]), y(c.y[k])});
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

// The points first, lowest, highest and last of [begin, end), in their order and each once.
void keep_extremes(const Piece& p, std::size_t begin, std::size_t end, Piece& out) {
  const auto first = p.begin() + static_cast<std::ptrdiff_t>(begin),
             last = p.begin() + static_cast<std::ptrdiff_t>(end);
  const auto [low, high] = std::minmax_element(first, last, [](Point a, Point b) { return a.y < b.y; });
  std::array<std::size_t, 4> kept{begin, static_cast<std::size_t>(low - p.begin()),
                                  static_cast<std::size_t>(high - p.begin()), end - 1};
  std::sort(kept.begin(), kept.end());
  for (auto k = kept.begin(), beyond = std::unique(kept.begin(), kept.end()); k != beyond; ++k) out.push_back(p[*k]);
}

Piece by_columns(const Piece& p, double resolution) {
  Piece out;
  for (std::size_t begin = 0; begin < p.size();) {
    const double column = std::floor(p[begin].x / resolution);
    std::size_t end = begin + 1;
    while (end < p.size() && std::floor(p[end].x / resolution) == column) ++end;
    keep_extremes(p, begin, end, out);
    begin = end;
  }
  return out;
}

// A cell of the paper as one number.
std::uint32_t cell_of(Point p, double size) {
  const auto number = [size](double v) {
    return static_cast<std::uint32_t>(static_cast<int>(std::floor(std::clamp(v, -8000.0, 24000.0) / size + 0.5)) &
                                      0xffff);
  };
  return number(p.x) << 16 | number(p.y);
}

void by_cells(const Piece& p, double size, std::unordered_set<std::uint64_t>& drawn, std::vector<Piece>& out) {
  Piece line{p.front()};
  std::uint32_t cell = cell_of(p.front(), size);
  const auto finish = [&] {
    if (line.size() > 1) out.push_back(line);
    line.clear();
  };
  for (const Point& point : p) {
    const std::uint32_t next = cell_of(point, size);
    if (next == cell) continue;
    const std::uint64_t way = std::uint64_t{std::min(cell, next)} << 32 | std::max(cell, next);
    if (drawn.insert(way).second)
      line.push_back(point);
    else
      finish(), line.push_back(point);
    cell = next;
  }
  if (out.empty() && line.size() == 1) out.push_back(line);
  finish();
}

bool runs_forward(const Piece& p) {
  return std::is_sorted(p.begin(), p.end(), [](Point a, Point b) { return a.x < b.x; });
}

}  // namespace

std::vector<Piece> pieces(const Curve& curve, const Axis& x_axis, const Axis& y_axis, const Scale& x, const Scale& y,
                          double resolution) {
  std::vector<Piece> all = split(curve, x_axis, y_axis, x, y), out;
  std::unordered_set<std::uint64_t> drawn;
  for (Piece& p : all) {
    const auto [left, right] = std::minmax_element(p.begin(), p.end(), [](Point a, Point b) { return a.x < b.x; });
    const double columns = std::max((right->x - left->x) / resolution, 1.0);
    if (static_cast<double>(p.size()) <= static_cast<double>(many) * columns)
      out.push_back(std::move(p));
    else if (runs_forward(p))
      out.push_back(by_columns(p, resolution));
    else
      by_cells(p, resolution / 2, drawn, out);
  }
  return out;
}

}  // namespace skyhook::io::plot
