// References: the mass and constraint blocks of derivatives(), found by another recursion over the whole Jacobian, and the
// functions that evaluate one level at a time. Random models hold every joint type, cut joints, rods, couplers and drives.
#include "skyhook/formalism/recursive/mass_matrix.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/block_store.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"

using namespace skyhook;
using formalism::BlockStore;
using formalism::Input;
using formalism::recursive::Equations;
using formalism::testing::Random;
using formalism::testing::Recipe;

namespace {

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double e : x) most = std::max(most, std::abs(e));
  return most;
}

// Every other row is dropped where `half`, as redundant ones are.
struct Case {
  std::shared_ptr<model::Model> model;
  std::unique_ptr<Equations> eq;
  std::vector<double> q, v, a, zero_g;
  Case(unsigned seed, const Recipe& recipe, bool half) : model(formalism::testing::random_model(seed, recipe)) {
    const auto topology = formalism::choose_tree(*model);
    eq = std::make_unique<Equations>(model, topology);
    if (half) {
      std::vector<int> rows;
      for (int k = 0; k < eq->ng(); k += 2) rows.push_back(k);
      eq = std::make_unique<Equations>(model, topology, rows);
    }
    Random random(seed + 1000);
    for (auto [x, size] : {std::pair{&q, eq->nq()}, {&v, eq->nv()}, {&a, eq->nv()}}) {
      for (int i = 0; i < size; ++i) x->push_back(random());
    }
    zero_g.assign(eq->ng(), 0.0);
  }
  Input in() const { return {0.2, q, v, a, zero_g, zero_g}; }
};

const std::vector<Recipe> recipes = {
    {.bodies = 9, .forces = 2},
    {.bodies = 8, .loops = 3, .rods = 2, .forces = 3, .couplers = 1, .drives = 2},
};

struct Filled {
  Csc mass, jacobian;
  explicit Filled(const Equations& eq)
      : mass(std::make_shared<const Pattern>(eq.mass_pattern())),
        jacobian(std::make_shared<const Pattern>(eq.constraint_pattern())) {
    for (auto* x : {&mass.value, &jacobian.value}) std::fill(x->begin(), x->end(), NAN);  // all must be written
  }
};

}  // namespace

// Both recursions sum the same inertias in another order: rounding of a few terms, and nothing outside the pattern.
TEST_CASE("M and G by themselves are the blocks of the derivatives") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    for (const Recipe& recipe : recipes) {
      CAPTURE(seed);
      CAPTURE(recipe.loops);
      const Case c(seed, recipe, seed % 2 == 1);
      auto ws = c.eq->workspace();
      BlockStore store(*c.eq);
      Filled filled(*c.eq);
      REQUIRE(c.eq->derivatives(c.in(), store.blocks(), ws) == Eval::ok);
      c.eq->matrices(0.2, c.q, {filled.mass.value, filled.jacobian.value}, ws);
      const Csc &mass = store.mass(), &tangent = mass;
      double difference = 0;
      for (int j = 0; j < c.eq->nv(); ++j) {
        for (int k = tangent.pattern->start[j]; k < tangent.pattern->start[j + 1]; ++k) {
          const int i = tangent.pattern->row[k];
          difference = std::max(difference, std::abs(mass.value[k] - filled.mass.at(i, j)));
        }
      }
      CHECK(difference < 1e-14 * largest(mass.value));
      REQUIRE(filled.jacobian.value.size() == store.jacobian().value.size());
      for (std::size_t k = 0; k < filled.jacobian.value.size(); ++k) {
        CHECK(std::abs(filled.jacobian.value[k] - store.jacobian().value[k]) <
              1e-14 * (1 + largest(store.jacobian().value)));
      }
      for (int j = 0; j < c.eq->nv(); ++j) {
        for (int i = 0; i < j; ++i) CHECK(filled.mass.at(i, j) == filled.mass.at(j, i));
      }
    }
  }
}

// Every entry of the wider pattern is written, those of forces and constraints with zero.
TEST_CASE("M in the columns of the derivatives is M on its own pattern") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const Recipe& recipe : recipes) {
      CAPTURE(seed);
      CAPTURE(recipe.loops);
      const Case c(seed, recipe, seed % 2 == 1);
      auto ws = c.eq->workspace();
      Filled filled(*c.eq);
      c.eq->matrices(0.2, c.q, {filled.mass.value, filled.jacobian.value}, ws);
      Csc wider(std::make_shared<const Pattern>(c.eq->tangent_pattern()));
      std::fill(wider.value.begin(), wider.value.end(), NAN);
      const Pattern& pattern = *wider.pattern;
      std::vector<double*> columns;
      for (int j = 0; j < c.eq->nv(); ++j) columns.push_back(wider.value.data() + pattern.start[j]);
      c.eq->mass_columns({.t = 0.2, .q = c.q}, columns.data(), ws);
      for (int j = 0; j < c.eq->nv(); ++j) {
        for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
          CHECK(wider.value[k] == filled.mass.at(pattern.row[k], j));
      }
    }
  }
}

TEST_CASE("all levels in one pass are those evaluated one at a time") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    for (const Recipe& recipe : recipes) {
      CAPTURE(seed);
      CAPTURE(recipe.loops);
      const Case c(seed, recipe, seed % 2 == 1);
      auto ws = c.eq->workspace();
      std::vector<double> tau(c.eq->nv()), qdot(c.eq->nq()), g(c.eq->ng()), rate(g), acceleration(g);
      std::vector<double> tau_alone(tau), tau_together(tau), g_together(g), rate_together(g), acceleration_together(g);
      Filled alone(*c.eq), together(*c.eq);
      REQUIRE(c.eq->residual(c.in(), {tau, qdot, g, rate}, ws) == Eval::ok);
      REQUIRE(c.eq->constraint_accelerations(c.in(), acceleration, ws) == Eval::ok);
      REQUIRE(c.eq->dynamics(c.in(), tau_alone, ws) == Eval::ok);
      c.eq->matrices(0.2, c.q, {alone.mass.value, alone.jacobian.value}, ws);
      const formalism::Matrices matrices{together.mass.value, together.jacobian.value};
      REQUIRE(c.eq->levels(c.in(), {tau_together, g_together, rate_together, acceleration_together}, ws, &matrices) ==
              Eval::ok);
      const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
        for (std::size_t i = 0; i < x.size(); ++i) {
          if (!(std::abs(x[i] - y[i]) <= 1e-13 * (1 + largest(x)))) return false;
        }
        return x.size() == y.size();
      };
      CHECK(same(tau, tau_together));
      CHECK(same(tau, tau_alone));
      CHECK(same(g, g_together));
      CHECK(same(rate, rate_together));
      CHECK(same(acceleration, acceleration_together));
      CHECK(same(alone.mass.value, together.mass.value));
      CHECK(same(alone.jacobian.value, together.jacobian.value));
    }
  }
}
