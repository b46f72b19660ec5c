// What the program says of initial values and of the model, as a user sees it.
#ifdef SKYHOOK_APP
#include "program.testing.h"

using skyhook::testing::Done, skyhook::testing::has, skyhook::testing::Place;

namespace {

const char* const parallelogram = R"(skyhook: 1
bodies:
  crank_1: {mass: 1, inertia: [0.02, 0.02, 0], at: [0, 0, 0], com: [0, 0, -0.25]}
  crank_2: {mass: 1, inertia: [0.02, 0.02, 0], at: [1, 0, 0], com: [1, 0, -0.25]}
  beam: {mass: 2, inertia: [0, 0.2, 0.2], at: [0, 0, -0.5], com: [0.5, 0, -0.5]}
joints:
  A: {type: revolute, from: ground, to: crank_1, axis: y, angle: 40 deg}
  B: {type: revolute, from: ground, to: crank_2, axis: y, angle: 10 deg}
  C: {type: revolute, from: crank_1, to: beam, axis: y}
  D: {type: revolute, from: crank_2, to: beam, at: [1, 0, -0.5], axis: y}
experiments:
  swing: {until: 0.1 s}
  strict: {until: 0.1 s, strict: true}
)";

}  // namespace

TEST_CASE("Command line: given initial values that change are told on the terminal, in JSON and in the result") {
  const Place at("initial_values");
  at.write("m.yaml", parallelogram);
  const Done run = at.run("run m.yaml swing -o a.h5");
  CHECK(run.code == 0);
  CHECK(has(run.err, "warning: m.yaml:7:"));
  CHECK(has(run.err, "A.angle is given as 40 deg"));
  CHECK(has(run.err, "starts with 25 deg"));  // the mean of 40 and 10
  CHECK(has(run.err, "[initial_value_changed]"));
  CHECK(has(at.run("show a.h5 --events").out, "B.angle is given as 10 deg"));
  CHECK(at.run("run m.yaml swing -o a.h5 --json").code == 0);
  CHECK(
      at.json("[(w['name'], w['line']) for w in d['warnings']] == [('initial_value_changed', 7), "
              "('initial_value_changed', 8)]"));
  CHECK(at.run("check m.yaml swing --json").code == 0);
  CHECK(
      at.json("[c['name'] for c in d['initial_values_changed']] == ['A.angle', 'B.angle'] and "
              "abs(d['initial_values_changed'][0]['used'] - 0.4363323) < 1e-6 and "
              "d['initial_values_changed'][0]['unit'] == 'rad' and len(d['freedoms']) == 1"));
  const Done strict = at.run("run m.yaml strict -o b.h5");
  CHECK(strict.code != 0);
  CHECK(has(strict.err, "m.yaml:7:"));
  CHECK(has(strict.err, "m.yaml:8:"));
}

TEST_CASE("Command line: check shows inertia in the axes of the body, as it was given") {
  const Place at("inertia_axes");
  at.write("m.yaml",
           "skyhook: 1\nbodies: {a: {mass: 1, inertia: [1, 2, 2.5], orientation: {cardan: [0, 0, 90 deg]}}}\n"
           "joints: {J: {type: free, from: ground, to: a}}\nexperiments: {r: {until: 1}}\n");
  CHECK(at.run("check m.yaml --json").code == 0);
  CHECK(at.json("abs(d['masses'][0]['Ixx'] - 1) < 1e-12 and abs(d['masses'][0]['Iyy'] - 2) < 1e-12"));
}
#endif
