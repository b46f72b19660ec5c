#include "skyhook/flexible/beam_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "skyhook/flexible/beam_element.h"
#include "skyhook/flexible/fe_check.h"
#include "skyhook/flexible/plate_element.h"

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
    for (const Plate& plate : given.plates) add_plate(plate);
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
    s.section = b.section;
    return s;
  }

  void add_element(const Beam& beam, int from, int to) {
    const BeamSpan span = span_of(beam, from, to);
    std::vector<int> dof(node(from).dof.begin(), node(from).dof.end());
    dof.insert(dof.end(), node(to).dof.begin(), node(to).dof.end());
    const Matrix12 T = to_beam_axes(span);
    add_stiffness(T.transpose() * beam_stiffness(span) * T, dof);
    add_particles(beam, span, dof, T);
    fe_.lines.push_back({from, to});
    fe_.beams.push_back(span);
  }

  void add_stiffness(const Dense& K, const std::vector<int>& dof) {
    const int n = static_cast<int>(dof.size());
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (K(i, j) != 0)
          stiffness_.emplace_back(dof[static_cast<std::size_t>(i)], dof[static_cast<std::size_t>(j)], K(i, j));
      }
    }
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

  void add_plate(const Plate& plate) {
    const std::string what = "plate \"" + plate.name + "\"";
    std::array<Vec3d, 4> at;
    for (std::size_t i = 0; i < 4; ++i) {
      const int corner = node_named(plate.corners[i], what, plate.where);
      if (corner < 0) return;
      at[i] = node(corner).at;
    }
    if (!is_flat_and_convex(plate, what, at)) return;
    const auto [n, m] = plate.elements;
    std::vector<int> mesh;
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= m; ++j) {
        const double a = static_cast<double>(i) / n, b = static_cast<double>(j) / m;
        const Vec3d here = (1 - a) * (1 - b) * at[0] + a * (1 - b) * at[1] + a * b * at[2] + (1 - a) * b * at[3];
        mesh.push_back(node_at(here, norm(at[2] - at[0]), fmt::format("{}.{}.{}", plate.name, i, j), plate.where));
      }
    }
    const auto number = [&](int i, int j) { return mesh[static_cast<std::size_t>(i * (m + 1) + j)]; };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j)
        add_plate_element(plate, {number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)});
    }
  }

  bool is_flat_and_convex(const Plate& plate, const std::string& what, const std::array<Vec3d, 4>& at) {
    const double size = std::max(norm(at[2] - at[0]), norm(at[3] - at[1]));
    const Vec3d normal = cross(at[2] - at[0], at[3] - at[1]);
    if (!(norm(normal) > 1e-9 * size * size)) {
      findings_.add(plate.where, what + " has no area.", "Give four corners around it.");
      return false;
    }
    const double off = dot(normalized(normal), at[1] - at[0]);
    if (std::abs(off) > 1e-7 * size) {
      findings_.add(
          plate.where,
          fmt::format("{} is not flat: its diagonals pass each other at a distance of {:.3g} m.", what, std::abs(off)),
          "Move a corner, or make two plates of it.");
      return false;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3d next = at[(i + 1) % 4] - at[i], last = at[(i + 3) % 4] - at[i];
      if (dot(cross(next, last), normal) > 0) continue;
      findings_.add(plate.where, fmt::format("{} is folded at its corner \"{}\".", what, plate.corners[i]),
                    "Name the corners in their order around it; no angle may reach 180 degrees.");
      return false;
    }
    return true;
  }

  // Nodes are kept by cells of space, so that a fine mesh does not look at all of them for each.
  int node_at(const Vec3d& here, double size, const std::string& name, const Location& where) {
    if (cell_ == 0) cell_ = size_of_given() / 100;
    for (; filed_ < fe_.nodes.size(); ++filed_)
      cells_[cell_of(fe_.nodes[filed_].at)].push_back(static_cast<int>(filed_));
    const double near = 1e-6 * size;
    for (const int corner : {0, 1, 2, 3, 4, 5, 6, 7}) {
      const Vec3d probe =
          here + near * Vec3d{corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0};
      const auto cell = cells_.find(cell_of(probe));
      if (cell == cells_.end()) continue;
      for (const int n : cell->second) {
        if (norm(node(n).at - here) <= near) return n;
      }
    }
    return add_node(name, here, where);
  }

  // No plate is larger.
  double size_of_given() const {
    Vec3d low = given_.nodes.front().at, high = low;
    for (const NamedPoint& p : given_.nodes) {
      for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p.at[i]), high[i] = std::max(high[i], p.at[i]);
    }
    return norm(high - low);
  }

  std::array<long, 3> cell_of(const Vec3d& at) const {
    return {std::lround(at.x / cell_), std::lround(at.y / cell_), std::lround(at.z / cell_)};
  }

  void add_plate_element(const Plate& plate, const std::array<int, 4>& nodes) {
    PlateSpan span = plate_span(nodes, {node(nodes[0]).at, node(nodes[1]).at, node(nodes[2]).at, node(nodes[3]).at},
                                plate.thickness, plate.material);
    span.name = plate.name;
    std::vector<int> dof;
    for (const int n : nodes) dof.insert(dof.end(), node(n).dof.begin(), node(n).dof.end());
    const Matrix24 T = to_plate_axes(span);
    add_stiffness(T.transpose() * plate_stiffness(span) * T, dof);
    add_particles(span, dof, T);
    fe_.triangles.push_back({nodes[0], nodes[1], nodes[2]});
    fe_.triangles.push_back({nodes[0], nodes[2], nodes[3]});
    fe_.plates.push_back(std::move(span));
  }

  // Two points of the thickness have its mass and second moment.
  void add_particles(const PlateSpan& span, const std::vector<int>& dof, const Matrix24& T) {
    const double g = 1 / std::sqrt(3.0), half = span.thickness / 2 * g;
    for (const double xi : {-g, g}) {
      for (const double eta : {-g, g}) {
        const PlateRows local = plate_shape(xi, eta), rows = local * T;
        Vec3d middle;
        for (int i = 0; i < 4; ++i) middle += local(0, 6 * i) * node(span.nodes[static_cast<std::size_t>(i)]).at;
        const double mass = span.material.density * span.thickness * plate_jacobian(span, xi, eta) / 2;
        for (const double z : {-half, half})
          particles_.add(middle + span.axes * Vec3d{0, 0, z}, mass, {0, 0, z}, rows, dof, span.axes);
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
  std::map<std::array<long, 3>, std::vector<int>> cells_;  // nodes, by cubes of `cell_`
  double cell_ = 0;
  std::size_t filed_ = 0;
  Findings findings_;
};

}  // namespace

FeModel assemble(const BeamModel& beams) {
  if (beams.beams.empty() && beams.plates.empty())
    throw ModelError(beams.where, fmt::format("{} has no beams and no plates.", beams.name),
                     "Give at least one under `beams` or `plates`.");
  return Assembly(beams).result();
}

}  // namespace skyhook::flexible
