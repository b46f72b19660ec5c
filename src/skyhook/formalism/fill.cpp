#include "skyhook/formalism/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/klu.h"

namespace skyhook::formalism {
namespace {

using model::Coordinates;

int velocities_of(const model::Model& m, const TreeLink& link) {
  if (link.joint < 0) return 6;
  int count = 0;
  for (const model::Dof& dof : m.joints[link.joint].shape.dofs) count += dof.kind == model::Dof::Kind::ball ? 3 : 1;
  for (const auto& drive : m.joints[link.joint].drive) count -= drive.has_value() ? 1 : 0;
  return count;
}

int count_of(const std::vector<int>& part_of_body) {
  return part_of_body.empty() ? 0 : 1 + *std::ranges::max_element(part_of_body);
}

// Joined sets of bodies; the ground is in none.
class Sets {
 public:
  explicit Sets(std::size_t bodies) : up_(bodies) { std::iota(up_.begin(), up_.end(), 0); }
  int of(int body) {
    while (up_[body] != body) body = up_[body] = up_[up_[body]];
    return body;
  }
  void join(int a, int b) {
    if (a != model::ground && b != model::ground) up_[of(b)] = of(a);
  }

 private:
  std::vector<int> up_;
};

// Part of each velocity coordinate; -1: of none (inner states and masses of elements, which are the same in all coordinates).
std::vector<int> parts_of_coordinates(const recursive::Equations& eq, const std::vector<int>& part_of_body) {
  const recursive::Tree& tree = eq.tree();
  std::vector<int> of_node(tree.nodes.size(), -1), out(eq.nv(), -1);
  for (std::size_t b = 0; b < part_of_body.size(); ++b) of_node[tree.node_of_body[b]] = part_of_body[b];
  for (std::size_t i = tree.nodes.size() - 1; i > 0; --i) {  // nodes without a body carry one
    int& above = of_node[tree.nodes[i].parent];
    if (above < 0) above = of_node[i];
  }
  for (int iv = 0; iv < tree.nv; ++iv) out[iv] = of_node[tree.node_of_v[iv]];
  return out;
}

Topology tree_with(const model::Model& m, const std::vector<std::string>& independent,
                   const std::vector<int>& part_of_body, const std::vector<bool>& is_absolute) {
  model::Model chosen = m;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    if (!m.bodies[b].coordinates)
      chosen.bodies[b].coordinates = is_absolute[part_of_body[b]] ? Coordinates::absolute : Coordinates::joint;
  }
  return choose_tree_in(chosen, independent, Coordinates::joint);
}

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

// What the choice has come to, beside what all parts in one kind of coordinates would have.
struct Fills {
  std::vector<double> absolute, joint;
  bool joint_is_least = false;  // of some parts: a lower bound
  std::string of_joint() const { return fmt::format("{}{:.0f}", joint_is_least ? "at least " : "", sum(joint)); }
  std::string of_absolute() const { return fmt::format("{:.0f}", sum(absolute)); }
};

std::string chosen_for_all(const model::Model& m, bool is_absolute, const Fills& f) {
  const bool of_some =
      std::ranges::any_of(m.bodies, [](const model::Body& body) { return body.coordinates.has_value(); });
  return fmt::format("{}{}, with {} entries in the factors of the iteration matrix; {} would have {}{}",
                     is_absolute ? "absolute" : "those of joints", of_some ? " for the bodies that leave it open" : "",
                     is_absolute ? f.of_absolute() : f.of_joint(), is_absolute ? "those of joints" : "absolute ones",
                     is_absolute ? f.of_joint() : f.of_absolute(),
                     is_absolute ? ", but an explicit solver, which has no such matrix, is faster in them" : "");
}

std::string chosen_by_part(const model::Model& m, const std::vector<int>& part_of_body,
                           const std::vector<bool>& is_absolute, const Fills& f) {
  double entries = 0;
  for (std::size_t c = 0; c < is_absolute.size(); ++c) entries += is_absolute[c] ? f.absolute[c] : f.joint[c];
  constexpr std::size_t most = 5;
  std::string names;
  std::size_t bodies = 0;
  for (std::size_t b = 0; b < part_of_body.size(); ++b) {
    const auto& own = m.bodies[b].coordinates;
    if (own ? *own != Coordinates::absolute : !is_absolute[part_of_body[b]]) continue;
    if (++bodies <= most) names += (bodies > 1 ? ", " : "") + m.bodies[b].name;
  }
  if (bodies > most) names += ", ...";
  return fmt::format(
      "absolute for {} of {} bodies ({}), those of joints for the others, with {:.0f} entries in the factors of the "
      "iteration matrix; those of joints alone would have {}, absolute ones alone {}",
      bodies, part_of_body.size(), names, entries, f.of_joint(), f.of_absolute());
}

}  // namespace

