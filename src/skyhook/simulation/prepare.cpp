#include "skyhook/simulation/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/element/plugin_law.h"
#include "skyhook/formalism/gruebler.h"
#include "skyhook/formalism/recursive/acceleration_solver.h"
#include "skyhook/simulation/drives_of_loop.h"

namespace skyhook::simulation {

namespace {

// With the given values held; where the constraints do not allow that and `may_release`, nearest to them.
template <class Fit>
formalism::Consistency hold_if_possible(Fit&& fit, const Equations& eq, formalism::State& state,
                                        const std::vector<int>& held, bool may_release) {
  const formalism::State start = state;
  formalism::Consistency out = fit(eq, state, held);
  if (out.ok || held.empty() || !may_release) return out;
  state = start;
  return fit(eq, state, {});
}

// Redundant constraints must be satisfied by the accelerations that the others lead to: two drives of one motion may agree
// in position and velocity and yet part.
std::string find_contradiction(const Prepared& p) {
  std::vector<double> a(p.active->nv()), lambda(p.active->ng()), bias(p.all->ng()), zero(p.all->ng(), 0.0);
  auto ws = p.active->workspace();
  formalism::recursive::AccelerationSolver solver(*p.active);
  if (solver.solve(p.state.t, p.state.q, p.state.v, a, lambda, ws) != Eval::ok) return {};  // told elsewhere
  auto ws_all = p.all->workspace();
  p.all->constraint_accelerations({p.state.t, p.state.q, p.state.v, a, zero, zero}, bias, ws_all);
  double size = 1;
  for (double x : a) size = std::max(size, std::abs(x));
  for (int k : p.rank.redundant) {
    if (std::abs(bias[k]) > 1e-6 * size) {
      const std::string drives = drives_of_loop(*p.all, k);
      return fmt::format(
          "Constraint \"{}\" contradicts the others: it asks for an acceleration that they do not allow. Remove one of "
          "the drives that prescribe the same motion{}{}.",
          p.all->rows()[k].name(), drives.empty() ? "" : ": ", drives);
    }
  }
  return {};
}

}  // namespace

Prepared prepare(std::shared_ptr<const model::Model> model, const model::Experiment& experiment,
                 const formalism::State* start) {
  Prepared p;
  p.model = model = element::plugin::load_plugins(std::move(model));
  p.topology = formalism::choose_tree(*model, experiment.independent);
  p.all = std::make_shared<Equations>(model, p.topology);
  p.state = start ? *start : formalism::initial_guess(*p.all, experiment.from_time);
  const std::vector<int> held = formalism::find_coordinates(*p.all, experiment.independent, experiment.where);
  const formalism::Given given =
      held.empty() && !start ? formalism::given_coordinates(*p.all) : formalism::Given{held, held};
  p.positions = hold_if_possible(formalism::assemble, *p.all, p.state, given.positions, held.empty());
  if (p.positions.ok)
    p.velocities = hold_if_possible(formalism::fit_velocities, *p.all, p.state, given.velocities, held.empty());
  if (p.ok()) p.rank = formalism::find_rank(*p.all, p.state);
  p.active = p.rank.redundant.empty() ? p.all : std::make_shared<Equations>(model, p.topology, p.rank.independent);
  if (p.ok() && !p.rank.redundant.empty() && p.rank.here == p.rank.rank) p.contradiction = find_contradiction(p);
  if (p.ok()) p.friction = formalism::find_friction_problem(*p.all, *p.active, p.state);
  return p;
}

namespace {

std::string name_of(const model::Model& m, int body) { return body == model::ground ? "ground" : m.bodies[body].name; }

bool has_friction(const model::Model& m, int joint) {
  return std::ranges::count(m.joint_frictions, joint, &model::JointFriction::joint) > 0;
}

void describe_tree(const Prepared& p, std::vector<std::string>& out) {
  const auto& m = *p.model;
  int depth = 0;
  for (const auto& link : p.topology.links) depth = std::max(depth, link.depth);
  out.push_back(fmt::format("tree: {} joint coordinates in {} levels", p.all->tree().nv, depth));
  if (const std::size_t driven = p.all->tree().driven.size(); driven > 0)
    out.push_back(
        fmt::format("  and {} that {} drives: no unknowns", driven, driven == 1 ? "follows its" : "follow their"));
  if (const int states = p.all->ns(); states > 0)
    out.push_back(fmt::format("  and {} inner state{} of forces", states, states == 1 ? "" : "s"));
  for (const auto& link : p.topology.links) {
    if (link.joint < 0)
      out.push_back(fmt::format("  body {} hangs on cut joints or rods only: it floats on an implied free joint",
                                m.bodies[link.body].name));
  }
  const std::size_t closed = p.topology.cuts.size() + m.rods.size();
  if (closed == 0) return out.push_back("loops: none"), void();
  out.push_back(fmt::format("loops: {}, cut at", closed));
  for (const auto& rod : m.rods)
    out.push_back(fmt::format("  {} (rod, {} - {})", rod.name, name_of(m, rod.from.body), name_of(m, rod.to.body)));
  for (int j : p.topology.cuts) {
    const auto& joint = m.joints[j];
    out.push_back(fmt::format("  {} ({}, {} - {}){}", joint.name, joint.type, name_of(m, joint.from),
                              name_of(m, joint.to),
                              joint.cut.value_or(false) ? " by your `cut: true`"
                              : has_friction(m, j)      ? " because its friction needs its load"
                                                        : ""));
  }
}

void describe_plugins(const model::Model& m, std::vector<std::string>& out) {
  for (const element::plugin::Law* law : element::plugin::plugins_of(m)) {
    out.push_back(fmt::format("plug-in: {} runs the code of {}", law->wish().name.element, law->wish().library.path));
    for (const std::string& line : law->describe()) out.push_back("  " + line);
  }
}

void describe_rank(const Prepared& p, std::vector<std::string>& out) {
  const int rows = p.all->ng();
  out.push_back(
      fmt::format("constraints: {}, of these independent {}, redundant {}", rows, p.rank.rank, rows - p.rank.rank));
  for (int k : p.rank.redundant) out.push_back("  redundant: " + p.all->rows()[k].name());
  if (p.rank.here < p.rank.rank) {
    out.push_back(
        fmt::format("  singular position: only {} constraints are independent here, {} nearby; the motion may branch",
                    p.rank.here, p.rank.rank));
  }
  if (p.rank.rank > 0 && p.rank.condition > 1e6)
    out.push_back(fmt::format("  badly conditioned: {:.1e}", p.rank.condition));
}

void describe_moves(const char* what, const formalism::Consistency& c, std::vector<std::string>& out) {
  if (c.moved.empty()) return;
  out.push_back(fmt::format("initial {}: {} moved to fit the constraints, most", what, c.moved.size()));
  for (std::size_t k = 0; k < c.moved.size() && k < 5; ++k) {
    out.push_back(fmt::format("  {}: {:.6g} -> {:.6g}", c.moved[k].name, c.moved[k].from, c.moved[k].to));
  }
}

}  // namespace

std::vector<Warning> warnings_before(const Prepared& p) {
  std::vector<Warning> all = p.model->warnings;
  all.insert(all.end(), p.warnings.begin(), p.warnings.end());
  return without(std::move(all), p.model->ignored_warnings);
}

std::vector<std::string> describe(const Prepared& p) {
  std::vector<std::string> out;
  double mass = 0;
  for (const auto& b : p.model->bodies) mass += b.mass;
  out.push_back(fmt::format("bodies: {}, joints: {}, forces: {}, total mass {:.6g} kg", p.model->bodies.size(),
                            p.model->joints.size() + p.model->rods.size() + p.model->couplers.size(),
                            p.model->forces.size() + p.model->joint_frictions.size(), mass));
  describe_plugins(*p.model, out);
  describe_tree(p, out);
  if (!p.ok()) return out.push_back("NOT CONSISTENT: " + p.problem()), out;
  describe_rank(p, out);
  out.push_back(fmt::format("degrees of freedom: {}", p.degrees_of_freedom()));
  for (int j : p.topology.cuts) {
    const auto& joint = p.model->joints[j];
    bool given = false;
    for (std::size_t k = 0; k < joint.position.size(); ++k) given = given || joint.position[k] || joint.velocity[k];
    if (given)
      out.push_back(
          fmt::format("warning: joint {} is cut, its initial values are not used; {}give those of other joints",
                      joint.name, has_friction(*p.model, j) ? "" : "give it `cut: false` or "));
  }
  describe_moves("positions", p.positions, out);
  describe_moves("velocities", p.velocities, out);
  for (const Warning& w : warnings_before(p)) out.push_back("warning: " + to_string(w));
  return out;
}

}  // namespace skyhook::simulation
