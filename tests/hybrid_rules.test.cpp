// Runs with events and controllers of the user, against exact solutions.
#include <cmath>
#include <numbers>

#include "plane_mechanisms.testing.h"
#include "run_model.testing.h"

using namespace skyhook;
using namespace skyhook::testing;
using doctest::Approx;

namespace {

const char* const integrators[] = {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"};

// A mass of 1 kg on a spring of k, let go at 0.1 m; w = 10 rad/s. `rest` goes on with the forces.
std::string oscillator(const std::string& rest, const std::string& experiment = "") {
  return R"(skyhook: 1
name: oscillator
gravity: 0 m/s^2
parameters:
  k: 100 N/m
bodies:
  mass: {mass: 1 kg, at: [0, 0, 0]}
joints:
  ride: {type: prismatic, from: ground, to: mass, axis: x}
initial: {ride.displacement: 0.1 m}
outputs: {x: ride.displacement, v: ride.displacement_rate}
experiments:
  e: {until: 1 s, output_step: 10 ms, tolerance: 1e-10)" +
         experiment + R"(}
forces:
  spring: {type: force, joint: ride, value: =-k*q}
)" + rest;
}
constexpr double w = 10, x0 = 0.1;

// Keeps the samples beside events as well.
struct AllSamples : simulation::MemorySink {
  struct At {
    double t;
    int side;
    std::vector<double> channels;
  };
  std::vector<At> all;
  void sample(const simulation::Sample& s) override {
    all.push_back({s.t, s.side, {s.channels.begin(), s.channels.end()}});
    MemorySink::sample(s);
  }
};

struct Outcome {
  simulation::Prepared prepared;
  AllSamples sink;
  std::vector<std::string> log() const {
    std::vector<std::string> names;
    for (const auto& e : sink.events) names.push_back(e.name);
    return names;
  }
  double at(std::size_t sample, const std::string& channel) const {
    return sink.channels.at(sample).at(static_cast<std::size_t>(sink.find(channel)));
  }
};

// As the program does it: the model can be read again.
Outcome run_rules(const std::string& text, const std::string& solver = "ida", simulation::RunOptions options = {}) {
  Loaded loaded = load_text(text);
  loaded.experiment.solver = solver;
  Outcome out{simulation::prepare(loaded.model, loaded.experiment), {}};
  REQUIRE_MESSAGE(out.prepared.ok(), out.prepared.problem());
  options.reread = [&](const simulation::RunOptions::Changes& changes) {
    std::vector<io::Setting> settings;
    for (const auto& [name, value] : changes) settings.push_back({name, value});
    return std::make_shared<const model::Model>(io::read_model_text(text, "test.yaml", settings, "e"));
  };
  simulation::simulate(out.prepared, loaded.experiment, out.sink, options);
  return out;
}

Outcome finished(const std::string& text, const std::string& solver = "ida") {
  Outcome out = run_rules(text, solver);
  REQUIRE_MESSAGE(out.sink.summary.status == simulation::RunStatus::finished, out.sink.summary.reason);
  return out;
}

}  // namespace

// A stone on a rope, without a joint: it floats on three displacements and a rotation. At x = 0.8 m of its rope of 1 m it can only be
// 0.6 m below, and nothing needs to give way for it.
TEST_CASE("A displacement of a floating body that an event sets is held, and the others make room") {
  const Outcome r = finished(R"(skyhook: 1
name: stone
bodies: {stone: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [1, 0, 0]}}
joints:
  rope: {type: rod, from: ground, to: stone, from_at: [0, 0, 0], to_at: [1, 0, 0]}
events: {lift: {at: 0.1 s, do: {state: {stone.x: "=-0.2[m]"}}}}
outputs: {x: stone.x, y: stone.y, z: stone.z}
experiments: {e: {until: 0.1 s, output_step: 10 ms, tolerance: 1e-10}}
)");
  const auto& end = r.sink.all.back().channels;
  CHECK(end.at(0) == Approx(0.8).epsilon(1e-10));
  CHECK(std::abs(end.at(1)) < 1e-10);
  CHECK(end.at(2) == Approx(-0.6).epsilon(1e-10));
  CHECK(r.sink.summary.warnings.empty());
}

