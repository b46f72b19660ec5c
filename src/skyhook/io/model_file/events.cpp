// The section `events`: where formulas of channels cross zero, and at given times, something happens.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/expression/lexer.h"
#include "skyhook/io/model_file/event_fields.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/points.h"
#include "skyhook/io/model_file/sections.h"

namespace skyhook::io::model_file {
namespace {

using model::Action;
using model::EventRule;

// "x > 3" is 0 or 1 and changes no sign.
bool is_condition(const std::string& formula, const Location& where) {
  int depth = 0;
  bool compares = false;
  for (const expression::Token& token : expression::tokens_of(formula, where)) {
    if (token.text == "(") ++depth;
    if (token.text == ")") --depth;
    if (token.text == "?") return false;
    for (const char* word : {"<", "<=", ">", ">=", "==", "!=", "and", "or", "not"})
      compares = compares || (depth == 0 && token.kind != expression::Token::Kind::unit && token.text == word);
  }
  return compares;
}

// Zero whatever the channels are, as x - x is: at points of no particular kind.
bool is_zero(const model::Formula& formula, std::size_t variables) {
  std::vector<double> x(variables);
  for (int point = 1; point <= 5; ++point) {
    for (std::size_t k = 0; k < variables; ++k)
      x[k] = (point % 2 == 0 ? -1 : 1) * std::exp(2 * std::sin(1.7 * point + 2.3 * static_cast<double>(k)));
    if (formula.evaluate(std::span<const double>(x)) != 0) return false;
  }
  return true;
}

class EventReader {
 public:
  EventReader(Pending& thing, Reading& reading)
      : reading_(reading),
        report_(reading.report),
        thing_(thing),
        what_("event \"" + thing.name + "\""),
        scalars_(reading.report, reading.parameters, thing.scope) {}

  void read() {
    EventFields given;
    FieldReader reader(reading_, thing_.value, what_, thing_.name, thing_.key, thing_.scope);
    read_described(reader, given);
    rule_.name = thing_.name;
    rule_.where = report_.at(thing_.key);
    rule_.at = given.at, rule_.every = given.every.value_or(0.0);
    rule_.direction = given.direction == "rising"    ? EventRule::Direction::rising
                      : given.direction == "falling" ? EventRule::Direction::falling
                                                     : EventRule::Direction::both;
    check_moment(given, reader);
    if (given.inputs.node) read_inputs(*given.inputs.node);
    if (given.when.node) read_when(*given.when.node);
    if (given.actions.node) read_actions(*given.actions.node);
    warn_of_unused();
    if (reader.has_failed()) throw Report::Known{};
    reading_.model.events.push_back(std::move(rule_));
  }

 private:
  void check_moment(const EventFields& given, const FieldReader& reader) {
    const bool has_time = find(thing_.value, "at") != nullptr, has_formula = given.when.node != nullptr;
    if (has_time && has_formula)
      report_.add(reader.where("at"), what_ + " has both `when` and `at`.", "Make two events of it.");
    if (!has_time && !has_formula)
      report_.add(thing_.key, what_ + " does not say when it happens.",
                  "Give `when: =formula`, whose zeros are meant, or `at: 2 s`.");
    if (given.every && !has_time)
      report_.add(reader.where("every"), what_ + " has `every`, but no `at`.", "Give the first time: at: 0 s.");
    if (find(thing_.value, "direction") && !has_formula)
      report_.add(reader.where("direction"), what_ + " has a direction, but no formula that could cross zero.",
                  "Remove it, or give `when`.");
  }

  bool is_input_name(const Node& key) {
    if (key.text == "t")
      report_.add(key, what_ + ": the input \"t\" has the name of the time, which is known without.",
                  "Choose another name.");
    else if (!is_identifier(key.text) || is_reserved(key.text))
      report_.add(key, what_ + ": the input \"" + key.text + "\" has a name that formulas cannot use.",
                  "Use letters, digits and _, not a digit first, and no name of a function.");
    else
      return true;
    return false;
  }

