#include "skyhook/analysis/tangent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skyhook/formalism/characteristic_length.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;

Vector column(const DenseMatrix& a, int j) {
  const auto first = a.value.begin() + static_cast<long>(j) * a.rows;
  return Vector(first, first + a.rows);
}
void set_column(DenseMatrix& a, int j, const Vector& x) {
  std::copy(x.begin(), x.begin() + a.rows, a.value.begin() + static_cast<long>(j) * a.rows);
}

// Light coordinates that the constraints bear on most become dependent, as of formalism::choose_dependent().
PivotedColumns pivots(const Equations& eq, const LinearBlocks& b) {
  constexpr double dependent_row = 1e-8;
  const double length = formalism::characteristic_length(eq.model());
  double heaviest = 1e-300;
  for (int j = 0; j < eq.moving(); ++j) heaviest = std::max(heaviest, b.M(j, j));
  DenseMatrix scaled(eq.ng(), eq.moving());
  for (int j = 0; j < scaled.cols; ++j) {
    const double by = 1 / std::sqrt(std::max(b.M(j, j), 1e-9 * heaviest));
    for (int i = 0; i < scaled.rows; ++i)
      scaled(i, j) = by * b.G(i, j) / (eq.rows()[eq.active()[i]].is_moment ? 1.0 : length);
  }
  return pivot_columns(scaled, dependent_row);
}

bool moves(const Equations& eq, const OperatingPoint& at) {
  bool any = false;
  for (int i = 0; i < eq.moving(); ++i) any = any || at.state.v[static_cast<std::size_t>(i)] != 0;
  for (std::size_t k = 1; k < at.u.size(); k += 3) any = any || at.u[k] != 0;
  return any && !at.stands;
}

// [1; -G_d^-1 G_i]
DenseMatrix null_columns(const DenseMatrix& G, const Tangent& t, int size) {
  DenseMatrix Z(size, static_cast<int>(t.independent.size()));
  for (int j = 0; j < Z.cols; ++j) Z(t.independent[j], j) = 1;
  if (t.dependent.empty()) return Z;
  const DependentPart part(G, t);
  for (int j = 0; j < Z.cols; ++j) {
    Vector right = column(G, t.independent[j]);
    for (double& x : right) x = -x;
    const Vector x = part.solve(right);
    for (const int d : t.dependent) Z(d, j) = x[d];
  }
  return Z;
}

// How Z changes along the motion: from the constraints at the levels of velocity and acceleration.
void find_rates(const Equations& eq, const OperatingPoint& at, const LinearBlocks& b, const MovingAxes& axes,
                Tangent& t) {
  const DependentPart part(b.G, t);
  DenseMatrix Z(eq.nv(), t.Z.cols), rate(eq.nv(), t.Z.cols);
  for (int j = 0; j < t.Z.cols; ++j) {
    Vector z = column(t.Z, j);
    z.resize(static_cast<std::size_t>(eq.nv()));
    set_column(Z, j, z);
    Vector right = b.W * z;
    for (double& x : right) x = -x;
    set_column(rate, j, part.solve(right));
  }
  using Block = MovingAxes::Block;
  const DenseMatrix dq = axes.T_times(Z), dv = sum(axes.T_times(rate), axes.times(&Block::U, Z)),
                    da = sum(axes.times(&Block::V, rate), axes.times(&Block::C, Z));
  const Vector no_u(at.u.size());
  for (int j = 0; j < t.Z.cols; ++j) {
    set_column(t.Z_rate, j, column(rate, j));
    Vector right = change_of_acceleration_rows(eq, at, column(dq, j), column(dv, j), column(da, j), no_u);
    for (double& x : right) x = -x;
    set_column(t.Z_curve, j, part.solve(right));
  }
}

}  // namespace

Tangent tangent_of(const Equations& eq, const OperatingPoint& at, const LinearBlocks& b, const MovingAxes& axes) {
  Tangent t;
  const int n = eq.moving();
  std::vector<char> is_dependent(static_cast<std::size_t>(n), 0);
  if (eq.ng() > 0 && n > 0) {
    const PivotedColumns p = pivots(eq, b);
    if (p.rank < eq.ng())
      return t.problem = "The position is singular: the constraints leave more motions free than in positions nearby.",
             t;
    for (int k = 0; k < p.rank; ++k) is_dependent[static_cast<std::size_t>(p.order[k])] = 1;
  }
  for (int j = 0; j < n; ++j) (is_dependent[static_cast<std::size_t>(j)] ? t.dependent : t.independent).push_back(j);
  t.Z = null_columns(b.G, t, n);
  t.Y = t.Z;
  t.Z_rate = t.Z_curve = DenseMatrix(n, t.Z.cols);
  if (t.dependent.empty()) return t;
  if (!eq.loads().empty()) {
    DenseMatrix with_friction = b.G;
    for (std::size_t k = 0; k < b.F.value.size(); ++k) with_friction.value[k] += b.F.value[k];
    t.Y = null_columns(with_friction, t, n);
  }
  if (moves(eq, at)) find_rates(eq, at, b, axes, t);
  return t;
}

DependentPart::DependentPart(const DenseMatrix& G, const Tangent& t)
    : factors_([&] {
        std::vector<int> rows(static_cast<std::size_t>(G.rows));
        std::iota(rows.begin(), rows.end(), 0);
        return LeastNorm(G.select(rows, t.dependent), 1e-14);
      }()),
      dependent_(t.dependent),
      size_(G.cols) {}

Vector DependentPart::solve(const Vector& right) const {
  Vector x(static_cast<std::size_t>(size_));
  const Vector found = factors_.solve(right);
  for (std::size_t k = 0; k < dependent_.size(); ++k) x[static_cast<std::size_t>(dependent_[k])] = found[k];
  return x;
}

Vector change_of_acceleration_rows(const Equations& eq, const OperatingPoint& at, const Vector& dq, const Vector& dv,
                                   const Vector& da, const Vector& du) {
  // The rows are polynomials of second degree in v and linear in a: only positions ask for a small step.
  constexpr double small = 1e-3;
  const double size = std::max(largest(dq), largest(du));
  const double h = size > 0 ? small / size : 1.0;
  auto ws = eq.workspace();
  const auto rows = [&](double e) {
    Vector q = at.state.q, v = at.state.v, a = at.a, u = at.u, step = dq, out(static_cast<std::size_t>(eq.ng()));
    for (double& x : step) x *= e;
    eq.plus(q, step);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += e * dv[i], a[i] += e * da[i];
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += e * du[k];
    formalism::Input in = at.input();
    in.q = q, in.v = v, in.a = a, in.u = u;
    if (eq.constraint_accelerations(in, out, ws) != Eval::ok) std::ranges::fill(out, std::nan(""));
    return out;
  };
  const Vector p1 = rows(h), m1 = rows(-h), p2 = rows(2 * h), m2 = rows(-2 * h);
  Vector out(p1.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = (8 * (p1[k] - m1[k]) - (p2[k] - m2[k])) / (12 * h);
  return out;
}

}  // namespace skyhook::analysis
