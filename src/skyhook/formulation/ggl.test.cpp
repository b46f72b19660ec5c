#include "skyhook/formulation/ggl.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/random_model.testing.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::testing::Random;
using formalism::testing::Recipe;

namespace {

struct Case {
  std::shared_ptr<model::Model> model;
  std::shared_ptr<Equations> equations;
  formulation::Ggl problem;
  Case(unsigned seed, const Recipe& recipe)
      : model(formalism::testing::random_model(seed, recipe)),
        equations(formalism::testing::with_every_row(model)),
        problem(equations) {}
};

// A point off the manifold: random q, v, a, multipliers; quaternions of random norm near one.
void randomize(const formulation::Ggl& problem, Random& random, std::vector<double>& y, std::vector<double>& yp) {
  for (double& x : y) x = random();
  for (double& x : yp) x = random();
  (void)problem;
}

// Largest difference between exact and central-difference entries, each relative to 1 + |entry|.
double jacobian_error(const formulation::Ggl& problem, Random& random, std::string& where) {
  const int n = problem.structure().size();
  std::vector<double> y(n), yp(n), plus(n), minus(n);
  randomize(problem, random, y, yp);
  auto ws = problem.workspace();
  Csc dy(problem.structure().pattern), dyp(problem.structure().pattern);
  const double t = 0.37, h = 1e-6;
  REQUIRE(problem.derivatives({t, y, yp}, dy, dyp, *ws) == Eval::ok);
  for (double& x : dy.value) x = random();  // an integrator may overwrite dF/dy with its iteration matrix
  REQUIRE(problem.derivatives({t, y, yp}, dy, dyp, *ws) == Eval::ok);
  double worst = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int j = 0; j < n; ++j) {
      std::vector<double>& x = pass == 0 ? y : yp;
      const double keep = x[j];
      x[j] = keep + h;
      REQUIRE(problem.residual({t, y, yp}, plus, *ws) == Eval::ok);
      x[j] = keep - h;
      REQUIRE(problem.residual({t, y, yp}, minus, *ws) == Eval::ok);
      x[j] = keep;
      for (int i = 0; i < n; ++i) {
        const double difference = (plus[i] - minus[i]) / (2 * h), exact = (pass == 0 ? dy : dyp).at(i, j);
        const double error = std::abs(difference - exact) / (1 + std::abs(exact));
        if (error > worst) {
          worst = error;
          where = problem.structure().rows[i] + " / " + problem.structure().y[j].name + (pass ? "'" : "") + ": exact " +
                  std::to_string(exact) + ", difference " + std::to_string(difference);
        }
      }
    }
  }
  return worst;
}

}  // namespace

// Central differences with h = 1e-6 of functions of size up to 1e2 carry an error of about 1e-12 (truncation) plus
// 1e2 * 1e-16 / 1e-6 = 1e-8 (rounding): 1e-6 fails on any wrong term and never on rounding.
TEST_CASE("the exact Jacobian equals differences: trees of every joint type") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Case c(seed, {.bodies = 1 + static_cast<int>(seed % 10)});
    Random random(seed + 100);
    std::string where;
    const double error = jacobian_error(c.problem, random, where);
    CHECK_MESSAGE(error < 1e-6, "seed ", seed, ": ", where);
  }
}

TEST_CASE("the exact Jacobian equals differences: forces between frames") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Case c(seed, {.bodies = 7, .forces = 4});
    Random random(seed + 200);
    std::string where;
    const double error = jacobian_error(c.problem, random, where);
    CHECK_MESSAGE(error < 1e-6, "seed ", seed, ": ", where);
  }
}

TEST_CASE("the exact Jacobian equals differences: inner states on lines, coordinates and cut joints") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Case c(seed,
           {.bodies = 6, .loops = 3, .rods = 1, .couplers = 1, .drives = 1, .inner = 1 + static_cast<int>(seed % 4)});
    Random random(seed + 400);
    std::string where;
    const double error = jacobian_error(c.problem, random, where);
    CHECK_MESSAGE(error < 1e-6, "seed ", seed, ": ", where);
  }
}

TEST_CASE(
    "the exact Jacobian equals differences: loops, rods, couplers, drives, with lambda and eta, off the manifold") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Case c(seed, {.bodies = 7, .loops = 4, .rods = 2, .forces = 1, .couplers = 1, .drives = 1});
    Random random(seed + 300);
    std::string where;
    const double error = jacobian_error(c.problem, random, where);
    CHECK_MESSAGE(error < 1e-6, "seed ", seed, ": ", where);
  }
}

TEST_CASE("the exact Jacobian equals differences: contacts with planes, profiles and spheres, coordinates that stick") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Case c(seed, {.bodies = 6, .drives = 1, .contacts = 6, .stick_slips = 2});
    Random random(seed + 400);
    std::string where;
    const double error = jacobian_error(c.problem, random, where);
    CHECK_MESSAGE(error < 1e-6, "seed ", seed, ": ", where);
  }
}

// smooth_load and stick_speed of the random models are of the size of loads and speeds: second derivatives stay of size 1e2.
TEST_CASE("the exact Jacobian equals differences: friction that depends on the load of cut joints, with d f/d lambda") {
  int entries = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Case c(seed, {.bodies = 7, .loops = 5, .rods = 1, .forces = 1, .friction = true});
    entries += static_cast<int>(c.problem.equations().loads().size());
    Random random(seed + 400);
    std::string where;
    const double error = jacobian_error(c.problem, random, where);
    CHECK_MESSAGE(error < 1e-6, "seed ", seed, ": ", where);
  }
  CHECK(entries > 20);
}

// Drives, couplers, what sticks, forces and inner states on coordinates of cut joints of every type, alone and together with
// those of the tree.
TEST_CASE("the exact Jacobian equals differences: joints of the tree cut, every second and all") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Case c(seed, {.bodies = 2 + static_cast<int>(seed % 8),
                  .loops = 1,
                  .forces = 1,
                  .couplers = 3,
                  .drives = 3,
                  .stick_slips = 2,
                  .inner = 3,
                  .cut_every = 1 + static_cast<int>(seed % 2)});
    Random random(seed + 100);
    std::string where;
    const double error = jacobian_error(c.problem, random, where);
    CHECK_MESSAGE(error < 1e-6, "seed ", seed, ": ", where);
  }
}
