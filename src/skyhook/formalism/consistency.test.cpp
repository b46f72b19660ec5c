#include "skyhook/formalism/consistency.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/formalism/block_store.h"
#include "skyhook/formalism/least_displacement.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/math/dense.h"

using namespace skyhook;
using namespace skyhook::formalism;
using recursive::Equations;
using skyhook::formalism::testing::four_bar;
using skyhook::formalism::testing::Linkage;

namespace {

Equations equations(const Linkage& l) { return Equations(l.model, choose_tree(*l.model)); }

// M and G at a state.
struct DenseMatrices {
  DenseMatrix M, G;
  DenseMatrices(const Equations& eq, const State& s) {
    auto ws = eq.workspace();
    BlockStore store(eq);
    const std::vector<double> zero_v(eq.nv(), 0.0), zero_g(eq.ng(), 0.0);
    REQUIRE(eq.derivatives({s.t, s.q, s.v, zero_v, zero_g, zero_g}, store.blocks(), ws) == Eval::ok);
    M = DenseMatrix(store.mass()), G = DenseMatrix(store.jacobian());
  }
};

double residual(const Equations& eq, const State& s, bool rate) {
  auto ws = eq.workspace();
  std::vector<double> zero_v(eq.nv(), 0.0), zero_g(eq.ng(), 0.0), tau(eq.nv()), qdot(eq.nq()), g(eq.ng()),
      g_rate(eq.ng());
  eq.residual({s.t, s.q, s.v, zero_v, zero_g, zero_g}, {tau, qdot, g, g_rate}, ws);
  return largest(rate ? g_rate : g);
}

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin: " << text);
  return found;
}

}  // namespace

TEST_CASE("A loop that does not close at design is closed where its mass has moved least") {
  for (const double crank_density : {1.0, 30.0}) {
    for (const double rocker_density : {1.0, 100.0}) {
      CAPTURE(crank_density);
      CAPTURE(rocker_density);
      const Linkage l = four_bar({0.15, -0.1, 0}, crank_density, rocker_density);
      const Equations eq = equations(l);
      State s = initial_guess(eq, 0);
      const Poses drawn = poses_at(eq, nodes_of(eq, s));
      const Consistency c = assemble(eq, s, {});
      REQUIRE_MESSAGE(c.ok, c.problem);
      CHECK(residual(eq, s, false) < 1e-11);
      CHECK(!c.moved.empty());
      // Brute force: all assembled positions with the crank held near the result. One degree of freedom, so that the crank
      // angle numbers them. Golden section finds a minimum to the root of rounding, 1e-8.
      const int crank = eq.tree().coordinates[0][0].iv;
      auto distance = [&](double angle) {
        State x = s;
        x.q[crank] = angle;
        const Consistency closed = assemble(eq, x, {crank});
        REQUIRE(closed.ok);
        return mass_distance(eq, drawn, nodes_of(eq, x));
      };
      const double golden = 2 / (1 + std::sqrt(5.0));
      double low = s.q[crank] - 0.2, high = s.q[crank] + 0.2;
      while (high - low > 1e-9) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        distance(a) < distance(b) ? high = b : low = a;
      }
      CHECK(std::abs(0.5 * (low + high) - s.q[crank]) < 1e-7);
    }
  }
}

TEST_CASE("Velocities are corrected by the smallest change of kinetic energy's metric") {
  const Linkage l = four_bar();
  const Equations eq = equations(l);
  State s = initial_guess(eq, 0);
  s.v = {3, 1, -2};
  const std::vector<double> wish = s.v;
  const Consistency c = fit_velocities(eq, s, {});
  REQUIRE(c.ok);
  CHECK(residual(eq, s, true) < 1e-11);
  // Smallest: the change stands M-perpendicular on what the constraints allow, and v itself is such a motion (one degree of
  // freedom), so v . M (v - wish) = 0.
  const DenseMatrices at(eq, s);
  Vector change(3);
  for (int i = 0; i < 3; ++i) change[i] = s.v[i] - wish[i];
  const Vector Mc = at.M * change;
  double product = 0, size = 0;
  for (int i = 0; i < 3; ++i) product += s.v[i] * Mc[i], size += std::abs(s.v[i] * Mc[i]);
  CHECK(std::abs(product) < 1e-9 * size);  // the metric carries 1e-13 of regularisation
}

