#include "skyhook/formalism/evaluator.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/formalism/energy.h"
#include "skyhook/formalism/led_drives.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;

Snapshot room_for(std::shared_ptr<const EquationsOfMotion> view, const Equations& all) {
  Snapshot s;
  const Equations* active = view->behind().get();
  const auto rows = all.rows().size();
  s.q.resize(active->nq()), s.v.resize(active->nv()), s.a.resize(active->nv()), s.lambda.resize(active->ng());
  s.all_multipliers.resize(rows), s.positions.resize(rows), s.velocities.resize(rows), s.row_holds.resize(rows);
  for (const int row : all.active()) s.row_holds[static_cast<std::size_t>(row)] = 1;
  s.reactions.resize(6 * active->model().joints.size());
  s.signals.resize(active->model().continuous.size());
  s.wrenches.resize(active->forces().size()), s.relatives.resize(active->forces().size());
  s.coordinate_forces.resize(active->coordinate_forces().size());
  s.state_forces.resize(active->state_forces().size()), s.state_rates.resize(active->ns());
  s.contributions.resize(active->contributions().size());
  s.frictions.resize(active->frictions().size());
  s.drives.resize(active->tree().driven.size());
  s.length = characteristic_length(active->model());
  s.of = std::move(view);
  return s;
}

bool has_driven_rows(const Equations& eq) {
  const auto is_driven = [](const auto& x) { return x.motion != nullptr; };
  return std::ranges::any_of(eq.linear_constraints(), is_driven) ||
         std::ranges::any_of(eq.pair_constraints(),
                             [&](const auto& c) { return std::ranges::any_of(c.rows, is_driven); });
}

// Drives that do not move what moves by drives alone, from the ground on, and meets no constraint: the forces of the others depend on
// the motion alone, as those of a road or a test rig do.
std::vector<int> coupled_drives(const Equations& eq) {
  const recursive::Tree& tree = eq.tree();
  std::vector<char> alone(tree.nodes.size(), 1);
  for (std::size_t i = 1; i < alone.size(); ++i)
    alone[i] = tree.nodes[i].nv() == 0 && alone[static_cast<std::size_t>(tree.nodes[i].parent)];
  const auto touch = [&](int node) { alone[static_cast<std::size_t>(node)] = 0; };
  for (const auto& c : eq.pair_constraints()) {
    if (c.active_rows > 0) touch(c.pair.A.node), touch(c.pair.B.node);
  }
  for (const auto& c : eq.contributions()) {
    if (!c.rows.empty()) touch(c.pair.A.node), touch(c.pair.B.node);
  }
  for (std::size_t i = alone.size(); i-- > 1;) {  // whoever carries one that is not
    if (!alone[i]) touch(tree.nodes[i].parent);
  }
  std::vector<int> out;
  for (const auto& d : tree.driven) {
    if (!alone[static_cast<std::size_t>(d.node)]) out.push_back(d.node);
  }
  return out;
}

}  // namespace

Evaluator::Evaluator(std::shared_ptr<const EquationsOfMotion> active, std::shared_ptr<const EquationsOfMotion> all)
    : active_(active->behind()),
      all_(all->behind()),
      solver_(*active_),
      reactions_(active_, all_),
      ws_(*active_),
      ws_all_(*all_),
      tau_(active_->nv()),
      qdot_(active_->nq()),
      g_(active_->ng()),
      rate_(active_->ng()),
      zero_v_(active_->nv(), 0.0),
      zero_g_(active_->ng(), 0.0),
      g_all_(all_->ng()),
      rate_all_(all_->ng()),
      now_(room_for(std::move(active), *all_)) {
  ws_->keeps_forces = true, ws_->forces = now_;
  has_drive_ = !active_->tree().driven.empty() || active_->has_feedback() || has_driven_rows(*active_);
  solver_.use_nearby_factors();
  may_be_led_ = !active_->has_feedback() && !has_driven_rows(*active_);
  coupled_drives_ = coupled_drives(*active_);
  for (const int row : all_->active()) is_known_.push_back(std::ranges::binary_search(active_->active(), row));
  has_power_ = has_drive_ || !active_->forces().empty() || !active_->coordinate_forces().empty() ||
               !active_->state_forces().empty() || !active_->contributions().empty() ||
               !active_->tree().modal.empty() || !active_->tree().meshes.empty();
}

void Evaluator::begin(double t, CSpan q, CSpan v) {
  now_.t = t;
  std::ranges::copy(q, now_.q.begin());
  std::ranges::copy(v, now_.v.begin());
}

Eval Evaluator::accelerate() {
  const Eval e = solver().solve(now_.t, now_.q, now_.v, now_.a, now_.lambda, ws_);
  if (e != Eval::ok) blame_ = ws_.blame();
  find_change();
  return e;
}