TEST_CASE("A parameter that an event sets counts from that time on") {
  constexpr double t1 = 0.237;
  const double w2 = w * std::numbers::sqrt2, x1 = x0 * std::cos(w * t1), v1 = -x0 * w * std::sin(w * t1);
  for (const char* solver : integrators) {
    CAPTURE(std::string(solver));
    const Outcome r = finished(oscillator("events:\n  stiffer: {at: 0.237 s, do: {set: {k: 200 N/m}}}\n"), solver);
    CHECK(r.log() == std::vector<std::string>{"stiffer"});
    CHECK(r.sink.events[0].t == t1);
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
      const double t = r.sink.time[i], s = t - t1;
      const double exact = t < t1 ? x0 * std::cos(w * t) : x1 * std::cos(w2 * s) + v1 / w2 * std::sin(w2 * s);
      CHECK(std::abs(r.at(i, "x") - exact) < 1e-7);
    }
    CHECK(r.sink.time.size() == 101);
  }
}

TEST_CASE("A velocity reversed wherever the mass comes to the middle: it stays on one side") {
  const std::string rule = R"(events:
  bounce: {when: =x, inputs: {x: ride.displacement, v: ride.displacement_rate}, do: {state: {ride.displacement_rate: =-v}}}
)";
  for (const char* solver : integrators) {
    CAPTURE(std::string(solver));
    const Outcome r = finished(oscillator(rule), solver);
    REQUIRE(r.sink.events.size() == 3);
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(std::abs(r.sink.events[k].t - (0.5 + static_cast<double>(k)) * std::numbers::pi / w) < 1e-8);
    for (std::size_t i = 0; i < r.sink.time.size(); ++i)
      CHECK(std::abs(r.at(i, "x") - x0 * std::abs(std::cos(w * r.sink.time[i]))) < 1e-7);
  }
}

TEST_CASE("A run stops where its formula is zero, with both sides of the instant stored") {
  const double exact = std::acos(0.5) / w;
  for (const char* solver : integrators) {
    CAPTURE(std::string(solver));
    const Outcome r = finished(
        oscillator("events:\n  half: {when: '=x - 50[mm]', inputs: {x: ride.displacement}, do: {stop: true}}\n"),
        solver);
    CHECK(std::abs(r.sink.summary.t_reached - exact) < 1e-8);
    CHECK(r.log() == std::vector<std::string>{"half"});
    CHECK(r.sink.time.back() == Approx(0.1));
    REQUIRE(r.sink.all.size() >= 2);
    CHECK(r.sink.all.back().side == +1);
    CHECK(r.sink.all.back().t == r.sink.summary.t_reached);
    CHECK(std::abs(r.sink.all.back().channels[0] - 0.05) < 1e-8);
  }
}

// 2 N on 1 kg until 0.5 s, then nothing, then 2 N again from the first sample behind 0.805 s on.
TEST_CASE("A controller switched off gives its force back, switched on it begins at its next sample") {
  const std::string rules = R"(  push: {type: actuator, joint: ride, signal: c}
controllers:
  c: {type: expression, sample_time: 10 ms, inputs: {x: ride.displacement}, outputs: {u: 2 N}}
events:
  off: {at: 0.5 s, do: {switch_off: c}}
  on: {at: 0.805 s, do: {switch_on: c}}
)";
  for (const char* solver : integrators) {
    CAPTURE(std::string(solver));
    std::string text = oscillator(rules);
    text.replace(text.find("k: 100"), 6, "k: 0");
    const Outcome r = finished(text, solver);
    CHECK(r.log() == std::vector<std::string>{"off", "on"});
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
      const double t = r.sink.time[i];
      const double exact = 2 * std::min(t, 0.5) + 2 * std::max(0.0, t - 0.81);
      CHECK(std::abs(r.at(i, "v") - exact) < 1e-9);
    }
  }
}

