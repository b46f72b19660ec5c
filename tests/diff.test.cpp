// `skyhook diff` on good runs: they are the same, whatever their outputs are called, where they begin and what is zero in them.
#ifdef SKYHOOK_APP
#include "program.testing.h"

using skyhook::testing::Done, skyhook::testing::has, skyhook::testing::lacks, skyhook::testing::Place;

namespace {

// Swings in the plane y = 0: the rate of roll is zero but for rounding.
std::string pendulum(const std::string& outputs, const std::string& more = "") {
  return "skyhook: 1\nbodies:\n  bob: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}\njoints:\n  hinge: {type: "
         "spherical, from: ground, to: bob, at: [0, 0, 0]}\n" +
         more + "experiments: {swing: {until: 4 s, output_step: 0.1 s, outputs: {" + outputs + "}}}\n";
}

}  // namespace

TEST_CASE("diff: errors of the numerics are left out under any name, and compared where they are listed") {
  const Place at;
  at.write("m.yaml", pendulum("x: bob.x, balance: energy.balance, off: constraints.position, twice: \"=2*balance\", "
                              "kinetic: energy.kinetic"));
  REQUIRE(at.run("run m.yaml -q -o a.h5 --solver bdf --tolerance 1e-5").code == 0);
  REQUIRE(at.run("run m.yaml -q -o b.h5 --solver bdf --tolerance 1e-6").code == 0);
  const Done same = at.run("diff a.h5 b.h5 --tol 1e-3");
  CHECK(same.code == 0);
  for (const char* name : {"balance", "off", "twice"}) CHECK(lacks(same.out, name));
  CHECK(has(same.out, "kinetic"));
  CHECK(at.run("diff a.h5 b.h5 balance twice --tol 1e-3 --json").code == 1);
  CHECK(at.json("sorted(c['channel'] for c in d['channels']) == ['balance', 'twice']"));
}

TEST_CASE("diff: a channel that is zero but for rounding is the same") {
  const Place at;
  at.write("m.yaml", pendulum("roll: \"=hinge.wx + 9e-18[rad/s]\", pitch: hinge.wy"));
  at.write("n.yaml", pendulum("roll: \"=hinge.wx - 9e-16[rad/s]\", pitch: hinge.wy"));
  REQUIRE(at.run("run m.yaml -q -o a.h5").code == 0);
  REQUIRE(at.run("run n.yaml -q -o b.h5").code == 0);
  CHECK(at.run("diff a.h5 b.h5").code == 0);
  CHECK(at.run("diff a.h5 b.h5 roll --json").code == 0);  // judged by the pitch, though that is not compared
  CHECK(at.json("1e-6 <= d['channels'][0]['scale'] < 1e-5"));
  CHECK(at.run("diff a.h5 b.h5 --tol 0").code == 1);
}

TEST_CASE(
    "diff: a run that goes on from a result is the same as far as both go; one that ends earlier only with --common") {
  const Place at;
  at.write("m.yaml", pendulum("x: bob.x, z: bob.z"));
  REQUIRE(at.run("run m.yaml -q -o full.h5 --tolerance 1e-10").code == 0);
  REQUIRE(at.run("run m.yaml -q -o rest.h5 --tolerance 1e-10 --from full.h5@2").code == 0);
  REQUIRE(at.run("run m.yaml -q -o short.h5 --tolerance 1e-10 --until 3").code == 0);
  for (const char* pair : {"full.h5 rest.h5", "rest.h5 full.h5"}) {
    const Done done = at.run("diff --tol 1e-6 " + std::string(pair));
    CHECK(done.code == 0);
    CHECK(has(done.out, "compared from 2 s to 4 s, where both have samples"));
  }
  const Done ends = at.run("diff full.h5 short.h5 --tol 1e-6");
  CHECK(ends.code == 1);
  CHECK(has(ends.out, "one of them ends earlier: not the same (--common"));
  CHECK(at.run("diff full.h5 short.h5 --tol 1e-6 --common").code == 0);
  CHECK(at.run("diff full.h5 short.h5 --tol 1e-6 --common --json").code == 0);
  CHECK(at.json("d['same'] and not d['same_range'] and d['from'] == 0 and d['to'] == 3"));
}
#endif
