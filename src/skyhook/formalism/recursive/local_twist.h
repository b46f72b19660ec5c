// How the twelve local variables of a pair of frames, and what depends on them, move with the coordinates of its path.
#pragma once
#include "skyhook/formalism/recursive/local_response.h"
#include "skyhook/formalism/recursive/path_block.h"

namespace skyhook::formalism::recursive {

// The local variables that one coordinate of the path moves, in A's axes.
struct LocalTwist {
  Vec3d shift, turn, slip, spin;
};

inline LocalTwist local_twist(const PathBlock& block, const PairMotion& m, int k) {
  const auto one = [&](int row) {
    const Vec3l all = block.all_of(row, k);
    return transpose_times(m.R_A, Vec3d{all.x[0], all.y[0], all.z[0]});
  };
  return {one(PathBlock::shift), one(PathBlock::turn), one(PathBlock::slip), one(PathBlock::spin)};
}

inline double respond_one(const model::Local& y, Direction first, const Vec3d& x) {
  return y.d[first] * x.x + y.d[first + 1] * x.y + y.d[first + 2] * x.z;
}
inline double by_position(const model::Local& y, const LocalTwist& by) {
  return respond_one(y, by_shift, by.shift) + respond_one(y, by_turn, by.turn) + respond_one(y, by_velocity, by.slip) +
         respond_one(y, by_spin, by.spin);
}
inline double by_rate(const model::Local& y, const LocalTwist& by) {
  return respond_one(y, by_velocity, by.shift) + respond_one(y, by_spin, by.turn);
}

// Those of four coordinates at once.
struct LocalTwists {
  Vec3l shift, turn, slip, spin;
};

inline LocalTwists local_twists(const PathBlock& block, const PairMotion& m, int k) {
  const Mat3l R_A(m.R_A);
  const auto four = [&](int row) { return transpose_times(R_A, block.load(row, k)); };
  return {four(PathBlock::shift), four(PathBlock::turn), four(PathBlock::slip), four(PathBlock::spin)};
}
inline Lanes respond(const model::Local& y, Direction first, const Vec3l& x) {
  return Lanes(y.d[first]) * x.x + Lanes(y.d[first + 1]) * x.y + Lanes(y.d[first + 2]) * x.z;
}
inline Lanes by_position(const model::Local& y, const LocalTwists& by) {
  return respond(y, by_shift, by.shift) + respond(y, by_turn, by.turn) + respond(y, by_velocity, by.slip) +
         respond(y, by_spin, by.spin);
}
inline Lanes by_rate(const model::Local& y, const LocalTwists& by) {
  return respond(y, by_velocity, by.shift) + respond(y, by_spin, by.turn);
}

}  // namespace skyhook::formalism::recursive
