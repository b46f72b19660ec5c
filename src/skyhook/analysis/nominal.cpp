#include "skyhook/analysis/nominal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "skyhook/analysis/first_outputs.h"
#include "skyhook/analysis/statics_of.h"

namespace skyhook::analysis {
namespace {

constexpr int most_iterations = 40;

// The forces of the drawn position that the rows leave, and how they depend on inner states. Contacts that touch press, sticking
// friction does not hold: a position that only friction keeps is none of the springs.
struct Drawn {
  simulation::Prepared prepared;
  std::shared_ptr<model::Held> held;
  std::unique_ptr<Statics> statics;
  DenseMatrix free;      // orthonormal motions that the rows leave, as columns
  Vector forces;         // along these, then rates of inner states
  DenseMatrix by_state;  // d forces / d states, in units of their nominal sizes
  double scale = 1;
};

struct Unknowns {
  Vector p;       // parameters
  Vector states;  // inner states, in units of their nominal sizes; empty: as at the start
};

std::vector<int> range(int from, int to) {
  std::vector<int> out(static_cast<std::size_t>(to - from));
  std::iota(out.begin(), out.end(), from);
  return out;
}

std::string find_forces(const PrepareWith& prepare, const Unknowns& x, Drawn& out) {
  out.prepared = prepare(x.p);
  if (!out.prepared.ok()) return out.prepared.problem();
  formalism::State state = out.prepared.state;
  out.held = held_at(out.prepared, state);
  const auto eq = with_switches(out.prepared, out.held);
  const int moving = eq->moving(), ns = eq->ns();
  for (int i = 0; i < ns && !x.states.empty(); ++i)
    state.v[static_cast<std::size_t>(moving + i)] = x.states[static_cast<std::size_t>(i)] * eq->nominal(moving + i);
  out.statics = std::make_unique<Statics>(eq, SteadyMotion());
  Statics& s = *out.statics;
  for (Statics::Switch& one : s.switches) one.on = false;
  if (!s.begin(state)) return "The forces cannot be evaluated at the drawn position: " + s.blame() + ".";
  FirstOutputs controllers(out.prepared);
  if (!controllers.empty()) {
    out.held->signals = controllers.at(out.prepared, state, s.lambda, *eq);
    if (!controllers.problem().empty()) return controllers.problem();
  }
  std::vector<int> on;
  for (int k = 0; k < eq->ng(); ++k) on.push_back(k);
  for (const Statics::Switch& one : s.switches) {
    if (!one.is_contact || s.g[one.at] > 1e-9 * s.length()) std::erase(on, one.at);
  }
  std::ranges::fill(s.lambda, 0.0);
  if (!s.evaluate(state) || !s.differentiate(state)) return "The forces cannot be evaluated at the drawn position.";
  DenseMatrix G = DenseMatrix(s.jacobian()).select(on, range(0, moving));
  for (int i = 0; i < G.rows; ++i) {
    double size = 0;
    for (int j = 0; j < G.cols; ++j) size = std::max(size, std::abs(G(i, j)));
    for (int j = 0; j < G.cols && size > 0; ++j) G(i, j) /= size;
  }
  out.free = null_space(G, 1e-9), out.scale = s.force_scale();
  const DenseMatrix turned = transpose(out.free);
  const Vector tau(s.tau.begin(), s.tau.begin() + moving);
  out.forces = out.free.cols > 0 ? turned * tau : Vector();
  out.forces.insert(out.forces.end(), s.tau.begin() + moving, s.tau.end());
  out.by_state = DenseMatrix(out.free.cols + ns, ns);
  if (ns == 0) return {};
  const DenseMatrix K = s.stiffness(), by_force = turned * K.select(range(0, moving), range(moving, moving + ns)),
                    by_rate = K.select(range(moving, moving + ns), range(moving, moving + ns));
  for (int j = 0; j < ns; ++j) {
    for (int i = 0; i < by_force.rows; ++i) out.by_state(i, j) = by_force(i, j);
    for (int i = 0; i < ns; ++i) out.by_state(by_force.rows + i, j) = by_rate(i, j);
  }
  return {};
}

// Column by column, by central differences: most parameters enter linearly, and then these are exact.
std::string differentiate(const PrepareWith& prepare, const Unknowns& x, const Vector& steps, const Drawn& here,
                          DenseMatrix& J) {
  const int n = static_cast<int>(x.p.size()), ns = here.by_state.cols;
  J = DenseMatrix(static_cast<int>(here.forces.size()), n + ns);
  for (int k = 0; k < n; ++k) {
    const double h = steps[static_cast<std::size_t>(k)];
    Drawn up, down;
    Unknowns moved = x;
    moved.p[static_cast<std::size_t>(k)] = x.p[static_cast<std::size_t>(k)] + h;
    if (const std::string problem = find_forces(prepare, moved, up); !problem.empty()) return problem;
    moved.p[static_cast<std::size_t>(k)] = x.p[static_cast<std::size_t>(k)] - h;
    if (const std::string problem = find_forces(prepare, moved, down); !problem.empty()) return problem;
    if (up.forces.size() != here.forces.size() || down.forces.size() != here.forces.size())
      return "A parameter changes the number of freedoms of the model.";
    // The basis of the free motions may change with geometry: forces are compared in that of here.
    const auto in_basis = [&](const Drawn& other) {
      const int moving = other.statics->equations().moving();
      const Vector tau(other.statics->tau.begin(), other.statics->tau.begin() + moving);
      const DenseMatrix turned = transpose(other.free), mix = transpose(here.free) * other.free;
      Vector out = other.free.cols > 0 ? mix * (turned * tau) : Vector();
      out.insert(out.end(), other.statics->tau.begin() + moving, other.statics->tau.end());
      return out;
    };
    const Vector high = in_basis(up), low = in_basis(down);
    for (int i = 0; i < J.rows; ++i) J(i, k) = (high[i] - low[i]) / (2 * h);
  }
  for (int k = 0; k < ns; ++k) {
    for (int i = 0; i < J.rows; ++i) J(i, n + k) = here.by_state(i, k);
  }
  return {};
}

double norm2(const Vector& x) { return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)); }

