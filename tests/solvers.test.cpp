// Choosing a solver as a user does: the table, `auto`, the options that belong to it, warnings, and wrong input.
#ifdef SKYHOOK_APP
#include "skyhook/simulation/solvers.h"

#include "program.testing.h"

using namespace skyhook;
using testing::Done;
using testing::has;
using testing::lacks;

namespace {

struct Place : testing::Place {
  Place() : testing::Place("solvers") {}
};

const std::string head =
    "skyhook: 1\nname: block\nbodies: {block: {mass: 2 kg}}\njoints: {guide: {type: prismatic, from: ground, to: "
    "block, "
    "axis: x, displacement: 0.1}}\n";
std::string with_damping(double damping) {
  return head + "forces: {spring: {type: spring_damper, joint: guide, stiffness: 200 N/m, damping: " +
         std::to_string(damping) + "}}\n";
}

}  // namespace

TEST_CASE("Solvers: the table tells each pair, its grade and why; JSON has the refused ones too") {
  const Place at;
  const Done done = at.run("solvers");
  CHECK(done.code == 0);
  CHECK(has(done.out, "radau5/ggl"));
  CHECK(has(done.out, "study only"));
  CHECK(lacks(done.out, "dopri5/ggl"));
  CHECK(has(at.run("solvers --all").out, "dopri5/ggl"));
  REQUIRE(at.run("solvers --json").code == 0);
  CHECK(at.json("len(d['solvers']) == len(d['integrators'])*len(d['formulations'])"));
  CHECK(at.json(
      "all(s['grade'] in ('recommended', 'works', 'study only', 'refused') and s['why'] for s in d['solvers'])"));
}

TEST_CASE("Solvers: auto chooses from the model and says why, on the command line and in the result") {
  const Place at;
  at.write("mild.yaml", with_damping(4) + "experiments: {e: {until: 1, solver: auto}}\n");
  at.write("stiff.yaml", with_damping(20000) + "experiments: {e: {until: 1, solver: auto}}\n");
  CHECK(has(at.run("solvers mild.yaml").out, "auto chooses adams/projecting, because the model is not stiff"));
  CHECK(has(at.run("solvers stiff.yaml").out, "auto chooses bdf/ggl, because the model is stiff"));
  CHECK(has(at.run("solvers mechanisms/four_bar.yaml").out, "auto chooses dopri5/projecting"));
  CHECK(has(at.run("solvers " SKYHOOK_SOURCE_DIR "/models/car/four_post.yaml").out,
            "auto chooses bdf/ggl, because the model has 20 constraints"));
  CHECK(has(at.run("run mild.yaml -o r.h5").out, "solver adams/projecting, because the model is not stiff"));
  REQUIRE(at.run("run mild.yaml -o r.h5 --json").code == 0);
  CHECK(at.json("d['solver'] == 'adams/projecting' and 'not stiff' in d['solver_reason']"));
  CHECK(at.json("d['coordinates_are'] == 'joint'"));
  CHECK(has(at.run("show r.h5").out, "adams"));
}

// The run judges as `auto` does: what it has found fit for an explicit method is not called stiff unless that changes.
TEST_CASE("Solvers: auto and the run agree on what is stiff") {
  const Place at;
  const std::vector<std::string> mild = {"suspension/quarter_car.yaml over_bump", "mechanisms/incline.yaml rest",
                                         "car/over_bump.yaml both_sides", "mechanisms/pendulum_chain.yaml fast"};
  for (const std::string& model : mild) {
    CAPTURE(model);
    for (const std::string tolerance : {"1e-4", "1e-6"}) {
      const Done done =
          at.run("run " SKYHOOK_SOURCE_DIR "/models/" + model + " --solver auto -o m.h5 --tolerance " + tolerance);
      CHECK(done.code == 0);
      CHECK(has(done.out, "the model is not stiff"));
      CHECK(lacks(done.err, "stiff"));
    }
  }
}

// The damper sets in from 0.5 s on, up to a rate of 10000 1/s, and is gone again at 3 s. What it stiffens must cost bdf's steps, not
// those of stability: 10000/3 a second. Reference of the motion: radau5 at 1e-10; bdf alone errs by 9e-5 in these 27 swings.
TEST_CASE("Solvers: where stiffness sets in or ends auto goes on with another solver, and says so") {
  const Place at;
  at.write("later.yaml",
           head +
               "forces: {damper: {type: force, joint: guide, value: \"=-200[N/m]*q - 20000[N.s/m]*qd*(ramp(t, "
               "0.5[s], 0.6[s]) - ramp(t, 3[s], 3.1[s]))\"}}\noutputs: [guide.*, energy.balance]\n"
               "experiments: {e: {until: 20, tolerance: 1e-7, output_step: 0.1}}\n");
  const Done later = at.run("run later.yaml -o l.h5");
  CHECK(later.code == 0);
  CHECK(has(later.out,
            "solver adams/projecting, because the model is not stiff: its fastest rate at the start is 10 1/s"));
  CHECK(has(later.out, "from t = 0.5"));
  CHECK(has(later.out,
            "s on bdf/ggl, because the model is stiff there: stability, not accuracy, limits the steps of adams"));
  CHECK(has(later.out, "s on adams/projecting, because the model is not stiff there: its fastest rate is 10 1/s"));
  CHECK(lacks(later.err, "stiff"));
  CHECK(has(at.run("show l.h5 --events").out, "solver changed"));
  REQUIRE(at.run("run later.yaml -o l.h5 --json").code == 0);
  CHECK(at.json("d['solver'] == 'adams/projecting'"));
  CHECK(at.json("[c['solver'] for c in d['solver_changes']] == ['bdf/ggl', 'adams/projecting']"));
  CHECK(at.json("0.5 < d['solver_changes'][0]['t'] < 0.6 and 3 < d['solver_changes'][1]['t'] < 20"));
  CHECK(at.json("d['steps'] < 1500"));
  REQUIRE(at.run("run later.yaml -o r.h5 -q --solver radau5 --tolerance 1e-10").code == 0);
  CHECK(at.run("diff l.h5 r.h5 guide.displacement guide.displacement_rate --tol 5e-5").code == 0);
  // A solver that is named is kept, and crawls.
  const Done named = at.run("run later.yaml -o n.h5 --solver adams --until 1.5");
  CHECK(named.code == 0);
  CHECK(has(named.err, "warning: The model is stiff: from t = 0.5"));
  CHECK(has(named.err, "`auto` goes on with one where it matters."));
}

