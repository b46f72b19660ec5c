// A body of finite elements whose coordinates are positions and slopes of its nodes in fixed axes (absolute nodal coordinates, ANCF): large
// deformations and rotations with a constant mass matrix and no velocity terms,
//
//   M q'' + f(q, v) = Q,   r(X, t) = r_0(X) + sum_k q_k N_k(X)                                                        (24.1)
//
// so that q is zero at design. What stands here is all that the equations need; where it comes from is flexible/ancf.h.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/math/csc.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/mesh_curve.h"
#include "skyhook/model/modal_body.h"
#include "skyhook/model/model.h"

namespace skyhook::model {

// A point of the line as a frame, at which joints, forces and markers attach.
struct MeshStation {
  // A motion that is a law of six numbers, and these sums of neighbouring coordinates: u = B q.
  struct Part {
    std::shared_ptr<const Guide> guide;  // global axes
    int first = 0, count = 0;
    std::vector<double> B;  // 6 x count, row by row
  };
  std::string name;         // "start", "3", "end", or "0.25 m from its start"
  Vec3d at;                 // global at design
  std::vector<Part> parts;  // each moves against the one before; none: it stands still
  bool has_roll = true;     // false: of a cable in space, whose axes turn about the line by convention alone
};

// A place that has a name, global at design.
struct MeshNodeName {
  std::string name;
  Vec3d at;
};

// The lines that a mesh is made of, straight at design.
struct MeshLines {
  virtual ~MeshLines() = default;
  virtual MeshStation nearest(const Vec3d& place)
      const = 0;  // the frame at the point of all lines that is nearest to the place, global at design
};

// Strain of the elements, with the damping that goes with it.
struct ElasticForces {
  virtual ~ElasticForces() = default;
  virtual double energy(std::span<const double> q) const = 0;
  virtual double dissipation(std::span<const double> q, std::span<const double> v) const = 0;  // power, never negative
  // What they take: added to `f`.
  virtual void add(std::span<const double> q, std::span<const double> v, std::span<double> f) const = 0;
  // Of f by q and by v, on the pattern of the mesh: added.
  virtual void add_derivatives(std::span<const double> q, std::span<const double> v, std::span<double> by_q,
                               std::span<double> by_v) const = 0;
};

// For the page of reports: the line with its slope and, of beams, the directions of its section are sums of nodal vectors, in the axes of the body.
struct MeshPicture {
  std::string name;  // of the line; empty: there is one
  Vec3d origin;      // global at design
  Mat3d axes = Mat3d::identity();
  struct Vector {
    Vec3d design;
    int coordinate[3] = {-1, -1, -1};  // that adds to each of its components; -1: none
  };
  struct Term {
    int vector;
    double weight;
  };
  struct Station {
    double s;  // m, from the start
    std::vector<Term> position, slope, y, z;
  };
  std::vector<Vector> vectors;
  std::vector<Station> stations;
  double width = 0, height = 0;  // of a rectangle with the same area and second moments, along z and along y
};

struct NodalMesh {
  std::string name;
  Location where;
  int coordinates = 0;
  std::vector<std::string> names;  // of the coordinates: "x_3", "slope_x_3"
  std::vector<char> is_length;     // of each: a position in m; else a slope
  std::vector<double> design;  // what each is called at design: a position in m, in the axes of the body, or a slope
  std::vector<double> size;    // usual size of each, for tolerances
  Pattern pattern;             // of the derivatives of forces; holds that of M
  Csc mass;  // constant, symmetric; its pattern is closed under elimination from the last coordinate to the first
  std::vector<Vec3d> first;  // of each coordinate: integral of its N_k dm, global axes
  Vec3d first_design;        // integral of r dm at design, global
  double total_mass = 0;
  double wave_rate = 0;  // 1/s: how often a wave of stretch passes along a line of it, the largest sqrt(E / rho) / L
  std::vector<MeshNodeName> nodes;
  std::vector<std::string>
      eliminated;  // what its ends hold or share with other lines, and how many coordinates that saves: "start hinged (2)"
  std::shared_ptr<const MeshLines> lines;
  std::shared_ptr<const ElasticForces> forces;
  std::vector<MeshPicture> pictures;  // of each line
  std::vector<MeshCurve> curves;      // likewise

  // The frame at a place (global, at design); none: no line runs there.
  std::optional<MeshStation> station_at(const Vec3d& at) const {
    MeshStation found = lines->nearest(at);
    if (!(norm(found.at - at) <= near)) return std::nullopt;
    return found;
  }
  double near = 0;  // m
};

// The mesh of a body; nullptr: it has none.
inline const NodalMesh* mesh_of(const Body& body) { return body.modal ? body.modal->mesh.get() : nullptr; }

}  // namespace skyhook::model
