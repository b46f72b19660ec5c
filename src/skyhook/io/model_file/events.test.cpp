// Reference: what the manual says of `events`.
#include <algorithm>

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using model::Action;
using model::EventRule;

namespace {

// A pendulum with parameters k and n, and one event.
std::string with_event(const std::string& fields, const std::string& more = "") {
  return pendulum("mass: 1", "parameters: {k: 2 kN/m, n: 3}\n") + "events:\n  e: {" + fields + "}\n" + more;
}

EventRule event(const std::string& fields, const std::string& more = "") {
  const model::Model m = read_model_text(with_event(fields, more), "m.yaml");
  REQUIRE(m.events.size() == 1);
  return m.events[0];
}

double value(const model::Formula& formula, std::vector<double> variables) {
  return formula.evaluate(std::span<const double>(variables));
}

}  // namespace

TEST_CASE("A formula of channels, its direction and its actions") {
  const EventRule e = event(
      "inputs: {x: hinge.angle, v: hinge.angle_rate}, when: \"=x - 30[deg] + n*t + k\", direction: falling, "
      "do: [{set: {k: 3 kN/m, n: \"=n + 1\"}}, {state: {hinge.angle_rate: \"=-0.5*v\", hinge.angle: 90 deg}}, stop]");
  CHECK(e.name == "e");
  CHECK(e.where.line == 8);
  REQUIRE(e.channels.size() == 2);
  CHECK(e.channels[0].name == "x");
  CHECK(e.channels[0].channel == "hinge.angle");
  CHECK(e.channels[0].where.line == 8);
  REQUIRE(e.when);
  CHECK(value(*e.when, {1, 5, 7}) == doctest::Approx(1 - 0.5235987755982988 + 21 + 2000));  // all in SI
  CHECK(e.direction == EventRule::Direction::falling);
  CHECK(!e.at);
  REQUIRE(e.actions.size() == 5);
  CHECK(e.actions[0].kind == Action::Kind::set_parameter);
  CHECK(e.actions[0].target == "k");
  CHECK(parse_quantity(e.actions[0].value, {}).si() == 3000.0);
  CHECK(e.actions[1].value == "4");
  CHECK(e.actions[2].kind == Action::Kind::set_state);
  CHECK(e.actions[2].target == "hinge.angle_rate");
  CHECK(value(*e.actions[2].formula, {1, 5, 7}) == -2.5);
  CHECK(value(*e.actions[3].formula, {1, 5, 7}) == doctest::Approx(1.5707963267948966));
  CHECK(e.actions[4].kind == Action::Kind::stop);
}

TEST_CASE("Times, once or again and again; one action needs no list") {
  const EventRule once = event("at: 500 ms, do: stop"),
                  often = event("at: 1 s, every: \"=n*0.1[s]\", do: {stop: true}");
  CHECK(*once.at == 0.5);
  CHECK(once.every == 0.0);
  CHECK(!once.when);
  CHECK(once.direction == EventRule::Direction::both);
  CHECK(once.actions.size() == 1);
  CHECK(often.every == doctest::Approx(0.3));
  CHECK(often.actions[0].kind == Action::Kind::stop);
}

// A run begins at 0 s, or at its from_time; one that repeats comes again.
TEST_CASE("A time before every run is told") {
  const auto told = [](const std::string& when, const std::string& experiments = "") {
    std::string all;
    for (const Warning& w : read_model_text(with_event(when + ", do: stop", experiments), "m.yaml").warnings)
      if (w.name == "never_happened") all += to_string(w);
    return all;
  };
  CHECK(told("at: -1 s") ==
        "m.yaml:8:3: event \"e\" can never happen: its time, -1 s, lies before the start of every run, 0 s. Give a "
        "later time, or experiments an earlier from_time. [never_happened]");
  for (const char* right : {"at: 0 s", "at: 5 s", "at: -1 s, every: 0.3 s"}) CHECK(told(right) == "");
  CHECK(told("at: -1 s", "experiments: {a: {until: 1}, b: {from_time: -2, until: 1}}\n") == "");
  CHECK(told("at: -3 s", "experiments: {a: {until: 1}, b: {from_time: -2, until: 1}}\n") != "");
  CHECK(told("at: 2 s", "experiments: {a: {from_time: 5, until: 6}, rest: {analysis: equilibrium}}\n") != "");
}

