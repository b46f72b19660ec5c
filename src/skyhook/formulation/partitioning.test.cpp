// References: the same motion by another formulation and, where said, another integrator at tight tolerance; observed order;
// the constraints themselves.
#include "skyhook/formulation/partitioning.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.h"
#include "skyhook/formulation/ggl.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/integrator/adams.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/ida.h"

using namespace skyhook;
using doctest::Approx;
using formalism::State;
using formalism::recursive::Equations;
using formalism::testing::Linkage;
using formulation::Partitioning;
using integrator::StepStatus;
using Of = Partitioning::Of;

namespace {

struct Moving {
  std::shared_ptr<Equations> equations;
  State start;
};

Moving ready(const Linkage& linkage, const std::vector<std::pair<int, double>>& velocities) {
  const auto topology = formalism::choose_tree(*linkage.model);
  const Equations all(linkage.model, topology);
  Moving m{nullptr, formalism::initial_guess(all, 0)};
  std::vector<int> held;
  for (const auto& [i, v] : velocities) m.start.v[static_cast<std::size_t>(i)] = v, held.push_back(i);
  REQUIRE(formalism::assemble(all, m.start, {}).ok);
  REQUIRE(formalism::fit_velocities(all, m.start, held).ok);
  m.equations = std::make_shared<Equations>(linkage.model, topology, formalism::find_rank(all, m.start).independent);
  return m;
}

// A crank that turns fully. With a heavy rocker, whose angle is at dead centres twice a turn.
Moving four_bar(double rocker_density) {
  return ready(formalism::testing::four_bar({}, 1, rocker_density), {{0, 9.0}});
}

// Crank 0.2 m, connecting rod 0.5 m, a slider along x: at dead centres twice a turn.
Moving slider_crank(double slider_mass) {
  Linkage l;
  const Vec3d A{0, 0, 0}, B{0.12, 0.16, 0}, C{0.12 + std::sqrt(0.25 - 0.16 * 0.16), 0, 0};
  const int crank = l.rod("crank", A, B), rod = l.rod("rod", B, C);
  model::Body slider;
  slider.name = "slider", slider.at = slider.com = C, slider.mass = slider_mass;
  slider.inertia = 0.01 * Mat3d::identity();
  l.model->bodies.push_back(slider);
  l.hinge("main", model::ground, crank, A);
  l.hinge("pin", crank, rod, B);
  l.slide("guide", model::ground, 2, C, {1, 0, 0});
  l.hinge("wrist", rod, 2, C);
  return ready(l, {{0, 12.0}});
}

// Crank and rocker about skew axes, between them a coupler on two balls, which spins: two degrees of freedom, or one with
// the crank driven.
Moving coupler_on_balls(bool driven) {
  Linkage l;
  const Vec3d A{0, 0, 0}, B{0, 0.3, 0}, C{0.9, 0.6, 0.3}, D{1, 0, 0.3};
  const int crank = l.rod("crank", A, B), coupler = l.rod("coupler", B, C), rocker = l.rod("rocker", D, C);
  l.model->bodies[static_cast<std::size_t>(coupler)].inertia += 0.02 * Mat3d::identity();
  l.hinge("A", model::ground, crank, A);
  l.ball("B", crank, coupler, B);
  l.joint("D", "revolute", model::ground, rocker, D, {0, 0.6, 0.8});
  l.ball("C", coupler, rocker, C);
  if (driven) Linkage::drive(l.model->joints[0], "3*t + 0.3*sin(2*t)");
  return ready(l, driven ? std::vector<std::pair<int, double>>{{1, 8.0}} : std::vector<std::pair<int, double>>{{0, 4.0}, {1, 8.0}});
}

}  // namespace

TEST_CASE("explore") {
  struct Named { const char* name; Moving m; };
  for (auto& [name, m] : {Named{"fourbar 1", four_bar(1)}, Named{"fourbar 50", four_bar(50)}, Named{"slider 0.3", slider_crank(0.3)}, Named{"slider 20", slider_crank(20)},
                   Named{"balls", coupler_on_balls(false)}, Named{"driven balls", coupler_on_balls(true)}}) {
    std::vector<double> y = m.start.q;
    y.insert(y.end(), m.start.v.begin(), m.start.v.end());
    const formulation::Projected projected(m.equations, {.positions = formulation::ProjectionOptions::Positions::always});
    const double t_end = 2;
    integrator::Dopri5 ref(projected, {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12}, 0, y);
    while (ref.step(t_end).status == StepStatus::ok) {}
    for (double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      integrator::Dopri5 pr(projected, {.relative_tolerance = tol, .absolute_tolerance = tol}, 0, y);
      while (pr.step(t_end).status == StepStatus::ok) {}
      double other = 0;
      for (std::size_t i = 0; i < y.size(); ++i) other = std::max(other, std::abs(pr.y()[i] - ref.y()[i]));
      const Partitioning problem(m.equations, m.start);
      const auto go = [&](auto&& run, const char* which) {
        integrator::StepResult r;
        while (r.status == StepStatus::ok) r = run.step(t_end);
        std::vector<double> q(m.start.q.size()), v(m.start.v.size());
        problem.state(t_end, run.y(), Of::next_step, q, v, run.workspace());
        double worst = 0;
        for (std::size_t i = 0; i < q.size(); ++i) worst = std::max(worst, std::abs(q[i] - ref.y()[i]));
        for (std::size_t i = 0; i < v.size(); ++i) worst = std::max(worst, std::abs(v[i] - ref.y()[q.size() + i]));
        printf("%-14s %-7s tol %g t %g error %.2e steps %ld fails %ld rhs %ld fac %ld renewals %ld %s | projected error %.2e steps %ld  %s\n", name, which, tol, run.t(), worst, run.cost().steps,
               run.cost().error_test_failures, run.cost().residuals, run.cost().factorisations, problem.renewals(run.workspace()), problem.independent(run.workspace())[0].c_str(), other, pr.cost().steps, r.reason.c_str());
      };
      const integrator::Options o{.relative_tolerance = tol, .absolute_tolerance = tol};
      go(integrator::Dopri5(problem, o, 0, problem.initial()), "dopri5");
      go(integrator::Adams(problem, o, 0, problem.initial()), "adams");
    }
  }
}
