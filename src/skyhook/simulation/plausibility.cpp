#include "skyhook/simulation/plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/recursive/pair.h"
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/run_warnings.h"
#include "skyhook/simulation/table_excursions.h"

namespace skyhook::simulation {
namespace {

using model::Experiment;
using Warnings = std::vector<Warning>;

double span_of(const Experiment& e) { return e.until - e.from_time; }

void doubt_output_step(const Experiment& e, Warnings& out) {
  if (e.output_step <= span_of(e)) return;
  out.push_back({"output_step", line_of(e, "output_step"),
                 fmt::format("The output step, {:.6g} s, is longer than the run, {:.6g} s: only its begin and end are "
                             "recorded.",
                             e.output_step, span_of(e)),
                 "Choose a shorter one; it counts in s."});
}

// What a sample holds: see Sample.
std::size_t numbers_a_sample(const Prepared& p, const Experiment& e) {
  const auto& outputs = e.outputs.empty() ? p.model->outputs : e.outputs;
  std::size_t channels = 0;
  try {
    channels = choose_channels(all_channels(*p.active), outputs).size();
  } catch (const ModelError&) {}  // told where the run begins
  const model::Model& m = *p.model;
  return 1 + 2 * static_cast<std::size_t>(p.all->nq() + p.all->nv()) + 7 * m.bodies.size() + 2 * channels +
         6 * m.joints.size() + 6 * m.forces.size() + 2 * p.all->rows().size();
}

void doubt_size_of_result(const Prepared& p, const Experiment& e, Warnings& out) {
  constexpr double largest = 1e9, few = 5000;
  const double samples = e.output_step > 0 ? span_of(e) / e.output_step : 1000;
  if (samples < few) return;
  const double bytes = 8 * samples * static_cast<double>(numbers_a_sample(p, e));
  if (bytes <= largest) return;
  out.push_back({"large_result", line_of(e, "output_step"),
                 fmt::format("The result will have {:.2g} samples and about {:.2g} GB.", samples, bytes / 1e9),
                 "Choose a longer output_step, or fewer outputs."});
}

void doubt_sample_times(const Prepared& p, const Experiment& e, Warnings& out) {
  constexpr double most = 1e6;
  const auto doubt = [&](const std::string& what, double period, const Location& where) {
    if (!(period > 0) || span_of(e) / period <= most) return;
    out.push_back({"many_restarts", where,
                   fmt::format("{} every {:.3g} s: the integrator begins anew {:.2g} times in this run.", what, period,
                               span_of(e) / period),
                   "Choose a longer time; it counts in s."});
  };
  for (const model::Controller& c : p.model->controllers)
    doubt("Controller \"" + c.name + "\" samples", c.sample_time, c.where);
  for (const model::EventRule& rule : p.model->events)
    if (rule.at) doubt("Event \"" + rule.name + "\" happens", rule.every, rule.where);
}

// Largest entry of d(force)/d(position), of the law at this motion.
double stiffness_of(const model::WrenchElement& law, const model::Relative<double>& m) {
  using model::Local;
  model::Relative<Local> at;
  at.t = Local(m.t), at.set = m.set;
  for (int i = 0; i < 3; ++i) {
    at.r[i] = Local::variable(m.r[i], static_cast<std::size_t>(i));
    at.v[i] = Local(m.v[i]), at.w[i] = Local(m.w[i]);
  }
  at.R = {{Local(m.R.r0.x), Local(m.R.r0.y), Local(m.R.r0.z)},
          {Local(m.R.r1.x), Local(m.R.r1.y), Local(m.R.r1.z)},
          {Local(m.R.r2.x), Local(m.R.r2.y), Local(m.R.r2.z)}};
  model::Wrench<Local> w;
  law.wrench(at, w);
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) largest = std::max(largest, std::abs(w.f[i].d[k]));
  }
  return largest;
}

double mass_of(const model::Model& m, int body) {
  return body == model::ground ? 0.0 : m.bodies[static_cast<std::size_t>(body)].mass;
}

// An error of one tolerance in the positions changes the force by stiffness times tolerance. Where this is more than the weight
// of the heavier body at its ends, the force that is recorded is noise, and the steps follow it.
void doubt_stiffnesses(const Prepared& p, const Experiment& e, Warnings& out) {
  const double tolerance = e.absolute_tolerance > 0 ? e.absolute_tolerance : e.tolerance;
  const model::Model& m = *p.model;
  const auto doubt = [&](const model::Force& force, double stiffness, double mass) {
    constexpr double g = 9.81;
    if (!(mass > 0) || !(stiffness * tolerance > mass * g) || !std::isfinite(stiffness)) return;
    out.push_back(
        {"too_stiff", force.where,
         fmt::format("Force \"{}\" has a stiffness of {:.3g} N/m: an error of the tolerance, {:.3g} m, changes it by "
                     "{:.3g} N, more than the weight of {:.3g} kg that it carries.",
                     force.name, stiffness, tolerance, stiffness * tolerance, mass),
         "Check its unit; tighten absolute_tolerance, or put a joint in its place."});
  };
  using namespace formalism::recursive;
  auto ws = p.active->workspace();
  set_drives(p.active->tree(), p.state.t, Drives::move, ws.nodes);
  positions_velocities(p.active->tree(), p.state.q, p.state.v, ws.nodes);
  PairMotion motion;
  for (const auto& item : p.active->forces()) {
    if (dynamic_cast<const model::Outsider*>(item.law.get())) continue;  // code of others runs in runs only
    relative_motion(item.pair, ws.nodes, p.state.t, motion);
    doubt(*item.force, stiffness_of(*item.law, motion.rel),
          std::max(mass_of(m, item.force->from.body), mass_of(m, item.force->to.body)));
  }
}

}  // namespace

Location line_of(const Experiment& e, const std::string& field) {
  const auto found = std::ranges::find(e.given, field, [](const auto& g) { return g.first; });
  return found == e.given.end() ? e.where : found->second;
}

std::vector<Warning> doubts(const Prepared& p, const Experiment& e) {
  Warnings out;
  if (e.analysis != "simulate") return options_without_effect(e);
  if (!(span_of(e) > 0)) return out;
  doubt_output_step(e, out);
  doubt_sample_times(p, e, out);
  std::ranges::move(motions_beyond_tables(p.model->time_tables, e.from_time, e.until), std::back_inserter(out));
  if (p.ok()) doubt_size_of_result(p, e, out);
  if (p.ok()) doubt_stiffnesses(p, e, out);
  if (e.solver != "auto")
    std::ranges::move(options_without_effect(find_solver(e.solver, line_of(e, "solver")), e), std::back_inserter(out));
  return out;
}

std::vector<Warning> doubts_of_solver(const Prepared& p, const Solver& solver, const Experiment& e) {
  Warnings out;
  const GradedSolver g = graded(solver);
  if (g.grade == Grade::study_only && p.active->ng() > 0) out.push_back(study_only(g));
  if (e.solver == "auto")  // else told in preparing
    std::ranges::move(options_without_effect(solver, e), std::back_inserter(out));
  return out;
}

}  // namespace skyhook::simulation
