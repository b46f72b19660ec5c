#include "skyhook/formalism/components.h"

#include <algorithm>
#include <numeric>

#include "skyhook/formalism/conditions.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;
using recursive::Node;

// Hopcroft and Tarjan, Commun. ACM 16, 1973, 372-378 (algorithm 447), without recursion: chains may be long.
class ComponentSearch {
 public:
  ComponentSearch(int vertices, const std::vector<GraphEdge>& edges)
      : edges_(edges), at_(vertices), order_(vertices, -1), low_(vertices), component_(edges.size(), -1) {
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
      if (edges[e].a == edges[e].b)
        component_[e] = components_++;
      else
        at_[edges[e].a].push_back(e), at_[edges[e].b].push_back(e);
    }
    for (int v = 0; v < vertices; ++v) {
      if (order_[v] < 0) search(v);
    }
  }
  std::vector<int> take() { return std::move(component_); }

 private:
  struct Visit {
    int vertex, through;
    std::size_t next = 0;
  };

  void search(int root) {
    std::vector<Visit> path{{root, -1}};
    order_[root] = low_[root] = count_++;
    while (!path.empty()) {
      Visit& here = path.back();
      if (here.next == at_[here.vertex].size()) {
        leave(path);
        continue;
      }
      const int e = at_[here.vertex][here.next++];
      if (e == here.through) continue;
      const int other = edges_[e].a == here.vertex ? edges_[e].b : edges_[e].a;
      if (order_[other] < 0) {
        open_.push_back(e);
        order_[other] = low_[other] = count_++;
        path.push_back({other, e});
      } else if (order_[other] < order_[here.vertex]) {  // upward; the other way it has been seen before
        open_.push_back(e);
        low_[here.vertex] = std::min(low_[here.vertex], order_[other]);
      }
    }
  }

  void leave(std::vector<Visit>& path) {
    const Visit done = path.back();
    path.pop_back();
    if (path.empty()) return;
    const int up = path.back().vertex;
    low_[up] = std::min(low_[up], low_[done.vertex]);
    if (low_[done.vertex] < order_[up]) return;
    int e = -1;  // `up` separates what has been seen since from all else
    do {
      e = open_.back(), open_.pop_back();
      component_[e] = components_;
    } while (e != done.through);
    ++components_;
  }

  const std::vector<GraphEdge>& edges_;
  std::vector<std::vector<int>> at_;
  std::vector<int> order_, low_, component_, open_;
  int count_ = 0, components_ = 0;
};

// Rows of the equations over the edges of the graph.
class RowsOnGraph {
 public:
  explicit RowsOnGraph(const Equations& eq) : tree_(eq.tree()), edge_of_node_(tree_.nodes.size(), -1) {}

  void tie_nodes(const std::vector<char>& is_used) {
    for (int i = 1; i < static_cast<int>(tree_.nodes.size()); ++i) {
      const Node& node = tree_.nodes[i];
      const auto used = [&](int k) { return is_used[node.iv + k] != 0; };
      bool any = node.kind != Node::Kind::free;
      for (int k = 0; k < node.nv() && !any; ++k) any = used(k);
      if (any) edge_of_node_[i] = add({node.parent, i});
    }
  }
  void add_row(int row, const recursive::Pair& pair) { rows_.push_back({row, {add({pair.A.node, pair.B.node})}}); }
  // Between a point and a line of the mesh that is its node A.
  void add_row_on_line(int row, const recursive::Pair& pair) {
    add_row(row, pair);
    on_lines_.push_back({pair.A.node, rows_.back().edges[0]});
  }
  // On coordinates of the tree, and on those that are measured between two frames.
  void add_row(int row, const std::vector<int>& coordinates, const std::vector<const recursive::Pair*>& measured = {}) {
    std::vector<int> edges;
    for (const int iv : coordinates) edges.push_back(edge_of_node_[tree_.node_of_v[iv]]);
    for (const recursive::Pair* pair : measured) edges.push_back(add({pair->A.node, pair->B.node}));
    if (edges.empty()) edges.push_back(add({0, 0}));  // all its coordinates are driven
    rows_.push_back({row, std::move(edges)});
  }

