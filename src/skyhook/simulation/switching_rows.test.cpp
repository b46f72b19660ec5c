// Snapshots and channels while rows that switch hold. References: statics by hand.
#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/recorder.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::Linkage;
using formalism::testing::Random;

namespace {

double value(const Snapshot& s, const std::string& name) {
  for (const auto& c : all_channels(s.equations())) {
    if (c.name == name) return c.value(s, {});
  }
  FAIL("no channel " << name);
  return 0;
}

struct Recorded : MemorySink {
  std::vector<double> forces, residuals;
  void sample(const Sample& s) override {
    forces.assign(s.forces.begin(), s.forces.end()), residuals.assign(s.residuals.begin(), s.residuals.end());
  }
};

// A block of 4 kg on four corners, its centre of mass 0.1 m off the middle along x; a fifth contact is open by 0.4 m.
std::shared_ptr<model::Model> block() {
  auto m = std::make_shared<model::Model>();
  m->gravity = {0, 0, -10};
  model::Body body;
  body.name = "block", body.mass = 4, body.com = {0.1, 0, 0}, body.inertia = Mat3d::diagonal({0.1, 0.2, 0.3});
  m->bodies.push_back(body);
  Random random(1);
  m->joints.push_back(formalism::testing::make_joint("free", "free", model::ground, 0, {}, random));
  for (const Vec3d at :
       {Vec3d{0.5, 0.3, -0.2}, {0.5, -0.3, -0.2}, {-0.5, 0.3, -0.2}, {-0.5, -0.3, -0.2}, {0, 0, 0.2}}) {
    model::Contribution contact;
    contact.name = "corner" + std::to_string(m->contributions.size());
    contact.from = {"", {}, model::ground, {0, 0, -0.25}, Mat3d::identity()};
    contact.to = {"", {}, 0, at, Mat3d::identity()};
    contact.row = {.kind = model::Row::Kind::plane, .holds = model::Row::Holds::pressed, .radius = 0.05};
    m->contributions.push_back(contact);
  }
  return m;
}

}  // namespace

// Three of the four closed rows are independent; of least size are forces that are linear over the corners:
// m g / 4 (1 +- e x / a^2) with e = 0.1, |x| = a = 0.5.
TEST_CASE("a block on four corners presses as statics of least size says; open contacts have a gap and no force") {
  const auto m = block();
  const auto topology = formalism::choose_tree(*m);
  const auto all = std::make_shared<Equations>(m, topology, std::vector<int>{0, 1, 2, 3});
  formalism::State state = formalism::initial_guess(*all, 0);
  const formalism::Rank rank = formalism::find_rank(*all, state);
  REQUIRE(rank.rank == 3);
  const auto active = std::make_shared<Equations>(m, topology, rank.independent);
  Evaluator evaluator(active, all);
  const Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate(0, state.q, state.v) == Eval::ok);
  for (int k = 0; k < 4; ++k) {
    const std::string name = "corner" + std::to_string(k);
    CHECK(value(s, name + ".force") == doctest::Approx(k < 2 ? 12.0 : 8.0).epsilon(1e-10));
    CHECK(std::abs(value(s, name + ".gap")) < 1e-15);
    CHECK(s.holds(k));
  }
  CHECK_FALSE(s.holds(4));
  CHECK(value(s, "corner4.gap") == doctest::Approx(0.4).epsilon(1e-14));
  CHECK(value(s, "corner4.force") == 0.0);
  CHECK(s.positions.size() == 5);
  CHECK(s.positions[4] == 0.0);
  CHECK(value(s, "block.az") == doctest::Approx(0.0));
}

TEST_CASE("with other contacts open rows keep their numbers") {
  const auto m = block();
  const auto topology = formalism::choose_tree(*m);
  const auto closed = std::make_shared<Equations>(m, topology, std::vector<int>{1, 2});
  formalism::State state = formalism::initial_guess(*closed, 0);
  Evaluator evaluator(closed, closed);
  const Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate(0, state.q, state.v) == Eval::ok);
  CHECK(value(s, "corner0.force") == 0.0);
  CHECK(value(s, "corner1.force") > 1.0);
  CHECK(value(s, "corner2.force") > 1.0);
  CHECK(std::abs(value(s, "corner1.gap")) < 1e-15);
  state.q[2] += 1e-3;  // residuals are told of the rows that hold
  REQUIRE(evaluator.evaluate(0, state.q, state.v) == Eval::ok);
  CHECK(s.positions[0] == 0.0);
  CHECK(s.positions[1] == doctest::Approx(1e-3).epsilon(1e-12));
  CHECK(s.positions[2] == doctest::Approx(1e-3).epsilon(1e-12));
}

