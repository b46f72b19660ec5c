#include "skyhook/simulation/event_rules.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/same_structure.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::four_bar;
using formalism::testing::Linkage;
using model::Action;
using model::EventRule;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

model::Formula formula(const std::string& text, const EventRule& rule) {
  expression::Scope scope;
  for (const auto& c : rule.channels) scope.variables.push_back({c.name, {}});
  scope.variables.push_back({"t", {}});
  scope.check_dimensions = false;
  return expression::Expression::compile(text, scope, {});
}

EventRule rule(const std::string& name, std::vector<std::pair<std::string, std::string>> inputs,
               const std::string& when = {}) {
  EventRule r;
  r.name = name;
  for (auto& [variable, channel] : inputs) r.channels.push_back({variable, channel, {"test.yaml", 7}});
  if (!when.empty()) r.when = formula(when, r);
  return r;
}

void sets(EventRule& r, const std::string& state, const std::string& value) {
  Action a;
  a.kind = Action::Kind::set_state, a.target = state, a.value = value, a.formula = formula(value, r);
  a.where = {"test.yaml", 9};
  r.actions.push_back(a);
}

// A pendulum on a slide along x, and a ball joint at its end.
Linkage model_with(std::vector<EventRule> events) {
  Linkage l;
  const int car = l.rod("car", {0, 0, 0}, {1, 0, 0}), arm = l.rod("arm", {1, 0, 0}, {1, -1, 0});
  const int tip = l.rod("tip", {1, -1, 0}, {1, -2, 0});
  l.slide("ride", model::ground, car, {0, 0, 0}, {1, 0, 0});
  l.hinge("hinge", car, arm, {1, 0, 0}).reference = {0.25};
  l.ball("ball", arm, tip, {1, -1, 0});
  l.model->bodies[static_cast<std::size_t>(tip)].inertia = 0.1 * Mat3d::identity();
  l.model->joints[0].velocity = {2.0};
  l.model->joints[1].position = {0.35};
  l.model->events = std::move(events);
  return l;
}

struct Rig {
  explicit Rig(const Linkage& l)
      : p(prepare(l.model, {})), rules(*p.all, all_channels(*p.all)), evaluator(p.active, p.all), z(9) {
    REQUIRE(evaluator.evaluate(p.state.t, p.state.q, p.state.v) == Eval::ok);
  }
  Prepared p;
  EventRules rules;
  Evaluator evaluator;
  const Snapshot& snapshot = evaluator.now();
  Running running;
  std::vector<double> z;
};

