#include "skyhook/analysis/kinematic_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/equilibrium.h"
#include "skyhook/formalism/assembly.h"
#include "skyhook/formalism/block_store.h"
#include "skyhook/formalism/fit_velocities.h"
#include "skyhook/simulation/freedoms.h"

namespace skyhook::analysis {
namespace {

using Equations = formalism::EquationsOfMotion;
using formalism::State;
using Way = model::Kinematics::Mode;

constexpr int most_halvings = 14;  // of the distance between two points

// The static equations at a position, with their derivatives along s.
class StaticsOnPath {
 public:
  StaticsOnPath(const Equations& eq, const Pace& pace)
      : eq_(eq),
        pace_(pace),
        store_(eq),
        ws_(eq.workspace()),
        zero_v_(eq.nv()),
        zero_g_(eq.ng()),
        tau_(eq.nv()),
        qdot_(eq.nq()),
        g_(eq.ng()),
        rate_(eq.ng()) {}

  double slowness() const { return pace_.slowness; }
  // Forces of the constraints that leave the least of the others.
  Vector balance(const State& s) {
    Vector lambda(static_cast<std::size_t>(eq_.ng()), 0.0);
    if (eq_.ng() == 0 || !residual(s, s.t, lambda) || !derivatives(s, lambda)) return lambda;
    const Vector step = LeastNorm(transpose(G), 1e-12).solve(tau_);
    for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] = -step[k];
    return lambda;
  }

  // The slopes of positions and multipliers; with `v` given those of the multipliers alone.
  bool slopes(const State& s, const Vector& lambda, bool moves_are_known, Vector& v, Vector& slope) {
    const int nv = eq_.nv(), ng = eq_.ng();
    if (!derivatives(s, lambda)) return false;
    const Vector along = forces_along(s, lambda);
    Vector rate(zero_g_), g(zero_g_);
    eq_.constraints(s.t, s.q, zero_v_, g, rate, ws_);
    for (double& x : rate) x *= pace_.slowness;
    if (moves_are_known) {
      Vector b = K * v;
      for (int i = 0; i < nv; ++i) b[i] += along[i];
      slope.assign(static_cast<std::size_t>(ng), 0.0);
      if (ng > 0) slope = LeastNorm(transpose(G), 1e-12).solve(b);
      for (double& x : slope) x = -x;
      return true;
    }
    DenseMatrix a(nv + ng, nv + ng);
    Vector b(static_cast<std::size_t>(nv + ng));
    for (int j = 0; j < nv; ++j) {
      for (int i = 0; i < nv; ++i) a(i, j) = K(i, j);
      for (int k = 0; k < ng; ++k) a(nv + k, j) = a(j, nv + k) = G(k, j);
    }
    for (int i = 0; i < nv; ++i) b[i] = -along[i];
    for (int k = 0; k < ng; ++k) b[nv + k] = -rate[k];
    const Vector x = LeastNorm(a, 1e-13).solve(b);
    v.assign(x.begin(), x.begin() + nv), slope.assign(x.begin() + nv, x.end());
    return std::isfinite(largest(x));
  }

 private:
  formalism::Input input(const State& s, double t, const Vector& lambda) {
    std::copy(s.v.begin() + eq_.moving(), s.v.end(), zero_v_.begin() + eq_.moving());
    return {t, s.q, zero_v_, no_acceleration(), lambda, zero_g_, formalism::Drives::stand};
  }
  CSpan no_acceleration() {
    accelerations_.assign(static_cast<std::size_t>(eq_.nv()), 0.0);
    return accelerations_;
  }
  bool residual(const State& s, double t, const Vector& lambda) {
    return eq_.residual(input(s, t, lambda), {tau_, qdot_, g_, rate_}, ws_) == Eval::ok;
  }
  // Of inner states, whose columns are among those of v, as well.
  bool derivatives(const State& s, const Vector& lambda) {
    if (eq_.derivatives(input(s, s.t, lambda), store_.blocks(), ws_) != Eval::ok) return false;
    K = DenseMatrix(store_.stiffness()), G = DenseMatrix(store_.jacobian());
    if (eq_.ns() > 0) {
      const DenseMatrix D(store_.damping());
      for (int j = eq_.moving(); j < eq_.nv(); ++j) {
        for (int i = 0; i < eq_.nv(); ++i) K(i, j) = D(i, j);
      }
    }
    return K.is_finite() && G.is_finite();
  }
  // d tau/ds where positions and multipliers stand: drives and loads are linear in s, so that a wide difference is good.
  Vector forces_along(const State& s, const Vector& lambda) {
    const double h = pace_.step * pace_.slowness;
    Vector ahead(tau_.size()), slope(tau_.size());
    residual(s, s.t + h, lambda);
    ahead = tau_;
    residual(s, s.t - h, lambda);
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = (ahead[i] - tau_[i]) / (2 * pace_.step);
    return slope;
  }

