// The line that a road follows in the plane: u along it, v to its left.
//
// Through its nodes goes a curve C(u) of cubics, whose tangents at the nodes halve the angle between the pieces. The foot u of a point r
// has (r - C) . C' = 0, and v is the distance to the left. With D = C'.C' - (r - C).C''
//
//   grad u = C'/D,   grad v = N,   Hessian of v = N' (grad u)^T,
//   Hessian of u = (C'' (grad u)^T + grad u C''^T - (3 C'.C'' - (r - C).C''') grad u (grad u)^T)/D.
#pragma once
#include <vector>

#include "skyhook/model/relief.h"
#include "skyhook/model/road_grid.h"

namespace skyhook::element {

class ReferenceLine {
 public:
  explicit ReferenceLine(const model::RoadGrid& grid);
  bool is_straight() const { return nodes_.empty(); }
  struct Place {
    model::Bend u, v;  // over x and y
  };
  Place place(double x, double y) const;

  struct Plane {
    double x = 0, y = 0;
    friend Plane operator+(const Plane& a, const Plane& b) { return {a.x + b.x, a.y + b.y}; }
    friend Plane operator-(const Plane& a, const Plane& b) { return {a.x - b.x, a.y - b.y}; }
    friend Plane operator*(double s, const Plane& a) { return {s * a.x, s * a.y}; }
    friend double dot(const Plane& a, const Plane& b) { return a.x * b.x + a.y * b.y; }
  };
  // C and three derivatives.
  struct Point {
    Plane c, c1, c2, c3;
  };
  Point point(double u) const;

 private:
  double nearest_node(const Plane& r) const;

  double first_, step_;
  Plane begin_, along_;                  // of a straight line
  std::vector<Plane> nodes_, tangents_;  // tangents are unit vectors
};

}  // namespace skyhook::element
