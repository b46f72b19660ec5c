#include "skyhook/formalism/recursive/mesh_node.h"

#include <algorithm>
#include <cassert>

#include "skyhook/formalism/recursive/passes.h"

namespace skyhook::formalism::recursive {
namespace {

ModalState& own_state(NodeState& x) {
  GuideState& guide = x.guide ? *x.guide : x.guide.emplace();
  return guide.modal ? *guide.modal : guide.modal.emplace();
}

std::vector<double>& forces_of(const Node& node, NodeState& x) {
  ModalState& own = own_state(x);
  own.tau.resize(static_cast<std::size_t>(node.mesh->mesh->coordinates));
  return own.tau;
}

void keep(const Node& node, CSpan all, int first, std::vector<double>& to) {
  const CSpan own = all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(node.mesh->mesh->coordinates));
  to.assign(own.begin(), own.end());
}

}  // namespace

MeshInertia::MeshInertia(std::shared_ptr<const model::NodalMesh> given)
    : mesh(std::move(given)), factor(*mesh->mass.pattern), factored(mesh->mass.value) {
  if (!factor.factor(factored))
    throw ModelError(mesh->where, "beam \"" + mesh->name + "\": its mass matrix is not positive definite.", "Check its density and section.");
}

void MeshInertia::solve(std::span<double> x) const {
  for (const MassFactor::Part& part : factor.parts()) factor.solve(factored, part, x.data() + part.first);
}

// With room for the others, which not every pass has.
void keep_mesh_positions(const Node& node, CSpan q, NodeState& x) {
  ModalState& own = own_state(x);
  keep(node, q, node.iq, own.z);
  own.zd.resize(own.z.size()), own.zdd.resize(own.z.size());
}
void keep_mesh_rates(const Node& node, CSpan v, NodeState& x) { keep(node, v, node.iv, own_state(x).zd); }
void keep_mesh_accelerations(const Tree& tree, CSpan a, std::vector<NodeState>& states) {
  for (const MeshNode& m : tree.meshes) {
    const Node& node = tree.nodes[static_cast<std::size_t>(m.node)];
    if (node.is_followed) keep(node, a, node.iv, own_state(states[static_cast<std::size_t>(m.node)]).zdd);
  }
}

void mesh_change(const Node& node, CSpan change, NodeState& x) {
  const model::NodalMesh& mesh = *node.mesh->mesh;
  std::vector<double>& to = forces_of(node, x);
  std::ranges::fill(to, 0.0);
  multiply_add(mesh.mass, change.subspan(static_cast<std::size_t>(node.iv), to.size()), 1.0, to);
}

void add_mesh_inertia(const Tree& tree, CSpan a, std::vector<NodeState>& states) {
  keep_mesh_accelerations(tree, a, states);
  for (const MeshNode& m : tree.meshes) {
    NodeState& x = states[static_cast<std::size_t>(m.node)];
    mesh_change(tree.nodes[static_cast<std::size_t>(m.node)], a, x);
    std::vector<double>& tau = x.guide->modal->tau;
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += dot(m.mesh->first[k], x.a);
  }
}

void mesh_accelerations(const Tree& tree, const Node& node, CSpan tau, std::vector<NodeState>& states, Span qdd) {
  const auto its = std::ranges::find(tree.meshes, node.iv, &MeshNode::iv);
  const std::vector<Vec3d>& first = its->mesh->first;
  const Vec3d ground = states[0].a;
  Span out = qdd.subspan(static_cast<std::size_t>(node.iv), first.size());
  for (std::size_t k = 0; k < first.size(); ++k) out[k] = tau[static_cast<std::size_t>(node.iv) + k] - dot(first[k], ground);
  for (const int last : its->stations) {
    for (int s = last; s != its->node; s = tree.nodes[static_cast<std::size_t>(s)].parent)
      tree.nodes[static_cast<std::size_t>(s)].waist->add_transposed(CSpan(states[static_cast<std::size_t>(s)].guide->z), qdd);
  }
  node.mesh->solve(out);
}

double mesh_kinetic_energy(const model::NodalMesh& mesh, CSpan v) {
  const Pattern& p = *mesh.mass.pattern;
  double sum = 0;
  for (int j = 0; j < p.cols; ++j) {
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) sum += 0.5 * v[static_cast<std::size_t>(p.row[k])] * mesh.mass.value[static_cast<std::size_t>(k)] * v[static_cast<std::size_t>(j)];
  }
  return sum;
}

Vec3d mesh_momentum(const model::NodalMesh& mesh, CSpan v) {
  Vec3d sum;
  for (std::size_t k = 0; k < mesh.first.size(); ++k) sum += v[k] * mesh.first[k];
  return sum;
}

Vec3d mesh_first_moment(const model::NodalMesh& mesh, CSpan q) { return mesh.first_design + mesh_momentum(mesh, q); }

}  // namespace skyhook::formalism::recursive