void Evaluator::find_change() {
  change_ = now_.a;
  const CSpan begun = solver().begun_at();
  for (std::size_t i = 0; i < begun.size(); ++i) change_[i] -= begun[i];
}

// What the nodes pass on with the accelerations just found: as residual(), but forces stay as they were evaluated for these.
Eval Evaluator::react() {
  if (active_->ng() == 0 && (!active_->tree().modal.empty() || !active_->tree().meshes.empty()))
    return residual(Drives::move);
  if (active_->ng() == 0) return active_->add_inertia(now_.v, now_.a, ws_), Eval::ok;
  g_ = solver().g(), rate_ = solver().rate();
  const Eval e = active_->add_reactions({now_.t, now_.q, now_.v, change_, now_.lambda, zero_g_}, ws_);
  if (e != Eval::ok) blame_ = ws_.blame();
  return e;
}

Eval Evaluator::residual(Drives how) {
  const Eval e =
      active_->residual({now_.t, now_.q, now_.v, now_.a, now_.lambda, zero_g_, how}, {tau_, qdot_, g_, rate_}, ws_);
  if (e != Eval::ok) blame_ = ws_.blame();
  return e;
}

void Evaluator::evaluate_motion(double t, CSpan q, CSpan v) { evaluate_motion(t, q, v, {}); }

void Evaluator::evaluate_motion(double t, CSpan q, CSpan v, Marked forces) {
  move_nodes(t, q, v);
  measure_forces(forces);
}

void Evaluator::move_nodes(double t, CSpan q, CSpan v) {
  begin(t, q, v);
  recursive::set_drives(active_->tree(), t, Drives::move, ws_->nodes);
  recursive::positions_velocities(active_->tree(), now_.q, now_.v, ws_->nodes);
  take_nodes();
}

// Algebraic unknowns of a law are found with its loads.
void Evaluator::evaluate_relative_motion(double t, CSpan q, CSpan v, Marked marked) {
  move_nodes(t, q, v);
  measure_signals();
  const auto is_left_out = [&](const model::Contribution& what) {
    return !marked.empty() && !marked[model::number_of(active_->model(), what)];
  };
  recursive::PairMotion m;
  for (std::size_t k = 0; k < now_.relatives.size(); ++k) {
    const auto& item = active_->forces()[k];
    if (is_left_out(*item.force)) continue;
    relative_motion(item.pair, now_.nodes, now_.t, m);
    m.rel.set = active_->setting(*item.force, now_.signals);
    now_.relatives[k] = m.rel;
  }
  for (std::size_t k = 0; k < now_.contributions.size(); ++k) {
    if (is_left_out(*active_->contributions()[k].what)) continue;
    std::ignore = active_->contribution_motion(k, now_.t, now_.nodes, now_.v, now_.lambda, now_.contributions[k], ws_);
  }
}

void Evaluator::evaluate_energy(double t, CSpan q, CSpan v) {
  evaluate_motion(t, q, v);
  measure_energy();
}

void Evaluator::evaluate_energy(double t, CSpan q, CSpan v, EquationsOfMotion::Workspace& moved) {
  begin(t, q, v);
  std::swap(now_.nodes, moved->nodes);
  measure_forces();
  measure_energy();
}

void Evaluator::measure_energy() { formalism::measure_energy(now_); }

// A drive that holds still does no work, whatever its force.
bool Evaluator::drives_are_led() {
  if (!may_be_led_) return false;
  if (coupled_drives_.empty()) return true;
  recursive::set_drives(active_->tree(), now_.t, Drives::move, ws_->nodes);
  return std::ranges::all_of(coupled_drives_, [&](int node) { return ws_->nodes[node].drive.rate == 0; });
}

// With any accelerations of the rest.
Eval Evaluator::drives_alone() {
  if (lead_single_bodies(*active_, coupled_drives_)) {
    recursive::set_drives(active_->tree(), now_.t, Drives::move, ws_->nodes);
    recursive::positions_velocities(active_->tree(), now_.q, now_.v, ws_->nodes);
    take_nodes();
    measure_forces();
    measure_led_drives(coupled_drives_, now_);
    if (reactions_.any_redundant()) measure_residuals();  // these are watched
    return Eval::ok;
  }
  const Eval e = active_->dynamics({now_.t, now_.q, now_.v, zero_v_, zero_g_, zero_g_}, tau_, ws_);
  if (e != Eval::ok) return blame_ = ws_.blame(), e;
  take_motion();
  measure_drives();
  if (reactions_.any_redundant()) measure_residuals();  // these are watched
  return Eval::ok;
}

