// References: exact formulas of straight impacts, statics by hand, energy and constraints as invariants, and the accelerations of
// AccelerationSolver as another route.
#include "skyhook/formalism/impact.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/dense.h"
#include "skyhook/model/surface.h"

using namespace skyhook;
using namespace skyhook::formalism;
using formalism::recursive::Equations;
using formalism::testing::Linkage;
using formalism::testing::Random;

namespace {

model::Marker on(int body, const Vec3d& at) { return {"", {}, body, at, Mat3d::identity()}; }

model::Contribution contact(const model::Marker& from, const model::Marker& to, double radius = 0) {
  model::Contribution c;
  c.name = "contact", c.from = from, c.to = to;
  c.row = {.kind = model::Row::Kind::plane, .holds = model::Row::Holds::pressed, .radius = radius};
  return c;
}

int add_free_body(model::Model& m, double mass, const Vec3d& at, const Mat3d& inertia) {
  Random random(1);
  model::Body body;
  const int index = static_cast<int>(m.bodies.size());
  body.name = "body" + std::to_string(index), body.mass = mass, body.at = body.com = at, body.inertia = inertia;
  m.bodies.push_back(body);
  m.joints.push_back(
      formalism::testing::make_joint("free" + std::to_string(index), "free", model::ground, index, at, random));
  return index;
}

// Balls of radius 0.1 in a row along x, on sliders, touching each other.
std::shared_ptr<model::Model> row_of_balls(const std::vector<double>& masses) {
  Linkage l;
  for (std::size_t k = 0; k < masses.size(); ++k) {
    const Vec3d at{0.2 * static_cast<double>(k), 0, 0};
    const int b = l.rod("ball" + std::to_string(k), at, at + Vec3d{1, 0, 0}, masses[k]);
    l.slide("rail" + std::to_string(k), model::ground, b, at, {1, 0, 0});
    if (k == 0) continue;
    model::Contribution c = contact(on(b - 1, at - Vec3d{0.2, 0, 0}), on(b, at), 0.1);
    c.row->kind = model::Row::Kind::distance, c.row->length = 0.2;
    l.model->contributions.push_back(c);
  }
  return l.model;
}

struct Case {
  std::shared_ptr<model::Model> model;
  Equations eq;
  State state;
  explicit Case(std::shared_ptr<model::Model> m)
      : model(std::move(m)), eq(model, choose_tree(*model)), state(initial_guess(eq, 0)) {}
  std::vector<Touching> all(double e) const {
    std::vector<Touching> out;
    for (std::size_t k = 0; k < eq.contacts().size(); ++k) out.push_back({static_cast<int>(k), e});
    return out;
  }
  std::vector<double> rates(const std::vector<double>& v) {
    auto ws = eq.workspace();
    std::vector<double> g(eq.ng()), rate(eq.ng());
    eq.constraints(state.t, state.q, v, g, rate, ws);
    return rate;
  }
  std::vector<double> gap_rates(const std::vector<double>& v) {
    auto ws = eq.workspace();
    std::vector<double> gap(eq.contacts().size()), rate(gap.size());
    eq.contact_motion(state.t, state.q, v, gap, rate, ws);
    return rate;
  }
};

// Random bodies with loops that are closed at the design position, contacts anywhere between them.
Case closed_loops(unsigned seed, int contacts, bool driven = false) {
  auto m = formalism::testing::random_model(
      seed, {.bodies = 7, .loops = 2, .couplers = 1, .drives = driven ? 2 : 0, .contacts = contacts});
  for (auto& joint : m->joints) joint.at_to = joint.at_from;
  Case c(m);
  Random random(seed + 77);
  for (double& v : c.state.v) v = random(-2, 2);
  const bool ok = assemble(c.eq, c.state, {}).ok && fit_velocities(c.eq, c.state, {}).ok;
  REQUIRE((ok || driven));  // drives may contradict the loops
  if (!ok) c.model.reset();
  return c;
}

double largest_of(const std::vector<double>& x) { return x.empty() ? 0.0 : largest(x); }

}  // namespace

