// The program as a user runs it: a process with arguments, output, result files and exit codes.
#ifdef SKYHOOK_APP
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "program.testing.h"
#include "run_model.testing.h"
#include "skyhook/io/result/reader.h"

using namespace skyhook;
using testing::Done, testing::has, testing::Place, testing::text_of;
namespace fs = std::filesystem;

TEST_CASE("Command line: check") {
  const Place at;
  const Done text = at.run("check mechanisms/four_bar.yaml");
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  for (const char* part : {"degrees of freedom: 1", "loops: 1", "redundant 3", "conventions:", "total mass 4.2 kg"})
    CHECK(has(text.out, part));
  CHECK(at.run("check mechanisms/four_bar.yaml --json").code == 0);
  CHECK(
      at.json("d['degrees_of_freedom'] == 1 and d['rank'] == 2 and d['redundant'] == 3 and d['cuts'] == ['C'] and "
              "d['solvable'] and len(d['masses']) == 3"));
  CHECK(at.run("check mechanisms/n_four_bar.yaml swing --set N=3 --json").code == 0);
  CHECK(at.json("d['bodies'] == 7 and d['degrees_of_freedom'] == 1"));
}

TEST_CASE("Command line: run, show, export and diff") {
  const Place at;
  const auto begun = std::chrono::steady_clock::now();
  const Done run = at.run("run mechanisms/pendulum.yaml --until 1 -o a.h5");
  const bool short_run = std::chrono::steady_clock::now() - begun < std::chrono::seconds(1);
  CHECK(run.code == 0);
  CHECK(has(run.out, "finished: result in a.h5"));
  CHECK(has(run.out, "energy balance closes to"));
  CHECK((run.err.empty() || !short_run));  // not a terminal: no progress of a run of less than a second
  CHECK(fs::exists(at.path / "a.h5"));

  CHECK(has(at.run("show a.h5").out, "finished"));
  CHECK(at.run("show a.h5 --json").code == 0);
  CHECK(at.json("[c['channel'] for c in d['channels']] == ['x', 'y']"));
  CHECK(at.run("show a.h5 x --at 0 --json").code == 0);
  CHECK(at.json("abs(d[0]['x'] + 1) < 1e-12"));
  CHECK(at.run("show a.h5 x y --json").code == 0);
  CHECK(at.json("len(d) == 101"));
  CHECK(at.run("show a.h5 x --all --json").code == 0);
  CHECK(at.json("len(d) == 101 and list(d[0]) == ['time', 'x']"));
  CHECK(has(at.run("show a.h5 --cost").out, "steps"));
  CHECK(at.run("show a.h5 --cost --json").code == 0);
  CHECK(at.json("[c['value'] for c in d['cost'] if c['cost'] == 'steps'][0] > 10 and len(d['limits']) > 0"));
  CHECK(at.run("show a.h5 --events").code == 0);
  CHECK(at.run("show a.h5 --events --json").code == 0);
  CHECK(at.json("isinstance(d, list)"));

  CHECK(at.run("export a.h5 --csv a.csv --mat a.mat").code == 0);
  std::istringstream csv(text_of(at.path / "a.csv"));
  std::string line;
  int lines = 0;
  while (std::getline(csv, line)) ++lines;
  CHECK(lines >= 102);
  CHECK(fs::file_size(at.path / "a.mat") > 2400);
  CHECK(at.run("export a.h5 --csv -").out == text_of(at.path / "a.csv"));
  const Done both = at.run("export a.h5 --csv - --mat a.mat");  // only the CSV is on standard output
  CHECK(both.out == text_of(at.path / "a.csv"));
  CHECK(has(both.err, "a.mat: 101 samples"));
  CHECK(!fs::exists(at.path / "-"));
  const Done full = at.run("export a.h5 --csv -", " 1>/dev/full");
  CHECK(full.code == 3);
  CHECK(has(full.err, "standard output: the table cannot be written: the disk is full"));

  CHECK(at.run("run mechanisms/pendulum.yaml --until 1 -o b.h5 --tolerance 1e-9 --quiet").code == 0);
  CHECK(at.run("diff a.h5 a.h5").code == 0);
  CHECK(at.run("diff a.h5 b.h5 --tol 1e-2").code == 0);
  CHECK(at.run("diff a.h5 b.h5 --tol 1e-12").code == 1);
  CHECK(at.run("diff a.h5 b.h5 --tol 1e-12 --json").code == 1);
  CHECK(at.json("d['same'] is False and len(d['channels']) == 2"));
  CHECK(at.run("diff a.h5 a.h5 --json").code == 0);
  CHECK(at.json("d['same'] is True and all(c['verdict'] == 'same' for c in d['channels'])"));
  // The default name is that of the model file, in the working directory.
  CHECK(at.run("run mechanisms/pendulum.yaml --until 0.1 -q").code == 0);
  CHECK(fs::exists(at.path / "pendulum.h5"));
}