  void read_inputs(Node& map) {
    if (!map.is_map()) {
      report_.add(map, what_ + ": inputs should be a map, but are " + kind_name(map) + ".",
                  "Write {z: wheel.z, v: ride.displacement_rate}.");
      return;
    }
    for (Entry& entry : map.entries) {
      if (!is_input_name(entry.key)) continue;
      const std::string what = what_ + ": input \"" + entry.key.text + "\"";
      const auto channel = scalars_.full_name(entry.value, what);
      if (!channel || !is_there(*channel, entry.value, what)) continue;
      // A name without dot may be that of an output, which is a channel where it is a formula.
      const auto named = reading_.names.find(*channel);
      const bool is_thing = named != reading_.names.end() && named->second.noun != "signal";
      if (channel->find_first_of("*?") != std::string::npos || is_thing) {
        report_.add(entry.value, what + " is \"" + *channel + "\", which is not one channel.",
                    "Write thing.quantity, for example wheel.z.");
        continue;
      }
      if (reading_.parameters.is_defined(entry.key.text))
        reading_.warn("hidden_name", report_.at(entry.key),
                      "parameter \"" + entry.key.text + "\" is hidden by the input of the same name in formulas of " +
                          what_ + ".");
      rule_.channels.push_back({entry.key.text, *channel, report_.at(entry.value)});
    }
  }

  bool is_there(const std::string& name, const Node& node, const std::string& what) {
    if (reading_.has_failed(name)) throw Report::Known{};
    const Reading::Off* off = reading_.switched_off(name);
    if (off)
      report_.add(node, what + " is \"" + name + "\", which is switched off" + off->reason() + ".",
                  "Switch it on, or give the event an `if` as well.");
    return off == nullptr;
  }

  std::optional<model::Formula> formula(Node& node, const std::string& what) {
    std::vector<std::string> names;
    for (const model::Output& input : rule_.channels) names.push_back(input.name);
    names.emplace_back("t");
    auto compiled = scalars_.formula_in_si(node, what, names);
    if (compiled) {
      for (const int k : compiled->used_variables()) used_.insert(names[static_cast<std::size_t>(k)]);
    }
    return compiled;
  }

  void read_when(Node& node) {
    const std::string what = what_ + ": when";
    if (node.is_text() && !is_expression(node.text)) {
      report_.add(node, what + " is \"" + node.text + "\", which is no formula.",
                  "Write \"=z - 0.3\", with z among the inputs. For a time write `at: 2 s`.");
      return;
    }
    const std::string text = node.text;
    rule_.when = formula(node, what);
    if (!rule_.when) return;
    const Location where = expression_place(report_.at(node), node.quoted);
    if (is_condition(text.substr(1), where)) {
      report_.add(
          node, what + " is the condition \"" + text + "\", which is true or false and crosses no zero.",
          "Write the difference of its sides, =x - 3 for =x > 3; `direction: rising` is where it becomes true.");
    } else if (rule_.when->used_variables().empty()) {
      report_.add(node, what + " is \"" + text + "\", which depends on no input and never changes sign.",
                  "Name channels under `inputs` and use them. For a time write `at: 2 s`.");
    } else if (is_zero(*rule_.when, rule_.channels.size() + 1)) {
      report_.add(node, what + " is \"" + text + "\", which is zero throughout and never changes sign.",
                  "Subtract the value at which the event should happen.");
    }
  }

  void read_actions(Node& node) {
    if (node.is_list() && node.items.empty()) {
      report_.add(node, what_ + " does nothing: `do` is empty.", actions_known);
    } else if (node.is_list()) {
      for (Node& item : node.items) read_action(item);
    } else {
      read_action(node);
    }
  }

