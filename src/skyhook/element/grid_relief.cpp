#include "skyhook/element/grid_relief.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/element/unknown_bend.h"

namespace skyhook::element {
namespace {

using Border = model::RoadGrid::Border;

// The cubic between the second and the third of four places, over what stands at them.
struct Weights {
  double value[4], slope[4], curvature[4];
};
Weights weights_at(double x, const double (&at)[4]) {
  const double h = at[2] - at[1], t = (x - at[1]) / h, a = h / (at[2] - at[0]), b = h / (at[3] - at[1]);
  Weights w{};
  const auto put = [&](double(&out)[4], double h10, double h01, double h11, double one, double scale) {
    out[0] = -a * h10 * scale, out[3] = b * h11 * scale;
    out[1] = (one - h01 - b * h11) * scale, out[2] = (h01 + a * h10) * scale;
  };
  put(w.value, t * (1 - t) * (1 - t), t * t * (3 - 2 * t), t * t * (t - 1), 1, 1);
  put(w.slope, (1 - t) * (1 - 3 * t), 6 * t * (1 - t), t * (3 * t - 2), 0, 1 / h);
  put(w.curvature, 6 * t - 4, 6 - 12 * t, 6 * t - 2, 0, 1 / (h * h));
  return w;
}

// The node that stands for one beyond the grid; -1: height 0.
long inside(long k, long n, Border border) {
  if (k >= 0 && k < n) return k;
  switch (border) {
    case Border::zero: return -1;
    case Border::repeat: return ((k % n) + n) % n;
    case Border::reflect: {
      const long turn = ((k % (2 * n - 2)) + 2 * n - 2) % (2 * n - 2);
      return std::min(turn, 2 * n - 2 - turn);
    }
    default: return std::clamp(k, 0L, n - 1);
  }
}

}  // namespace

GridRelief::GridRelief(std::shared_ptr<const model::RoadGrid> of) : grid_(std::move(of)), line_(*grid_) {}

double GridRelief::node(long row, long column) const {
  const long i = inside(row, static_cast<long>(grid_->rows()), grid_->border_u);
  const long j = inside(column, static_cast<long>(grid_->v.size()), grid_->border_v);
  return i < 0 || j < 0 ? 0.0 : grid_->at(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
}

double GridRelief::place_across(long column) const {
  const std::vector<double>& v = grid_->v;
  const long n = static_cast<long>(v.size());
  if (column < 0) return v[0] + static_cast<double>(column) * (v[1] - v[0]);
  if (column >= n) return v.back() + static_cast<double>(column - n + 1) * (v[v.size() - 1] - v[v.size() - 2]);
  return v[static_cast<std::size_t>(column)];
}

model::Bend GridRelief::on_grid(double u, double v) const {
  if (!std::isfinite(u) || !std::isfinite(v)) return unknown_bend();
  constexpr double far = 1e9;  // beyond it numbers of nodes would overflow
  const double s = std::clamp((u - grid_->u_first) / grid_->u_step, -far, far);
  const long row = static_cast<long>(std::floor(s));
  const std::vector<double>& across = grid_->v;
  const double first = across[1] - across[0], last = across[across.size() - 1] - across[across.size() - 2];
  long column = 0;
  if (v < across.front())
    column = static_cast<long>(std::floor(std::max((v - across.front()) / first, -far)));
  else if (v >= across.back())
    column =
        static_cast<long>(across.size()) - 1 + static_cast<long>(std::floor(std::min((v - across.back()) / last, far)));
  else
    column = std::upper_bound(across.begin(), across.end(), v) - across.begin() - 1;
  double rows[4], columns[4];
  for (long k = 0; k < 4; ++k) {
    rows[k] = static_cast<double>(row + k - 1);
    columns[k] = place_across(column + k - 1);
  }
  const Weights a = weights_at(s, rows), b = weights_at(std::clamp(v, columns[1], columns[2]), columns);
  const double d = 1 / grid_->u_step;
  model::Bend out;
  for (long i = 0; i < 4; ++i) {
    for (long j = 0; j < 4; ++j) {
      const double z = node(row + i - 1, column + j - 1);
      out.value += z * a.value[i] * b.value[j];
      out.x += z * d * a.slope[i] * b.value[j], out.y += z * a.value[i] * b.slope[j];
      out.xx += z * d * d * a.curvature[i] * b.value[j], out.xy += z * d * a.slope[i] * b.slope[j];
      out.yy += z * a.value[i] * b.curvature[j];
    }
  }
  return out;
}

model::Bend GridRelief::at(double x, double y) const {
  const auto [u, v] = line_.place(x, y);
  const model::Bend h = on_grid(u.value, v.value);
  const auto second = [&](double ui, double uj, double vi, double vj, double uij, double vij) {
    return h.xx * ui * uj + h.xy * (ui * vj + uj * vi) + h.yy * vi * vj + h.x * uij + h.y * vij;
  };
  return {h.value,
          h.x * u.x + h.y * v.x,
          h.x * u.y + h.y * v.y,
          second(u.x, u.x, v.x, v.x, u.xx, v.xx),
          second(u.x, u.y, v.x, v.y, u.xy, v.xy),
          second(u.y, u.y, v.y, v.y, u.yy, v.yy)};
}

// A grid whose border is said goes on as it says.
void GridRelief::look(double x, double y, model::TableLooks& looks) const {
  const auto [u, v] = line_.place(x, y);
  const double last = grid_->u_first + grid_->u_step * static_cast<double>(grid_->rows() - 1);
  const auto beyond = [](Border border) {
    return border == Border::none ? model::Beyond::unsaid : model::Beyond::hold;
  };
  looks.push_back({"file", "u", "m", u.value, grid_->u_first, last, beyond(grid_->border_u)});
  looks.push_back({"file", "v", "m", v.value, grid_->v.front(), grid_->v.back(), beyond(grid_->border_v)});
}

double GridRelief::grain() const {
  double across = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < grid_->v.size(); ++k) across = std::min(across, grid_->v[k] - grid_->v[k - 1]);
  return std::min(grid_->u_step, across) / 2;
}

model::Relief::Span GridRelief::span() const {
  if (!line_.is_straight()) return {};
  const double length = grid_->u_step * static_cast<double>(grid_->rows() - 1) * std::cos(grid_->heading);
  return {std::min(grid_->x, grid_->x + length), std::max(grid_->x, grid_->x + length)};
}

}  // namespace skyhook::element