TEST_CASE("Command line: diff leaves out errors and the noise of single components") {
  const Place at;
  // A pendulum in the plane y = 0: its y and the reactions out of the plane are rounding noise, if not zero.
  const std::string model =
      "skyhook: 1\nbodies:\n  bob: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}\njoints:\n"
      "  hinge: {type: revolute, from: ground, to: bob, at: [0, 0, 0], axis: y}\n"
      "experiments: {swing: {until: 1 s, output_step: 0.1 s, outputs: [";
  at.write("all.yaml", model + "\"*\"]}}\n");
  at.write("some.yaml", model + "bob.x, energy.balance]}}\n");
  CHECK(at.run("run all.yaml -q -o a.h5 --tolerance 1e-8").code == 0);
  CHECK(at.run("run all.yaml -q -o b.h5 --tolerance 1e-9").code == 0);
  CHECK(at.run("run some.yaml -q -o s.h5 --tolerance 1e-9").code == 0);
  CHECK(at.run("diff a.h5 b.h5 --tol 1e-5").code == 0);
  CHECK(at.run("diff a.h5 b.h5").out.find("energy.balance") == std::string::npos);
  CHECK(has(at.run("diff a.h5 b.h5 'energy.*'").out, "energy.balance"));  // listed

  const Done one = at.run("diff a.h5 s.h5");
  CHECK(one.code == 1);
  CHECK(has(one.out, "only in the first"));
  CHECK(one.out.find("nan") == std::string::npos);
  CHECK(one.out.find("energy.balance") == std::string::npos);
  CHECK(at.run("diff s.h5 a.h5 --json").code == 1);
  CHECK(at.json("[c['largest'] for c in d['channels'] if c['channel'] == 'bob.z'] == [None]"));
  CHECK(at.json("any(c['verdict'] == 'only in the second' for c in d['channels'])"));
}

TEST_CASE("Command line: settings, quiet and JSON") {
  const Place at;
  const Done quiet = at.run("run mechanisms/pendulum.yaml --set length='2 m' --set duration=1 --quiet -o q.h5");
  CHECK(quiet.code == 0);
  CHECK(quiet.err.empty());
  CHECK(quiet.out == "finished: result in q.h5\n");
  CHECK(at.run("show q.h5 x --at 0 --json").code == 0);
  CHECK(at.json("abs(d[0]['x'] + 2) < 1e-12"));
  const Done json = at.run("run mechanisms/pendulum.yaml --until 0.5 --json -o j.h5");
  CHECK(json.code == 0);
  CHECK(json.err.empty());
  CHECK(at.json("d['status'] == 'finished' and d['t'] == 0.5 and d['steps'] > 10 and d['energy_closure'] < 1e-3"));
  for (const char* jacobian : {"exact", "grouped", "dense"})
    CHECK(at.run(std::string("run mechanisms/four_bar.yaml --until 0.1 -q --jacobian ") + jacobian).code == 0);
}

