// A four-bar linkage that swings under gravity, with a moving start: the mechanism of the tests of formulations.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>

#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formulation::testing {

struct Swing {
  std::shared_ptr<formalism::recursive::Equations> equations;
  std::vector<double> y;  // q, v

  explicit Swing(double crank_speed = 2.0) {
    using formalism::recursive::Equations;
    const auto linkage = formalism::testing::four_bar();
    const auto topology = formalism::choose_tree(*linkage.model);
    auto all = std::make_shared<Equations>(linkage.model, topology);
    formalism::State state = formalism::initial_guess(*all, 0);
    state.v[0] = crank_speed;
    REQUIRE(formalism::assemble(*all, state, {}).ok);
    REQUIRE(formalism::fit_velocities(*all, state, {0}).ok);
    equations = std::make_shared<Equations>(linkage.model, topology, formalism::find_rank(*all, state).independent);
    y = state.q;
    y.insert(y.end(), state.v.begin(), state.v.end());
  }
  std::size_t nq() const { return static_cast<std::size_t>(equations->nq()); }
  std::size_t nv() const { return static_cast<std::size_t>(equations->nv()); }
  std::size_t ng() const { return static_cast<std::size_t>(equations->ng()); }

  // y and y' of a formulation with unknowns (q, v, lambda, ...), what follows being zero.
  struct Start {
    std::vector<double> y, yp;
  };
  Start start(int size) const {
    Start s{std::vector<double>(static_cast<std::size_t>(size)), std::vector<double>(static_cast<std::size_t>(size))};
    std::copy(y.begin(), y.end(), s.y.begin());
    const CSpan q = CSpan(y).first(nq()), v = CSpan(y).subspan(nq());
    formalism::AccelerationSolver solver(*equations);
    auto work = equations->workspace();
    REQUIRE(solver.solve(0, q, v, Span(s.yp).subspan(nq(), nv()), Span(s.y).subspan(nq() + nv(), ng()), work) ==
            Eval::ok);
    equations->kinematics(q, v, Span(s.yp).first(nq()));
    return s;
  }
};

}  // namespace skyhook::formulation::testing
