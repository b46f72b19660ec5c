// Reference: the run itself. A run to the end, and one that starts from its result in the middle, are one motion; where they
// restart the integrator they differ by what a restart costs, some tolerances.
#include <algorithm>
#include <cmath>

#include "program.testing.h"
#include "skyhook/io/result/reader.h"

using namespace skyhook;
using skyhook::testing::Done;
using skyhook::testing::has;
using skyhook::testing::lacks;
using skyhook::testing::Place;

namespace {

// Largest difference behind `from`, each channel relative to its largest value, or to 1 where that is smaller. At an event one
// sample may stand left of it and the other, by rounding, right: these say nothing.
double difference(const Place& place, double from) {
  const io::ResultFile a = io::ResultFile::open(place.path / "a.h5"), b = io::ResultFile::open(place.path / "b.h5");
  double worst = 0;
  const auto events = a.events();
  for (const auto& channel : a.channels()) {
    const io::Series x = a.series(channel.name), y = b.series(channel.name);
    double size = 1;
    for (const double value : x.values) size = std::max(size, std::abs(value));
    const std::vector<int> sides = b.sides();
    for (std::size_t k = 0; k < y.time.size(); ++k) {
      const auto is_near = [&](const auto& event) { return std::abs(event.t - y.time[k]) < 1e-9; };
      if (sides[k] != 0 || y.time[k] <= from || std::ranges::any_of(events, is_near)) continue;
      const double t = std::min(y.time[k], x.time.back());
      const double d = std::abs(y.values[k] - x.at(t, io::Side::before)) / size;
      if (!(d <= worst)) worst = d;
    }
  }
  return worst;
}

// The first run until `until`, the second one from `from` to there.
struct Both {
  Done first, second;
  double difference;
};
Both run_both(const Place& place, const std::string& text, const std::string& from, const std::string& options = "",
              const std::string& second = "") {
  place.write("m.yaml", text);
  Both out{place.run("run m.yaml -q -o a.h5 " + options), {}, 0};
  REQUIRE_MESSAGE(out.first.code == 0, out.first.err);
  out.second = place.run("run m.yaml -q -o b.h5 --from a.h5@" + from + " " + options + " " + second);
  REQUIRE_MESSAGE(out.second.code == 0, out.second.err);
  out.difference = difference(place, std::stod(from));
  return out;
}

// An arm with a PID of delay 1.6 samples, whose setpoint is filtered by a slower controller with memory; an event turns
// another controller off, and one sets the damping.
const std::string controlled = R"yaml(skyhook: 1
parameters: {c: 0.2 N.m.s}
bodies: {arm: {mass: 2, inertia: [0.001, 0.06, 0.06], com: [0.3, 0, 0]}}
joints: {pivot: {type: revolute, from: ground, to: arm, axis: y}}
forces:
  bearing: {type: spring_damper, joint: pivot, angular_damping: =c}
  motor: {type: actuator, joint: pivot, signal: servo}
  wind: {type: actuator, joint: pivot, signal: gust}
controllers:
  servo: {type: pid, sample_time: 10 ms, delay: 16 ms, input: pivot.angle, setpoint: -0.5, kp: 20, ki: 60, kd: 1,
          derivative_filter: 10 ms, lower: -12, upper: 12, unit: N.m}
  count: {type: expression, sample_time: 70 ms, offset: 3 ms, inputs: {x: pivot.angle}, memory: {n: 0}, next: {n: "=0.8*n + x"},
          outputs: {u: =n}}
  gust: {type: expression, sample_time: 30 ms, inputs: {n: count}, outputs: {F: "=0.5*sin(20*n)"}, unit: N.m}
events:
  calm: {at: 0.45, do: {switch_off: gust}}
  thick: {at: 0.5, do: {set: {c: 0.4 N.m.s}}}
outputs: [pivot.angle, pivot.angle_rate, servo, count, gust]
experiments: {e: {until: 1, output_step: 10 ms, tolerance: 1e-7}}
)yaml";

}  // namespace

