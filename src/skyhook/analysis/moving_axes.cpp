#include "skyhook/analysis/moving_axes.h"

#include "skyhook/math/rotation.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;

void multiply_columns(DenseMatrix& a, int first, const Mat3d& m) {  // a[:, first..] m
  for (int i = 0; i < a.rows; ++i) {
    const Vec3d row{a(i, first), a(i, first + 1), a(i, first + 2)}, turned = transpose_times(m, row);
    for (int k = 0; k < 3; ++k) a(i, first + k) = turned[k];
  }
}
void multiply_rows(DenseMatrix& a, int first, const Mat3d& m) {  // m a[first.., :]
  for (int j = 0; j < a.cols; ++j) {
    const Vec3d turned = m * Vec3d{a(first, j), a(first + 1, j), a(first + 2, j)};
    for (int k = 0; k < 3; ++k) a(first + k, j) = turned[k];
  }
}

// The axes go round about the vertical and are those of the ground at this instant: P = 1, P' = W, P'' = W W.
Mat3d going_round(const OperatingPoint& at) { return skew(Vec3d{0, 0, at.yaw_rate}); }

}  // namespace

MovingAxes::MovingAxes(const Equations& eq, const OperatingPoint& at) {
  const Mat3d none = 0.0 * Mat3d::identity();
  for (const auto& r : eq.rotations()) {
    const auto iq = static_cast<std::size_t>(r.iq), iv = static_cast<std::size_t>(r.iv);
    const auto& q = at.state.q;
    const Mat3d T = transpose(rotation_of(Quaternion<double>{q[iq], q[iq + 1], q[iq + 2], q[iq + 3]}));
    const Vec3d w{at.state.v[iv], at.state.v[iv + 1], at.state.v[iv + 2]};
    blocks_.push_back({r.iv, T, none, -1.0 * (skew(w) * T), none});
  }
  if (at.yaw_rate == 0) return;
  const Mat3d W = going_round(at);
  for (const auto& body : at.floating) {
    blocks_.push_back({body.iv, Mat3d::identity(), W, 2.0 * W, W * W});
    for (Block& b : blocks_) {
      if (b.iv != body.rotation) continue;
      b.U = b.T * W, b.C = b.T * W * W + b.V * W, b.V = b.V + 2.0 * b.U;
    }
  }
}

DenseMatrix MovingAxes::times(const DenseMatrix& a, Part part) const {
  DenseMatrix out(a.rows, a.cols);
  for (const Block& b : blocks_) {
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < a.rows; ++i) out(i, b.iv + k) = a(i, b.iv + k);
    }
    multiply_columns(out, b.iv, b.*part);
  }
  return out;
}
DenseMatrix MovingAxes::times(Part part, const DenseMatrix& a) const {
  DenseMatrix out(a.rows, a.cols);
  for (const Block& b : blocks_) {
    for (int j = 0; j < a.cols; ++j) {
      for (int k = 0; k < 3; ++k) out(b.iv + k, j) = a(b.iv + k, j);
    }
    multiply_rows(out, b.iv, b.*part);
  }
  return out;
}
DenseMatrix MovingAxes::times_T(DenseMatrix a) const {
  for (const Block& b : blocks_) multiply_columns(a, b.iv, b.T);
  return a;
}
DenseMatrix MovingAxes::T_times(DenseMatrix a) const {
  for (const Block& b : blocks_) multiply_rows(a, b.iv, b.T);
  return a;
}
DenseMatrix MovingAxes::back(DenseMatrix a) const {
  for (const Block& b : blocks_) multiply_rows(a, b.iv, transpose(b.T));
  return a;
}

LinearBlocks MovingAxes::blocks(const LinearBlocks& b) const {
  LinearBlocks out;
  out.M = back(times_T(b.M));
  out.D = back(sum(times_T(b.D), times(b.M, &Block::V)));
  out.K = back(sum(sum(times_T(b.K), times(b.D, &Block::U)), times(b.M, &Block::C)));
  out.G = times_T(b.G), out.F = times_T(b.F);
  out.W = sum(times_T(b.W), times(b.G, &Block::U));
  return out;
}

DenseMatrix sum(DenseMatrix a, const DenseMatrix& b, double factor) {
  for (std::size_t k = 0; k < a.value.size(); ++k) a.value[k] += factor * b.value[k];
  return a;
}

}  // namespace skyhook::analysis
