#include "skyhook/simulation/event_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/simulation/instant.h"

namespace skyhook::simulation {
namespace {

using model::Action;
using model::EventRule;

constexpr double never = std::numeric_limits<double>::infinity();

std::string subject(const EventRule& rule) { return "event \"" + rule.name + "\""; }

std::vector<Channel> channels_of(const EventRule& rule, const std::vector<Channel>& all, Findings& findings) {
  std::vector<Channel> chosen;
  for (const model::Output& input : rule.channels) {
    const auto found = std::ranges::find(all, input.channel, &Channel::name);
    if (found != all.end()) {
      chosen.push_back(*found);
      continue;
    }
    findings.add(input.where,
                 subject(rule) + " reads the channel \"" + input.channel + "\", which the model does not have.",
                 advice_on_channel(input.channel, all));
  }
  return chosen;
}

bool starts_with(const std::string& text, const std::string& name) {
  return text.size() > name.size() && text[name.size()] == '.' && text.compare(0, name.size(), name) == 0;
}

// Is the target a coordinate of the joint, or its rate, that follows a drive?
bool is_driven(const model::Joint& joint, const std::string& target) {
  std::size_t scalar = 0;
  for (const model::Dof& dof : joint.shape.dofs) {
    const std::string name = joint.name + "." + dof.name;
    const bool driven = scalar < joint.drive.size() && joint.drive[scalar].has_value();
    if (driven && (target == name || target == name + "_rate")) return true;
    scalar += dof.kind == model::Dof::Kind::ball ? 3 : 1;
  }
  return false;
}

std::vector<std::string> state_names(const Equations& eq) {
  std::vector<std::string> names;
  for (int iq = 0; iq < eq.nq(); ++iq) {
    if (!eq.in_rotation(iq)) names.push_back(eq.position_names()[static_cast<std::size_t>(iq)]);
  }
  names.insert(names.end(), eq.velocity_names().begin(), eq.velocity_names().end());
  return names;
}

int index_in(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

// Why the target cannot be set, and what to do; empty: it can.
std::pair<std::string, std::string> refusal(const Equations& eq, const std::string& target) {
  for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
    const model::Joint& joint = eq.model().joints[j];
    if (!starts_with(target, joint.name)) continue;
    if (is_driven(joint, target)) return {"follows its drive", "Set a coordinate that is free to move."};
    if (eq.is_cut(static_cast<int>(j)))
      return {"belongs to joint \"" + joint.name + "\", which is cut and has no states",
              "Give the joint `cut: false`, or set a coordinate of another joint of its loop."};
  }
  if (const int q = index_in(eq.position_names(), target); q >= 0)
    return eq.in_rotation(q) ? std::pair<std::string, std::string>{"is a part of an orientation, which has no "
                                                                           "number to be set by itself",
                                                                           "Its angular velocity can be set."}
                                     : std::pair<std::string, std::string>{};
  const int v = index_in(eq.velocity_names(), target);
  if (v < 0) return {"is no state of the model", suggest(target, state_names(eq), "States")};
  if (eq.is_turned_around(v))
    return {"is a rate of a joint that the tree passes from `to` to `from`", "Exchange `from` and `to` of the joint."};
  return {};
}

EventRules::Needs needs_of(const Channel& c) {
  return c.of_reactions       ? EventRules::Needs::reactions
         : c.of_accelerations ? EventRules::Needs::accelerations
                              : EventRules::Needs::motion;
}

}  // namespace

EventRules::EventRules(const Equations& eq, const std::vector<Channel>& all) {
  Findings findings;
  for (const EventRule& given : eq.model().events) {
    Rule rule{.given = given, .channels = channels_of(given, all, findings)};
    rule.values.resize(given.channels.size() + 1);
    rule.duals.resize(rule.values.size());
    for (std::size_t k = 0; k < given.actions.size(); ++k) {
      const Action& action = given.actions[k];
      if (action.kind != Action::Kind::set_state) continue;
      if (const auto [why, advice] = refusal(eq, action.target); !why.empty()) {
        findings.add(action.where, subject(given) + " sets the state \"" + action.target + "\", which " + why + ".",
                     advice);
        continue;
      }
      const int q = index_in(eq.position_names(), action.target);
      const int index = q >= 0 ? q : index_in(eq.velocity_names(), action.target);
      rule.targets.push_back({k, q >= 0, index, q >= 0 ? eq.reference(q) : 0.0});
    }
    if (given.when) {
      functions_.push_back(size());
      for (const Channel& c : rule.channels) needs_ = std::max(needs_, needs_of(c));
    }
    rules_.push_back(std::move(rule));
  }
  findings.throw_if_any();
}

void EventRules::fill(Rule& rule, const Snapshot& s, const Running& running) const {
  for (std::size_t k = 0; k < rule.channels.size(); ++k) rule.values[k] = rule.channels[k].value(s, running);
  rule.values.back() = s.t;
}

// How far the value changes with its variables: these count with their own size, or else with that of their unit.
double EventRules::scale(Rule& rule) {
  double sum = 0;
  for (std::size_t i = 0; i < rule.values.size(); ++i) {
    for (std::size_t k = 0; k < rule.values.size(); ++k) rule.duals[k] = Dual<1>(rule.values[k]);
    rule.duals[i].d[0] = 1;
    const double slope = rule.given.when->evaluate(std::span<const Dual<1>>(rule.duals)).d[0];
    sum += std::abs(slope) * std::max(1.0, std::abs(rule.values[i]));
  }
  return sum;
}

bool EventRules::evaluate(const Snapshot& s, const Running& running, Span z) {
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    Rule& rule = rules_[static_cast<std::size_t>(functions_[k])];
    fill(rule, s, running);
    z[k] = rule.given.when->evaluate(std::span<const double>(rule.values));
    if (!std::isfinite(z[k])) {
      blame_ = fmt::format(
          "The formula \"{}\" of {} gives no finite number at t = {:.6g} s. Write it so that it has a value on both "
          "sides of its zero.",
          rule.given.when->text(), subject(rule.given), s.t);
      return false;
    }
    ++rule.evaluations;
    if (rule.is_zero && z[k] != 0) rule.is_zero = std::abs(z[k]) <= least * scale(rule);
  }
  return true;
}

