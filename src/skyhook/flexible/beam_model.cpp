#include "skyhook/flexible/beam_model.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/flexible/beam_element.h"
#include "skyhook/flexible/fe_check.h"

namespace skyhook::flexible {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

// Points with mass that move with the unknowns.
struct Particles {
  std::vector<Vec3d> at;
  std::vector<double> mass;
  Triplets shift;

  // Moves with six rows, displacement and rotation at its reference, by its offset from there; all in one set of axes.
  template <class Rows>
  void add(const Vec3d& where, double m, const Vec3d& offset, const Rows& rows, const std::vector<int>& dof,
           const Mat3d& axes) {
    const int first = 3 * static_cast<int>(at.size());
    at.push_back(where), mass.push_back(m);
    for (int c = 0; c < static_cast<int>(dof.size()); ++c) {
      const Vec3d u{rows(0, c), rows(1, c), rows(2, c)}, turn{rows(3, c), rows(4, c), rows(5, c)};
      const Vec3d moved = axes * (u + cross(turn, offset));
      for (int i = 0; i < 3; ++i) {
        if (moved[i] != 0) shift.emplace_back(first + i, dof[static_cast<std::size_t>(c)], moved[i]);
      }
    }
  }
};

class Assembly {
 public:
  explicit Assembly(const BeamModel& given) : given_(given) {
    fe_.name = given.name, fe_.where = given.where;
    for (const NamedPoint& p : given.nodes) add_node(p.name, p.at, p.where);
    for (const Beam& beam : given.beams) add_beam(beam);
    for (const LumpedMass& mass : given.masses) add_mass(mass);
    findings_.throw_if_any();
  }

  FeModel result() {
    const int n = fe_.dofs, points = static_cast<int>(particles_.at.size());
    fe_.stiffness.resize(n, n), fe_.stiffness.setFromTriplets(stiffness_.begin(), stiffness_.end());
    MassField& field = fe_.field;
    field.at = particles_.at;
    field.shift.resize(3 * points, n), field.shift.setFromTriplets(particles_.shift.begin(), particles_.shift.end());
    Triplets diagonal, spread;
    for (int p = 0; p < points; ++p) {
      const double m = particles_.mass[static_cast<std::size_t>(p)];
      diagonal.emplace_back(p, p, m);
      for (int i = 0; i < 3; ++i) spread.emplace_back(3 * p + i, 3 * p + i, m);
    }
    field.mass.resize(points, points), field.mass.setFromTriplets(diagonal.begin(), diagonal.end());
    Sparse weights(3 * points, 3 * points);
    weights.setFromTriplets(spread.begin(), spread.end());
    fe_.mass = field.shift.transpose() * (weights * field.shift);
    check(fe_);
    return std::move(fe_);
  }

 private:
  int add_node(const std::string& name, const Vec3d& at, const Location& where) {
    FeNode node{name, at, {}, where};
    for (int i = 0; i < 6; ++i) node.dof[static_cast<std::size_t>(i)] = fe_.dofs++;
    fe_.nodes.push_back(std::move(node));
    return static_cast<int>(fe_.nodes.size()) - 1;
  }

  int node_named(const std::string& name, const std::string& what, const Location& where) {
    const int node = fe_.find(name);
    if (node >= 0) return node;
    std::vector<std::string> names;
    for (const NamedPoint& p : given_.nodes) names.push_back(p.name);
    findings_.add(where, fmt::format("{}: there is no node \"{}\".", what, name), suggest(name, names, "Nodes"));
    return -1;
  }

  void add_beam(const Beam& beam) {
    const std::string what = "beam \"" + beam.name + "\"";
    const int from = node_named(beam.from, what, beam.where), to = node_named(beam.to, what, beam.where);
    if (from < 0 || to < 0) return;
    const Vec3d a = node(from).at, way = node(to).at - a;
    if (!(norm(way) > 0)) {
      findings_.add(beam.where,
                    fmt::format("{} has no length: \"{}\" and \"{}\" are in one place.", what, beam.from, beam.to));
      return;
    }
    int last = from;
    for (int e = 1; e <= beam.elements; ++e) {
      const double s = static_cast<double>(e) / beam.elements;
      const int next = e == beam.elements ? to : add_node(fmt::format("{}.{}", beam.name, e), a + s * way, beam.where);
      add_element(beam, last, next);
      last = next;
    }
  }

