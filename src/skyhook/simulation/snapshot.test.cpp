#include "skyhook/simulation/snapshot.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/block_store.h"
#include "skyhook/formalism/energy.h"
#include "skyhook/formalism/frame.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/math/dense.h"
#include "skyhook/simulation/prepare.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::Frame;
using formalism::testing::four_bar;
using formalism::testing::Linkage;
using formalism::testing::Random;

namespace {

// What the joints exert on each body must be its mass times its acceleration: Newton and Euler for every body by itself, an
// independent route that knows neither tree nor multipliers. Returns the largest violation relative to the largest load.
double imbalance(const Prepared& p, const Snapshot& s) {
  const auto& m = *p.model;
  std::vector<Vec3d> force(m.bodies.size()), moment(m.bodies.size()), com(m.bodies.size());
  double load = 0, worst = 0;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const Frame centre = frame_of(*p.all, static_cast<int>(b), m.bodies[b].com);
    const Mat3d R = turn_of(s, centre), J = R * m.bodies[b].inertia * transpose(R);
    const Vec3d w = angular_velocity_of(s, centre);
    com[b] = motion_of(s, centre).p;
    force[b] = m.bodies[b].mass * (motion_of(s, centre).a - m.gravity);
    moment[b] = J * angular_acceleration_of(s, centre) + cross(w, J * w);
    load = std::max({load, norm(force[b]), norm(moment[b])});
  }
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const auto& joint = m.joints[j];
    const double* w = s.reactions.data() + 6 * j;
    const Vec3d f{w[0], w[1], w[2]}, n{w[3], w[4], w[5]};
    load = std::max({load, norm(f), norm(n)});
    const Vec3d point = motion_of(s, frame_of(*p.all, joint.to, joint.at_to)).p;  // reactions act on `to`, at its point
    if (joint.to != model::ground) force[joint.to] -= f, moment[joint.to] -= n + cross(point - com[joint.to], f);
    if (joint.from != model::ground)
      force[joint.from] += f, moment[joint.from] += n + cross(point - com[joint.from], f);
  }
  for (std::size_t b = 0; b < m.bodies.size(); ++b) worst = std::max({worst, norm(force[b]), norm(moment[b])});
  return worst / load;
}

// Points of both sides equal at design: joints are closed.
std::shared_ptr<model::Model> closed_model(unsigned seed, int loops) {
  auto m = formalism::testing::random_model(seed, {.bodies = 7, .loops = loops});
  for (auto& joint : m->joints) joint.at_to = joint.at_from;
  return m;
}

}  // namespace

TEST_CASE("Reactions of random trees balance each body by itself") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto p = prepare(closed_model(seed, 0), {});
    Evaluator evaluator(p.active, p.all);
    const Snapshot& s = evaluator.now();
    Random random(seed);
    std::vector<double> q = p.state.q, v(p.all->nv()), step(p.all->nv());
    for (double& x : v) x = random(-2, 2);
    for (int i = 0; i < p.all->nv(); ++i) step[i] = random(-0.5, 0.5);
    p.all->plus(q, step);
    REQUIRE(evaluator.evaluate(0, q, v) == Eval::ok);
    CHECK(imbalance(p, s) < 1e-10);
    // ½ vᵀ M v by the tree's own mass matrix.
    formalism::BlockStore store(*p.all);
    auto ws = p.all->workspace();
    const std::vector<double> zero(p.all->nv(), 0.0);
    REQUIRE(p.all->derivatives({0, q, v, zero, {}, {}}, store.blocks(), ws) == Eval::ok);
    double kinetic = 0;
    const Csc& M = store.mass();
    for (int j = 0; j < p.all->nv(); ++j) {
      for (int k = M.pattern->start[j]; k < M.pattern->start[j + 1]; ++k)
        kinetic += 0.5 * v[M.pattern->row[k]] * M.value[k] * v[j];
    }
    CHECK(std::abs(s.kinetic - kinetic) < 1e-11 * (1 + kinetic));
  }
}

TEST_CASE("Reactions of a loop balance each body, in every position, also those that are indeterminate") {
  const auto p = prepare(four_bar().model, {});
  Evaluator evaluator(p.active, p.all);
  const Snapshot& s = evaluator.now();
  for (const double crank : {0.0, 0.7, 2.0, 4.0}) {
    formalism::State x = p.state;
    const int iv = p.all->coordinate(0, 0).iv;
    for (double angle = 0; angle < crank; angle += 0.1) {  // small moves stay on the branch
      x.q[iv] = angle;
      REQUIRE(formalism::assemble(*p.all, x, {iv}).ok);
    }
    x.v[iv] = 3;
    REQUIRE(formalism::fit_velocities(*p.all, x, {iv}).ok);
    REQUIRE(evaluator.evaluate(0, x.q, x.v) == Eval::ok);
    CHECK(imbalance(p, s) < 1e-10);
  }
}

TEST_CASE("Accelerations satisfy the equations of motion and the constraints") {
  const auto p = prepare(four_bar().model, {});
  Evaluator evaluator(p.active, p.all);
  const Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate(0, p.state.q, p.state.v) == Eval::ok);
  auto ws = p.active->workspace();
  std::vector<double> zero(p.active->ng(), 0.0), tau(p.active->nv()), qdot(p.active->nq()), g(p.active->ng()),
      rate(p.active->ng()), second(p.active->ng());
  REQUIRE(p.active->residual({0, p.state.q, p.state.v, s.a, s.lambda, zero}, {tau, qdot, g, rate}, ws) == Eval::ok);
  for (double e : tau) CHECK(std::abs(e) < 1e-11);
  REQUIRE(p.active->constraint_accelerations({0, p.state.q, p.state.v, s.a, s.lambda, zero}, second, ws) == Eval::ok);
  for (double e : second) CHECK(std::abs(e) < 1e-11);
}