TEST_CASE("Command line: --verify estimates the error of each output") {
  const Place at;
  const Done done = at.run("run mechanisms/pendulum.yaml --until 2 --verify --tolerance 1e-5");
  CHECK(done.code == 0);
  CHECK(has(done.out, "estimated errors, from a run at tolerance 1e-06"));
  CHECK(at.run("run mechanisms/pendulum.yaml --until 2 --verify --tolerance 1e-5 --json").code == 0);
  // Neither nothing nor everything: the pendulum's true errors at 1e-5 are about 1e-4.
  CHECK(at.json("len(d['verify']) == 2 and all(1e-8 < e['estimated error'] < 1e-2 for e in d['verify'])"));
}

TEST_CASE("Command line: a structure without degrees of freedom has its summary, too") {
  const Place at;
  at.write("beam.yaml",
           "skyhook: 1\nbodies:\n  beam: {mass: 8, inertia: [1, 1, 1]}\njoints:\n"
           "  left: {type: fixed, from: ground, to: beam}\n"
           "experiments: {rest: {until: 1 s, output_step: 0.5 s, outputs: [left.force_z]}}\n");
  const Done done = at.run("run beam.yaml");
  CHECK(done.code == 0);
  CHECK(has(done.out, "simulated time reached [s]"));
  CHECK(at.run("run beam.yaml --verify --json").code == 0);
  CHECK(at.json("d['status'] == 'finished' and d['steps'] == 0 and len(d['verify']) == 1"));
  CHECK(at.run("check beam.yaml --json").code == 0);
  CHECK(at.json("d['degrees_of_freedom'] == 0 and d['loops'] == 0"));
}

TEST_CASE("Command line: continuing from a result ends where the whole run ends") {
  const Place at;
  for (const std::string model : {"four_bar", "heavy_top", "andrews"}) {
    CAPTURE(model);
    const double end = model == "andrews" ? 0.02 : 0.5, half = end / 2;
    const std::string options = " mechanisms/" + model + ".yaml --tolerance 1e-9 -q --until " + std::to_string(end);
    CHECK(at.run("run" + options + " -o whole.h5").code == 0);
    const Done rest = at.run("run" + options + " -o rest.h5 --from whole.h5@" + std::to_string(half));
    CHECK(rest.code == 0);
    const auto whole = io::ResultFile::open((at.path / "whole.h5").string()).state_at(end),
               again = io::ResultFile::open((at.path / "rest.h5").string()).state_at(end);
    REQUIRE(whole.names == again.names);
    // Errors of either run, tolerance times some 1e3; the rates of Andrews' crank are 1e3.
    for (std::size_t k = 0; k < whole.y.size(); ++k)
      CHECK(std::abs(whole.y[k] - again.y[k]) < 1e-5 * (1 + std::abs(whole.y[k])));
    CHECK(io::ResultFile::open((at.path / "rest.h5").string()).state_at(half).y.size() == whole.y.size());
  }
  CHECK(at.run("run mechanisms/pendulum.yaml --from whole.h5@0.001").code == 2);  // of another model
  CHECK(at.run("run mechanisms/andrews.yaml --from whole.h5").code == 2);
  CHECK(at.run("run mechanisms/andrews.yaml --from none.h5@1").code == 2);
  CHECK(at.run("run mechanisms/andrews.yaml --from whole.h5@99").code == 2);
}