TEST_CASE("a ball on a plane: the normal speed turns round e times, all else stays") {
  auto m = std::make_shared<model::Model>();
  const int ball = add_free_body(*m, 2, {0, 0, 0.1}, Mat3d::diagonal({0.01, 0.01, 0.01}));
  m->contributions.push_back(contact(on(model::ground, {}), on(ball, {0, 0, 0.1}), 0.1));
  Case c(m);
  c.state.v = {1, 2, -3, 0.4, 0.5, 0.6};
  for (const double e : {0.0, 0.3, 1.0}) {
    const Impact i = impact(c.eq, c.state, c.all(e));
    REQUIRE(i.ok);
    CHECK(i.v[2] == doctest::Approx(3 * e).epsilon(1e-15));
    CHECK(i.impulses[0] == doctest::Approx(2 * 3 * (1 + e)).epsilon(1e-15));
    for (const int k : {0, 1, 3, 4, 5}) CHECK(std::abs(i.v[k] - c.state.v[k]) < 1e-15);
    CHECK(i.kinetic_before - i.kinetic_after == doctest::Approx(9 * (1 - e * e)).epsilon(1e-14));
  }
  c.state.v[2] = 3;  // it leaves already
  CHECK(impact(c.eq, c.state, c.all(1)).impulses[0] == 0);
  CHECK(impact(c.eq, c.state, c.all(1)).v == c.state.v);
}

// A centre of mass off the line of the contact: p = -(1 + e) u / (1/m + d^2 / I).
TEST_CASE("an eccentric blow also turns the body") {
  auto m = std::make_shared<model::Model>();
  const int rod = add_free_body(*m, 3, {}, Mat3d::diagonal({0.1, 0.5, 0.5}));
  m->contributions.push_back(contact(on(model::ground, {}), on(rod, {0.7, 0, 0})));
  Case c(m);
  c.state.v = {0, 0, -2, 0, 0, 0};
  const Impact i = impact(c.eq, c.state, c.all(0.5));
  const double p = 1.5 * 2 / (1.0 / 3 + 0.7 * 0.7 / 0.5);
  CHECK(i.impulses[0] == doctest::Approx(p).epsilon(1e-14));
  CHECK(i.v[2] == doctest::Approx(-2 + p / 3).epsilon(1e-14));
  CHECK(i.v[4] == doctest::Approx(-0.7 * p / 0.5).epsilon(1e-14));
}

TEST_CASE("two balls exchange what the formulas of the straight impact say") {
  Case c(row_of_balls({2, 5}));
  c.state.v = {4, -1};
  for (const double e : {0.0, 0.6, 1.0}) {
    const Impact i = impact(c.eq, c.state, c.all(e));
    REQUIRE(i.ok);
    const double p = (1 + e) * 5 * (2.0 * 5 / 7);
    CHECK(i.v[0] == doctest::Approx(4 - p / 2).epsilon(1e-14));
    CHECK(i.v[1] == doctest::Approx(-1 + p / 5).epsilon(1e-14));
  }
}

// What the law gives, not what a cradle of steel balls does (0, 0, 1): all contacts act at once.
TEST_CASE("Newton's cradle of three balls that touch: (-1/3, 2/3, 2/3), and for e = 0 all go on together") {
  Case c(row_of_balls({1, 1, 1}));
  c.state.v = {1, 0, 0};
  const Impact elastic = impact(c.eq, c.state, c.all(1));
  REQUIRE(elastic.ok);
  CHECK(elastic.v[0] == doctest::Approx(-1.0 / 3).epsilon(1e-14));
  CHECK(elastic.v[1] == doctest::Approx(2.0 / 3).epsilon(1e-14));
  CHECK(elastic.v[2] == doctest::Approx(2.0 / 3).epsilon(1e-14));
  CHECK(elastic.kinetic_after == doctest::Approx(elastic.kinetic_before).epsilon(1e-14));
  const Impact plastic = impact(c.eq, c.state, c.all(0));
  for (const double v : plastic.v) CHECK(v == doctest::Approx(1.0 / 3).epsilon(1e-14));
}

// Balls two and three part at 0.1 when the first arrives. Newton's law alone gives (-0.3, 0.7, 0.7): 1.07 from 1.01.
TEST_CASE("where contacts that part are hit as well, no energy is gained") {
  Case c(row_of_balls({1, 1, 1}));
  c.state.v = {1, 0, 0.1};
  const Impact i = impact(c.eq, c.state, c.all(1));
  REQUIRE(i.ok);
  CHECK(i.lowered < 1);
  CHECK(i.lowered > 0.9);
  CHECK(i.kinetic_after == doctest::Approx(i.kinetic_before).epsilon(1e-13));
  CHECK(i.v[0] + i.v[1] + i.v[2] == doctest::Approx(1.1).epsilon(1e-14));
  CHECK(i.v[1] == doctest::Approx(i.v[2]).epsilon(1e-13));
  CHECK(impact(c.eq, c.state, c.all(0.5)).lowered == 1);
}

