// Outputs as formulas of channels: in parts, with units, of each other, read by controllers and events, recorded, and what is told of wrong ones.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/simulation/formula_channels.h"

using namespace skyhook;
using doctest::Approx;

namespace {

// Two masses that swing on springs of their own: x = x0 cos(w t), w = 2 and 3 rad/s. `more` follows.
std::string two_masses(const std::string& more) {
  return "skyhook: 1\ngravity: off\n"
         "parameters: {lever: 2 m, half: 0.5}\n"
         "templates:\n"
         "  mass:\n"
         "    parameters: {rate: , side: 1}\n"
         "    bodies: {block: {mass: 1 kg}}\n"
         "    joints: {ride: {type: prismatic, from: ground, to: block, axis: x, displacement: \"=0.1[m]*side\"}}\n"
         "    forces: {spring: {type: spring_damper, joint: ride, stiffness: =rate}}\n"
         "    outputs: {moment: \"=spring.force*lever*side\", pull: spring.force}\n"
         "use:\n"
         "  left: {template: mass, rate: 4 N/m}\n"
         "  right: {template: mass, rate: 9 N/m, side: -1}\n"
         "experiments: {run: {until: 1 s, output_step: 0.1 s, tolerance: 1e-9}}\n" +
         more;
}

std::string message_of(const std::string& more) {
  try {
    const testing::Loaded loaded = testing::load_text(two_masses(more));
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    simulation::all_channels(*prepared.active);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin: " << text);
  return found;
}

std::string unit_of(const testing::Run& run, const std::string& name) {
  const int k = run.sink.find(name);
  REQUIRE_MESSAGE(k >= 0, name);
  return run.sink.info.channels[static_cast<std::size_t>(k)].unit;
}

}  // namespace

// Reference: the same formula computed from the recorded channels, to rounding.
TEST_CASE("A formula is recorded with its unit, in parts, of other formulas and of names of outputs") {
  const auto run = testing::run_text(
      two_masses("outputs:\n"
                 "  left_x: left.ride.displacement\n"
                 "  right_x: right.ride.displacement\n"
                 "  last: \"=half*both/lever + 0*t/1[s]*1[N]\"\n"  // of one that is defined later
                 "  both: \"=left.moment + right.moment\"\n"
                 "  spread: \"=left_x - right_x\"\n"
                 "  ratio: \"=left.ride.displacement_rate/(1[m/s] + abs(right.ride.displacement_rate))\"\n"
                 "  work: \"=energy.kinetic + energy.potential\"\n"
                 "  time: =t\n"));
  CHECK(unit_of(run, "left.moment") == "N.m");
  CHECK(unit_of(run, "both") == "N.m");
  CHECK(unit_of(run, "last") == "N");
  CHECK(unit_of(run, "spread") == "m");
  CHECK(unit_of(run, "ratio") == "-");
  CHECK(unit_of(run, "work") == "J");
  CHECK(unit_of(run, "time") == "s");
  for (std::size_t k = 0; k < run.sink.time.size(); ++k) {
    const double left = run.at(k, "left_x"), right = run.at(k, "right_x"), t = run.sink.time[k];
    CHECK(left == Approx(0.1 * std::cos(2 * t)).epsilon(1e-6));
    CHECK(run.at(k, "left.moment") == Approx(-4 * left * 2).epsilon(1e-12));
    CHECK(run.at(k, "both") == Approx(-4 * left * 2 + 9 * right * 2).epsilon(1e-12));
    CHECK(run.at(k, "last") == Approx(0.5 * (-4 * left + 9 * right)).epsilon(1e-12));
    CHECK(run.at(k, "spread") == Approx(left - right).epsilon(1e-12));
    CHECK(run.at(k, "time") == t);
  }
}

TEST_CASE("Angles stay angles in a formula, unless it converts them") {
  const auto run = testing::run_text(
      "skyhook: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}}\n"
      "joints: {h: {type: revolute, from: ground, to: a, axis: y, at: [0, 0, 0], angle: 0.1}}\n"
      "outputs:\n  twice: \"=2*h.angle\"\n  rate: \"=h.angle_rate - a.wy\"\n  height: \"=1[m]*sin(h.angle)\"\n"
      "  degrees: \"=h.angle*180/pi\"\n  turns: \"=h.angle_rate*1[s]\"\n  square: \"=h.angle^2\"\n"
      "experiments: {run: {until: 0.1 s}}\n");
  CHECK(unit_of(run, "twice") == "rad");
  CHECK(unit_of(run, "rate") == "rad/s");
  CHECK(unit_of(run, "height") == "m");
  CHECK(unit_of(run, "degrees") == "-");
  CHECK(unit_of(run, "turns") == "rad");
  CHECK(unit_of(run, "square") == "-");
}

// Reference: an angle that goes round counts its turns, also where only a formula or an event reads it.
TEST_CASE("Angles in formulas count their turns") {
  const auto run = testing::run_text(
      "skyhook: 1\ngravity: off\nbodies: {a: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0], wheel: {}}}\n"
      "joints: {h: {type: revolute, from: ground, to: a, axis: z, at: [0, 0, 0], rate: 10 rad/s}}\n"
      "outputs: {half: \"=a.yaw/2\"}\nexperiments: {run: {until: 1 s, output_step: 0.05 s}}\n");
  CHECK(run.last("half") == Approx(5.0).epsilon(1e-6));
}

// Reference: x = 0.1 cos(2 t) + 0.1 cos(3 t) falls through 0.1 at a time found by bisection here.
TEST_CASE("Controllers and events read formulas by their names") {
  const auto run = testing::run_text(two_masses(
      "outputs: {spread: \"=left.ride.displacement - right.ride.displacement\", held: hold}\n"
      "controllers: {hold: {type: expression, sample_time: 0.07 s, inputs: {x: spread}, outputs: {y: =2*x}, unit: m}}\n"
      "events: {near: {inputs: {x: spread}, when: \"=x - 0.1\", do: stop}}\n"));
  double low = 0, high = 1;
  const auto spread = [](double t) { return 0.1 * std::cos(2 * t) + 0.1 * std::cos(3 * t); };
  while (high - low > 1e-14) (spread(0.5 * (low + high)) > 0.1 ? low : high) = 0.5 * (low + high);
  CHECK(run.sink.summary.t_reached == Approx(low).epsilon(1e-7));
  const double sampled = 0.07 * std::floor(run.sink.time.back() / 0.07);
  CHECK(run.last("held") == Approx(2 * spread(sampled)).epsilon(1e-6));
}

// Reference: the derivatives of a product and a quotient, by hand.
TEST_CASE("Derivatives of a formula with respect to its channels") {
  const testing::Loaded loaded = testing::load_text(two_masses(
      "outputs: {q: \"=left.ride.displacement*left.ride.displacement/(right.ride.displacement - t*1[m/s])\"}\n"));
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  const auto all = simulation::all_channels(*prepared.active);
  const auto& q = *std::ranges::find(all, "q", &simulation::Channel::name);
  REQUIRE(q.formula);
  REQUIRE(q.formula->inputs.size() == 2);
  simulation::Evaluator evaluator(prepared.active, prepared.all);
  evaluator.evaluate_motion(0, prepared.state.q, prepared.state.v);
  const auto d = q.formula->gradient(evaluator.now(), {});
  REQUIRE(d.size() == 3);
  CHECK(d[0] == Approx(2 * 0.1 / -0.1));
  CHECK(d[1] == Approx(-0.01 / 0.01));
  CHECK(d[2] == Approx(0.01 / 0.01));
}

TEST_CASE("Wrong formulas are told with their line, and what to do") {
  const std::string unknown = message_of("outputs: {a: \"=left.rid.displacement + 1[m]\"}\n");
  CHECK(has(unknown, "test.yaml:"));
  CHECK(has(unknown, "reads \"left.rid.displacement\", which is neither a channel nor a parameter."));
  CHECK(has(unknown, "Did you mean \"left.ride.displacement\"?"));
  const std::string units = message_of("outputs: {a: \"=left.ride.displacement + left.spring.force\"}\n");
  CHECK(has(units, "output \"a\": "));
  CHECK(has(message_of("outputs: {a: =b, b: \"=2*c\", c: =a}\n"),
            "depends on itself: \"a\" -> \"b\" -> \"c\" -> \"a\"."));
  CHECK(has(message_of("outputs: {left.block.x: =t}\n"), "has the name of a channel, which it would hide."));
  CHECK(has(message_of("outputs: {a: \"=left.block.x +\"}\n"), "outputs: "));
  CHECK(has(message_of("outputs: {a: \"=sin(left.block.x)\"}\n"), "output \"a\": "));
  CHECK(has(message_of("outputs: {\"a*\": =t}\n"), "cannot be the name of a formula."));
}

TEST_CASE("An experiment may define formulas of its own, and the model in full has them") {
  const std::string text = two_masses("");
  const testing::Loaded loaded =
      testing::load_text(text.substr(0, text.find("experiments")) +
                             "experiments:\n  run: {until: 1 s}\n"
                             "  own: {until: 0.1 s, outputs: {d: \"=left.pull - lever*1[N/m]\"}}\n",
                         {.experiment = "own"});
  const auto run = testing::run(loaded);
  CHECK(run.at(0, "d") == Approx(-0.4 - 2));
  const testing::Run again = testing::run_text(loaded.model->expanded, {.experiment = "own"});
  CHECK(again.at(0, "d") == Approx(-0.4 - 2));
}

// Reference: the same differences of the recorded positions.
TEST_CASE("Formulas of repeated things, and of things outside of their part") {
  const auto run = testing::run_text(
      "skyhook: 1\ngravity: off\n"
      "templates:\n"
      "  rider:\n"
      "    bodies: {seat: {mass: 1}}\n"
      "    joints: {slide: {type: prismatic, from: \"$parent.mass[1]\", to: seat, axis: x, rate: 1 m/s}}\n"
      "    outputs: {ahead: \"=seat.x - $parent.mass[1].x + 2.5e-1[m]\"}\n"
      "bodies: {\"mass[i=1..3]\": {mass: 1, at: [=i, 0, 0]}}\n"
      "joints: {\"guide[i=1..3]\": {type: prismatic, from: ground, to: \"mass[i]\", axis: x, rate: =i}}\n"
      "use: {one: {template: rider}}\n"
      "outputs: {\"gap[i=2..3]\": \"=mass[i].x - mass[i-1].x\", \"mass[1].x\": \"mass[1].x\", \"mass[3].x\": "
      "\"mass[3].x\", "
      "sum: \"=gap[2] + gap[3]\"}\n"
      "experiments: {run: {until: 1 s, output_step: 0.5 s}}\n");
  for (std::size_t k = 0; k < run.sink.time.size(); ++k) {
    const double t = run.sink.time[k];
    CHECK(run.at(k, "sum") == Approx(run.at(k, "mass[3].x") - run.at(k, "mass[1].x")));
    CHECK(run.at(k, "gap[2]") == Approx(1 + t));
    CHECK(run.at(k, "one.ahead") == Approx(t - 1 + 0.25));
  }
}