TEST_CASE("A run from a result goes on with its controllers, switches and parameters, by all solvers") {
  const Place place("from_controllers");
  for (const char* solver : {"ida", "bdf", "radau5", "dopri5", "adams", "hem5"}) {
    const std::string options = std::string("--solver ") + solver;
    for (const std::string from : {"0.6", "0.3", "0.6042"}) {  // behind the events, before them, between samples
      CAPTURE(options);
      CAPTURE(from);
      Both both = run_both(place, controlled, from, options);
      if (from == "0.6042") {  // signals jump between the samples of the first run: finer ones are needed to compare
        REQUIRE(place.run("run m.yaml -q -o a.h5 --output-step 2e-4 " + options).code == 0);
        both.difference = difference(place, 0.6042);
      }
      CHECK(both.difference < 1e-4);  // forgetting any one of them costs 1e-2 or more
      CHECK(lacks(both.second.err, "from_result"));
    }
  }
}

// Most samples of the first run were never solved, and none of eight in a row can all have been; each must be one to start from.
TEST_CASE("A run goes on from samples that come from the curve through others") {
  const Place place("from_curve");
  place.write("m.yaml", R"yaml(skyhook: 1
bodies: {arm: {mass: 2, inertia: [0.001, 0.06, 0.06], com: [0.3, 0, 0]}, bob: {mass: 1, at: [0.6, 0, 0]}}
joints: {pivot: {type: revolute, from: ground, to: arm, axis: y}, hinge: {type: revolute, from: arm, to: bob, at: [0.5, 0, 0], axis: y}}
outputs: [pivot.angle, hinge.angle, bob.x, energy.*]
experiments: {e: {until: 1, output_step: 0.5 ms, tolerance: 1e-7, solver: bdf}}
)yaml");
  REQUIRE(place.run("run m.yaml -q --json -o a.h5 --samples curve").code == 0);
  CHECK(place.json("d['from_curve'] > 0.6*d['recorded']"));
  for (const std::string from : {"0.4", "0.4005", "0.401", "0.4015", "0.402", "0.4025", "0.403", "0.4035"}) {
    CAPTURE(from);
    const Done second = place.run("run m.yaml -q -o b.h5 --samples curve --from a.h5@" + from);
    REQUIRE_MESSAGE(second.code == 0, second.err);
    CHECK(lacks(second.err, "from_result"));
    CHECK(difference(place, std::stod(from)) < 1e-5);  // a hundred tolerances, as of a restart
  }
}

TEST_CASE("A run from a result keeps the parameters that events have set") {
  const Place place("from_parameters");
  const Both both = run_both(place, R"yaml(skyhook: 1
parameters: {k: 10 N/m}
bodies: {b: {mass: 1}}
joints: {j: {type: prismatic, from: ground, to: b, axis: x, displacement: 0.1}}
forces: {s: {type: spring_damper, joint: j, stiffness: =k}}
events: {stiff: {at: 0.3 s, do: {set: {k: 1000 N/m}}}}
outputs: [j.displacement, energy.*]
experiments: {e: {until: 1 s, output_step: 0.01, tolerance: 1e-8}}
)yaml",
                             "0.6");
  CHECK(both.difference < 1e-5);  // energy.* too: the books go on
  // From a run that has itself started from a result.
  const Done third = place.run("run m.yaml -q -o c.h5 --from b.h5@0.8044");
  CHECK(third.code == 0);
  CHECK(lacks(third.err, "from_result"));
  std::filesystem::rename(place.path / "c.h5", place.path / "b.h5");
  REQUIRE(place.run("run m.yaml -q -o a.h5 --output-step 2e-4").code == 0);  // finer, to compare between its samples
  CHECK(difference(place, 0.8044) < 1e-5);
  const Done other = place.run("run m.yaml -q -o c.h5 --from a.h5@0.6 --set k='20 N/m'");
  CHECK(has(other.err, "a.h5: the model has changed since this run: k was 10 N/m and is 20 N/m."));
  CHECK(has(other.err, "An event of the result has set k = 1000 N/m; --set counts. [from_result]"));
  const Done quiet = place.run("run m.yaml -q -o c.h5 --from a.h5@0.6 --set k='20 N/m' --ignore from_result");
  CHECK(lacks(quiet.err, "from_result"));
}

