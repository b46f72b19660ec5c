// Beams of nodal coordinates at rest, against exact solutions: the elastica under a force at its tip, full circles under a moment, rods in space by
// shooting (here, as ordinary differential equations of Kirchhoff's rod), published tips of the bend of 45 degrees; and how much the forms lock.
#include <fmt/format.h>

#include <array>
#include <numbers>

#include "skyhook/flexible/ancf.testing.h"
#include "skyhook/math/dense.h"

using namespace skyhook;
using namespace skyhook::flexible::testing;
using flexible::AncfBeam;
using Kind = AncfBeam::Kind;
using Forces = AncfBeam::Forces;
using End = AncfBeam::End;

namespace {

const char* name_of(Kind kind) {
  return kind == Kind::planar_beam    ? "planar_beam"
         : kind == Kind::planar_cable ? "planar_cable"
         : kind == Kind::cable        ? "cable"
                                      : "beam";
}
const char* name_of(Forces forces) {
  return forces == Forces::continuum ? "continuum" : forces == Forces::enhanced ? "enhanced" : "line";
}

// 1 m, so slender that it hardly stretches (P / EA is 6e-8 P) or shears.
AncfBeam slender(Kind kind, Forces forces, int elements) {
  AncfBeam beam = ancf_sample(kind, forces);
  beam.start = End::clamped, beam.poisson = 0, beam.material = {1e9, 5e8, 1000}, beam.to = {1, 0, 0},
  beam.elements = elements;
  beam.section = flexible::round_section(1e-3, 0, 0.0);
  return beam;
}
double bending(const AncfBeam& beam) { return beam.material.young * beam.section.iz; }

bool is_cable_kind(Kind kind) { return kind == Kind::planar_cable || kind == Kind::cable; }

struct EndPose {
  double x, y, angle;  // displacement; of the line
};
EndPose end_of(const AncfBeam& beam, const model::NodalMesh& mesh, const Numbers& q) {
  const std::string node = std::to_string(beam.elements), stem = is_cable_kind(beam.kind) ? "slope_x" : "slope_y";
  const auto value = [&](const std::string& name) {
    const std::size_t k = ancf_number(mesh, name);
    return q[k] + mesh.design[k];
  };
  const double a = value(stem + "_x_" + node), b = value(stem + "_y_" + node);
  const double angle = is_cable_kind(beam.kind) ? std::atan2(b, a) : std::atan2(-a, b);
  return {q[ancf_number(mesh, "x_" + node)], q[ancf_number(mesh, "y_" + node)], angle};
}

// A rod that bends and twists, and neither stretches nor shears: r' = R e_x, R' = R [C^-1 R^T m], m' = -r' x F, held at its start, with a dead force F at its end. The moment at the
// start is sought for which that at the end is zero.
struct Rod {
  double length, torsion, bending_y, bending_z;  // G It, E iy, E iz
  double curvature = 0;                          // at design, about z

