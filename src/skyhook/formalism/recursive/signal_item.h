// Continuous signals: where what they read comes from, and who listens. docs/theory/09 has the equations.
#pragma once
#include <cmath>
#include <optional>
#include <vector>

#include "skyhook/formalism/recursive/measured_coordinate.h"
#include "skyhook/formalism/recursive/pair.h"
#include "skyhook/model/continuous_signal.h"

namespace skyhook::formalism::recursive {

// One input of a formula: of two frames seen from a third, a coordinate, a state, or a signal.
struct SignalReading {
  model::SignalInput given;
  std::vector<Pair> pairs;                // between frames: what the second sees is taken away; empty: none
  std::optional<MeasuredCoordinate> cut;  // of the coordinate of a cut joint, between these
  int joint = -1;
  int iq = -1, iv = -1, node = -1;  // in the state, or of a coordinate that follows its drive
  double reference = 0;
  // Where the coordinates that it depends on stand among those of its signal: of the pairs one after the other, of iv, or of another signal.
  std::vector<int> places;

  template <class T>
  T value(const model::Relative<T>& m) const;
};

struct SignalItem {
  const model::ContinuousSignal* what;
  int number;  // among Model::continuous
  std::vector<SignalReading> inputs;
  std::vector<int> dofs;  // velocity coordinates, inner states among them, that it depends on
  int first = 0;          // of its gradients among those of all
};

// One part of a contribution that listens to a signal: the rows of tau that its force enters, and where these meet the coordinates of the signal.
struct SignalListener {
  enum class Part { wrench, coordinate, inner };
  Part part;
  std::size_t item;    // among those of its part
  std::size_t signal;  // among the items
  std::vector<int> rows;
  std::vector<int> slots;  // rows x dofs, column by column, in the tangent pattern
};

struct SignalWork {
  std::vector<double> values;                // by Model::continuous
  std::vector<double> by_position, by_rate;  // gradients of all, at fixed v and at fixed q
  std::vector<double> inputs;                // of one formula, then t
  std::vector<Dual<2>> duals;
  std::vector<double> slopes;  // of the formula to its inputs
  std::vector<double> column;  // of tau to the signal
};

template <class T>
T SignalReading::value(const model::Relative<T>& m) const {
  using What = model::SignalInput::What;
  using std::atan2, std::sqrt;
  const Mat3<T>& R = m.R;
  switch (given.what) {
    case What::position: return m.r[given.part];
    case What::velocity: return m.v[given.part];
    case What::spin: return given.of == model::SignalInput::Of::joint ? -m.w[given.part] : m.w[given.part];
    case What::distance: return norm(m.r);
    case What::distance_rate: return value_of(dot(m.r, m.r)) > 0 ? dot(m.r, m.v) / norm(m.r) : T(0.0);
    case What::coordinate: return cut->value(m.r, m.R, m.set.angles) + T(reference);
    case What::coordinate_rate: return dot(cut->unit(m.R, m.set.angles), cut->turns() ? m.w : m.v);
    case What::cardan:
      return given.part == 0   ? atan2(-R.r1.z, R.r2.z)
             : given.part == 1 ? atan2(R.r0.z, sqrt(R.r0.x * R.r0.x + R.r0.y * R.r0.y))
                               : atan2(-R.r0.y, R.r0.x);
    case What::yaw_pitch_roll:
      return given.part == 0   ? atan2(R.r1.x, R.r0.x)
             : given.part == 1 ? atan2(-R.r2.x, sqrt(R.r0.x * R.r0.x + R.r1.x * R.r1.x))
                               : atan2(R.r2.y, R.r2.z);
    default: break;
  }
  // With the sine and cosine of pitch and roll: R's last row is (-sin p, cos p sin r, cos p cos r).
  const Vec3<T> w = transpose_times(R, m.w);
  const T level2 = R.r2.y * R.r2.y + R.r2.z * R.r2.z, level = sqrt(level2);
  const T yaw_rate = (w.y * R.r2.y + w.z * R.r2.z) / level2;
  return given.part == 0 ? yaw_rate : given.part == 1 ? (w.y * R.r2.z - w.z * R.r2.y) / level : w.x - yaw_rate * R.r2.x;
}

}  // namespace skyhook::formalism::recursive
