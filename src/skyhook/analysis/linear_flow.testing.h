// A linear system against the simulated motion: runs that start beside a state, at tight tolerances, and end a little later.
//
// Of a state in motion the matrix changes along the run, x' = A(t) x. Three of them, at the start, in the middle and at the end, make a parabola, and
// x is carried along it; in an equilibrium that is e^(A t) x. What the runs say is a central difference of their ends.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "skyhook/analysis/linearisation.h"
#include "skyhook/math/eigenproblem.h"
#include "skyhook/model/model.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulation.h"

namespace skyhook::analysis::testing {

// A state of a run from which others can go on.
struct FlowStart {
  std::shared_ptr<const model::Model> model;
  model::Experiment experiment;
  formalism::State state;
  std::optional<simulation::RunState> run;  // nullopt: runs begin anew from the state
};

struct FlowResult {
  std::string skipped;  // why nothing was compared; empty: it was
  double error = 0;     // of the change of x, relative to its largest entry of the same kind
  double time = 0;      // s, of the runs
  int states = 0, rows = 0, inner = 0, rotations = 0, contacts = 0;
  bool is_redundant = false;
};

namespace flow {

struct LastSample : simulation::MemorySink {
  std::optional<simulation::RunState> run;
  void sample(const simulation::Sample& s) override {
    if (s.run_state) run = *s.run_state;
  }
};

struct Piece {
  std::vector<simulation::Prepared> prepared;  // at the times asked for
  std::vector<OperatingPoint> at;
  std::string problem;
};

inline model::Experiment experiment_of(const FlowStart& s, double until) {
  model::Experiment e = s.experiment;
  e.from_time = s.state.t, e.until = until, e.output_step = 0, e.start.clear(), e.largest_step = 0;
  e.tolerance = 1e-12, e.absolute_tolerance = 1e-13, e.solver = "dopri5", e.outputs.clear();
  return e;
}

// Runs on from the state, disturbed by size times (dq, dv), and looks at the times.
inline Piece run(const FlowStart& s, const simulation::Equations* eq, const Vector& dq, const Vector& dv, double size,
                 const std::vector<double>& times) {
  Piece out;
  formalism::State state = s.state;
  const model::Experiment e = experiment_of(s, times.back());
  Vector step = dq;
  for (double& x : step) x *= size;
  if (eq) eq->plus(state.q, step);
  for (std::size_t i = 0; i < dv.size(); ++i) state.v[i] += size * dv[i];
  const simulation::Prepared p = simulation::prepare(s.model, e, &state);
  if (!p.ok()) return out.problem = p.problem(), out;
  simulation::RunOptions options;
  options.from = s.run ? &*s.run : nullptr;
  simulation::Simulation run(p, e, options);
  for (const double t : times) {
    if (!run.advance(t)) return out.problem = run.summary().reason, out;
    out.prepared.push_back(run.prepared());
    std::string problem;
    const formalism::State now = run.state();
    const auto at = in_motion(*out.prepared.back().active, now, problem);
    if (!at) return out.problem = problem, out;
    out.at.push_back(*at);
  }
  return out;
}

// Tangent coordinates from one position to another one nearby.
inline Vector between(const simulation::Equations& eq, const Vector& from, const Vector& to) {
  Vector d(static_cast<std::size_t>(eq.nv()));
  for (int i = 0; i < eq.moving(); ++i) {
    if (const int iq = eq.position_of(i); iq >= 0) d[i] = to[iq] - from[iq];
  }
  for (const auto& r : eq.rotations()) {  // twice the vector part of conj(from) to
    const double *a = &from[r.iq], *b = &to[r.iq];
    const double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -2.0 : 2.0;
    d[r.iv] = sign * (a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]);
    d[r.iv + 1] = sign * (a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3]);
    d[r.iv + 2] = sign * (a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1]);
  }
  return d;
}

