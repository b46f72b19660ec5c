#include "skyhook/element/rail/fastsim.h"

#include <array>
#include <cmath>
#include <numbers>

namespace skyhook::element::rail {

std::vector<Fastsim::Lines> slices_across(int count) {
  std::vector<Fastsim::Lines> all(static_cast<std::size_t>((count + 3) / 4));
  const double n = 4.0 * static_cast<double>(all.size());
  for (std::size_t j = 0; j < 4 * all.size(); ++j) {
    const double theta = std::numbers::pi * ((static_cast<double>(j) + 0.5) / n - 0.5), half = std::cos(theta);
    Fastsim::Lines& four = all[j / 4];
    const int lane = static_cast<int>(j % 4);
    four.y.set(lane, std::sin(theta)), four.half.set(lane, half);
    four.force.set(lane, 2.0 / n * half * half * half * half);  // 2/pi dy l^3
  }
  return all;
}

Fastsim::Fastsim(FastsimGrid grid) : lines_(slices_across(grid.across)), gentle_(1.0 / grid.along) {
  const int m = grid.along;
  double before = 1.0;
  for (int i = 0; i < m; ++i) {
    const double x = 1.0 - (2.0 * i + 1.0) / m, step = before - x, mean = 1.0 / (3.0 * m * m);
    const double turning = i == 0 ? 0.0 : (std::atanh(before) - std::atanh(x)) / step;
    cells_.push_back({x, step, 0.5 * (before + x), 1.0 - x * x - mean, turning});
    before = x;
  }
}

namespace {

using SliceSlope = Dual<3, Lanes>;

const Lanes& plain(const Lanes& x) { return x; }
const Lanes& plain(const SliceSlope& x) { return x.v; }
SliceSlope choose(const LaneMask& c, const SliceSlope& a, const SliceSlope& b) {
  SliceSlope out(select(c, a.v, b.v));
  for (std::size_t k = 0; k < 3; ++k) out.d[k] = select(c, a.d[k], b.d[k]);
  return out;
}
Lanes choose(const LaneMask& c, const Lanes& a, const Lanes& b) { return select(c, a, b); }

// Rounding apart, the same as zero: keeps the slope of a root finite.
constexpr double nothing = 1e-30;

// The direction of a traction p that slides along w over a way on which dx/bound is `turning` on average, (17.19): with w constant over the way the
// tangent of half the angle between -w and p shrinks by exp(-z), z = |w| turning. The exponential as the inverse of four terms of its series.
template <class T>
std::array<T, 2> turned(const T& px, const T& py, const T& wx, const T& wy, double turning) {
  const T p2 = px * px + py * py + T(nothing), w2 = wx * wx + wy * wy + T(nothing), w = sqrt(w2);
  const T per = T(1.0) / sqrt(p2 * w2), per_p = per * w, per_w = per * per_p * p2;
  const T cosine = -per * (px * wx + py * wy), z = T(turning) * w;
  const T Q = T(1.0) + z * (T(1.0) + z * (T(0.5) + z * (T(1.0 / 6.0) + z * T(1.0 / 24.0)))), less = Q - T(1.0),
          more = Q + T(1.0), Q2 = Q * Q;
  const T sum = T(1.0) / ((Q2 + T(1.0)) + cosine * (Q2 - T(1.0)) + T(nothing));
  const T along = -sum * per_w * less * (more + cosine * less), old = T(2.0) * sum * per_p * Q;
  return {along * wx + old * px, along * wy + old * py};
}

}  // namespace

// One cell further from the leading edge, by the rigid slip (wx, wy) over the way. A bristle sticks while its traction stays below the bound; one
// that slides keeps to the bound and turns towards the slip. Kalker's rule, to shorten what sticking would give, turns it to first order only; it serves in the
// first cell and is mixed in where a cell hardly slides, so that nothing jumps where sliding begins or ends.
template <class T>
void Fastsim::advance(const Cell& cell, const T& wx, const T& wy, T& px, T& py) const {
  const T tx = px - wx, ty = py - wy, square = tx * tx + ty * ty;
  const LaneMask sticks = plain(square) <= Lanes(cell.bound * cell.bound);
  if (all(sticks)) {
    px = tx, py = ty;
    return;
  }
  const T size = sqrt(square + T(nothing)), per = T(1.0) / size;
  T dx = per * tx, dy = per * ty;
  if (cell.turning > 0.0) {
    const std::array<T, 2> exact = turned(px, py, wx, wy, cell.turning);
    const T gentle = (size - T(cell.bound)) * T(1.0 / gentle_);
    const LaneMask is_gentle = plain(gentle) < Lanes(1.0);
    if (any(is_gentle & !sticks)) {
      const T share = choose(is_gentle, gentle * gentle * (T(3.0) - T(2.0) * gentle), T(1.0)), rest = T(1.0) - share;
      dx = share * exact[0] + rest * dx, dy = share * exact[1] + rest * dy;
      const T unit = T(1.0) / sqrt(dx * dx + dy * dy + T(nothing));
      dx = unit * dx, dy = unit * dy;
    } else {
      dx = exact[0], dy = exact[1];
    }
  }
  px = choose(sticks, tx, T(cell.bound) * dx), py = choose(sticks, ty, T(cell.bound) * dy);
}

template <class T, class Visit>
void Fastsim::march(const T& cx, const T& cy, const T& turn, const Visit& visit) const {
  T px(0.0), py(0.0);
  for (const Cell& cell : cells_) {
    advance(cell, T(cell.step) * cx, T(cell.step) * (cy + T(cell.middle) * turn), px, py);
    visit(cell, px, py);
  }
}

template <class T>
Fastsim::Slice<T> Fastsim::summed(const T& cx, const T& cy, const T& turn) const {
  T x(0.0), y(0.0), arm(0.0);
  march(cx, cy, turn,
        [&](const Cell& cell, const T& px, const T& py) { x += px, y += py, arm += T(cell.centre) * py; });
  const T width(2.0 / static_cast<double>(cells_.size()));
  return {width * x, width * y, width * arm};
}

Fastsim::Slice<Lanes> Fastsim::slices(const Lanes& cx, const Lanes& cy, const Lanes& turn) const {
  return summed(cx, cy, turn);
}
Fastsim::Slice<SliceSlope> Fastsim::slice_slopes(const Lanes& cx, const Lanes& cy, const Lanes& turn) const {
  return summed(SliceSlope::variable(cx, 0), SliceSlope::variable(cy, 1), SliceSlope::variable(turn, 2));
}

// Several fours side by side: a cell waits for the roots and quotients of the one before, and they are done in the meantime.
template <std::size_t count>
void Fastsim::add_together(const ReducedCreep<double>& u, std::size_t first, SliceSum& to) const {
  const Lanes turn(u.turn_y);
  std::array<Lanes, count> cx, cy, px, py, x, y, arm;
  for (std::size_t k = 0; k < count; ++k) {
    const Lines& line = lines_[first + k];
    const Lanes per = Lanes(1.0) / line.half;
    cx[k] = (Lanes(u.x) - Lanes(u.turn_x) * line.y) * per, cy[k] = Lanes(u.y) * per;
  }
  for (const Cell& cell : cells_) {
    const Lanes turned_by = Lanes(cell.middle) * turn, step(cell.step), centre(cell.centre);
    for (std::size_t k = 0; k < count; ++k) {
      advance(cell, step * cx[k], step * (cy[k] + turned_by), px[k], py[k]);
      x[k] += px[k], y[k] += py[k], arm[k] += centre * py[k];
    }
  }
  const Lanes width(2.0 / static_cast<double>(cells_.size()));
  for (std::size_t k = 0; k < count; ++k) to.add(lines_[first + k], {width * x[k], width * y[k], width * arm[k]});
}

ReducedForce<double> Fastsim::force(const ReducedCreep<double>& u) const {
  SliceSum all;
  std::size_t first = 0;
  for (; first + 6 <= lines_.size(); first += 6) add_together<6>(u, first, all);
  for (; first + 2 <= lines_.size(); first += 2) add_together<2>(u, first, all);
  if (first < lines_.size()) add_together<1>(u, first, all);
  return all.force();
}
ReducedForce<Dual<4>> Fastsim::slopes(const ReducedCreep<double>& u) const { return summed_slopes(*this, u); }

std::vector<Bristle> Fastsim::patch(const ReducedCreep<double>& u) const {
  std::vector<Bristle> all;
  for (const Lines& four : lines_) {
    for (int lane = 0; lane < 4; ++lane) {
      const double l = four.half[lane], y = four.y[lane];
      march(Lanes((u.x - u.turn_x * y) / l), Lanes(u.y / l), Lanes(u.turn_y),
            [&](const Cell& cell, const Lanes& px, const Lanes& py) {
              const bool slides = std::hypot(px[0], py[0]) > (1.0 - 1e-9) * cell.bound;
              all.push_back({l * cell.centre, y, l * l * px[0], l * l * py[0], slides});
            });
    }
  }
  return all;
}

}  // namespace skyhook::element::rail