TEST_CASE("Command line: equilibrium") {
  const Place at;
  at.write("spring.yaml",
           "skyhook: 1\nbodies:\n  mass: {mass: 2, at: [0, 0, -1]}\njoints:\n  slide: {type: prismatic, from: ground, "
           "to: mass, axis: z}\n"
           "forces:\n  spring: {type: spring_damper, from: ground, to: mass, stiffness: 100}\n");
  const Done text = at.run("equilibrium spring.yaml");
  CHECK(text.code == 0);
  CHECK(has(text.out, "equilibrium of"));
  CHECK(at.run("equilibrium spring.yaml --json").code == 0);
  CHECK(
      at.json("d['stable'] and d['unique'] and any(abs(v['value'] + 2*9.81/100) < 1e-9 for v in d['values'] if 'slide' "
              "in v['channel'])"));
  at.write(
      "falling.yaml",
      "skyhook: 1\nbodies:\n  mass: {mass: 2}\njoints:\n  slide: {type: prismatic, from: ground, to: mass, axis: z}\n");
  at.run("equilibrium falling.yaml --json");
  CHECK(at.json("d['found'] is False and 'fall' in d['problem']"));
  const Done falling = at.run("equilibrium falling.yaml");
  CHECK(falling.code == 3);
  CHECK(has(falling.err, "slide"));
  // A rate has the unit of its coordinate, and one that follows its drive has its own.
  CHECK(has(at.run("equilibrium spring.yaml --spin 'slide.displacement=1 rad/s'").err, "but needs m/s."));
  at.write("driven.yaml",
           "skyhook: 1\nbodies: {a: {mass: 2, at: [0, 0, 0]}}\ntracks: {line: {}}\njoints: {way: {type: track, track: "
           "line, to: a, drive: \"=3[m/s]*t\", locked: [lateral, vertical, yaw, roll, pitch]}}\n");
  const Done driven = at.run("equilibrium driven.yaml --spin 'way.position=3 m/s'");
  CHECK(driven.code == 2);
  CHECK_MESSAGE(has(driven.err, "\"way.position\" follows its drive: its value and its rate are given."), driven.err);
  CHECK(has(at.run("equilibrium driven.yaml").out, "nothing can move, joints and drives say where everything stands"));
  at.write("part.yaml", "skyhook: 1\ntemplates: {t: {bodies: {a: {mass: 1}}}}\n");
  CHECK(has(at.run("equilibrium part.yaml").out, "nothing can move, the model has no bodies"));
}

TEST_CASE("Command line: bad input and usage end with code 2 and say what to do") {
  const Place at;
  struct Bad {
    const char *arguments, *says;
  };
  at.write("no_end.yaml",
           "skyhook: 1\nbodies:\n  bob: {mass: 1, at: [1, 0, 0]}\njoints:\n  hinge: {type: revolute, from: ground, to: "
           "bob, at: [0, 0, 0], axis: y}\n");
  at.write("broken.yaml", "skyhook: 1\nbodies: {bob: {mass: -1}}\n");
  at.write("not.h5", "this is no HDF5");
  for (const Bad& bad :
       {Bad{"", "subcommand"},
        Bad{"fly", ""},
        Bad{"run", "model"},
        Bad{"run missing.yaml", "missing.yaml"},
        Bad{"check broken.yaml", "broken.yaml:2"},
        Bad{"run mechanisms/pendulum.yaml swimg", "swing"},
        Bad{"run mechanisms/pendulum.yaml --solver idaa", "ida"},
        Bad{"run mechanisms/pendulum.yaml --jacobian exakt", "exact"},
        Bad{"run mechanisms/pendulum_chain.yaml --solver bdf --jacobian dense+extended",
            "Choose the solver bdf/ggl_explicit"},
        Bad{"run mechanisms/pendulum.yaml --tolerance=-1e-6", "tolerance"},
        Bad{"run mechanisms/pendulum.yaml --tolerance 1", "tolerance"},
        Bad{"run mechanisms/pendulum.yaml --tolerance tight", "tolerance"},
        Bad{"run mechanisms/pendulum.yaml --set lenght=2", "length"},
        Bad{"run mechanisms/pendulum.yaml --set length", "NAME=VALUE"},
        Bad{"run mechanisms/pendulum.yaml --set length='2 kg'", "kg"},
        Bad{"run mechanisms/pendulum.yaml --set bob.mass='30 kg'", "is set by a parameter that stands in it"},
        Bad{"run mechanisms/pendulum.yaml --sweep length=1,2 --measure hinge.angle", "max(hinge.angle)"},
        Bad{"run mechanisms/pendulum.yaml --sweep length=1,2 --measure 'rms(x) + 1[N]'", "rms(x)"},
        Bad{"run mechanisms/pendulum.yaml -o a.svg", "plot a.h5 CHANNEL -o a.svg"},
        Bad{"run mechanisms/pendulum.yaml -o a.csv", "export a.h5 --csv a.csv"},
        Bad{"run mechanisms/pendulum.yaml -o a.txt", "Give -o a.h5"},
        Bad{"run no_end.yaml", "no_end.yaml: the model has no experiment that simulates."},
        Bad{"run no_end.yaml", "until"},
        Bad{"run mechanisms/pendulum.yaml -o nowhere/a.h5", "nowhere"},
        Bad{"show missing.h5", "missing.h5"},
        Bad{"show not.h5", "not.h5"},
        Bad{"export not.h5 --csv a.csv", "not.h5"},
        Bad{"diff not.h5 not.h5", "not.h5"}}) {
    const std::string arguments = bad.arguments;
    CAPTURE(arguments);
    const Done done = at.run(arguments);
    CHECK(done.code == 2);
    CHECK(has(done.err, bad.says));
    CHECK(done.err.find("defect") == std::string::npos);
  }
  CHECK(at.run("run mechanisms/pendulum.yaml -o p.h5 -q --until 0.1").code == 0);
  CHECK(at.run("show p.h5 nothing").code == 2);
  CHECK(at.run("export p.h5").code == 2);
  CHECK(at.run("--help").code == 0);
  CHECK(has(at.run("--version").out, "skyhook"));
}