std::string message_of(const Linkage& l) {
  try {
    Rig rig(l);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("Formulas of channels and t, in the order of the file") {
  EventRule timed = rule("beat", {});
  timed.at = 1.0;
  Rig rig(model_with({rule("a", {{"x", "ride.displacement_rate"}, {"phi", "hinge.angle"}}, "x + 10*phi"), timed,
                      rule("b", {}, "3 - t")}));
  CHECK(rig.rules.size() == 3);
  REQUIRE(rig.rules.functions() == 2);
  CHECK(rig.rules[rig.rules.rule_of(1)].name == "b");
  REQUIRE(rig.rules.evaluate(rig.snapshot, rig.running, rig.z));
  CHECK(rig.z[0] == doctest::Approx(5.5).epsilon(1e-14));  // angle as the user counts it: 0.35
  CHECK(rig.z[1] == 3.0);
}

TEST_CASE("What the snapshot must hold follows from the channels of the formulas") {
  const auto needs = [](std::vector<EventRule> events) { return Rig(model_with(std::move(events))).rules.needs(); };
  const EventRule motion = rule("m", {{"x", "tip.vy"}}, "x"), jerk = rule("a", {{"x", "tip.ay"}}, "x"),
                  energy = rule("e", {{"x", "energy.kinetic"}}, "x"), force = rule("f", {{"x", "ball.force"}}, "x");
  CHECK(needs({motion}) == EventRules::Needs::motion);
  CHECK(needs({jerk, motion}) == EventRules::Needs::accelerations);
  CHECK(needs({energy}) == EventRules::Needs::accelerations);
  CHECK(needs({jerk, force}) == EventRules::Needs::reactions);
  EventRule timed = rule("beat", {{"x", "ball.force"}});
  timed.at = 1.0;
  CHECK(needs({timed, motion}) == EventRules::Needs::motion);
}

// What evaluate_motion() leaves out is spoilt: a channel that is not marked must not read it.
TEST_CASE("Channels without a mark are known from the motion alone") {
  Linkage l = four_bar();
  Linkage::drive(l.model->joints[0], "t + t^2");
  for (const Linkage& each : {model_with({}), l}) {
    const auto p = prepare(each.model, {});
    Evaluator evaluator(p.active, p.all);
    Running running;
    REQUIRE(evaluator.evaluate(0.3, p.state.q, p.state.v) == Eval::ok);
    const Snapshot full = evaluator.now();
    evaluator.evaluate_motion(0.3, p.state.q, p.state.v);
    Snapshot motion = evaluator.now();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (auto* list : {&motion.a, &motion.lambda, &motion.all_multipliers, &motion.reactions, &motion.drives,
                       &motion.positions, &motion.velocities})
      std::fill(list->begin(), list->end(), nan);
    for (auto& node : motion.nodes) node.a = node.al = {nan, nan, nan};
    motion.kinetic = motion.potential = nan;
    for (const Channel& c : all_channels(*p.all)) {
      if (c.of_reactions || c.of_accelerations) continue;
      CHECK_MESSAGE(c.value(motion, running) == c.value(full, running), c.name);
    }
  }
}

TEST_CASE("A crossing counts in its direction; a start at zero does not, arriving there does") {
  EventRule up = rule("up", {}, "t"), down = up, both = up;
  up.direction = EventRule::Direction::rising, down.direction = EventRule::Direction::falling;
  const Rig rig(model_with({up, down, both}));
  const auto counts = [&](double before, double after) {
    return std::vector<bool>{rig.rules.counts(0, before, after), rig.rules.counts(1, before, after),
                             rig.rules.counts(2, before, after)};
  };
  CHECK(counts(-1, 1) == std::vector<bool>{true, false, true});
  CHECK(counts(1, -1) == std::vector<bool>{false, true, true});
  CHECK(counts(-1, 0) == std::vector<bool>{true, false, true});
  CHECK(counts(1, 0) == std::vector<bool>{false, true, true});
  CHECK(counts(0, 1) == std::vector<bool>{false, false, false});
  CHECK(counts(0, -1) == std::vector<bool>{false, false, false});
  CHECK(counts(1, 2) == std::vector<bool>{false, false, false});
  CHECK(counts(std::nan(""), 1) == std::vector<bool>{false, false, false});
}

TEST_CASE("Times are multiples and not sums") {
  EventRule beat = rule("beat", {}), once = beat;
  beat.at = 0.3, beat.every = 0.1;
  once.at = 0.45;
  const Rig rig(model_with({beat, once}));
  CHECK(rig.rules.next_time(-5.0) == 0.3);
  CHECK(rig.rules.is_due(0, 0.3));
  CHECK(!rig.rules.is_due(1, 0.3));
  std::vector<double> times;
  for (double t = 0; times.size() < 100'001;) times.push_back(t = rig.rules.next_time(t));
  CHECK(times[2] == 0.45);
  times.erase(times.begin() + 2);
  for (std::size_t k = 0; k < times.size(); ++k) REQUIRE(times[k] == std::fma(static_cast<double>(k), 0.1, 0.3));
  for (const double t : times) REQUIRE(rig.rules.is_due(0, t));
  CHECK(!rig.rules.is_due(0, 0.5 + 1e-12));
  CHECK(!rig.rules.is_due(0, 0.2));  // before its first
  CHECK(Rig(model_with({once})).rules.next_time(0.45) == never);
  CHECK(Rig(model_with({})).rules.next_time(0.0) == never);
}

TEST_CASE("States are set together, from the values before the event, as the user counts them") {
  EventRule r = rule("kick", {{"v", "ride.displacement_rate"}, {"phi", "hinge.angle"}}, "v");
  sets(r, "hinge.angle", "v/10"), sets(r, "ride.displacement_rate", "-phi"), sets(r, "ball.wz", "7");
  Rig rig(model_with({r}));
  formalism::State state = rig.p.state;
  const auto changes = rig.rules.set_states(0, rig.snapshot, rig.running, state);
  CHECK(changes.problem.empty());
  REQUIRE(rig.evaluator.evaluate(0.0, state.q, state.v) == Eval::ok);
  const auto value = [&](const std::string& name) {
    for (const Channel& c : all_channels(*rig.p.all)) {
      if (c.name == name) return c.value(rig.snapshot, rig.running);
    }
    return std::nan("");
  };
  CHECK(value("hinge.angle") == doctest::Approx(0.2).epsilon(1e-14));
  CHECK(value("ride.displacement_rate") == doctest::Approx(-0.35).epsilon(1e-14));
  CHECK(value("ball.wz") == doctest::Approx(7).epsilon(1e-14));
  CHECK(value("ride.displacement") == 0.0);
  CHECK(rig.rules.sets_states(0));
  CHECK(rig.rules.text(0, changes) ==
        "hinge.angle from 0.35 to 0.2; ride.displacement_rate from 2 to -0.35; ball.wz from 0 to 7");
}

TEST_CASE("A value that is no number changes nothing and is told") {
  EventRule r = rule("kick", {{"v", "ride.displacement_rate"}}, "log(v - 5)");
  sets(r, "hinge.angle", "1"), sets(r, "ride.displacement_rate", "sqrt(-v)");
  Rig rig(model_with({r}));
  formalism::State state = rig.p.state;
  const auto changes = rig.rules.set_states(0, rig.snapshot, rig.running, state);
  CHECK(state.q == rig.p.state.q);
  CHECK(state.v == rig.p.state.v);
  CHECK(changes.problem.find("event \"kick\" cannot set \"ride.displacement_rate\"") != std::string::npos);
  CHECK(!rig.rules.evaluate(rig.snapshot, rig.running, rig.z));
  CHECK(rig.rules.blame().find("\"log(v - 5)\" of event \"kick\" gives no finite number") != std::string::npos);
}

TEST_CASE("Other actions are listed for the loop and the log") {
  EventRule r = rule("end", {});
  r.at = 1.0;
  const auto add = [&](Action::Kind kind, const char* target, const char* value = "") {
    Action a;
    a.kind = kind, a.target = target, a.value = value;
    r.actions.push_back(a);
  };
  add(Action::Kind::set_parameter, "k", "2500 N/m"), add(Action::Kind::switch_on, "pid");
  add(Action::Kind::switch_off, "sky"), add(Action::Kind::stop, "");
  const Rig rig(model_with({r}));
  CHECK(rig.rules.parameters(0) == std::vector<std::pair<std::string, std::string>>{{"k", "2500 N/m"}});
  CHECK(!rig.rules.sets_states(0));
  CHECK(rig.rules.text(0, {}) == "k = 2500 N/m; pid on; sky off; stop");
}

TEST_CASE("A formula that is zero throughout is told, one that is zero now and then is not") {
  // A plane model: z is rounding at most. The third moves, the fourth only starts at zero.
  Rig rig(model_with({rule("level", {{"z", "tip.z"}}, "z"),
                      rule("difference", {{"a", "car.x"}, {"b", "ride.displacement"}}, "a - b"),
                      rule("speed", {{"v", "ride.displacement_rate"}}, "v"), rule("late", {}, "t")}));
  CHECK(rig.rules.zero_throughout().empty());  // nothing seen yet
  formalism::State state = rig.p.state;
  for (int k = 0; k < 4; ++k) {
    state.q[0] = 0.1 * k, state.q[1] = 0.3 * k;
    rig.evaluator.evaluate_motion(0.1 * k, state.q, state.v);
    REQUIRE(rig.rules.evaluate(rig.snapshot, rig.running, rig.z));
  }
  const auto texts = rig.rules.zero_throughout();
  REQUIRE(texts.size() == 2);
  CHECK(texts[0].what.find("event \"level\" has never happened: its formula \"z\" is zero throughout") == 0);
  CHECK(texts[1].what.find("\"difference\"") != std::string::npos);
}

TEST_CASE("Channels and states that are not there are refused at their line") {
  const std::string channel = message_of(model_with({rule("e", {{"x", "ride.displacment"}}, "x")}));
  CHECK(channel.find("test.yaml:7: event \"e\" reads the channel \"ride.displacment\"") == 0);
  CHECK(channel.find("Did you mean \"ride.displacement\"?") != std::string::npos);
  const auto state = [](const std::string& target) {
    EventRule r = rule("e", {}, "t");
    sets(r, target, "1");
    return r;
  };
  const std::string unknown = message_of(model_with({state("hinge.angel")}));
  CHECK(unknown.find("test.yaml:9: event \"e\" sets the state \"hinge.angel\", which is no state") == 0);
  CHECK(unknown.find("Did you mean \"hinge.angle\"?") != std::string::npos);
  CHECK(message_of(model_with({state("car.x")})).find("is no state") != std::string::npos);
  CHECK(message_of(model_with({state("ball.qx")})).find("part of an orientation") != std::string::npos);
  Linkage driven = model_with({state("ride.displacement_rate")});
  driven.model->joints[0].velocity = {std::nullopt};
  Linkage::drive(driven.model->joints[0], "t");
  CHECK(message_of(driven).find("follows its drive") != std::string::npos);
  Linkage loop = four_bar();
  for (model::Joint& joint : loop.model->joints) joint.cut = joint.name == "C";
  loop.model->events = {state("C.angle")};
  CHECK(message_of(loop).find("belongs to joint \"C\", which is cut") != std::string::npos);
}

TEST_CASE("A model read again may differ in numbers and in nothing else") {
  const Linkage before = model_with({});
  const auto difference = [&](auto change) {
    model::Model after = *before.model;
    change(after);
    return structural_difference(*before.model, after);
  };
  CHECK(difference([](model::Model& m) { m.bodies[0].mass = 7, m.joints[1].reference = {0}; }).empty());
  CHECK(difference([](model::Model& m) { m.joints.pop_back(); }) == "joint \"ball\" is no longer there");
  CHECK(difference([](model::Model& m) { m.bodies.push_back({.name = "more"}); }) == "body \"more\" has come in");
  CHECK(difference([](model::Model& m) { std::swap(m.bodies[0], m.bodies[1]); }) ==
        "body \"arm\" stands in another place of the file");
  CHECK(difference([](model::Model& m) { m.joints[0].to = 1; }) ==
        "joint \"ride\" connects other bodies or is of another kind");
  CHECK(difference([](model::Model& m) { Linkage::drive(m.joints[0], "t"); }) ==
        "joint \"ride\" connects other bodies or is of another kind");
}

TEST_CASE("What the equations hold is compared whatever the model is made of") {
  const Linkage before = model_with({});
  const auto difference = [&](auto change) {
    Linkage after = model_with({});
    change(*after.model);
    return structural_difference(*prepare(before.model, {}).all, *prepare(after.model, {}).all);
  };
  CHECK(difference([](model::Model& m) { m.bodies[0].mass = 7; }).empty());
  CHECK(difference([](model::Model& m) { m.joints[0].name = "other"; }) ==
        "the position \"ride.displacement\" is no longer there");
  CHECK(difference([](model::Model& m) {
          m.signals.push_back({"more", "N", 0});
        }) == "the channel \"more [N]\" has come in");
}

TEST_CASE("Instants that are one but for rounding are one, over a million periods") {
  struct Rates {
    double at, every, offset, sample_time;
    long events, samples;  // at + events every = offset + samples sample_time, in real numbers, and all multiples
  };
  for (const Rates& r : {Rates{0.1, 0.1, 0, 0.1, 0, 1}, Rates{0.3, 0.3, 0, 0.1, 0, 3}, Rates{0, 0.7, 0.7, 0.1, 1, 0},
                         Rates{1e-3, 1e-3, 0, 1.0 / 3000, 0, 3}}) {
    CAPTURE(r.every);
    CAPTURE(r.sample_time);
    const double ratio = r.every / r.sample_time;
    model::EventRule rule;
    rule.name = "r", rule.at = r.at, rule.every = r.every;
    const Linkage model = model_with({rule});
    const auto p = prepare(model.model, {});
    const EventRules rules(*p.active, all_channels(*p.active));
    long together = 0;
    double t = -1;
    for (long k = 0; k < 1'000'000; k += 997) {
      const double sample =
          r.offset + static_cast<double>(r.samples + std::lround(static_cast<double>(k) * ratio)) * r.sample_time;
      together += rules.is_due(0, sample);
      t = rules.next_time(sample);
      CHECK(t - sample == doctest::Approx(r.every).epsilon(1e-6));  // not the same again
    }
    CHECK(together == (1'000'000 + 996) / 997);
  }
}