Eval Evaluator::evaluate_drives(double t, CSpan q, CSpan v) {
  begin(t, q, v);
  if (drives_are_led()) return drives_alone();
  if (const Eval e = accelerate(); e != Eval::ok) return e;
  if (may_be_led_ && end_in_single_bodies(*active_, ws_->nodes)) {
    recursive::accelerations(active_->tree(), active_->gravity(), now_.v, now_.a, ws_->nodes);
    take_motion();
    measure_last_drives(now_);
    for (recursive::NodeState& x : now_.nodes) x.a += active_->gravity();
    if (reactions_.any_redundant()) measure_residuals();  // these are watched
    return Eval::ok;
  }
  if (!now_.drives.empty()) {  // the forces that the accelerations take
    if (const Eval e = react(); e != Eval::ok) return e;
  }
  take_motion();
  measure_drives();
  if (reactions_.any_redundant()) measure_residuals();  // these are watched
  return Eval::ok;
}

void Evaluator::take_nodes() {
  std::swap(now_.nodes, ws_->nodes);
  ws_->nodes.resize(now_.nodes.size());
}

void Evaluator::take_forces() {
  std::swap(static_cast<ForceValues&>(now_), ws_->forces);
  now_.state_rates = ws_->rates;
  for (const int reader : active_->readers()) measure_contribution(static_cast<std::size_t>(reader));
  measure_frictions();
}

void Evaluator::take_motion() {
  take_nodes();
  take_forces();
}

bool Evaluator::begin_finite(double t, CSpan q, CSpan v) {
  begin(t, q, v);
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (std::ranges::all_of(q, is_finite) && std::ranges::all_of(v, is_finite)) return true;
  blame_ = "the state is not a finite number";
  return false;
}

// Where nobody asks for reactions, nobody asks for the force of a drive that holds still either.
Eval Evaluator::evaluate(double t, CSpan q, CSpan v, bool with_reactions, Energies energies) {
  if (!begin_finite(t, q, v)) return Eval::recoverable;
  if (const Eval e = accelerate(); e != Eval::ok) return e;
  if (with_reactions || !drives_are_led() || !lead_single_bodies(*active_, coupled_drives_))
    return complete(with_reactions, energies);
  if (const Eval e = complete_accelerations(energies); e != Eval::ok) return e;
  measure_led_drives(coupled_drives_, now_);
  return Eval::ok;
}

// The solver has moved all nodes, with other accelerations.
Eval Evaluator::evaluate_accelerations(double t, CSpan q, CSpan v, Energies energies) {
  if (!begin_finite(t, q, v)) return Eval::recoverable;
  const Eval e = accelerate();
  return e == Eval::ok ? complete_accelerations(energies) : e;
}

Eval Evaluator::complete_accelerations(Energies energies) {
  recursive::accelerations(active_->tree(), active_->gravity(), now_.v, now_.a, ws_->nodes);
  take_nodes();
  g_ = solver().g(), rate_ = solver().rate();
  measure_residuals(Known::active_rows);
  take_forces();
  for (recursive::NodeState& x : now_.nodes) x.a += active_->gravity();
  if (energies == Energies::measured) measure_energy();
  return Eval::ok;
}

void Evaluator::hold() {
  is_held_ = solver().can_follow(now_.t, now_.q, ws_);
  held_a_ = now_.a, held_lambda_ = now_.lambda;
}

Eval Evaluator::evaluate_beside(double t, CSpan q, CSpan v, bool with_reactions, Energies energies) {
  if (!is_held_) return with_reactions ? evaluate(t, q, v, true, energies) : evaluate_accelerations(t, q, v, energies);
  if (!begin_finite(t, q, v)) return Eval::recoverable;
  std::ranges::copy(held_a_, now_.a.begin());
  std::ranges::copy(held_lambda_, now_.lambda.begin());
  if (const Eval e = solver().follow(t, q, v, now_.a, now_.lambda, ws_); e != Eval::ok) return blame_ = ws_.blame(), e;
  find_change();
  return with_reactions ? complete(true, energies) : complete_accelerations(energies);
}

Eval Evaluator::evaluate_at_rest(double t, CSpan q, CSpan v, CSpan multipliers) {
  begin(t, q, v);
  std::fill_n(now_.v.begin(), active_->tree().nv, 0.0);
  std::ranges::fill(now_.a, 0.0);
  std::ranges::copy(multipliers, now_.lambda.begin());
  return complete(true, Energies::measured, Drives::stand);
}

Eval Evaluator::complete(bool with_reactions, Energies energies, Drives how) {
  if (const Eval e = how == Drives::move ? react() : residual(how); e != Eval::ok) return e;
  take_motion();
  measure_drives();
  measure_residuals(Known::active_rows);
  if (with_reactions) reactions_.measure(now_);
  for (recursive::NodeState& x : now_.nodes) x.a += active_->gravity();
  if (energies == Energies::measured) measure_energy();
  return Eval::ok;
}

