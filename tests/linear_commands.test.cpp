// `skyhook modes` and `skyhook linearize` as a user calls them: tables, JSON, files, a root locus, wrong input.
#ifdef SKYHOOK_APP
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "oscillator.testing.h"
#include "run_model.testing.h"

using namespace skyhook;
using testing::has;

namespace {

struct Place : testing::Oscillator {
  Place() : testing::Oscillator("linear", "  run: {until: 2 s}\n") {}
};

}  // namespace

TEST_CASE("Modes: as a table, as JSON, at the start and along a run") {
  const Place at;
  for (const char* where : {"", " --start", " --at 0.5", " --differences"}) {
    CAPTURE(where);
    REQUIRE(at.run(std::string("modes m.yaml --json") + where).code == 0);
    CHECK(at.json("len(d['modes']) == 1"));
    CHECK(at.json("abs(d['modes'][0]['frequency_hz'] - 10/6.283185307179586) < 1e-6"));
    CHECK(at.json("abs(d['modes'][0]['damping'] - 0.2) < 1e-6"));
    CHECK(at.json("abs(d['modes'][0]['real'] + 2) < 1e-6 and abs(d['modes'][0]['imag'] - 96**0.5) < 1e-6"));
    CHECK(at.json("abs(d['modes'][0]['bodies']['load'] - 1) < 1e-9 and d['modes'][0]['rigid'] is False"));
    CHECK(at.json("abs(sum(d['modes'][0]['elements'].values()) - 1) < 1e-6"));
    CHECK(at.json("abs(d['modes'][0]['dissipation']['strut'] - 1) < 1e-6 and d['stable'] and d['free_motions'] == 0"));
  }
  const auto table = at.run("modes m.yaml run --shapes --csv t.csv");
  REQUIRE(table.code == 0);
  CHECK(has(table.out, "load 100 %"));
  CHECK(has(table.out, "about x"));
  CHECK(has(at.text("t.csv"), "frequency [Hz]"));
}

// Reference: the list that --csv writes, in which each mode has a row of its own.
TEST_CASE("Modes: the dozens of creeps of a damped line stand in one line, with their number and range") {
  const testing::Place at("creeps");
  const std::string command = "modes " + testing::model_path("flexible/ancf_crane");
  const std::string text = at.run(command).out;
  std::istringstream list(at.run(command + " --csv -").out);
  int modes = -1, creeps = 0;  // the header counts too
  std::string first, last;     // numbers of those that creep
  double slowest = 0, fastest = 0;
  for (std::string row; std::getline(list, row); ++modes) {
    const std::size_t at_word = row.find(" creeps,");
    if (at_word == std::string::npos) continue;
    double frequency = 0, damping = 0, real = 0;
    REQUIRE(std::sscanf(row.c_str() + at_word, " creeps,%lf,%lf,%lf,", &frequency, &damping, &real) == 3);
    last = row.substr(0, at_word), fastest = real;
    if (++creeps == 1) first = last, slowest = real;
  }
  REQUIRE(creeps > 50);
  CHECK(has(text, first + " to " + last + " creep "));
  CHECK(has(text, fmt::format("modes {} to {}, {} in all, creep with real parts from {:.4g} to {:.4g} 1/s;", first,
                              last, creeps, slowest, fastest)));
  CHECK(std::ranges::count(text, '\n') ==
        3 + (modes - creeps + 1) + 1);  // title, header and rule; rows; what is said below
  // A few of different bodies stay by themselves.
  const std::string few = at.run("modes " + testing::model_path("rail/gz18")).out;
  CHECK(has(few, " creeps "));
  CHECK(few.find("in all, creep") == std::string::npos);
}

TEST_CASE("Modes: at an instant of a result") {
  const Place at;
  REQUIRE(at.run("run m.yaml -o r.h5 -q").code == 0);
  REQUIRE(at.run("modes m.yaml --from r.h5@1 --json").code == 0);
  CHECK(at.json("abs(d['modes'][0]['damping'] - 0.2) < 1e-6 and 'r.h5@1' in d['at']"));
}

TEST_CASE("Linearize: states, inputs, outputs and matrices, as JSON, CSV and MAT") {
  const Place at;
  REQUIRE(at.run("linearize m.yaml --json -o s.mat").code == 0);
  CHECK(at.json("[s['name'] for s in d['states']] == ['ride.displacement', 'ride.displacement_rate']"));
  CHECK(at.json("[u['unit'] for u in d['inputs']] == ['m', 'm/s', 'm/s^2']"));
  CHECK(at.json("[y['name'] for y in d['outputs']] == ['foot', 'load', 'force']"));
  CHECK(at.json("abs(d['A'][1][0] + 100) < 1e-9 and abs(d['A'][1][1] + 4) < 1e-9 and d['A'][0] == [0, 1]"));
  CHECK(at.json("abs(d['B'][1][0] - 100) < 1e-6 and abs(d['B'][1][1] - 4) < 1e-9 and abs(d['B'][1][2]) < 1e-9"));
  CHECK(at.json("abs(d['C'][1][0] - 1) < 1e-9 and abs(d['D'][0][0] - 1) < 1e-9 and abs(d['C'][2][0] - 100) < 1e-6"));
  CHECK(at.json("abs(d['second_order']['K'][0][0] - 100) < 1e-9"));
  CHECK(at.text("s.mat").size() > 500);
  REQUIRE(at.run("linearize m.yaml --input lift.displacement --output ride.displacement -o s.csv -q").code == 0);
  CHECK(has(at.text("s.csv"), "lift.displacement [m]"));
  CHECK(at.text("s.csv").find("lift.displacement_rate") == std::string::npos);
  CHECK(at.run("linearize m.yaml -o s.json -q").out == "linear system in s.json\n");
  CHECK(has(at.run("linearize m.yaml").out, "inputs (3)"));
}

