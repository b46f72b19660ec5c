#include "skyhook/analysis/statics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/formalism/mesh_coordinates.h"
#include "skyhook/math/inertia.h"
#include "skyhook/model/model.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::analysis {
namespace {

// Of a multiplier per gap, in scaled units: rows that depend on others, as the fourth leg of a table, keep the matrix regular. It
// counts for steps alone, so that what they end at has no compliance.
constexpr double compliance = 1e-10;

double slip_force(const model::Contribution& what, double signal) {
  return what.coordinate
             ? std::abs(what.coordinate->force(0.0, 0.0, 0.0, {.signal = signal, .mode = model::Stick::slips_up}))
             : what.row->hold;
}

template <class Visit>
void each_entry(const Pattern& p, Visit visit) {
  for (int j = 0; j < p.cols; ++j) {
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) visit(p.row[k], j, k);
  }
}

}  // namespace

Statics::Statics(std::shared_ptr<const Equations> eq, SteadyMotion motion, std::shared_ptr<model::Held> turns)
    : tau(eq->nv()),
      g(eq->ng()),
      rate(eq->ng()),
      lambda(eq->ng()),
      eq_(std::move(eq)),
      motion_(std::move(motion)),
      turns_(std::move(turns)),
      store_(*eq_),
      ws_(eq_->workspace()),
      qdot_(eq_->nq()),
      zero_g_(eq_->ng()),
      a_(eq_->nv()),
      length_(formalism::characteristic_length(eq_->model())),
      is_held_(eq_->nv()),
      switch_of_(eq_->ng(), -1) {
  for (const int iv : motion_.held()) is_held_[iv] = 1;
  for (const formalism::SwitchRow& row : eq_->switch_rows()) {
    const auto at = std::ranges::lower_bound(eq_->active(), row.row);
    if (at == eq_->active().end() || *at != row.row) continue;
    const int place = static_cast<int>(at - eq_->active().begin());
    const bool is_contact = row.what->holds(model::Row::Holds::pressed);
    switch_of_[place] = static_cast<int>(switches.size());
    switches.push_back({row.what, place, is_contact});
    if (is_contact) continue;
    switches.back().on = true;
    if (!row.what->signal.is_continuous) hold(switches.back(), {});
  }
}

// What it can hold, and its force where it slips. `signals`: the continuous ones.
void Statics::hold(Switch& at, CSpan signals) const {
  const double signal = eq_->setting(*at.what, signals).signal;
  at.hold = model::largest_hold(*at.what, 0.0, signal);
  at.slide = slip_force(*at.what, signal);
}

formalism::Input Statics::input(const State& s) const {
  return {s.t, s.q, s.v, a_, lambda, zero_g_, formalism::Drives::stand, u_};
}

void Statics::hold_turns(const State& state) const {
  if (turns_) turns_->angles = state.angles;
}

bool Statics::evaluate(State& state) {
  differentiated_.is_known = false;  // what is held may have changed
  hold_turns(state);
  std::fill_n(state.v.begin(), eq_->moving(), 0.0);
  std::ranges::fill(a_, 0.0);
  if (!motion_.is_rest()) {
    motion_.at(state.q, state.v, a_);
    if (eq_->ng() > 0 && !follow(state)) return false;
  }
  for (Switch& at : switches) {
    if (!at.is_contact && at.what->signal.is_continuous) hold(at, eq_->signals_at(state));
  }
  const bool ok = eq_->residual(input(state), {tau, qdot_, g, rate}, ws_) == Eval::ok;
  for (int i = eq_->moving(); i < eq_->nv(); ++i) tau[i] /= eq_->nominal(i);
  if (ok && turns_) eq_->find_angles(state.t, state.q, state.v, turns_->angles, ws_), state.angles = turns_->angles;
  return ok;
}

// Gears and loops carry a given motion on: least changes of velocities and accelerations that satisfy the rows.
bool Statics::follow(State& state) {
  Vector bias(eq_->ng());
  // Of drives that stand: eq_->constraints() would have their rates.
  if (eq_->residual(input(state), {tau, qdot_, g, rate}, ws_) != Eval::ok) return false;
  const bool is_fit = largest(rate) <= 1e-13 * (1 + largest({state.v.begin(), state.v.begin() + eq_->moving()}));
  if (is_fit && eq_->constraint_accelerations(input(state), bias, ws_) == Eval::ok && largest(bias) < 1e-12)
    return true;
  // K = 0: the matrix is that of the least change in the mass metric.
  if (eq_->derivatives(input(state), store_.blocks(), ws_) != Eval::ok || !factor(1e12)) return false;
  const auto correct = [&](const Vector& off, Span by) {
    Vector x(eq_->nv() + eq_->ng());
    for (int k = 0; k < eq_->ng(); ++k) x[eq_->nv() + k] = row_is_on(k) ? -off[k] : 0.0;
    solve(x);
    for (int i = 0; i < eq_->moving(); ++i) by[i] += x[i];
  };
  if (!is_fit) correct(rate, state.v);
  if (eq_->constraint_accelerations(input(state), bias, ws_) != Eval::ok) return false;
  correct(bias, a_);
  return true;
}