// What its subtree needs along the driven coordinate.
void Evaluator::measure_drives() {
  const recursive::Tree& tree = active_->tree();
  for (std::size_t k = 0; k < now_.drives.size(); ++k) {
    const recursive::NodeState& x = now_.nodes[tree.driven[k].node];
    now_.drives[k] = along_coordinate(tree.nodes[tree.driven[k].node], x, x.f, x.n);
  }
}

void Evaluator::measure_residuals(Known known) {
  const auto put = [&](const Equations& of, const std::vector<double>& g, const std::vector<double>& rate) {
    for (int k = 0; k < of.ng(); ++k) now_.positions[of.active()[k]] = g[k], now_.velocities[of.active()[k]] = rate[k];
  };
  if (reactions_.any_redundant()) {  // of one tree: the nodes are the same
    const auto left_out = known == Known::active_rows ? std::span<const char>(is_known_) : std::span<const char>();
    std::swap(now_.nodes, ws_all_->nodes);
    all_->constraints_of_nodes(now_.t, now_.q, now_.v, g_all_, rate_all_, ws_all_, left_out);
    std::swap(now_.nodes, ws_all_->nodes);
    put(*all_, g_all_, rate_all_);
    if (known == Known::none) return;
  }
  put(*active_, g_, rate_);
}

void Evaluator::measure_signals() {
  if (now_.signals.empty()) return;
  std::string ignored;  // told by the run
  active_->find_signals(now_.t, now_.q, now_.v, now_.nodes, ws_->signals, ignored);
  now_.signals = ws_->signals.values;
}

void Evaluator::measure_forces(Marked marked) {
  measure_signals();
  const auto is_left_out = [&](const model::Contribution& force) {
    return !marked.empty() && !marked[model::number_of(active_->model(), force)];
  };
  recursive::PairMotion m;
  for (std::size_t k = 0; k < now_.wrenches.size(); ++k) {
    const auto& item = active_->forces()[k];
    if (is_left_out(*item.force)) continue;
    relative_motion(item.pair, now_.nodes, now_.t, m);
    m.rel.set = active_->setting(*item.force, now_.signals);
    now_.relatives[k] = m.rel;
    now_.wrenches[k] = {};
    item.law->wrench(m.rel, now_.wrenches[k]);
  }
  for (std::size_t k = 0; k < now_.coordinate_forces.size(); ++k) {
    const auto& c = active_->coordinate_forces()[k];
    now_.coordinate_forces[k] = c.force->coordinate->force(now_.q[c.iq] + c.reference, now_.v[c.iv], now_.t,
                                                           active_->setting(*c.force, now_.signals));
  }
  measure_frictions();
  measure_state_forces(marked);
  measure_contributions(marked);
}

void Evaluator::measure_frictions() {
  for (std::size_t k = 0; k < now_.frictions.size(); ++k)
    now_.frictions[k] = active_->friction_force(k, now_.nodes, now_.lambda);
}

void Evaluator::measure_contributions(Marked marked) {
  for (std::size_t k = 0; k < now_.contributions.size(); ++k) {
    const auto& item = active_->contributions()[k];
    if (marked.empty() || marked[model::number_of(active_->model(), *item.what)]) measure_contribution(k);
  }
}

void Evaluator::measure_contribution(std::size_t k) {
  ContributionState& now = now_.contributions[k];
  if (active_->contribution_state(k, now_.t, now_.nodes, now_.v, now_.lambda, now, ws_) != Eval::ok)
    return;  // told by the run
  std::ranges::copy(now.rates, now_.state_rates.begin() + (active_->contributions()[k].first - active_->tree().nv));
}

void Evaluator::measure_state_forces(Marked marked) {
  recursive::PairMotion m;
  Vec3d unit;
  for (std::size_t k = 0; k < now_.state_forces.size(); ++k) {
    const auto& item = active_->state_forces()[k];
    if (!marked.empty() && !marked[model::number_of(active_->model(), *item.force)]) continue;
    const auto stroke =
        item.stroke(now_.nodes, now_.t, now_.q, now_.v, active_->setting(*item.force, now_.signals), m, unit);
    Snapshot::StateForce& to = now_.state_forces[k];
    to = {stroke.x, stroke.v};
    const Span rates = Span(now_.state_rates).subspan(item.first - active_->tree().nv, item.count);
    to.pull = item.force->inner->evaluate(stroke, item.states(CSpan(now_.v)), rates);
    if (!item.on_coordinate()) (item.is_moment() ? to.n : to.f) = -to.pull * (m.R_A * unit);
  }
}

}  // namespace skyhook::formalism