// Reference: a bicycle model that understeers is stable in every curve (b Cr > a Cf), one that oversteers above its critical speed not; the potential in
// axes that go round falls in both.
TEST_CASE("Equilibrium: whether a steady curve is stable its modes say") {
  const Place at;
  at.write("b.yaml", R"yaml(
skyhook: 1
gravity: off
ignore_warnings: [no_mass]
parameters: {delta: 0 rad, b: 1.5 m}
bodies:
  car: {mass: 1200, inertia: [400, 1500, 1600]}
  knuckle: {mass: 0, at: [1.1, 0, 0]}
joints:
  float: {type: free, from: ground, to: car, coordinates: quaternion}
  column: {type: revolute, from: car, to: knuckle, axis: z, drive: =delta}
forces:
  front: {type: force, from: ground, to: knuckle, axes: to, y: "=-80e3[N]*atan2(vy, vx)"}
  rear: {type: force, from: ground, to: car, to_at: [=-b, 0, 0], axes: to, y: "=-90e3[N]*atan2(vy, vx)"}
experiments:
  curve: {analysis: equilibrium, speed: 40 m/s, yaw_rate: 0.02 rad/s, steer: column.angle}
)yaml");
  REQUIRE(at.run("equilibrium b.yaml curve --json").code == 0);
  CHECK(at.json("d['stable'] is True and d['steered']['coordinate'] == 'column.angle'"));
  REQUIRE(at.run("equilibrium b.yaml curve --set b=\"0.6 m\" --json").code == 0);
  CHECK(at.json("d['stable'] is False"));
}

// A ball that rests on the floor has no motion left.
TEST_CASE("Modes: of what contacts hold altogether there are none") {
  const Place at;
  const auto none = at.run("modes mechanisms/bouncing_ball.yaml --json -o r.h5");
  CHECK(none.code == 0);
  CHECK(at.json("d['modes'] == [] and d['stable']"));
  CHECK(at.run("linearize mechanisms/bouncing_ball.yaml --json").code == 0);
}

TEST_CASE("Linearize: forces from outside by name, and the steady motion of the experiment") {
  const Place at;
  REQUIRE(at.run("linearize m.yaml --input load.force_z lift.displacement --json").code == 0);
  CHECK(at.json("[u['name'] for u in d['inputs']] == ['lift.displacement', 'load.force_z']"));
  CHECK(at.json("abs(d['B'][1][1] - 1) < 1e-9 and d['inputs'][1]['unit'] == 'N'"));
  CHECK(has(at.run("linearize m.yaml --input load.force_w").err, "there is no input \"load.force_w\""));
  REQUIRE(at.run("response m.yaml --linear --input load.force_z --output load --low 0.001 --high 0.002 --json").code ==
          0);
  CHECK(at.json("abs(d['bands'][0]['load'] - 0.01) < 1e-5"));  // 1/(100 N/m)
  at.write("g.yaml", R"yaml(
skyhook: 1
bodies: {hub: {mass: 1, inertia: [1e6, 1e6, 1e6]}, bob: {mass: 3, inertia: [0, 0, 0], at: [0, 0, -0.7]}}
joints:
  spin: {type: revolute, from: ground, to: hub, axis: z}
  pin: {type: revolute, from: hub, to: bob, at: [0, 0, 0], axis: y, angle: 0.2}
experiments: {round: {analysis: modes, spin: {spin.angle: 5 rad/s}}}
)yaml");
  REQUIRE(at.run("modes g.yaml --json").code == 0);
  // It swings at W sin(angle) with cos(angle) = g / (W^2 l).
  CHECK(at.json("abs([m for m in d['modes'] if m['oscillates']][0]['imag'] - 5*(1 - (9.81/17.5)**2)**0.5) < 1e-4"));
  CHECK(at.json("d['at'] == 'the steady motion'"));
}

