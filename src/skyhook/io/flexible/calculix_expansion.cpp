#include "skyhook/io/flexible/calculix_expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "skyhook/flexible/compliance.h"
#include "skyhook/flexible/rigid_motion.h"
#include "skyhook/io/flexible/text_table.h"

namespace skyhook::io::fe {
namespace {

using flexible::FeNode;

std::vector<int> integers_in(std::string_view line) {
  std::vector<int> out;
  for (const auto& word : words(line)) {
    const auto number = fe_number(word);
    if (!number) return {};
    if (*number != 0) out.push_back(static_cast<int>(*number));
  }
  return out;
}

// Unknowns of one node of ccx: its name in .dof, and which directions it has.
struct Group {
  int label = 0;
  std::vector<int> directions;
};

std::vector<Group> groups_in(std::string_view dofs) {
  std::vector<Group> out;
  TextLines lines(dofs, "job.dof");
  std::string_view line;
  while (lines.next(line)) {
    const auto parts = split(trimmed(line), '.');
    if (parts.size() != 2) continue;
    const int label = fe_integer(parts[0], lines.where()), direction = fe_integer(parts[1], lines.where());
    const bool goes_on = !out.empty() && out.back().label == label && direction > out.back().directions.back();
    if (!goes_on) out.push_back({label, {}});
    out.back().directions.push_back(direction);
  }
  return out;
}

class Unknowns {
 public:
  Unknowns(const Expansion& expansion, const std::map<int, Vec3d>& places, CalculixMesh& mesh)
      : expansion_(expansion), places_(places), mesh_(mesh) {
    for (std::size_t i = 0; i < mesh.part.nodes.size(); ++i) in_file_[std::stoi(mesh.part.nodes[i].name)] = i;
    for (const auto& e : expansion.elements) {
      for (std::size_t i = 0; i < e.nodes.size(); ++i) {
        const std::size_t place = origin_in_element(e.originals.size(), e.nodes.size(), i);
        if (place >= e.originals.size())
          throw ModelError(mesh.part.where,
                           fmt::format("what ccx says of element {} in .12d is not whole: {} nodes that become {}.",
                                       e.number, e.originals.size(), e.nodes.size()),
                           "Is the disk full? Run ccx on the file by itself to see more.");
        origin_[e.nodes[i]] = e.originals[place];
      }
    }
    list_candidates();
  }

  void take(const std::vector<Group>& groups) {
    auto next = candidates_.begin();
    std::vector<std::pair<const Group*, int>> generated;  // and their first unknown
    for (const Group& g : groups) {
      if (in_file_.contains(g.label)) {
        while (next != candidates_.end() && next->second != g.label) ++next;
        if (next == candidates_.end()) refuse(g);
        add_node(next->first, g);
        ++next;
      } else {
        generated.emplace_back(&g, mesh_.part.dofs);
      }
      mesh_.part.dofs += static_cast<int>(g.directions.size());
    }
    take_generated(generated);
    keep_loose_nodes();
    mesh_.part.nodes = std::move(nodes_);
    rename_sets();
    take_solids();
  }

 private:
  bool is_knot(int node) const { return std::ranges::find(expansion_.knots, node) != expansion_.knots.end(); }

  // Nodes of ccx that may have unknowns, in their order, with the name of these in .dof.
  void list_candidates() {
    for (const auto& solid : mesh_.part.solids) {
      for (const int n : solid.nodes) {
        const int number = std::stoi(mesh_.part.nodes[static_cast<std::size_t>(n)].name);
        candidates_[number] = number;
      }
    }
    for (const int knot : expansion_.knots) candidates_[knot] = knot;
    for (const auto& [node, original] : origin_) {
      if (!is_knot(original)) candidates_[node] = original;
    }
  }

  [[noreturn]] void refuse(const Group& g) const {
    throw ModelError(
        mesh_.part.where,
        fmt::format("ccx has unknowns of a node {}, which belong to no displacement of a node of the file.", g.label),
        "Couplings are not supported: use solids, shells and beams alone.");
  }

