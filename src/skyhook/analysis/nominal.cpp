#include "skyhook/analysis/nominal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "skyhook/analysis/first_outputs.h"
#include "skyhook/analysis/index_range.h"
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
  DenseMatrix G = DenseMatrix(s.jacobian()).select(on, index_range(0, moving));
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
  const DenseMatrix K = s.stiffness(),
                    by_force = turned * K.select(index_range(0, moving), index_range(moving, moving + ns)),
                    by_rate = K.select(index_range(moving, moving + ns), index_range(moving, moving + ns));
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
  // Columns are differences of forces, with errors of 1e-12 of what acts: what is smaller than 1e-9 decides nothing, and would move parameters by any amount. Beside
  // columns of states, which are so much larger, parameters that count would be lost.
  const LeastNorm decomposition(A, ns == 0 ? 1e-9 : 1e-11);
  const Vector x = decomposition.solve(b);
  Deviation out{Vector(n), Vector(ns), decomposition.rank()};
  for (int k = 0; k < n; ++k) out.parameters[k] = x[k] * scale[k];
  for (int k = 0; k < ns; ++k) out.states[k] = x[n + k] * scale[n + k];
  return out;
}

// Steps towards what holds the position. Deviations count from the start, so that what nothing decides stays there.
class NominalSearch {
 public:
  NominalSearch(const std::vector<NominalParameter>& parameters, const PrepareWith& prepare, double alpha)
      : parameters_(parameters), prepare_(prepare), alpha_(alpha) {
    for (const NominalParameter& p : parameters)
      start_.p.push_back(p.value), steps_.push_back(1e-4 * std::max(std::abs(p.value), 0.1));
  }

  // Each returns a problem, or nothing.
  std::string begin() {
    if (std::string problem = find_forces(prepare_, start_, here_); !problem.empty()) return problem;
    // A preload of zero is varied by as much as shows among the forces that act: else its column would be their rounding.
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      if (parameters_[k].unit == "N" || parameters_[k].unit == "N.m")
        steps_[k] = std::max(steps_[k], 1e-4 * here_.scale);
    }
    const simulation::Equations& eq = *here_.prepared.active;
    for (int iv = eq.moving(); iv < eq.moving() + eq.ns(); ++iv)
      start_.states.push_back(here_.prepared.state.v[static_cast<std::size_t>(iv)] / eq.nominal(iv));
    x_ = start_;
    return {};
  }
  std::string step() {
    if (std::string problem = differentiate(prepare_, x_, steps_, here_, J_); !problem.empty()) return problem;
    const Deviation to = solve(J_, right_side(), parameters_, alpha_);
    rank_ = to.rank;
    go_towards(to);
    return {};
  }

  bool is_done() const { return is_done_; }
  int rank() const { return rank_; }
  const Vector& values() const { return x_.p; }
  const Drawn& here() const { return here_; }
  std::vector<std::string> without_effect() const {
    std::vector<std::string> out;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const auto column = J_.value.begin() + static_cast<long>(k) * J_.rows;
      if (std::all_of(column, column + J_.rows, [](double x) { return x == 0; })) out.push_back(parameters_[k].name);
    }
    return out;
  }

 private:
  // J (x - x0) = J (x_now - x0) - f.
  Vector right_side() const {
    Vector gone;
    for (std::size_t k = 0; k < x_.p.size(); ++k) gone.push_back(x_.p[k] - start_.p[k]);
    for (std::size_t k = 0; k < x_.states.size(); ++k) gone.push_back(x_.states[k] - start_.states[k]);
    Vector out = J_ * gone;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= here_.forces[i];
    return out;
  }
  // What is to become least.
  double merit(const Unknowns& at, const Drawn& drawn) const {
    double sum = std::pow(norm2(drawn.forces), 2);
    for (std::size_t k = 0; k < parameters_.size(); ++k)
      sum += alpha_ * std::pow(parameters_[k].weight * (at.p[k] - start_.p[k]), 2);
    return sum;
  }
  Unknowns part_of_the_way(const Deviation& to, double part) const {
    Unknowns out = x_;
    for (std::size_t k = 0; k < out.p.size(); ++k) out.p[k] += part * (start_.p[k] + to.parameters[k] - x_.p[k]);
    for (std::size_t k = 0; k < out.states.size(); ++k)
      out.states[k] += part * (start_.states[k] + to.states[k] - x_.states[k]);
    return out;
  }
  // As far as that makes it better. Where nothing does, it is at rounding, or at the least that can be had.
  void go_towards(const Deviation& to) {
    const double before = merit(x_, here_);
    for (double part = 1; part > 1e-3; part *= 0.5) {
      Drawn there;
      const Unknowns next = part_of_the_way(to, part);
      if (!find_forces(prepare_, next, there).empty() || !(merit(next, there) < before)) continue;
      double change = 0;
      for (std::size_t k = 0; k < next.p.size(); ++k)
        change = std::max(change, std::abs(next.p[k] - x_.p[k]) / (std::abs(x_.p[k]) + 1));
      x_ = next, here_ = std::move(there), is_done_ = change < 1e-15;
      return;
    }
    is_done_ = true;
  }

  const std::vector<NominalParameter>& parameters_;
  const PrepareWith& prepare_;
  double alpha_;
  Vector steps_;  // of differences
  Unknowns start_, x_;
  Drawn here_;
  DenseMatrix J_;
  int rank_ = 0;
  bool is_done_ = false;
};

bool states_move(const Drawn& at) {
  return largest(Vector(at.forces.begin() + at.free.cols, at.forces.end())) > 0.5 * largest(at.forces);
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
  const bool is_varied = !out.values.empty();
  out.problem =
      (is_varied ? "The parameters cannot hold the drawn position: " : "The drawn position is not in equilibrium: ") +
      (!list.empty() ? "N or N.m missing are " + list
       : states_move(at)
           ? std::string("states of forces do not come to rest")
           : fmt::format("a force of {:.2g} of the largest that acts is left", largest(at.forces) / at.scale)) +
      (is_varied ? ". Vary more parameters, or draw another position." : ". Nothing is varied.");
}

}  // namespace

Nominal find_nominal(const std::vector<NominalParameter>& parameters, const PrepareWith& prepare,
                     const NominalOptions& options) {
  Nominal out;
  NominalSearch search(parameters, prepare, options.alpha);
  if (out.problem = search.begin(); !out.problem.empty()) return out;
  while (!parameters.empty() && out.iterations < most_iterations && !search.is_done()) {
    if (out.problem = search.step(); !out.problem.empty()) return out;
    if (!search.is_done()) ++out.iterations;
  }
  const Drawn& here = search.here();
  out.values = search.values(), out.rank = search.rank(), out.residual = largest(here.forces) / here.scale;
  out.without_effect = search.without_effect();
  constexpr double enough = 1e-8;  // as of an equilibrium
  out.found = out.residual < (options.alpha > 0 ? 1e-3 : enough);
  if (!out.found) tell_remaining(here, out);
  return out;
}

}  // namespace skyhook::analysis