TEST_CASE("Events of one time happen in the order of the file, and see what those before have done") {
  const Outcome r = finished(oscillator(R"(events:
  b: {at: 0.5 s, do: {state: {ride.displacement: 0.2 m}}}
  a: {at: 0.25 s, every: 0.25 s, inputs: {x: ride.displacement}, do: {state: {ride.displacement_rate: "=x/1[s]"}}}
)"));
  CHECK(r.log() == std::vector<std::string>{"a", "b", "a", "a", "a"});
  const auto behind = std::ranges::find_if(r.sink.all, [](const auto& s) { return s.t == 0.5 && s.side == 1; });
  REQUIRE(behind != r.sink.all.end());
  CHECK(behind->channels[0] == 0.2);
  CHECK(behind->channels[1] == 0.2);
}

TEST_CASE("An event at an output time and at a sampling time leaves samples and controllers as they are") {
  const Outcome r = finished(oscillator(R"(  push: {type: actuator, joint: ride, signal: c}
controllers:
  c: {type: expression, sample_time: 50 ms, inputs: {x: ride.displacement}, outputs: {u: "=-10[N/m]*x"}}
events:
  note: {at: 0.25 s, do: {set: {k: 100 N/m}}}
)"));
  const Outcome without = finished(oscillator(R"(  push: {type: actuator, joint: ride, signal: c}
controllers:
  c: {type: expression, sample_time: 50 ms, inputs: {x: ride.displacement}, outputs: {u: "=-10[N/m]*x"}}
)"));
  CHECK(r.log() == std::vector<std::string>{"note"});
  REQUIRE(r.sink.time == without.sink.time);
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) CHECK(std::abs(r.at(i, "x") - without.at(i, "x")) < 1e-8);
  std::vector<int> sides;
  for (const auto& s : r.sink.all) {
    if (s.t == 0.25) sides.push_back(s.side);
  }
  CHECK(sides == std::vector<int>{0, -1, +1});
}

TEST_CASE("Events at the start and at the end of the run happen") {
  for (const char* solver : integrators) {
    CAPTURE(std::string(solver));
    const Outcome start = finished(oscillator("events:\n  first: {at: 0 s, do: {set: {k: 400 N/m}}}\n"), solver);
    CHECK(start.log() == std::vector<std::string>{"first"});
    CHECK(std::abs(start.sink.last("x") - x0 * std::cos(20.0)) < 1e-7);
    const Outcome end =
        finished(oscillator("events:\n  last: {at: 1 s, do: {state: {ride.displacement_rate: 3 m/s}}}\n"), solver);
    CHECK(end.log() == std::vector<std::string>{"last"});
    CHECK(end.sink.summary.t_reached == 1);
    CHECK(std::abs(end.sink.last("x") - x0 * std::cos(w)) < 1e-7);
    CHECK(end.sink.all.back().channels[1] == Approx(3));
    CHECK(finished(oscillator("events:\n  last: {at: 1 s, do: {set: {k: 400 N/m}}}\n"), solver).log().size() == 1);
    CHECK(finished(oscillator("events:\n  later: {at: 1.1 s, do: {stop: true}}\n"), solver).log().empty());
  }
  const Outcome stop = finished(oscillator("events:\n  at_once: {at: 0 s, do: {stop: true}}\n"));
  CHECK(stop.sink.summary.t_reached == 0);
  CHECK(stop.sink.time == std::vector<double>{0});
}

TEST_CASE("A run that does not begin at zero keeps the times of controllers and events") {
  std::string text = oscillator(R"(events:
  tick: {at: 0 s, every: 0.25 s, do: {set: {k: 100 N/m}}}
  stop: {at: 2.5 s, do: {stop: true}}
)");
  text.replace(text.find("until: 1 s"), 10, "from_time: 2 s, until: 3 s");
  const Outcome r = finished(text);
  CHECK(r.log() == std::vector<std::string>{"tick", "tick", "tick", "stop"});
}

TEST_CASE("A model that only follows its drives says that nobody listens to its controllers") {
  const Outcome r = finished(R"(skyhook: 1
bodies:
  mass: {mass: 1 kg}
joints:
  ride: {type: prismatic, from: ground, to: mass, axis: x, drive: "=0.1[m/s]*t"}
controllers:
  c: {type: expression, sample_time: 10 ms, inputs: {x: ride.displacement}, outputs: {u: =x}}
outputs: {x: ride.displacement}
ignore_warnings: [unused]
experiments:
  e: {until: 1 s, output_step: 10 ms}
)");
  REQUIRE(r.sink.summary.warnings.size() == 1);
  CHECK(r.sink.summary.warnings[0].what.find("controllers and events are left alone") != std::string::npos);
  CHECK(r.sink.time.size() == 101);
}

TEST_CASE("A run stopped by the user keeps samples and events so far") {
  int left = 150;
  const Outcome r = run_rules(oscillator("events:\n  tick: {at: 0.05 s, every: 0.05 s, do: {set: {k: 100 N/m}}}\n"),
                              "ida", {.should_stop = [&] { return --left < 0; }});
  CHECK(r.sink.summary.status == simulation::RunStatus::interrupted);
  REQUIRE(r.sink.events.size() > 1);
  CHECK(r.sink.events[0].name == "tick");
  CHECK(r.sink.events.back().name == "interrupted");
  CHECK(r.sink.events.back().t < 1);
  CHECK(r.sink.summary.t_reached == r.sink.events.back().t);
  for (std::size_t i = 0; i < r.sink.time.size(); ++i)
    CHECK(std::abs(r.at(i, "x") - x0 * std::cos(w * r.sink.time[i])) < 1e-6);
}

// The force is 0 before 0.1 s and beyond the hold from there on: the block breaks away at that sample and not later,
// v = (F - slide)/m (t - 0.1 s).
TEST_CASE("A command that jumps beyond the hold breaks a block away at that sample") {
  const std::string text = R"(skyhook: 1
gravity: 0 m/s^2
bodies:
  block: {mass: 2 kg}
joints:
  ride: {type: prismatic, from: ground, to: block, axis: x}
forces:
  rail: {type: stick_slip, joint: ride, hold: 30 N, slide: 20 N}
  push: {type: actuator, joint: ride, signal: c}
controllers:
  c: {type: expression, sample_time: 50 ms, inputs: {x: ride.displacement}, outputs: {u: "=if(t < 0.09[s], 0[N], 50[N]) "}}
outputs: {x: ride.displacement, v: ride.displacement_rate}
experiments:
  e: {until: 0.3 s, output_step: 10 ms, tolerance: 1e-9}
)";
  for (const char* solver : integrators) {
    CAPTURE(std::string(solver));
    const Outcome r = finished(text, solver);
    REQUIRE(r.log() == std::vector<std::string>{"slips"});
    CHECK(std::abs(r.sink.events[0].t - 0.1) < 1e-14);
    for (std::size_t i = 0; i < r.sink.time.size(); ++i)
      CHECK(std::abs(r.at(i, "v") - 15 * std::max(0.0, r.sink.time[i] - 0.1)) < 1e-8);
  }
}

// 0.1 + 2 * 0.1 and 3 * 0.1 are larger than 0.3 by rounding: all the same they happen at one instant, in the order of the file,
// and the controller after them.
TEST_CASE("Events at the same time happen in the order of the file, and once each") {
  const std::string text =
      "skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: prismatic, from: ground, to: b, axis: x}}\n"
      "controllers: {c: {type: expression, sample_time: 0.1, inputs: {x: j.displacement_rate}, outputs: {u: =x}}}\n"
      "events:\n"
      "  e: {at: 0.1, every: 0.1, inputs: {v: j.displacement_rate}, do: {state: {j.displacement_rate: \"=v+1\"}}}\n"
      "  f: {at: 0.3, do: {state: {j.displacement_rate: \"=0\"}}}\n"
      "  g: {at: 0.3, inputs: {v: j.displacement_rate}, do: {state: {j.displacement_rate: \"=v+7\"}}}\n"
      "outputs: [c]\nexperiments: {r: {until: 0.35, output_step: 0.05}}\n";
  const auto order = [](const std::string& model) {
    std::string names;
    const auto r = testing::run_text(model);
    for (const auto& event : r.sink.events) names += event.kind == "user" && event.t > 0.29 ? event.name : "";
    return std::pair(names, r.last("c"));
  };
  CHECK(order(text).first == "efg");
  CHECK(order(text).second == doctest::Approx(7));  // what the controller has read behind them
}

// Samples at 0, 0.1, ... 0.5, where the event comes first, then at 0.55, ... 0.95.
TEST_CASE("An event may change a sample time: the controller goes on at its new times, with its memory") {
  const std::string text =
      "skyhook: 1\nparameters: {dt: 100 ms, late: 0 ms}\nbodies: {b: {mass: 1}}\n"
      "joints: {j: {type: prismatic, from: ground, to: b, axis: x}}\n"
      "controllers: {c: {type: expression, sample_time: =dt, delay: =late, inputs: {x: j.displacement}, memory: {n: "
      "0}, "
      "next: {n: =n+1}, outputs: {u: =n}}}\nevents: {e: {at: 0.5, do: {set: {dt: 50 ms}}}}\noutputs: [c]\n"
      "experiments: {r: {until: 1, output_step: 0.05}}\n";
  const auto r = testing::run_text(text);
  CHECK(r.sink.summary.samples == 15);
  CHECK(r.last("c") == 14);
  // A delay is room for outputs on their way: with another one the run cannot go on, and says so.
  std::string other = text;
  other.replace(other.find("{dt: 50 ms}"), 11, "{late: 30 ms}");
  const auto loaded = testing::load_text(other);
  simulation::MemorySink sink;
  const auto s = simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, sink,
                                      loaded.options);
  CHECK(s.status == simulation::RunStatus::failed);
  CHECK(s.reason.find("the number that the run keeps, \"controller c (expression): on its way 0\" has come in.") !=
        std::string::npos);
}

