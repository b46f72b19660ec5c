#include "skyhook/analysis/free_directions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skyhook/analysis/free_motions.h"
#include "skyhook/analysis/index_range.h"

namespace skyhook::analysis {
namespace {

// Squares of angular frequencies that count as none: slower than a thousandth of a hertz over 2 pi, or rounding.
double counts_as_none(double stiffest) { return std::max(1e-7, 1e-12 * stiffest); }

Vector root_masses(const Statics& s) {
  const Csc& M = s.mass();
  Vector out(s.equations().moving());
  double most = 0;
  for (int j = 0; j < static_cast<int>(out.size()); ++j) most = std::max(most, out[j] = M.at(j, j));
  for (double& x : out) x = std::sqrt(std::max({x, 1e-9 * most, 1e-300}));
  return out;
}

std::vector<int> not_held(const Statics& s) {
  std::vector<int> out;
  for (int i = 0; i < s.equations().moving(); ++i) {
    if (!s.is_held(i)) out.push_back(i);
  }
  return out;
}

// K of the coordinates once the inner states have followed: K_qq - K_qc K_cc^-1 K_cq.
DenseMatrix condensed(const Statics& s, const std::vector<int>& q) {
  const DenseMatrix all = s.stiffness();
  DenseMatrix K = all.select(q, q);
  const std::vector<int> c = index_range(s.equations().moving(), s.equations().nv());
  if (c.empty()) return K;
  const DenseMatrix to_force = all.select(q, c), of_position = all.select(c, q);
  const LeastNorm follow(all.select(c, c), 1e-13);
  for (int j = 0; j < K.cols; ++j) {
    const auto column = of_position.value.begin() + static_cast<long>(j) * of_position.rows;
    const Vector force = to_force * follow.solve(Vector(column, column + of_position.rows));
    for (int i = 0; i < K.rows; ++i) K(i, j) -= force[i];
  }
  return K;
}

void add_row_forces(const Statics& s, const Vector& root, std::vector<FreeDirection>& list) {
  for (FreeDirection& one : list) {
    double size = 0, sum = 0;
    for (std::size_t i = 0; i < root.size(); ++i)
      size += std::pow(root[i] * one.motion[i], 2), sum -= s.tau[i] * one.motion[i];
    one.force = size > 0 ? sum : 0.0;
  }
}

// Columns of Z are in mass units; each is called after the coordinate that it has to itself.
std::vector<FreeDirection> named(const Statics& s, DenseMatrix Z, const std::vector<int>& q, const Vector& root) {
  const auto& eq = s.equations();
  const std::vector<int> own = own_coordinates(Z);
  std::vector<FreeDirection> out;
  for (int c = 0; c < Z.cols; ++c) {
    FreeDirection one{eq.freedom_name(q[own[c]]), Vector(eq.moving()), 0, q[own[c]]};
    int told = 0;
    for (int i = 0; i < Z.rows; ++i) {
      one.motion[q[i]] = Z(i, c) * root[q[own[c]]] / root[q[i]];
      if (std::ranges::count(own, i) == 0 && std::abs(Z(i, c)) > 0.3 && told < 3)
        one.name += (told++ == 0 ? " with " : ", ") + eq.freedom_name(q[i]);
    }
    out.push_back(std::move(one));
  }
  return out;
}

Judgement judge_dense(Statics& s) {
  Judgement out;
  const auto& eq = s.equations();
  const std::vector<int> q = not_held(s);
  const Vector root = root_masses(s);
  std::vector<int> on;
  for (int k = 0; k < eq.ng(); ++k) {
    if (s.is_on(k)) on.push_back(k);
  }
  DenseMatrix K = condensed(s, q), G = DenseMatrix(s.jacobian()).select(on, q);
  for (int j = 0; j < K.cols; ++j) {
    for (int i = 0; i < K.rows; ++i) K(i, j) /= root[q[i]] * root[q[j]];
    for (int i = 0; i < G.rows; ++i) G(i, j) /= root[q[j]];
  }
  for (int i = 0; i < G.rows; ++i) {  // rows of lengths and of angles alike
    double size = 0;
    for (int j = 0; j < G.cols; ++j) size = std::max(size, std::abs(G(i, j)));
    for (int j = 0; j < G.cols && size > 0; ++j) G(i, j) /= size;
  }
  const DenseMatrix Z = null_space(G, 1e-8);
  if (Z.cols == 0) return out;
  const DenseMatrix reduced = transpose(Z) * (K * Z), turned = transpose(reduced);
  DenseMatrix symmetric = reduced;
  for (std::size_t k = 0; k < symmetric.value.size(); ++k)
    symmetric.value[k] = 0.5 * (reduced.value[k] + turned.value[k]);
  const Vector values = symmetric_eigenvalues(symmetric);
  const double stiffest = largest(values), none = counts_as_none(stiffest);
  out.stable = values.front() > -none;
  // Most equilibria have no free direction, and then no eigenvalue is near zero.
  if (std::ranges::none_of(values, [&](double x) { return std::abs(x) < 100 * none; })) return out;
  const DenseMatrix still =
      stiffest > none ? null_space(reduced, std::min(1.0, none / stiffest)) : null_space(DenseMatrix(1, Z.cols), 0.5);
  out.free = named(s, Z * still, q, root);
  add_row_forces(s, root, out.free);
  return out;
}

// Directions with K x = 0 by inverse iteration with K + s M.
void find_free_sparse(Statics& s, Judgement& out) {
  constexpr int vectors = 8, rounds = 6;
  constexpr double shift = 1e-3;
  const auto& eq = s.equations();
  const int n = eq.nv(), all = n + eq.ng();
  const Vector root = root_masses(s);
  if (!s.factor(shift)) return;
  const auto inner = [&](const Vector& a, const Vector& b) {
    Vector Mb(n);
    multiply_add(s.mass(), CSpan(b).first(n), 1.0, Mb);
    return std::inner_product(Mb.begin(), Mb.end(), a.begin(), 0.0);
  };
  std::vector<Vector> x(vectors, Vector(all));
  double seed = 0.3;
  for (Vector& one : x) {
    for (int i = 0; i < eq.moving(); ++i) {
      seed = std::fmod(seed * 3.9 * (1 - seed) + 1e-9, 1.0);  // no two alike, and the same on each machine
      one[i] = s.is_held(i) ? 0.0 : (seed - 0.5) / root[i];
    }
  }
  std::vector<double> value(vectors);
  for (int round = 0; round < rounds; ++round) {
    for (int k = 0; k < vectors; ++k) {
      Vector y(all);
      multiply_add(s.mass(), CSpan(x[k]).first(n), 1.0, Span(y).first(n));
      for (const int iv : s.motion().held()) y[iv] = 0;
      s.solve(y);
      for (int j = 0; j < k; ++j) {
        const double part = inner(x[j], y);
        for (int i = 0; i < n; ++i) y[i] -= part * x[j][i];
      }
      const double size = std::sqrt(std::max(inner(y, y), 1e-300)),
                   before = std::sqrt(std::max(inner(x[k], x[k]), 1e-300));
      value[k] = before / size - shift;  // of the direction that it converges to
      for (int i = 0; i < all; ++i) y[i] = i < n ? y[i] / size : 0.0;
      x[k] = std::move(y);
    }
  }
  const std::vector<int> q = not_held(s);
  std::vector<int> found;
  for (int k = 0; k < vectors; ++k) {
    if (std::abs(value[k]) < counts_as_none(0)) found.push_back(k);
  }
  DenseMatrix Z(static_cast<int>(q.size()), static_cast<int>(found.size()));
  for (int c = 0; c < Z.cols; ++c) {
    for (int i = 0; i < Z.rows; ++i) Z(i, c) = x[found[c]][q[i]] * root[q[i]];
  }
  if (Z.cols > 0) out.free = named(s, Z, q, root), add_row_forces(s, root, out.free);
}

Judgement judge_sparse(Statics& s) {
  constexpr double slow = 1e-3;  // 1/s^2: pivots of thousands of free directions are not known better
  Judgement out;
  s.factor(slow);
  const std::optional<int> downward = s.downward_directions();
  out.is_known = downward.has_value();
  out.stable = downward.value_or(0) == 0;
  find_free_sparse(s, out);
  return out;
}

}  // namespace

Judgement judge(Statics& s, Judge how) {
  if (s.equations().moving() == 0) return {};
  const bool dense = how == Judge::dense || (how == Judge::by_size && s.equations().nv() <= most_dense);
  return dense ? judge_dense(s) : judge_sparse(s);
}

}  // namespace skyhook::analysis