bool Statics::differentiate(const State& state) {
  hold_turns(state);
  Differentiated& known = differentiated_;
  if (known.is_known && known.q == state.q && known.v == state.v && known.a == a_ && known.lambda == lambda)
    return true;
  known.is_known = false;
  if (eq_->derivatives(input(state), store_.blocks(), ws_) != Eval::ok) return false;
  couplings_ = motion_.couplings(state.q);
  const auto is_finite = [](const Csc& a) { return std::isfinite(largest(a.value)); };
  if (!is_finite(store_.stiffness()) || !is_finite(store_.mass()) || !is_finite(store_.jacobian())) return false;
  known = {true, state.q, state.v, a_, lambda};
  return true;
}

namespace {

// What rounding of the positions and slopes of nodes makes of the forces of stiff meshes: strains are small differences of these.
double rounding_of_meshes(const formalism::EquationsOfMotion& eq, const Csc& stiffness) {
  double most = 0;
  for (const formalism::MeshCoordinates& mesh : formalism::mesh_coordinates(eq)) {
    const model::NodalMesh& nodal = *model::mesh_of(eq.model().bodies[static_cast<std::size_t>(mesh.body)]);
    for (int k = 0; k < mesh.count; ++k)
      most = std::max(most, std::abs(stiffness.at(mesh.iv + k, mesh.iv + k) * largest(nodal.design)));
  }
  return std::numeric_limits<double>::epsilon() * most;
}

}  // namespace

bool Statics::begin(State& state) {
  u_.resize(static_cast<std::size_t>(eq_->inputs()));
  eq_->inputs(state.t, u_);
  for (int k = 0; k < std::ssize(u_) / 3; ++k) {
    if (std::ranges::count(motion_.moving_drives(), k) == 0) u_[3 * k + 1] = 0;
    u_[3 * k + 2] = 0;
  }
  couplings_ = motion_.couplings(state.q);
  make_pattern();
  std::ranges::fill(lambda, 0.0);
  if (!evaluate(state) || !differentiate(state)) return false;
  // Zero is judged against the largest force of the elements, at least a thousandth of a weight, and such that a search, which is content with 1e-8 of it, may be
  // stopped by rounding.
  const double gravity = std::max(norm(eq_->model().gravity), 1.0);
  scale_ =
      std::max({forces(), 1e-3 * eq_->heaviest() * gravity, 1e-9, 4e8 * rounding_of_meshes(*eq_, store_.stiffness())});
  fastest_ = std::max(rates(), 1.0);
  for (Switch& s : switches) {
    if (s.is_contact) s.on = g[s.at] < 0;
  }
  return eq_->ng() == 0 || balance(state);
}

bool Statics::balance(State& state) {
  const int nv = eq_->nv();
  if (factor(1e12)) {
    Vector x(nv + eq_->ng());
    for (int i = 0; i < nv; ++i) x[i] = is_held_[i] ? 0.0 : -tau[i];
    solve(x);
    for (int k = 0; k < eq_->ng(); ++k) {
      if (row_is_on(k) && std::isfinite(x[nv + k])) lambda[k] += x[nv + k];
    }
  }
  return evaluate(state) && differentiate(state);
}

bool Statics::close(State& state) {
  const double before = gaps();
  if (!differentiate(state) || !factor(1e12)) return false;
  Vector x(eq_->nv() + eq_->ng());
  for (int k = 0; k < eq_->ng(); ++k) x[eq_->nv() + k] = row_is_on(k) ? -g[k] : 0.0;
  solve(x);
  const CSpan step = CSpan(x).first(eq_->nv());
  if (!std::isfinite(largest(x))) return false;
  eq_->plus(state.q, step);
  return evaluate(state) && gaps() < 0.7 * before;
}

std::optional<int> Statics::downward_directions() const {
  if (eq_->ns() > 0) return {};
  Csc A(matrix_.pattern);
  const int nv = eq_->nv();
  int rows = 0;
  each_entry(*A.pattern, [&](int i, int j, int e) {
    const bool is_off = (i >= nv && !row_is_on(i - nv)) || (j >= nv && !row_is_on(j - nv));
    if (is_off)
      A.value[e] = i == j ? 1.0 : 0.0;
    else if (i == j && j >= nv)
      A.value[e] = -1e-9, ++rows;
    else
      A.value[e] = 0.5 * scales_[i] * scales_[j] * (matrix_.value[e] + matrix_.at(j, i));
  });
  const std::optional<int> negative = negative_eigenvalues(A);
  return negative ? std::optional<int>(std::max(*negative - rows, 0)) : std::nullopt;
}

