// Every analysis that is no run, as a user calls it: by its command and as an experiment of the file; its result, picture and report.
#ifdef SKYHOOK_APP
#include "oscillator.testing.h"

using namespace skyhook;
using testing::has;

namespace {

struct Place : testing::Oscillator {
  Place()
      : testing::Oscillator("analyses", R"yaml(  move: {until: 1 s}
  rest: {analysis: equilibrium}
  hold: {analysis: nominal, vary: [strut.preload], weights: {strut.preload: 2}}
  shapes: {analysis: modes, from: rest}
  locus: {analysis: modes, from: rest, sweep: damping=0..30/7, lowest: 1}
  later: {analysis: modes, at: 0.5 s}
  system: {analysis: linearize, inputs: [lift.displacement]}
  shake: {analysis: response, inputs: [lift.displacement], low: 0.1 Hz, high: 10 Hz, per_octave: 6, outputs: {load: ride.displacement}}
  rough: {analysis: response, inputs: [lift.displacement], low: 0.1 Hz, high: 10 Hz, psd: 1e-4/f^2, outputs: {load: ride.displacement}}
)yaml") {}
  std::string shown(const std::string& what) const {
    CHECK(run("show " + what).code == 0);
    return text("out");
  }
};

}  // namespace

// One form for all: whatever the command, its result is read by show, plot and report as that of a run is.
TEST_CASE("Analyses: every command writes a result that show, plot and report read, and a picture") {
  const Place at;
  const std::pair<const char*, const char*> commands[] = {
      {"equilibrium m.yaml", ": equilibrium"},
      {"nominal m.yaml hold", ": nominal (drawn position)"},
      {"modes m.yaml shapes", ": modes (the equilibrium)"},
      {"modes m.yaml locus", ": modes (root locus)"},
      {"linearize m.yaml", ": linearize (the equilibrium)"},
      {"response m.yaml shake", ": response"},
      {"response m.yaml rough", ": response"},
      {"response m.yaml move --input foot --output load --output-step 0.005", ": response"}};
  for (const auto& [command, expected] : commands) {
    CAPTURE(command);
    const auto done = at.run(std::string(command) + " -q -o r.h5 --plot p.svg");
    REQUIRE_MESSAGE(done.code == 0, done.err);
    CHECK(has(done.out, "result in r.h5"));
    CHECK(has(at.text("p.svg"), "<svg"));
    CHECK(has(at.shown("r.h5"), expected));
    CHECK(at.run("show r.h5 --all").code == 0);
    const auto plotted = at.run("plot r.h5 -o q.svg");
    REQUIRE_MESSAGE(plotted.code == 0, plotted.err);
    CHECK(at.text("q.svg").size() > 1000);
    const auto both = at.run("plot r.h5 --compare r.h5 -o both.svg");
    CHECK(both.code == 0);
    CHECK(has(at.text("both.svg"), "(r.h5)"));
    const auto reported = at.run("report r.h5 r.h5 -o r.html");
    CHECK((reported.code == 0 || has(reported.err, "no viewer")));
    std::filesystem::remove(at.path / "r.h5"), std::filesystem::remove(at.path / "r.html");
  }
}

TEST_CASE("Analyses: the numbers of results are those of the closed solution") {
  const Place at;
  REQUIRE(at.run("modes m.yaml shapes -q -o r.h5").code == 0);
  REQUIRE(at.run("show r.h5 --all --json").code == 0);
  CHECK(at.json("len(d) == 1 and d[0]['mode'] == 1 and abs(d[0]['frequency'] - 10/6.283185307179586) < 1e-9"));
  CHECK(at.json("abs(d[0]['damping'] - 0.2) < 1e-9 and abs(d[0]['imag'] - 96**0.5) < 1e-9"));

  // m x'' + c x' + k x = 0: real part -c/2 below 20 N s/m, two real values above.
  REQUIRE(at.run("modes m.yaml --sweep damping=0..18/7 -q -o r.h5").code == 0);
  REQUIRE(at.run("show r.h5 branch1.real branch1.imag --all --json").code == 0);
  CHECK(at.json("len(d) == 7 and all(abs(x['branch1.real'] + x['damping']/2) < 1e-9 for x in d)"));
  CHECK(at.json("all(abs(x['branch1.imag'] - (100 - x['damping']**2/4)**0.5) < 1e-9 for x in d)"));

  // H = (k + c s)/(k + c s + s^2)
  REQUIRE(at.run("response m.yaml shake -q -o r.h5").code == 0);
  REQUIRE(at.run("show r.h5 --all --json").code == 0);
  const std::string s = "for x in d for s in [6.283185307179586j*x['frequency']]";
  CHECK(at.json("len(d) > 35 and all(abs(x['load.gain'] - abs((100+4*s)/(100+4*s+s*s))) < 1e-9 " + s + ")"));
  CHECK(
      at.json("all(abs(x['load.gain']*__import__('cmath').exp(1j*x['load.phase']) - (100+4*s)/(100+4*s+s*s)) < 1e-9 " +
              s + ")"));
  REQUIRE(at.run("response m.yaml rough -q -o r.h5").code == 0);
  REQUIRE(at.run("show r.h5 --all --json").code == 0);
  CHECK(at.json("all(abs(x['load.density'] - 1e-4/x['frequency']**2*x['load.gain']**2) < 1e-12 for x in d)"));

  REQUIRE(at.run("equilibrium m.yaml -q -o r.h5").code == 0);
  REQUIRE(at.run("show r.h5 load force --all --json").code == 0);
  CHECK(at.json("len(d) == 1 and abs(d[0]['load'] + 0.0981) < 1e-9 and abs(d[0]['force'] + 9.81) < 1e-9"));
  REQUIRE(at.run("nominal m.yaml hold -q -o r.h5").code == 0);
  REQUIRE(at.run("show r.h5 --all --json").code == 0);
  CHECK(at.json("abs(d[0]['strut.preload'] + 9.81) < 1e-9"));
}