TEST_CASE("A run from a result keeps what sticks, what is in contact, modes, inner states and turns") {
  const Place place("from_rows");
  // A block that a belt carries: it sticks at 0.6 s, by 0.06 m off its origin.
  CHECK(run_both(place, testing::text_of(SKYHOOK_SOURCE_DIR "/models/mechanisms/belt.yaml"), "0.2",
                 "--until 1 --tolerance 1e-8")
            .difference < 1e-4);
  // A ball that rests on the floor after infinitely many impacts, and one between two impacts.
  const std::string ball = testing::text_of(SKYHOOK_SOURCE_DIR "/docs/examples/09_contact.yaml");
  CHECK(run_both(place, ball, "3", "--solver bdf --tolerance 1e-8 --until 3.5").difference < 1e-5);
  CHECK(run_both(place, ball, "0.55", "--solver radau5 --tolerance 1e-8 --until 2.5").difference < 1e-3);
  // A hinge of a closed loop that is cut and turns several times; a force with an inner state; a stop in contact.
  const Both both = run_both(place, R"yaml(skyhook: 1
gravity: off
bodies:
  a: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0]}
  b: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [1, 0, 0]}
joints:
  p: {type: revolute, from: ground, to: a, at: [0, 0, 0], axis: y, rate: 30}
  q: {type: revolute, from: ground, to: a, at: [0, 0, 0], axis: y, cut: true}
  s: {type: prismatic, from: ground, to: b, axis: x, rate: 1}
forces:
  m: {type: maxwell, joint: s, stiffness: 50, damping: 2}
  stop: {type: bump_stop, joint: s, engage_length: -0.1, engage_length_max: 0.05, stiffness: 2000, events: on}
outputs: [p.angle, q.angle, s.displacement, m.force, stop.force, energy.work]
experiments: {e: {until: 1, output_step: 5 ms, tolerance: 1e-8, solver: bdf}}
)yaml",
                             "0.5");
  CHECK(both.difference < 1e-4);
  CHECK(io::ResultFile::open(place.path / "b.h5").value_at("q.angle", 1) > 25);
}

TEST_CASE("Events that have happened at the start from a result do not happen again; those that have not do") {
  const Place place("from_instants");
  const std::string kicks = R"yaml(skyhook: 1
gravity: off
bodies: {b: {mass: 1}}
joints: {j: {type: prismatic, from: ground, to: b, axis: x}}
events:
  kick: {at: 0.1, every: 0.1, inputs: {v: j.displacement_rate}, do: {state: {j.displacement_rate: "=v + 1"}}}
  end: {inputs: {x: j.displacement}, when: "=x - 1[m]", do: stop}
outputs: [j.displacement_rate]
experiments: {e: {until: 2, output_step: 0.05}}
)yaml";
  CHECK(run_both(place, kicks, "0.3").difference < 1e-9);
  CHECK(io::ResultFile::open(place.path / "b.h5").events().front().t == doctest::Approx(0.4));
  // From the end, where an event has stopped the run: it goes on.
  const double end = io::ResultFile::open(place.path / "a.h5").time().back();
  CHECK(end < 1);
  const Done more = place.run("run m.yaml -q -o c.h5 --from a.h5@" + std::to_string(end));
  CHECK(more.code == 0);
  CHECK(io::ResultFile::open(place.path / "c.h5").time().back() == doctest::Approx(2));
}

TEST_CASE("A run from a result tells what it cannot take over") {
  const Place place("from_warnings");
  place.write("m.yaml", controlled);
  REQUIRE(place.run("run m.yaml -q -o a.h5").code == 0);
  const auto run_from = [&](const std::string& t, const std::string& old, const std::string& now) {
    std::string text = controlled;
    text.replace(text.find(old), old.size(), now);
    place.write("other.yaml", text);
    return place.run("run other.yaml -q -o b.h5 --from a.h5@" + t);
  };
  CHECK(has(run_from("0.6", "sample_time: 10 ms", "sample_time: 5 ms").err,
            "controller \"servo\" starts anew: its sample time, offset, delay, memory or outputs differ"));
  CHECK(has(run_from("0.6", "sample_time: 10 ms", "sample_time: 5 ms").err, "the model has changed since this run"));
  CHECK(has(run_from("0.6", "  count:",
                     "  more: {type: expression, sample_time: 1, inputs: {x: count}, outputs: {y: =x}}\n  count:")
                .err,
            "controller \"more\" starts anew: the result has no such controller"));
  const Done between = run_from("0.6042", "mass: 2,", "mass: 2.5,");
  CHECK(has(between.err,
            "has no sample at 0.6042 s: positions and velocities are interpolated between 0.6 s and 0.61 s."));
  CHECK(has(between.err,
            "controller \"servo\" has 1 sample between the instant that the result has stored and the start"));
  // What does not move the model is no change.
  CHECK(lacks(run_from("0.6042", "outputs: [pivot.angle, ", "outputs: [").err, "from_result"));

  // As older Skyhooks wrote it.
  const std::string forget = "cd " + place.path.string() +
                             " && /usr/bin/python3 -c \"import h5py; f = h5py.File('a.h5', 'r+'); del f['run_state']\"";
  REQUIRE(std::system(forget.c_str()) == 0);
  const Done old = place.run("run m.yaml -q -o b.h5 --from a.h5@0.6");
  CHECK(old.code == 0);
  CHECK(
      has(old.err,
          "These start anew: controller servo, controller count, controller gust, what has been set by event thick."));
}