// The deviation of least weighted size that leaves the least force; inner states weigh nothing.
struct Deviation {
  Vector parameters, states;
  int rank = 0;
};
Deviation solve(const DenseMatrix& J, const Vector& right, const std::vector<NominalParameter>& parameters,
                double alpha) {
  const int n = static_cast<int>(parameters.size()), ns = J.cols - n;
  constexpr double of_states = 1e-6;
  Vector scale(J.cols, 1 / of_states);
  for (int k = 0; k < n; ++k) scale[k] = 1 / parameters[k].weight;
  DenseMatrix A(J.rows + (alpha > 0 ? n : 0), J.cols);
  Vector b = right;
  b.resize(A.rows, 0.0);
  for (int j = 0; j < J.cols; ++j) {
    for (int i = 0; i < J.rows; ++i) A(i, j) = J(i, j) * scale[j];
  }
  for (int k = 0; k < n && alpha > 0; ++k) A(J.rows + k, k) = std::sqrt(alpha);
  const LeastNorm decomposition(A, 1e-11);
  const Vector x = decomposition.solve(b);
  Deviation out{Vector(n), Vector(ns), decomposition.rank()};
  for (int k = 0; k < n; ++k) out.parameters[k] = x[k] * scale[k];
  for (int k = 0; k < ns; ++k) out.states[k] = x[n + k] * scale[n + k];
  return out;
}

void tell_remaining(const Drawn& at, Nominal& out) {
  const simulation::Equations& eq = at.statics->equations();
  const Vector left =
      at.free.cols > 0 ? at.free * Vector(at.forces.begin(), at.forces.begin() + at.free.cols) : Vector();
  for (int i = 0; i < static_cast<int>(left.size()); ++i) {
    if (std::abs(left[i]) > 1e-6 * at.scale) out.remaining.push_back({eq.freedom_name(i), left[i]});
  }
  std::ranges::sort(out.remaining, [](const auto& a, const auto& b) { return std::abs(a.force) > std::abs(b.force); });
  std::string list;
  for (std::size_t k = 0; k < std::min<std::size_t>(out.remaining.size(), 4); ++k)
    list += fmt::format("{}{:.6g} along {}", k ? ", " : "", out.remaining[k].force, out.remaining[k].coordinate);
  if (out.remaining.size() > 4) list += fmt::format(" and {} more", out.remaining.size() - 4);
  out.problem = "The parameters cannot hold the drawn position: " +
                (list.empty() ? std::string("states of forces do not come to rest") : "N or N.m missing are " + list) +
                ". Vary more parameters, or draw another position.";
}

}  // namespace