TEST_CASE("Events of templates speak of their own things and parameters") {
  const std::string text =
      "skyhook: 1\nparameters: {g: 1, c: 3}\ntemplates:\n  leg:\n    parameters: {c: 2, limit: 5}\n    bodies: {foot: "
      "{mass: "
      "1}}\n    joints: {slide: {type: prismatic, from: ground, to: foot}}\n    events:\n      hit:\n        inputs: "
      "{x: "
      "slide.displacement, y: $parent.b.foot.x}\n        when: \"=x - limit + y\"\n        do: [{set: {c: \"=2*c\", g: "
      "7}, "
      "state: {slide.displacement_rate: \"=-x/limit\"}}]\nuse: {a: {template: leg, limit: 4}, b: {template: leg}}\n";
  const model::Model m = read_model_text(text, "m.yaml");
  REQUIRE(m.events.size() == 2);
  const EventRule& hit = m.events[0];
  CHECK(hit.name == "a.hit");
  CHECK(hit.channels[0].channel == "a.slide.displacement");
  CHECK(hit.channels[1].channel == "b.foot.x");
  CHECK(value(*hit.when, {1, 10, 0}) == 7.0);
  CHECK(hit.actions[0].target == "a.c");
  CHECK(hit.actions[0].value == "4");
  CHECK(hit.actions[1].target == "g");
  CHECK(hit.actions[2].target == "a.slide.displacement_rate");
  CHECK(value(*hit.actions[2].formula, {2, 0, 0}) == -0.5);
  CHECK(m.events[1].actions[0].target == "b.c");
  const model::Model again = read_model_text(m.expanded, "m.yaml");  // and all of it survives the expansion
  REQUIRE(again.events.size() == 2);
  CHECK(again.events[0].channels[0].channel == "a.slide.displacement");
  CHECK(value(*again.events[0].when, {1, 10, 0}) == 7.0);
  CHECK(again.events[0].actions[0].target == "a.c");
  CHECK(again.events[0].actions[0].value == "4");
  CHECK(value(*again.events[0].actions[2].formula, {2, 0, 0}) == -0.5);
  CHECK(again.expanded == m.expanded);
}

TEST_CASE("An `if` switches an event off; repeats make several") {
  CHECK(read_model_text(with_event("if: =n > 5, at: 1, do: stop"), "m.yaml").events.empty());
  const model::Model m = read_model_text(
      pendulum() + "events: {'beat[i=1..3]': {at: \"=i*2[s]\", do: {state: {hinge.angle: \"=i + t\"}}}}\n", "m.yaml");
  REQUIRE(m.events.size() == 3);
  CHECK(m.events[2].name == "beat[3]");
  CHECK(*m.events[2].at == 6.0);
  CHECK(value(*m.events[2].actions[0].formula, {0.5}) == 3.5);
}

