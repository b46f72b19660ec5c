#include "skyhook/formalism/recursive/mesh_node.h"

#include <algorithm>
#include <cassert>

#include "skyhook/formalism/recursive/passes.h"
#include "skyhook/math/elimination.h"

namespace skyhook::formalism::recursive {
namespace {

// Of which a mesh has forces, and where bodies stand on it, the factor and motions.
ModalState& own_state(NodeState& x) {
  GuideState& guide = x.guide ? *x.guide : x.guide.emplace();
  return guide.modal ? *guide.modal : guide.modal.emplace();
}

std::vector<double>& forces_of(const Node& node, NodeState& x) {
  ModalState& own = own_state(x);
  own.tau.resize(static_cast<std::size_t>(node.mesh->mesh->coordinates));
  return own.tau;
}

// M and all pairs of coordinates that move a loaded station, with what elimination fills in.
Pattern pattern_with(const model::NodalMesh& mesh, const std::vector<MeshLoad>& loads) {
  const Pattern& own = *mesh.mass.pattern;
  if (loads.empty()) return own;
  PatternBuilder builder(own.rows, own.cols);
  for (int j = 0; j < own.cols; ++j) {
    for (int k = own.start[j]; k < own.start[j + 1]; ++k) builder.add(own.row[k], j);
  }
  for (const MeshLoad& load : loads) {
    for (const int i : load.coordinates) {
      for (const int j : load.coordinates) builder.add(i, j);
    }
  }
  return closed_under_elimination(builder.build());
}

// How coordinates move the last node of a chain, about its origin: `turn` and `shift` of each.
void motions_of(const Tree& tree, const MeshNode& mesh, const MeshLoad& load, const std::vector<NodeState>& states,
                std::vector<Vec3d>& turn, std::vector<Vec3d>& shift) {
  turn.assign(load.coordinates.size(), Vec3d{}), shift.assign(load.coordinates.size(), Vec3d{});
  const Vec3d origin = states[static_cast<std::size_t>(load.chain.back())].p;
  for (const int s : load.chain) {
    const NodeState& x = states[static_cast<std::size_t>(s)];
    const Waist& waist = *tree.nodes[static_cast<std::size_t>(s)].waist;
    for (std::size_t k = 0; k < load.coordinates.size(); ++k) {
      const int column = load.coordinates[k] + mesh.iv - waist.iv;
      if (column < 0 || column >= waist.modes) continue;
      for (int i = 0; i < 6; ++i) {
        const double factor = waist.factor(i, column);
        turn[k] += factor * x.guide->turn[i];
        shift[k] += factor * (x.guide->shift[i] + cross(x.guide->turn[i], origin - x.p));
      }
    }
  }
}

// The mass matrix and the forces on the coordinates with what stands on one station.
void add_load(const Tree& tree, const MeshNode& mesh, const MeshLoad& load, const std::vector<Articulated>& work,
              std::vector<NodeState>& states, Span values, Span forces) {
  ModalState& own = *states[static_cast<std::size_t>(mesh.node)].guide->modal;
  motions_of(tree, mesh, load, states, own.Un, own.Uf);
  Vec3d al, a = states[0].a;  // gravity as an acceleration of the ground
  for (const int s : load.chain) {
    const auto at = static_cast<std::size_t>(s);
    a += cross(al, states[at].d) + work[at].ca;
    al += work[at].cal;
  }
  const Articulated& y = work[static_cast<std::size_t>(load.chain.back())];
  const Vec3d n = y.pn + y.I * al + y.H * a, f = y.pf + transpose_times(y.H, al) + y.M * a;
  const std::size_t count = load.coordinates.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3d &turn = own.Un[k], &shift = own.Uf[k];
    forces[static_cast<std::size_t>(load.coordinates[k])] -= dot(turn, n) + dot(shift, f);
    const Vec3d moment = y.I * turn + y.H * shift, force = transpose_times(y.H, turn) + y.M * shift;
    for (std::size_t l = 0; l < count; ++l)
      values[static_cast<std::size_t>(load.slots[k * count + l])] += dot(own.Un[l], moment) + dot(own.Uf[l], force);
  }
}

void keep(const Node& node, CSpan all, int first, std::vector<double>& to) {
  const CSpan own =
      all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(node.mesh->mesh->coordinates));
  to.assign(own.begin(), own.end());
}

}  // namespace