  void read_action(Node& node) {
    if (node.is_text()) {
      if (node.text == "stop") {
        add(Action::Kind::stop, "", node);
        return;
      }
      report_.add(node, what_ + ": do has the action \"" + node.text + "\", which is not known, or lacks its value.",
                  actions_known);
      return;
    }
    if (!node.is_map() || node.entries.empty()) {
      report_.add(node, what_ + ": an action should be a map or a word, but is " + kind_name(node) + ".",
                  actions_known);
      return;
    }
    ActionFields given;
    FieldReader reader(reading_, node, what_ + ": do", thing_.name, node, thing_.scope);
    read_described(reader, given);
    if (given.set.node) read_set(*given.set.node);
    if (given.state.node) read_state(*given.state.node);
    if (find(node, "stop")) read_stop(given.stop.node, node);
    if (given.switch_on.node) read_switch(*given.switch_on.node, Action::Kind::switch_on, "switch_on");
    if (given.switch_off.node) read_switch(*given.switch_off.node, Action::Kind::switch_off, "switch_off");
    for (const Entry& entry : node.entries) {
      if (entry.value.is_nothing() && entry.key.text != "stop")
        report_.add(entry.key, what_ + ": the action \"" + entry.key.text + "\" has no value.", actions_known);
    }
  }

  void read_stop(const Node* value, const Node& place) {
    if (value && value->text != "true")
      report_.add(*value,
                  what_ + ": stop is " + (value->is_text() ? "\"" + value->text + "\"" : kind_name(*value)) +
                      ", but takes no value.",
                  "Write `- stop`.");
    add(Action::Kind::stop, "", place);
  }

  // A parameter of the template that the event stands in, of a part by its full name, or of the model.
  const model::Parameter* find_parameter(const std::string& name) const {
    const auto named = [&](const std::string& full) -> const model::Parameter* {
      return reading_.instance_parameter(full);
    };
    for (const Scope* level = &thing_.scope; level; level = level->outer.get()) {
      if (const model::Parameter* own = named(level->prefix + name)) return own;
      if (!level->template_name.empty()) break;
    }
    const auto found = std::ranges::find(parameters_, name, &model::Parameter::name);
    return found == parameters_.end() ? named(name) : &*found;
  }

  // A point is set coordinate by coordinate.
  void spread_points(Node& map) {
    std::vector<Entry> entries;
    for (Entry& entry : map.entries) {
      if (!entry.value.is_list() || entry.value.items.size() != 3) {
        entries.push_back(std::move(entry));
        continue;
      }
      for (std::size_t i = 0; i < 3; ++i)
        entries.push_back({text_node(coordinate_name(entry.key.text, point_axes[i]), entry.key), entry.value.items[i]});
    }
    map.entries = std::move(entries);
  }

  void read_set(Node& map) {
    if (!map.is_map()) {
      report_.add(map, what_ + ": set should be a map, but is " + kind_name(map) + ".",
                  "Write {parameter: value, ...}.");
      return;
    }
    spread_points(map);
    for (Entry& entry : map.entries) {
      const model::Parameter* parameter = find_parameter(entry.key.text);
      if (!parameter) {
        report_.add(entry.key, what_ + " sets the parameter \"" + entry.key.text + "\", which the model does not have.",
                    suggest(entry.key.text, reading_.parameter_names(), "Parameters"));
        continue;
      }
      const auto value = scalars_.value(entry.value, {what_ + ": parameter \"" + entry.key.text + "\""});
      if (!value) continue;
      const Dimension needed = parse_unit(parameter->unit).dimension, given = value->dimension;
      if (!given.is_dimensionless() && !needed.is_dimensionless() && given != needed) {
        report_.add(entry.value,
                    fmt::format("{} sets the parameter \"{}\" to a quantity in {}, but it is one in {}.", what_,
                                parameter->name, to_string(given), to_string(needed)),
                    "Write a unit of the same kind.");
        continue;
      }
      const Dimension& unit = given.is_dimensionless() ? needed : given;  // a plain number is in SI units
      entry.value.text = fmt::format("{}", value->value) + (unit.is_dimensionless() ? "" : " " + to_string(unit));
      entry.key.text = parameter->name;
      add(Action::Kind::set_parameter, parameter->name, entry.key).value = entry.value.text;
    }
  }