std::vector<int> mechanism_parts(const model::Model& m) {
  Sets sets(m.bodies.size());
  for (const auto& joint : m.joints) sets.join(joint.from, joint.to);
  for (const auto& what : m.contributions) {
    if (what.closes_loop()) sets.join(what.from.body, what.to.body);
    if (!what.row) continue;
    for (const auto& term : what.row->terms) sets.join(m.joints[what.row->terms[0].joint].to, m.joints[term.joint].to);
  }
  std::vector<int> number(m.bodies.size(), -1), out;
  int parts = 0;
  for (int b = 0; b < static_cast<int>(m.bodies.size()); ++b) {
    int& part = number[sets.of(b)];
    if (part < 0) part = parts++;
    out.push_back(part);
  }
  return out;
}

std::vector<double> fill_of(const model::Model& m, const Topology& topology, const std::vector<int>& part_of_body) {
  const std::shared_ptr<const model::Model> shared(std::shared_ptr<const model::Model>{}, &m);  // for the call alone
  const recursive::Equations eq(shared, topology);
  const int nv = eq.nv();
  const Pattern &tangent = eq.tangent_pattern(), &constraints = eq.constraint_pattern();
  std::vector<int> part = parts_of_coordinates(eq, part_of_body), place(nv + eq.ng(), -1);
  part.resize(nv + eq.ng(), -1);
  for (int j = 0; j < nv; ++j) {
    for (int k = constraints.start[j]; k < constraints.start[j + 1]; ++k)
      part[nv + constraints.row[k]] = std::max(part[nv + constraints.row[k]], part[j]);
  }
  std::vector<int> size(count_of(part_of_body), 0);
  for (int i = 0; i < nv + eq.ng(); ++i) {
    if (part[i] >= 0) place[i] = size[part[i]]++;
  }
  std::vector<PatternBuilder> builders;
  for (const int n : size) builders.emplace_back(n, n);
  const auto add = [&](int i, int j) {
    if (part[j] >= 0 && part[i] == part[j]) builders[part[j]].add(place[i], place[j]);
  };
  const auto each = [](const Pattern& p, auto&& act) {
    for (int j = 0; j < p.cols; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) act(p.row[k], j);
    }
  };
  each(tangent, add);
  each(constraints, [&](int i, int j) { add(nv + i, j), add(j, nv + i); });
  for (int i = 0; i < eq.ng(); ++i) add(nv + i, nv + i);  // where elimination puts something
  std::vector<double> out;
  for (const PatternBuilder& builder : builders) out.push_back(estimated_fill(builder.build()));
  return out;
}

std::vector<double> least_fill_of(const model::Model& m, const Topology& topology,
                                  const std::vector<int>& part_of_body) {
  std::vector<double> above(topology.links.size(), 0.0);  // coordinates that carry the body, its own included
  std::vector<double> out(count_of(part_of_body), 0.0);
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const TreeLink& link = topology.links[i];
    const int own = velocities_of(m, link);
    const double carried = link.parent == model::ground ? 0.0 : above[topology.link_of_body[link.parent]];
    above[i] = carried + own;
    out[part_of_body[link.body]] += own * (2 * carried + own);
  }
  return out;
}

Topology choose_by_fill(const model::Model& m, const std::vector<std::string>& independent) {
  const std::vector<int> part_of_body = mechanism_parts(m);
  Topology joint = choose_tree_in(m, independent, Coordinates::joint);
  Topology absolute = choose_tree_in(m, independent, Coordinates::absolute);
  Fills f{fill_of(m, absolute, part_of_body), least_fill_of(m, joint, part_of_body)};
  const std::size_t parts = f.absolute.size();
  std::vector<bool> is_absolute(parts);
  for (std::size_t c = 0; c < parts; ++c) is_absolute[c] = f.joint[c] > f.absolute[c];
  f.joint_is_least = std::ranges::count(is_absolute, true) > 0;
  if (std::ranges::count(is_absolute, false) > 0) {  // which takes more than the bound to know
    const std::vector<double> found =
        fill_of(m, f.joint_is_least ? tree_with(m, independent, part_of_body, is_absolute) : joint, part_of_body);
    for (std::size_t c = 0; c < parts; ++c) {
      if (!is_absolute[c]) f.joint[c] = found[c], is_absolute[c] = found[c] > f.absolute[c];
    }
  }
  const auto absolute_parts = static_cast<std::size_t>(std::ranges::count(is_absolute, true));
  if (absolute_parts == 0) return joint.why = chosen_for_all(m, false, f), joint;
  if (absolute_parts == parts) return absolute.why = chosen_for_all(m, true, f), absolute;
  Topology mixed = tree_with(m, independent, part_of_body, is_absolute);
  mixed.why = chosen_by_part(m, part_of_body, is_absolute, f);
  return mixed;
}

}  // namespace skyhook::formalism