TEST_CASE("a box that falls flat on four corners stops or turns round as a whole, though its forces are not unique") {
  auto m = std::make_shared<model::Model>();
  const int box = add_free_body(*m, 4, {0, 0, 0.2}, Mat3d::diagonal({0.1, 0.2, 0.3}));
  for (const Vec3d at : {Vec3d{0.5, 0.3, 0}, {0.5, -0.3, 0}, {-0.5, 0.3, 0}, {-0.5, -0.3, 0}})
    m->contributions.push_back(contact(on(model::ground, {}), on(box, at)));
  Case c(m);
  c.state.v = {0.3, 0, -2, 0, 0, 0.5};
  for (const double e : {0.0, 0.5, 1.0}) {
    const Impact i = impact(c.eq, c.state, c.all(e));
    REQUIRE(i.ok);
    CHECK(std::abs(i.v[2] - 2 * e) < 1e-13);
    for (const int k : {3, 4}) CHECK(std::abs(i.v[k]) < 1e-13);
    double sum = 0;
    for (const double p : i.impulses) sum += p;
    CHECK(sum == doctest::Approx(4 * 2 * (1 + e)).epsilon(1e-13));
  }
  c.state.v = {0, 0, 0, 0, 1.0, 0};  // rocks about its middle: two corners meet, two part
  const Impact rocking = impact(c.eq, c.state, c.all(0));
  REQUIRE(rocking.ok);
  for (const double rate : c.gap_rates(rocking.v)) CHECK(rate > -1e-14);
  CHECK(rocking.kinetic_after < rocking.kinetic_before);
}

TEST_CASE("a four-bar that is hit stays together: positions untouched, G v = 0, and N v = -e N v") {
  Linkage l = testing::four_bar();
  l.model->contributions.push_back(
      contact({"", {}, model::ground, {}, axis_rotation(Vec3d{1, 0, 0}, -1.2)}, on(1, {0.3, 0.9, 0})));
  Case c(l.model);
  REQUIRE(assemble(c.eq, c.state, {}).ok);
  for (const double direction : {1.0, -1.0}) {
    c.state.v.assign(c.eq.nv(), 0.0);
    c.state.v[0] = 3 * direction;
    REQUIRE(fit_velocities(c.eq, c.state, {0}).ok);
    const double meets = c.gap_rates(c.state.v)[0];
    for (const double e : {0.0, 0.3, 1.0}) {
      const Impact i = impact(c.eq, c.state, c.all(e));
      REQUIRE(i.ok);
      CHECK(largest_of(c.rates(i.v)) < 1e-13);
      if (meets > 0) {
        CHECK(i.impulses[0] == 0);
        continue;
      }
      CHECK(i.impulses[0] > 0);
      CHECK(std::abs(c.gap_rates(i.v)[0] + e * meets) < 1e-12 * std::abs(meets));
      // One degree of freedom: kinetic energy goes with the square of any speed.
      CHECK(std::abs(i.kinetic_after - e * e * i.kinetic_before) < 1e-12 * i.kinetic_before);
    }
  }
}

TEST_CASE("random closed loops: constraints hold, no contact closes further, energy is never gained") {
  int hits = 0, several = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Case c = closed_loops(seed, 4);
    const double size = 1 + largest(c.state.v);
    for (const double e : {0.0, 0.3, 1.0}) {
      CAPTURE(seed);
      CAPTURE(e);
      const Impact i = impact(c.eq, c.state, c.all(e));
      if (!i.ok) continue;  // the constraints press a contact: counted below
      int pushing = 0;
      for (const double p : i.impulses) CHECK(p >= 0), pushing += p > 0;
      hits += pushing > 0, several += pushing > 1;
      CHECK(largest_of(c.rates(i.v)) < 1e-11 * size);
      for (const double rate : c.gap_rates(i.v)) CHECK(rate > -1e-10 * size);
      CHECK(i.kinetic_after <= i.kinetic_before * (1 + 1e-11));  // as well as the constraints hold
    }
  }
  CHECK(hits > 100);
  CHECK(several > 30);
}

