#include "skyhook/formalism/body_motion.h"

#include <doctest/doctest.h>

#include "skyhook/formalism/assembly.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"

using namespace skyhook;
using namespace skyhook::formalism;
using recursive::Equations;

namespace {

// A tree of joints of all types, some reversed, at random positions and rates.
struct Given {
  std::shared_ptr<model::Model> model;
  explicit Given(unsigned seed) : model(formalism::testing::random_model(seed, {.bodies = 9, .reversed = true})) {
    formalism::testing::Random random(seed + 100);
    for (auto& joint : model->joints) {
      for (auto& x : joint.position) x = random(-1, 1);
      for (auto& x : joint.velocity) x = random(-1, 1);
    }
  }
};

}  // namespace

// Two routes: the recursion of the tree, and joint by joint between the bodies.
TEST_CASE("Bodies that joints in no loop carry stand and move as the tree says") {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Given given(seed);
    const Equations eq(given.model, choose_tree(*given.model));
    const State s = initial_guess(eq, 0);
    const auto nodes = nodes_of(eq, s);
    const Poses poses = poses_at(eq, nodes), carried = carried_poses(*given.model, 0);
    const Velocities velocities = velocities_at(eq, nodes), moving = carried_velocities(eq, s);
    for (std::size_t b = 0; b < poses.size(); ++b) {
      for (int i = 0; i < 3; ++i) CHECK(norm(poses[b].R[i] - carried[b].R[i]) < 1e-12);
      CHECK(norm(poses[b].c - carried[b].c) < 1e-12);
      CHECK(norm(velocities[b].v - moving[b].v) < 1e-11);
      CHECK(norm(velocities[b].w - moving[b].w) < 1e-11);
    }
  }
}

TEST_CASE("The gradient of the displacement of mass is that of its value") {
  const Given given(4);
  const Equations eq(given.model, choose_tree(*given.model));
  const State s = initial_guess(eq, 0);
  const Poses reference = carried_poses(*formalism::testing::random_model(4, {.bodies = 9, .reversed = true}), 0);
  auto nodes = nodes_of(eq, s);
  std::vector<double> gradient(eq.nv());
  mass_distance_gradient(eq, reference, nodes, gradient);
  constexpr double h = 1e-5;
  for (int j = 0; j < eq.nv(); ++j) {
    const auto value = [&](double step) {
      State x = s;
      std::vector<double> move(eq.nv(), 0.0);
      move[j] = step;
      eq.plus(x.q, move);
      return mass_distance(eq, reference, nodes_of(eq, x));
    };
    CHECK(std::abs((value(h) - value(-h)) / (2 * h) - gradient[j]) < 1e-7 * (1 + std::abs(gradient[j])));
  }
}
