// `skyhook kinematics` and outputs as formulas, as a user calls them: tables, JSON, result over travel, pictures, report, wrong input.
#ifdef SKYHOOK_APP
#include "program.testing.h"

using namespace skyhook;
using testing::has;

namespace {

const char* const arm = R"yaml(
skyhook: 1
name: arm
bodies: {arm: {mass: 1, inertia: [1, 1, 1], at: [-0.4, 0.7, 0.3], wheel: {radius: 0.3}}}
joints: {pivot: {type: revolute, from: ground, to: arm, axis: y, at: [0, 0.7, 0.3]}}
forces: {spring: {type: spring_damper, from: ground, to: arm, from_at: [-0.2, 0.7, 0.6], to_at: [-0.2, 0.7, 0.3], stiffness: 20 kN/m}}
outputs: {force: spring.force, twice: "=2*force"}
experiments:
  bump: {analysis: kinematics, points: 5, travel: {arm: [-100 mm, 100 mm]}}
  none: {analysis: kinematics, points: 5, travel: {arm: [500 mm, 600 mm]}}
  run: {until: 0.1 s}
)yaml";

struct Place : testing::Place {
  Place() : testing::Place("kinematics") { write("m.yaml", arm); }
};

}  // namespace

TEST_CASE("Kinematics: tables, JSON, and a result over travel that other commands read") {
  const Place at;
  const auto done = at.run("kinematics m.yaml");
  REQUIRE_MESSAGE(done.code == 0, done.err);
  CHECK(has(done.out, "arm, bump: 5 points, by the constraints alone"));
  CHECK(has(done.out, "arm.travel [mm]"));
  CHECK(has(done.out, "result in m.h5"));
  REQUIRE(at.run("kinematics m.yaml bump --points 3 --json -o r.h5").code == 0);
  CHECK(at.json("d['found'] and d['mode'] == 'kinematic' and d['unit'] == 'm' and d['abscissa'] == 'arm.travel'"));
  CHECK(at.json("d['travel'] == [-0.1, 0.0, 0.1] and len(d['channels']['arm.camber']['values']) == 3"));
  CHECK(at.json("d['channels']['twice']['unit'] == 'N' and d['ends'] == []"));
  REQUIRE(at.run("show r.h5 twice force --all").code == 0);
  CHECK(has(at.text("out"), "arm.travel [m]"));
  REQUIRE(at.run("show r.h5").code == 0);
  CHECK(has(at.text("out"), "from -0.1 m to 0.1 m"));
  REQUIRE(at.run("export r.h5 arm.camber --csv -").code == 0);
  CHECK(has(at.text("out"), "arm.travel [m],arm.camber [rad]"));
  REQUIRE(at.run("plot r.h5 arm.load --out p.svg").code == 0);
  CHECK(has(at.text("p.svg"), "arm.travel [m]"));
}

TEST_CASE("Kinematics: what cannot be done is told") {
  const Place at;
  const auto out_of_reach = at.run("kinematics m.yaml none");
  CHECK(out_of_reach.code == 3);
  CHECK(has(out_of_reach.err, "the travel cannot begin."));
  const auto simulates = at.run("kinematics m.yaml run");
  CHECK(simulates.code == 2);
  CHECK(has(simulates.err, "there is no experiment with `analysis: kinematics`"));
  const auto run = at.run("run m.yaml bump");
  CHECK(run.code == 0);
  CHECK(has(run.out, "result in m.h5"));
  const auto compare = at.run("compare m.yaml bump");
  CHECK(compare.code == 2);
  CHECK(has(compare.err, "Use `skyhook kinematics` for it."));
}

TEST_CASE("Formulas: channels, run, show and plot know them") {
  const Place at;
  REQUIRE(at.run("channels m.yaml twice").code == 0);
  CHECK(has(at.text("out"), "formula of other channels"));
  REQUIRE(at.run("run m.yaml run -q -o r.h5").code == 0);
  REQUIRE(at.run("show r.h5 twice --json").code == 0);
  REQUIRE(at.run("plot r.h5 twice --out p.svg").code == 0);
  CHECK(has(at.text("p.svg"), "twice"));
  at.write("bad.yaml", std::string(arm) + "\n");
  const std::string text = at.text("bad.yaml");
  at.write("bad.yaml", text.substr(0, text.find("twice:")) + "twice: \"=force + arm.z\"" +
                           text.substr(text.find("\"=2*force\"") + 10));
  const auto bad = at.run("check bad.yaml");
  CHECK(bad.code == 2);
  CHECK(has(bad.err, "bad.yaml:7"));
  CHECK(has(bad.err, "output \"twice\": \"+\" needs equal dimensions"));
}
#endif
