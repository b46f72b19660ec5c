// A part of finite elements, as far as multibody dynamics needs it: nodes, stiffness and mass, and where the mass is.
#pragma once
#include <Eigen/SparseCore>
#include <array>
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/flexible/beam_section.h"
#include "skyhook/math/vec.h"

namespace skyhook::flexible {

using Sparse = Eigen::SparseMatrix<double>;
using Dense = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

struct FeNode {
  std::string name;
  Vec3d at;                                        // in the axes of the reference frame, from its origin
  std::array<int, 6> dof{-1, -1, -1, -1, -1, -1};  // rows of three displacements and three rotations; -1: none
  Location where;
  bool is_inner = false;  // unknowns within an element that belong to no place
  bool has_rotations() const { return dof[3] >= 0; }
};

// Where the mass is: displacements of some points follow from the unknowns, u = shift q, and integrals over the mass are sums over
// pairs of points, integral of f g dm = f^T mass g. Beams: points of a quadrature, `mass` is diagonal. Solids: the nodes
// themselves, `mass` is the matrix of the shape functions.
struct MassField {
  std::vector<Vec3d> at;
  Sparse mass;   // points x points
  Sparse shift;  // 3 points x dofs; row 3 p + alpha
  Column one;    // what the points have in a field that is 1 everywhere; empty: 1
  bool is_exact =
      true;  // false: only what the matrices say is exact, and what is of second order in the modes is estimated
  double one_at(int point) const { return one.size() ? one[point] : 1.0; }
};

// A straight beam between two nodes, as stress that stiffens and section forces need it.
struct BeamSpan {
  std::string name;
  int from = 0, to = 0;
  Mat3d axes = Mat3d::identity();                    // columns: along the beam, y and z of the section
  double length = 0, axial = 0;                      // m; E A in N
  double shear_y = 0, shear_z = 0;                   // ratio 12 E I / (k G A L^2) for deflections along y and along z
  double bending_y = 0, bending_z = 0, torsion = 0;  // E I for deflections along y, along z; G It
  double mass = 0;                                   // per length
  double polar = 0;                                  // (Iy + Iz) / A
  Section section;
};

// A flat plate of four nodes.
struct PlateSpan {
  std::string name;
  std::array<int, 4> nodes{};      // around it
  Mat3d axes = Mat3d::identity();  // columns: x and y in its plane, its normal
  std::array<double, 4> x{}, y{};  // of the nodes, from their mean
  double thickness = 0;
  Material material;
};

// A solid by the nodes of its corners and, if it has them, of its edges.
struct SolidSpan {
  std::string name;
  std::vector<int> nodes;  // 4, 6, 8 of corners alone; 10, 15, 20
  Material material;
};

struct FeModel {
  std::string name;
  Location where;
  std::vector<FeNode> nodes;
  int dofs = 0;
  Sparse stiffness, mass;  // symmetric, with all entries
  MassField field;
  std::vector<BeamSpan> beams;
  std::vector<PlateSpan> plates;
  std::vector<SolidSpan> solids;          // none where their material is not known
  std::vector<std::array<int, 2>> lines;  // for pictures, by number of the node
  std::vector<std::array<int, 3>> triangles;

  int find(const std::string& node) const {  // -1: there is none
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].name == node) return static_cast<int>(i);
    }
    return -1;
  }
};

inline Vec3d vec(const Column& q, int first) { return {q[first], q[first + 1], q[first + 2]}; }

}  // namespace skyhook::flexible
