// A body of finite elements whose coordinates are positions and slopes of its nodes in fixed axes (absolute nodal coordinates, ANCF): large
// deformations and rotations with a constant mass matrix and no velocity terms,
//
//   M q'' + f(q, v) = Q,   r(X, t) = r_0(X) + sum_k q_k N_k(X)                                                        (24.1)
//
// so that q is zero at design. What stands here is all that the equations need; where it comes from is flexible/ancf.h.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/math/csc.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/modal_body.h"
#include "skyhook/model/model.h"

namespace skyhook::model {

// A node as a frame, at which joints, forces and markers attach.
struct MeshStation {
  std::string name;                    // "start", "3", "end"
  Vec3d at;                            // global at design
  int first = 0, count = 0;            // coordinates that its pose depends on, neighbours; none: it stands still
  std::shared_ptr<const Guide> guide;  // its pose over these, in global axes
  bool has_axes = true;                // false: a point alone, whose axes do not turn with the body
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
  std::vector<double> design;      // what each is called at design: a position in m, in the axes of the body, or a slope
  std::vector<double> size;        // usual size of each, for tolerances
  Pattern pattern;                 // of the derivatives of forces; holds that of M
  Csc mass;                        // constant, symmetric; its pattern is closed under elimination from the last coordinate to the first
  std::vector<Vec3d> first;        // of each coordinate: integral of its N_k dm, global axes
  Vec3d first_design;              // integral of r dm at design, global
  double total_mass = 0;
  std::vector<MeshStation> stations;
  std::shared_ptr<const ElasticForces> forces;
  MeshPicture picture;

  // The station at a place (global, at design); -1: none is there.
  int station_at(const Vec3d& at) const {
    for (std::size_t k = 0; k < stations.size(); ++k) {
      if (norm(stations[k].at - at) <= near) return static_cast<int>(k);
    }
    return -1;
  }
  double near = 0;  // m
};

// The mesh of a body; nullptr: it has none.
inline const NodalMesh* mesh_of(const Body& body) { return body.modal ? body.modal->mesh.get() : nullptr; }

}  // namespace skyhook::model