// Two events set k one after the other: the second counts. Plain numbers have no unit.
TEST_CASE("A run from a result tells changed parameters with their units, and each once") {
  const Place place("from_parameters");
  place.write("m.yaml",
              "skyhook: 1\nparameters: {k: 50, l: 3 mm}\nbodies: {b: {mass: 1}}\n"
              "joints: {slide: {type: prismatic, from: ground, to: b, axis: z}}\n"
              "forces: {s: {type: spring_damper, joint: slide, stiffness: =k, free_length: =l}}\n"
              "events: {first: {at: 0.2, do: [{set: {k: 80}}]}, second: {at: 0.3, do: [{set: {k: 90}}]}}\n"
              "experiments: {e: {until: 1, output_step: 0.1}}\n");
  REQUIRE(place.run("run m.yaml -q -o a.h5").code == 0);
  const std::string told = place.run("run m.yaml -q -o b.h5 --from a.h5@0.5 --until 2 --set k=60 --set 'l=4 mm'").err;
  CHECK(has(told, "k was 50 and is 60, l was 0.003 m and is 0.004 m."));
  CHECK(has(told, "An event of the result has set k = 90; --set counts."));
  CHECK(lacks(told, "k = 80"));
  const Done over = place.run("run m.yaml -q -o a.h5 --from a.h5@0.5 --until 2");
  CHECK(over.code == 2);
  CHECK(has(over.err, "a.h5: this file is read by the command, which would replace it."));
}

TEST_CASE("A run from a result warns where a drive is another than there") {
  const Place place("from_drives");
  const auto model = [](const std::string& drive) {
    return "skyhook: 1\nbodies: {a: {mass: 1}, b: {mass: 1, inertia: [1, 1, 1], com: [0.1, 0, 0]}}\njoints:\n"
           "  d: {type: prismatic, from: ground, to: a, axis: x, drive: \"" +
           drive +
           "\"}\n"
           "  h: {type: revolute, from: a, to: b, axis: y}\noutputs: [h.angle, b.x]\n"
           "experiments: {e: {until: 1, output_step: 0.01}}\n";
  };
  const Both same = run_both(place, model("=0.1[m]*sin(6[1/s]*t)"), "0.5");
  CHECK(same.difference < 1e-4);
  CHECK(lacks(same.second.err, "warning"));
  place.write("m.yaml", model("=0.2[m]*sin(6[1/s]*t)"));
  const Done other = place.run("run m.yaml -q -o b.h5 --from a.h5@0.5");
  CHECK(other.code == 0);
  CHECK(has(other.err,
            "the drive of joint d had 0.014112 at t = 0.5 s and has 0.028224 here, in SI units: the motion jumps"));
  place.write("m.yaml", model("=0.014112001[m] + 0[m/s]*t"));
  CHECK(has(place.run("run m.yaml -q -o b.h5 --from a.h5@0.5").err, "the velocities jump"));
}