  void read_state(Node& map) {
    if (!map.is_map()) {
      report_.add(map, what_ + ": state should be a map, but is " + kind_name(map) + ".",
                  "Write {ride.displacement_rate: \"=-0.5*v\"}.");
      return;
    }
    for (Entry& entry : map.entries) {
      const std::string what = what_ + ": state \"" + entry.key.text + "\"";
      const auto target = scalars_.full_name(entry.key, what);
      if (!target || !is_there(*target, entry.key, what)) continue;
      if (auto value = formula(entry.value, what)) {
        Action& action = add(Action::Kind::set_state, *target, entry.key);
        action.value = entry.value.text;
        action.formula = std::move(value);
      }
    }
  }

  // Whether there is such a controller is looked at when all are read.
  void read_switch(Node& node, Action::Kind kind, const char* field) {
    const std::string what = what_ + ": " + field;
    if (const auto name = scalars_.full_name(node, what); name && is_there(*name, node, what)) add(kind, *name, node);
  }

  Action& add(Action::Kind kind, const std::string& target, const Node& place) {
    Action action;
    action.kind = kind;
    action.target = target;
    action.where = report_.at(place);
    return rule_.actions.emplace_back(std::move(action));
  }

  void warn_of_unused() {
    for (const model::Output& input : rule_.channels) {
      if (used_.count(input.name) == 0)
        reading_.warn("unused", input.where, "input \"" + input.name + "\" of " + what_ + " is used nowhere.");
    }
  }

  static constexpr const char* actions_known =
      "Actions are set: {parameter: value}, state: {name: =formula}, stop, switch_on: controller and switch_off: "
      "controller.";

  Reading& reading_;
  Report& report_;
  Pending& thing_;
  std::string what_;
  ScalarReader scalars_;
  EventRule rule_;
  std::set<std::string> used_;
  std::vector<model::Parameter> parameters_ = reading_.parameters.list();
};

}  // namespace

Node read_events(std::vector<Level>& levels, Reading& reading) {
  auto things = things_of(levels, "event", reading);
  for (Pending& thing : things) {
    try {
      EventReader(thing, reading).read();
    } catch (const Report::Known&) {
      reading.failed.insert(thing.name);
    }
  }
  return as_section(std::move(things), {});
}

void doubt_event_times(Reading& reading) {
  std::optional<double> begin;
  for (const model::Experiment& e : reading.model.experiments) {
    if (e.analysis == "simulate") begin = std::min(begin.value_or(e.from_time), e.from_time);
  }
  const double earliest = begin.value_or(0.0);
  for (const EventRule& rule : reading.model.events) {
    if (!rule.at || *rule.at >= earliest || rule.every > 0) continue;
    reading.warn("never_happened", rule.where,
                 fmt::format("event \"{}\" can never happen: its time, {:.6g} s, lies before the start of every run, "
                             "{:.6g} s.",
                             rule.name, *rule.at, earliest),
                 "Give a later time, or experiments an earlier from_time.");
  }
}

void check_switched_controllers(Reading& reading) {
  std::vector<std::string> names;
  for (const model::Controller& controller : reading.model.controllers) names.push_back(controller.name);
  for (const EventRule& rule : reading.model.events) {
    for (const Action& action : rule.actions) {
      const bool switches = action.kind == Action::Kind::switch_on || action.kind == Action::Kind::switch_off;
      if (!switches || reading.has_failed(action.target) || std::ranges::count(names, action.target) > 0) continue;
      reading.report.add(
          action.where,
          "event \"" + rule.name + "\" switches the controller \"" + action.target + "\", which is not defined.",
          names.empty() ? "The model has no controllers." : suggest(action.target, names, "Controllers"));
    }
  }
}

}  // namespace skyhook::io::model_file