TEST_CASE("Command line: option values that make no sense are refused, and what is allowed is said") {
  const Place at;
  struct Bad {
    const char *option, *says;
  };
  for (const Bad& bad : {Bad{"--until 0", "above 0"},
                         Bad{"--until -3", "above 0"},
                         Bad{"--until=-1", "above 0"},
                         Bad{"--until nan", "--until is \"nan\": \"nan\" is not a number."},
                         Bad{"--until inf", "is not a number"},
                         Bad{"--until ''", "--until"},
                         Bad{"--until '2 m'", "--until is \"2 m\", a quantity in m, but needs s."},
                         Bad{"--until '2 mins'",
                             "unknown unit \"mins\".\n  Did you mean \"min\"? Write a number in s, or with its unit"},
                         Bad{"--set length=1 --set length=2", "--set length is given twice"},
                         Bad{"--output-step 0", "above 0"},
                         Bad{"--output-step -1", "above 0"},
                         Bad{"--output-step=-1", "above 0"},
                         Bad{"--output-step nan", "is not a number"},
                         Bad{"--tolerance 0", "above 0 and at most 0.1"},
                         Bad{"--tolerance nan", "above 0 and at most 0.1"},
                         Bad{"--tolerance -1e-6", "above 0 and at most 0.1"},
                         Bad{"--tolerance 0.2", "above 0 and at most 0.1"},
                         Bad{"-o ''", "must name a file"},
                         Bad{"--out=", "--out"},
                         Bad{"--solver ''", "ida"},
                         Bad{"--jacobian ''", "exact"},
                         Bad{"--from ''", "FILE@TIME"},
                         Bad{"--from 'r.h5@10 m'", "a quantity in m, but needs s"}}) {
    const std::string option = bad.option;
    CAPTURE(option);
    const Done done = at.run("run mechanisms/pendulum.yaml " + option);
    CHECK(done.code == 2);
    CHECK(has(done.err, bad.says));
    CHECK(!fs::exists(at.path / "pendulum.h5"));
  }
}

TEST_CASE("Command line: what would be left out, or looked for in vain, is refused") {
  const Place place;
  REQUIRE(place.run("run mechanisms/andrews.yaml -q --until 1e-4 -o r.h5").code == 0);
  for (const auto& [arguments, why] : std::vector<std::pair<std::string, std::string>>{
           {"show r.h5 --cost --events", "are different tables"},
           {"show r.h5 --all --at 0", "are different tables"},
           {"show r.h5 --events K1.angle", "have no channels, but K1.angle is given"},
           {"diff r.h5 r.h5 --tol -1", "--tol is -1, but must not be negative"},
           {"diff r.h5 r.h5 --tol nan", "must not be negative"},
           {"run ''", "the model is given without a file name"}}) {
    const Done done = place.run(arguments);
    CHECK(done.code == 2);
    CHECK(has(done.err, why));
  }
}