// (y, y', c) of a small change of q and v.
inline Vector reduced(const simulation::Equations& eq, const OperatingPoint& at, const Linearisation& linear,
                      const Vector& dq, const Vector& dv) {
  const MovingAxes axes(eq, at);
  DenseMatrix q(eq.nv(), 1), v(eq.nv(), 1);
  q.value = dq, v.value = dv;
  const DenseMatrix p = axes.back(q), rate = axes.back(sum(v, axes.times(&MovingAxes::Block::U, p), -1));
  Vector x;
  for (const int i : linear.independent) x.push_back(p(i, 0));
  for (const int i : linear.independent) x.push_back(rate(i, 0));
  for (int i = eq.moving(); i < eq.nv(); ++i) x.push_back(dv[i]);
  return x;
}

// Where the three matrices stand between start and end. The first is a little behind the start, where a run has done its first step: a matrix that changes
// fast would be another one at the start itself (a linkage at 35 rad/s: by 0.2 %).
constexpr std::array<double, 3> along{1e-3, 0.5, 1};

// x' = A(t) x from 0 to h with A on a parabola, by many steps of Runge and Kutta.
inline Vector carried(const std::array<const DenseMatrix*, 3>& A, double h, Vector x) {
  constexpr int steps = 40;
  const auto rate = [&](double s, const Vector& at) {  // s from 0 to 1
    Vector out(at.size());
    for (std::size_t k = 0; k < 3; ++k) {
      const double a = along[(k + 1) % 3], b = along[(k + 2) % 3];
      const double weight = (s - a) * (s - b) / ((along[k] - a) * (along[k] - b));
      const Vector part = *A[k] * at;
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += weight * part[i];
    }
    return out;
  };
  const auto moved = [](Vector a, double by, const Vector& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += by * b[i];
    return a;
  };
  const double d = h / steps, ds = 1.0 / steps;
  for (int n = 0; n < steps; ++n) {
    const double s = n * ds;
    const Vector k1 = rate(s, x), k2 = rate(s + ds / 2, moved(x, d / 2, k1)),
                 k3 = rate(s + ds / 2, moved(x, d / 2, k2)), k4 = rate(s + ds, moved(x, d, k3));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += d / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return x;
}

}  // namespace flow

// Where a run of the experiment is at `t`, with all that is held there; nullopt: it does not get there.
inline std::optional<FlowStart> flow_start(std::shared_ptr<const model::Model> m, model::Experiment e, double t,
                                           const simulation::RunOptions& options = {}) {
  e.until = t;
  const simulation::Prepared p = simulation::prepare(m, e);
  if (!p.ok()) return {};
  flow::LastSample last;
  simulation::Simulation run(p, e, last, options);
  if (!run.advance(t)) return {};
  const simulation::Prepared now = run.prepared();
  FlowStart out{now.model, e, run.state(), {}};
  run.finish();
  out.run = last.run;
  return out;
}

