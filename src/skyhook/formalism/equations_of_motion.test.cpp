#include "skyhook/formalism/equations_of_motion.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "skyhook/formalism/assembly.h"
#include "skyhook/formalism/evaluator.h"
#include "skyhook/formalism/frame.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/formalism/topology.h"

using namespace skyhook;
using namespace skyhook::formalism;
using formalism::testing::four_bar;
using formalism::testing::Linkage;
using formalism::testing::Random;
using formalism::testing::random_model;

namespace {

// A tree of joints of all types, some reversed, drives, inner states.
struct Given {
  std::shared_ptr<model::Model> model;
  std::shared_ptr<const EquationsOfMotion> eq;
  State state;
  explicit Given(unsigned seed)
      : model(random_model(seed, {.bodies = 9, .forces = 4, .drives = 2, .inner = 3})),
        eq(std::make_shared<const EquationsOfMotion>(model, choose_tree(*model))),
        state(initial_guess(*eq, 0.3)) {
    Random random(seed + 100);
    std::vector<double> step(state.v.size());
    for (double& x : step) x = random(-0.5, 0.5);
    for (double& x : state.v) x = random(-1, 1);
    eq->plus(state.q, step);
  }
};

}  // namespace

// Along v the positions change by H(q) v: where one is the rate of the other the two are equal, in rotations they are not.
TEST_CASE("The narrow view pairs positions with their rates, and every position but those of rotations has one") {
  int rotations = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    const Given g(seed);
    std::vector<double> qdot(g.state.q.size());
    g.eq->kinematics(g.state.q, g.state.v, qdot);
    std::set<int> paired;
    for (int iv = 0; iv < g.eq->nv(); ++iv) {
      const int iq = g.eq->position_of(iv);
      if (iq < 0) continue;
      CHECK(iv < g.eq->moving());
      CHECK(!g.eq->in_rotation(iq));
      CHECK(paired.insert(iq).second);
      CHECK(qdot[static_cast<std::size_t>(iq)] == g.state.v[static_cast<std::size_t>(iv)]);
      CHECK(g.eq->freedom_name(iv) == g.eq->position_names()[static_cast<std::size_t>(iq)]);
    }
    rotations += static_cast<int>(g.eq->rotations().size());
    CHECK(static_cast<int>(paired.size() + 4 * g.eq->rotations().size()) == g.eq->nq());
    for (const auto& rotation : g.eq->rotations()) {
      CHECK(g.eq->freedom_name(rotation.iv + 1) == g.eq->owner_of_velocity(rotation.iv) + ".rotation_y");
      CHECK(g.eq->state_name(g.eq->nq() + rotation.iv) ==
            g.eq->velocity_names()[static_cast<std::size_t>(rotation.iv)]);
    }
  }
  CHECK(rotations > 5);
}

// By names, which the tree makes when it numbers the coordinates.
TEST_CASE("The narrow view finds the coordinates of joints, follows drives, and knows which joints are cut") {
  int free = 0, turned = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    const Given g(seed);
    std::size_t drives = 0;
    for (int j = 0; j < static_cast<int>(g.model->joints.size()); ++j) {
      const model::Joint& joint = g.model->joints[static_cast<std::size_t>(j)];
      CHECK(!g.eq->is_cut(j));
      for (int k = 0; k < static_cast<int>(joint.reference.size()); ++k) {
        const JointCoordinate at = g.eq->coordinate(j, k);
        CHECK(at.in_rotation == is_in_ball(joint, k));
        if (at.is_driven()) {
          ++drives;
          const auto& driven = g.eq->driven()[static_cast<std::size_t>(at.drive)];
          CHECK(driven.joint == j);
          CHECK(driven.dof == k);
          continue;
        }
        if (at.in_rotation) {
          turned += g.eq->is_turned_around(at.iv);
          continue;
        }
        ++free;
        CHECK(g.eq->position_names()[static_cast<std::size_t>(at.iq)] == coordinate_name(joint, k, false));
        CHECK(g.eq->velocity_names()[static_cast<std::size_t>(at.iv)] == coordinate_name(joint, k, true));
        CHECK(g.eq->reference(at.iq) == joint.reference[static_cast<std::size_t>(k)]);
        CHECK(!g.eq->is_turned_around(at.iv));
      }
    }
    CHECK(drives == g.eq->driven().size());
  }
  CHECK(free > 20);
  CHECK(turned > 0);
  const Linkage l = four_bar();
  const EquationsOfMotion loop(l.model, choose_tree(*l.model));
  REQUIRE(loop.cuts().size() == 1);
  CHECK(loop.is_cut(loop.cuts()[0]));
  CHECK(loop.coordinate(loop.cuts()[0], 0).iv == -1);
}

// Velocities and accelerations are what differences of the positions along the motion give, to their error h^2.
TEST_CASE("Frames move as their positions change, also seen from each other") {
  const double h = 1e-4;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    const Given g(seed);
    Random random(seed);
    Evaluator evaluator(g.eq, g.eq);
    REQUIRE(evaluator.evaluate(g.state.t, g.state.q, g.state.v) == Eval::ok);
    const Snapshot now = evaluator.now();
    const auto shifted = [&](double d) {
      std::vector<double> q = g.state.q, v = g.state.v, step(v.size());
      for (std::size_t i = 0; i < v.size(); ++i) step[i] = d * v[i] + 0.5 * d * d * now.a[i], v[i] += d * now.a[i];
      g.eq->plus(q, step);
      evaluator.evaluate_motion(g.state.t + d, q, v);
      return evaluator.now();
    };
    const Snapshot ahead = shifted(h), behind = shifted(-h);
    for (int b = 0; b < static_cast<int>(g.model->bodies.size()); ++b) {
      const Frame frame = frame_of(*g.eq, b, random.vector(), Mat3d::identity());
      const Frame other = frame_of(*g.eq, b == 0 ? model::ground : b - 1, random.vector(), Mat3d::identity());
      const auto p = [&](const Snapshot& s) { return motion_of(s, frame).p; };
      const PointMotion m = motion_of(now, frame);
      CHECK(norm((0.5 / h) * (p(ahead) - p(behind)) - m.v) < 1e-5 * (1 + norm(m.v)));
      CHECK(norm((1 / (h * h)) * (p(ahead) - 2.0 * p(now) + p(behind)) - m.a) < 1e-4 * (1 + norm(m.a)));
      const JointMotion seen = motion_between(now, other, frame);
      const Vec3d rate = (0.5 / h) * (motion_between(ahead, other, frame).r - motion_between(behind, other, frame).r);
      CHECK(norm(rate - seen.v) < 1e-5 * (1 + norm(seen.v)));
      CHECK(norm(axes_of(now, other) * seen.r - span_between(now, other, frame)) < 1e-12);
    }
    // Without asking the laws, the same relative motion.
    const auto relatives = relatives_of(*g.eq, g.state);
    REQUIRE(relatives.size() == g.eq->parts().wrenches.size());
    for (std::size_t k = 0; k < relatives.size(); ++k) CHECK(norm(relatives[k].v - now.relatives[k].v) < 1e-12);
  }
}

TEST_CASE("A copy of a workspace has memory of its own") {
  const Given g(1);
  EquationsOfMotion::Workspace none, work = g.eq->workspace();
  none = work;
  none.blame() = "somebody";
  CHECK(work.blame().empty());
  const EquationsOfMotion::Workspace moved = std::move(none);
  CHECK(moved.blame() == "somebody");
}
