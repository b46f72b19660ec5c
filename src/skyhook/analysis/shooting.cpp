#include "skyhook/analysis/shooting.h"

#include <algorithm>
#include <cmath>

namespace skyhook::analysis {
namespace {

constexpr int samples_of_cycle = 200;
// Differences, in scales: what the flow bends over it is as much as what the tolerance of runs leaves open.
double difference_of(const FlowMap& flow) { return 3 * std::sqrt(flow.tolerance()); }

// Size of motions, for the absolute tolerance of runs.
double size_of(const CycleScales& scales) { return scales.most[static_cast<int>(FlowMap::Kind::position)]; }

// Steps of differences. States that hardly move along the cycle are moved by as much as those of their kind that do: steps in their own size would be lost in the
// tolerance of runs.
Vector steps_of(const FlowMap& flow, const CycleScales& scales) {
  Vector out;
  for (int k = 0; k < flow.size(); ++k)
    out.push_back(difference_of(flow) * std::max(scales.x[static_cast<std::size_t>(k)],
                                                 flow.nominal(k) * scales.most[static_cast<int>(flow.kind(k))]));
  return out;
}

void set_column(DenseMatrix& m, int j, const Vector& a, const Vector& b, double h) {
  for (int i = 0; i < m.rows; ++i) m(i, j) = (a[i] - b[i]) / h;
}

}  // namespace

Passage Shooting::run(const CyclePoint& at, const CycleScales& scales) const {
  ++runs_;
  return flow_.run(at.p, at.x, at.T, size_of(scales), samples_of_cycle);
}

ShootingMatrix Shooting::matrix(const CyclePoint& at, const Passage& passage, const CycleScales& scales,
                                std::string& problem) const {
  const int n = size();
  ShootingMatrix out{DenseMatrix(n, n), DenseMatrix(n, n), passage.rate, Vector(static_cast<std::size_t>(n))};
  const auto beside = [&](const CyclePoint& point) {
    ++runs_;
    Passage found = flow_.run(point.p, point.x, point.T, size_of(scales), 1);
    if (!found.problem.empty()) problem = found.problem;
    return found;
  };
  const Vector steps = steps_of(flow_, scales);
  for (int j = 0; j < n && problem.empty(); ++j) {
    CyclePoint point = at;
    const double h = steps[static_cast<std::size_t>(j)];
    point.x[j] += h;
    const Passage found = beside(point);
    if (!problem.empty()) break;
    set_column(out.end, j, found.end(), passage.end(), h), set_column(out.start, j, found.start(), passage.start(), h);
  }
  CyclePoint point = at;
  const double h = difference_of(flow_) * scales.p;
  point.p += h;
  if (!problem.empty()) return out;
  const Passage found = beside(point);
  if (!problem.empty()) return out;
  const Vector moved = gap_of(found), gap = gap_of(passage);
  for (int i = 0; i < n; ++i) out.by_p[i] = (moved[i] - gap[i]) / h;
  return out;
}

CycleScales Shooting::scales_of(const Passage& passage, double T, double p_scale) const {
  constexpr double hardly = 0.03;
  // Of a wheel that spins at 100 rad/s a run at 1e-8 knows the rate to 1e-6 rad/s, however little it swings about that.
  constexpr double of_carried = 1e-3;
  const int n = size();
  const double root = std::sqrt(static_cast<double>(n));
  CycleScales out{.x = Vector(static_cast<std::size_t>(n)), .T = T, .p = p_scale};
  for (int i = 0; i < n; ++i) {
    double low = passage.x.front()[i], high = low;
    for (const Vector& x : passage.x) low = std::min(low, x[i]), high = std::max(high, x[i]);
    out.x[i] = 0.5 * root * (high - low) / flow_.nominal(i);
    double& group = out.most[static_cast<int>(flow_.kind(i))];
    group = std::max(group, out.x[i]);
  }
  for (int i = 0; i < n; ++i) {
    const double group = out.most[static_cast<int>(flow_.kind(i))];
    out.x[i] =
        std::max(flow_.nominal(i) * std::max({out.x[i], hardly * group, 1e-12 * root}), of_carried * flow_.carried(i));
  }
  return out;
}

namespace {

// end start^-1 = (start^-T end^T)^T, row by row; in scales.
DenseMatrix monodromy_of(const ShootingMatrix& m, const CycleScales& s) {
  const LeastNorm factors(transpose(m.start), 1e-12);
  DenseMatrix out(m.end.rows, m.end.cols);
  for (int i = 0; i < m.end.rows; ++i) {
    Vector row(static_cast<std::size_t>(m.end.cols));
    for (int j = 0; j < m.end.cols; ++j) row[j] = m.end(i, j);
    row = factors.solve(row);
    for (int j = 0; j < m.end.cols; ++j) out(i, j) = row[j] * s.x[j] / s.x[i];
  }
  return out;
}

}  // namespace

Multipliers multipliers_of(const ShootingMatrix& m, const Vector& rate, const CycleScales& s) {
  DenseMatrix M = monodromy_of(m, s);
  const int n = M.rows;
  Vector f(rate.size());
  double size = 0;
  for (int i = 0; i < n; ++i) f[i] = rate[i] / s.x[i], size += f[i] * f[i];
  for (double& x : f) x /= std::sqrt(size);
  Multipliers out;
  const Vector carried = M * f;
  for (int i = 0; i < n; ++i) out.own += (carried[i] - f[i]) * (carried[i] - f[i]);
  out.own = std::sqrt(out.own);
  for (int j = 0; j < n; ++j) {
    double along = 0;
    for (int i = 0; i < n; ++i) along += f[i] * M(i, j);
    for (int i = 0; i < n; ++i) M(i, j) -= along * f[i];
  }
  out.values = eigen_pairs(M).values;
  std::ranges::stable_sort(out.values, [](const Complex& a, const Complex& b) { return std::abs(a) > std::abs(b); });
  out.values.pop_back();  // zero, along the flow
  return out;
}

Vector gap_of(const Passage& passage) {
  Vector out = passage.end();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= passage.start()[i];
  return out;
}

}  // namespace skyhook::analysis