TEST_CASE("A drive's power is its moment times its rate, and nothing else has power") {
  Linkage l = four_bar();
  CHECK(!Evaluator(prepare(l.model, {}).active, prepare(l.model, {}).all).has_power());
  Linkage::drive(l.model->joints[0], "2*t + 0.5*t^2");
  const auto p = prepare(l.model, {});
  CHECK(p.degrees_of_freedom() == 0);
  Evaluator evaluator(p.active, p.all);
  const Snapshot& s = evaluator.now();
  CHECK(evaluator.has_power());
  REQUIRE(evaluator.evaluate(0, p.state.q, p.state.v) == Eval::ok);
  Evaluator alone_at(p.active, p.all);
  const Snapshot& alone = alone_at.now();
  REQUIRE(alone_at.evaluate_drives(0, p.state.q, p.state.v) == Eval::ok);
  CHECK(alone.lambda == s.lambda);
  CHECK(formalism::power(alone, alone.lambda) == formalism::power(s, s.lambda));
  // Power raises kinetic plus potential energy: its rate by differences along the motion, error h^2 and rounding / h.
  const double h = 1e-4, power = formalism::power(s, s.lambda);
  auto energy = [&](double d) {
    std::vector<double> q = p.state.q, v = p.state.v, step(v.size());
    const std::vector<double> a = s.a;
    for (std::size_t i = 0; i < v.size(); ++i) step[i] = d * p.state.v[i] + 0.5 * d * d * a[i], v[i] += d * a[i];
    p.active->plus(q, step);
    Evaluator there_at(p.active, p.all);
    const Snapshot& there = there_at.now();
    REQUIRE(there_at.evaluate(d, q, v) == Eval::ok);
    return there.kinetic + there.potential;
  };
  CHECK(std::abs((energy(h) - energy(-h)) / (2 * h) - power) < 1e-5 * (1 + std::abs(power)));
}

TEST_CASE("A snapshot is a value: it stays as it was when its evaluator goes on, and ends") {
  const auto p = prepare(four_bar().model, {});
  Snapshot kept;
  std::vector<double> reactions;
  {
    Evaluator evaluator(p.active, p.all);
    std::vector<double> v = p.state.v;
    REQUIRE(evaluator.evaluate(0, p.state.q, v) == Eval::ok);
    kept = evaluator.now(), reactions = evaluator.now().reactions;
    for (double& x : v) x = 1;
    evaluator.evaluate_motion(1, p.state.q, v);
    CHECK(evaluator.now().t == 1);
  }
  CHECK(kept.t == 0);
  CHECK(kept.q == p.state.q);
  CHECK(kept.v == p.state.v);
  CHECK(kept.reactions == reactions);
  CHECK(&kept.equations() == p.active.get());
}

TEST_CASE("Residuals of all rows, redundant ones too, are those of the constraints by themselves") {
  const auto p = prepare(four_bar().model, {});
  REQUIRE(p.rank.redundant.size() == 3);  // a plane loop in space
  Evaluator evaluator(p.active, p.all);
  std::vector<double> q = p.state.q, v(p.all->nv());
  for (std::size_t i = 0; i < q.size(); ++i)
    q[i] += 0.01 * static_cast<double>(i + 1), v[i] = 1.0 + static_cast<double>(i);  // off the constraints
  std::vector<double> g(p.all->ng()), rate(p.all->ng());
  auto ws = p.all->workspace();
  p.all->constraints(0, q, v, g, rate, ws);
  const auto differ = [&] {
    double most = 0;
    for (std::size_t k = 0; k < g.size(); ++k) {
      const auto row = static_cast<std::size_t>(p.all->active()[k]);
      most = std::max(
          {most, std::abs(evaluator.now().positions[row] - g[k]), std::abs(evaluator.now().velocities[row] - rate[k])});
    }
    return most;
  };
  constexpr double rounding = 1e-14;  // of lengths about 1 m and rates about 10 m/s
  REQUIRE(evaluator.evaluate_accelerations(0, q, v) == Eval::ok);
  CHECK(largest(g) > 1e-3);
  CHECK(differ() < rounding);
  REQUIRE(evaluator.evaluate(0, p.state.q, v, true) == Eval::ok);  // others in between
  REQUIRE(evaluator.evaluate(0, q, v, true) == Eval::ok);
  CHECK(differ() < rounding);
}

TEST_CASE("Energies of nodes that others have moved are those of nodes moved here") {
  const auto p = prepare(four_bar().model, {});
  Evaluator evaluator(p.active, p.all);
  std::vector<double> q = p.state.q, v(p.all->nv());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.1, v[i] = 1.0 + static_cast<double>(i);
  evaluator.evaluate_energy(0, q, v);
  const double kinetic = evaluator.now().kinetic, potential = evaluator.now().potential;
  evaluator.evaluate_energy(0, p.state.q, p.state.v);
  CHECK(evaluator.now().kinetic != kinetic);
  auto ws = p.all->workspace();
  std::vector<double> angles = p.all->held()->angles;
  p.all->find_angles(0, q, v, angles, ws);
  evaluator.evaluate_energy(0, q, v, ws);
  CHECK(evaluator.now().kinetic == kinetic);
  CHECK(evaluator.now().potential == potential);
}