bool Statics::decide() {
  constexpr int most_changes = 40;
  bool changed = false;
  for (Switch& s : switches) {
    const bool before = s.on;
    if (s.is_contact) {  // one that has just closed and carries nothing yet stays closed
      const double pressed = -lambda[s.at] / scale_ - g[s.at] / length_;
      s.on = s.on ? pressed > -1e-13 : pressed > 1e-13;
      s.target = 0;
    } else if (s.on && std::abs(lambda[s.at]) > s.hold * (1 + 1e-9) + 1e-12 * scale_) {
      s.on = false, s.target = std::copysign(s.slide, lambda[s.at]);
    } else if (!s.on && g[s.at] * s.target < 0 && s.changes < most_changes) {
      s.on = true;  // it slips back: as far as to where it was
    }
    if (s.on != before) ++s.changes, changed = true;
  }
  return changed;
}

double Statics::forces() const {
  double most = 0;
  for (int i = 0; i < eq_->moving(); ++i) {
    if (!is_held_[i]) most = std::abs(tau[i]) > most || std::isnan(tau[i]) ? std::abs(tau[i]) : most;
  }
  return most;
}
double Statics::rates() const { return largest({tau.begin() + eq_->moving(), tau.end()}); }

double Statics::gaps() const {
  double most = 0;
  for (int k = 0; k < eq_->ng(); ++k) {
    if (row_is_on(k)) most = std::max(most, std::abs(g[k]) / length_);
  }
  return most;
}

double Statics::size() const {
  double most = std::max({forces() / scale_, rates() / fastest_, gaps()});
  for (const Switch& s : switches) {
    if (s.is_contact && s.on) most = std::max({most, lambda[s.at] / scale_, 100 * std::abs(g[s.at]) / length_});
    if (s.is_contact && !s.on) most = std::max(most, -g[s.at] / length_);
    if (!s.is_contact && s.on) most = std::max(most, (std::abs(lambda[s.at]) - s.hold) / scale_);
    if (!s.on) most = std::max(most, std::abs(lambda[s.at] - s.target) / scale_);
  }
  return most;
}

// ---- the matrix

void Statics::make_pattern() {
  const Pattern &tangent = *store_.stiffness().pattern, &rows = *store_.jacobian().pattern;
  const int nv = eq_->nv(), n = nv + eq_->ng();
  PatternBuilder builder(n, n);
  each_entry(tangent, [&](int i, int j, int) { builder.add(i, j); });
  for (const auto& c : couplings_) {
    for (int k = tangent.start[c.i]; k < tangent.start[c.i + 1]; ++k) builder.add(tangent.row[k], c.j);
  }
  each_entry(rows, [&](int i, int j, int) { builder.add(nv + i, j), builder.add(j, nv + i); });
  for (int i = 0; i < n; ++i) builder.add(i, i);
  matrix_ = Csc(std::make_shared<Pattern>(builder.build()));
  const Pattern& all = *matrix_.pattern;
  tangent_at_.resize(tangent.row.size()), jacobian_at_.resize(rows.row.size()), transposed_at_.resize(rows.row.size());
  each_entry(tangent, [&](int i, int j, int k) { tangent_at_[k] = all.find(i, j); });
  each_entry(rows, [&](int i, int j, int k) {
    jacobian_at_[k] = all.find(nv + i, j), transposed_at_[k] = all.find(j, nv + i);
  });
  diagonal_at_.resize(n);
  for (int i = 0; i < n; ++i) diagonal_at_[i] = all.find(i, i);
  scaled_.resize(matrix_.value.size()), scales_.resize(n), x_.resize(n);
  lu_.emplace(matrix_.pattern);
}

void Statics::fill(double s, double b) {
  const Csc &K = store_.stiffness(), &D = store_.damping(), &M = store_.mass(), &G = store_.jacobian(),
            &friction = store_.friction();
  const int nv = eq_->nv(), moving = eq_->moving();
  std::ranges::fill(matrix_.value, 0.0);
  const double slow = std::sqrt(s);
  each_entry(*K.pattern, [&](int i, int j, int k) {
    double x =
        j < moving ? K.value[k] + b * D.value[k] + s * M.value[k] : (D.value[k] + slow * M.value[k]) * eq_->nominal(j);
    if (i >= moving) x /= eq_->nominal(i);
    matrix_.value[tangent_at_[k]] = x;
  });
  for (const auto& c : couplings_) {
    for (int k = K.pattern->start[c.i]; k < K.pattern->start[c.i + 1]; ++k) {
      const int row = K.pattern->row[k];
      const double x = D.value[k] * c.velocity + M.value[k] * c.acceleration;
      matrix_.value[matrix_.pattern->find(row, c.j)] += row < moving ? x : x / eq_->nominal(row);
    }
  }
  each_entry(*G.pattern, [&](int k, int, int e) {
    if (row_is_on(k)) matrix_.value[jacobian_at_[e]] = G.value[e];
    matrix_.value[transposed_at_[e]] = G.value[e] + friction.value[e];
  });
  for (int k = 0; k < eq_->ng(); ++k) {
    if (!row_is_on(k)) matrix_.value[diagonal_at_[nv + k]] = 1;
  }
  each_entry(*matrix_.pattern, [&](int i, int j, int e) {
    if ((i < nv && is_held_[i]) || (j < nv && is_held_[j])) matrix_.value[e] = i == j ? 1.0 : 0.0;
  });
}