  const Equations& eq_;
  Pace pace_;
  formalism::BlockStore store_;
  Equations::Workspace ws_;
  Vector zero_v_, zero_g_, tau_, qdot_, g_, rate_, accelerations_;
  DenseMatrix K, G;
};

// Slopes of a point whose state and multipliers are known.
bool find_tangent(const Equations& all, const Equations& active, Way mode, StaticsOnPath& statics, PathPoint& point,
                  std::string& why) {
  const bool kinematic = mode == Way::kinematic;
  const int moving = active.moving();
  std::fill_n(point.state.v.begin(), moving, 0.0);
  const State at_rest = point.state;
  if (kinematic) {
    const auto fitted = formalism::fit_velocities(all, point.state, std::vector<int>{});
    if (!fitted.ok) return why = "it is singular there. " + fitted.problem, false;
    for (int i = 0; i < moving; ++i) point.state.v[static_cast<std::size_t>(i)] *= statics.slowness();
  }
  Vector v = point.state.v;
  std::fill(v.begin() + moving, v.end(), 0.0);
  if (!statics.slopes(at_rest, point.lambda, kinematic, v, point.slope))
    return why = "the forces cannot be evaluated there", false;
  std::copy_n(v.begin(), moving, point.state.v.begin());
  if (!std::isfinite(largest(point.state.v))) return why = "it is singular there", false;
  return true;
}

class Search {
 public:
  Search(const KinematicRig& rig, const model::Kinematics& plan, const model::Experiment& experiment)
      : rig_(rig), plan_(plan), experiment_(experiment) {}

  KinematicPath find() {
    // From the position nearest to that of the drawing outwards.
    const double start = std::clamp(0.0, std::min(rig_.from, rig_.to), std::max(rig_.from, rig_.to));
    experiment_.from_time = rig_.time_at(start);
    simulation::Prepared& p = path_.prepared = simulation::prepare(rig_.model, experiment_);
    if (!p.ok()) return path_.problem = p.problem(), std::move(path_);
    if (p.degrees_of_freedom() > 0) {
      for (const auto& freedom : simulation::freedoms_of(p, 0)) path_.free.push_back(freedom.coordinate);
    }
    const bool fixes_all = path_.free.empty() && p.active->ns() == 0;
    path_.mode = plan_.mode != Way::automatic ? plan_.mode : fixes_all ? Way::kinematic : Way::quasi_static;
    path_.pace = {rig_.slowness, rig_.step()};
    statics_.emplace(*p.active, path_.pace);
    PathPoint first{start, p.state, {}, {}};
    std::string why;
    if (!settle(first, why)) return path_.problem = why, std::move(path_);
    walk(first);
    return std::move(path_);
  }

 private:
  // Positions of the point at its s, from where its state is; then tangents.
  bool settle(PathPoint& point, std::string& why) {
    const simulation::Prepared& p = path_.prepared;
    point.state.t = rig_.time_at(point.s);
    std::fill_n(point.state.v.begin(), p.active->moving(), 0.0);
    if (path_.mode == Way::kinematic) {
      const auto closed = formalism::assemble(*p.all, point.state, {});
      if (!closed.ok) return why = closed.problem, false;
      point.lambda = statics_->balance(point.state);
    } else {
      simulation::Prepared there = p;
      there.state = point.state;
      const Equilibrium e = find_equilibrium(there);
      for (const Warning& w : e.warnings) tell_once(w);
      if (!e.found) return why = e.problem, false;
      point.state = e.state, point.lambda = e.lambda;
    }
    return find_tangent(point, why);
  }

