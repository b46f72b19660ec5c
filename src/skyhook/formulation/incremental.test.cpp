// References: differences of the residual, and Ggl, whose solution the increments belong to.
#include "skyhook/formulation/incremental.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/corrector/differences.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formulation/ggl.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::testing::Random;
using formulation::Ggl;
using formulation::Incremental;
using Form = Incremental::Form;

namespace {

std::shared_ptr<Equations> closed_loops(unsigned seed) {
  const auto model = formalism::testing::random_model(seed, {.bodies = 5,
                                                             .loops = 2,
                                                             .rods = 1,
                                                             .forces = 1,
                                                             .couplers = 1,
                                                             .drives = 1,
                                                             .inner = static_cast<int>(seed % 3),
                                                             .friction = true});
  return std::make_shared<Equations>(model, formalism::choose_tree(*model));
}

std::vector<double> random_values(std::size_t n, unsigned seed) {
  Random random(seed);
  std::vector<double> out(n);
  for (double& x : out) x = random();
  return out;
}

}  // namespace

// Exact against central differences, which carry 1e-8; increments of rotations are half a turn.
TEST_CASE("derivatives in increments equal differences of their residuals, off the manifold") {
  for (const Form form : {Form::index3, Form::stabilised}) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      const Incremental problem(closed_loops(seed), form);
      const std::size_t n = problem.structure().y.size();
      const auto y = random_values(n, seed + 50), yp = random_values(n, seed + 90);
      auto q = random_values(static_cast<std::size_t>(problem.local_sizes().nq), seed + 7);
      auto ws = problem.workspace();
      problem.begin_step(q, 0.7, *ws);
      for (const double alpha : {0.0, 30.0}) {
        const JacobianMismatch worst = largest_mismatch(problem, {0.3, y, yp}, alpha, *ws);
        INFO("form ", int(form), " seed ", seed, " row ", problem.structure().rows[static_cast<std::size_t>(worst.row)],
             " column ", problem.structure().y[static_cast<std::size_t>(worst.column)].name, " exact ", worst.exact,
             " difference ", worst.difference);
        CHECK(worst.relative < 1e-6);
      }
    }
  }
}

// The same rows at the same place, to rounding: dynamics, velocities, positions.
TEST_CASE("the stabilised form has the rows of Ggl where its increments lead") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const auto eq = closed_loops(seed);
    const Incremental problem(eq, Form::stabilised);
    const Ggl ggl(eq);
    const auto nq = static_cast<std::size_t>(eq->nq()), nd = static_cast<std::size_t>(problem.local_sizes().nd);
    const std::size_t n = problem.structure().y.size(), rest = n - nd;
    auto y = random_values(n, seed + 50), yp = random_values(n, seed + 90), q = random_values(nq, seed + 7);
    auto ws = problem.workspace(), ws_ggl = ggl.workspace();
    problem.begin_step(q, 1.0, *ws);
    std::vector<double> F(n), step(static_cast<std::size_t>(eq->nv()), 0.0);
    REQUIRE(problem.residual({0.3, y, yp}, F, *ws) == Eval::ok);
    std::copy_n(y.begin(), nd, step.begin());
    problem.plus(q, step);
    std::vector<double> y_ggl(ggl.structure().y.size(), 0.0), yp_ggl(y_ggl), F_ggl(y_ggl);
    std::copy(q.begin(), q.end(), y_ggl.begin());
    const std::size_t common = rest - static_cast<std::size_t>(eq->nz());  // v, lambda, eta
    std::copy_n(y.begin() + static_cast<long>(nd), common, y_ggl.begin() + static_cast<long>(nq));
    std::copy_n(yp.begin() + static_cast<long>(nd), eq->nv(), yp_ggl.begin() + static_cast<long>(nq));
    REQUIRE(ggl.residual({0.3, y_ggl, yp_ggl}, F_ggl, *ws_ggl) == Eval::ok);
    for (std::size_t i = 0; i < common; ++i) CHECK(F[nd + i] == doctest::Approx(F_ggl[nq + i]).epsilon(1e-12));
  }
}
