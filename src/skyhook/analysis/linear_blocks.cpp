#include "skyhook/analysis/linear_blocks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "skyhook/corrector/column_groups.h"
#include "skyhook/formalism/block_store.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;

std::string not_evaluated(const Equations::Workspace& ws) {
  return "The forces cannot be differentiated there: " + ws.blame() + ".";
}

// Columns that meet neither in a row of tau nor in a constraint share an evaluation.
Pattern of_all_rows(const Equations& eq) {
  PatternBuilder all(eq.nv() + eq.ng(), eq.nv());
  const auto add = [&](const Pattern& p, int below) {
    for (int j = 0; j < p.cols; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) all.add(below + p.row[k], j);
    }
  };
  add(eq.tangent_pattern(), 0), add(eq.constraint_pattern(), eq.nv());
  return all.build();
}

// Residuals beside the point, and what differs between two of them.
class Differences {
 public:
  Differences(const Equations& eq, const OperatingPoint& at, LinearBlocks& out)
      : eq_(eq), at_(at), out_(out), pattern_(of_all_rows(eq)), ws_(eq.workspace()), qdot_(eq.nq()), step_(eq.nv()) {
    for (Side* side : {&up_, &down_}) side->tau.resize(eq.nv()), side->g.resize(eq.ng()), side->rate.resize(eq.ng());
  }
  bool run() {
    const auto positions = [](Shift& s) -> std::vector<double>& { return s.q; };
    const auto velocities = [](Shift& s) -> std::vector<double>& { return s.v; };
    const auto accelerations = [](Shift& s) -> std::vector<double>& { return s.a; };
    for (const auto& group : group_columns(pattern_)) {
      if (!look(group, positions)) return false;
      take(group, &out_.K, &out_.G, &out_.W);
      if (!look(group, velocities)) return false;
      take(group, &out_.D, nullptr, nullptr);
      if (!look(group, accelerations)) return false;
      take(group, &out_.M, nullptr, nullptr);
    }
    return by_multipliers();
  }

 private:
  struct Side {
    std::vector<double> tau, g, rate;
  };
  struct Shift {
    std::vector<double> q, v, a, lambda;
  };
  static constexpr double h_ = 1e-6;  // of usual sizes

  bool residual(const Shift& d, Side& to) {
    std::vector<double> q = at_.state.q, v = at_.state.v, a = at_.a, lambda = at_.lambda;
    eq_.plus(q, d.q);
    for (int i = 0; i < eq_.nv(); ++i) v[i] += d.v[i], a[i] += d.a[i];
    for (int k = 0; k < eq_.ng(); ++k) lambda[k] += d.lambda[k];
    formalism::Input in = at_.input();
    in.q = q, in.v = v, in.a = a, in.lambda = lambda;
    ++out_.evaluations;
    if (eq_.residual(in, {to.tau, qdot_, to.g, to.rate}, ws_) == Eval::ok) return true;
    out_.problem = not_evaluated(ws_);
    return false;
  }
  template <class Which>
  bool look(const std::vector<int>& columns, Which which) {
    Shift d{Vector(eq_.nv()), Vector(eq_.nv()), Vector(eq_.nv()), Vector(eq_.ng())};
    for (const int j : columns) which(d)[j] = step_[j] = h_ * eq_.nominal(j);
    if (!residual(d, up_)) return false;
    for (const int j : columns) which(d)[j] = -step_[j];
    return residual(d, down_);
  }
  void take(const std::vector<int>& columns, DenseMatrix* of_tau, DenseMatrix* of_g, DenseMatrix* of_rate) {
    for (const int j : columns) {
      for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k) {
        const int i = pattern_.row[k], row = i - eq_.nv();
        const auto slope = [&](const std::vector<double>& up, const std::vector<double>& down, int at) {
          return (up[at] - down[at]) / (2 * step_[j]);
        };
        if (row < 0) {
          (*of_tau)(i, j) = slope(up_.tau, down_.tau, i);
        } else {
          if (of_g) (*of_g)(row, j) = slope(up_.g, down_.g, row);
          if (of_rate) (*of_rate)(row, j) = slope(up_.rate, down_.rate, row);
        }
      }
    }
  }
  bool by_multipliers() {  // of friction that depends on them
    std::set<int> rows;
    for (const auto& load : eq_.loads()) rows.insert(load.row);
    for (const int r : rows) {
      Shift d{Vector(eq_.nv()), Vector(eq_.nv()), Vector(eq_.nv()), Vector(eq_.ng())};
      const double h = h_ * std::max(1.0, std::abs(at_.lambda[r]));
      d.lambda[r] = h;
      if (!residual(d, up_)) return false;
      d.lambda[r] = -h;
      if (!residual(d, down_)) return false;
      for (int i = 0; i < eq_.nv(); ++i) out_.F(r, i) = (up_.tau[i] - down_.tau[i]) / (2 * h) - out_.G(r, i);
    }
    return true;
  }

  const Equations& eq_;
  const OperatingPoint& at_;
  LinearBlocks& out_;
  Pattern pattern_;
  Equations::Workspace ws_;
  std::vector<double> qdot_, step_;
  Side up_, down_;
};

}  // namespace

LinearBlocks exact_blocks(const Equations& eq, const OperatingPoint& at) {
  LinearBlocks out;
  formalism::BlockStore store(eq);
  auto ws = eq.workspace();
  if (eq.derivatives(at.input(), store.blocks(), ws) != Eval::ok) return out.problem = not_evaluated(ws), out;
  out.K = DenseMatrix(store.stiffness()), out.D = DenseMatrix(store.damping()), out.M = DenseMatrix(store.mass());
  out.G = DenseMatrix(store.jacobian()), out.W = DenseMatrix(store.g_rate_part());
  out.F = DenseMatrix(store.friction());
  for (const DenseMatrix* m : {&out.K, &out.D, &out.M, &out.G, &out.W, &out.F}) {
    if (!m->is_finite()) out.problem = "A derivative of the forces is no finite number there.";
  }
  return out;
}

LinearBlocks difference_blocks(const Equations& eq, const OperatingPoint& at) {
  LinearBlocks out;
  const int n = eq.nv(), m = eq.ng();
  out.K = out.D = out.M = DenseMatrix(n, n), out.G = out.W = out.F = DenseMatrix(m, n);
  Differences(eq, at, out).run();
  return out;
}

}  // namespace skyhook::analysis