// A slider of 2 kg on a slope with sin = 0.6 along its axis.
TEST_CASE("a slider that sticks is held by what pulls it down; one that slips feels the sliding force") {
  Linkage l;
  l.model->gravity = {0, -10, 0};
  const int rod = l.rod("block", {0, 0, 0}, {2, 0, 0});
  l.slide("rail", model::ground, rod, {0, 0, 0}, {0.8, 0.6, 0});
  struct Slip : model::CoordinateElement {
    double force(double, double, double, const model::Setting& set) const override { return set.mode == 2 ? -9 : 0; }
    Dual<2> force(const Dual<2>&, const Dual<2>&, double, const model::Setting& set) const override {
      return Dual<2>(set.mode == 2 ? -9.0 : 0.0);
    }
  };
  model::Contribution force;
  force.name = "brake", force.joint = 0, force.coordinate = std::make_shared<Slip>();
  force.row = {.kind = model::Row::Kind::sum, .holds = model::Row::Holds::stuck, .terms = {{0, 0, 1.0}}, .hold = 20};
  l.model->contributions.push_back(force);
  const auto topology = formalism::choose_tree(*l.model);
  auto held = std::make_shared<model::Held>(model::held_at_start(*l.model));
  held->offsets = {0.5};
  const std::vector<double> q{0.5}, v{0.0};
  const auto sticking = std::make_shared<Equations>(l.model, topology, std::vector<int>{0}, held);
  held->modes[0] = model::Stick::sticks;
  Evaluator evaluator(sticking, sticking);
  const Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate(0, q, v) == Eval::ok);
  CHECK(value(s, "brake.force") == doctest::Approx(12).epsilon(1e-13));
  CHECK(value(s, "brake.sticks") == 1.0);
  CHECK(std::abs(s.a[0]) < 1e-14);
  CHECK(s.positions[0] == 0.0);
  Recorded sink;
  const std::vector<Channel> channels = all_channels(*sticking);
  Recorder recorder(*sticking, channels, sink, true);
  REQUIRE(recorder.record(evaluator, 0, q, v, 1e-3, {}));
  CHECK(sink.forces.at(0) == doctest::Approx(12 * 0.8).epsilon(1e-13));
  CHECK(sink.forces.at(1) == doctest::Approx(12 * 0.6).epsilon(1e-13));
  CHECK(sink.residuals == std::vector<double>{0, 0});
  held->modes[0] = model::Stick::slips_up;
  const auto slipping = std::make_shared<Equations>(l.model, topology, std::nullopt, held);
  Evaluator free_at(slipping, slipping);
  const Snapshot& free = free_at.now();
  REQUIRE(free_at.evaluate(0, q, v) == Eval::ok);
  CHECK(value(free, "brake.force") == -9);
  CHECK(value(free, "brake.sticks") == 0.0);
  CHECK(free.a[0] == doctest::Approx(-(12.0 + 9.0) / 2).epsilon(1e-13));
}

TEST_CASE("a joint with stick-slip stands in the tree, unless the user cuts it") {
  Linkage l = formalism::testing::four_bar();
  const int cut = formalism::choose_tree(*l.model).cuts.at(0);
  model::Contribution brake;
  brake.name = "brake", brake.joint = cut;
  brake.row = {.kind = model::Row::Kind::sum, .holds = model::Row::Holds::stuck, .terms = {{cut, 0, 1.0}}, .hold = 1};
  l.model->contributions.push_back(brake);
  const auto topology = formalism::choose_tree(*l.model);
  REQUIRE(topology.cuts.size() == 1);
  CHECK(topology.cuts[0] != cut);
  l.model->joints[static_cast<std::size_t>(cut)].cut = true;
  CHECK(formalism::choose_tree(*l.model).cuts == std::vector<int>{cut});
}
