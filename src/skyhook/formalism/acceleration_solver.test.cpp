// Reference: a solver that factors at each place anew.
#include "skyhook/formalism/acceleration_solver.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/dense.h"

using namespace skyhook;
using formalism::AccelerationSolver;
using formalism::recursive::Equations;
using formalism::testing::Random;

namespace {

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst / (1e-300 + largest(b));
}

}  // namespace

TEST_CASE("factors of a place nearby give the accelerations of this one, to rounding, and those far away are not used") {
  int compared = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto model = formalism::testing::random_model(
        seed, {.bodies = 8, .loops = 2, .forces = 1, .friction = seed % 2 == 1});
    const Equations eq(model, formalism::choose_tree(*model));
    auto ws = eq.workspace();
    AccelerationSolver keeps(eq), fresh(eq);
    keeps.use_nearby_factors();
    Random random(seed + 7);
    std::vector<double> q(eq.nq()), v(eq.nv()), a(eq.nv()), lambda(eq.ng()), a_fresh = a, lambda_fresh = lambda;
    for (auto* x : {&q, &v}) {
      for (double& e : *x) e = random();
    }
    for (const auto& slot : eq.tree().quaternions) {
      const double size =
          std::hypot(std::hypot(q[slot.iq], q[slot.iq + 1]), std::hypot(q[slot.iq + 2], q[slot.iq + 3]));
      for (int c = 0; c < 4; ++c) q[slot.iq + c] /= size;
    }
    if (keeps.solve(0.2, q, v, a, lambda, ws) != Eval::ok) continue;  // friction jams, or the position is singular
    for (const double by : {1e-7, 1e-5, 1e-2}) {
      for (double& x : q) x += by * random();
      const long before = keeps.factorisations();
      REQUIRE(keeps.solve(0.2 + by, q, v, a, lambda, ws) == fresh.solve(0.2 + by, q, v, a_fresh, lambda_fresh, ws));
      if (by < 1e-3) CHECK(keeps.factorisations() <= before + 1);
      compared += by == 1e-7 && keeps.factorisations() == before;
      CHECK(difference(a, a_fresh) < 1e-10);  // condition numbers of random loops reach 1e5
      CHECK(difference(lambda, lambda_fresh) < 1e-10);
      // M and G are those of the place where they are asked for.
      keeps.factor(0.2 + by, q, ws), fresh.factor(0.2 + by, q, ws);
      CHECK(difference(keeps.mass().value, fresh.mass().value) < 1e-14);
    }
  }
  CHECK(compared > 10);
}