TEST_CASE("Numbers that an event sets are those with which the model is read again") {
  const std::string text = with_event("at: 1, do: {set: {k: 0.3 kN/mm, n: 0.1}}");
  const auto actions = read_model_text(text, "m.yaml").events[0].actions;
  std::vector<Setting> settings;
  for (const Action& a : actions) settings.push_back({a.target, a.value});
  const model::Model again = read_model_text(text, "m.yaml", settings);
  CHECK(again.parameters[0].value == 300'000.0);
  CHECK(again.parameters[0].unit == read_model_text(text, "m.yaml").parameters[0].unit);
  CHECK(again.parameters[1].value == 0.1);
}

TEST_CASE("When an event happens must be said once") {
  CHECK(has(errors_of(with_event("do: stop")), "m.yaml:8:3: event \"e\" does not say when it happens.\n  Give `when:"));
  CHECK(has(errors_of(with_event("inputs: {x: hinge.angle}, when: =x, at: 2 s, do: stop")),
            "event \"e\" has both `when` and `at`.\n  Make two events of it."));
  CHECK(has(errors_of(with_event("inputs: {x: hinge.angle}, when: =x, every: 2 s, do: stop")),
            "event \"e\" has `every`, but no `at`."));
  CHECK(
      has(errors_of(with_event("at: 1, direction: rising, do: stop")), "event \"e\" has a direction, but no formula"));
  CHECK(has(errors_of(with_event("at: 1, every: 0, do: stop")),
            "m.yaml:8:21: event \"e\": every is 0 s, but must be at least"));
  CHECK(has(errors_of(with_event("at: 1, every: -2 s, do: stop")), "event \"e\": every is -2 s"));
  CHECK(has(errors_of(with_event("at: 1 m, do: stop")), "event \"e\": at is \"1 m\", a quantity in m, but needs s."));
  CHECK(has(errors_of(with_event("inputs: {x: hinge.angle}, when: =x, direction: up, do: stop")),
            "event \"e\": direction is \"up\", which is not known."));
}

TEST_CASE("Formulas that cross no zero are refused") {
  const auto message = [](const std::string& when) {
    return errors_of(with_event("inputs: {x: hinge.angle}, when: " + when + ", do: stop"));
  };
  CHECK(has(message("\"=n - 3\""),
            "m.yaml:8:39: event \"e\": when is \"=n - 3\", which depends on no input and never changes sign."));
  CHECK(
      has(message("\"=x - x\""), "event \"e\": when is \"=x - x\", which is zero throughout and never changes sign."));
  CHECK(has(message("\"=0*x\""), "never changes sign."));
  CHECK(has(message("\"=x > 3\""),
            "event \"e\": when is the condition \"=x > 3\", which is true or false and crosses no "
            "zero.\n  Write the difference of its sides, =x - 3 for =x > 3;"));
  CHECK(has(message("\"=x > 3 and t < 2\""), "is the condition"));
  CHECK(has(message("2 s"), "event \"e\": when is \"2 s\", which is no formula."));
  CHECK(event("inputs: {x: hinge.angle}, when: \"=x > 3 ? x - 4 : -1\", do: stop").when);
  CHECK(event("inputs: {x: hinge.angle}, when: \"=(x > 3) - 0.5\", do: stop").when);
  CHECK(event("when: \"=t - 3\", do: stop").when);
}

TEST_CASE("Formulas name what they do not know, at its column") {
  CHECK(has(errors_of(with_event("inputs: {angle: hinge.angle}, when: \"=angel - 3\", do: stop")),
            "m.yaml:8:45: event \"e\": when: "));
  CHECK(has(errors_of(with_event("inputs: {angle: hinge.angle}, when: \"=angel - 3\", do: stop")),
            "Did you mean \"angle\"?"));
  CHECK(has(errors_of(with_event("at: 1, do: {state: {hinge.angle: \"=2*x\"}}")),
            "event \"e\": state \"hinge.angle\": "));
  CHECK(has(errors_of(with_event("inputs: {x: hinge.angle}, when: \"=x +\", do: stop")), "event \"e\": when: "));
}

TEST_CASE("Inputs: names that formulas can use, and one channel each") {
  const auto message = [](const std::string& inputs) {
    return errors_of(with_event("inputs: " + inputs + ", when: =t - 1, do: stop"));
  };
  CHECK(has(message("{t: hinge.angle}"), "the input \"t\" has the name of the time"));
  CHECK(has(message("{a-b: hinge.angle}"), "the input \"a-b\" has a name that formulas cannot use."));
  CHECK(has(message("{sin: hinge.angle}"), "the input \"sin\" has a name that formulas cannot use."));
  CHECK(has(message("{x: hinge.*}"), "event \"e\": input \"x\" is \"hinge.*\", which is not one channel."));
  CHECK(has(message("{x: hinge}"), "which is not one channel."));
  CHECK(has(message("[hinge.angle]"), "event \"e\": inputs should be a map, but are a list."));
  const model::Model m =
      read_model_text(with_event("inputs: {k: hinge.angle, x: hinge.angle}, when: =k, do: stop"), "m.yaml");
  const auto warned = [&](const std::string& text) {
    return std::ranges::count(m.warnings, text, &Warning::what) == 1;
  };
  CHECK(warned("input \"x\" of event \"e\" is used nowhere."));
  CHECK(warned("parameter \"k\" is hidden by the input of the same name in formulas of event \"e\"."));
  CHECK(has(
      errors_of(with_event("inputs: {x: gone.angle}, when: =x, do: stop", "markers: {gone: {body: bob, if: false}}\n")),
      "event \"e\": input \"x\" is \"gone.angle\", which is switched off"));
}

TEST_CASE("Actions that are empty or unknown are refused with all that there are") {
  const auto message = [](const std::string& actions) { return errors_of(with_event("at: 1, do: " + actions)); };
  CHECK(has(errors_of(with_event("at: 1")), "event \"e\" needs \"do\"."));
  CHECK(has(message("[]"), "event \"e\" does nothing: `do` is empty.\n  Actions are set: {parameter: value},"));
  CHECK(has(message("[halt]"), "event \"e\": do has the action \"halt\", which is not known, or lacks its value."));
  CHECK(has(message("[switch_on]"), "lacks its value."));
  CHECK(has(message("[{sett: {k: 1}}]"),
            "event \"e\": do has the field \"sett\", which is not known.\n  Did you mean \"set\"?"));
  CHECK(has(message("[{set: }]"), "event \"e\": the action \"set\" has no value."));
  CHECK(has(message("[{set: k}]"), "event \"e\": set should be a map, but is a text."));
  CHECK(has(message("[{state: [1]}]"), "event \"e\": state should be a map, but is a list."));
  CHECK(has(message("[{}]"), "event \"e\": an action should be a map or a word, but is a map."));
  CHECK(has(message("{stop: 3 s}"), "event \"e\": stop is \"3 s\", but takes no value."));
}

TEST_CASE("What actions name must be there") {
  const auto message = [](const std::string& actions) { return errors_of(with_event("at: 1, do: " + actions)); };
  CHECK(has(message("{set: {kk: 1}}"),
            "m.yaml:8:25: event \"e\" sets the parameter \"kk\", which the model does not have.\n"
            "  Did you mean \"k\"?"));
  CHECK(
      has(message("{set: {k: 3 kg}}"), "event \"e\" sets the parameter \"k\" to a quantity in kg, but it is one in "));
  CHECK(has(message("{set: {k: \"=2*\"}}"), "event \"e\": parameter \"k\": "));
  CHECK(has(message("{switch_off: pid}"),
            "m.yaml:8:31: event \"e\" switches the controller \"pid\", which is not defined.\n  The model has no "
            "controllers."));
}
