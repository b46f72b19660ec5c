// A body of nodal coordinates (model::NodalMesh) in the tree: a node that is fixed to the ground and has all its coordinates, with a constant mass
// matrix that couples them, and its stations as nodes that some of these move.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "skyhook/formalism/mass_factor.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::formalism::recursive {

struct Node;
struct NodeState;
struct Tree;

// Its mass matrix, once and for all factored.
struct MeshInertia {
  explicit MeshInertia(std::shared_ptr<const model::NodalMesh> mesh);
  std::shared_ptr<const model::NodalMesh> mesh;
  MassFactor factor;
  std::vector<double> factored;
  void solve(std::span<double> x) const;  // x = M^-1 x
};

// What accelerations of the coordinates and of the ground take, for ModalState::tau of each mesh: M a + first . (acceleration of the ground).
void add_mesh_inertia(const Tree& tree, std::span<const double> a, std::vector<NodeState>& x);
// Of a mesh that something slides on: its coordinates, rates and accelerations, for ModalState::z, zd, zdd.
void keep_mesh_positions(const Node& node, std::span<const double> q, NodeState& x);
void keep_mesh_rates(const Node& node, std::span<const double> v, NodeState& x);
void keep_mesh_accelerations(const Tree& tree, std::span<const double> a, std::vector<NodeState>& x);
void mesh_change(const Node& node, std::span<const double> change, NodeState& x);
// From forces `tau` on the coordinates, and those that stations have found, to accelerations.
void mesh_accelerations(const Tree& tree, const Node& node, std::span<const double> tau, std::vector<NodeState>& x, std::span<double> qdd);

double mesh_kinetic_energy(const model::NodalMesh& mesh, std::span<const double> v);
// Integral of r dm, and of r' dm: global.
Vec3d mesh_first_moment(const model::NodalMesh& mesh, std::span<const double> q);
Vec3d mesh_momentum(const model::NodalMesh& mesh, std::span<const double> v);

}  // namespace skyhook::formalism::recursive
