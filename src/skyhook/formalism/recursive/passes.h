// The recursions over a tree ([Arnold 2004] §2), in global axes, each node referred to its own origin. Flat loops over
// arrays, no virtual call, no heap.
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "skyhook/base/boxed.h"
#include "skyhook/formalism/evaluation.h"
#include "skyhook/formalism/recursive/guided_node.h"
#include "skyhook/formalism/recursive/tree.h"

namespace skyhook::formalism::recursive {

// Motion of a node and the wrench that its subtree needs, global axes, about the node's origin.
struct NodeState {
  Mat3d R;               // node axes to global axes
  Vec3d p, w, v, al, a;  // position, angular velocity, velocity, angular acceleration, acceleration (less gravity)
  Vec3d s;               // joint axis (revolute, prismatic)
  Vec3d d;               // from the parent's origin
  Vec3d f, n;            // force and moment
  // Coordinate of a driven node, from the design position, see set_drives(). Of the ground: the time of all drives, NaN if
  // there is none; and as its rate 1 while the nodes are marked, see mark().
  model::Motion2 drive{std::numeric_limits<double>::quiet_NaN()};
  Boxed<GuideState> guide;  // guided
};
static_assert(sizeof(NodeState) == 320);  // whole cache lines: all passes go over nodes

// Nodes are marked as they stand: whatever moves them or sets their forces below, and set_drives(), takes the mark away.
inline void mark(std::vector<NodeState>& x) { x[0].drive.rate = 1; }
inline void take_mark(std::vector<NodeState>& x) { x[0].drive.rate = 0; }
inline bool is_marked(const std::vector<NodeState>& x) { return x[0].drive.rate == 1; }

// A wrench on a node, about its origin, beside the node's own.
struct Load {
  Vec3d f, n;
};

// Articulated inertia of a node: [I H; Hᵀ M] (angular, linear), bias force, and what the outward pass needs again.
struct Articulated {
  Mat3d I, H, M;
  Vec3d pn, pf;   // bias force
  Vec3d cal, ca;  // velocity-product accelerations
  Vec3d Un, Uf;
  double inverse_D = 0, u = 0;
  Mat3d inverse_I;  // ball, free
};

// The coordinates of the driven nodes at a time. To be called before any of the passes below.
void set_drives(const Tree& tree, double t, Drives drives, std::vector<NodeState>& x);
// The same from value, rate and acceleration of each drive in turn.
void set_drives(const Tree& tree, CSpan motions, std::vector<NodeState>& x);
// Outward: motion of all nodes from q, v, a; f, n become the inertia forces (gravity included).
void inertia_forces(const Tree& tree, const Vec3d& gravity, CSpan q, CSpan v, CSpan a, std::vector<NodeState>& x);
// f, n alone become the inertia forces again, of nodes that have their motion. Of trees without modal nodes and meshes.
void inertia_forces(const Tree& tree, CSpan a, std::vector<NodeState>& x);
// Outward: positions only; the rest is left as it was.
void positions(const Tree& tree, CSpan q, std::vector<NodeState>& x);
// Outward: positions and velocities only; f, n become zero.
void positions_velocities(const Tree& tree, CSpan q, CSpan v, std::vector<NodeState>& x);
// Outward: accelerations for given a on top of positions_velocities(); f, n untouched.
void accelerations(const Tree& tree, const Vec3d& gravity, CSpan v, CSpan a, std::vector<NodeState>& x);
// Outward: on top of accelerations(), what joint accelerations that are larger by `change` add to them; f, n become the forces that this takes.
void change_accelerations(const Tree& tree, CSpan change, std::vector<NodeState>& x);
// Outward: as accelerations(); what they take is added to f, n. Of trees without modal nodes and meshes, whose own coordinates it leaves out.
void add_inertia_forces(const Tree& tree, const Vec3d& gravity, CSpan v, CSpan a, std::vector<NodeState>& x);
// Inward: sums f, n over subtrees and projects them onto the joint coordinates.
void project(const Tree& tree, std::vector<NodeState>& x, Span tau);
// The same for loads that act on the nodes of `inward` alone, children before parents.
void project(const Tree& tree, const std::vector<int>& inward, const std::vector<NodeState>& x,
             std::vector<Load>& loads, Span tau);
// M^-1: accelerations a for generalised forces tau and wrenches -(f, n) on the nodes, given positions_velocities().
// Returns the node whose articulated inertia is singular, 0 if none.
int solve_accelerations(const Tree& tree, const Vec3d& gravity, CSpan v, CSpan tau, std::vector<NodeState>& x,
                        std::vector<Articulated>& y, Span a);

// Parts of inertia_forces() and solve_accelerations() for own coordinates that inertia couples (coupled_nodes.cpp).
void add_coupled_inertia(const Tree& tree, CSpan a, std::vector<NodeState>& x);
void couple_accelerations(const Tree& tree, const std::vector<Articulated>& y, std::vector<NodeState>& x, Span a);

}  // namespace skyhook::formalism::recursive
