// Many contacts that close one after the other: what is kept, and what stays as it was.
#include "skyhook/simulation/switched_rows.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/assembly.h"
#include "skyhook/formalism/fit_velocities.h"
#include "skyhook/formalism/impact.h"
#include "skyhook/formalism/random_model.testing.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::Random;

namespace {

// Balls of 1 kg above the ground, each by itself.
std::shared_ptr<model::Model> balls(int count) {
  auto m = std::make_shared<model::Model>();
  m->gravity = {0, 0, -10};
  Random random(1);
  for (int k = 0; k < count; ++k) {
    model::Body body;
    body.name = "ball" + std::to_string(k), body.mass = 1, body.com = body.at = {0.2 * k, 0, 1};
    body.inertia = Mat3d::diagonal({0.001, 0.001, 0.001});
    m->bodies.push_back(body);
    m->joints.push_back(
        formalism::testing::make_joint("free" + std::to_string(k), "free", model::ground, k, body.at, random));
    model::Contribution contact;
    contact.name = "contact" + std::to_string(k);
    contact.from = {"", {}, model::ground, {}, Mat3d::identity()};
    contact.to = {"", {}, k, body.at, Mat3d::identity()};
    contact.row = {.kind = model::Row::Kind::plane, .holds = model::Row::Holds::pressed, .radius = 0.05};
    m->contributions.push_back(contact);
  }
  return m;
}

}  // namespace

TEST_CASE("Balls land one after the other: few equations are kept, and the others fall on as they did") {
  constexpr int count = 40;  // with its rows more than `many` unknowns: sparse
  const auto m = balls(count);
  model::Experiment experiment;
  experiment.until = 1;
  const Prepared p = prepare(m, experiment);
  REQUIRE(p.ok());
  const auto held = std::make_shared<model::Held>(model::held_at_start(*m));
  SwitchedRows rows(p, held, 1, 1e-6);
  formalism::State s = p.state;
  std::vector<Happened> log;
  REQUIRE(rows.begin(s, log));
  for (int k = 0; k < count; ++k) s.v[6 * k + 2] = -1 - 0.01 * k;
  for (int k = 0; k < count; ++k) {
    CAPTURE(k);
    s.q[7 * k + 2] = -0.95;  // it touches
    std::vector<char> fallen(count, 0);
    fallen[k] = 1;
    const formalism::State before = s;
    REQUIRE(rows.change_contacts(fallen, s, log) == SwitchedRows::Outcome::rows);
    CHECK(std::abs(s.v[6 * k + 2]) < 1e-12);
    // The fit of velocities has a trace of inertia, 1e-13, at rest.
    for (int i = k + 1; i < count; ++i) CHECK(std::abs(s.v[6 * i + 2] - before.v[6 * i + 2]) < 1e-12);
    const auto now = rows.equations(s);
    CHECK(now.active->ng() == k + 1);
    CHECK(rows.kept() <= SwitchedRows::most_kept);
  }
  CHECK(rows.kept() == SwitchedRows::most_kept);
  // What is asked for again is what was there.
  CHECK(rows.equations(s).active == rows.equations(s).active);
}

// Two routes: a step of Newton's method where the rows are open by what the search for an event leaves, and the fit from any distance. The
// contact is beside the centre of mass, so that the ball turns where it is lifted.
TEST_CASE("A contact that closes is fitted nearby as it is from afar") {
  const auto m = balls(2);
  m->contributions[0].to.at += Vec3d{0.03, 0.02, 0};
  model::Experiment experiment;
  experiment.until = 1;
  const Prepared p = prepare(m, experiment);
  REQUIRE(p.ok());
  for (const double open : {1e-13, 1e-11, 5e-9, 1e-6}) {
    CAPTURE(open);
    SwitchedRows rows(p, std::make_shared<model::Held>(model::held_at_start(*m)), 1, 1e-6);
    formalism::State s = p.state;
    std::vector<Happened> log;
    REQUIRE(rows.begin(s, log));
    s.q[2] = -0.95 - open;
    s.v[0] = 0.3, s.v[2] = -2, s.v[3] = 1, s.v[4] = 2, s.v[5] = 3;
    formalism::State reference = s;
    reference.v = formalism::impact(*p.all, s, {{0, 0.0}}).v;
    REQUIRE(rows.change_contacts({1, 0}, s, log) == SwitchedRows::Outcome::rows);
    const Equations& all = *rows.equations(s).all;
    REQUIRE(formalism::assemble(all, reference, {}).ok);
    REQUIRE(formalism::fit_velocities(all, reference, {}).ok);
    for (std::size_t i = 0; i < s.q.size(); ++i) CHECK(std::abs(s.q[i] - reference.q[i]) < 1e-12);
    for (std::size_t i = 0; i < s.v.size(); ++i) CHECK(std::abs(s.v[i] - reference.v[i]) < 1e-11);
  }
}
