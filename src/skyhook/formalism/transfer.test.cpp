// Reference: bodies stand and move as before, whatever the coordinates are; and there and back leads to the same state.
#include "skyhook/formalism/transfer.h"

#include <doctest/doctest.h>

#include "skyhook/formalism/assembly.h"
#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/coordinate_motion.h"
#include "skyhook/formalism/evaluator.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/topology.h"

using namespace skyhook;
using namespace skyhook::formalism;
using formalism::testing::Random;
using formalism::testing::random_model;
using recursive::Equations;

namespace {

// An open tree of joints of all types, some reversed: every state satisfies the constraints in absolute coordinates.
struct Both {
  std::shared_ptr<model::Model> model;
  std::shared_ptr<model::Held> held;
  std::shared_ptr<const Equations> joint, absolute;
  State state;

  explicit Both(unsigned seed) : model(random_model(seed, {.bodies = 9, .forces = 2, .drives = 2, .inner = 3})) {
    for (auto& j : model->joints) {
      j.cut.reset();
      j.at_to = j.at_from;  // the design position is assembled
    }
    held = std::make_shared<model::Held>(model::held_at_start(*model));
    joint = std::make_shared<const Equations>(model, choose_joint_tree(*model), std::nullopt, held);
    absolute = std::make_shared<const Equations>(model, choose_tree_in(*model, {}, model::Coordinates::absolute),
                                                 std::nullopt, held);
    state = initial_guess(*joint, 0.3);
    Random random(seed + 100);
    std::vector<double> step(state.v.size());
    for (double& x : step) x = random(-0.5, 0.5);
    for (double& x : state.v) x = random(-1, 1);
    joint->plus(state.q, step);
    held->angles = angles_at(*joint, state);
  }
};

}  // namespace

TEST_CASE("In other coordinates all bodies stand and move as before, on the constraints") {
  for (unsigned seed = 1; seed <= 26; ++seed) {
    CAPTURE(seed);
    const Both b(seed);
    const State there = transfer(*b.joint, b.state, *b.absolute);
    const auto nodes = nodes_of(*b.joint, b.state), moved = nodes_of(*b.absolute, there);
    const Poses poses = poses_at(*b.joint, nodes), same = poses_at(*b.absolute, moved);
    const Velocities speeds = velocities_at(*b.joint, nodes), like = velocities_at(*b.absolute, moved);
    for (std::size_t k = 0; k < poses.size(); ++k) {
      CHECK(norm(poses[k].c - same[k].c) < 1e-13 * (1 + norm(poses[k].c)));
      for (int i = 0; i < 3; ++i) CHECK(norm(poses[k].R.column(i) - same[k].R.column(i)) < 1e-13);
      CHECK(norm(speeds[k].v - like[k].v) < 1e-12 * (1 + norm(speeds[k].v)));
      CHECK(norm(speeds[k].w - like[k].w) < 1e-12 * (1 + norm(speeds[k].w)));
    }
    std::vector<double> g(static_cast<std::size_t>(b.absolute->ng())), rate(g);
    auto ws = b.absolute->workspace();
    b.absolute->constraints(there.t, there.q, there.v, g, rate, ws);
    for (std::size_t k = 0; k < g.size(); ++k) {
      if (b.absolute->rows()[k].joint < 0) continue;  // this motion does not follow the drives that are rows both ways
      CHECK_MESSAGE(std::abs(g[k]) < 1e-12, b.absolute->rows()[k].name());
      CHECK_MESSAGE(std::abs(rate[k]) < 1e-11, b.absolute->rows()[k].name());
    }
  }
}

TEST_CASE("To absolute coordinates and back leads to the same state") {
  for (unsigned seed = 1; seed <= 26; ++seed) {
    CAPTURE(seed);
    const Both b(seed);
    const State back = transfer(*b.absolute, transfer(*b.joint, b.state, *b.absolute), *b.joint);
    for (std::size_t k = 0; k < back.v.size(); ++k)
      CHECK_MESSAGE(std::abs(back.v[k] - b.state.v[k]) < 1e-11 * (1 + std::abs(b.state.v[k])),
                    b.joint->tree().v_names[k]);
    for (std::size_t k = 0; k < back.q.size(); ++k) {
      const bool flips =
          std::abs(back.q[k] + b.state.q[k]) < 1e-12;  // a quaternion and its negative are the same rotation
      CHECK_MESSAGE((flips || std::abs(back.q[k] - b.state.q[k]) < 1e-12 * (1 + std::abs(b.state.q[k]))),
                    b.joint->tree().q_names[k]);
    }
  }
}

// Accelerations and constraint forces by both: the recursion over a tree without constraints, and a sparse system with all joints in it.
TEST_CASE("Coordinates move in the same way both ways: values, rates and accelerations") {
  for (unsigned seed = 1; seed <= 26; ++seed) {
    CAPTURE(seed);
    const Both b(seed);
    const auto one = std::make_shared<const EquationsOfMotion>(b.joint),
               other = std::make_shared<const EquationsOfMotion>(b.absolute);
    const State there = transfer(*b.joint, b.state, *b.absolute);
    Evaluator in_joints(one, one), by_bodies(other, other);
    REQUIRE(in_joints.evaluate(b.state.t, b.state.q, b.state.v) == Eval::ok);
    REQUIRE(by_bodies.evaluate(there.t, there.q, there.v) == Eval::ok);
    for (int j = 0; j < static_cast<int>(b.model->joints.size()); ++j) {
      int scalar = 0;
      for (const model::Dof& dof : b.model->joints[static_cast<std::size_t>(j)].shape.dofs) {
        const bool ball = dof.kind == model::Dof::Kind::ball;
        if (!ball) {
          const CoordinateMotion a(*b.joint, j, scalar), c(*b.absolute, j, scalar);
          const auto close = [&](double x, double y, double within) {
            return std::abs(x - y) < within * (1 + std::abs(x));
          };
          CHECK(close(a.value(in_joints.now()), c.value(by_bodies.now()), 1e-12));
          CHECK(close(a.rate(in_joints.now()), c.rate(by_bodies.now()), 1e-10));
          CHECK_MESSAGE(close(a.acceleration(in_joints.now()), c.acceleration(by_bodies.now()), 1e-7),
                        b.model->joints[static_cast<std::size_t>(j)].type << " " << a.acceleration(in_joints.now())
                                                                          << " " << c.acceleration(by_bodies.now()));
        }
        scalar += ball ? 3 : 1;
      }
    }
    for (std::size_t k = 0; k < in_joints.now().reactions.size(); ++k) {
      // What acts along a guide between a slide and a hinge is split in a way that depends on which side carries the other.
      if (b.model->joints[k / 6].type == "guided2_turn") continue;
      const double x = in_joints.now().reactions[k], y = by_bodies.now().reactions[k];
      CHECK_MESSAGE(std::abs(x - y) < 1e-7 * (1 + std::abs(x)), b.model->joints[k / 6].type << " " << x << " " << y);
    }
  }
}
