#include "skyhook/flexible/stiffening.h"

#include "skyhook/flexible/beam_element.h"
#include "skyhook/flexible/compliance.h"
#include "skyhook/flexible/plate_element.h"
#include "skyhook/flexible/rigid_motion.h"
#include "skyhook/flexible/solid_element.h"

namespace skyhook::flexible {
namespace {

// Acceleration of the points of the part, linear in their position: a(X) = at_origin + gradient X.
struct Acceleration {
  Vec3d at_origin;
  Mat3d gradient;
  Vec3d at(const Vec3d& x) const { return at_origin + gradient * x; }
};

// omega x (omega x X) = (omega omega^T - omega^2) X, per omega_i omega_j; both orders of a mixed product count.
Mat3d centrifugal(int i, int j) {
  const Mat3d mixed = outer(unit(i), unit(j));
  return i == j ? mixed - Mat3d::identity() : mixed + transpose(mixed);
}

// Forces on the unknowns by the inertia of the mass.
Column load_of(const FeModel& part, const Acceleration& a) {
  const int points = static_cast<int>(part.field.at.size());
  Dense value(points, 3);
  for (int p = 0; p < points; ++p) {
    const Vec3d here = part.field.one_at(p) * a.at_origin + a.gradient * part.field.at[static_cast<std::size_t>(p)];
    value.row(p) << here.x, here.y, here.z;
  }
  const Dense force = -(part.field.mass * value);
  Column spread(3 * points);
  for (int p = 0; p < points; ++p) spread.segment(3 * p, 3) = force.row(p).transpose();
  return part.field.shift.transpose() * spread;
}

// N(xi) within a beam: by the elements it is constant; the load along the beam, q(xi) = q0 + q1 xi, makes N' = -q L of it, with the same mean.
std::array<double, 3> axial_force(const FeModel& part, const BeamSpan& b, const Column& u, const Acceleration& a) {
  const FeNode &from = part.nodes[static_cast<std::size_t>(b.from)], &to = part.nodes[static_cast<std::size_t>(b.to)];
  const Vec3d x = b.axes.column(0);
  const double mean = b.axial / b.length * dot(x, vec(u, to.dof[0]) - vec(u, from.dof[0]));
  const double q0 = -b.mass * dot(x, a.at(from.at)), q1 = -b.mass * dot(x, a.at(to.at)) - q0;
  const double c1 = -q0 * b.length, c2 = -q1 * b.length / 2;
  return {mean - c1 / 2 - c2 / 3, c1, c2};
}

std::vector<double> reduced(const Dense& a) {
  std::vector<double> out;
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < a.cols(); ++j) out.push_back((a(i, j) + a(j, i)) / 2);
  }
  return out;
}

class Stiffening {
 public:
  Stiffening(const FeModel& part, const std::vector<Place>& held, const Dense& shapes)
      : part_(part), shapes_(shapes), compliance_(Compliance::held(part, dofs(held))) {}

  std::vector<double> operator()(const Acceleration& a) const {
    const Column u = compliance_.solve(load_of(part_, a));
    return reduced(by_displacements(u, a));
  }
  // By forces on the unknowns.
  Dense operator()(const Column& forces) const { return by_displacements(compliance_.solve(forces), {}); }

 private:
  Dense by_displacements(const Column& u, const Acceleration& a) const {
    Dense sum = Dense::Zero(shapes_.cols(), shapes_.cols());
    for (const BeamSpan& b : part_.beams) {
      const Matrix12 K = beam_stress_stiffness(b, axial_force(part_, b, u, a));
      const Dense own = to_beam_axes(b) * rows(std::array{b.from, b.to}, shapes_);
      sum += own.transpose() * K * own;
    }
    for (const PlateSpan& p : part_.plates) {
      const Matrix24 T = to_plate_axes(p);
      const Matrix24 K = plate_stress_stiffness(p, membrane_forces(p, T * rows(p.nodes, u)));
      const Dense own = T * rows(p.nodes, shapes_);
      sum += own.transpose() * K * own;
    }
    for (const SolidSpan& s : part_.solids) {
      Dense moved(s.nodes.size(), 3);
      for (std::size_t i = 0; i < 3; ++i) moved.col(static_cast<Eigen::Index>(i)) = along(s, u, i);
      const Dense K = solid_stress_stiffness(s, part_.nodes, moved);
      for (std::size_t i = 0; i < 3; ++i) {
        const Dense own = along(s, shapes_, i);
        sum += own.transpose() * (K * own);
      }
    }
    return sum;
  }

  std::vector<int> dofs(const std::vector<Place>& held) const {
    std::vector<int> all;
    for (const Place& place : held) {
      for (const int n : place.nodes) {
        for (const int d : part_.nodes[static_cast<std::size_t>(n)].dof) {
          if (d >= 0) all.push_back(d);
        }
      }
    }
    return all;
  }
  // Displacements of the nodes of a solid in a direction.
  Dense along(const SolidSpan& solid, const Dense& of, std::size_t direction) const {
    Dense out(solid.nodes.size(), of.cols());
    Eigen::Index row = 0;
    for (const int n : solid.nodes) out.row(row++) = of.row(part_.nodes[static_cast<std::size_t>(n)].dof[direction]);
    return out;
  }
  template <std::size_t N>
  Dense rows(const std::array<int, N>& nodes, const Dense& of) const {
    Dense out(6 * N, of.cols());
    int row = 0;
    for (const int n : nodes) {
      for (const int d : part_.nodes[static_cast<std::size_t>(n)].dof) out.row(row++) = of.row(d);
    }
    return out;
  }
  const FeModel& part_;
  const Dense& shapes_;
  Compliance compliance_;
};

}  // namespace

bool knows_stress(const FeModel& part) { return !part.beams.empty() || !part.plates.empty() || !part.solids.empty(); }

Dense stress_stiffness(const FeModel& part, const std::vector<Place>& held, const Dense& shapes, const Column& forces) {
  return Stiffening(part, held, shapes)(forces);
}

model::GeometricStiffness geometric_stiffness(const FeModel& part, const std::vector<Place>& held,
                                              const Dense& shapes) {
  model::GeometricStiffness out;
  if (!knows_stress(part)) return out;
  const Stiffening stiffness(part, held, shapes);
  for (int i = 0; i < 3; ++i) {
    out.acceleration[static_cast<std::size_t>(i)] = stiffness({unit(i), {}});
    out.angular_acceleration[static_cast<std::size_t>(i)] = stiffness({{}, skew(unit(i))});
    out.centrifugal[static_cast<std::size_t>(i)] = stiffness({{}, centrifugal(i, i)});
    out.centrifugal[static_cast<std::size_t>(3 + i)] = stiffness({{}, centrifugal(i, (i + 1) % 3)});  // xy, yz, zx
  }
  return out;
}

}  // namespace skyhook::flexible