  void add_node(int real, const Group& g) {
    const FeNode& own = mesh_.part.nodes[in_file_.at(g.label)];
    FeNode node = own;
    if (real != g.label) {
      auto& copies = copies_[g.label];
      const auto place = places_.find(real);
      if (place == places_.end()) refuse(g);
      node.name = fmt::format("{}.{}", own.name, copies.size() + 1), node.at = place->second;
      copies.push_back(node.name);
    }
    for (std::size_t i = 0; i < g.directions.size(); ++i) {
      if (g.directions[i] < 1 || g.directions[i] > 3) refuse(g);
      node.dof[static_cast<std::size_t>(g.directions[i] - 1)] = mesh_.part.dofs + static_cast<int>(i);
    }
    index_[real] = static_cast<int>(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  // At the end three nodes of each C3D8I; before them of each knot a rotation, and one unknown for how much it widens.
  void take_generated(const std::vector<std::pair<const Group*, int>>& generated) {
    std::size_t inner = 3 * static_cast<std::size_t>(mesh_.elements_with_inner);
    for (const auto& e : expansion_.elements) inner += e.has_inner ? 3 : 0;
    if (generated.size() < inner) inner = 0;
    std::size_t knot = 0;
    for (std::size_t i = 0; i < generated.size(); ++i) {
      const auto& [group, first] = generated[i];
      if (i + inner >= generated.size()) {
        FeNode node{fmt::format("inner {}", group->label),
                    mesh_.part.nodes.front().at,
                    {first, first + 1, first + 2, -1, -1, -1},
                    {},
                    true};
        if (group->directions.size() != 3) refuse(*group);
        nodes_.push_back(std::move(node));
      } else if (group->directions.size() == 3) {
        const auto at = knot < expansion_.knots.size() ? index_.find(expansion_.knots[knot++]) : index_.end();
        if (at == index_.end()) refuse(*group);
        FeNode& node = nodes_[static_cast<std::size_t>(at->second)];
        for (int k = 0; k < 3; ++k) node.dof[static_cast<std::size_t>(3 + k)] = first + k;
      } else if (expansion_.knots.empty()) {
        refuse(*group);
      }
    }
  }

  // They are refused afterwards, with their lines.
  void keep_loose_nodes() {
    std::set<int> used;
    for (const auto& [node, original] : origin_) used.insert(original);
    for (const auto& [number, i] : in_file_) {
      if (!used.contains(number) && !index_.contains(number)) nodes_.push_back(mesh_.part.nodes[i]);
    }
  }

  void rename_sets() {
    for (auto& [name, members] : mesh_.sets) {
      std::vector<std::string> all;
      for (const std::string& member : members) {
        const auto number = fe_number(member);
        const auto copies = number ? copies_.find(static_cast<int>(*number)) : copies_.end();
        if (copies == copies_.end())
          all.push_back(member);
        else
          all.insert(all.end(), copies->second.begin(), copies->second.end());
      }
      members = std::move(all);
    }
    for (const auto& [number, copies] : copies_) mesh_.sets.try_emplace(std::to_string(number), copies);
  }

  // Stress is known where all nodes of all elements are: not at knots.
  void take_solids() {
    std::map<int, int> of_file;  // index there: here
    for (const auto& [number, i] : in_file_) {
      if (const auto found = index_.find(number); found != index_.end()) of_file[static_cast<int>(i)] = found->second;
    }
    std::vector<flexible::SolidSpan> solids;
    for (auto& solid : mesh_.part.solids) {
      for (int& n : solid.nodes) n = of_file.contains(n) ? of_file.at(n) : 0;
      solids.push_back(std::move(solid));
    }
    bool is_whole = true;
    for (const auto& e : expansion_.elements) {
      flexible::SolidSpan solid{std::to_string(e.number), {}, mesh_.materials_of_expanded[e.number]};
      for (const int n : e.nodes) {
        if (const auto found = index_.find(n); found != index_.end()) solid.nodes.push_back(found->second);
      }
      if (solid.nodes.size() == e.nodes.size())
        solids.push_back(std::move(solid));
      else
        is_whole = false;
    }
    mesh_.part.solids = std::move(solids);
    mesh_.part.triangles = surface_of(mesh_.part.solids);
    if (!is_whole) leave_stress_out();
  }
  void leave_stress_out() {
    mesh_.part.solids.clear();
    if (mesh_.note.empty())
      mesh_.note = fmt::format(
          "stress that stiffens is left out: at node {}, which beams or shells of several directions or sections "
          "share, ccx ties their solids together.",
          expansion_.knots.empty() ? 0 : expansion_.knots.front());
  }

  const Expansion& expansion_;
  const std::map<int, Vec3d>& places_;
  CalculixMesh& mesh_;
  std::map<int, std::size_t> in_file_;
  std::map<int, int> origin_, candidates_, index_;
  std::map<int, std::vector<std::string>> copies_;
  std::vector<FeNode> nodes_;
};

}  // namespace

Expansion read_expansion(std::string_view text, const std::string& file) {
  Expansion out;
  TextLines lines(text, file);
  std::string_view line;
  std::vector<int>* to = nullptr;
  while (lines.next(line)) {
    const auto w = words(line);
    if (line.find("KNOT was generated in node") != std::string_view::npos) {
      out.knots.push_back(fe_integer(w.back(), lines.where()));
    } else if (w.size() > 2 && w[0] == "ELEMENT") {
      out.elements.push_back({fe_integer(w[1], lines.where()), {}, {}, false});
      to = &out.elements.back().originals;
    } else if (line.find("is expanded into a") != std::string_view::npos && !out.elements.empty()) {
      out.elements.back().has_inner = line.find("\"C3D8I") != std::string_view::npos;
      to = &out.elements.back().nodes;
    } else if (const auto numbers = integers_in(line); to) {
      to->insert(to->end(), numbers.begin(), numbers.end());
    }
  }
  return out;
}

std::size_t origin_in_element(std::size_t originals, std::size_t solids, std::size_t place) {
  // The solid of a beam, its ends being the sides of nodes 0 and 1 of the solid; between them the nodes on edges along it.
  if (originals <= 3 && (solids == 8 || solids == 20)) {
    static constexpr std::array<int, 20> side{0, 1, 1, 0, 0, 1, 1, 0, 2, 1, 2, 0, 2, 1, 2, 0, 0, 1, 1, 0};
    const int s = side[place];
    return originals == 2 ? static_cast<std::size_t>(s) : s == 2 ? 1 : s == 1 ? 2 : 0;
  }
  // The solid of a shell: corners below, above; edges below, above; edges through the thickness.
  const std::size_t corners = solids == 6 || solids == 15 ? 3 : 4;
  if (place < 2 * corners) return place % corners;
  if (place < 4 * corners) return corners + place % corners;
  return place % corners;
}

void take_unknowns(const Expansion& expansion, const std::map<int, Vec3d>& places, std::string_view dofs,
                   CalculixMesh& mesh) {
  Unknowns(expansion, places, mesh).take(groups_in(dofs));
}

void refine_places(flexible::FeModel& part) {
  const flexible::Dense R = flexible::rigid_motions(part), forces = part.stiffness * R;
  const flexible::Column diagonal = part.stiffness.diagonal();
  if (forces.cwiseAbs().maxCoeff() <= 1e-7 * (diagonal.cwiseAbs().asDiagonal() * R).cwiseAbs().maxCoeff())
    return;  // as good as it gets
  const flexible::Compliance held = flexible::Compliance::held(part, flexible::supports(R));
  const flexible::Dense q = R - held.solve(forces);
  for (FeNode& node : part.nodes) {
    if (node.is_inner || node.dof[0] < 0 || node.dof[1] < 0 || node.dof[2] < 0) continue;
    const auto turned = [&](int about, int along) { return q(node.dof[static_cast<std::size_t>(along)], 3 + about); };
    node.at = 0.5 * Vec3d{turned(1, 2) * -1 + turned(2, 1), turned(0, 2) - turned(2, 0), turned(1, 0) - turned(0, 1)};
  }
}

}  // namespace skyhook::io::fe