TEST_CASE("one elastic contact of random closed loops keeps the energy; the impulses are M (v+ - v-)") {
  int hits = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Case c = closed_loops(seed, 1);
    const Impact i = impact(c.eq, c.state, c.all(1));
    CAPTURE(seed);
    REQUIRE(i.ok);
    CHECK(std::abs(i.kinetic_after - i.kinetic_before) < 1e-12 * i.kinetic_before);
    if (i.impulses[0] == 0) continue;
    ++hits;
    auto ws = c.eq.workspace();
    Csc mass(std::make_shared<const Pattern>(c.eq.mass_pattern()));
    Csc jacobian(std::make_shared<const Pattern>(c.eq.constraint_pattern()));
    c.eq.matrices(0, c.state.q, {mass.value, jacobian.value}, ws);
    Vector change = i.v, row(c.eq.nv());
    for (std::size_t k = 0; k < change.size(); ++k) change[k] -= c.state.v[k];
    c.eq.contact_row(0, 0, c.state.q, row, ws);
    Vector left = DenseMatrix(mass) * change;
    for (std::size_t k = 0; k < left.size(); ++k) left[k] -= i.impulses[0] * row[k];
    const DenseMatrix Gt = transpose(DenseMatrix(jacobian));
    const Vector along = Gt * LeastNorm(Gt, 1e-10).solve(left);  // what is left is G^T Lambda
    for (std::size_t k = 0; k < left.size(); ++k) CHECK(std::abs(left[k] - along[k]) < 1e-10 * (1 + largest(left)));
  }
  CHECK(hits > 15);
}

TEST_CASE("drives go on through an impact") {
  int hits = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    Case c = closed_loops(seed, 1, true);
    if (!c.model) continue;
    const double meets = c.gap_rates(c.state.v)[0];
    const Impact i = impact(c.eq, c.state, c.all(0.5));
    if (!i.ok) continue;
    CHECK(largest_of(c.rates(i.v)) < 1e-10 * (1 + largest(c.state.v)));
    if (i.impulses[0] == 0) continue;
    ++hits;
    CHECK(c.gap_rates(i.v)[0] == doctest::Approx(-0.5 * meets).epsilon(1e-8));
  }
  CHECK(hits > 5);
}

TEST_CASE("a contact that a drive presses together is told, not solved") {
  auto m = row_of_balls({1});
  m->contributions.push_back(
      contact({"", {}, model::ground, {1, 0, 0}, axis_rotation(Vec3d{0, 1, 0}, -std::acos(0.0))}, on(0, {1, 0, 0})));
  Linkage::drive(m->joints[0], "2*t");
  Case c(m);
  const Impact i = impact(c.eq, c.state, c.all(0));
  CHECK_FALSE(i.ok);
  CHECK(i.problem.find("contact") != std::string::npos);
}

TEST_CASE("a ball at rest stays closed and carries its weight; pulled up it opens") {
  auto m = std::make_shared<model::Model>();
  m->gravity = {0, 0, -10};
  const int ball = add_free_body(*m, 2, {0, 0, 0.1}, Mat3d::diagonal({0.01, 0.01, 0.01}));
  m->contributions.push_back(contact(on(model::ground, {}), on(ball, {0, 0, 0.1}), 0.1));
  Case c(m);
  const Closing rest = stays_closed(c.eq, c.state, {0});
  REQUIRE(rest.ok);
  CHECK(rest.stays[0]);
  CHECK(rest.forces[0] == doctest::Approx(20).epsilon(1e-14));
  m->gravity = {0, 0, 10};
  const Closing up = stays_closed(c.eq, c.state, {0});
  REQUIRE(up.ok);
  CHECK_FALSE(up.stays[0]);
  CHECK(up.accelerations[0] == doctest::Approx(10).epsilon(1e-14));
}

// Uniform rod of 2 m, I = m/3: supports 0.1 and 0.5 m to one side of its middle. The nearer one bears m g / 1.03.
TEST_CASE("of two supports on one side of the middle the farther one lifts") {
  auto m = std::make_shared<model::Model>();
  m->gravity = {0, 0, -10};
  const int rod = add_free_body(*m, 3, {}, Mat3d::diagonal({0.01, 1, 1}));
  for (const double x : {0.5, 0.1}) m->contributions.push_back(contact(on(model::ground, {}), on(rod, {x, 0, 0})));
  Case c(m);
  const Closing tips = stays_closed(c.eq, c.state, {0, 1});
  REQUIRE(tips.ok);
  CHECK_FALSE(tips.stays[0]);
  CHECK(tips.stays[1]);
  CHECK(tips.forces[1] == doctest::Approx(30 / 1.03).epsilon(1e-14));
  CHECK(tips.accelerations[0] == doctest::Approx(10 * (1.15 / 1.03 - 1)).epsilon(1e-13));
}

