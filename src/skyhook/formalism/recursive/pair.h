// Two frames of the tree between which an element acts or a constraint holds: their relative motion, and how it
// depends on the coordinates of the path between them.
//
// Only coordinates on the path between A and B matter. For a variation of coordinate j that moves B but not A, B moves
// by the twist s_j (rotation `turn`, displacement `shift` of B's point), and the relative velocity changes by `spin`,
// `slip` (path_block.h). A coordinate that moves A but not B gives the negative of the same expressions (side = -1), the frame A
// being carried along. docs/theory/02_exact_jacobian.md derives this.
//
// Names: m of a PairMotion, a and b the nodes that carry the frames A and B; r_AB is the position of B from A, all in global axes. w are
// angular velocities, al angular accelerations.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/passes.h"
#include "skyhook/model/element.h"

namespace skyhook::formalism::recursive {

// The two places and the coordinates on the path between them.
struct Pair {
  // Neighbours among the coordinates of one side.
  struct Run {
    int first, count, at;  // first axis (Tree::axis_of), number, place of the first in `dofs`
    double side;
    int root;  // node on which their tree begins
  };
  Place A, B;
  bool A_aligned = false, B_aligned = false;  // the frame has the axes of its node
  std::vector<int> dofs;                      // columns on the path (Tree), A's side first
  std::vector<double> side;                   // +1 moves B, -1 moves A
  std::vector<Run> runs;                      // the same, stretch by stretch
  std::vector<double> carried;                // n columns of padded_n() rows: 1 where (2.14) takes `carried` away
  int n() const { return static_cast<int>(dofs.size()); }
  int padded_n() const { return (n() + 3) / 4 * 4; }
};

Pair make_pair(const Tree& tree, const Place& A, const Place& B);
// Fills Pair::carried, which grows with the square of the path.
void find_carried(const Tree& tree, Pair& pair);

// How B moves seen from A, with what is needed to put a wrench back on the nodes.
struct PairMotion {
  model::Relative<double> rel;  // of B from A, in A's axes: all that a law sees
  Mat3d R_A;                    // from A's axes to global ones
  Vec3d p_B;                    // from the ground's origin to B's point, global
  Vec3d r_AB;                   // from A's point to B's point, global
  Vec3d r_aA, r_bB;             // from the origin of node a to A's point, of node b to B's point, global
  Vec3d v_AB;                   // rate of r_AB as an observer on A sees it, global
};

// From the axes of frame A, of frame B, to global ones.
inline Mat3d axes_of_a(const Pair& pair, const std::vector<NodeState>& x) {
  return pair.A_aligned ? x[pair.A.node].R : x[pair.A.node].R * pair.A.axes;
}
inline Mat3d axes_of_b(const Pair& pair, const std::vector<NodeState>& x) {
  return pair.B_aligned ? x[pair.B.node].R : x[pair.B.node].R * pair.B.axes;
}

// Where the two points are, in global axes; all else of `m` is left as it was.
inline void point_positions(const Pair& pair, const std::vector<NodeState>& x, PairMotion& m) {
  const NodeState &a = x[pair.A.node], &b = x[pair.B.node];
  m.r_aA = a.R * pair.A.r, m.r_bB = b.R * pair.B.r;  // from the nodes' origins to the points
  m.p_B = b.p + m.r_bB;
  m.r_AB = m.p_B - a.p - m.r_aA;
}
// The same, and the velocity of B's point seen from A.
inline void point_motion(const Pair& pair, const std::vector<NodeState>& x, PairMotion& m) {
  point_positions(pair, x, m);
  const NodeState &a = x[pair.A.node], &b = x[pair.B.node];
  // velocity of B's point, less that of the point of A's node which is just there
  m.v_AB = b.v + cross(b.w, m.r_bB) - a.v - cross(a.w, m.r_aA + m.r_AB);
}

// Position and velocity of B's point seen from A, in A's axes; rotation and angular velocity are left as they were.
inline void relative_point_motion(const Pair& pair, const std::vector<NodeState>& x, double t, PairMotion& m) {
  point_motion(pair, x, m);
  m.R_A = axes_of_a(pair, x);
  m.rel.t = t;
  m.rel.r = transpose_times(m.R_A, m.r_AB), m.rel.v = transpose_times(m.R_A, m.v_AB);
}

// All of `m.rel`.
inline void relative_motion(const Pair& pair, const std::vector<NodeState>& x, double t, PairMotion& m) {
  relative_point_motion(pair, x, t, m);
  m.rel.R = transpose(m.R_A) * axes_of_b(pair, x);
  m.rel.w = transpose_times(m.R_A, x[pair.B.node].w - x[pair.A.node].w);
}

// Relative acceleration of B seen from A, in global axes: r'' of its point, and w' of its rotation.
inline void relative_acceleration(const Pair& pair, const std::vector<NodeState>& x, const PairMotion& m, Vec3d& rdd,
                                  Vec3d& wd) {
  const NodeState &a = x[pair.A.node], &b = x[pair.B.node];
  const Vec3d a_to_B = m.r_aA + m.r_AB;  // from the origin of A's node to B's point
  // B's point as part of B's node, and as if A's node carried it along
  const Vec3d of_B = b.a + cross(b.al, m.r_bB) + cross(b.w, cross(b.w, m.r_bB));
  const Vec3d carried = a.a + cross(a.al, a_to_B) + cross(a.w, cross(a.w, a_to_B));
  // the difference, less Coriolis' part; likewise for the rotation
  rdd = of_B - carried - 2.0 * cross(a.w, m.v_AB);
  wd = b.al - a.al - cross(a.w, b.w - a.w);
}

// Wrench (f, n) on B at B's point in global axes, times `sign`, added to the node forces; the opposite to A.
template <class Loaded>  // NodeState or Load
void add_wrench(const Pair& pair, const PairMotion& m, const Vec3d& f, const Vec3d& n, double sign,
                std::vector<Loaded>& x) {
  Loaded &a = x[pair.A.node], &b = x[pair.B.node];
  const Vec3d fs = sign * f, ns = sign * n;
  // on B's node, moments about its origin
  b.f += fs;
  b.n += ns + cross(m.r_bB, fs);
  // the opposite on A's node; it too acts at B's point
  a.f -= fs;
  a.n -= ns + cross(m.r_aA + m.r_AB, fs);
}

// The motion of B per unit of one coordinate, global axes, at B's point; side not applied.
struct Twist {
  Vec3d turn, shift;
};

// A hinge turns about its axis through its node's origin, a slider shifts along it; a guide tells both; a ball turns
// about the axes of its node, and a free body shifts along the axes of its parent first.
inline Twist twist_at(const Tree& tree, const std::vector<NodeState>& x, int dof, const Vec3d& point) {
  const int i = tree.node_of_v[dof];
  const Node& node = tree.nodes[i];
  const int k = dof - node.iv;
  switch (node.kind) {
    case Node::Kind::revolute: return {x[i].s, cross(x[i].s, point - x[i].p)};
    case Node::Kind::prismatic: return {{}, x[i].s};
    case Node::Kind::station:
    case Node::Kind::point:
    case Node::Kind::guided: {
      const Vec3d& turn = x[i].guide->turn[k];
      return {turn, x[i].guide->shift[k] + cross(turn, point - x[i].p)};
    }
    case Node::Kind::free:
      if (k < 3) return {{}, x[node.parent].R.column(k)};
      [[fallthrough]];
    default: {
      const Vec3d axis = x[i].R.column(node.kind == Node::Kind::free ? k - 3 : k);
      return {axis, cross(axis, point - x[i].p)};
    }
  }
}

}  // namespace skyhook::formalism::recursive