TEST_CASE("A model reads its files once, whatever happens to them while it runs") {
  const Place place("read_once");
  place.write("main.yaml",
              "skyhook: 1\ninclude: [part.yaml]\nparameters: {k: 10 N/m}\n"
              "forces: {s: {type: spring_damper, joint: j, stiffness: =k}}\n"
              "events: {same: {at: 12000 s, do: {set: {k: 10 N/m}}}}\noutputs: {x: j.displacement}\n"
              "experiments: {e: {until: 12010 s, output_step: 1, solver: dopri5, tolerance: 1e-8}}\n");
  const auto part = [](const std::string& mass) {
    return "skyhook: 1\nparameters: {m: " + mass +
           "}\nbodies: {b: {mass: =m}}\n"
           "joints: {j: {type: prismatic, from: ground, to: b, axis: x, displacement: 0.1}}\n";
  };
  place.write("part.yaml", part("1 kg"));
  REQUIRE(place.run("run main.yaml -q -o a.h5").code == 0);
  // Changed as soon as the second run has begun to write.
  place.write("later.yaml", part("100 kg"));
  const std::string meanwhile = "cd " + place.path.string() +
                                " && (" SKYHOOK_APP
                                " run main.yaml -q -o b.h5 >out 2>err &"
                                " until ls -A | grep -q 'b\\.h5'; do sleep 0.02; done; cp later.yaml part.yaml; wait)";
  REQUIRE(std::system(meanwhile.c_str()) == 0);
  CHECK(difference(place, 0) < 1e-12);
}

// The amplitude is 1. At 1e-3 bdf swings over by 6e-4, at 1e-4 by 2e-4: one of the two runs only comes to 1.0004.
TEST_CASE("--verify compares by time, and tells where the runs part") {
  const Place place("verify");
  place.write("m.yaml", R"yaml(skyhook: 1
gravity: off
bodies: {b: {mass: 1}}
joints: {j: {type: prismatic, from: ground, to: b, axis: x, displacement: 1}}
forces: {s: {type: spring_damper, joint: j, stiffness: 39.478}}
events: {over: {inputs: {x: j.displacement}, when: "=x - 1.0004", direction: rising, do: stop}}
outputs: {x: j.displacement}
experiments: {e: {until: 2, output_step: 0.05, solver: bdf}}
)yaml");
  const Done verified = place.run("run m.yaml --tolerance 1e-3 --verify");
  CHECK(verified.code == 0);
  CHECK(has(verified.out, "event \"over\" happens at 0.99"));
  CHECK(
      has(verified.out,
          "but not in the run at the finer tolerance. From there on the runs are two motions: no error is estimated."));
  CHECK(has(verified.out, "The run ends at 0.99"));
  CHECK(has(place.run("run m.yaml --tolerance 1e-3 --verify -q").out, "estimated errors"));
  place.run("run m.yaml --tolerance 1e-3 --verify --json");
  CHECK(place.json("d['verify_until'] < 1 and len(d['verify_notes']) == 2 and len(d['verify']) == 1"));
  // Only the coarse run loses so much energy that it warns: that is no event of the model.
  place.write("w.yaml", R"yaml(skyhook: 1
gravity: off
bodies: {b: {mass: 1}}
joints: {j: {type: prismatic, from: ground, to: b, axis: x, displacement: 1}}
forces: {s: {type: spring_damper, joint: j, stiffness: 39.478}}
outputs: {x: j.displacement}
experiments: {e: {until: 20, output_step: 0.05, solver: ida}}
)yaml");
  const Done lossy = place.run("run w.yaml --tolerance 1e-3 --verify");
  CHECK(has(lossy.err, "[energy_lost]"));
  CHECK(lacks(lossy.out, "energy_lost"));
}

TEST_CASE("A run from a result keeps the last of several values that events have set") {
  const Place place("from_many_sets");
  const Both both = run_both(place, R"yaml(skyhook: 1
parameters: {k: 10 N/m, f: 1}
bodies: {m: {mass: 1}}
joints: {j: {type: prismatic, from: ground, to: m, axis: x, displacement: 0.1}}
forces: {s: {type: spring_damper, joint: j, stiffness: =k*f}}
events:
  hard: {at: 0.1, every: 0.2, do: {set: {k: 40 N/m}}}
  soft: {at: 0.2, every: 0.2, do: {set: {k: 10 N/m, f: 2}}}
outputs: [j.displacement, energy.*]
experiments: {e: {until: 1 s, output_step: 0.01, tolerance: 1e-8}}
)yaml",
                             "0.55");
  CHECK(both.difference < 1e-5);
  const auto state = io::ResultFile::open(place.path / "b.h5").run_state(0);
  REQUIRE(state);
  CHECK(state->parameters == simulation::Parameters{{"k", "40 N/m"}, {"f", "2"}});
}