  std::vector<RowGroup> groups() const {
    std::vector<int> component = biconnected_components(static_cast<int>(tree_.nodes.size()), edges_);
    std::vector<int> joined(edges_.size() + 1);  // components are not more than edges
    std::iota(joined.begin(), joined.end(), 0);
    const auto group = [&](int edge) {
      int c = component[edge];
      while (joined[c] != c) c = joined[c] = joined[joined[c]];
      return c;
    };
    for (const RowEdges& row : rows_) {
      for (const int edge : row.edges) joined[group(edge)] = group(row.edges[0]);
    }
    for (const recursive::MeshNode& body : tree_.meshes) {  // its inertia couples them all
      int first = -1;
      for (const auto& [node, edge] : on_lines_) {
        if (node != body.node) continue;
        if (first < 0) first = edge;
        joined[group(edge)] = group(first);
      }
      for (const int last : body.stations) {
        for (int station = last; station != body.node;
             station = tree_.nodes[static_cast<std::size_t>(station)].parent) {
          const int edge = edge_of_node_[static_cast<std::size_t>(station)];
          if (edge < 0) continue;
          if (first < 0) first = edge;
          joined[group(edge)] = group(first);
        }
      }
    }
    for (const recursive::ModalNode& body : tree_.modal) {  // all its points move with the same modes
      int first = -1;
      for (const int point : body.points) {
        const int edge = edge_of_node_[static_cast<std::size_t>(point)];
        if (edge < 0) continue;
        if (first < 0) first = edge;
        joined[group(edge)] = group(first);
      }
    }
    std::vector<int> place(joined.size(), -1), part(joined.size(), -1);
    std::vector<RowGroup> out;
    for (const RowEdges& row : rows_) {
      int& at = place[group(row.edges[0])];
      if (at < 0) at = static_cast<int>(out.size()), out.emplace_back();
      out[at].rows.push_back(row.row);
      auto& parts = out[at].parts;
      const int own = component[row.edges[0]];
      const bool joins = std::ranges::any_of(row.edges, [&](int edge) { return component[edge] != own; });
      if (joins || part[own] < 0) parts.emplace_back();
      if (!joins && part[own] < 0) part[own] = static_cast<int>(parts.size()) - 1;
      parts[joins ? parts.size() - 1 : static_cast<std::size_t>(part[own])].push_back(row.row);
    }
    for (RowGroup& one : out) {
      std::ranges::sort(one.rows);
      for (auto& rows : one.parts) std::ranges::sort(rows);
    }
    return out;
  }

 private:
  struct RowEdges {
    int row;
    std::vector<int> edges;
  };
  int add(const GraphEdge& edge) {
    edges_.push_back(edge);
    return static_cast<int>(edges_.size()) - 1;
  }

  const recursive::Tree& tree_;
  std::vector<int> edge_of_node_;
  std::vector<GraphEdge> edges_;
  std::vector<RowEdges> rows_;
  std::vector<std::pair<int, int>> on_lines_;  // node of the mesh, and edge
};

std::vector<int> coordinates_of(const Equations::LinearConstraint& c) {
  std::vector<int> out;
  for (const auto& term : c.terms) out.push_back(term.iv);
  return out;
}

// By row: the pairs of frames between which coordinates of cut joints are measured.
std::vector<std::vector<const recursive::Pair*>> measured_pairs(const Equations& eq) {
  std::vector<std::vector<const recursive::Pair*>> out(eq.ng());
  for (const recursive::MeasuredTerm& term : eq.measured_terms()) {
    if (term.row >= 0) out[term.row].push_back(&term.pair);
  }
  return out;
}

}  // namespace

std::vector<int> biconnected_components(int vertices, const std::vector<GraphEdge>& edges) {
  return ComponentSearch(vertices, edges).take();
}

std::vector<RowGroup> row_components(const Equations& eq, const Conditions* given, const std::vector<int>& held) {
  std::vector<char> is_used(eq.nv(), 0);
  for (const int iv : held) is_used[iv] = 1;
  for (const auto& c : eq.linear_constraints()) {
    for (const int iv : coordinates_of(c)) is_used[iv] = 1;
  }
  for (int k = 0; given && k < given->count(); ++k) {
    if (given->tree_coordinate(k) >= 0) is_used[given->tree_coordinate(k)] = 1;
  }
  RowsOnGraph graph(eq);
  graph.tie_nodes(is_used);
  for (const auto& c : eq.pair_constraints()) {
    for (const recursive::PairRow& row : c.rows) {
      if (row.row >= 0) graph.add_row(row.row, c.pair);
    }
  }
  const auto measured = measured_pairs(eq);
  for (const auto& c : eq.linear_constraints()) {
    if (c.row >= 0) graph.add_row(c.row, coordinates_of(c), measured[c.row]);
  }
  for (const auto& item : eq.contributions()) {  // its own coordinates are in no other row
    for (const int row : item.rows) {
      if (row < 0) continue;
      item.line ? graph.add_row_on_line(row, item.pair) : graph.add_row(row, item.pair);
    }
  }
  for (int k = 0; given && k < given->count(); ++k) {
    if (given->tree_coordinate(k) >= 0)
      graph.add_row(eq.ng() + k, std::vector<int>{given->tree_coordinate(k)});
    else
      graph.add_row(eq.ng() + k, given->pair(k));
  }
  return graph.groups();
}

}  // namespace skyhook::formalism
