// Reference: the same forces with all accelerations and reactions found.
#include "skyhook/formalism/led_drives.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/evaluator.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/formalism/recursive/equations.h"

using namespace skyhook;
using namespace skyhook::formalism;
using formalism::testing::Linkage;

namespace {

struct SpringLaw : model::WrenchLaw<SpringLaw> {
  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& w) const {
    w.f = T(-40.0) * m.r + T(-3.0) * m.v;
    w.n = T(-2.0) * m.w;
  }
};

model::Contribution spring(const std::string& name, int from, const Vec3d& from_at, int to, const Vec3d& to_at) {
  model::Contribution out;
  out.name = name;
  out.from.body = from, out.from.at = from_at, out.to.body = to, out.to.at = to_at;
  out.wrench = std::make_shared<SpringLaw>();
  return out;
}

// A lift and a turntable, each driven, and beside them a pendulum that springs tie to both, once from either side.
Linkage rig() {
  Linkage l;
  const int lift = l.rod("lift", {0, 0, 0}, {1, 0.5, 0}, 3), table = l.rod("table", {1, 0, 0}, {2, 1, 0}, 2);
  const int rod = l.rod("rod", {3, 0, 0}, {3, -1, 0});
  Linkage::drive(l.slide("guide", model::ground, lift, {0, 0, 0}, {0, 1, 0}), "0.2*sin(3*t)");
  Linkage::drive(l.hinge("turn", model::ground, table, {1, 0, 0}), "0.4*cos(2*t)");
  l.hinge("swing", model::ground, rod, {3, 0, 0});
  l.model->contributions.push_back(spring("of_table", table, {2, 1, 0}, rod, {3, -1, 0}));
  l.model->contributions.push_back(spring("of_lift", rod, {3, -0.5, 0}, lift, {1, 0.5, 0}));
  return l;
}

}  // namespace

TEST_CASE("Forces of drives that lead one body each: its inertia, its weight and the springs on it") {
  const Linkage l = rig();
  const auto eq = std::make_shared<EquationsOfMotion>(l.model, choose_tree(*l.model));
  REQUIRE(lead_single_bodies(*eq, {}));
  Evaluator full(eq, eq), led(eq, eq), at_sample(eq, eq);
  const std::vector<double> q(eq->nq(), 0.3), v(eq->nv(), -0.8);
  REQUIRE(full.evaluate(0.7, q, v) == Eval::ok);
  REQUIRE(led.evaluate_drives(0.7, q, v) == Eval::ok);
  REQUIRE(at_sample.evaluate(0.7, q, v, false) == Eval::ok);
  REQUIRE(full.now().drives.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(std::abs(full.now().drives[k]) > 1);
    CHECK(led.now().drives[k] == doctest::Approx(full.now().drives[k]).epsilon(1e-12));
    CHECK(at_sample.now().drives[k] == doctest::Approx(full.now().drives[k]).epsilon(1e-12));
  }
  CHECK(at_sample.now().a == full.now().a);
}

TEST_CASE("A drive that carries another, or stands on one, leads no single body") {
  Linkage l = rig();
  const int top = l.rod("top", {1, 0.5, 0}, {1, 2, 0});
  Linkage::drive(l.hinge("on_lift", 0, top, {1, 0.5, 0}), "t");
  const auto eq = std::make_shared<EquationsOfMotion>(l.model, choose_tree(*l.model));
  CHECK(!lead_single_bodies(*eq, {}));
  Evaluator full(eq, eq), led(eq, eq);
  const std::vector<double> q(eq->nq(), 0.3), v(eq->nv(), -0.8);
  REQUIRE(full.evaluate(0.7, q, v) == Eval::ok);
  REQUIRE(led.evaluate_drives(0.7, q, v) == Eval::ok);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(led.now().drives[k] == doctest::Approx(full.now().drives[k]).epsilon(1e-12));
}

// A pendulum with a rotor at its end, which spins and is tied to the ground by a spring; a second drive holds still.
TEST_CASE("Drives of last bodies: their forces follow from the accelerations there") {
  Linkage l;
  const int arm = l.rod("arm", {0, 0, 0}, {1, -0.4, 0}, 2), rotor = l.rod("rotor", {1, -0.4, 0}, {1.3, -0.2, 0}, 3);
  const int second = l.rod("second", {3, 0, 0}, {3, -1, 0}), held = l.rod("held", {3, -1, 0}, {4, -1, 0});
  l.hinge("swing", model::ground, arm, {0, 0, 0});
  Linkage::drive(l.hinge("spin", arm, rotor, {1, -0.4, 0}), "5*t + 0.3*t^2");
  l.hinge("other", model::ground, second, {3, 0, 0});
  Linkage::drive(l.hinge("lock", second, held, {3, -1, 0}), "0.2");
  l.model->contributions.push_back(spring("tie", model::ground, {2, 1, 0}, rotor, {1.3, -0.2, 0}));
  l.model->contributions.push_back(spring("back", rotor, {1.1, -0.3, 0}, second, {3, -0.5, 0}));
  const auto eq = std::make_shared<EquationsOfMotion>(l.model, choose_tree(*l.model));
  Evaluator full(eq, eq), last(eq, eq);
  const std::vector<double> q(eq->nq(), 0.3), v(eq->nv(), -0.8);
  REQUIRE(full.evaluate(0.7, q, v) == Eval::ok);
  REQUIRE(last.evaluate_drives(0.7, q, v) == Eval::ok);
  CHECK(end_in_single_bodies(*eq, last.now().nodes));
  CHECK(std::abs(full.now().drives[0]) > 1);
  CHECK(last.now().drives[0] == doctest::Approx(full.now().drives[0]).epsilon(1e-12));
  CHECK(last.now().drives[1] == 0);
  CHECK(last.now().nodes[1].a.x == doctest::Approx(full.now().nodes[1].a.x).epsilon(1e-12));
}