TEST_CASE("Held coordinates keep their values to the last bit") {
  const Linkage l = four_bar({0.1, 0.05, 0});
  const Equations eq = equations(l);
  for (const int held : {0, 1, 2}) {
    State s = initial_guess(eq, 0);
    s.q[held] = 0.123456789, s.v[held] = 0.7;
    REQUIRE(assemble(eq, s, {held}).ok);
    REQUIRE(fit_velocities(eq, s, {held}).ok);
    CHECK(s.q[held] == 0.123456789);
    CHECK(s.v[held] == 0.7);
    CHECK(residual(eq, s, false) < 1e-11);
    CHECK(residual(eq, s, true) < 1e-11);
  }
}

TEST_CASE("A link that is too short is reported with the joint that stays open") {
  Linkage l = four_bar();  // crank of 0.4 m, base of 1 m: B and D are never nearer than 0.6 m
  l.model->joints[3].at_from = {0.05, 0.4, 0}, l.model->joints[3].at_to = {1, 0.05, 0};
  const Equations eq = equations(l);
  State s = initial_guess(eq, 0);
  const Consistency c = assemble(eq, s, {});
  CHECK(!c.ok);
  CHECK(has(c.problem, "C: displacement"));
  CHECK(has(c.problem, "stays open by "));
  CHECK(has(c.problem, " mm"));
  CHECK(has(c.problem, "Check lengths"));
  s = initial_guess(eq, 0);
  CHECK(has(assemble(eq, s, {0, 1}).problem, "or hold fewer coordinates than A.angle, B.angle."));
}

// The slope at the last place that had one is how far it still was.
TEST_CASE("A search for the least displacement that gives up says so") {
  const Linkage l = four_bar();
  const Equations eq = equations(l);
  State s = initial_guess(eq, 0);
  const Poses drawn = poses_at(eq, nodes_of(eq, s));
  Linearised lin(eq, Trace::nearest);
  const State start = s;
  const Displacement displacement(eq, drawn, start, nullptr);
  s.q[0] += 0.3;
  Consistency closed;
  REQUIRE(close_loops(eq, lin, s, {}, closed));
  State lost = s;
  CHECK(minimise(eq, displacement, lin, s, {}) == 0);
  CHECK(largest(difference(eq, s.q, start.q)) < 1e-9);
  lost.q[0] = std::nan("");
  CHECK(minimise(eq, displacement, lin, lost, {}) > 1);
}

TEST_CASE("Drives that contradict each other are reported by name") {
  Linkage l = four_bar();
  Linkage::drive(l.model->joints[0], "0*t");
  Linkage::drive(l.model->joints[2], "0.5*t");
  const Equations eq = equations(l);
  State s = initial_guess(eq, 0);
  CHECK(assemble(eq, s, {}).ok);  // at t = 0 both fit
  const Consistency c = fit_velocities(eq, s, {});
  CHECK(!c.ok);
  CHECK(has(c.problem, "No velocities satisfy all constraints"));
  CHECK(has(c.problem, "Check drives"));
  s.t = 1;  // later the positions do not fit either
  CHECK(!assemble(eq, s, {}).ok);
}

TEST_CASE("A drive sets its coordinate's position and velocity at the start time") {
  Linkage l = four_bar();
  Linkage::drive(l.model->joints[0], "0.3*t + 0.1*t^2");
  const Equations eq = equations(l);
  State s = initial_guess(eq, 0.5);
  REQUIRE(assemble(eq, s, {}).ok);
  REQUIRE(fit_velocities(eq, s, {}).ok);
  REQUIRE(eq.tree().driven.size() == 1);
  auto ws = eq.workspace();
  std::vector<double> g(eq.ng()), rate(eq.ng());
  eq.constraints(0.5, s.q, s.v, g, rate, ws);
  const auto& crank = ws.nodes[eq.tree().driven[0].node];
  CHECK(std::abs(crank.drive.value - 0.175) < 1e-15);
  CHECK(std::abs(crank.drive.rate - 0.4) < 1e-15);
  CHECK(std::abs(crank.drive.acceleration - 0.2) < 1e-15);
  for (int k = 0; k < eq.ng(); ++k) CHECK(std::abs(g[k]) + std::abs(rate[k]) < 1e-10);  // the others follow
}