// The n-th sample says n. At 0.3 k a sample of the controller and one of the result meet: the result has the value before, n - 1,
// although 3 * 0.1 is larger than 0.3.
TEST_CASE("A sample of the result at the instant of a controller stands left of it") {
  const auto r = testing::run_text(
      "skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: prismatic, from: ground, to: b, axis: x}}\n"
      "controllers: {c: {type: expression, sample_time: 0.3, inputs: {x: j.displacement}, memory: {n: 0}, next: {n: "
      "=n+1}, "
      "outputs: {u: =n}}}\noutputs: [c]\nexperiments: {r: {until: 30, output_step: 0.1}}\n");
  for (std::size_t k = 3; k + 1 < r.sink.time.size(); k += 3) CHECK(r.at(k, "c") == static_cast<double>(k / 3 - 1));
}

TEST_CASE("An event that sets a length says how the mechanism jumps with it") {
  const auto r = testing::run_text(
      "skyhook: 1\ngravity: off\nparameters: {L: 1 m}\nbodies: {a: {mass: 1, inertia: [1, 1, 1], com: [0.5, 0, 0]}}\n"
      "joints:\n  h: {type: revolute, from: ground, to: a, axis: y}\n"
      "  R: {type: rod, from: ground, to: a, from_at: [1, 0, 1], to_at: [1, 0, 0], length: =L}\n"
      "events: {e: {at: 0.5, do: {set: {L: 0.9 m}}}}\noutputs: [h.angle]\nexperiments: {r: {until: 1}}\n");
  const auto& all = r.sink.summary.warnings;  // it also has no freedom left
  const auto told = std::ranges::find(all, "moved_by_event", &Warning::name);
  REQUIRE(told != all.end());
  CHECK(told->what.find("h.angle jumps from 0 to") != std::string::npos);
}

