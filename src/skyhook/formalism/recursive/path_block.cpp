#include "skyhook/formalism/recursive/path_block.h"

#include <algorithm>

namespace skyhook::formalism::recursive {
namespace {

Vec3<Lanes> in_lanes(const Vec3d& a) { return Vec3<Lanes>(a); }

void scatter_add(const Lanes& value, int count, const int* slots, double* column) {
  double four[4];
  value.store(four);
  for (int l = 0; l < count; ++l) column[slots[l]] += four[l];
}

}  // namespace

// The velocity of the body before the coordinate enters through Sd = V x S alone.
void PathBlock::move(const Pair& pair, const PairMotion& m, const std::vector<NodeState>& x, const double* axes,
                     int width) {
  const NodeState &a = x[pair.A.node], &b = x[pair.B.node];
  const Vec3<Lanes> wa = in_lanes(a.w), wb = in_lanes(b.w), vb = in_lanes(b.v + cross(b.w, m.rb));
  for (const Pair::Run& run : pair.runs) {
    const Vec3<Lanes> reach = in_lanes(m.pB - x[run.root].p);
    const Lanes side(run.side);
    for (int k = 0; k < run.count; k += 4) {
      const double* const from = axes + run.first + k;
      auto get = [&](int row) {
        const double* const at = from + row * width;
        return side * Vec3<Lanes>{Lanes::load(at), Lanes::load(at + width), Lanes::load(at + 2 * width)};
      };
      const Vec3<Lanes> s = get(0), sd = get(6);
      const Vec3<Lanes> at_b = get(3) + cross(s, reach);
      const int to = run.at + k;
      store(turn, to, s);
      store(shift, to, at_b);
      store(spin, to, sd - cross(wb, s));
      store(slip, to, get(9) + cross(sd, reach) - cross(wa, at_b) - cross(vb, s));
    }
  }
}

void PathBlock::add_position_block(const Pair& pair, const std::vector<int>& slots, double* const* columns) const {
  const int n = pair.n(), padded = pair.padded_n();
  for (int j = 0; j < n; ++j) {
    const Vec3<Lanes> dn = all_of(change, j), df = all_of(change + 3, j);
    const Vec3<Lanes> cn = all_of(carried, j), cf = all_of(carried + 3, j);
    double* const column = columns[pair.dofs[j]];
    for (int i = 0; i < n; i += 4) {
      const Vec3<Lanes> s = load(turn, i), d = load(shift, i);
      const Lanes value =
          dot(s, dn) + dot(d, df) - Lanes::load(&pair.carried[j * padded + i]) * (dot(s, cn) + dot(d, cf));
      scatter_add(value, std::min(4, n - i), &slots[j * n + i], column);
    }
  }
}

void PathBlock::add_velocity_block(const Pair& pair, const std::vector<int>& slots, double* const* columns) const {
  const int n = pair.n();
  for (int j = 0; j < n; ++j) {
    const Vec3<Lanes> dn = all_of(rate, j), df = all_of(rate + 3, j);
    double* const column = columns[pair.dofs[j]];
    for (int i = 0; i < n; i += 4)
      scatter_add(dot(load(turn, i), dn) + dot(load(shift, i), df), std::min(4, n - i), &slots[j * n + i], column);
  }
}

}  // namespace skyhook::formalism::recursive
