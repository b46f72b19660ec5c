// References: the residual formalism, which knows nothing of how the accelerations were found, and the determinants of
// [Arnold 2004] (23).
#include "skyhook/formalism/recursive/load_feedback.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/block_store.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/math/dense.h"

using namespace skyhook;
using formalism::AccelerationSolver;
using formalism::BlockStore;
using formalism::recursive::Equations;
using formalism::testing::Random;

namespace {

struct Case {
  std::shared_ptr<model::Model> model;
  Equations eq;
  Equations::Workspace ws;
  AccelerationSolver solver;
  std::vector<double> q, v, a, lambda, zero;
  // Cut are a hinge and a slider: every eighth of the random models begins its loops with these.
  explicit Case(unsigned seed)
      : model(formalism::testing::random_model(
            seed, {.bodies = 8 + static_cast<int>(seed % 5), .loops = 2, .forces = 1, .friction = true})),
        eq(model, formalism::choose_tree(*model)),
        ws(eq.workspace()),
        solver(eq),
        q(eq.nq()),
        v(eq.nv()),
        a(eq.nv()),
        lambda(eq.ng()),
        zero(eq.ng(), 0.0) {
    Random random(seed + 7);
    for (auto* x : {&q, &v}) {
      for (double& e : *x) e = random();
    }
    for (const auto& slot : eq.tree().quaternions) {
      const double size =
          std::hypot(std::hypot(q[slot.iq], q[slot.iq + 1]), std::hypot(q[slot.iq + 2], q[slot.iq + 3]));
      for (int c = 0; c < 4; ++c) q[slot.iq + c] /= size;
    }
  }
  bool solve() { return solver.solve(0.2, q, v, a, lambda, ws) == Eval::ok; }
};

double determinant(DenseMatrix m) {
  double det = 1;
  for (int j = 0; j < m.cols; ++j) {
    int pivot = j;
    for (int i = j; i < m.rows; ++i) {
      if (std::abs(m(i, j)) > std::abs(m(pivot, j))) pivot = i;
    }
    if (pivot != j) det = -det;
    for (int c = 0; c < m.cols; ++c) std::swap(m(j, c), m(pivot, c));
    det *= m(j, j);
    for (int i = j + 1; i < m.rows; ++i) {
      const double part = m(i, j) / m(j, j);
      for (int c = j; c < m.cols; ++c) m(i, c) -= part * m(j, c);
    }
  }
  return det;
}

// det [M, G^T + part; G, 0]: by Schur det M det(-G M^-1 (G^T + part)).
double saddle_determinant(const Csc& mass, const Csc& jacobian, const Csc* part) {
  const DenseMatrix M(mass), G(jacobian);
  const int nv = M.rows, ng = G.rows;
  DenseMatrix A(nv + ng, nv + ng);
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j < nv; ++j) A(i, j) = M(i, j);
    for (int k = 0; k < ng; ++k) A(nv + k, i) = A(i, nv + k) = G(k, i);
  }
  if (part) {
    const DenseMatrix P(*part);
    for (int i = 0; i < nv; ++i) {
      for (int k = 0; k < ng; ++k) A(i, nv + k) += P(k, i);
    }
  }
  return determinant(A);
}

}  // namespace

// Forces of size 1e2 in sums of some tens, conditions of some 1e3.
TEST_CASE("accelerations and multipliers with friction under load satisfy the equations of the residual formalism") {
  int solved = 0;
  for (unsigned seed = 1; seed < 400; seed += 8) {
    CAPTURE(seed);
    Case c(seed);
    REQUIRE(c.eq.frictions().size() == 2);
    if (!c.solve()) continue;  // the constraints contradict each other, or a joint jams
    ++solved;
    std::vector<double> tau(c.eq.nv()), qdot(c.eq.nq()), g(c.eq.ng()), rate(c.eq.ng()), acceleration(c.eq.ng());
    const formalism::Input in{0.2, c.q, c.v, c.a, c.lambda, c.zero};
    REQUIRE(c.eq.residual(in, {tau, qdot, g, rate}, c.ws) == Eval::ok);
    REQUIRE(c.eq.constraint_accelerations(in, acceleration, c.ws) == Eval::ok);
    const double size = 1 + largest(c.a) + largest(c.lambda);
    CHECK(largest(tau) < 1e-10 * size);
    CHECK(largest(acceleration) < 1e-10 * size);
  }
  CHECK(solved > 10);
}

TEST_CASE("the small determinant is that of the generalised Grübler condition over the common one") {
  int solved = 0;
  for (unsigned seed = 1; seed < 400; seed += 8) {
    CAPTURE(seed);
    Case c(seed);
    REQUIRE(c.eq.frictions().size() == 2);
    if (!c.solve()) continue;  // the constraints contradict each other, or a joint jams
    BlockStore store(c.eq);
    REQUIRE(c.eq.derivatives({0.2, c.q, c.v, c.a, c.lambda, c.zero}, store.blocks(), c.ws) == Eval::ok);
    const double with = saddle_determinant(store.mass(), store.jacobian(), &store.friction());
    const double without = saddle_determinant(store.mass(), store.jacobian(), nullptr);
    if (!std::isfinite(with / without)) continue;  // a redundant row
    CHECK(c.solver.feedback()->determinant() == doctest::Approx(with / without).epsilon(1e-7));
    solved += std::abs(with / without - 1) > 1e-3;
  }
  CHECK(solved > 5);
}

// Scaled down to where it still moves: there D has come down to zero, so nothing is refused for lack of convergence.
TEST_CASE("where friction under load leaves no accelerations the determinant has passed zero") {
  int jammed = 0;
  for (unsigned seed = 1; seed < 400; seed += 8) {
    CAPTURE(seed);
    Case c(seed);
    if (c.solve() || c.ws.blame.find("jams") == std::string::npos) continue;
    ++jammed;
    formalism::recursive::LoadFeedback& feedback = *c.solver.feedback();
    const std::vector<double> full = feedback.factor;
    const auto moves = [&](double part) {
      for (std::size_t k = 0; k < full.size(); ++k) feedback.factor[k] = part * full[k];
      std::vector<double> x(c.solver.without_friction().begin(), c.solver.without_friction().end());
      return feedback.solve(x);
    };
    CHECK(moves(0));
    CHECK(feedback.determinant() == 1);
    double low = 0, high = 1;
    for (int k = 0; k < 45; ++k) (moves(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
    CHECK(moves(low));
    CHECK(feedback.determinant() < 1e-3);
  }
  CHECK(jammed > 5);
}