MeshInertia::MeshInertia(std::shared_ptr<const model::NodalMesh> given, std::vector<MeshLoad> standing)
    : MeshInertia(given, standing, pattern_with(*given, standing)) {}

MeshInertia::MeshInertia(std::shared_ptr<const model::NodalMesh> given, std::vector<MeshLoad> standing,
                         const Pattern& pattern)
    : mesh(std::move(given)), loads(std::move(standing)), factor(pattern), entries(pattern.nonzeros()) {
  const Pattern& own = *mesh->mass.pattern;
  for (int j = 0; j < own.cols; ++j) {
    for (int k = own.start[j]; k < own.start[j + 1]; ++k) slots.push_back(pattern.find(own.row[k], j));
  }
  for (MeshLoad& load : loads) {
    for (const int i : load.coordinates) {
      for (const int j : load.coordinates) load.slots.push_back(pattern.find(i, j));
    }
  }
  if (!loads.empty()) return;
  factored = mesh->mass.value;
  if (!factor.factor(factored))
    throw ModelError(mesh->where, "beam \"" + mesh->name + "\": its mass matrix is not positive definite.",
                     "Check its density and section.");
}

void MeshInertia::solve(CSpan factors, Span x) const {
  for (const MassFactor::Part& part : factor.parts()) factor.solve(factors, part, x.data() + part.first);
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

bool mesh_accelerations(const Tree& tree, const Node& node, CSpan tau, const std::vector<Articulated>& work,
                        std::vector<NodeState>& states, Span qdd) {
  const auto its = std::ranges::find(tree.meshes, node.iv, &MeshNode::iv);
  const std::vector<Vec3d>& first = its->mesh->first;
  const Vec3d ground = states[0].a;
  Span out = qdd.subspan(static_cast<std::size_t>(node.iv), first.size());
  for (std::size_t k = 0; k < first.size(); ++k)
    out[k] = tau[static_cast<std::size_t>(node.iv) + k] - dot(first[k], ground);
  for (const int last : its->stations) {
    if (!tree.nodes[static_cast<std::size_t>(last)].leaf) continue;  // a load
    for (int s = last; s != its->node; s = tree.nodes[static_cast<std::size_t>(s)].parent)
      tree.nodes[static_cast<std::size_t>(s)].waist->add_transposed(CSpan(states[static_cast<std::size_t>(s)].guide->z),
                                                                    qdd);
  }
  const MeshInertia& inertia = *node.mesh;
  if (inertia.loads.empty()) return inertia.solve(inertia.factored, out), true;
  std::vector<double>& values = own_state(states[static_cast<std::size_t>(its->node)]).D;
  values.assign(static_cast<std::size_t>(inertia.entries), 0.0);
  for (std::size_t k = 0; k < inertia.slots.size(); ++k)
    values[static_cast<std::size_t>(inertia.slots[k])] = inertia.mesh->mass.value[k];
  for (const MeshLoad& load : inertia.loads) add_load(tree, *its, load, work, states, values, out);
  if (!inertia.factor.factor(values)) return false;
  inertia.solve(values, out);
  return true;
}

double mesh_kinetic_energy(const model::NodalMesh& mesh, CSpan v) {
  const Pattern& p = *mesh.mass.pattern;
  double sum = 0;
  for (int j = 0; j < p.cols; ++j) {
    for (int k = p.start[j]; k < p.start[j + 1]; ++k)
      sum += 0.5 * v[static_cast<std::size_t>(p.row[k])] * mesh.mass.value[static_cast<std::size_t>(k)] *
             v[static_cast<std::size_t>(j)];
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
