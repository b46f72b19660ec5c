// Linkages in motion for the tests of formulations and of integrators on them: equations with independent constraints,
// and y = (q, v) that satisfies them.
#pragma once
#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formulation::testing {

struct Moving {
  std::shared_ptr<formalism::recursive::Equations> equations;
  std::vector<double> y;  // q, v
  std::size_t nq() const { return static_cast<std::size_t>(equations->nq()); }
  std::size_t nv() const { return static_cast<std::size_t>(equations->nv()); }
  CSpan q() const { return CSpan(y).first(nq()); }
  CSpan v() const { return CSpan(y).subspan(nq()); }
};

// Assembled, its first velocity coordinate at `speed`.
inline Moving moving(const formalism::testing::Linkage& linkage, double speed) {
  const auto topology = formalism::choose_tree(*linkage.model);
  auto all = std::make_shared<formalism::recursive::Equations>(linkage.model, topology);
  formalism::State state = formalism::initial_guess(*all, 0);
  for (std::size_t i = 1; i < state.v.size(); ++i) state.v[i] = 0.3;
  state.v[0] = speed;
  REQUIRE(formalism::assemble(*all, state, {}).ok);
  REQUIRE(formalism::fit_velocities(*all, state, {0}).ok);
  const auto rows = formalism::find_rank(*all, state).independent;
  Moving m{std::make_shared<formalism::recursive::Equations>(linkage.model, topology, rows), state.q};
  m.y.insert(m.y.end(), state.v.begin(), state.v.end());
  return m;
}

// -stiffness x - damping v on one coordinate of a joint.
struct LinearLaw : model::CoordinateElement {
  double stiffness, damping;
  LinearLaw(double k, double d) : stiffness(k), damping(d) {}
  double force(double x, double v, double, const model::Setting&) const override {
    return -stiffness * x - damping * v;
  }
  Dual<2> force(const Dual<2>& x, const Dual<2>& v, double, const model::Setting&) const override {
    return -stiffness * x - damping * v;
  }
};

inline void resist(formalism::testing::Linkage& linkage, int joint, double stiffness, double damping) {
  model::Contribution force;
  force.name = "resistance" + std::to_string(joint), force.joint = joint, force.dof = 0;
  force.coordinate = std::make_shared<LinearLaw>(stiffness, damping);
  linkage.model->contributions.push_back(force);
}

// A four-bar linkage that swings under gravity; its crank in a bearing with friction of `damping` N.m.s.
inline Moving four_bar(double damping = 0) {
  auto linkage = formalism::testing::four_bar();
  if (damping > 0) resist(linkage, 0, 0, damping);
  return moving(linkage, 2.0);
}

// Crank and connecting rod push a block along x.
inline Moving slider_crank(double damping = 0) {
  const Vec3d A{0, 0, 0}, B{0.2, 0.3, 0}, C{1, 0, 0};
  formalism::testing::Linkage l;
  const int crank = l.rod("crank", A, B), rod = l.rod("rod", B, C), block = l.rod("block", C, C + Vec3d{0.2, 0, 0}, 5);
  l.model->bodies[static_cast<std::size_t>(block)].inertia = Mat3d::diagonal({0.1, 0.1, 0.1});
  l.hinge("A", model::ground, crank, A);
  l.hinge("B", crank, rod, B);
  l.hinge("C", rod, block, C);
  l.slide("guide", model::ground, block, C, {1, 0, 0});
  if (damping > 0) resist(l, 0, 0, damping);
  return moving(l, 3.0);
}

// The four-bar linkage in space: its coupler hangs in two balls, so that it has a quaternion and spins freely.
inline Moving ball_four_bar() {
  const Vec3d A{0, 0, 0}, B{0, 0.4, 0.1}, C{0.85, 0.75, 0.3}, D{1, 0, 0};
  formalism::testing::Linkage l;
  const int crank = l.rod("crank", A, B), coupler = l.rod("coupler", B, C), rocker = l.rod("rocker", D, C);
  auto& inertia = l.model->bodies[static_cast<std::size_t>(coupler)].inertia;
  inertia = inertia + Mat3d::diagonal({0.02, 0.03, 0.025});
  l.hinge("A", model::ground, crank, A);
  l.ball("B", crank, coupler, B);
  l.joint("D", "revolute", model::ground, rocker, D, normalized(Vec3d{0.2, 0.1, 1}));
  l.ball("C", coupler, rocker, C);
  return moving(l, 2.0);
}

inline double distance(CSpan a, CSpan b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

}  // namespace skyhook::formulation::testing