// Along `directions` random ones of x. `sizes` of the disturbance are tried in turn, the best counts: dry friction made smooth bends within
// 1e-3 m/s and wants small ones.
inline FlowResult compare_with_flow(FlowStart s, unsigned seed, int directions = 2,
                                    const std::vector<double>& sizes = {1e-5, 1e-6}, double longest = 1e-3) {
  FlowResult out;
  const auto skip = [&](const std::string& why) { return out.skipped = why, out; };
  const flow::Piece first = flow::run(s, nullptr, {}, {}, 0, {s.state.t + 1e-9});
  if (!first.problem.empty()) return skip(first.problem);
  // From here on: a state that is off the constraints, as far as the tolerance of the run before allows, is put onto them, and disturbed ones another way.
  s.state = first.at[0].state;
  const Linearisation here = linearise(first.prepared[0], first.at[0], {.with_inputs = false});
  if (!here.problem.empty()) return skip(here.problem);
  if (here.A.rows == 0) return skip("nothing can move");
  double fastest = 0;
  for (const Complex& value : eigen_pairs(here.A).values) fastest = std::max(fastest, std::abs(value));
  out.time = std::min(0.3 / fastest, longest);
  const double t0 = s.state.t;
  std::vector<double> times;
  for (const double part : flow::along) times.push_back(t0 + part * out.time);
  const flow::Piece middle = flow::run(s, nullptr, {}, {}, 0, times);
  if (!middle.problem.empty()) return skip(middle.problem);
  std::vector<Linearisation> linear;
  for (std::size_t k = 0; k < 3; ++k) {
    linear.push_back(linearise(middle.prepared[k], middle.at[k], {.with_inputs = false}));
    if (!linear[k].problem.empty()) return skip(linear[k].problem);
    if (linear[k].independent != here.independent) return skip("independent coordinates change");
    const auto &a = *middle.prepared[0].active, &b = *middle.prepared[k].active;
    if (a.held()->signals != b.held()->signals || a.held()->modes != b.held()->modes || a.active() != b.active())
      return skip("something switches");
  }
  const simulation::Equations& eq = *middle.prepared[2].active;
  const int n = here.coordinates;
  out.states = here.A.rows, out.rows = eq.ng(), out.inner = eq.ns();
  out.rotations = static_cast<int>(eq.rotations().size());
  for (const auto& row : eq.switch_rows()) out.contacts += std::ranges::count(eq.active(), row.row) > 0;
  out.is_redundant = middle.prepared[2].all->ng() > eq.ng();
  const std::array<const DenseMatrix*, 3> A{&linear[0].A, &linear[1].A, &linear[2].A};
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int k = 0; k < directions; ++k) {
    Vector x(static_cast<std::size_t>(here.A.rows)), dq(static_cast<std::size_t>(eq.nv())), dv(dq.size());
    for (int i = 0; i < here.A.rows; ++i) x[i] = part(random) * (i < 2 * n ? 1 : eq.nominal(eq.moving() + i - 2 * n));
    for (int i = 0; i < eq.nv(); ++i) {
      for (int j = 0; j < n; ++j)
        dq[i] += here.shape(i, j) * x[j], dv[i] += here.drift(i, j) * x[j] + here.shape(i, j) * x[n + j];
      if (i >= eq.moving()) dv[i] = x[2 * n + i - eq.moving()];
    }
    const Vector expected = flow::carried(A, out.time, x);
    double best = 1e300;
    for (const double size : sizes) {
      const double by = size / std::max({1.0, largest(dq), 0.01 * largest({dv.begin(), dv.begin() + eq.moving()})});
      const flow::Piece up = flow::run(s, &eq, dq, dv, by, {t0 + out.time}),
                        down = flow::run(s, &eq, dq, dv, -by, {t0 + out.time});
      if (!up.problem.empty() || !down.problem.empty()) return skip(up.problem + down.problem);
      for (const flow::Piece* piece : {&up, &down}) {
        if (piece->prepared[0].active->held()->signals != eq.held()->signals) return skip("a controller speaks");
      }
      Vector q = flow::between(eq, down.at[0].state.q, up.at[0].state.q), v(q.size());
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = (up.at[0].state.v[i] - down.at[0].state.v[i]) / (2 * by);
      for (double& one : q) one /= 2 * by;
      const Vector found = flow::reduced(eq, middle.at[2], linear[2], q, v);
      double worst = 0;
      const auto compare = [&](int begin, int end) {
        double most = 0, off = 0;
        for (int i = begin; i < end; ++i) {
          const double unit = i < 2 * n ? 1 : eq.nominal(eq.moving() + i - 2 * n);
          most = std::max(most, std::abs(expected[i] - x[i]) / unit);
          off = std::max(off, std::abs(expected[i] - found[i]) / unit);
        }
        if (most > 0) worst = std::max(worst, off / std::max(most, 1e-3));
      };
      compare(0, n), compare(n, 2 * n), compare(2 * n, here.A.rows);
      best = std::min(best, worst);
    }
    out.error = std::max(out.error, best);
  }
  return out;
}

}  // namespace skyhook::analysis::testing