TEST_CASE("Analyses: a run starts from the result of an equilibrium, and stays there") {
  const Place at;
  at.write("still.yaml", at.text("m.yaml").replace(at.text("m.yaml").find("10[mm]"), 6, "0[mm]"));
  REQUIRE(at.run("equilibrium still.yaml -q -o rest.h5").code == 0);
  const auto run = at.run("run still.yaml move --from rest.h5@0 -q -o r.h5");
  REQUIRE_MESSAGE(run.code == 0, run.err);
  REQUIRE(at.run("show r.h5 load --all --json").code == 0);
  CHECK(at.json("all(abs(x['load'] + 0.0981) < 1e-9 for x in d)"));
}

TEST_CASE("Analyses: `run` does what the experiment says, and writes its result") {
  const Place at;
  for (const char* experiment : {"rest", "hold", "shapes", "locus", "later", "system", "shake", "rough"}) {
    CAPTURE(experiment);
    const auto done = at.run(std::string("run m.yaml ") + experiment);
    REQUIRE_MESSAGE(done.code == 0, done.err);
    CHECK(has(done.out, "result in m.h5"));
    CHECK(has(at.shown("m.h5"), std::string("experiment ") + experiment));
    std::filesystem::remove(at.path / "m.h5");
  }
  REQUIRE(at.run("run m.yaml shapes --json").code == 0);
  CHECK(at.json("abs(d['modes'][0]['damping'] - 0.2) < 1e-9 and d['at'] == 'the equilibrium'"));
  REQUIRE(at.run("run m.yaml later --json").code == 0);
  CHECK(at.json("d['at'] == 'the run at t = 0.5 s'"));
  const auto wrong = at.run("run m.yaml shapes --until 3 --verify");
  CHECK(wrong.code == 2);
  CHECK(has(wrong.err, "experiment \"shapes\" is `analysis: modes`: --until, --verify would change nothing of it."));
}

TEST_CASE("Analyses: what the command line says wins over the experiment") {
  const Place at;
  REQUIRE(at.run("modes m.yaml locus --sweep damping=1,2 --json").code == 0);
  CHECK(at.json("d['values'] == [1, 2]"));
  REQUIRE(at.run("response m.yaml shake --low 1 --high 2 --per-octave 1 --json").code == 0);
  CHECK(at.json("[round(b['frequency'], 9) for b in d['bands']] == [1, round(2**0.5, 9), 2]"));
  REQUIRE(at.run("linearize m.yaml system --input '*' --json").code == 0);
  CHECK(at.json("len(d['inputs']) == 3"));
  REQUIRE(at.run("linearize m.yaml system --json").code == 0);
  CHECK(at.json("[u['name'] for u in d['inputs']] == ['lift.displacement']"));
}

