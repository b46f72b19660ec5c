// Reactions of statically indeterminate supports: of all distributions in balance the one of least size, moments divided by the
// characteristic length of the model.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/simulation/channels.h"

using namespace skyhook;

namespace {

struct Supports {
  simulation::Prepared prepared;
  std::unique_ptr<simulation::Evaluator> evaluator;
  double length;
  double force(const std::string& joint, int axis) const { return value(joint, axis); }
  double moment(const std::string& joint, int axis) const { return value(joint, 3 + axis); }

 private:
  double value(const std::string& joint, int k) const {
    const auto& joints = prepared.model->joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].name == joint) return evaluator->now().reactions[6 * j + static_cast<std::size_t>(k)];
    }
    FAIL("no joint " << joint);
    return 0;
  }
};

Supports at_rest(const std::string& text) {
  const auto loaded = testing::load_text("skyhook: 1\ngravity: 10\n" + text);
  Supports s{simulation::prepare(loaded.model, loaded.experiment), nullptr,
             formalism::characteristic_length(*loaded.model)};
  REQUIRE_MESSAGE(s.prepared.ok(), s.prepared.problem());
  s.evaluator = std::make_unique<simulation::Evaluator>(s.prepared.active, s.prepared.all);
  REQUIRE_MESSAGE(s.evaluator->evaluate(0, s.prepared.state.q, s.prepared.state.v) == Eval::ok, s.evaluator->blame());
  return s;
}

// Algebra on numbers of order 100: rounding only.
const double rounding = 1e-9;

}  // namespace

TEST_CASE("A beam clamped at both ends: half the weight on each side, and no moments") {
  const auto s = at_rest(
      "bodies:\n  beam: {mass: 8, inertia: [1, 1, 1], at: [0, 0, 0]}\njoints:\n"
      "  left: {type: fixed, from: ground, to: beam, at: [-2, 0, 0]}\n  right: {type: fixed, from: ground, to: beam, "
      "at: [2, 0, 0]}\n");
  CHECK(s.prepared.degrees_of_freedom() == 0);
  CHECK(s.prepared.rank.redundant.size() == 6);
  for (const char* joint : {"left", "right"}) {
    CHECK(std::abs(s.force(joint, 2) - 40) < rounding);
    for (int k : {0, 1}) CHECK(std::abs(s.force(joint, k)) < rounding);
    for (int k : {0, 1, 2}) CHECK(std::abs(s.moment(joint, k)) < rounding);
  }
}

TEST_CASE("A beam clamped at both ends, its weight off the middle") {
  // With supports at -d and d, weight W at c and forces fl, fr, moments m each about y:
  //   fl + fr = W,  d (fr - fl) - 2 m = W c,  fl^2 + fr^2 + 2 m^2 / L^2 = least
  // so fr - fl = d k, m = -L^2 k / 2 with k = W c / (d^2 + L^2).
  const auto s = at_rest(
      "bodies:\n  beam: {mass: 8, inertia: [1, 1, 1], at: [0.5, 0, 0]}\njoints:\n"
      "  left: {type: fixed, from: ground, to: beam, at: [-2, 0, 0]}\n  right: {type: fixed, from: ground, to: beam, "
      "at: [2, 0, 0]}\n");
  const double W = 80, c = 0.5, d = 2, L = s.length, k = W * c / (d * d + L * L);
  CHECK(std::abs(s.force("right", 2) - (W + d * k) / 2) < rounding);
  CHECK(std::abs(s.force("left", 2) - (W - d * k) / 2) < rounding);
  // A positive moment about y turns x towards -z: it lowers the right end, so the supports' moment against the load is -.
  CHECK(std::abs(s.moment("right", 1) + L * L * k / 2) < rounding);
  CHECK(std::abs(s.moment("left", 1) + L * L * k / 2) < rounding);
}

TEST_CASE("A table on four ball joints: a quarter each when the weight is central") {
  const auto s = at_rest(
      "bodies:\n  table: {mass: 20, inertia: [1, 2, 3], at: [0, 0, 0.7]}\njoints:\n"
      "  a: {type: spherical, from: ground, to: table, at: [0.6, 0.4, 0]}\n  b: {type: spherical, from: ground, to: "
      "table, at: [-0.6, 0.4, 0]}\n"
      "  c: {type: spherical, from: ground, to: table, at: [-0.6, -0.4, 0]}\n  d: {type: spherical, from: ground, to: "
      "table, at: [0.6, -0.4, 0]}\n");
  CHECK(s.prepared.degrees_of_freedom() == 0);
  CHECK(s.prepared.rank.rank == 3);
  CHECK(s.prepared.rank.redundant.size() == 6);
  for (const char* leg : {"a", "b", "c", "d"}) {
    CHECK(std::abs(s.force(leg, 2) - 50) < rounding);
    for (int k : {0, 1}) CHECK(std::abs(s.force(leg, k)) < rounding);
  }
}