  BeamSpan span_of(const Beam& b, int from, int to) const {
    const Vec3d way = node(to).at - node(from).at, x = normalized(way);
    Vec3d z = b.up - dot(b.up, x) * x;
    z = norm(z) > 1e-6 * norm(b.up) ? normalized(z) : perpendicular(x);
    BeamSpan s{.name = b.name, .from = from, .to = to, .axes = Mat3d::columns(x, cross(z, x), z), .length = norm(way)};
    s.axial = b.material.young * b.section.area;
    s.bending_y = b.material.young * b.section.iz, s.bending_z = b.material.young * b.section.iy;
    s.torsion = b.material.shear * b.section.it;
    const double GA = b.material.shear * b.section.area, L2 = s.length * s.length;
    s.shear_y = b.section.ky > 0 ? 12 * s.bending_y / (b.section.ky * GA * L2) : 0;
    s.shear_z = b.section.kz > 0 ? 12 * s.bending_z / (b.section.kz * GA * L2) : 0;
    s.mass = b.material.density * b.section.area;
    s.polar = (b.section.iy + b.section.iz) / b.section.area;
    return s;
  }

  void add_element(const Beam& beam, int from, int to) {
    const BeamSpan span = span_of(beam, from, to);
    std::vector<int> dof(node(from).dof.begin(), node(from).dof.end());
    dof.insert(dof.end(), node(to).dof.begin(), node(to).dof.end());
    const Matrix12 T = to_beam_axes(span), K = T.transpose() * beam_stiffness(span) * T;
    for (int i = 0; i < 12; ++i) {
      for (int j = 0; j < 12; ++j) {
        if (K(i, j) != 0)
          stiffness_.emplace_back(dof[static_cast<std::size_t>(i)], dof[static_cast<std::size_t>(j)], K(i, j));
      }
    }
    add_particles(beam, span, dof, T);
    fe_.lines.push_back({from, to});
    fe_.beams.push_back(span);
  }

  // Four points of the section have its area and second moments.
  void add_particles(const Beam& beam, const BeamSpan& span, const std::vector<int>& dof, const Matrix12& T) {
    const double ry = std::sqrt(beam.section.iz / beam.section.area),
                 rz = std::sqrt(beam.section.iy / beam.section.area);
    for (const auto& [xi, weight] : gauss_points()) {
      const Rows6 rows = shape(span, xi) * T;
      const Vec3d centre = node(span.from).at + xi * (node(span.to).at - node(span.from).at);
      for (const double y : {-ry, ry}) {
        for (const double z : {-rz, rz}) {
          const Vec3d offset{0, y, z};
          particles_.add(centre + span.axes * offset, span.mass * span.length * weight / 4, offset, rows, dof,
                         span.axes);
        }
      }
    }
  }

  // Six points on the principal axes have its mass and inertia.
  void add_mass(const LumpedMass& mass) {
    const std::string what = "mass \"" + mass.name + "\"";
    const int at = node_named(mass.node, what, mass.where);
    if (at < 0) return;
    const std::vector<int> dof(node(at).dof.begin(), node(at).dof.end());
    const Eigen::Matrix<double, 6, 6> rows = Eigen::Matrix<double, 6, 6>::Identity();
    Eigen::Matrix3d spread;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) spread(i, j) = (i == j ? trace(mass.inertia) / 2 : 0.0) - mass.inertia[i][j];
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(spread);
    const double slack = 1e-9 * std::abs(trace(mass.inertia));
    if (principal.eigenvalues()[0] < -slack || (mass.mass <= 0 && trace(mass.inertia) > 0)) {
      findings_.add(mass.where, what + " has an inertia that no distribution of its mass has.",
                    "No principal moment may exceed the sum of the two others, and inertia needs mass.");
      return;
    }
    for (int i = 0; i < 3; ++i) {
      const double r = mass.mass > 0 ? std::sqrt(std::max(0.0, 3 * principal.eigenvalues()[i] / mass.mass)) : 0.0;
      const Vec3d e{principal.eigenvectors()(0, i), principal.eigenvectors()(1, i), principal.eigenvectors()(2, i)};
      for (const double side : {-r, r})
        particles_.add(node(at).at + side * e, mass.mass / 6, side * e, rows, dof, Mat3d::identity());
    }
  }

  const FeNode& node(int i) const { return fe_.nodes[static_cast<std::size_t>(i)]; }

  const BeamModel& given_;
  FeModel fe_;
  Particles particles_;
  Triplets stiffness_;
  Findings findings_;
};

}  // namespace

FeModel assemble(const BeamModel& beams) {
  if (beams.beams.empty())
    throw ModelError(beams.where, fmt::format("{} has no beams.", beams.name), "Give at least one under `beams`.");
  return Assembly(beams).result();
}

}  // namespace skyhook::flexible
