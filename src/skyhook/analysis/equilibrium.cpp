#include "skyhook/analysis/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "skyhook/formalism/block_store.h"
#include "skyhook/math/dense.h"
#include "skyhook/simulation/table_watch.h"

namespace skyhook::analysis {
namespace {

using Equations = formalism::EquationsOfMotion;

// Static residual and its derivatives at a position.
struct Statics {
  const Equations& eq;
  formalism::BlockStore store;
  Equations::Workspace ws;
  std::vector<double> zero_v, zero_g, lambda, tau, qdot, g, rate;
  DenseMatrix K, M,
      G;  // K with the columns of inner states, in units of their nominal sizes as their rows and those of tau

  explicit Statics(const Equations& e)
      : eq(e),
        store(e),
        ws(e.workspace()),
        zero_v(e.nv()),
        zero_g(e.ng()),
        lambda(e.ng()),
        tau(e.nv()),
        qdot(e.nq()),
        g(e.ng()),
        rate(e.ng()) {}

  formalism::Input input(const formalism::State& s) const {
    return {s.t, s.q, s.v, zero_v, lambda, zero_g, formalism::Drives::stand};
  }
  bool residual(const formalism::State& s) {
    const bool ok = eq.residual(input(s), {tau, qdot, g, rate}, ws) == Eval::ok;
    for (int i = eq.moving(); i < eq.nv(); ++i) tau[i] /= eq.nominal(i);
    return ok;
  }
  bool derivatives(const formalism::State& s) {
    if (eq.derivatives(input(s), store.blocks(), ws) != Eval::ok) return false;
    K = DenseMatrix(store.stiffness()), M = DenseMatrix(store.mass()), G = DenseMatrix(store.jacobian());
    if (eq.ns() > 0) add_states();
    return K.is_finite() && M.is_finite() && G.is_finite();
  }
  void add_states() {  // velocities stand still: the columns of the states are among those of v
    const DenseMatrix D(store.damping());
    const int nv = eq.nv();
    for (int j = eq.moving(); j < nv; ++j) {
      for (int i = 0; i < nv; ++i) K(i, j) = D(i, j) * eq.nominal(j);
    }
    for (int i = eq.moving(); i < nv; ++i) {
      for (int j = 0; j < nv; ++j) K(i, j) /= eq.nominal(i);
    }
  }
  // Largest of the forces, or of the rates of the states.
  double forces() const { return largest({tau.begin(), tau.begin() + eq.moving()}); }
  double rates() const { return largest({tau.begin() + eq.moving(), tau.end()}); }
  void balance() {  // multipliers that leave the least force
    if (eq.ng() == 0) return;
    const Vector d = LeastNorm(transpose(G), 1e-12).solve(tau);
    for (int k = 0; k < eq.ng(); ++k) lambda[k] -= d[k];
  }
};

// Largest generalised force of the elements, at least a thousandth of a weight: the scale against which "zero" is judged.
double force_scale(Statics& s, const formalism::State& state) {
  const std::vector<double> keep = s.lambda;
  std::fill(s.lambda.begin(), s.lambda.end(), 0.0);
  s.residual(state);
  double scale = s.forces();
  scale = std::max(scale, 1e-3 * s.eq.heaviest() * norm(s.eq.model().gravity));
  s.lambda = keep;
  return scale > 0 ? scale : 1.0;
}

// The stiffness once the inner states have followed: K_qq - K_qc K_cc^-1 K_cq, and G of the coordinates.
void condense(const Statics& s, DenseMatrix& K, DenseMatrix& G) {
  std::vector<int> q(s.eq.moving()), c(s.eq.ns()), rows(s.G.rows);
  std::iota(q.begin(), q.end(), 0), std::iota(c.begin(), c.end(), s.eq.moving()),
      std::iota(rows.begin(), rows.end(), 0);
  const DenseMatrix to_force = s.K.select(q, c), of_position = s.K.select(c, q);
  const LeastNorm follow(s.K.select(c, c), 1e-13);
  K = s.K.select(q, q), G = s.G.select(rows, q);
  for (int j = 0; j < K.cols; ++j) {
    const auto column = of_position.value.begin() + static_cast<long>(j) * of_position.rows;
    const Vector force = to_force * follow.solve(Vector(column, column + of_position.rows));
    for (int i = 0; i < K.rows; ++i) K(i, j) -= force[i];
  }
}

void judge(const Statics& s, Equilibrium& out) {
  DenseMatrix K = s.K, G = s.G;
  if (s.eq.ns() > 0) condense(s, K, G);
  const DenseMatrix Z = null_space(G, 1e-8);
  if (Z.cols == 0) return;
  DenseMatrix k(Z.cols, Z.cols);
  for (int c = 0; c < Z.cols; ++c) {
    const auto column = Z.value.begin() + static_cast<long>(c) * Z.rows;
    const Vector force = K * Vector(column, column + Z.rows);
    for (int r = 0; r < Z.cols; ++r) {
      double sum = 0;
      for (int i = 0; i < Z.rows; ++i) sum += Z(i, r) * force[i];
      k(r, c) += 0.5 * sum, k(c, r) += 0.5 * sum;  // symmetric part
    }
  }
  const Vector values = symmetric_eigenvalues(k);
  const double size = std::max(largest(values), 1e-300);
  out.stable = values.front() > -1e-9 * size;
  for (double x : values) out.unique = out.unique && std::abs(x) > 1e-9 * size;
}

// One damped Newton step for positions and multipliers.
Vector damped_step(const Statics& s, double stiffness) {
  constexpr double longest_step = 0.3;  // rad or m
  const int nv = s.eq.nv(), n = nv + s.eq.ng(), coordinates = s.eq.moving();
  DenseMatrix A(n, n);
  for (int j = 0; j < nv; ++j) {
    const double inertia = j < coordinates ? stiffness : std::sqrt(stiffness);
    for (int i = 0; i < nv; ++i) A(i, j) = s.K(i, j) + inertia * s.M(i, j);
    for (int k = 0; k < s.eq.ng(); ++k) A(nv + k, j) = A(j, nv + k) = s.G(k, j);
  }
  Vector b = s.tau;
  b.insert(b.end(), s.g.begin(), s.g.end());
  Vector step = LeastNorm(A, 1e-13).solve(b);
  const double longest = largest({step.begin(), step.begin() + coordinates});
  for (double& x : step) x *= longest > longest_step ? -longest_step / longest : -1.0;
  return step;
}

std::string failure(const Statics& s, const Equilibrium& e, bool is_state) {
  const auto largest_of = [&](int first, int last) {
    return static_cast<int>(std::max_element(s.tau.begin() + first, s.tau.begin() + last,
                                             [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                            s.tau.begin());
  };
  const int nv = s.eq.moving();
  if (nv == 0 || is_state) {
    const int state = largest_of(nv, s.eq.nv());
    return fmt::format("No equilibrium found in {} iterations: the state {} still changes by {:.3g} a second.",
                       e.iterations, s.eq.velocity_names()[state], std::abs(s.tau[state]) * s.eq.nominal(state));
  }
  const int worst = largest_of(0, nv);
  return fmt::format(
      "No equilibrium found in {} iterations: the generalised force on {} is still {:.3g}. Something may be free to "
      "fall; check that springs or "
      "joints carry it, or start nearer.",
      e.iterations, s.eq.owner_of_velocity(worst), std::abs(s.tau[worst]));
}

// What a run has and an equilibrium does not: each is told by name, at its line.
std::vector<Warning> left_out(const model::Model& m) {
  std::vector<Warning> list;
  const auto tell = [&](const Location& where, const std::string& what, const std::string& how) {
    list.push_back({"not_in_equilibrium", where, fmt::format("the equilibrium knows nothing of {}: {}", what, how)});
  };
  for (const auto& c : m.controllers) {
    std::string signals;
    for (int k = c.first_signal; k < c.first_signal + c.outputs; ++k)
      signals += fmt::format("{}{} = {:g}", signals.empty() ? "" : ", ", m.signals[k].name, m.signals[k].start);
    tell(c.where, "controller \"" + c.name + "\"", "its output stays as at the start, " + signals + ".");
  }
  for (const auto* c : those_that_hold(m, model::Row::Holds::pressed))
    tell(c->where, "contact \"" + c->name + "\"", "it counts as open.");
  for (const auto* s : those_that_hold(m, model::Row::Holds::stuck))
    tell(s->where, "friction \"" + s->name + "\"", "it does not hold.");
  return without(std::move(list), m.ignored_warnings);
}

// Where it lies beyond a table it is one of a curve that nobody gave: told, or refused, as in a run.
void look_up_tables(const simulation::Prepared& prepared, Equilibrium& out) {
  simulation::TableWatch tables(*prepared.active);
  if (tables.empty()) return;
  simulation::Evaluator there(prepared.active, prepared.all);
  there.evaluate_motion(out.state.t, out.state.q, out.state.v);
  simulation::TableExcursions excursions;
  tables.look(there.now(), excursions);
  std::ranges::copy(without(excursions.warnings(), prepared.model->ignored_warnings), std::back_inserter(out.warnings));
  if (excursions.problem().empty()) return;
  out.found = false, out.problem = "The equilibrium lies beyond a table. In it " + excursions.problem();
}

}  // namespace

Equilibrium find_equilibrium(const simulation::Prepared& prepared) {
  constexpr int most = 500;
  constexpr double least_stiffness = 1e-3;  // motions that nothing resists would run away with less
  const Equations& eq = *prepared.active;
  Equilibrium out;
  out.state = prepared.state;
  out.warnings = left_out(*prepared.model);
  std::fill_n(out.state.v.begin(), eq.moving(), 0.0);
  if (!prepared.ok()) return out.problem = prepared.problem(), out;
  if (eq.nv() == 0) return out.lambda.assign(eq.ng(), 0.0), out.found = true, out;  // drives alone say where it stands
  Statics s(eq);
  if (!s.residual(out.state) || !s.derivatives(out.state))
    return out.problem = "The forces cannot be evaluated at the start: " + s.ws.blame() + ".", out;
  const double scale = force_scale(s, out.state), length = formalism::characteristic_length(eq.model());
  s.residual(out.state), s.balance(), s.residual(out.state), s.derivatives(out.state);
  const double fastest = std::max(s.rates(), 1.0);  // nominal sizes per second
  auto size = [&] {
    return std::max({s.forces() / scale, s.rates() / fastest, eq.ng() ? largest(s.g) / length : 0.0});
  };
  double last = size(), stiffness = 100.0;  // 1 / tau^2
  for (out.iterations = 0; out.iterations < most && last > 1e-11; ++out.iterations) {
    const Vector step = damped_step(s, stiffness), kept = s.lambda;
    if (!std::isfinite(largest(step))) break;
    formalism::State next = out.state;
    eq.plus(next.q, CSpan(step).first(eq.nv()));
    for (int i = eq.moving(); i < eq.nv(); ++i) next.v[i] += eq.nominal(i) * step[i];
    for (int k = 0; k < eq.ng(); ++k) s.lambda[k] += step[eq.nv() + k];
    if (!s.residual(next) || !s.derivatives(next)) {  // an element cannot be evaluated there: be more careful
      stiffness = 10 * std::max(stiffness, 1.0);
      s.lambda = kept;
      s.residual(out.state), s.derivatives(out.state);
      continue;
    }
    // Forces may well grow on the way into a stable position: only a sharp rise asks for shorter fictitious time.
    const double now = size();
    if (now < last)
      stiffness = std::max(now < 1e-6 ? 0.0 : least_stiffness, 0.3 * stiffness);
    else if (now > 2 * last)
      stiffness = std::min(1e12, 4 * std::max(stiffness, 1e-3));
    out.state = next;
    last = now;
  }
  out.residual = last;
  out.lambda = s.lambda;
  out.found = last < 1e-8;
  if (!out.found) return out.problem = failure(s, out, s.rates() / fastest > s.forces() / scale), out;
  judge(s, out);
  look_up_tables(prepared, out);
  return out;
}

}  // namespace skyhook::analysis