TEST_CASE("A table on four ball joints, its weight off the centre") {
  // Least squares under balance gives f_i = W/4 e_z + b x r_i; on a rectangle 2p x 2q the moment W (cy, -cx, 0) needs
  // b = W (cy / 4q^2, -cx / 4p^2, 0), so that f_i = W/4 (1 + cx x_i / p^2 + cy y_i / q^2), vertical.
  const auto s = at_rest(
      "bodies:\n  table: {mass: 20, inertia: [1, 2, 3], at: [0.3, -0.1, 0.7]}\njoints:\n"
      "  a: {type: spherical, from: ground, to: table, at: [0.6, 0.4, 0]}\n  b: {type: spherical, from: ground, to: "
      "table, at: [-0.6, 0.4, 0]}\n"
      "  c: {type: spherical, from: ground, to: table, at: [-0.6, -0.4, 0]}\n  d: {type: spherical, from: ground, to: "
      "table, at: [0.6, -0.4, 0]}\n");
  auto expected = [](double x, double y) { return 50 * (1 + 0.3 * x / 0.36 - 0.1 * y / 0.16); };
  CHECK(std::abs(s.force("a", 2) - expected(0.6, 0.4)) < rounding);
  CHECK(std::abs(s.force("b", 2) - expected(-0.6, 0.4)) < rounding);
  CHECK(std::abs(s.force("c", 2) - expected(-0.6, -0.4)) < rounding);
  CHECK(std::abs(s.force("d", 2) - expected(0.6, -0.4)) < rounding);
}

TEST_CASE("A door on two hinges of one axis") {
  // Weight W at distance c from the axis, hinges 2 d apart: the vertical force is shared, and a horizontal couple F with
  // moments m balances W c = 2 d F + 2 m with 2 F^2 + 2 m^2 / L^2 least: F = 2 d k, m = 2 L^2 k, k = W c / 4 (d^2 + L^2).
  const auto s = at_rest(
      "bodies:\n  door: {mass: 30, inertia: [4, 3, 1], at: [0.45, 0, 0]}\njoints:\n"
      "  low: {type: revolute, from: ground, to: door, at: [0, 0, -0.8], axis: z}\n  high: {type: revolute, from: "
      "ground, to: door, at: [0, 0, 0.8], axis: z}\n");
  CHECK(s.prepared.degrees_of_freedom() == 1);
  CHECK(s.prepared.rank.redundant.size() == 5);
  const double W = 300, c = 0.45, d = 0.8, L = s.length, k = W * c / (4 * (d * d + L * L));
  for (const char* hinge : {"low", "high"}) {
    const double sign = hinge[0] == 'h' ? -1 : 1;  // the upper hinge pulls the door towards the frame
    CHECK(std::abs(s.force(hinge, 0) - sign * 2 * d * k) < rounding);
    CHECK(std::abs(s.force(hinge, 1)) < rounding);
    CHECK(std::abs(s.force(hinge, 2) - W / 2) < rounding);
    CHECK(std::abs(s.moment(hinge, 1) + 2 * L * L * k) < rounding);
    CHECK(std::abs(s.moment(hinge, 2)) < rounding);
  }
}

TEST_CASE("Two guides on one circle carry half the weight each, from the first look on") {
  const std::string guide =
      ": {type: point_on_curve, from: ground, to: bead, x: =0.3*cos(s), z: =0.3*sin(s), range: "
      "[0, =2*pi], closed: true}\n";
  const auto s = at_rest(
      "bodies: {bead: {mass: 2, at: [0, 0, -0.3]}}\njoints:\n  float: {type: free, from: ground, "
      "to: bead}\n  one" +
      guide + "  two" + guide);
  CHECK(s.prepared.rank.redundant.size() == 2);
  for (const auto& c : simulation::all_channels(*s.prepared.active)) {
    if (c.name == "one.force_z" || c.name == "two.force_z")
      CHECK(std::abs(c.value(s.evaluator->now(), {}) - 10) < rounding);
  }
}