TEST_CASE("Command line: times may have a unit") {
  const Place at;
  CHECK(at.run("run mechanisms/pendulum.yaml --until '0.01 min' --output-step '200 ms' -o t.h5 -q").code == 0);
  CHECK(at.run("show t.h5 time --all --json").code == 0);
  CHECK(at.json("[round(r['time'], 9) for r in d] == [0, 0.2, 0.4, 0.6]"));
  const Done shown = at.run("show t.h5 x y --at '200 ms' --at 0.4");
  CHECK(shown.code == 0);
  CHECK(shown.out == at.run("show t.h5 x y --at 0.2 --at '4e5 us'").out);
  CHECK(at.run("run mechanisms/pendulum.yaml --from 't.h5@200 ms' --until 0.3 -o u.h5 -q").code == 0);
  CHECK(at.run("show u.h5 time --all --json").code == 0);
  CHECK(at.json("round(d[0]['time'], 9) == 0.2"));
}

TEST_CASE("Command line: check counts rods as loops, and looks at the outputs of every experiment") {
  const Place at;
  const std::string model =
      "skyhook: 1\nparameters: {N: 1}\nbodies:\n"
      "  stone[i=1..N]: {mass: 2, inertia: [1, 1, 1], at: [0, =i, -1]}\njoints:\n  rope[i=1..N]: "
      "{type: rod, from: ground, to: \"stone[i]\", from_at: [0, =i, 0], to_at: [0, =i, -1]}\n";
  at.write("rope.yaml", model + "experiments: {rest: {until: 1 s}}\n");
  CHECK(has(at.run("check rope.yaml").out, "loops: 1"));
  CHECK(at.run("check rope.yaml --json").code == 0);
  CHECK(at.json("d['loops'] == 1 and d['cuts'] == []"));

  const auto refused = [&](const std::string& text, const std::string& channel, const std::string& arguments = "") {
    at.write("outputs.yaml", model + text);
    const Done done = at.run("check outputs.yaml " + arguments);
    return done.code == 2 && has(done.err, "outputs.yaml:") &&
           has(done.err, "output \"" + channel + "\" matches no channel");
  };
  CHECK(refused("outputs: [\"stone[1].q\"]\n", "stone[1].q"));
  CHECK(refused("outputs: [\"stone[1].q\"]\nexperiments: {a: {until: 1 s}}\n", "stone[1].q"));
  CHECK(refused("outputs: [\"stone[1].q\"]\nexperiments: {a: {until: 1 s, outputs: [\"*.x\"]}}\n", "stone[1].q"));
  CHECK(refused("experiments: {a: {until: 1 s}, b: {until: 1 s, outputs: [\"stone[1].q\"]}}\n", "stone[1].q", "a"));
  CHECK(refused("experiments: {a: {until: 1 s}, b: {analysis: equilibrium, outputs: [\"*.q\"]}}\n", "*.q"));
  // An experiment with more stones than the one that is checked.
  at.write("set.yaml", model +
                           "experiments:\n  a: {until: 1 s}\n"
                           "  b: {until: 1 s, set: {N: 2}, outputs: [\"stone[2].x\"]}\n");
  CHECK(at.run("check set.yaml a").code == 0);
}

