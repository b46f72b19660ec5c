// References: the constraints themselves; the state from which the disturbed one was made.
#include "skyhook/simulation/onto_constraints.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/math/dense.h"
#include "skyhook/simulation/prepare.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::four_bar;
using formalism::testing::Random;

// Whatever the size of the disturbance, from rounding to what a loose tolerance leaves: what is skipped must not be seen.
TEST_CASE("A state beside the constraints is put onto them to rounding, positions and velocities") {
  const auto p = prepare(four_bar().model, {});
  const int iv = p.all->coordinate(0, 0).iv;
  for (const double by : {1e-13, 1e-10, 1e-8, 1e-6, 1e-4}) {
    formalism::State x = p.state;
    x.v[iv] = 30;
    REQUIRE(formalism::fit_velocities(*p.all, x, {iv}).ok);
    OntoConstraints onto(*p.active);
    Random random(3);
    std::vector<double> q = x.q, v = x.v, g(p.active->ng()), rate(p.active->ng());
    for (double& e : q) e += by * random();
    for (double& e : v) e += 10 * by * random();
    REQUIRE(onto.move(0, q, v));
    auto ws = p.active->workspace();
    p.active->constraints(0, q, v, g, rate, ws);
    CAPTURE(by);
    CHECK(largest(g) < 1e-14 * 10);
    CHECK(largest(rate) < 1e-12 * (1 + largest(v)));
    for (std::size_t i = 0; i < q.size(); ++i) CHECK(std::abs(q[i] - x.q[i]) < 10 * by + 1e-13);
    for (std::size_t i = 0; i < v.size(); ++i) CHECK(std::abs(v[i] - x.v[i]) < 1000 * by + 1e-11);
  }
}