TEST_CASE("Analyses: wrong files and wrong fields are told") {
  const Place at;
  const auto refused = [&](const std::string& arguments, const std::string& what) {
    CAPTURE(arguments);
    const auto done = at.run(arguments);
    CHECK(done.code == 2);
    CHECK_MESSAGE(has(done.err, what), done.err);
  };
  refused("modes m.yaml -o r.txt",
          "--out r.txt does not say what it shall be.\n  Give it the ending .h5 (a result), .svg or .png");
  refused("linearize m.yaml -o r.txt", ".csv or .json");
  refused("modes m.yaml --plot p.pdf", "--plot p.pdf does not say what it shall be.");
  refused("modes m.yaml -o m.yaml", "does not say what it shall be");
  refused("equilibrium m.yaml -o a.svg --plot b.svg", "--out and --plot both name a picture.");
  refused("modes m.yaml --crossing", "--crossing needs a range to look into.");
  refused("response m.yaml move --input foot --psd 1/f", "are of the linear system.");
  const auto with = [&](const std::string& experiment) {
    const std::string text = at.text("m.yaml");
    at.write("bad.yaml", text.substr(0, text.find("  move:")) + "  bad: " + experiment + "\n");
  };
  with("{analysis: equilibrium, psd: 1/f}");
  refused("check bad.yaml", "bad.yaml:15:32: experiment \"bad\": \"psd\" is of response alone.");
  with("{analysis: nominal, vary: []}");
  refused("nominal bad.yaml", "experiment \"bad\": vary is an empty list.");
  with("{analysis: response}");
  refused("check bad.yaml", "experiment \"bad\" does not say what excites.");
  with("{analysis: modes, crossing: true}");
  refused("check bad.yaml", "experiment \"bad\": a crossing is found within a sweep.");
  with("{analysis: response, inputs: [lift.displacement], also: {lift.displacement: 2 kg}}");
  refused("check bad.yaml", "also of lift.displacement");
  with("{analysis: modes, from: nowhere}");
  refused("modes bad.yaml", "starts from \"nowhere\", which is not an experiment that finds an equilibrium.");
}

// What has no answer, or not a single one, is said; none of these is a crash, a number that means nothing, or silence.
TEST_CASE("Analyses: no equilibrium, play, no stiffness, nothing to vary, wrong units") {
  const Place at;
  const auto model = [&](const std::string& axis, const std::string& forces,
                         const std::string& outputs = "{x: slide.displacement}") {
    at.write("s.yaml",
             "skyhook: 1\nname: stone\nbodies: {stone: {mass: 1}}\njoints: {slide: {type: prismatic, from: ground, to: "
             "stone, axis: " +
                 axis + "}}\nforces: {" + forces + "}\noutputs: " + outputs + "\n");
  };
  model("z", "");
  for (const char* command : {"equilibrium", "modes", "linearize", "response --linear --input a"}) {
    CAPTURE(command);
    std::string words = command;
    words.insert(words.find(' ') == std::string::npos ? words.size() : words.find(' '), " s.yaml");
    const auto done = at.run(words);
    CHECK(done.code == 3);
    CHECK_MESSAGE(
        has(done.err, "Nothing resists slide.displacement, and a force of -9.81 pushes along it: it is free to fall."),
        done.err);
  }
  const auto nothing = at.run("nominal s.yaml");
  CHECK(nothing.code == 2);
  CHECK(
      has(nothing.err, "there is nothing to vary: the model has no springs with a preload, and no tyres with a load."));
  CHECK(has(at.run("modes s.yaml --sweep x=").err, "--sweep"));

  // Within the play, and on a cubic spring at its middle, nothing resists: told, held, and a free motion among the modes.
  for (const char* force : {"gap: {type: spring_damper, joint: slide, force: [[-20 mm, -10 N], [-10 mm, 0 N], [10 mm, "
                            "0 N], [20 mm, 10 N]]}",
                            "cubic: {type: spring_damper, joint: slide, force: \"=1e3[N/m^3]*x^3\"}"}) {
    CAPTURE(force);
    model("x", force);
    const auto found = at.run("equilibrium s.yaml");
    CHECK_MESSAGE(found.code == 0, found.err);
    CHECK(has(found.out, "not unique: nothing resists slide.displacement; held where it is"));
    REQUIRE(at.run("equilibrium s.yaml --json").code == 0);
    CHECK(at.json("d['free'] == ['slide.displacement'] and d['unique'] is False"));
    REQUIRE(at.run("modes s.yaml --json").code == 0);
    CHECK(at.json("d['free_motions'] == 1 and d['modes'][0]['rigid'] and d['modes'][0]['bodies']['stone'] == 1"));
    CHECK(at.run("linearize s.yaml --json").code == 0);
  }
  model("x", "k: {type: spring_damper, joint: slide, stiffness: 100}", "{sum: \"=slide.displacement + k.force\"}");
  for (const char* command : {"equilibrium s.yaml", "linearize s.yaml", "check s.yaml"}) {
    const auto done = at.run(command);
    CHECK(done.code == 2);
    CHECK(has(done.err,
              "s.yaml:6:39: output \"sum\": \"+\" needs equal dimensions, but \"slide.displacement\" is in m and "
              "\"k.force\" is in N."));
  }
}
#endif