bool EventRules::counts(int function, double before, double after) const {
  const EventRule::Direction direction = (*this)[rule_of(function)].direction;
  const bool rises = before < 0 && after >= 0, falls = before > 0 && after <= 0;
  return (rises && direction != EventRule::Direction::falling) || (falls && direction != EventRule::Direction::rising);
}

std::vector<Warning> EventRules::zero_throughout() const {
  std::vector<Warning> list;
  for (const int index : functions_) {
    const Rule& rule = rules_[static_cast<std::size_t>(index)];
    if (!rule.is_zero || rule.evaluations < 2) continue;
    list.push_back({"never_happened", rule.given.where,
                    fmt::format("{} has never happened: its formula \"{}\" is zero throughout and never changes sign.",
                                subject(rule.given), rule.given.when->text()),
                    "Subtract the value at which it should happen, or choose a channel that moves; for given times use "
                    "`at`."});
  }
  return list;
}

void EventRules::miss(int function, double t, double z, double tolerance) {
  Rule& rule = rules_[static_cast<std::size_t>(rule_of(function))];
  constexpr double clear = 10;
  if (!rule.missed && std::abs(z) > clear * tolerance * scale(rule)) rule.missed = t;
}

bool EventRules::looks_for_missed() const {
  return std::ranges::any_of(functions_, [&](int index) { return !rules_[static_cast<std::size_t>(index)].missed; });
}

std::vector<Warning> EventRules::missed() const {
  std::vector<Warning> list;
  for (const Rule& rule : rules_) {
    if (!rule.missed) continue;
    list.push_back(
        {"events_missed", rule.given.where,
         fmt::format("{} has been missed: its formula \"{}\" crosses zero more than once within one step, first "
                     "near t = {:.6g} s, and not all of these were found.",
                     subject(rule.given), rule.given.when->text(), *rule.missed),
         "Choose a smaller `largest_step`, or a formula that changes more slowly."});
  }
  return list;
}