namespace {

// The number that all samples hold for what the name ends with is another one.
void damage(const Place& place, const std::string& name, const std::string& value) {
  place.write("damage.py",
              "import h5py, shutil\nshutil.copy('a.h5', 'd.h5')\nf = h5py.File('d.h5', 'r+')\n"
              "names = [n.decode() for n in f['run_state/names'][:]]\n"
              "found = [k for k, n in enumerate(names) if n.endswith('" +
                  name +
                  "')]\nassert found\n"
                  "for k in found: f['run_state/numbers'][:, k] = float('" +
                  value + "')\n");
  REQUIRE(std::system(("cd " + place.path.string() + " && /usr/bin/python3 damage.py").c_str()) == 0);
}

struct Damage {
  std::string name, value, told;
};

void check_refused(const Place& place, const std::string& from, const std::vector<Damage>& all) {
  for (const Damage& d : all) {
    CAPTURE(d.name);
    CAPTURE(d.value);
    damage(place, d.name, d.value);
    std::filesystem::remove(place.path / "b.h5");
    const Done run = place.run("run m.yaml -q -o b.h5 --from d.h5@" + from);
    CHECK(run.code == 2);
    CHECK_MESSAGE(has(run.err, "d.h5, sample at t = " + from + " s: the state of the run is damaged: "), run.err);
    CHECK_MESSAGE(has(run.err, d.name + "\" is " + d.value + ", but should be " + d.told), run.err);
    CHECK_FALSE(std::filesystem::exists(place.path / "b.h5"));
  }
}

}  // namespace

// By hand: the pendulum's point is taken along by 2 m/s, m h v / (J + m h^2) = 0.5 * 2 / 0.35.
TEST_CASE("A run from a result at the jump of a drive has its impulse once, whichever side is stored") {
  const Place place("from_jump");
  place.write("m.yaml", R"yaml(skyhook: 1
gravity: off
bodies: {base: {mass: 1}, p: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, -0.5]}}
joints:
  b: {type: prismatic, from: ground, to: base, axis: x, drive: "=t < 0.5[s] ? 0[m] : 2[m/s]*(t-0.5[s])"}
  h: {type: revolute, from: base, to: p, at: [0, 0, 0], axis: y}
outputs: [h.angle_rate, energy.balance]
experiments: {e: {until: 1 s, output_step: 0.1, tolerance: 1e-8}}
)yaml");
  REQUIRE(place.run("run m.yaml -q -o behind.h5").code == 0);
  REQUIRE(place.run("run m.yaml -q -o before.h5 --until 0.5").code == 0);
  for (const std::string from : {"behind.h5@0.5", "before.h5@0.5", "behind.h5@0.4"}) {
    CAPTURE(from);
    const Done run = place.run("run m.yaml -q -o end.h5 --from " + from);
    REQUIRE_MESSAGE(run.code == 0, run.err);
    CHECK(lacks(run.err, "value jumps"));
    const io::Series rate = io::ResultFile::open(place.path / "end.h5").series("h.angle_rate");
    CHECK(std::abs(rate.values.back() - 1 / 0.35) < 1e-6);
  }
}

TEST_CASE("A run from a damaged result is refused: clocks, signals and memory of controllers") {
  const Place place("from_damaged_controllers");
  place.write("m.yaml", controlled);
  REQUIRE(place.run("run m.yaml -q -o a.h5").code == 0);
  check_refused(place, "0.6",
                {{"servo (pid): next", "nan", "a whole number from 0 to 61"},
                 {"servo (pid): next", "1e+300", "a whole number"},
                 {"servo (pid): arrived", "-5", "a whole number"},
                 {"servo (pid): on", "3", "a whole number from 0 to 1"},
                 {"servo (pid): memory 0", "nan", "a finite number"},
                 {"servo (pid): on its way 1", "inf", "a finite number"},
                 {"gust (expression): signal 0", "nan", "a finite number"},
                 {"run: acted", "nan", "a time up to 0.6 s"},
                 {"run: begun", "5", "a time up to 0.6 s"},
                 {"run: t", "nan", "a time up to 0.6 s"}});
  damage(place, "run: work", "nan");  // as in a run whose energies are none
  const Done run = place.run("run m.yaml -q -o b.h5 --from d.h5@0.6");
  CHECK(run.code == 0);
  CHECK(has(run.err,
            "the energies of the result are not finite, and the energy balance starts again from zero. [from_result]"));
}

