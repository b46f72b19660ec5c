// The excitations u of [Arnold 2006] (8) given by the caller. References: the same equations at a time, and derivatives
// by hand.
#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formulation/descriptor.h"
#include "skyhook/formulation/ggl_explicit.h"

using namespace skyhook;
using doctest::Approx;
using formalism::recursive::Equations;
using formalism::testing::Linkage;
using formalism::testing::Random;
using formulation::Descriptor;
using formulation::Level;

namespace {

std::vector<std::unique_ptr<DaeProblem>> forms(const std::shared_ptr<const Equations>& equations) {
  std::vector<std::unique_ptr<DaeProblem>> out;
  out.push_back(std::make_unique<formulation::Ggl>(equations));
  out.push_back(std::make_unique<formulation::GglExplicit>(equations));
  for (const Level level : {Level::index3, Level::index2, Level::index1, Level::baumgarte})
    out.push_back(std::make_unique<Descriptor>(equations, formulation::DescriptorOptions{.level = level}));
  return out;
}

std::shared_ptr<const Equations> equations_of(const std::shared_ptr<model::Model>& model) {
  return std::make_shared<Equations>(model, formalism::choose_tree(*model));
}

std::vector<double> inputs_at(const DaeProblem& problem, double t) {
  std::vector<double> u(static_cast<std::size_t>(problem.structure().inputs));
  problem.inputs(t, u);
  return u;
}

std::vector<double> residual_at(const DaeProblem& problem, const Point& x) {
  std::vector<double> F(x.y.size());
  auto ws = problem.workspace();
  REQUIRE(problem.residual(x, F, *ws) == Eval::ok);
  return F;
}

// dF/du_k; F is a polynomial of degree two in u, so that central differences are exact but for rounding.
std::vector<double> slope(const DaeProblem& problem, const Point& x, std::size_t k) {
  std::vector<double> up(x.u.begin(), x.u.end()), down = up;
  const double h = 1e-3;
  up[k] += h, down[k] -= h;
  auto F = residual_at(problem, {x.t, x.y, x.yp, up});
  const auto G = residual_at(problem, {x.t, x.y, x.yp, down});
  for (std::size_t i = 0; i < F.size(); ++i) F[i] = (F[i] - G[i]) / (2 * h);
  return F;
}

}  // namespace

// No force here depends on time by itself, so u is all that time does.
TEST_CASE("u in place of u(t): the equations of that time, bit for bit") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const auto equations = equations_of(formalism::testing::random_model(seed, {.bodies = 6, .rods = 3, .drives = 2}));
    for (const auto& problem : forms(equations)) {
      CAPTURE(seed);
      const Structure& s = problem->structure();
      REQUIRE(s.inputs >= 6);
      Random random(seed);
      std::vector<double> y(s.y.size()), yp(s.y.size());
      for (double& x : y) x = random();
      for (double& x : yp) x = random();
      const double t = 0.7;
      const auto u = inputs_at(*problem, t);
      const auto F = residual_at(*problem, {t, y, yp});
      CHECK(residual_at(*problem, {t, y, yp, u}) == F);
      CHECK(residual_at(*problem, {0.1, y, yp, u}) == F);
      CHECK(residual_at(*problem, {0.1, y, yp}) != F);

      auto ws = problem->workspace();
      Csc dy(s.pattern), dyp(dy), dy_u(dy), dyp_u(dy);
      REQUIRE(problem->derivatives({t, y, yp}, dy, dyp, *ws) == Eval::ok);
      REQUIRE(problem->derivatives({0.1, y, yp, u}, dy_u, dyp_u, *problem->workspace()) == Eval::ok);
      CHECK(dy.value == dy_u.value);
      CHECK(dyp.value == dyp_u.value);
      if (problem->mass({0.1, y, yp, u}, dyp_u, *ws)) {
        REQUIRE(problem->mass({t, y, yp}, dyp, *ws));
        CHECK(dyp.value == dyp_u.value);
      }
    }
  }
}