TEST_CASE("Solvers: an explicit method on a stiff model warns, a study is called one") {
  const Place at;
  at.write("stiff.yaml", with_damping(20000) + "experiments: {e: {until: 1, tolerance: 1e-4}}\n");
  for (const std::string solver : {"dopri5", "adams", "hem5"}) {
    CAPTURE(solver);
    const Done done = at.run("run stiff.yaml -o s.h5 --solver " + solver);
    CHECK(done.code == 0);
    CHECK(has(done.err, "warning: The model is stiff"));
    CHECK(has(at.run("show s.h5 --events").out, "stiff_model"));
  }
  CHECK(lacks(at.run("run stiff.yaml -o s.h5 --solver radau5").err, "stiff"));
  REQUIRE(at.run("run stiff.yaml -o s.h5 --solver dopri5 --json").code == 0);
  CHECK(at.json("len(d['warnings']) == 1 and 'stiff' in d['warnings'][0]['text']"));
  const Done study = at.run("run mechanisms/four_bar.yaml --until 0.1 -o s.h5 --solver radau5/index1");
  CHECK(study.code == 0);
  CHECK(has(study.err, "for studies only: the position constraints drift off"));
}

TEST_CASE("Solvers: every pair that is not refused runs from the command line and from the model file") {
  const Place at;
  for (const auto& s : simulation::all_solvers()) {
    if (s.grade == simulation::Grade::refused) continue;
    const std::string name = s.solver.name();
    CAPTURE(name);
    at.write("m.yaml", with_damping(4) + "experiments: {e: {until: 0.1, solver: " + name + "}}\n");
    CHECK(at.run("run m.yaml -o m.h5 --quiet").code == 0);
    CHECK(at.run("run mechanisms/four_bar.yaml --until 0.02 -o m.h5 --quiet --solver " + name).code == 0);
  }
}

TEST_CASE("Solvers: wrong input is told with its place and what to do") {
  const Place at;
  const auto error_of = [&](const std::string& fields) {
    at.write("m.yaml", with_damping(4) + "experiments:\n  e: {" + fields + "}\n");
    const Done done = at.run("run m.yaml -o none.h5");
    CHECK(done.code == 2);
    CHECK(has(done.err, "m.yaml:7:"));
    CHECK_FALSE(std::filesystem::exists(at.path / "none.h5"));
    return done.err;
  };
  CHECK(has(error_of("until: 1, solver: radau"), "Did you mean \"radau5\"?"));
  CHECK(has(error_of("until: 1, solver: radau5/index"), "formulation \"index\""));
  const std::string refused = error_of("until: 1, solver: dopri5/ggl");
  CHECK(has(refused, "dopri5 cannot solve ggl"));
  CHECK(has(refused, "Pairs that fit: bdf/ggl, ida/ggl"));
  CHECK(has(error_of("until: 1, tolerance: 0"), "tolerance"));
  CHECK(has(error_of("until: 1, tolerance: -1e-6"), "tolerance"));
  CHECK(has(error_of("solver: dopri5"), "until"));
  CHECK(has(error_of("until: 1, solver: dopri5, jacobian: dense"), "Jacobian"));
  CHECK(has(error_of("until: 1, solver: ida/index1, baumgarte: -3"), "baumgarte"));
  CHECK(has(error_of("until: 1, metric: moon"), "metric"));
  CHECK(has(error_of("until: 1, kappa: 2"), "kappa"));
  const auto refused_line = [&](const std::string& line) {
    const Done done = at.run(line);
    CHECK_MESSAGE(done.code == 2, line);
    return done.err;
  };
  const std::string four_bar = "run mechanisms/four_bar.yaml -o none.h5 ";
  CHECK(has(refused_line(four_bar + "--solver euler"), "there is no solver \"euler\""));
  CHECK(has(refused_line(four_bar + "--solver ida/projecting"), "ordinary differential equation"));
  CHECK(has(refused_line(four_bar + "--tolerance 0"), "above 0"));
  CHECK(has(refused_line(four_bar + "--tolerance -1"), "above 0"));
  CHECK(has(refused_line(four_bar + "--tolerance nan"), "above 0"));
  at.write("noend.yaml", head);
  CHECK(has(refused_line("run noend.yaml --solver dopri5"), "until"));
  CHECK(has(refused_line("solvers noend.yaml"), "until"));
}
#endif