namespace {

// A parallelogram: a and b are equal at all times.
const std::string linked = R"(skyhook: 1
gravity: off
bodies:
  w1: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0], com: [0.1, 0, 0]}
  w2: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [1, 0, 0]}
  l: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0.2, 0, 0.2], com: [0.7, 0, 0.2]}
joints:
  a: {type: revolute, from: ground, to: w1, axis: y}
  b: {type: revolute, from: ground, to: w2, axis: y}
  c: {type: revolute, from: w1, to: l, at: [0.2, 0, 0.2], axis: y}
  d: {type: revolute, from: l, to: w2, at: [1.2, 0, 0.2], axis: y, cut: true}
outputs: [a.angle, b.angle, a.angle_rate, b.angle_rate]
experiments: {r: {until: 0.5 s, output_step: 10 ms}}
)";

}  // namespace

TEST_CASE(
    "Events that set states: what the constraints do not allow is told, with the value asked for and the one used") {
  const auto told = [](const std::string& events) {
    std::vector<Warning> list = testing::run_text(linked + "events: " + events + "\n").sink.summary.warnings;
    std::erase_if(list, [](const Warning& w) { return w.name != "event_value_changed"; });
    return list;
  };
  // Between 0.2 and 0.4, as the masses have it; a, which moves more of them, is nearer to its value.
  const auto both = told("{e: {at: 0.1, do: {state: {a.angle: 0.2, b.angle: 0.4}}}}");
  REQUIRE(both.size() == 2);
  CHECK(both[0].what.find("Event \"e\" asks for a.angle = 0.2 at t = 0.1 s") == 0);
  CHECK(both[1].what.find("asks for b.angle = 0.4") != std::string::npos);
  const auto used = [](const Warning& w) { return std::stod(w.what.substr(w.what.find("becomes ") + 8)); };
  CHECK(used(both[0]) == used(both[1]));
  CHECK(used(both[0]) > 0.2);
  CHECK(used(both[0]) < 0.4);
  CHECK(both[0].where.line == 14);
  // Once for an event that comes again and again.
  const auto rates = told("{e: {at: 0.1, every: 0.1, do: {state: {a.angle_rate: 1, b.angle_rate: 3}}}}");
  REQUIRE(rates.size() == 2);
  CHECK(rates[1].what.find("asks for b.angle_rate = 3 at t = 0.1 s") != std::string::npos);
  CHECK(rates[1].what.find("This happened 5 times.") != std::string::npos);
  CHECK(told("{e: {at: 0.1, do: {state: {a.angle: 0.2, b.angle_rate: 3}}}}").empty());
}

