// The axis of a line of nodal coordinates as a curve of these: between two nodes a cubic, (24.2) at y = z = 0, with one tangent where two of them meet. Its
// parameter s is the length at design, from the start of the line.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skyhook/math/vec.h"

namespace skyhook::model {

struct MeshCurve {
  // A coordinate in r and r_x of both ends of an element: what a unit of it adds there, global.
  struct Share {
    int coordinate;  // of the mesh
    int number;      // the same among `coordinates`
    Vec3d adds[4];
  };
  struct Element {
    Vec3d design[4];  // r and r_x of both ends, global
    std::vector<Share> shares;
  };
  std::string name;                // of the line; empty: its body has one
  Mat3d axes = Mat3d::identity();  // of the line at design, global
  bool is_planar = false;          // it stays in its plane of x and y
  double element_length = 1;       // m, at design
  std::vector<Element> elements;
  std::vector<int> coordinates;  // of the mesh: those that move it

  double length() const { return element_length * static_cast<double>(elements.size()); }

  // Where s is, with Hermite's functions there: h[k] are their derivatives of order k by s. Beyond an end the last element goes on.
  struct Place {
    int element = 0;
    double h[4][4] = {};
    // The derivative of order k of what a coordinate adds to the position.
    Vec3d of(const Share& share, int k) const { return sum(share.adds, k); }
    Vec3d sum(const Vec3d (&parts)[4], int k) const {
      return h[k][0] * parts[0] + h[k][1] * parts[1] + h[k][2] * parts[2] + h[k][3] * parts[3];
    }
  };
  Place place(double s) const;
  // The derivative of order k of the position, and of its rate, at coordinates q and rates v of the mesh.
  Vec3d position(const Place& place, int k, std::span<const double> q) const;
  Vec3d rate(const Place& place, int k, std::span<const double> v) const;

  // The s at which the line is across what leads to the point p, r' . (p - r) = 0: the one that Newton's method finds from `begin`. None: it leads nowhere.
  std::optional<double> foot(const Vec3d& p, std::span<const double> q, double begin) const;
  // Near the nearest point of the line, within its ends: where a search may begin.
  double near(const Vec3d& p, std::span<const double> q) const;
};

}  // namespace skyhook::model