  struct State {
    Vec3d r, m;
    Mat3d R = Mat3d::identity();
  };
  State slope(const State& s, const Vec3d& F) const {
    const Vec3d local = transpose_times(s.R, s.m);
    const Vec3d k{local.x / torsion, local.y / bending_y, local.z / bending_z + curvature};
    return {s.R.column(0), -cross(s.R.column(0), F), s.R * skew(k)};
  }
  State end(const Vec3d& m0, const Vec3d& F) const {
    constexpr int steps = 400;
    const double h = length / steps;
    State s;
    s.m = m0;
    const auto at = [](const State& a, const State& k, double step) {
      State out = a;
      out.r += step * k.r, out.m += step * k.m, out.R += step * k.R;
      return out;
    };
    for (int i = 0; i < steps; ++i) {
      const State a = slope(s, F), b = slope(at(s, a, h / 2), F), c = slope(at(s, b, h / 2), F),
                  d = slope(at(s, c, h), F);
      s = at(at(at(at(s, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    }
    return s;
  }
  Vec3d tip(const Vec3d& F) const {
    Vec3d m0;
    constexpr int steps = 10;
    for (int step = 1; step <= steps; ++step) {
      const Vec3d load = (static_cast<double>(step) / steps) * F;
      Vec3d left{1, 1, 1};
      for (int it = 0; it < 30 && norm(left) > 1e-12 * norm(F) * length; ++it) {
        left = end(m0, load).m;
        const double h = 1e-6 * norm(F) * length;
        DenseMatrix J(3, 3);
        for (int j = 0; j < 3; ++j) {
          Vec3d up = m0, down = m0;
          up[j] += h, down[j] -= h;
          const Vec3d change = (0.5 / h) * (end(up, load).m - end(down, load).m);
          for (int i = 0; i < 3; ++i) J(i, j) = change[i];
        }
        const Vector step_of = LeastNorm(J, 1e-14).solve({-left.x, -left.y, -left.z});
        m0 += Vec3d{step_of[0], step_of[1], step_of[2]};
      }
      CHECK(norm(left) < 1e-9 * norm(F) * length);
    }
    return end(m0, F).r;
  }
};

// Tip of a beam in space, clamped at its start, under a dead force, in the axes of the beam.
Vec3d tip_in_space(const AncfBeam& beam, const Vec3d& force, int steps) {
  const model::NodalMesh mesh = ancf_mesh(beam);
  Numbers load(static_cast<std::size_t>(mesh.coordinates), 0.0);
  std::array<std::size_t, 3> at;
  for (std::size_t c = 0; c < 3; ++c)
    at[c] = ancf_number(mesh, std::string(1, "xyz"[c]) + "_" + std::to_string(beam.elements)),
    load[at[c]] = force[static_cast<int>(c)];
  const Numbers q = ancf_rest(mesh, dead_load(load), steps);
  return {q[at[0]] + mesh.design[at[0]], q[at[1]], q[at[2]]};
}

}  // namespace

// P L^2 / E I, shortening and deflection over L, rotation: by shooting with a Runge-Kutta method, to ten digits. [Mattiasson 1981] has five of them.
TEST_CASE("ANCF references: all loads of the elastica, extrapolated from two meshes, to six digits") {
  const struct {
    double load, shortening, deflection, rotation;
  } rows[] = {{0.2, 0.0026465483, 0.0663644821, 0.0996361630}, {0.5, 0.0159189625, 0.1621435757, 0.2445336471},
              {1, 0.0564332363, 0.3017207738, 0.4613519497},   {2, 0.1606417208, 0.4934574804, 0.7817498316},
              {3, 0.2544201846, 0.6032534411, 0.9860169467},   {4, 0.3289412422, 0.6699641813, 1.1212393475},
              {5, 0.3876283607, 0.7137915236, 1.2153681176},   {7, 0.4729274284, 0.7673690997, 1.3349598575},
              {10, 0.5549955978, 0.8106090249, 1.4302855388}};
  const struct {
    Kind kind;
    Forces forces;
    int elements;
    double order;
    std::size_t every;  // row
  } cases[] = {{Kind::planar_cable, Forces::enhanced, 16, 4, 1},
               {Kind::cable, Forces::enhanced, 16, 4, 2},
               {Kind::planar_beam, Forces::enhanced, 64, 2, 1},
               {Kind::planar_beam, Forces::line, 64, 2, 1},
               {Kind::planar_beam, Forces::continuum, 64, 4, 8},
               {Kind::beam, Forces::enhanced, 32, 2, 4},
               {Kind::beam, Forces::line, 32, 2, 4}};
  for (const auto& c : cases) {
    for (std::size_t k = 0; k < std::size(rows); k += c.every) {
      const auto& row = rows[k];
      CAPTURE(std::string(name_of(c.kind)));
      CAPTURE(std::string(name_of(c.forces)));
      CAPTURE(row.load);
      EndPose off[3];
      for (int fine = 0; fine < 3; ++fine) {
        const AncfBeam beam = slender(c.kind, c.forces, c.elements << fine >> 1);
        const model::NodalMesh mesh = ancf_mesh(beam);
        Numbers load(static_cast<std::size_t>(mesh.coordinates), 0.0);
        load[ancf_number(mesh, "y_" + std::to_string(beam.elements))] = row.load * bending(beam);
        const EndPose end = end_of(beam, mesh, ancf_rest(mesh, dead_load(load), 2));
        off[fine] = {end.x + row.shortening, end.y - row.deflection, end.angle - row.rotation};
      }
      const auto size = [](const EndPose& p) { return std::hypot(p.x, p.y); };
      const auto apart = [&](int mesh) {
        return std::hypot(off[mesh].x - off[mesh + 1].x, off[mesh].y - off[mesh + 1].y);
      };  // stretch, which the elastica has not, is left out
      const double seen = std::log2(apart(0) / apart(1)), share = std::pow(2, c.order) - 1;
      const auto left = [&](double EndPose::*m) { return off[2].*m + (off[2].*m - off[1].*m) / share; };
      MESSAGE(fmt::format(
          "{} {} P {}: {:.2e} {:.2e} {:.2e} with {}, {}, {} elements, order {:.2f}, extrapolated {:.1e} {:.1e} {:.1e}",
          name_of(c.kind), name_of(c.forces), row.load, size(off[0]), size(off[1]), size(off[2]), c.elements / 2,
          c.elements, 2 * c.elements, seen, left(&EndPose::x), left(&EndPose::y), left(&EndPose::angle)));
      if (c.forces == Forces::continuum) continue;  // locks: printed alone
      CHECK(std::abs(seen - c.order) < 0.25);
      // 1e-6 of the length, and what stretch and shear move: P / EA below 6e-7
      CHECK(std::abs(left(&EndPose::x)) < 2e-6);
      CHECK(std::abs(left(&EndPose::y)) < 2e-6);
      CHECK(std::abs(left(&EndPose::angle)) < 4e-6);
    }
  }
}

// M L / E I = 2 pi bends the line to a full circle: its end comes back to its start. Nothing stretches.
TEST_CASE("ANCF references: a moment at the tip bends a cantilever to a full circle") {
  const struct {
    Kind kind;
    Forces forces;
    double order, most;
  } cases[] = {{Kind::planar_cable, Forces::enhanced, 4, 2e-6}, {Kind::cable, Forces::enhanced, 4, 2e-6},
               {Kind::planar_beam, Forces::enhanced, 2, 2e-5},  {Kind::planar_beam, Forces::line, 2, 2e-5},
               {Kind::beam, Forces::enhanced, 2, 2e-5},         {Kind::beam, Forces::line, 2, 2e-5}};
  for (const auto& c : cases) {
    CAPTURE(std::string(name_of(c.kind)));
    CAPTURE(std::string(name_of(c.forces)));
    double off[2];
    EndPose found[2];
    for (int fine = 0; fine < 2; ++fine) {
      const AncfBeam beam = slender(c.kind, c.forces, 16 << fine);
      const model::NodalMesh mesh = ancf_mesh(beam);
      const double moment = 2 * std::numbers::pi * bending(beam);
      const Numbers q = ancf_rest(
          mesh, tip_moment(mesh, is_cable_kind(c.kind) ? "slope_x" : "slope_y", 'x', 'y', beam.elements, moment), 8);
      found[fine] = end_of(beam, mesh, q);
      off[fine] = std::hypot(found[fine].x + 1, found[fine].y);
    }
    const double share = std::pow(2, c.order) - 1;
    const double left =
        std::hypot(found[1].x + 1 + (found[1].x - found[0].x) / share, found[1].y + (found[1].y - found[0].y) / share);
    MESSAGE(
        fmt::format("{} {}: the end misses the start by {:.2e} with 16 elements, {:.2e} with 32, extrapolated {:.1e}",
                    name_of(c.kind), name_of(c.forces), off[0], off[1], left));
    CHECK(off[1] < 0.5 * off[0]);
    CHECK(off[1] < 0.05);
  }
}

// Section of the Princeton beam experiment (Dowell and Traybar 1975): 508 mm, 12.377 x 3.2024 mm^2, 71.7e9 N/m^2, Poisson 0.31, weight at the tip at an angle to the principal axes, so
// that it bends both ways and twists. The reference is the rod of Kirchhoff, by shooting.
TEST_CASE("ANCF references: a force askew to the principal axes bends and twists a beam in space as a rod") {
  AncfBeam beam;
  beam.name = "princeton", beam.kind = Kind::beam, beam.start = End::clamped, beam.to = {0.508, 0, 0};
  beam.material = {71.7e9, 71.7e9 / 2.62, 2700}, beam.poisson = 0.31,
  beam.section = flexible::rectangle_section(0.012377, 0.0032024, 0, 0.31);
  const Rod rod{0.508, beam.material.shear * beam.section.it, beam.material.young * beam.section.iy,
                beam.material.young * beam.section.iz};
  for (const double degrees : {30.0, 60.0}) {
    const double angle = degrees * std::numbers::pi / 180, P = 13.345;
    const Vec3d force{0, -P * std::sin(angle), -P * std::cos(angle)};
    const Vec3d exact = rod.tip(force);
    for (const Forces forces : {Forces::enhanced, Forces::line}) {
      CAPTURE(std::string(name_of(forces)));
      beam.forces = forces;
      Vec3d tip[3];
      for (int fine = 0; fine < 3; ++fine) beam.elements = 12 << fine, tip[fine] = tip_in_space(beam, force, 4);
      const Vec3d left = tip[2] + (1.0 / 3) * (tip[2] - tip[1]) - exact;
      MESSAGE(fmt::format("{} deg, {}: rod [{:.6f}, {:.6f}, {:.6f}], off by {:.2e} and {:.2e} m, extrapolated {:.1e}",
                          degrees, name_of(forces), exact.x, exact.y, exact.z, norm(tip[0] - exact),
                          norm(tip[1] - exact), norm(left)));
      CHECK(std::log2(norm(tip[1] - tip[0]) / norm(tip[2] - tip[1])) == doctest::Approx(2).epsilon(0.02));
      // shear adds P / (k G A) L = 6e-6 m, strains of 2e-3 change a fibre's stiffness by as much
      CHECK(norm(left) < 3e-4 * 0.508);
    }
  }
}

// A quarter of a right angle of radius 100, section 1 x 1, E = 1e7, G = 5e6, tip force 600 across its plane [Bathe 1979]: published tips (46.9, 15.6, 53.4) of 60 steps and 8 straight
// elements, (47.23, 15.79, 53.37) of Simo and Vu-Quoc. Straight lines welded to each other at angles.
TEST_CASE("ANCF references: the bend of 45 degrees, of straight lines welded at angles") {
  const double R = 100, step = std::numbers::pi / 4;
  const Rod rod{R * step, 5e6 * 0.1406, 1e7 / 12, 1e7 / 12, 1 / R};
  const Vec3d turned = rod.tip({0, 0, 600});  // begins along x and bends towards y
  MESSAGE(fmt::format("curved rod: [{:.3f}, {:.3f}, {:.3f}]", turned.x, turned.y, turned.z));
  CHECK(turned.x == doctest::Approx(47.1).epsilon(0.01));
  CHECK(turned.y == doctest::Approx(15.7).epsilon(0.015));
  CHECK(turned.z == doctest::Approx(53.4).epsilon(0.01));
  double off[2];
  for (int fine = 0; fine < 2; ++fine) {
    const int lines = 8 << fine;
    std::vector<AncfBeam> beams;
    const auto at = [&](int k) {
      return Vec3d{R * std::sin(step * k / lines), R * (1 - std::cos(step * k / lines)), 0};
    };
    for (int k = 0; k < lines; ++k) {
      AncfBeam beam;
      beam.name = "part_" + std::to_string(k), beam.kind = Kind::beam, beam.from = at(k), beam.to = at(k + 1),
      beam.elements = 2;
      beam.material = {1e7, 5e6, 1}, beam.poisson = 0, beam.section = flexible::rectangle_section(1, 1, 0, 0);
      if (k == 0) beam.start = End::clamped;
      if (k > 0) beam.start_on = {k - 1, 2, true};
      beams.push_back(beam);
    }
    const model::NodalMesh mesh = ancf_mesh("bend", {}, beams);
    Numbers load(static_cast<std::size_t>(mesh.coordinates), 0.0);
    const std::string last = beams.back().name + ".";
    load[ancf_number(mesh, last + "z_2")] = 600;
    const Numbers q = ancf_rest(
        mesh, [&](const Numbers& x, Numbers& f, Numbers& K) { dead_load(load)(x, f, K); }, 60);
    const Mat3d axes = flexible::ancf_axes(beams.back());
    const Vec3d tip = at(lines) + axes * Vec3d{q[ancf_number(mesh, last + "x_2")], q[ancf_number(mesh, last + "y_2")],
                                               q[ancf_number(mesh, last + "z_2")]};
    off[fine] = norm(tip - turned);
    MESSAGE(fmt::format("{} lines of two elements: [{:.3f}, {:.3f}, {:.3f}], off by {:.3f}", lines, tip.x, tip.y, tip.z,
                        off[fine]));
    if (fine == 0) CHECK(norm(tip - Vec3d{46.9, 15.6, 53.4}) < 1.0);
  }
  CHECK(off[1] < 0.6 * off[0]);
}

// A small moment about the axis: G It / L.
TEST_CASE("ANCF references: torsion of a beam in space") {
  for (const Forces forces : {Forces::enhanced, Forces::line}) {
    AncfBeam beam = slender(Kind::beam, forces, 4);
    beam.section = flexible::rectangle_section(0.02, 0.01, 0, 0.3), beam.poisson = 0.3, beam.material.shear = 1e9 / 2.6;
    const model::NodalMesh mesh = ancf_mesh(beam);
    const double angle = 1e-4, moment = angle * beam.material.shear * beam.section.it;
    const Numbers q = ancf_rest(mesh, tip_moment(mesh, "slope_y", 'y', 'z', 4, moment), 1);
    // the moment acts on r_y alone, which shears the section at the tip by some It / (A L^2) = 2e-5 of the angle
    CHECK(q[ancf_number(mesh, "slope_y_z_4")] ==
          doctest::Approx(angle).epsilon(forces == Forces::line ? 1e-4 : 1e-3).scale(0));
  }
}

// Tip deflection under a small force over that of Timoshenko's beam. What locks is below 1: by Poisson's ratio however fine the mesh, by shear and thickness where it is coarse.
TEST_CASE("ANCF references: how much the forms lock") {
  const auto ratio = [](Kind kind, Forces forces, double slenderness, double nu, int elements) {
    AncfBeam beam = ancf_sample(kind, forces);
    const double h = 1 / slenderness;
    beam.start = End::clamped, beam.to = {1, 0, 0}, beam.elements = elements, beam.poisson = nu,
    beam.material = {1e9, 1e9 / (2 * (1 + nu)), 1000};
    beam.section = flexible::rectangle_section(h, h, 0, nu), beam.section.ky = beam.section.kz = 5.0 / 6;
    const bool shears = !is_cable_kind(kind);
    const double k = shears && forces != Forces::continuum ? 5.0 / 6 : 1.0;  // the continuum has no correction
    const double compliance = 1 / (3 * beam.material.young * beam.section.iz) +
                              (shears ? 1 / (k * beam.material.shear * beam.section.area) : 0.0);
    return ancf_tip(beam, 1e-5 / compliance, 1).y / 1e-5;
  };
  const struct {
    Kind kind;
    Forces forces;
  } cases[] = {{Kind::planar_beam, Forces::continuum},  {Kind::planar_beam, Forces::enhanced},
               {Kind::planar_beam, Forces::line},       {Kind::beam, Forces::continuum},
               {Kind::beam, Forces::enhanced},          {Kind::beam, Forces::line},
               {Kind::planar_cable, Forces::continuum}, {Kind::planar_cable, Forces::enhanced}};
  for (const auto& c : cases) {
    CAPTURE(std::string(name_of(c.kind)));
    CAPTURE(std::string(name_of(c.forces)));
    double finest[2][2];
    for (const double slenderness : {10.0, 100.0}) {
      for (const double nu : {0.0, 0.3}) {
        std::string line =
            fmt::format("| `{}` | `{}` | {} | {} |", name_of(c.kind), name_of(c.forces), slenderness, nu);
        double last = 0;
        for (const int elements : {1, 2, 4, 8, 16, 32})
          line += fmt::format(" {:.4f} |", last = ratio(c.kind, c.forces, slenderness, nu, elements));
        finest[slenderness > 50][nu > 0] = last;
        MESSAGE(line);
      }
    }
    for (int slender_one = 0; slender_one < 2; ++slender_one) {
      CHECK(finest[slender_one][0] == doctest::Approx(1).epsilon(5e-3));  // 32 elements, order 2 at the least
      // plane stress: E / (1 - nu^2); in space no fibre can become narrower at all: E (1 - nu) / ((1 + nu) (1 - 2 nu))
      const double nu = 0.3, locked = c.kind == Kind::beam ? (1 + nu) * (1 - 2 * nu) / (1 - nu) : 1 - nu * nu;
      const bool locks = c.forces == Forces::continuum && !is_cable_kind(c.kind);
      CHECK(finest[slender_one][1] == doctest::Approx(locks ? locked : 1).epsilon(locks ? 0.02 : 5e-3));
    }
  }
}
