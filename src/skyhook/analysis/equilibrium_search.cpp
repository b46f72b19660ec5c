#include "skyhook/analysis/equilibrium_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skyhook/flexible/ancf.h"
#include "skyhook/formalism/mesh_coordinates.h"
#include "skyhook/model/model.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::analysis {
namespace {

constexpr double near = 1e-5;       // residual from which on it is Newton's method
constexpr double largest_turn = 1;  // rad, of a step

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
double work(const Vector& tau, const Vector& dq) { return -dot(tau, dq); }

// Velocity coordinates that turn something: those of quaternions, and angles of joints.
std::vector<int> angles_of(const formalism::EquationsOfMotion& eq) {
  std::vector<int> out;
  for (const auto& rotation : eq.rotations()) {
    for (int k = 0; k < 3; ++k) out.push_back(rotation.iv + k);
  }
  const auto& joints = eq.model().joints;
  for (int j = 0; j < std::ssize(joints); ++j) {
    int scalar = 0;
    for (const model::Dof& dof : joints[static_cast<std::size_t>(j)].shape.dofs) {
      if (const int iv = eq.coordinate(j, scalar).iv; dof.is_angle() && iv >= 0) out.push_back(iv);
      scalar += dof.kind == model::Dof::Kind::ball ? 3 : 1;
    }
  }
  return out;
}

}  // namespace

EquilibriumSearch::EquilibriumSearch(Statics& statics, State state)
    : statics_(statics), angles_(angles_of(statics.equations())) {
  here_.state = std::move(state);
  start_ = here_ = point();
  size_ = statics_.size();
}

EquilibriumSearch::Point EquilibriumSearch::point() const {
  return {here_.state, statics_.lambda, statics_.tau, statics_.g, statics_.rate, statics_.switches};
}

void EquilibriumSearch::go_back(const Point& to) {
  here_.state = to.state;
  statics_.lambda = to.lambda, statics_.tau = to.tau, statics_.g = to.g, statics_.rate = to.rate;
  statics_.switches = to.switches;
  size_ = statics_.size();
}

void EquilibriumSearch::restart() {
  go_back(start_);
  statics_.evaluate(here_.state), statics_.differentiate(here_.state);
}

void EquilibriumSearch::look_again() {
  statics_.evaluate(here_.state), statics_.differentiate(here_.state);
  size_ = statics_.size();
}

// To `radius` at most, in rad or m; by what it was multiplied. Where turns are counted no step comes near half a turn, however far it leads.
double EquilibriumSearch::shorten(Statics::Step& step, double radius) const {
  const double longest = largest({step.dq.begin(), step.dq.begin() + statics_.equations().moving()});
  double factor = longest > radius ? radius / longest : 1.0;
  if (statics_.equations().counts_turns()) {
    double turned = 0;
    for (const int iv : angles_) turned = std::max(turned, std::abs(step.dq[iv]));
    if (factor * turned > largest_turn) factor = largest_turn / turned;
  }
  for (double& x : step.dq) x *= factor;
  for (double& x : step.dlambda) x *= factor;
  return factor;
}

// False: something cannot be evaluated there, and nothing has changed but the values of statics.
bool EquilibriumSearch::move(const Statics::Step& step, int contact) {
  const auto& eq = statics_.equations();
  const std::vector<double> before = here_.state.q;
  eq.plus(here_.state.q, CSpan(step.dq));
  // Beams that turn along straight lines would be stretched: they take ways of their own where that strains them less. Not those that unbend.
  for (const formalism::MeshCoordinates& mesh : formalism::mesh_coordinates(eq)) {
    const auto first = static_cast<std::size_t>(mesh.iq), count = static_cast<std::size_t>(mesh.count);
    const model::NodalMesh& nodal = *model::mesh_of(eq.model().bodies[static_cast<std::size_t>(mesh.body)]);
    const std::span<double> straight = std::span(here_.state.q).subspan(first, count);
    std::vector<double> bent(before.begin() + mesh.iq, before.begin() + mesh.iq + mesh.count);
    if (nodal.forces->energy(straight) < nodal.forces->energy(bent)) continue;
    flexible::bend_along(nodal, CSpan(step.dq).subspan(static_cast<std::size_t>(mesh.iv), count), bent);
    if (nodal.forces->energy(bent) < nodal.forces->energy(straight)) std::ranges::copy(bent, straight.begin());
  }
  for (int i = eq.moving(); i < eq.nv(); ++i) here_.state.v[i] += eq.nominal(i) * step.dq[i];
  for (int k = 0; k < eq.ng(); ++k) statics_.lambda[k] += step.dlambda[k];
  if (!statics_.evaluate(here_.state) || !statics_.differentiate(here_.state)) return false;
  statics_.decide();
  if (contact >= 0) statics_.switches[contact].on = true;
  size_ = statics_.size();
  return std::isfinite(size_);
}