TEST_CASE("Modes: a root locus finds where an inverted pendulum begins to fall") {
  // 1 kg at 0.5 m on a spring: it stands from k = m g l on.
  const Place at;
  at.write("p.yaml", R"yaml(
skyhook: 1
parameters: {rate: 6 N.m/rad}
bodies: {bob: {mass: 1 kg, at: [0, 0, 0.5]}}
joints: {foot: {type: revolute, from: ground, to: bob, at: [0, 0, 0], axis: y}}
forces: {spring: {type: spring_damper, joint: foot, angular_stiffness: =rate}}
)yaml");
  REQUIRE(at.run("modes p.yaml --sweep rate=3..8/6 --start --crossing -o l.svg --csv l.csv --json").code == 0);
  CHECK(at.json("len(d['branches']) >= 1 and len(d['values']) == 6"));
  CHECK(at.json("len(d['crossings']) == 1 and abs(d['crossings'][0]['value'] - 4.905) < 1e-6"));
  CHECK(at.json("d['crossings'][0]['grows'] is False"));
  CHECK(has(at.text("l.svg"), "<svg"));
  CHECK(has(at.text("l.csv"), "branch"));
  CHECK(has(at.run("modes m.yaml --sweep rate=50,100,200 --crossing").err, "No mode begins"));
}

TEST_CASE("Response: of the linear system, and to a random excitation") {
  // H = (100 + 4 i w)/(100 + 4 i w - w^2). Under a density S of the foot the load's variance is the integral of S |H|^2 over f.
  const Place at;
  REQUIRE(at.run("response m.yaml --linear --input foot --output load --low 1 --high 2 --per-octave 2 --json").code ==
          0);
  const std::string exact = "abs((100+4j*w)/(100+4j*w-w*w))";
  CHECK(at.json("all(abs(b['load'] - (lambda w: " + exact +
                ")(6.283185307179586*b['frequency'])) < 1e-8 for b in d['bands'])"));
  REQUIRE(at.run("response m.yaml --linear --input foot --output load --low 0.01 --high 50 --psd 1e-4 --json").code ==
          0);
  const std::string sum =
      "sum(1e-4*0.001*(lambda w: " + exact + "**2)(6.283185307179586*(0.01+0.001*(k+0.5))) for k in range(49990))**0.5";
  CHECK(at.json("abs(d['random'][0]['rms']/(" + sum + ") - 1) < 1e-5"));
  // The same input twice: twice the amplitude together, sqrt 2 of it on tracks that know nothing of each other.
  for (const auto& [option, factor] : {std::pair("--also", "2"), {"--beside", "2**0.5"}}) {
    REQUIRE(at.run("response m.yaml --linear --input foot --output load --low 0.01 --high 50 --psd 1e-4 --json " +
                   std::string(option) + " foot=0")
                .code == 0);
    CHECK(at.json("abs(d['random'][0]['rms']/(" + std::string(factor) + "*" + sum + ") - 1) < 1e-5"));
  }
  CHECK(at.run("response m.yaml --linear --input load").code == 2);
  CHECK(at.run("response m.yaml --input foot --psd 1").code == 2);
  const auto negative = at.run("response m.yaml --linear --input foot --output load --psd \"1 - f\"");
  CHECK(negative.code == 2);
  CHECK(has(negative.err, "but a density is finite and not negative"));
}

TEST_CASE("Modes and linearize: drives alone say where everything is") {
  const Place at;
  at.write("d.yaml", R"yaml(
skyhook: 1
bodies: {b: {mass: 1 kg, at: [0, 0, 1]}}
joints: {j: {type: prismatic, from: ground, to: b, drive: "=0.1[m]*sin(t/1[s])"}}
outputs: {z: b.z}
)yaml");
  const auto modes = at.run("modes d.yaml");
  CHECK(modes.code == 0);
  CHECK(has(modes.out, "nothing can move"));
  REQUIRE(at.run("linearize d.yaml --json").code == 0);
  CHECK(at.json("d['states'] == [] and d['A'] == [] and abs(d['D'][0][0] - 1) < 1e-9"));
  // The same where the drive is a row and the loop leaves nothing free.
  CHECK(at.run("modes mechanisms/valve_train.yaml --start --json").code == 0);
}

TEST_CASE("Modes and linearize: what cannot be is said") {
  const Place at;
  at.write("falls.yaml", "skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: prismatic, from: ground, to: b}}\n");
  const auto falls = at.run("modes falls.yaml");
  CHECK(falls.code == 3);
  CHECK(has(falls.err, "No equilibrium"));
  CHECK(has(falls.err, "--start"));
  const auto free = at.run("modes falls.yaml --start --json");
  CHECK(free.code == 0);
  CHECK(at.json("d['free_motions'] == 1 and d['modes'][0]['rigid']"));
  CHECK(at.run("modes m.yaml --start --at 1").code == 2);
  CHECK(has(at.run("modes m.yaml --at 5").err, "behind the end"));
  CHECK(has(at.run("linearize m.yaml --input nothing").err, "there is no input \"nothing\""));
  CHECK(at.run("linearize m.yaml --output nothing").code == 2);
  CHECK(has(at.run("linearize m.yaml -o s.txt").err, ".mat, .csv or .json"));
  CHECK(has(at.run("modes falls.yaml --start").err, "not_steady"));
}
#endif