void EventRules::take_over(const EventRules& before) {
  for (std::size_t k = 0; k < rules_.size() && k < before.rules_.size(); ++k) {
    rules_[k].is_zero = before.rules_[k].is_zero, rules_[k].evaluations = before.rules_[k].evaluations;
    rules_[k].missed = before.rules_[k].missed;
  }
}

// at + k every, rounded once, with k found by division and corrected by comparing the times themselves.
double EventRules::time_behind(const EventRule& rule, double t) {
  if (!rule.at) return never;
  const auto time = [&](double k) { return std::fma(k, rule.every, *rule.at); };
  const auto is_behind = [&](double at) { return at > t && !same_instant(at, t, *rule.at); };
  if (is_behind(*rule.at)) return *rule.at;
  if (!(rule.every > 0)) return never;
  double k = std::max(0.0, std::floor((t - *rule.at) / rule.every) - 1);
  while (!is_behind(time(k))) ++k;
  return time(k);
}

double EventRules::next_time(double t) const {
  double next = never;
  for (const Rule& rule : rules_) next = std::min(next, time_behind(rule.given, t));
  return next;
}

bool EventRules::is_due(int rule, double t) const {
  const EventRule& given = (*this)[rule];
  if (!given.at) return false;
  const double k = given.every > 0 ? std::max(0.0, std::round((t - *given.at) / given.every)) : 0.0;
  return same_instant(std::fma(k, given.every, *given.at), t, *given.at);
}

EventRules::Changes EventRules::set_states(int index, const Snapshot& s, const Running& running,
                                           formalism::State& state) {
  Rule& rule = rules_[static_cast<std::size_t>(index)];
  fill(rule, s, running);
  Changes out;
  for (const Target& target : rule.targets) {
    const Action& action = rule.given.actions[target.action];
    const double value = action.formula->evaluate(std::span<const double>(rule.values));
    const double now = (target.is_position ? state.q : state.v)[static_cast<std::size_t>(target.index)];
    if (!std::isfinite(value)) {
      out.list.clear();
      out.problem = fmt::format("{} cannot set \"{}\": its formula \"{}\" gives no finite number at t = {:.6g} s",
                                subject(rule.given), action.target, action.formula->text(), s.t);
      return out;
    }
    out.list.push_back({action.target, now + target.reference, value});
  }
  for (std::size_t k = 0; k < rule.targets.size(); ++k) {
    const Target& target = rule.targets[k];
    (target.is_position ? state.q : state.v)[static_cast<std::size_t>(target.index)] =
        out.list[k].after - target.reference;
  }
  return out;
}

void EventRules::read_back(int rule, const formalism::State& state, Changes& changes) const {
  const auto& targets = rules_[static_cast<std::size_t>(rule)].targets;
  for (std::size_t k = 0; k < changes.list.size(); ++k) {
    const auto index = static_cast<std::size_t>(targets[k].index);
    changes.list[k].after = (targets[k].is_position ? state.q : state.v)[index] + targets[k].reference;
  }
}

std::vector<std::pair<std::string, std::string>> EventRules::parameters(int rule) const {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Action& action : (*this)[rule].actions) {
    if (action.kind == Action::Kind::set_parameter) list.emplace_back(action.target, action.value);
  }
  return list;
}

std::string EventRules::text(int rule, const Changes& changes) const {
  std::string all;
  const auto add = [&](const std::string& part) { all += (all.empty() ? "" : "; ") + part; };
  auto change = changes.list.begin();
  for (const Action& action : (*this)[rule].actions) {
    switch (action.kind) {
      case Action::Kind::set_parameter: add(action.target + " = " + action.value); break;
      case Action::Kind::set_state:
        if (change != changes.list.end())
          add(fmt::format("{} from {:.6g} to {:.6g}", action.target, change->before, change->after)), ++change;
        break;
      case Action::Kind::stop: add("stop"); break;
      case Action::Kind::switch_on: add(action.target + " on"); break;
      case Action::Kind::switch_off: add(action.target + " off"); break;
    }
  }
  return all;
}

}  // namespace skyhook::simulation