bool EquilibriumSearch::has_run_away() const {
  double most = 0;
  for (std::size_t i = 0; i < here_.state.q.size(); ++i)
    most = std::max(most, std::abs(here_.state.q[i] - start_.state.q[i]));
  return !(most < 1e3 * std::max(statics_.length(), 1.0));
}

// The same, and back onto the rows from far away: the work of forces along a step means nothing while loops gape.
bool EquilibriumSearch::move_on_rows(const Statics::Step& step, int contact) {
  const bool is_near = size_ < near;
  if (!move(step, contact)) return false;
  if (statics_.equations().ng() == 0 || is_near) return true;
  for (int k = 0; k < 5 && statics_.gaps() > 1e-9; ++k) {
    if (!statics_.close(here_.state)) return statics_.gaps() < 1e-6 && statics_.differentiate(here_.state);
  }
  if (!statics_.differentiate(here_.state) || !statics_.balance(here_.state)) return false;
  statics_.decide();
  if (contact >= 0) statics_.switches[contact].on = true;
  size_ = statics_.size();
  return std::isfinite(size_);
}

bool EquilibriumSearch::descend(int most) {
  constexpr int most_raises = 12;  // of sigma for a saddle; beyond, signs of pivots are doubted
  // Of a step that may be made: below it one direction, which nothing resists, takes the way of all others, and inertia must hold it.
  constexpr double least_part = 0.3;
  constexpr double most_overshoot = -0.5;
  double sigma = 100, radius = 0.1, least = 1e-3;  // sigma: 1 / time^2
  int stalls = 0, raises = 0;
  const auto more_careful = [&](double factor) { sigma = std::max(factor * sigma, factor * 1e-3); };
  for (int i = 0; i < most && size_ > goal && stalls < 25; ++i) {
    ++iterations_;
    Statics::Step step = statics_.step(sigma);
    // From far away what leads downhill is good. Next to an equilibrium a step must not lead into a saddle.
    const bool to_saddle =
        step.ok && size_ < 1e-2 && raises < most_raises && statics_.downward_directions().value_or(0) > 0;
    if (!step.ok || to_saddle) {
      if (sigma > 1e15) return is_found();
      more_careful(step.ok ? 3 : 10), ++raises;
      continue;
    }
    raises = 0;
    const double shortened = shorten(step, radius);
    const auto [part, contact] = statics_.until_contact(step);
    for (double& x : step.dq) x *= part;
    for (double& x : step.dlambda) x *= part;
    const Point before = point();
    const double size_before = size_;
    double push = work(before.tau, step.dq);
    const bool is_near = size_<near, closes = statics_.gaps()> 1e-4;
    const bool is_convex = push + dot(step.dlambda, before.g) >= 0;  // dq^T (K + s M) dq
    bool moved = move_on_rows(step, contact);
    double still = moved ? work(statics_.tau, step.dq) : 0.0;
    // The lowest place lies on the way: where the force along the step vanishes if it changes evenly. Otherwise steps that each win nearly nothing go to and fro over it.
    if (moved && !is_near && !closes && is_convex && contact < 0 && still >= -push && still < most_overshoot * push) {
      const double to_lowest = push / (push - still);
      for (double& x : step.dq) x *= to_lowest;
      for (double& x : step.dlambda) x *= to_lowest;
      go_back(before);
      moved = move_on_rows(step, contact);
      push *= to_lowest, still = moved ? work(statics_.tau, step.dq) : 0.0;
    }
    const bool falls = moved && size_ < size_before;
    const bool is_good =
        is_near ? falls || !statics_.switches.empty() : is_convex && (push + still >= 0 || size_ < 0.5 * size_before);
    if (!moved || !(is_good || closes || contact >= 0)) {
      go_back(before);
      statics_.differentiate(here_.state);
      if (is_near) ++stalls;
      if (sigma > 1e14) return is_found();
      more_careful(moved ? 4 : 10), radius = std::max(0.5 * radius, 1e-3);
      continue;
    }
    if (has_run_away()) return ran_away_ = true, false;
    if (is_near) {
      least = std::min(least, 1e-6);
      if (size_ > 0.1 * size_before) least = std::max(0.1 * least, 1e-12), ++stalls;
      sigma = std::max(least, falls ? 0.1 * sigma : sigma);
      continue;
    }
    if (shortened < least_part)
      sigma *= std::min(least_part / shortened, 10.0);
    else
      sigma = still > -0.3 * push || falls ? std::max(least, 0.3 * sigma) : 2 * sigma;
    if (shortened < 1 && still > 0.5 * push) radius = std::min(2 * radius, 1e3);
    if (still < 0) radius = std::max(0.7 * radius, 0.02);
  }
  return is_found();
}

