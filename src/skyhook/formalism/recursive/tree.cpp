#include "skyhook/formalism/recursive/tree.h"

#include <algorithm>

namespace skyhook::formalism::recursive {

int Tree::carrier(int body, const Vec3d& at) const {
  const int node = body == model::ground ? 0 : node_of_body[body];
  if (nodes[node].kind == Node::Kind::mesh) {
    const auto its = std::ranges::find(meshes, node, &MeshNode::node);
    const auto station =
        std::ranges::find_if(its->stations, [&](int s) { return norm(origin[s] - at) <= its->mesh->near; });
    return station == its->stations.end() ? node : *station;
  }
  if (nodes[node].kind != Node::Kind::modal) return node;
  const auto its = std::ranges::find(modal, node, &ModalNode::node);
  const auto is_here = [&](int p) { return norm(origin[p] - at) <= its->near; };
  const auto point = std::ranges::find_if(its->points, is_here);
  return point == its->points.end() ? node : *point;
}

Place Tree::place(int body, const Vec3d& at, const Mat3d& axes) const {
  const int node = carrier(body, at);
  return {node, at - origin[node], axes};
}

std::vector<int> Tree::path(int node, int above) const {
  std::vector<int> result;
  for (; node != above; node = nodes[node].parent) {
    for (int k = nodes[node].columns() - 1; k >= 0; --k) result.push_back(nodes[node].iv + k);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<int> Tree::coordinates_of(const std::vector<int>& given) const {
  if (points.empty()) return given;
  std::vector<int> out;
  for (const int c : given) {
    if (c < first_waist) {
      out.push_back(c);
      continue;
    }
    const Waist& waist = *nodes[node_of_v[c]].waist;
    for (int k = 0; k < waist.modes; ++k) out.push_back(waist.iv + k);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

int Tree::common_node(int a, int b) const {
  while (a != b) {  // parents come before their children
    int& later = a > b ? a : b;
    later = nodes[later].parent;
  }
  return a;
}

}  // namespace skyhook::formalism::recursive
