// The tree of a model as flat arrays, parents before children, depth first. A node's frame has the global axes of the
// design position and its origin at its joint's point; joints of several coordinates become chains of massless nodes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "skyhook/formalism/recursive/mesh_node.h"
#include "skyhook/formalism/recursive/modal_node.h"
#include "skyhook/formalism/topology.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/model.h"

namespace skyhook::formalism::recursive {

struct Node {
  // free: three translations in the parent's axes, then a ball; turned, slid: as revolute, prismatic, but the coordinate is a
  // function of time and no unknown; guided: any motion by a law, the others are fast paths of it; modal: the reference frame of a body that
  // bends, fixed to its parent, with coordinates that move its points alone; point: one of these, a child of it; mesh: a body of nodal coordinates, fixed to the ground, which
  // move its stations alone; station: one of these, a child of it or of another, with six sums of the mesh's coordinates
  enum class Kind : std::uint8_t {
    fixed,
    revolute,
    prismatic,
    ball,
    free,
    turned,
    slid,
    guided,
    modal,
    point,
    mesh,
    station
  };
  Kind kind = Kind::fixed;
  bool massless = true;
  bool leaf = true;
  std::int8_t axis_code = 3;  // 0, 1, 2: along x, y, z; 3: general
  double axis_sign = 1;       // with axis_code < 3
  int parent = 0;             // node 0 is the ground
  int iq = 0, iv = 0;         // first position and velocity coordinate
  int scalars = 0;            // coordinates but for a quaternion, which comes last
  Vec3d axis{0, 0, 1};        // unit, node axes
  Vec3d d;                    // from the parent's origin to this origin at zero coordinate, parent axes
  double mass = 0;
  Vec3d com;                                         // from the origin, node axes
  Mat3d inertia;                                     // about the centre of mass, node axes
  const model::Motion* drive = nullptr;              // turned, slid
  double drive_reference = 0;                        // its value at the design position
  std::shared_ptr<const model::Guide> guide = {};    // guided, point, station
  std::shared_ptr<const ModalMoments> moments = {};  // modal
  std::shared_ptr<const Waist> waist = {};           // point, station
  std::shared_ptr<const MeshInertia> mesh = {};      // mesh
  bool is_followed = false;                          // mesh: something slides on its lines and asks for its coordinates
  std::uint8_t guided_angles = 0;                    // which of its coordinates are angles, a bit each
  bool is_driven() const { return kind == Kind::turned || kind == Kind::slid; }
  int nq() const {
    switch (kind) {
      case Kind::revolute:
      case Kind::prismatic: return 1;
      case Kind::ball: return 4;
      case Kind::free: return 7;
      case Kind::guided: return guide->coordinates();
      case Kind::modal: return moments->modes;
      case Kind::mesh: return mesh->mesh->coordinates;
      default: return 0;
    }
  }
  // How many columns of the motion subspace it has, from number iv on: one for each of its coordinates, but of modes and of a mesh none, of a
  // point and of a station six that are no coordinates (Tree::first_waist).
  int columns() const {
    switch (kind) {
      case Kind::modal:
      case Kind::mesh: return 0;
      case Kind::point:
      case Kind::station: return 6;
      default: return nv();
    }
  }
  int nv() const { return kind == Kind::ball ? 3 : kind == Kind::free ? 6 : nq(); }
  bool rotates() const { return kind == Kind::ball || kind == Kind::free; }  // has a quaternion
  // Whether its velocity coordinate k is that of a length: else it is an angle or an angular velocity.
  bool is_length(int k) const {
    return kind == Kind::prismatic || (kind == Kind::free && k < 3) || kind == Kind::modal || kind == Kind::mesh ||
           kind == Kind::station || (kind == Kind::guided && (guided_angles >> k & 1) == 0);
  }
};

// A frame fixed in a node.
struct Place {
  int node = 0;
  Vec3d r;                         // node axes, from the node's origin
  Mat3d axes = Mat3d::identity();  // frame axes to node axes
};

// Where a joint's coordinates live in the state.
struct Coordinate {
  int iq = -1, iv = -1;  // -1: driven
  bool in_ball = false;  // iq, iv: start of the ball's quaternion and angular velocity
  int node = -1;         // that follows the drive
  bool is_driven() const { return node >= 0; }
};

// A coordinate that follows its drive.
struct DrivenNode {
  int node, joint, dof;
};

struct QuaternionSlot {
  int iq, iv;
  int node;
};

// A coordinate of a contribution's own, with inertia: a mass that slides on a line of its own through the origin, across gravity. It
// carries nothing and nothing falls, but all recursions have it, so that the mass matrix, explicit forms and derivatives are there.
struct OwnNode {
  int node, iq, iv;
  model::OwnCoordinate what;
  Location where;
};

// Coordinates of one contribution whose inertia couples them: kinetic energy p' M p' / 2, M = L L^T, both row by row.
struct CoupledNodes {
  int first_node, first_v, count;
  std::vector<double> M, L;
  double off_diagonal(int i, int j) const { return i == j ? 0.0 : M[static_cast<std::size_t>(i * count + j)]; }
};
// Of the inertia that its law declares, not yet numbered. ModelError: it is none.
CoupledNodes coupled_nodes(const model::Contribution& what);

// A body of modes.
struct ModalNode {
  int node, body, iq, iv, modes;
  std::vector<int> points;    // nodes
  std::vector<int> point_of;  // by these: number among the body's points
  double near;                // a place is a point's where it is as near
};

// A body of nodal coordinates.
struct MeshNode {
  int node, body, iq, iv;
  std::shared_ptr<const model::NodalMesh> mesh;
  std::vector<int> stations;  // nodes that something of the model stands on, and that move: of several parts the last
};

struct Tree {
  std::vector<Node> nodes;  // nodes[0] is the ground
  int nq = 0, nv = 0;
  // Inner states of force elements: further velocity coordinates, without position, from number nv on.
  std::vector<model::InnerState> states;
  std::vector<int> node_of_body;                             // by model body
  std::vector<Vec3d> origin;                                 // of each node, global at design
  std::vector<std::vector<Coordinate>> coordinates;          // by model joint and scalar coordinate
  std::vector<int> first_node_of_joint, last_node_of_joint;  // -1: cut
  std::vector<QuaternionSlot> quaternions;
  std::vector<DrivenNode> driven;
  std::vector<OwnNode> own;           // their coordinates stand behind those of joints
  std::vector<CoupledNodes> coupled;  // some of these
  std::vector<ModalNode> modal;
  std::vector<MeshNode> meshes;
  // Columns of the motion subspace: those of coordinates have the same numbers, inner states included; behind them six for each point of a
  // modal body, which follow its modes: T (q, v, a) with constant T. Matrices are found over columns and then contracted (contraction.h).
  int first_waist = 0, columns = 0;
  std::vector<int> points;   // nodes, in the order of their columns
  std::vector<int> axis_of;  // of each column: its number depth first, parents before children; -1: it moves no node
  std::vector<int> column_of_axis;
  std::vector<int> depth_first;               // all nodes but the ground
  std::vector<std::string> q_names, v_names;  // "crank.angle", "crank.angle_rate"
  std::vector<std::string> v_owner;           // joint, body or force the velocity coordinate belongs to
  std::vector<int> node_of_v;                 // by column; states: the ground
  std::vector<int> root;                      // of each node: the first one on its path from the ground
  std::vector<double> q_design;               // zero, quaternions 1 0 0 0
  std::vector<double> q_reference;            // what the user calls the design position

  Place place(int body, const Vec3d& at, const Mat3d& axes) const;
  int carrier(int body, const Vec3d& at) const;  // the node of that place
  Place place(const model::Marker& m) const { return place(m.body, m.at, m.axes); }
  // Columns between `above`, which `node` hangs on, and `node`, outermost last.
  std::vector<int> path(int node, int above = 0) const;
  // The coordinates that move these columns, each once.
  std::vector<int> coordinates_of(const std::vector<int>& columns) const;
  // The last node that carries both.
  int common_node(int a, int b) const;
};

Tree build_tree(const model::Model& model, const Topology& topology);

}  // namespace skyhook::formalism::recursive