// c = asin(sin a / 3) turns cos a / (3 cos c) times as fast as the crank a: close to a = 90 deg that is next to nothing.
TEST_CASE("Events that set rates close to a dead centre say what that means") {
  const auto told = [](double crank) {
    const std::string given = testing::slider_crank("b") +
                              "events: {e: {at: 1e-5, do: {state: {c.angle_rate: 0.02}}}}\noutputs: [a.angle]\n"
                              "experiments: {r: {until: 2e-5 s, output_step: 1e-5}}\ninitial: {a.angle: " +
                              std::to_string(crank) + " deg}\n";
    std::vector<Warning> list = testing::run_text(given).sink.summary.warnings;
    std::erase_if(list, [](const Warning& w) { return w.name != "dead_centre"; });
    return list;
  };
  const auto near = told(89.9);
  REQUIRE(near.size() == 1);
  CHECK(near[0].where.line == 12);
  const double a = 89.9 * std::numbers::pi / 180, c = std::asin(std::sin(a) / 3);
  const auto times = near[0].what.find("must be ") + 8;
  CHECK(std::stod(near[0].what.substr(times)) ==
        doctest::Approx(3 * std::cos(c) / std::cos(a)).epsilon(5e-3));  // 3 digits
  CHECK(told(60).empty());
}

TEST_CASE("Events that set parameters again and again hand on each of them once") {
  auto loaded = testing::load_text(R"(skyhook: 1
parameters: {k: 10 N/m, f: 1}
bodies: {m: {mass: 1}}
joints: {j: {type: prismatic, from: ground, to: m, axis: x, displacement: 0.1}}
forces: {s: {type: spring_damper, joint: j, stiffness: =k*f}}
events:
  hard: {at: 0.01, every: 0.02, do: {set: {k: 40 N/m}}}
  soft: {at: 0.02, every: 0.02, do: {set: {k: 10 N/m, f: 2}}}
outputs: [j.displacement]
experiments: {r: {until: 4 s, output_step: 0.1}}
)");
  std::size_t calls = 0, most = 0;
  std::string last;
  loaded.options.reread = [&, reread = loaded.options.reread](const auto& changes) {
    ++calls, most = std::max(most, changes.size());
    last = changes.front().second;
    return reread(changes);
  };
  testing::run(loaded);
  CHECK(calls == 400);
  CHECK(most == 2);  // it was 600 at the end
  CHECK(last == "10 N/m");
}
