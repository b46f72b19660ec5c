#include "skyhook/formalism/recursive/path_block.h"

namespace skyhook::formalism::recursive {
namespace {

Vec3<Lanes> in_lanes(const Vec3d& a) { return Vec3<Lanes>(a); }

inline void scatter_add(const Lanes& value, int count, const int* slots, double* column) {
  if (count >= 4) {
    column[slots[0]] += value[0], column[slots[1]] += value[1];
    column[slots[2]] += value[2], column[slots[3]] += value[3];
    return;
  }
  column[slots[0]] += value[0];
  if (count > 1) column[slots[1]] += value[1];
  if (count > 2) column[slots[2]] += value[2];
}

}  // namespace

// The velocity of the body before the coordinate enters through Sd = V x S alone.
void PathBlock::move(const Pair& pair, const PairMotion& m, const std::vector<NodeState>& x, const double* axes,
                     int width) {
  const NodeState &a = x[pair.A.node], &b = x[pair.B.node];
  const Vec3<Lanes> wa = in_lanes(a.w), wb = in_lanes(b.w), vb = in_lanes(b.v + cross(b.w, m.r_bB));
  for (const Pair::Run& run : pair.runs) {
    const Vec3<Lanes> reach = in_lanes(m.p_B - x[run.root].p);
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

void PathBlock::add_position_block(const Pair& pair, const std::vector<int>& slots, bool with_moment,
                                   double* const* columns) const {
  const int n = pair.n(), padded = pair.padded_n();
  for (int j = 0; j < n; ++j) {
    const Vec3<Lanes> dn = all_of(change, j), df = all_of(change + 3, j), cf = all_of(carried + 3, j);
    const Vec3<Lanes> cn = with_moment ? all_of(carried, j) : dn;
    double* const column = columns[pair.dofs[j]];
    for (int i = 0; i < n; i += 4) {
      const Vec3<Lanes> s = load(turn, i), d = load(shift, i);
      const Lanes taken = Lanes::load(&pair.carried[j * padded + i]), of_n = dot(s, dn);
      const Lanes value = of_n + dot(d, df) - taken * ((with_moment ? dot(s, cn) : of_n) + dot(d, cf));
      scatter_add(value, n - i, &slots[j * n + i], column);
    }
  }
}

void PathBlock::add_velocity_block(const Pair& pair, const std::vector<int>& slots, bool with_moment,
                                   double* const* columns) const {
  const int n = pair.n();
  for (int j = 0; j < n; ++j) {
    const Vec3<Lanes> df = all_of(rate + 3, j), dn = with_moment ? all_of(rate, j) : df;
    double* const column = columns[pair.dofs[j]];
    for (int i = 0; i < n; i += 4) {
      Lanes value = dot(load(shift, i), df);
      if (with_moment) value += dot(load(turn, i), dn);
      scatter_add(value, n - i, &slots[j * n + i], column);
    }
  }
}

}  // namespace skyhook::formalism::recursive
