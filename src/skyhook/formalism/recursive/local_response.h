// The response of a law between two frames to the coordinates of the path, from its derivatives to the twelve local variables.
#pragma once
#include "skyhook/formalism/recursive/path_block.h"

namespace skyhook::formalism::recursive {

using Vec3l = Vec3<Lanes>;
using Mat3l = Mat3<Lanes>;

// Where the twelve local variables stand among the directions of a dual number. Rotation: R -> (1 + [turn]x) R.
enum Direction { by_shift = 0, by_turn = 3, by_velocity = 6, by_spin = 9 };

inline void set_point(const model::Relative<double>& m, model::Relative<model::Local>& out) {
  out.t.v = m.t;
  for (int k = 0; k < 3; ++k) out.r[k].v = m.r[k], out.v[k].v = m.v[k];
}

inline void set_rotation(const model::Relative<double>& m, model::Relative<model::Local>& out) {
  for (int i = 0; i < 3; ++i) {
    out.w[i].v = m.w[i];
    for (int j = 0; j < 3; ++j) out.R[i][j].v = m.R[i][j];
  }
  for (int k = 0; k < 3; ++k) {  // e_k x columns of R
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    for (int j = 0; j < 3; ++j) out.R[b][j].d[by_turn + k] = m.R[a][j], out.R[a][j].d[by_turn + k] = -m.R[b][j];
  }
}

inline Vec3d value_of(const Vec3<model::Local>& y) { return {y.x.v, y.y.v, y.z.v}; }

// Response of a vector to a variation of three of the local variables, all in A's axes.
inline Vec3l respond(const Vec3<model::Local>& y, Direction first, const Vec3l& x) {
  auto row = [&](const model::Local& c) {
    return Lanes(c.d[first]) * x.x + Lanes(c.d[first + 1]) * x.y + Lanes(c.d[first + 2]) * x.z;
  };
  return {row(y.x), row(y.y), row(y.z)};
}

// Responses of the force of an element between points to the coordinates of the path and their velocities, with the sign
// that forces have in tau = M a - f.
inline void force_responses(const PairMotion& m, const Vec3<model::Local>& y, int n, PathBlock& block) {
  const Mat3l R_A(m.R_A), back(-1.0 * m.R_A);
  const Vec3l f(-(m.R_A * value_of(y)));
  for (int k = 0; k < n; k += 4) {
    const Vec3l s = block.load(PathBlock::turn, k), d = block.load(PathBlock::shift, k);
    const Vec3l r = transpose_times(R_A, d), v = transpose_times(R_A, block.load(PathBlock::slip, k));
    block.store(PathBlock::change, k, cross(d, f));  // the point of application moves along
    block.store(PathBlock::change + 3, k, back * (respond(y, by_shift, r) + respond(y, by_velocity, v)));
    block.store(PathBlock::carried + 3, k, cross(s, f));
    block.store(PathBlock::rate + 3, k, back * respond(y, by_velocity, r));
  }
}

// The same for a force and a moment that respond to all twelve local variables.
inline void wrench_responses(const PairMotion& m, const model::Wrench<model::Local>& w, int n, PathBlock& block) {
  const Mat3l R_A(m.R_A), back(-1.0 * m.R_A);
  const Vec3l f(-(m.R_A * value_of(w.f))), moment(-(m.R_A * value_of(w.n)));
  for (int k = 0; k < n; k += 4) {
    const Vec3l s = block.load(PathBlock::turn, k), d = block.load(PathBlock::shift, k);
    const Vec3l r = transpose_times(R_A, d), turn = transpose_times(R_A, s);
    const Vec3l v = transpose_times(R_A, block.load(PathBlock::slip, k));
    const Vec3l spin = transpose_times(R_A, block.load(PathBlock::spin, k));
    auto to_position = [&](const Vec3<model::Local>& y) {
      return back * (respond(y, by_shift, r) + respond(y, by_turn, turn) + respond(y, by_velocity, v) +
                     respond(y, by_spin, spin));
    };
    auto to_velocity = [&](const Vec3<model::Local>& y) {
      return back * (respond(y, by_velocity, r) + respond(y, by_spin, turn));
    };
    const Vec3l moved = cross(d, f);
    block.store(PathBlock::change, k, to_position(w.n) + moved);
    block.store(PathBlock::change + 3, k, to_position(w.f));
    block.store(PathBlock::carried, k, cross(s, moment) + moved);
    block.store(PathBlock::carried + 3, k, cross(s, f));
    block.store(PathBlock::rate, k, to_velocity(w.n));
    block.store(PathBlock::rate + 3, k, to_velocity(w.f));
  }
}

}  // namespace skyhook::formalism::recursive