TEST_CASE("a box at rest on four corners stays on all of them") {
  auto m = std::make_shared<model::Model>();
  m->gravity = {0, 0, -10};
  const int box = add_free_body(*m, 4, {0, 0, 0.2}, Mat3d::diagonal({0.1, 0.2, 0.3}));
  for (const Vec3d at : {Vec3d{0.5, 0.3, 0}, {0.5, -0.3, 0}, {-0.5, 0.3, 0}, {-0.5, -0.3, 0}})
    m->contributions.push_back(contact(on(model::ground, {}), on(box, at)));
  Case c(m);
  const Closing rest = stays_closed(c.eq, c.state, {0, 1, 2, 3});
  REQUIRE(rest.ok);
  for (int k = 0; k < 4; ++k) CHECK(rest.stays[k]);
}

// A ball of radius 0.5 over the top of a hill of radius 2: it leaves where v^2 / 2.5 > g.
TEST_CASE("over a hill the speed decides") {
  auto m = std::make_shared<model::Model>();
  m->gravity = {0, 0, -10};
  const int ball = add_free_body(*m, 2, {0, 0, 2.5}, Mat3d::diagonal({0.01, 0.01, 0.01}));
  model::Contribution hill = contact(on(model::ground, {}), on(ball, {0, 0, 2.5}), 0.5);
  hill.row->kind = model::Row::Kind::profile;
  hill.row->surface = std::make_shared<model::Surface>(
      model::Curve(expression::Expression::compile("sqrt(4 - x^2)", {{{"x", {}}}, {}}, {})));
  m->contributions.push_back(hill);
  Case c(m);
  c.state.v[0] = 4;
  const Closing slow = stays_closed(c.eq, c.state, {0});
  REQUIRE(slow.ok);
  CHECK(slow.stays[0]);
  CHECK(slow.forces[0] == doctest::Approx(2 * (10 - 16 / 2.5)).epsilon(1e-13));
  c.state.v[0] = 6;
  const Closing fast = stays_closed(c.eq, c.state, {0});
  CHECK_FALSE(fast.stays[0]);
  CHECK(fast.accelerations[0] == doctest::Approx(36 / 2.5 - 10).epsilon(1e-13));
}

struct Dome final : model::Relief {
  model::Bend at(double x, double y) const override {
    const double h = std::sqrt(4 - x * x - y * y);
    return {h, -x / h, -y / h, -1 / h - x * x / (h * h * h), -x * y / (h * h * h), -1 / h - y * y / (h * h * h)};
  }
  bool varies_across() const override { return true; }
};

// The same over a dome, in any direction.
TEST_CASE("over a dome the speed decides, whatever its direction") {
  auto m = std::make_shared<model::Model>();
  m->gravity = {0, 0, -10};
  const int ball = add_free_body(*m, 2, {0, 0, 2.5}, Mat3d::diagonal({0.01, 0.01, 0.01}));
  model::Contribution dome = contact(on(model::ground, {}), on(ball, {0, 0, 2.5}), 0.5);
  dome.row->kind = model::Row::Kind::profile;
  dome.row->surface = std::make_shared<model::Surface>(model::Surface::Parts{.reliefs = {std::make_shared<Dome>()}});
  m->contributions.push_back(dome);
  Case c(m);
  for (const double angle : {0.0, 0.7, 1.6, 3.0}) {
    c.state.v[0] = 4 * std::cos(angle), c.state.v[1] = 4 * std::sin(angle);
    const Closing slow = stays_closed(c.eq, c.state, {0});
    REQUIRE(slow.ok);
    CHECK(slow.stays[0]);
    CHECK(slow.forces[0] == doctest::Approx(2 * (10 - 16 / 2.5)).epsilon(1e-11));
  }
}

// The force of a contact that stays is the multiplier of its row, found by sparse LU.
TEST_CASE("forces of contacts that stay are those of the accelerations with their rows") {
  int compared = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Case c = closed_loops(seed, 1);
    const Closing closing = stays_closed(c.eq, c.state, {0});
    REQUIRE(closing.ok);
    const Rank rank = find_rank(c.eq, c.state);
    if (closing.forces[0] == 0 || rank.here < rank.rank) continue;
    std::vector<int> rows = rank.independent;
    rows.push_back(c.eq.switch_rows()[0].row);
    const Equations closed(c.model, c.eq.topology(), rows);
    AccelerationSolver solver(closed);
    auto ws = closed.workspace();
    std::vector<double> a(closed.nv()), lambda(closed.ng());
    REQUIRE(solver.solve(0, c.state.q, c.state.v, a, lambda, ws) == Eval::ok);
    ++compared;
    CHECK(-lambda.back() == doctest::Approx(closing.forces[0]).epsilon(1e-9));
  }
  CHECK(compared > 10);
}
