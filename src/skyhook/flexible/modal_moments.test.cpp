#include "skyhook/flexible/modal_moments.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "skyhook/flexible/beams.testing.h"
#include "skyhook/flexible/mass_field.h"
#include "skyhook/flexible/part_options.h"

using namespace skyhook;
using namespace skyhook::flexible;

namespace {

FeModel bent_frame() {
  BeamModel model{.name = "frame"};
  model.nodes = {{"a", {0.1, 0.2, 0.3}, {}}, {"b", {0.8, -0.1, 0.5}, {}}, {"c", {0.4, 0.9, -0.2}, {}}};
  const Section s = rectangle_section(0.03, 0.05, 0, 0.3);
  model.beams = {{"ab", "a", "b", {}, *material_named("steel"), s, {0, 0, 1}, 3},
                 {"bc", "b", "c", {}, *material_named("steel"), s, {1, 0, 0}, 2}};
  model.masses = {{"m", "c", {}, 2.0, Mat3d::diagonal({0.03, 0.04, 0.05})}};
  return assemble(model);
}

PartOptions options(const std::vector<std::string>& places) {
  PartOptions o;
  for (const std::string& n : places) o.places.push_back({n, {}, {n}, {}, 0});
  o.reduction.modes = 4;
  return o;
}

}  // namespace

TEST_CASE("Moments give back the mass matrix of the modes, their coupling with the frame, and the rigid body") {
  const FeModel fe = bent_frame();
  for (const auto frame : {PartOptions::Frame::tangent, PartOptions::Frame::mean}) {
    PartOptions o = options({"a", "c"});
    o.frame = frame;
    if (frame == PartOptions::Frame::tangent) o.frame_places = {"a"};
    const ReducedPart part = reduce_part(fe, o);
    CHECK(moment_error(fe, part.reduced, part.body) < 1e-11);
  }
}

TEST_CASE("Moments of a bar: mass, centre and inertia are those of its solid") {
  const StraightBeam b{.length = 1.2, .width = 0.04, .height = 0.03, .elements = 5};
  const FeModel fe = straight_beam(b);
  const RigidData r = rigid_data(reduce_part(fe, options({"a"})).body);
  const double m = 7850 * 1.2 * 0.04 * 0.03;
  CHECK(r.mass == doctest::Approx(m).epsilon(1e-12));
  CHECK(r.com.x == doctest::Approx(0.6).epsilon(1e-12));
  CHECK(r.inertia[0][0] == doctest::Approx(m / 12 * (0.04 * 0.04 + 0.03 * 0.03)).epsilon(1e-10));
  CHECK(r.inertia[1][1] == doctest::Approx(m / 12 * (1.44 + 0.03 * 0.03)).epsilon(1e-10));
  CHECK(r.inertia[2][2] == doctest::Approx(m / 12 * (1.44 + 0.04 * 0.04)).epsilon(1e-10));
}

TEST_CASE("Moments from the mass matrix alone: what is exact then, and what is estimated") {
  FeModel fe = bent_frame();
  const ReducedPart exact = reduce_part(fe, options({"a", "c"}));
  fe.field = field_of_matrix(fe);
  CHECK_FALSE(fe.field.is_exact);
  const ReducedPart part = reduce_part(fe, options({"a", "c"}));
  CHECK(moment_error(fe, part.reduced, part.body) < 1e-11);
  // Of second order in the modes: by lumped masses of six elements, so only roughly.
  const Mat3d &a = exact.body.moment(1, 1), &b = part.body.moment(1, 1);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) CHECK(b[i][j] == doctest::Approx(a[i][j]).epsilon(0.1).scale(trace(a)));
  }
}

TEST_CASE("Stress that stiffens: a cantilever that turns about its root, flapwise") {
  // mu = omega L^2 sqrt(rho A / E I) over gamma = Omega L^2 sqrt(rho A / E I): Wright, Smith, Thresher, Wang, J. Appl. Mech. 49 (1982) 197-202.
  const double table[][4] = {{0, 3.5160, 22.0345, 61.6972},
                             {2, 4.1373, 22.6149, 62.2732},
                             {6, 7.3604, 26.8091, 66.6839},
                             {12, 13.1702, 37.6031, 79.6145}};
  const StraightBeam b{.width = 0.02, .height = 0.0005, .is_slender = true, .elements = 16};
  const FeModel fe = straight_beam(b);
  PartOptions o = options({"a"});
  o.frame = PartOptions::Frame::tangent, o.frame_places = {"a"};
  o.reduction.modes = 40, o.reduction.with_static = false;
  const model::ModalBody body = reduce_part(fe, o).body;
  const Section s = section_of(b);
  const double unit = std::sqrt(2.1e11 * s.iy / (7850 * s.area));  // of omega, L = 1
  for (const auto& row : table) {
    Dense K(body.modes, body.modes), M(body.modes, body.modes);
    for (int k = 0; k < body.modes; ++k) {
      for (int l = 0; l < body.modes; ++l) {
        const std::size_t kl = static_cast<std::size_t>(k * body.modes + l);
        const Mat3d& m = body.moment(k + 1, l + 1);
        M(k, l) = trace(m);
        // About z: the centrifugal force pulls outwards in the plane of rotation; the Coriolis force does not act on flapping.
        K(k, l) =
            body.stiffness[kl] + std::pow(row[0] * unit, 2) * (body.geometric.centrifugal[2][kl] - m[0][0] - m[1][1]);
      }
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Dense> eigen(K, M);
    std::vector<double> flap;  // those that move along z
    for (int k = 0; k < body.modes; ++k) {
      double up = 0, all = 0;
      for (int i = 0; i < body.modes; ++i) {
        for (int j = 0; j < body.modes; ++j) {
          const double w = eigen.eigenvectors()(i, k) * eigen.eigenvectors()(j, k);
          up += w * body.moment(i + 1, j + 1)[2][2], all += w * trace(body.moment(i + 1, j + 1));
        }
      }
      if (up > 0.9 * all) flap.push_back(std::sqrt(eigen.eigenvalues()[k]) / unit);
    }
    for (std::size_t i = 0; i < 3; ++i) CHECK(flap[i] == doctest::Approx(row[i + 1]).epsilon(1e-4));
  }
}

TEST_CASE("Damping: ratio, table and Rayleigh") {
  const DampingOptions table{{10, 20}, {0.01, 0.03}};
  CHECK(damping_ratio(table, 5) == 0.01);
  CHECK(damping_ratio(table, 15) == doctest::Approx(0.02));
  CHECK(damping_ratio(table, 50) == 0.03);
  PartOptions o = options({"a"});
  o.damping = {{0}, {0.02}, 3.0, 1e-5};
  const ReducedPart part = reduce_part(straight_beam({}), o);
  for (int k = 0; k < part.body.modes; ++k) {
    const std::size_t kk = static_cast<std::size_t>(k * (part.body.modes + 1));
    const double m = part.reduced.mass[k], w = std::sqrt(part.reduced.squares[k]);
    CHECK(part.body.damping[kk] == doctest::Approx(m * (0.04 * w + 3.0 + 1e-5 * w * w)));
    CHECK(part.body.stiffness[kk] == doctest::Approx(m * w * w));
  }
}