TEST_CASE("Command line: failing numerics end with code 3 and name the culprit") {
  const Place at;
  at.write("massless.yaml",
           "skyhook: 1\nbodies:\n  arm: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}\n  wheel: {mass: 0, at: [2, 0, "
           "0]}\njoints:\n"
           "  shoulder: {type: revolute, from: ground, to: arm, at: [0, 0, 0], axis: y}\n  hub: {type: revolute, from: "
           "arm, to: wheel, axis: y}\nexperiments: {rest: {until: 1 s}}\n");
  const Done check = at.run("check massless.yaml"), run = at.run("run massless.yaml");
  CHECK(check.code == 3);
  CHECK(has(check.out, "wheel"));
  CHECK(run.code == 3);
  CHECK(has(run.err, "wheel"));
  CHECK(at.run("check massless.yaml --json").code == 3);
  CHECK(at.json("d['solvable'] is False"));
  // A coupler that is too short to reach: base 3 m, links of 1 m, 0.5 m and 1 m.
  at.write("short.yaml",
           "skyhook: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}\n  b: {mass: 1, inertia: [1, 1, 1], "
           "at: [0, 1, 0]}\n  c: {mass: 1, inertia: [1, 1, 1], at: [3, 0, 0]}\njoints:\n"
           "  A: {type: revolute, from: ground, to: a, axis: z}\n  B: {type: revolute, from: a, to: b, axis: z}\n  D: "
           "{type: revolute, from: ground, to: c, axis: z}\n"
           "  C: {type: revolute, from: b, to: c, at: [0.5, 1, 0], at_to: [3, 1, 0], axis: z}\nexperiments: {rest: "
           "{until: 1 s}}\n");
  // It fails before its first sample: an earlier result stays as it was.
  CHECK(at.run("run mechanisms/pendulum.yaml --until 0.1 -q -o short.h5").code == 0);
  const std::string before = text_of(at.path / "short.h5");
  const Done open = at.run("run short.yaml");
  CHECK(open.code == 3);
  CHECK(has(open.err, "C: displacement along x"));
  CHECK(has(open.err, "no result is written"));
  CHECK(open.out.empty());
  CHECK(at.run("run short.yaml --json").code == 3);
  CHECK(at.json("d['status'] == 'failed' and d['result'] is None and 'C: displacement' in d['reason']"));
  CHECK(text_of(at.path / "short.h5") == before);
  CHECK(at.run("check short.yaml").code == 3);
  CHECK(at.run("check short.yaml --json").code == 3);
  CHECK(at.json("d['consistent'] is False"));
}

TEST_CASE("Command line: Ctrl-C keeps what there is") {
  const Place at;
  const std::string model = SKYHOOK_SOURCE_DIR "/models/mechanisms/four_bar.yaml";
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (chdir(at.path.c_str()) != 0) _exit(1);
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, 1), dup2(null, 2);
    execl(SKYHOOK_APP, "skyhook", "run", model.c_str(), "--until", "1e6", "--output-step", "0.1", "-o", "long.h5",
          static_cast<char*>(nullptr));
    _exit(1);
  }
  // The file appears after the program has begun to listen; then let it get somewhere.
  for (int i = 0; i < 200 && !fs::exists(at.path / "long.h5.part"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  REQUIRE(kill(child, SIGINT) == 0);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  const auto result = io::ResultFile::open((at.path / "long.h5").string());
  CHECK(result.samples() > 10);
  CHECK(has(at.run("show long.h5").out, "interrupted"));
  CHECK(has(at.run("show long.h5 --events").out, "interrupted"));
  CHECK(at.run("show long.h5 --events --json").code == 0);
  CHECK(at.json("any('interrupted' in e['event'] for e in d)"));
}

TEST_CASE("Included files are found along --path and SKYHOOK_PATH") {
  const Place place;
  fs::create_directories(place.path / "lib");
  place.write("lib/part.yaml", "skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: free, from: ground, to: b}}\n");
  place.write("m.yaml", "skyhook: 1\ninclude: part.yaml\n");
  CHECK(place.run("expand m.yaml --path nowhere --path lib").code == 0);
  CHECK(place.text("err") == "--path nowhere: there is no such folder, it is ignored.\n");
  const Done missing = place.run("expand m.yaml");
  CHECK(missing.code == 2);
  CHECK(has(missing.err, "m.yaml:2:10: include: the file \"part.yaml\" is not found."));
  setenv("SKYHOOK_PATH", "nowhere:lib", 1);
  CHECK(place.run("expand m.yaml").code == 0);
  unsetenv("SKYHOOK_PATH");
}
#endif