// A block on a slide, held by a rod of length L(t): g = (r^2 - L^2) / (2 L0), so gI = -L L' / L0 and
// gII = ... - (L'^2 + L L'') / L0.
TEST_CASE("derivatives for the length of a rod are those found by hand") {
  Linkage l;
  const int block = l.rod("block", {1, 0, 0}, {1.2, 0, 0});
  l.slide("guide", model::ground, block, {1, 0, 0}, {1, 0, 0});
  model::Contribution rod;
  rod.name = "rod", rod.from = {"", {}, model::ground, {0, 1, 0}, Mat3d::identity()};
  rod.row = {.kind = model::Row::Kind::distance, .length = 1.5};
  rod.to = {"", {}, block, {1, 0, 0}, Mat3d::identity()};
  rod.row->drive.emplace(expression::Expression::compile("1.5 + 0.2*sin(3*t)", {{{"t", {}}}, {}}, {}));
  l.model->contributions.push_back(rod);
  const auto equations = equations_of(l.model);
  const double t = 0.4, L0 = 1.5;
  const double u[] = {L0 + 0.2 * std::sin(3 * t), 0.6 * std::cos(3 * t), -1.8 * std::sin(3 * t)};

  const formulation::Ggl ggl(equations);
  const auto given = inputs_at(ggl, t);
  REQUIRE(given.size() == 3);
  for (int k = 0; k < 3; ++k) CHECK(given[k] == Approx(u[k]).epsilon(1e-14));
  const std::vector<double> y{0.1, 0.2, 0.3, 0.4}, yp{0.5, 0.6, 0.7, 0.8};
  const double by_hand[3][2] = {{-u[1] / L0, -u[0] / L0}, {-u[0] / L0, 0}, {0, 0}};  // of G v + gI, of g
  for (std::size_t k = 0; k < 3; ++k) {
    const auto F = slope(ggl, {t, y, yp, given}, k);
    CHECK(F[0] == 0);
    CHECK(F[1] == 0);
    CHECK(F[ggl.lambda()] == Approx(by_hand[k][0]).epsilon(1e-10));
    CHECK(F[ggl.eta()] == Approx(by_hand[k][1]).epsilon(1e-10));
  }

  const Descriptor index1(equations, {.level = Level::index1});
  const double of_accelerations[] = {-u[2] / L0, -2 * u[1] / L0, -u[0] / L0};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto F = slope(index1, {t, CSpan(y).first(3), CSpan(yp).first(3), given}, k);
    CHECK(F[index1.lambda()] == Approx(of_accelerations[k]).epsilon(1e-10));
  }
}

// A rod on a hinge that slides by u(t): with its moment of inertia J about the hinge, centre at s from it and gravity
// g, the residual of the dynamics is J phi'' + m s (u'' cos phi + g sin phi), phi from the vertical; u and u' do nothing.
TEST_CASE("derivatives for a driven suspension are those found by hand, and so are their changes with the angle") {
  Linkage l;
  const int slider = l.rod("slider", {0, 0, 0}, {0.2, 0, 0}), rod = l.rod("rod", {0, 0, 0}, {0, -2, 0});
  Linkage::drive(l.slide("guide", model::ground, slider, {0, 0, 0}, {1, 0, 0}), "0.3*sin(4*t)");
  l.hinge("hinge", slider, rod, {0, 0, 0});
  const auto equations = equations_of(l.model);
  const formulation::Ggl ggl(equations);
  const formulation::GglExplicit solved(equations);
  REQUIRE(ggl.structure().size() == 2);
  const double m = 2, s = 1, J = 8.0 / 3, gravity = 9.81, t = 0.2, phi = 0.7, phi_acceleration = -1.3;
  const std::vector<double> y{phi, 0.4}, yp{0.4, phi_acceleration};
  const auto u = inputs_at(ggl, t);
  REQUIRE(u.size() == 3);
  CHECK(u[2] == Approx(-4.8 * std::sin(4 * t)).epsilon(1e-14));

  const double by_hand = J * phi_acceleration + m * s * (u[2] * std::cos(phi) + gravity * std::sin(phi));
  CHECK(residual_at(ggl, {t, y, yp, u})[1] == Approx(by_hand).epsilon(1e-13));
  CHECK(residual_at(solved, {t, y, yp, u})[1] == Approx(by_hand / J).epsilon(1e-13));
  for (const std::size_t k : {0, 1}) CHECK(std::abs(slope(ggl, {t, y, yp, u}, k)[1]) < 1e-10);
  CHECK(slope(ggl, {t, y, yp, u}, 2)[1] == Approx(m * s * std::cos(phi)).epsilon(1e-10));
  CHECK(slope(solved, {t, y, yp, u}, 2)[1] == Approx(m * s * std::cos(phi) / J).epsilon(1e-10));

  // What [Arnold 2006] (26) adds to the Jacobian: d/du'' dF/dphi = -m s sin phi.
  const auto stiffness = [&](const DaeProblem& problem, double acceleration) {
    auto ws = problem.workspace();
    Csc dy(problem.structure().pattern), dyp(dy);
    REQUIRE(problem.derivatives({t, y, yp, std::vector{u[0], u[1], acceleration}}, dy, dyp, *ws) == Eval::ok);
    return dy.at(1, 0);
  };
  CHECK(stiffness(ggl, 1) - stiffness(ggl, 0) == Approx(-m * s * std::sin(phi)).epsilon(1e-12));
  CHECK(stiffness(solved, 1) - stiffness(solved, 0) == Approx(-m * s * std::sin(phi) / J).epsilon(1e-12));
}
