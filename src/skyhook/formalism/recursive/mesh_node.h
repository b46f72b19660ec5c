// A body of nodal coordinates (model::NodalMesh) in the tree: a node that is fixed to the ground and has all its coordinates, with a constant mass
// matrix that couples them, and its stations as nodes that some of these move. Bodies may stand on a station, as on a point of a body of modes: their inertia goes to
// the coordinates that move it,
//
//   (M + sum T^T I T) q'' = tau - sum T^T (p + I c)
//
// with T the motion of the station by coordinates, I and p the articulated inertia and the bias force of all that stands on it, c its acceleration for q'' = 0.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "skyhook/formalism/mass_factor.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::formalism::recursive {

struct Articulated;
struct Node;
struct NodeState;
struct Tree;

// A station that bodies stand on.
struct MeshLoad {
  std::vector<int> chain;        // its nodes, the last one carries the bodies
  std::vector<int> coordinates;  // of the mesh, that move it: in order
  std::vector<int> slots;        // of all pairs of these, in the factor
};

// Its mass matrix, once and for all factored where nothing stands on stations.
struct MeshInertia {
  explicit MeshInertia(std::shared_ptr<const model::NodalMesh> mesh, std::vector<MeshLoad> loads = {});
  std::shared_ptr<const model::NodalMesh> mesh;
  std::vector<MeshLoad> loads;
  MassFactor factor;
  std::vector<double> factored;  // empty: by loads
  std::vector<int> slots;        // of the entries of M, in the factor of all with loads
  int entries;                   // of the factor
  void solve(std::span<const double> factors, std::span<double> x) const;

 private:
  MeshInertia(std::shared_ptr<const model::NodalMesh> mesh, std::vector<MeshLoad> loads, const Pattern& pattern);
};

// What accelerations of the coordinates and of the ground take, for ModalState::tau of each mesh: M a + first . (acceleration of the ground).
void add_mesh_inertia(const Tree& tree, std::span<const double> a, std::vector<NodeState>& x);
// Of a mesh that something slides on: its coordinates, rates and accelerations, for ModalState::z, zd, zdd.
void keep_mesh_positions(const Node& node, std::span<const double> q, NodeState& x);
void keep_mesh_rates(const Node& node, std::span<const double> v, NodeState& x);
void keep_mesh_accelerations(const Tree& tree, std::span<const double> a, std::vector<NodeState>& x);
void mesh_change(const Node& node, std::span<const double> change, NodeState& x);
// From forces `tau` on the coordinates, those that stations have found, and what `work` says of all that stands on them, to accelerations. False: an inertia that is not
// positive.
bool mesh_accelerations(const Tree& tree, const Node& node, std::span<const double> tau,
                        const std::vector<Articulated>& work, std::vector<NodeState>& x, std::span<double> qdd);

double mesh_kinetic_energy(const model::NodalMesh& mesh, std::span<const double> v);
// Integral of r dm, and of r' dm: global.
Vec3d mesh_first_moment(const model::NodalMesh& mesh, std::span<const double> q);
Vec3d mesh_momentum(const model::NodalMesh& mesh, std::span<const double> v);

}  // namespace skyhook::formalism::recursive
