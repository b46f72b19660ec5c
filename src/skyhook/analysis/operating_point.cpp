#include "skyhook/analysis/operating_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/model/model.h"

namespace skyhook::analysis {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

OperatingPoint at_rest(const simulation::Equations& eq, const formalism::State& state,
                       const std::vector<double>& lambda) {
  OperatingPoint p;
  p.state = state, p.lambda = lambda, p.stands = true;
  std::fill_n(p.state.v.begin(), eq.moving(), 0.0);
  p.a.assign(eq.nv(), 0.0), p.no_eta.assign(eq.ng(), 0.0), p.u.assign(eq.inputs(), 0.0);
  eq.inputs(state.t, p.u);
  for (std::size_t k = 0; k < p.u.size(); k += 3) p.u[k + 1] = p.u[k + 2] = 0;
  return p;
}

OperatingPoint at_equilibrium(const Equilibrium& e) {
  OperatingPoint p = at_rest(*e.active, e.state, e.lambda);
  if (e.motion.is_rest()) return p;
  p.state.v = e.state.v, p.a = e.a;
  p.stands = false, p.is_given_motion = true;
  Vector u(p.u.size());
  e.active->inputs(e.state.t, u);
  for (const int k : e.motion.moving_drives()) p.u[3 * k + 1] = u[3 * k + 1];
  p.yaw_rate = e.motion.yaw_rate(), p.floating = e.motion.floating();
  return p;
}

simulation::Prepared prepared_at(simulation::Prepared p, const Equilibrium& e) {
  if (e.in_joints) p.topology = e.in_joints->topology, p.rank = e.in_joints->rank, p.in_joints = e.in_joints->in_joints;
  p.model = e.model, p.all = e.all, p.active = e.active, p.state = e.state;
  return p;
}

std::vector<Warning> what_is_assumed(const Equilibrium& e) {
  std::vector<Warning> out;
  const model::Model& m = e.active->model();
  std::vector<std::string> smooth, efforts;
  for (const model::Contribution& c : m.contributions) {
    if (c.friction || c.type == "coulomb") smooth.push_back("\"" + c.name + "\"");
  }
  if (!smooth.empty() && e.motion.is_rest())
    out.push_back({"friction_at_rest",
                   {},
                   fmt::format("the law of friction {} is smooth: at rest it neither holds nor slips, but damps as for "
                               "motions slower than its slip speed.",
                               list_of(smooth)),
                   "What shall hold needs a `stick_slip`."});
  const double counts = 1e-6 * e.active->heaviest() * std::max(norm(m.gravity), 1.0);
  for (const auto& one : e.efforts) {
    if (std::abs(one.force) > counts) efforts.push_back(fmt::format("{:.4g} along {}", one.force, one.name));
  }
  if (!efforts.empty())
    out.push_back(
        {"takes_effort",
         {},
         fmt::format("the motion stays as given only under forces from outside (N or N.m): {}. The linear "
                     "system has them as constants; outputs that are accelerations or reactions leave them out.",
                     list_of(efforts))});
  return without(std::move(out), m.ignored_warnings);
}

std::optional<OperatingPoint> in_motion(const simulation::Equations& eq, const formalism::State& state,
                                        std::string& problem) {
  OperatingPoint p;
  p.state = state;
  p.a.assign(eq.nv(), 0.0), p.lambda.assign(eq.ng(), 0.0), p.no_eta = p.lambda, p.u.assign(eq.inputs(), 0.0);
  eq.inputs(state.t, p.u);
  auto ws = eq.workspace();
  if (eq.acceleration_solver().solve(state.t, state.q, state.v, p.a, p.lambda, ws) == Eval::ok) return p;
  problem = "The accelerations cannot be found: " + ws.blame() + ".";
  return {};
}

}  // namespace skyhook::analysis