  void tell_once(const Warning& warning) {
    if (std::ranges::count(path_.warnings, warning.what, &Warning::what) == 0) path_.warnings.push_back(warning);
  }

  bool find_tangent(PathPoint& point, std::string& why) {
    const simulation::Prepared& p = path_.prepared;
    return analysis::find_tangent(*p.all, *p.active, path_.mode, *statics_, point, why);
  }

  // To the next point; false: not even with the smallest step.
  bool reach(PathPoint& at, double target, std::string& why) {
    const double whole = target - at.s;
    double step = whole;
    int halved = 0;
    while (at.s != target) {
      PathPoint next = at;
      next.s = std::abs(target - at.s) <= std::abs(step) * 1.000001 ? target : at.s + step;
      Vector ahead(at.state.v);
      for (double& x : ahead) x *= next.s - at.s;
      std::fill(ahead.begin() + path_.prepared.active->moving(), ahead.end(), 0.0);
      path_.prepared.active->plus(next.state.q, ahead);
      const State guess = next.state;
      if (settle(next, why) && is_near(guess, next.state, largest(ahead), why)) {
        at = std::move(next);
        if (halved > 0) --halved, step *= 2;
        continue;
      }
      if (++halved > most_halvings) return false;
      ++path_.halvings, step /= 2;
    }
    return true;
  }

  // A position far from the tangent is one of another way to close the loops, or the tangent turns too fast.
  bool is_near(const State& guess, const State& found, double step, std::string& why) const {
    constexpr double share = 0.5, rounding = 1e-7;
    double off = 0;
    for (std::size_t i = 0; i < guess.q.size(); ++i) off = std::max(off, std::abs(guess.q[i] - found.q[i]));
    if (off <= share * step + rounding) return true;
    why = "the loops close in another way there, or lock: the coordinates change faster than any step can follow";
    return false;
  }

  void walk(const PathPoint& first) {
    const int count = std::max(plan_.points, 2);
    const double low = std::min(rig_.from, rig_.to), high = std::max(rig_.from, rig_.to);
    std::vector<double> below, above;
    for (int k = 0; k < count; ++k) {
      const double s = k + 1 == count ? high : low + (high - low) * k / (count - 1);
      const double snapped = std::abs(s - first.s) < 1e-9 * (high - low) ? first.s : s;
      if (snapped < first.s) below.push_back(snapped);
      if (snapped > first.s) above.push_back(snapped);
    }
    path_.points.push_back(first);
    go(first, {below.rbegin(), below.rend()});
    std::ranges::reverse(path_.points);
    go(first, above);
  }

  void go(PathPoint at, const std::vector<double>& targets) {
    for (const double target : targets) {
      std::string why;
      if (!reach(at, target, why)) {
        path_.ends.push_back(fmt::format("The travel ends at {} = {:.6g} {}: {}", rig_.abscissa, at.s, rig_.unit, why));
        if (at.s != path_.points.back().s) path_.points.push_back(at);
        return;
      }
      path_.points.push_back(at);
    }
  }

  const KinematicRig& rig_;
  const model::Kinematics& plan_;
  model::Experiment experiment_;
  KinematicPath path_;
  std::optional<StaticsOnPath> statics_;
};

}  // namespace

std::vector<double> tangent_of(const KinematicPath& path, const PathPoint& at,
                               std::shared_ptr<const model::Model> driven_otherwise) {
  const simulation::Prepared& p = path.prepared;
  const Equations all(driven_otherwise, p.topology, std::nullopt, p.all->held());
  const Equations active(driven_otherwise, p.topology, p.active->active(), p.all->held());
  StaticsOnPath statics(active, path.pace);
  PathPoint point = at;
  std::string why;
  if (!find_tangent(all, active, path.mode, statics, point, why)) return {};
  return point.state.v;
}

KinematicPath find_path(const KinematicRig& rig, const model::Kinematics& plan, const model::Experiment& experiment) {
  return Search(rig, plan, experiment).find();
}

}  // namespace skyhook::analysis