// So that each diagonal of coordinates is about one, and each row of constraints too. Bodies without mass have nothing on the diagonal: were they scaled up
// by much, they alone would count in the rows that hold them, and the compliance would be more than what the others yield.
void Statics::scale() {
  constexpr double least = 1e-6;  // of the largest diagonal
  const Pattern& p = *matrix_.pattern;
  const int nv = eq_->nv();
  double most = 0;
  for (int j = 0; j < nv; ++j) most = std::max(most, std::abs(matrix_.value[diagonal_at_[j]]));
  for (int j = 0; j < nv; ++j)
    scales_[j] = 1 / std::sqrt(std::max({std::abs(matrix_.value[diagonal_at_[j]]), least * most, 1e-200}));
  for (int k = nv; k < p.cols; ++k) {
    double sum = 0;
    for (int e = p.start[k]; e < p.start[k + 1]; ++e) {
      if (p.row[e] < nv) sum += std::pow(matrix_.value[e] * scales_[p.row[e]], 2);
    }
    scales_[k] = sum > 0 ? 1 / std::sqrt(sum) : 1.0;
  }
  each_entry(p, [&](int i, int j, int e) { scaled_[e] = scales_[i] * matrix_.value[e] * scales_[j]; });
  for (int k = nv; k < p.cols; ++k) {
    if (row_is_on(k - nv)) scaled_[diagonal_at_[k]] -= compliance;
  }
}

bool Statics::factor(double s, double b) {
  fill(s, b);
  scale();
  return lu_->factor(scaled_);
}

void Statics::solve(Vector& x) {
  for (std::size_t i = 0; i < x.size(); ++i) x_[i] = x[i] * scales_[i];
  lu_->solve(x_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x_[i] * scales_[i];
}

Statics::Step Statics::step(double s, double b, const Vector* momentum) {
  const int nv = eq_->nv();
  Step out;
  if (!factor(s, b)) return out;
  Vector x(nv + eq_->ng());
  for (int i = 0; i < nv; ++i) x[i] = -tau[i];
  if (momentum) multiply_add(store_.mass(), *momentum, b, Span(x).first(nv));
  for (const int iv : motion_.held()) x[iv] = 0;
  for (int k = 0; k < eq_->ng(); ++k) x[nv + k] = -g[k];
  for (const Switch& w : switches) {
    if (!w.on) x[nv + w.at] = w.target - lambda[w.at];
  }
  solve(x);
  out.dq.assign(x.begin(), x.begin() + nv), out.dlambda.assign(x.begin() + nv, x.end());
  out.ok = std::isfinite(largest(x));
  return out;
}

Statics::Reach Statics::until_contact(const Step& step) const {
  Reach out;
  if (switches.empty()) return out;
  Vector change(eq_->ng());
  multiply_add(store_.jacobian(), step.dq, 1.0, change);
  for (std::size_t k = 0; k < switches.size(); ++k) {
    const Switch& s = switches[k];
    if (!s.is_contact || s.on || g[s.at] < 0 || g[s.at] + change[s.at] >= 0) continue;
    if (const double here = g[s.at] / -change[s.at]; here < out.part) out = {here, static_cast<int>(k)};
  }
  return out;
}

DenseMatrix Statics::stiffness() const {
  DenseMatrix K(store_.stiffness());
  const DenseMatrix D(store_.damping());
  const int nv = eq_->nv(), moving = eq_->moving();
  for (int j = moving; j < nv; ++j) {
    for (int i = 0; i < nv; ++i) K(i, j) = D(i, j) * eq_->nominal(j);
  }
  for (const auto& c : couplings_) {
    const Csc& M = store_.mass();
    for (int k = M.pattern->start[c.i]; k < M.pattern->start[c.i + 1]; ++k)
      K(M.pattern->row[k], c.j) += store_.damping().value[k] * c.velocity + M.value[k] * c.acceleration;
  }
  for (int i = moving; i < nv; ++i) {
    for (int j = 0; j < nv; ++j) K(i, j) /= eq_->nominal(i);
  }
  return K;
}

}  // namespace skyhook::analysis