Nominal find_nominal(const std::vector<NominalParameter>& parameters, const PrepareWith& prepare,
                     const NominalOptions& options) {
  Nominal out;
  if (parameters.empty()) return out.problem = "There are no parameters to vary.", out;
  const std::size_t n = parameters.size();
  Unknowns x;
  Vector steps, start;
  for (const NominalParameter& p : parameters)
    start.push_back(p.value), steps.push_back(1e-4 * std::max(std::abs(p.value), 0.1));
  x.p = start;
  Drawn here;
  if (out.problem = find_forces(prepare, x, here); !out.problem.empty()) return out;
  x.states.resize(static_cast<std::size_t>(here.by_state.cols));
  const simulation::Equations& first = *here.prepared.active;
  for (int i = 0; i < first.ns(); ++i)
    x.states[static_cast<std::size_t>(i)] =
        here.prepared.state.v[static_cast<std::size_t>(first.moving() + i)] / first.nominal(first.moving() + i);
  const Vector states_at_start = x.states;
  DenseMatrix J;
  for (out.iterations = 0; out.iterations < most_iterations; ++out.iterations) {
    if (out.problem = differentiate(prepare, x, steps, here, J); !out.problem.empty()) return out;
    // From the start, so that what nothing decides stays there: J (p - p0) = J (p_now - p0) - f.
    Vector gone(J.cols), right(J.rows);
    for (std::size_t k = 0; k < n; ++k) gone[k] = x.p[k] - start[k];
    for (std::size_t k = 0; k < x.states.size(); ++k) gone[n + k] = x.states[k] - states_at_start[k];
    const Vector Jg = J * gone;
    for (int i = 0; i < J.rows; ++i) right[i] = Jg[i] - here.forces[i];
    const Deviation to = solve(J, right, parameters, options.alpha);
    out.rank = to.rank;
    const auto merit = [&](const Unknowns& at, const Drawn& drawn) {
      double sum = std::pow(norm2(drawn.forces), 2);
      for (std::size_t k = 0; k < n; ++k)
        sum += options.alpha * std::pow(parameters[k].weight * (at.p[k] - start[k]), 2);
      return sum;
    };
    const double before = merit(x, here);
    double part = 1, change = 0;
    Drawn there;
    Unknowns next = x;
    bool better = false;
    for (; part > 1e-3 && !better; part *= 0.5) {
      for (std::size_t k = 0; k < n; ++k) next.p[k] = x.p[k] + part * (start[k] + to.parameters[k] - x.p[k]);
      for (std::size_t k = 0; k < x.states.size(); ++k)
        next.states[k] = x.states[k] + part * (states_at_start[k] + to.states[k] - x.states[k]);
      better = find_forces(prepare, next, there).empty() && merit(next, there) < before;
    }
    if (!better) break;  // at rounding, or at the least that can be had
    for (std::size_t k = 0; k < n; ++k)
      change = std::max(change, std::abs(next.p[k] - x.p[k]) / (std::abs(x.p[k]) + 1));
    x = next, here = std::move(there);
    if (change < 1e-15) break;
  }
  out.values = x.p, out.residual = largest(here.forces) / here.scale;
  for (std::size_t k = 0; k < n; ++k) {
    double size = 0;
    for (int i = 0; i < J.rows; ++i) size = std::max(size, std::abs(J(i, static_cast<int>(k))));
    if (size == 0) out.without_effect.push_back(parameters[k].name);
  }
  out.found = out.residual < (options.alpha > 0 ? 1e-3 : 1e-9);
  if (!out.found) tell_remaining(here, out);
  return out;
}

}  // namespace skyhook::analysis