bool EquilibriumSearch::relax(int most) {
  double h = 0.03;
  Vector v(statics_.equations().nv(), 0.0);
  for (int i = 0; i < most && size_ > goal; ++i) {
    ++iterations_;
    Statics::Step step = statics_.step(1 / (h * h), 1 / h, &v);
    if (!step.ok) {
      if (h < 1e-7) return is_found();
      h *= 0.3, std::ranges::fill(v, 0.0);
      continue;
    }
    const double shortened = shorten(step, 0.3);
    const auto [part, contact] = statics_.until_contact(step);
    for (double& x : step.dq) x *= part;
    for (double& x : step.dlambda) x *= part;
    const Point before = point();
    const double size_before = size_;
    if (!move(step, contact)) {
      go_back(before), statics_.differentiate(here_.state);
      if (h < 1e-7) return is_found();
      h *= 0.3, std::ranges::fill(v, 0.0);
      continue;
    }
    if (has_run_away()) return ran_away_ = true, false;
    if (size_ < near) return descend(most - i);
    const bool brakes = work(statics_.tau, step.dq) < 0 || part < 1;
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = brakes ? 0.0 : step.dq[k] / h;
    for (int k = statics_.equations().moving(); k < statics_.equations().nv(); ++k) v[k] = 0;
    if (shortened < 1 || size_ > 2 * size_before)
      h = std::max(0.7 * h, 1e-6);
    else if (size_ < size_before)
      h = std::min(1.3 * h, 1e3);
  }
  return is_found();
}

bool EquilibriumSearch::newton(int most) {
  double sigma = 1e-9;
  for (int i = 0; i < most && size_ > goal; ++i) {
    ++iterations_;
    Statics::Step step = statics_.step(sigma);
    if (!step.ok) {
      if ((sigma *= 100) > 1e6) return is_found();
      continue;
    }
    shorten(step, 1.0);
    const Point before = point();
    const double size_before = size_;
    double part = 1;
    while (part > 1e-4) {
      Statics::Step shorter = step;
      for (double& x : shorter.dq) x *= part;
      for (double& x : shorter.dlambda) x *= part;
      if (move(shorter, -1) && size_ < (1 - 0.1 * part) * size_before) break;
      go_back(before);
      part *= 0.5;
    }
    if (part <= 1e-4) {
      statics_.differentiate(here_.state);
      return is_found();
    }
  }
  return is_found();
}

}  // namespace skyhook::analysis
