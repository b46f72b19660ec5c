// References: differences, rigid motion, uniform stretch, the elastica (exact curve of an inextensible rod under a dead load, solved to ten digits by
// shooting), recorded results of another program for the same cable element, frequencies of Euler and Bernoulli.
#include "skyhook/flexible/ancf.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "skyhook/flexible/ancf.testing.h"
#include "skyhook/flexible/ancf_station.h"
#include "skyhook/math/dense.h"

using namespace skyhook;
using flexible::AncfBeam;
using Kind = AncfBeam::Kind;
using Forces = AncfBeam::Forces;
using End = AncfBeam::End;
using flexible::testing::ancf_sample;
using flexible::testing::ancf_tip;
using flexible::testing::Numbers;
using flexible::testing::Tip;

namespace {

struct Choice {
  Kind kind;
  Forces forces;
};
const Choice choices[] = {{Kind::planar_beam, Forces::continuum}, {Kind::planar_beam, Forces::enhanced},
                          {Kind::planar_beam, Forces::line},      {Kind::planar_cable, Forces::enhanced},
                          {Kind::cable, Forces::enhanced},        {Kind::beam, Forces::continuum},
                          {Kind::beam, Forces::enhanced},         {Kind::beam, Forces::line}};

Numbers ancf_random(std::size_t n, double size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> any(-size, size);
  Numbers out(n);
  for (double& x : out) x = any(generator);
  return out;
}

double ancf_order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

TEST_CASE("Derivatives of the elastic and damping forces of all elements are exact") {
  for (const Choice& c : choices) {
    CAPTURE(static_cast<int>(c.kind));
    CAPTURE(static_cast<int>(c.forces));
    AncfBeam beam = ancf_sample(c.kind, c.forces);
    beam.damping = 0.1, beam.start = End::clamped, beam.end = End::hinged;
    const model::NodalMesh mesh = ancf_mesh(beam);
    const auto n = static_cast<std::size_t>(mesh.coordinates);
    const Numbers q = ancf_random(n, 0.2, 1), v = ancf_random(n, 1, 2);
    Numbers K(mesh.pattern.row.size(), 0.0), D = K;
    mesh.forces->add_derivatives(q, v, K, D);
    const double largest = std::abs(*std::ranges::max_element(K, {}, [](double x) { return std::abs(x); }));
    const double h = 1e-5;
    double off = 0, power = 0;
    for (std::size_t j = 0; j < n; ++j) {
      for (const bool by_rate : {false, true}) {
        Numbers up(n, 0.0), down(n, 0.0), a = q, b = v;
        double& moved = by_rate ? b[j] : a[j];
        const double here = moved;
        moved = here + h, mesh.forces->add(a, b, up);
        moved = here - h, mesh.forces->add(a, b, down);
        for (std::size_t i = 0; i < n; ++i) {
          const int at = mesh.pattern.find(static_cast<int>(i), static_cast<int>(j));
          const double exact = at < 0 ? 0.0 : (by_rate ? D : K)[static_cast<std::size_t>(at)];
          off = std::max(off, std::abs((up[i] - down[i]) / (2 * h) - exact));
        }
      }
    }
    CHECK(off < 1e-8 * largest);
    // forces are the slope of the energy, and what damps takes power
    Numbers f(n, 0.0), still(n, 0.0), elastic(n, 0.0);
    mesh.forces->add(q, v, f), mesh.forces->add(q, still, elastic);
    for (std::size_t i = 0; i < n; ++i) {
      Numbers a = q, b = q;
      a[i] += h, b[i] -= h;
      CHECK(std::abs((mesh.forces->energy(a) - mesh.forces->energy(b)) / (2 * h) - elastic[i]) < 1e-7 * largest);
      power += (f[i] - elastic[i]) * v[i];
    }
    CHECK(power == doctest::Approx(mesh.forces->dissipation(q, v)).epsilon(1e-10));
    CHECK(power > 0);
  }
}

TEST_CASE("A beam that is turned and moved as a whole is not strained, and its elastic forces have no resultant") {
  const double angle = 2.1, c = std::cos(angle), s = std::sin(angle);
  const Vec3d move{0.3, -0.7, 0.2};
  for (const Choice& choice : choices) {
    CAPTURE(static_cast<int>(choice.kind));
    CAPTURE(static_cast<int>(choice.forces));
    const model::NodalMesh mesh = ancf_mesh(ancf_sample(choice.kind, choice.forces));
    const int d = flexible::dimension_of(choice.kind);
    const auto turned = [&](const Numbers& e) {  // about z, all vectors; positions are moved too
      Numbers out(e.size());
      for (std::size_t k = 0; k < e.size(); k += static_cast<std::size_t>(d)) {
        const bool is_position = mesh.names[k].starts_with("x_");
        out[k] = c * e[k] - s * e[k + 1] + (is_position ? move.x : 0),
        out[k + 1] = s * e[k] + c * e[k + 1] + (is_position ? move.y : 0);
        if (d == 3) out[k + 2] = e[k + 2] + (is_position ? move.z : 0);
      }
      return out;
    };
    const auto less_design = [&](Numbers e) {
      for (std::size_t k = 0; k < e.size(); ++k) e[k] -= mesh.design[k];
      return e;
    };
    const Numbers rigid = less_design(turned(mesh.design)), still(mesh.design.size(), 0.0);
    Numbers f = still;
    mesh.forces->add(rigid, still, f);
    for (const double x : f) CHECK(std::abs(x) < 1e-9);
    CHECK(mesh.forces->energy(rigid) < 1e-20);
    // bent, and the same turned: equal energy; sums of forces and moments vanish
    Numbers bent = ancf_random(mesh.design.size(), 0.1, 5);
    for (std::size_t k = 0; k < bent.size(); ++k) bent[k] += mesh.design[k];
    CHECK(mesh.forces->energy(less_design(turned(bent))) ==
          doctest::Approx(mesh.forces->energy(less_design(bent))).epsilon(1e-11));
    Numbers pull = still;
    mesh.forces->add(less_design(bent), still, pull);
    Vec3d sum;
    double moment = 0, size = 0;
    for (std::size_t k = 0; k < pull.size(); k += static_cast<std::size_t>(d)) {
      if (mesh.names[k].starts_with("x_")) sum += Vec3d{pull[k], pull[k + 1], d == 3 ? pull[k + 2] : 0.0};
      moment += bent[k] * pull[k + 1] - bent[k + 1] * pull[k], size += std::abs(pull[k]) + std::abs(pull[k + 1]);
    }
    CHECK(norm(sum) < 1e-12 * size);
    CHECK(std::abs(moment) < 1e-12 * size);
  }
}

// With stretch l along the beam and m across it such that Green's strains are E and -nu E, a bar of Kirchhoff's material carries P = A l E' E, uniform in all elements.
TEST_CASE("Patch test: uniform stretch is an equilibrium of every element, with the force of a bar") {
  const double strain = 0.05, l = std::sqrt(1 + 2 * strain);
  for (const Choice& c : choices) {
    if (c.kind == Kind::cable || c.kind == Kind::planar_cable) continue;
    CAPTURE(static_cast<int>(c.kind));
    CAPTURE(static_cast<int>(c.forces));
    const AncfBeam beam = ancf_sample(c.kind, c.forces);
    const model::NodalMesh mesh = ancf_mesh(beam);
    const double m = c.forces == Forces::line ? 1 : std::sqrt(1 - 2 * 0.3 * strain);
    Numbers q(mesh.design.size(), 0.0), still = q, f = q;
    for (std::size_t k = 0; k < q.size(); ++k) {
      const bool is_across = mesh.names[k].starts_with("slope_y") || mesh.names[k].starts_with("slope_z");
      q[k] = ((is_across ? m : l) - 1) * mesh.design[k];
    }
    mesh.forces->add(q, still, f);
    const double P = beam.section.area * beam.material.young * strain * l;
    for (std::size_t k = 0; k < f.size(); ++k) {
      const double expected = mesh.names[k] == "x_3" ? P : mesh.names[k] == "x_0" ? -P : 0;
      CHECK(std::abs(f[k] - expected) < 1e-11 * P);
    }
  }
}

TEST_CASE("Cable: a cantilever under a large tip force as recorded by another program with the same element") {
  // ANCFcantileverTest.py of Exudyn: 2 m, 0.1 x 0.1 m^2, 2.07e11 N/m^2, force 3 E I / L^2; printed to 16 digits
  const struct {
    int elements;
    Tip tip;
  } recorded[] = {{1, {-0.36224472989050654, -0.9941447587249747}},
                  {2, {-0.4889263085609102, -1.1752228652637502}},
                  {4, {-0.5074287154557922, -1.2055337025602493}},
                  {8, {-0.5085092365729895, -1.207197756093103}},
                  {32, {-0.508537277761696, -1.2072398264650905}}};
  for (const auto& [elements, tip] : recorded) {
    CAPTURE(elements);
    AncfBeam beam = ancf_sample(Kind::planar_cable, Forces::continuum);
    beam.elements = elements, beam.start = End::clamped, beam.material = {2.07e11, 8e10, 7800};
    const double force = 3 * beam.material.young * beam.section.iz / 4;
    const Tip found = ancf_tip(beam, -force, 2);
    CHECK(found.x == doctest::Approx(tip.x).epsilon(1e-9));
    CHECK(found.y == doctest::Approx(tip.y).epsilon(1e-9));
    beam.kind = Kind::cable;  // in space the same
    const Tip in_space = ancf_tip(beam, -force, 2);
    CHECK(in_space.y == doctest::Approx(found.y).epsilon(1e-10));
  }
}

TEST_CASE("Slender cables and beams bend as the elastica: order 4 and order 2, without locking") {
  const struct {
    Choice choice;
    double load, shortening, deflection;  // P L^2 / E I; over L
    int elements;
    double order, error;
  } cases[] = {{{Kind::planar_cable, Forces::enhanced}, 3, 0.2544201846, 0.6032534411, 32, 4, 3e-7},
               {{Kind::cable, Forces::enhanced}, 3, 0.2544201846, 0.6032534411, 32, 4, 3e-7},
               {{Kind::planar_beam, Forces::enhanced}, 3, 0.2544201846, 0.6032534411, 32, 2, 2.5e-4},
               {{Kind::planar_beam, Forces::line}, 1, 0.0564332363, 0.3017207738, 32, 2, 3e-5},
               {{Kind::beam, Forces::enhanced}, 1, 0.0564332363, 0.3017207738, 32, 2, 3e-5}};
  for (const auto& c : cases) {
    CAPTURE(static_cast<int>(c.choice.kind));
    CAPTURE(static_cast<int>(c.choice.forces));
    AncfBeam beam = ancf_sample(c.choice.kind, c.choice.forces);
    beam.start = End::clamped, beam.poisson = 0, beam.material = {1e9, 5e8, 1000}, beam.to = {1, 0, 0};
    beam.section =
        flexible::round_section(1e-3, 0, 0.0);  // the elastica does not stretch: this does by P / EA, at most 6e-7
    const double force = c.load * beam.material.young * beam.section.iz;
    Tip off[2];
    for (int k = 0; k < 2; ++k) {
      beam.elements = c.elements >> (1 - k);
      const Tip tip = ancf_tip(beam, force, 3);
      off[k] = {tip.x + c.shortening, tip.y - c.deflection};
    }
    const double coarse = std::hypot(off[0].x, off[0].y), fine = std::hypot(off[1].x, off[1].y);
    CHECK(fine < c.error);
    CHECK(std::abs(ancf_order(coarse, fine) - c.order) < 0.2);
    // with the leading error taken away: six digits
    const double share = std::pow(2, c.order) - 1;
    CHECK(std::hypot(off[1].x + (off[1].x - off[0].x) / share, off[1].y + (off[1].y - off[0].y) / share) < 2e-6);
  }
}

// Poisson's ratio: the section of the continuum form cannot become narrower on one side and wider on the other, so that it bends as a plate does, with E / (1 - nu^2) in a plane
// [Gerstmayr 2008b]. The enhanced form bends with E.
TEST_CASE("Poisson's locking of the continuum form is E / (1 - nu^2), and the enhanced form has none") {
  const double nu = 0.3, exact = 1e-4;
  double ratio[2];
  for (const Forces forces : {Forces::enhanced, Forces::continuum}) {
    AncfBeam beam = ancf_sample(Kind::planar_beam, forces);
    beam.elements = 32, beam.start = End::clamped, beam.to = {1, 0, 0},
    beam.material = {1e9, 1e9 / (2 * (1 + nu)), 1000};
    beam.section = flexible::rectangle_section(0.01, 0.01, 0, nu), beam.section.ky = 1;
    const double bending = 3 * beam.material.young * beam.section.iz,
                 shear = 1 / (beam.material.shear * beam.section.area);
    const double force = exact / (1 / bending + shear);
    ratio[forces == Forces::enhanced ? 0 : 1] = ancf_tip(beam, force, 1).y / exact;
  }
  CHECK(ratio[0] == doctest::Approx(1).epsilon(2e-3));  // order 2 of 32 elements
  CHECK(ratio[1] == doctest::Approx(1 - nu * nu).epsilon(0.01));
}

TEST_CASE(
    "Straight beams vibrate with the frequencies of Euler and Bernoulli, and free ones have as many rigid motions as "
    "bodies") {
  for (const Choice& c : choices) {
    if (c.kind == Kind::beam && c.forces == Forces::continuum) continue;  // locks
    if (c.kind == Kind::planar_beam && c.forces == Forces::continuum) continue;
    CAPTURE(static_cast<int>(c.kind));
    CAPTURE(static_cast<int>(c.forces));
    AncfBeam beam = ancf_sample(c.kind, c.forces);
    const bool is_cable = flexible::is_cable(c.kind);
    beam.elements = is_cable ? 8 : 16, beam.to = {1, 0, 0}, beam.material = {1e9, 1e9 / 2.6, 1000};
    beam.section = flexible::round_section(0.004, 0, 0.3);
    for (const End end : {End::clamped, End::free}) {
      beam.start = end;
      const model::NodalMesh mesh = ancf_mesh(beam);
      const auto n = static_cast<std::size_t>(mesh.coordinates);
      const Numbers still(n, 0.0);
      Csc K(std::make_shared<const Pattern>(mesh.pattern));
      Numbers D(K.value.size(), 0.0);
      mesh.forces->add_derivatives(still, still, K.value, D);
      const Cholesky mass{DenseMatrix(mesh.mass)};
      REQUIRE(mass.ok());
      const Vector values = symmetric_eigenvalues(mass.solve_lower(transpose(mass.solve_lower(DenseMatrix(K)))));
      const double unit =
          std::sqrt(beam.material.young * beam.section.iz / (beam.material.density * beam.section.area));
      std::vector<double> bending;
      for (const double value : values) bending.push_back(std::sqrt(std::max(0.0, value)) / unit);
      const int rigid = static_cast<int>(std::ranges::count_if(bending, [](double x) { return x < 0.1; }));
      const int d = flexible::dimension_of(c.kind);
      if (end == End::free) {
        CHECK(rigid == (d == 2 ? 3 : is_cable ? 5 : 6));
        CHECK(bending[static_cast<std::size_t>(rigid)] == doctest::Approx(22.3733).epsilon(is_cable ? 2e-4 : 1e-2));
      } else {
        CHECK(rigid == 0);
        const std::size_t next = d == 2 ? 1 : 2;  // in space each is there twice
        CHECK(bending[0] == doctest::Approx(3.51602).epsilon(is_cable ? 1e-5 : 3e-3));
        CHECK(bending[next] == doctest::Approx(22.0345).epsilon(is_cable ? 1e-4 : 1.2e-2));
      }
    }
  }
}

TEST_CASE("What cannot be a beam is refused with the reason") {
  const AncfBeam good = ancf_sample(Kind::planar_beam, Forces::enhanced);
  const auto refusal = [](const AncfBeam& beam) -> std::string {
    try {
      ancf_mesh(beam);
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  CHECK(refusal(good).empty());
  AncfBeam beam = good;
  beam.to = beam.from;
  CHECK(refusal(beam).find("it has no length") != std::string::npos);
  beam = good, beam.section = {};
  CHECK(refusal(beam).find("section without area") != std::string::npos);
  beam = good, beam.poisson = 0.5;
  CHECK(refusal(beam).find("Poisson's ratio 0.5") != std::string::npos);
  beam = good, beam.up = {1, 0, 0};
  CHECK(refusal(beam).find("normal runs along the beam") != std::string::npos);
  CHECK(refusal(beam).find("for example normal: ") != std::string::npos);
  beam = good, beam.material.density = 0;
  CHECK(refusal(beam).find("no density") != std::string::npos);
  beam = good, beam.kind = Kind::cable, beam.section.iy *= 2;
  CHECK(refusal(beam).find("bends alike in all directions") != std::string::npos);
}

// A step of a rigid rotation leaves no strain, however long it is; any step agrees with the straight one to second order.
TEST_CASE("Large steps turn lines and do not stretch them") {
  for (const Choice& choice : choices) {
    CAPTURE(static_cast<int>(choice.kind));
    const model::NodalMesh mesh = ancf_mesh(ancf_sample(choice.kind, choice.forces));
    const auto d = static_cast<std::size_t>(flexible::dimension_of(choice.kind));
    Numbers step(mesh.design.size()), q(step.size(), 0.0);
    const double angle = 1.3;
    for (std::size_t k = 0; k < step.size(); k += d)
      step[k] = -angle * mesh.design[k + 1], step[k + 1] = angle * mesh.design[k];
    flexible::bend_along(mesh, step, q);
    CHECK(mesh.forces->energy(q) < 1e-18);
    CHECK(std::abs(q[0]) < 1e-15);
    Numbers last(mesh.design.size());
    for (std::size_t k = 0; k < last.size(); ++k) last[k] = q[k] + mesh.design[k];
    const std::size_t end = static_cast<std::size_t>(std::ranges::find(mesh.names, "x_3") - mesh.names.begin());
    CHECK(last[end] == doctest::Approx(2 * std::cos(angle)));
    CHECK(last[end + 1] == doctest::Approx(2 * std::sin(angle)));
    const Numbers bent = ancf_random(step.size(), 0.1, 3);
    double off[2];
    for (const double h : {1e-3, 1e-4}) {
      Numbers small = ancf_random(step.size(), h, 4), to = bent;
      flexible::bend_along(mesh, small, to);
      double& most = off[h < 5e-4] = 0;
      for (std::size_t k = 0; k < to.size(); ++k) most = std::max(most, std::abs(to[k] - bent[k] - small[k]));
    }
    CHECK(off[1] < 0.02 * off[0]);
  }
}

// References: the pose of a node turned as a whole, and the limit of turns in the plane of x and y.
TEST_CASE("Frames of lines turn with them, back to where they came from too") {
  const double angle = 2.3, c = std::cos(angle), s = std::sin(angle);
  for (const Choice& choice : choices) {
    CAPTURE(static_cast<int>(choice.kind));
    const model::NodalMesh mesh = ancf_mesh(ancf_sample(choice.kind, choice.forces));
    const auto d = static_cast<std::size_t>(flexible::dimension_of(choice.kind));
    Numbers q(mesh.design.size(), 0.0);
    for (std::size_t k = 0; k < q.size(); k += d) {
      const double x = mesh.design[k], y = mesh.design[k + 1];
      q[k] = c * x - s * y - x, q[k + 1] = s * x + c * y - y;
    }
    const Mat3d axes = flexible::ancf_axes(ancf_sample(choice.kind, choice.forces));
    const Mat3d turn = axes * Mat3d{{c, -s, 0}, {s, c, 0}, {0, 0, 1}} * transpose(axes);
    for (const double at : {0.0, 2.0 / 3, 0.77, 2.0}) {
      CAPTURE(at);
      const auto station = mesh.station_at({at, 0, 0});
      REQUIRE(station.has_value());
      Mat3d R = Mat3d::identity();
      Vec3d r = station->at;
      for (const model::MeshStation::Part& part : station->parts) {
        std::array<model::ByCoordinate, 6> u;
        for (std::size_t row = 0; row < 6; ++row) {
          double sum = 0;
          for (std::size_t k = 0; k < static_cast<std::size_t>(part.count); ++k)
            sum += part.B[row * static_cast<std::size_t>(part.count) + k] * q[static_cast<std::size_t>(part.first) + k];
          u[row] = model::ByCoordinate::variable(sum, static_cast<int>(row));
        }
        const auto pose = part.guide->pose(std::span<const model::ByCoordinate>(u));
        const auto value = [](const Vec3<model::ByCoordinate>& v) { return Vec3d{v.x.v, v.y.v, v.z.v}; };
        r += value(pose.r), R = R * Mat3d{value(pose.R.r0), value(pose.R.r1), value(pose.R.r2)};
      }
      CHECK(norm(r - turn * station->at) < 1e-13);
      for (int i = 0; i < 3; ++i) CHECK(norm(R.column(i) - turn.column(i)) < 1e-13);
    }
    CHECK(!mesh.station_at({1, 0.01, 0}).has_value());
    CHECK(!mesh.station_at({2.01, 0, 0}).has_value());
  }
  // a cable in space that points back: no 0/0, and the same as a little before
  const model::NodalMesh mesh = ancf_mesh(ancf_sample(Kind::cable, Forces::enhanced));
  const model::MeshStation end = *mesh.station_at({2, 0, 0});
  CHECK(!end.has_roll);
  Mat3d found[2];
  for (const bool exactly : {false, true}) {
    const double turned = exactly ? 3.141592653589793 : 3.141592653589793 - 1e-3;
    std::array<model::ByCoordinate, 6> u{};
    u[3] = model::ByCoordinate::variable(exactly ? -2.0 : std::cos(turned) - 1, 3),
    u[4] = model::ByCoordinate::variable(exactly ? 0.0 : std::sin(turned), 4);
    const auto pose = end.parts[0].guide->pose(std::span<const model::ByCoordinate>(u));
    const auto value = [](const Vec3<model::ByCoordinate>& v) { return Vec3d{v.x.v, v.y.v, v.z.v}; };
    found[exactly] = {value(pose.R.r0), value(pose.R.r1), value(pose.R.r2)};
    CHECK(std::isfinite(pose.R.r1.x.d[4]));
  }
  for (int i = 0; i < 3; ++i) CHECK(norm(found[0].column(i) - found[1].column(i)) < 2e-3);
}
