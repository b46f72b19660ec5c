// Which row is named where loops stay open. Reference: rows filled by hand.
#include "skyhook/formalism/assembly.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/topology.h"

using namespace skyhook;
using namespace skyhook::formalism;
using recursive::Equations;

TEST_CASE("Of rows that stay open the widest is named, and before all others one that is no number") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  const auto model = formalism::testing::random_model(3, {.bodies = 8, .loops = 6});
  const Equations eq(model, choose_joint_tree(*model));
  REQUIRE(eq.ng() > 12);
  Vector g(static_cast<std::size_t>(eq.ng()), 1e-3);
  const auto names = [&](std::size_t row) {
    const int number = eq.active()[row];
    CHECK(widest_row(eq, g) == number);
    CHECK(widest_gap(eq, g).starts_with(eq.rows()[static_cast<std::size_t>(number)].name()));
  };
  g[7] = -5;
  names(7);
  CHECK(widest_gap(eq, g).find("stays open by") != std::string::npos);
  for (const std::size_t odd : {std::size_t{0}, std::size_t{5}, g.size() - 1}) {  // before and behind the widest
    CAPTURE(odd);
    const Vector numbers = g;
    g[odd] = nan;
    g[3] = infinite;  // farther than all numbers, but one
    names(odd);
    CHECK(widest_gap(eq, g).ends_with("cannot be evaluated"));
    g = numbers;
  }
  g[3] = -infinite;
  names(3);
  CHECK(widest_gap(eq, g).ends_with("cannot be evaluated"));
}
