// Reference: M itself, on random trees of every joint type.
#include "skyhook/formalism/mass_factor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"

using namespace skyhook;
using formalism::MassFactor;
using formalism::recursive::Equations;
using formalism::testing::Random;

// Condition numbers are some hundreds, so 1e-11 is far above rounding and far below any wrong term.
TEST_CASE("M^-1 b from the factor solves M x = b, part by part of the tree") {
  int most_parts = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const auto model = formalism::testing::random_model(seed, {.bodies = 9});
    const Equations eq(model, formalism::choose_tree(*model));
    Random random(seed);
    std::vector<double> q(eq.nq()), b(eq.nv());
    for (double& x : q) x = random();
    for (double& x : b) x = random();
    Csc mass(std::make_shared<const Pattern>(eq.mass_pattern()));
    std::vector<double> no_rows(eq.constraint_pattern().nonzeros());
    auto ws = eq.workspace();
    eq.matrices(0, q, {mass.value, no_rows}, ws);

    const MassFactor factor(eq.mass_pattern());
    most_parts = std::max(most_parts, static_cast<int>(factor.parts().size()));
    std::vector<double> factored = mass.value, x = b;
    REQUIRE(factor.factor(factored));
    for (const auto& part : factor.parts()) factor.solve(factored, part, x.data() + part.first);
    multiply_add(mass, x, -1, b);
    for (const double rest : b) CHECK(std::abs(rest) < 1e-11);
  }
  CHECK(most_parts > 1);
}

TEST_CASE("A coordinate without inertia has no factor") {
  PatternBuilder builder(2, 2);
  for (const int i : {0, 1}) builder.add(i, 0), builder.add(i, 1);
  const Pattern full = builder.build();
  std::vector<double> massless{1, 1, 1, 1}, fine{2, 1, 1, 1};  // the first moves what the second does, and nothing else
  CHECK_FALSE(MassFactor(full).factor(massless));
  CHECK(MassFactor(full).factor(fine));
}
