// Warnings and places in messages, as every command that reads a model or a result tells them. Reference: a model with two
// known doubts, a parameter that is used nowhere and an output step that is longer than the run.
#ifdef SKYHOOK_APP
#include "program.testing.h"

namespace fs = std::filesystem;
using skyhook::testing::Done;
using skyhook::testing::has;
using skyhook::testing::lacks;

namespace {

const std::string oscillator =
    "skyhook: 1\n"
    "parameters: {k: 200 N/m, forgotten: 3}\n"
    "bodies: {b: {mass: 2, at: [0, 0, 1]}}\n"
    "joints: {slide: {type: prismatic, from: ground, to: b, axis: z}}\n"
    "forces: {spring: {type: spring_damper, joint: slide, stiffness: =k}}\n"
    "outputs: {x: slide.displacement}\n"
    "experiments: {swing: {until: 1 s, output_step: 2 s}}\n";

const std::string unused = "warning: m.yaml:2:26: parameter \"forgotten\" is used nowhere. [unused]";

struct Place : skyhook::testing::Place {
  Place() : skyhook::testing::Place("warnings") { write("m.yaml", oscillator); }
};

const char* const both = "[w['name'] for w in d['warnings']] == ['unused', 'output_step']";

}  // namespace

TEST_CASE("Warnings: commands that read a model tell its warnings, on the terminal and in JSON") {
  const Place at;
  for (const char* command : {"solvers m.yaml", "compare m.yaml --solvers bdf --tolerances 1e-3,1e-4 -q",
                              "response m.yaml --output-step 0.01 --input x --output b.vz", "channels m.yaml",
                              "expand m.yaml", "equilibrium m.yaml"}) {
    CAPTURE(command);
    CHECK(has(at.run(command).err, unused));
  }
  CHECK(at.run("solvers m.yaml --json").code == 0);
  CHECK(at.json(both));
  CHECK(at.run("compare m.yaml --solvers bdf --tolerances 1e-3,1e-4 --json").code == 0);
  CHECK(at.json(both));
  CHECK(at.run("compare m.yaml --jacobians exact,dense --tolerances 1e-3,1e-4 --json").code == 0);
  CHECK(at.json(both));
}

// With index3 at 1e-2 the energy of an undamped oscillator does not stay; the tighter run keeps it better.
TEST_CASE("Warnings: compare tells those of each run in its row, and sums them up by kind") {
  const Place at;
  const Done done = at.run("compare m.yaml --until 5 --solvers bdf/index3 --tolerances 1e-2,1e-6 --json");
  CHECK(done.code == 0);
  CHECK(at.json("[w['name'] for w in d['rows'][0]['warnings']] == ['energy_lost']"));
  CHECK(at.json("d['rows'][1]['warnings'] == [] and d['reference']['warnings'] == []"));
  CHECK(has(done.err, "warning: 1 of 2 runs (first: bdf/index3 at 0.01): The energy balance"));
}

TEST_CASE("Warnings: a result tells those of its run to whoever reads it") {
  const Place at;
  REQUIRE(at.run("run m.yaml -q -o r.h5").code == 0);
  for (const char* command : {"show r.h5", "show r.h5 --cost"}) {
    CAPTURE(command);
    CHECK(has(at.run(command).err, unused));
    CHECK(at.run(std::string(command) + " --json").code == 0);
    CHECK(at.json(both));
  }
  for (const char* command :
       {"show r.h5 x", "show r.h5 x --at 0.5", "export r.h5 --csv x.csv", "diff r.h5 r.h5", "plot r.h5 --out p.svg"}) {
    CAPTURE(command);
    CHECK(has(at.run(command).err, "r.h5: its run gave 2 warnings, see `skyhook show r.h5`."));
  }
  CHECK(at.run("diff r.h5 r.h5 --json").code == 0);
  CHECK(at.json("len(d['warnings_of_a']) == 2 and len(d['warnings_of_b']) == 2"));
  REQUIRE(at.run("run m.yaml -q -o still.h5 --output-step 0.1 --set forgotten=4 --ignore unused").code == 0);
  CHECK(at.run("show still.h5 x").err == "");
}

// An undamped oscillator never comes to rest.
TEST_CASE("Warnings: a response that is distorted says so in JSON, and can be told not to") {
  const Place at;
  const std::string command = "response m.yaml --output-step 0.01 --until 5 --input x --output b.vz --json";
  CHECK(at.run(command).code == 0);
  CHECK(at.json("[w['name'] for w in d['warnings']] == ['unused', 'ends_in_motion']"));
  CHECK(at.run(command + " --ignore ends_in_motion --ignore unused").err == "");
  CHECK(at.json("d['warnings'] == []"));
  // The only channel that is recorded is the input.
  const Done alone = at.run("response m.yaml --output-step 0.01 --until 5 --input x");
  CHECK(alone.code == 2);
  CHECK(has(alone.err, "there is no channel beside the input"));
}

TEST_CASE("Warnings: what is given on the command line is not blamed on a line of the file") {
  const Place at;
  CHECK(has(at.run("run m.yaml -q").err, "m.yaml:7:35: The output step, 2 s, is longer"));
  CHECK(has(at.run("run m.yaml -q --output-step 3").err, "warning: command line: The output step, 3 s, is longer"));
  CHECK(has(at.run("run m.yaml -q --output-step 1e-9").err, "command line: the output step is too small"));
  CHECK(has(at.run("run m.yaml -q --jacobian dens").err, "command line: there is no Jacobian strategy"));
  CHECK(has(at.run("run m.yaml -q --solver bdf/best").err, "command line: "));
}

TEST_CASE("Warnings: a strategy that is refused is not warned of as well") {
  const Place at;
  const Done done = at.run("run m.yaml -q --output-step 0.1 --solver dopri5 --jacobian dense --ignore unused");
  CHECK(done.code == 2);
  CHECK(done.err.starts_with("command line: the solver dopri5/projecting has no Jacobian"));
  at.write("j.yaml",
           "skyhook: 1\nbodies: {b: {mass: 2, at: [0, 0, 1]}}\n"
           "joints: {slide: {type: prismatic, from: ground, to: b, axis: z}}\n"
           "experiments:\n  e: {until: 1 s,\n    solver: dopri5,\n    jacobian: dense}\n");
  CHECK(at.run("run j.yaml -q").err.starts_with("j.yaml:7:5: the solver dopri5/projecting has no Jacobian"));
  CHECK(has(at.run("check j.yaml").out, "warning: j.yaml:7:5: `jacobian` means nothing for the solver"));
  // `auto` means nothing there, but does no harm.
  CHECK(has(at.run("run j.yaml -q --jacobian auto").err, "[no_effect]"));
}

// The drive's rate jumps by 2 m/s at t = 1 s.
TEST_CASE("Warnings: a drive that jumps is named with its line") {
  const Place at;
  at.write("d.yaml",
           "skyhook: 1\nbodies: {a: {mass: 1}, b: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}}\njoints:\n"
           "  push:\n    type: prismatic\n    from: ground\n    to: a\n    axis: x\n"
           "    drive: =abs(t-1[s])*1[m/s]\n"
           "  hinge: {type: revolute, from: a, to: b, at: [0, 0, 0], axis: y}\n"
           "experiments: {e: {until: 2}}\n");
  CHECK(has(at.run("run d.yaml -q").err, "warning: d.yaml:9:12: The drive of joint \"push\""));
  CHECK(at.run("run d.yaml -q --json").code == 0);
  CHECK(at.json("[(w['file'], w['line']) for w in d['warnings'] if w['name'] == 'drive_jumps'] == [('d.yaml', 9)]"));
}
#endif