TEST_CASE("Coordinates are found by name, with or without quantity") {
  const Linkage l = four_bar();
  using Found = std::vector<std::pair<int, int>>;
  CHECK(find_coordinates(*l.model, {"A.angle", "D"}, {}) == Found{{0, 0}, {2, 0}});
  CHECK(find_coordinates(*l.model, {"C.angle"}, {}) == Found{{3, 0}});  // although it is cut
  CHECK_THROWS_AS(find_coordinates(*l.model, {"A.angel"}, {}), ModelError);
}

TEST_CASE("Rank of a plane loop in space, and where it folds flat") {
  const Linkage l = four_bar();
  const Equations eq = equations(l);
  State s = initial_guess(eq, 0);
  REQUIRE(assemble(eq, s, {}).ok);
  const Rank r = find_rank(eq, s);
  CHECK(r.rank == 2);
  CHECK(r.here == 2);
  CHECK(r.independent.size() == 2);
  CHECK(r.redundant.size() == 3);
  CHECK(eq.tree().nv - r.rank == 1);
  for (int k : r.independent) CHECK(eq.rows()[k].name().find("displacement along") != std::string::npos);

  Linkage flat;  // a parallelogram, folded: crank, coupler and rocker on one line
  const int crank = flat.rod("crank", {0, 0, 0}, {1, 0, 0}), coupler = flat.rod("coupler", {1, 0, 0}, {3, 0, 0}),
            rocker = flat.rod("rocker", {2, 0, 0}, {3, 0, 0});
  flat.hinge("A", model::ground, crank, {0, 0, 0});
  flat.hinge("B", crank, coupler, {1, 0, 0});
  flat.hinge("D", model::ground, rocker, {2, 0, 0});
  flat.hinge("C", coupler, rocker, {3, 0, 0});
  const Equations folded = equations(flat);
  const State f = initial_guess(folded, 0);
  const Rank singular = find_rank(folded, f);
  CHECK(singular.here == 1);
  CHECK(singular.rank == 2);
}

TEST_CASE("The characteristic length is the mean distance of joints and masses from their centre, at least something") {
  Linkage l;
  CHECK(characteristic_length(*l.model) == 1.0);
  l.rod("a", {-1, 0, 0}, {1, 0, 0});
  CHECK(characteristic_length(*l.model) == 1.0);  // one point: no extent
  l.hinge("left", model::ground, 0, {-1, 0, 0});
  l.hinge("right", model::ground, 0, {1, 0, 0});  // points -1 -1 1 1 and the mass at 0
  CHECK(characteristic_length(*l.model) == doctest::Approx(0.8));
}

TEST_CASE("Ball joints start from Cardan angles and body rates, reversed ones too") {
  for (const bool reversed : {false, true}) {
    Linkage l;
    l.rod("top", {0, 0, 0}, {0, 0, 1});
    auto& ball = reversed ? l.ball("O", 0, model::ground, {0, 0, 0}) : l.ball("O", model::ground, 0, {0, 0, 0});
    for (int k = 0; k < 3; ++k) ball.position[k] = 0.2 + 0.3 * k, ball.velocity[k] = 1.0 - k;
    const Equations eq = equations(l);
    const State s = initial_guess(eq, 0);
    const Mat3d R = rotation_of(Quaternion<double>{s.q[0], s.q[1], s.q[2], s.q[3]}),
                wanted = cardan_rotation({0.2, 0.5, 0.8});
    const Mat3d turn = reversed ? transpose(R) : R;  // of `to` relative to `from`
    for (int i = 0; i < 3; ++i) CHECK(norm(turn[i] - wanted[i]) < 1e-15);
    // Angular velocity of `to` relative to `from` in axes of `to`.
    const Vec3d w{s.v[0], s.v[1], s.v[2]}, of_to = reversed ? -(R * w) : w;
    CHECK(norm(of_to - Vec3d{1, 0, -1}) < 1e-14);
  }
}
