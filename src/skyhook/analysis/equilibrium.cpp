#include "skyhook/analysis/equilibrium.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "skyhook/formalism/recursive/block_store.h"

namespace skyhook::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using formalism::recursive::Equations;

MatrixXd dense(const Csc& a) {
  MatrixXd m = MatrixXd::Zero(a.pattern->rows, a.pattern->cols);
  for (int j = 0; j < a.pattern->cols; ++j) {
    for (int k = a.pattern->start[j]; k < a.pattern->start[j + 1]; ++k) m(a.pattern->row[k], j) = a.value[k];
  }
  return m;
}

// Static residual and its derivatives at a position.
struct Statics {
  const Equations& eq;
  formalism::recursive::BlockStore store;
  Equations::Workspace ws;
  std::vector<double> zero_v, zero_g, lambda, tau, qdot, g, rate;
  MatrixXd K, M, G;

  explicit Statics(const Equations& e)
      : eq(e), store(e), ws(e.workspace()), zero_v(e.nv()), zero_g(e.ng()), lambda(e.ng()), tau(e.nv()), qdot(e.nq()), g(e.ng()), rate(e.ng()) {}

  formalism::recursive::Input input(const formalism::State& s) const { return {s.t, s.q, zero_v, zero_v, lambda, zero_g}; }
  bool residual(const formalism::State& s) { return eq.residual(input(s), {tau, qdot, g, rate}, ws) == Eval::ok; }
  bool derivatives(const formalism::State& s) {
    if (eq.derivatives(input(s), store.blocks(), ws) != Eval::ok) return false;
    K = dense(store.stiffness()), M = dense(store.mass()), G = dense(store.jacobian());
    return K.allFinite() && M.allFinite() && G.allFinite();
  }
  VectorXd force() const { return Eigen::Map<const VectorXd>(tau.data(), eq.nv()); }
  VectorXd gap() const { return Eigen::Map<const VectorXd>(g.data(), eq.ng()); }
  void balance() {  // multipliers that leave the least force
    if (eq.ng() == 0) return;
    const VectorXd d = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(G.transpose()).solve(-force());
    for (int k = 0; k < eq.ng(); ++k) lambda[k] += d[k];
  }
};

// Largest generalised force that any single source exerts: the scale against which "zero" is judged.
double force_scale(Statics& s, const formalism::State& state) {
  const std::vector<double> keep = s.lambda;
  std::fill(s.lambda.begin(), s.lambda.end(), 0.0);
  s.residual(state);
  double scale = s.force().lpNorm<Eigen::Infinity>();
  for (const auto& node : s.eq.tree().nodes) scale = std::max(scale, 1e-3 * node.mass * norm(s.eq.gravity()));
  s.lambda = keep;
  return scale > 0 ? scale : 1.0;
}

void judge(const Statics& s, Equilibrium& out) {
  MatrixXd Z = MatrixXd::Identity(s.eq.nv(), s.eq.nv());
  if (s.eq.ng() > 0) {
    Eigen::ColPivHouseholderQR<MatrixXd> qr(s.G.transpose());
    qr.setThreshold(1e-8);
    const MatrixXd Q = qr.householderQ();
    Z = Q.rightCols(s.eq.nv() - qr.rank());
  }
  if (Z.cols() == 0) return;
  const MatrixXd k = Z.transpose() * 0.5 * (s.K + s.K.transpose()) * Z;
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(k, Eigen::EigenvaluesOnly).eigenvalues();
  const double size = std::max(values.cwiseAbs().maxCoeff(), 1e-300);
  out.stable = values.minCoeff() > -1e-9 * size;
  out.unique = values.cwiseAbs().minCoeff() > 1e-9 * size;
}

}  // namespace

Equilibrium find_equilibrium(const simulation::Prepared& prepared) {
  constexpr int most = 500;
  constexpr double longest_step = 0.3;  // rad or m
  const Equations& eq = *prepared.active;
  Equilibrium out;
  out.state = prepared.state;
  std::fill(out.state.v.begin(), out.state.v.end(), 0.0);
  Statics s(eq);
  if (!prepared.ok()) return out.problem = prepared.problem(), out;
  if (!s.residual(out.state) || !s.derivatives(out.state)) return out.problem = "The forces cannot be evaluated at the start: " + s.ws.blame + ".", out;
  const double scale = force_scale(s, out.state), length = formalism::characteristic_length(eq.model());
  s.residual(out.state), s.balance(), s.residual(out.state), s.derivatives(out.state);
  auto size = [&] { return std::max(s.force().lpNorm<Eigen::Infinity>() / scale, eq.ng() ? s.gap().lpNorm<Eigen::Infinity>() / length : 0.0); };
  double last = size(), stiffness = 100.0;  // 1 / tau^2
  const int nv = eq.nv(), n = nv + eq.ng();
  for (out.iterations = 0; out.iterations < most && last > 1e-11; ++out.iterations) {
    MatrixXd A = MatrixXd::Zero(n, n);
    A.topLeftCorner(nv, nv) = s.K + stiffness * s.M;
    A.topRightCorner(nv, eq.ng()) = s.G.transpose();
    A.bottomLeftCorner(eq.ng(), nv) = s.G;
    VectorXd b(n);
    b << -s.force(), -s.gap();
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(1e-13);
    solver.compute(A);
    VectorXd step = solver.solve(b);
    if (!step.allFinite()) break;
    const double longest = step.head(nv).lpNorm<Eigen::Infinity>();
    if (longest > longest_step) step *= longest_step / longest;
    formalism::State next = out.state;
    eq.plus(next.q, {step.data(), static_cast<std::size_t>(nv)});
    for (int k = 0; k < eq.ng(); ++k) s.lambda[k] += step[nv + k];
    const std::vector<double> kept = s.lambda;
    if (!s.residual(next) || !s.derivatives(next)) {  // an element cannot be evaluated there: be more careful
      stiffness *= 10;
      s.residual(out.state), s.derivatives(out.state);
      continue;
    }
    out.state = next;
    const double now = size();
    stiffness = std::min(1e12, stiffness * std::clamp(now / last, 0.1, 2.0));
    if (now < 1e-6) stiffness *= 1e-2;
    last = now;
  }
  out.residual = last;
  out.found = last < 1e-8;
  if (out.found) judge(s, out);
  else {
    int worst = 0;
    for (int i = 0; i < nv; ++i) {
      if (std::abs(s.tau[i]) > std::abs(s.tau[worst])) worst = i;
    }
    out.problem = fmt::format("No equilibrium found in {} iterations: {} still feels {:.3g} of the largest force. Something may be free to fall; "
                              "check that springs or joints carry it, or start nearer.", out.iterations, eq.tree().v_owner[worst], last);
  }
  return out;
}

}  // namespace skyhook::analysis
