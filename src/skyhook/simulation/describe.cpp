#include "skyhook/simulation/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/element/plugin_law.h"
#include "skyhook/model/nodal_mesh.h"
#include "skyhook/simulation/freedoms.h"

namespace skyhook::simulation {
namespace {

std::string name_of(const model::Model& m, int body) { return body == model::ground ? "ground" : m.bodies[body].name; }

bool has_friction(const model::Model& m, int joint) {
  return std::ranges::any_of(m.contributions, [&](const auto& what) { return what.friction && what.joint == joint; });
}

template <class Is>
std::size_t count(const model::Model& m, Is is) {
  return static_cast<std::size_t>(std::ranges::count_if(m.contributions, is));
}

// A joint along a line or by a law of its own has nothing that would hold it as a constraint, and its coordinates cannot be measured.
bool stays_in_tree(const model::Model& m, const formalism::TreeLink& link) {
  return link.joint >= 0 && m.joints[link.joint].shape.is_guided();
}

bool is_own(const model::Model& m, const formalism::TreeLink& link) {
  return link.joint < 0 || (m.joints[link.joint].from == model::ground && m.joints[link.joint].shape.rows.empty() &&
                            !stays_in_tree(m, link));
}

// Bodies that have coordinates of their own, and joints that stay in the tree all the same.
void describe_absolute(const Prepared& p, std::vector<std::string>& out) {
  const auto& m = *p.model;
  const auto floats = [&](const formalism::TreeLink& link) {
    return is_own(m, link) && !model::mesh_of(m.bodies[link.body]);
  };
  out.push_back(
      fmt::format("coordinates: {}, {} bodies with six velocities and a quaternion each, {} joints are constraints",
                  coordinates_of(p), std::ranges::count_if(p.topology.links, floats), p.topology.cuts.size()));
  for (const std::string& name : joints_that_stay(p))
    out.push_back(
        fmt::format("  joint {} stays in the tree: its coordinates follow a line or law and cannot be measured", name));
}

// Beams of nodal coordinates: what is no unknown, and what moves with them without constraints.
void describe_lines(const Prepared& p, std::vector<std::string>& out) {
  const auto& m = *p.model;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const model::NodalMesh* mesh = model::mesh_of(m.bodies[b]);
    if (!mesh) continue;
    out.push_back(fmt::format("beam {}: {} coordinates of its nodes{}{}", m.bodies[b].name, mesh->coordinates,
                              mesh->eliminated.empty() ? "" : "; eliminated: ", fmt::join(mesh->eliminated, ", ")));
    for (const auto& link : p.topology.links) {
      if (link.joint < 0 || link.parent != static_cast<int>(b)) continue;
      const auto& joint = m.joints[link.joint];
      out.push_back(fmt::format("  {} moves with it by joint {} ({}): {} rows eliminated", m.bodies[link.body].name,
                                joint.name, joint.type, joint.shape.rows.size()));
    }
  }
}

void describe_tree(const Prepared& p, std::vector<std::string>& out) {
  const auto& m = *p.model;
  int depth = 0;
  for (const auto& link : p.topology.links) depth = std::max(depth, link.depth);
  if (!p.topology.why.empty()) out.push_back("coordinates by auto: " + p.topology.why);
  if (p.topology.any_absolute) describe_absolute(p, out);
  out.push_back(fmt::format("tree: {} {}coordinates in {} levels", p.all->moving() - p.all->own(),
                            p.topology.any_absolute ? "" : "joint ", depth));
  if (const int own = p.all->own(); own > 0)
    out.push_back(fmt::format("  and {} of elements with masses of their own", own));
  if (const std::size_t driven = p.all->driven().size(); driven > 0)
    out.push_back(
        fmt::format("  and {} that {} drives: no unknowns", driven, driven == 1 ? "follows its" : "follow their"));
  if (const int states = p.all->ns(); states > 0)
    out.push_back(fmt::format("  and {} inner state{} of forces", states, states == 1 ? "" : "s"));
  for (const auto& link : p.topology.links) {
    if (link.joint < 0 && !p.topology.any_absolute && !model::mesh_of(m.bodies[link.body]))
      out.push_back(fmt::format("  body {} hangs on cut joints or rods only: it floats on an implied free joint",
                                m.bodies[link.body].name));
  }
  describe_lines(p, out);
  const std::vector<int>& cuts = p.topology.any_absolute ? p.for_start().cuts() : p.topology.cuts;
  const std::size_t closed = cuts.size() + count(m, &model::Contribution::closes_loop);
  if (closed == 0) return out.push_back("loops: none"), void();
  out.push_back(fmt::format("loops: {}, {} at", closed, p.topology.any_absolute ? "closed" : "cut"));
  for (const auto& what : m.contributions) {
    if (what.closes_loop())
      out.push_back(fmt::format("  {} ({}, {} - {})", what.name, what.type, name_of(m, what.from.body),
                                name_of(m, what.to.body)));
  }
  for (int j : cuts) {
    const auto& joint = m.joints[j];
    out.push_back(fmt::format("  {} ({}, {} - {}){}", joint.name, joint.type, name_of(m, joint.from),
                              name_of(m, joint.to),
                              joint.cut.value_or(false) ? " by your `cut: true`"
                              : has_friction(m, j)      ? " because its friction needs its load"
                                                        : ""));
  }
}

std::string counted(std::size_t count, const char* noun) {
  return count == 0 ? "" : fmt::format(", {}: {}", noun, count);
}

void describe_numbers(const model::Model& m, std::vector<std::string>& out) {
  double mass = 0;
  for (const auto& b : m.bodies) mass += b.mass;
  const std::size_t constraints =
      count(m, &model::Contribution::closes_loop) + count(m, &model::Contribution::is_coupler);
  out.push_back(fmt::format("bodies: {}, joints: {}, forces: {}{}{}, total mass {:.6g} kg", m.bodies.size(),
                            m.joints.size() + constraints, m.contributions.size() - constraints,
                            counted(m.controllers.size(), "controllers"), counted(m.events.size(), "events"), mass));
}

void describe_freedoms(const Prepared& p, std::vector<std::string>& out) {
  out.push_back(fmt::format("degrees of freedom: {}", p.degrees_of_freedom()));
  constexpr std::size_t most = 20;
  const std::vector<Freedom> freedoms = freedoms_of(p, most);
  for (std::size_t k = 0; k < freedoms.size() && k < most; ++k)
    out.push_back(fmt::format("  {}: moves {}", freedoms[k].coordinate, listed(freedoms[k].moves, 5)));
  if (freedoms.size() > most) out.push_back(fmt::format("  and {} more", freedoms.size() - most));
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

// Of the coordinates of the tree, from their given values or from design.
void describe_moves(const char* what, const formalism::Consistency& c, std::vector<std::string>& out) {
  if (c.moved.empty()) return;
  out.push_back(fmt::format("initial {}: {} moved to fit the constraints, most", what, c.moved.size()));
  for (std::size_t k = 0; k < c.moved.size() && k < 5; ++k) {
    out.push_back(fmt::format("  {}: {:.6g} -> {:.6g}", c.moved[k].name, c.moved[k].from, c.moved[k].to));
  }
}

}  // namespace

std::vector<std::string> joints_that_stay(const Prepared& p) {
  std::vector<std::string> out;
  if (!p.topology.any_absolute) return out;
  for (const auto& link : p.topology.links) {
    if (stays_in_tree(*p.model, link)) out.push_back(p.model->joints[link.joint].name);
  }
  return out;
}

std::string coordinates_of(const Prepared& p) {
  if (!p.topology.any_absolute) return "joint";
  const auto own = [&](const formalism::TreeLink& link) { return is_own(*p.model, link); };
  if (std::ranges::none_of(p.topology.links, own)) return "joint";
  return std::ranges::all_of(p.topology.links, own) ? "absolute" : "joint and absolute";
}

std::vector<std::string> describe(const Prepared& p) {
  std::vector<std::string> out;
  describe_numbers(*p.model, out);
  describe_plugins(*p.model, out);
  describe_tree(p, out);
  if (!p.ok()) return out.push_back("NOT CONSISTENT: " + p.problem()), out;
  describe_rank(p, out);
  describe_freedoms(p, out);
  describe_moves("positions", p.positions, out);
  describe_moves("velocities", p.velocities, out);
  for (const Warning& w : warnings_before(p)) out.push_back("warning: " + to_string(w));
  return out;
}

}  // namespace skyhook::simulation