TEST_CASE("A run from a damaged result is refused: contacts, what sticks, modes, states and parameters") {
  const Place place("from_damaged_rows");
  place.write("m.yaml", testing::text_of(SKYHOOK_SOURCE_DIR "/docs/examples/09_contact.yaml"));
  REQUIRE(place.run("run m.yaml -q -o a.h5 --until 1").code == 0);
  check_refused(place, "0.5",
                {{"floor: closings", "nan", "a whole number from 0 to 6"},
                 {"floor: closings", "1e+300", "a whole number from 0 to 6"},
                 {"floor: closing 0", "nan", "a time up to 0.5 s"},
                 {"floor: closed", "2", "a whole number from 0 to 1"},
                 {"floor: last closing", "nan", "a time up to 0.5 s"},
                 {"floor: largest force", "nan", "a finite number"}});
  // In the air the contact cannot be closed.
  damage(place, "floor: closed", "1");
  const Done jumps = place.run("run m.yaml -q -o b.h5 --from d.h5@0.5");
  CHECK(jumps.code == 3);
  CHECK(has(jumps.err,
            "What is in contact or sticks in the result does not fit its positions here: flight.z would jump"));

  place.write("m.yaml", testing::text_of(SKYHOOK_SOURCE_DIR "/models/mechanisms/belt.yaml"));
  REQUIRE(place.run("run m.yaml -q -o a.h5 --until 1").code == 0);
  check_refused(place, "0.2",
                {{"friction: mode", "nan", "a whole number from 0 to 3"},
                 {"friction: mode", "-1", "a whole number from 0 to 3"},
                 {"friction: offset", "nan", "a finite number"}});

  // A table with two corners: its law has three modes.
  place.write("m.yaml", R"yaml(skyhook: 1
parameters: {m: 1 kg}
bodies: {b: {mass: =m}}
joints: {s: {type: prismatic, from: ground, to: b, axis: x, rate: 1}}
forces: {stop: {type: bump_stop, joint: s, engage_length: -0.1, engage_length_max: 0.05, stiffness: 2000, events: on}}
events: {heavy: {at: 0.1, do: {set: {m: 2 kg}}}}
outputs: [s.displacement]
experiments: {e: {until: 1, output_step: 10 ms}}
)yaml");
  REQUIRE(place.run("run m.yaml -q -o a.h5").code == 0);
  check_refused(place, "0.5", {{"stop (bump_stop): mode", "nan", "a whole number from 1 to"}});
  damage(place, "stop (bump_stop): mode", "77");  // of a law that is not the same: the motion tells
  const Done other = place.run("run m.yaml -q -o b.h5 --from d.h5@0.5");
  CHECK(other.code == 0);
  CHECK(has(other.err, "force \"stop\" starts in the mode of its motion"));

  const auto edit = [&](const std::string& what) {
    place.write("damage.py",
                "import h5py, shutil\nshutil.copy('a.h5', 'd.h5')\nf = h5py.File('d.h5', 'r+')\n" + what + "\n");
    REQUIRE(std::system(("cd " + place.path.string() + " && /usr/bin/python3 damage.py").c_str()) == 0);
    return place.run("run m.yaml -q -o b.h5 --from d.h5@0.5");
  };
  const Done state = edit("f['states'][:, 0] = float('nan')");
  CHECK(state.code == 2);
  CHECK_MESSAGE(has(state.err, "d.h5: \"s.displacement\" is nan at 0.5 s: the file is damaged."), state.err);
  const Done sample = edit("f['run_state/parameter_sample'][0] = -3");
  CHECK(sample.code == 2);
  CHECK_MESSAGE(has(sample.err, "parameters set by events do not follow each other"), sample.err);
  const Done text = edit("f['run_state/parameter_text'][1:] = ord('x')");
  CHECK(text.code == 2);
  CHECK_MESSAGE(has(text.err, "parameters set by events have lost their text"), text.err);
}
