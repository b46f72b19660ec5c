#include "skyhook/simulation/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/model/signals.h"
#include "skyhook/simulation/controller_order.h"
#include "skyhook/simulation/instant.h"

namespace skyhook::simulation {
namespace {

using model::Controller;

constexpr double never = std::numeric_limits<double>::infinity();

// A product and a sum are each rounded once, and what a file calls one sample time may be the rounded third of another.
double rounding_of(double t, const Controller& c) {
  return rounding_at(t, std::max(std::abs(c.offset), c.sample_time));
}

double time_of(const Controller& c, long k) { return c.offset + static_cast<double>(k) * c.sample_time; }

bool is_reached(double due, double t, const Controller& c) { return due <= t + rounding_of(t, c); }

}  // namespace

Sampler::Sampler(const model::Model& model, const std::vector<Channel>& all_channels, double start)
    : model_(&model), order_(update_order(model)) {
  Findings findings;
  std::size_t most_inputs = 0, most_outputs = 0, most_memory = 0;
  for (const Controller& controller : model.controllers) {
    Unit unit = unit_of(controller, model);
    for (const model::Output& input : controller.inputs)
      unit.inputs.push_back(input_of(controller, input, model, all_channels, findings));
    most_inputs = std::max(most_inputs, unit.inputs.size());
    most_outputs = std::max(most_outputs, unit.start_outputs.size());
    most_memory = std::max(most_memory, unit.start_memory.size());
    units_.push_back(std::move(unit));
    state_.clocks.push_back({.on = controller.starts_on});
  }
  looks_.reserve(2);
  findings.throw_if_any();
  inputs_.resize(most_inputs);
  outputs_.resize(most_outputs);
  scratch_.resize(most_memory);
  before_.resize(model.signals.size());
  for (std::size_t i = 0; i < units_.size(); ++i) restart(i, start);
}

Sampler::Unit Sampler::unit_of(const Controller& controller, const model::Model& model) {
  Unit unit{.controller = &controller};
  unit.tables = dynamic_cast<const model::TabulatedSampling*>(controller.law.get());
  unit.start_memory = controller.law->memory();
  unit.feeds_through = controller.law->feeds_through();
  for (int k = 0; k < controller.outputs; ++k)
    unit.start_outputs.push_back(model.signals[static_cast<std::size_t>(controller.first_signal + k)].start);
  if (controller.delay > 0) unit.slots = static_cast<long>(std::ceil(controller.delay / controller.sample_time)) + 2;
  unit.memory = state_.memory.size();
  unit.pending = state_.pending.size();
  state_.memory.resize(unit.memory + unit.start_memory.size());
  state_.pending.resize(unit.pending + static_cast<std::size_t>(unit.slots) * unit.start_outputs.size());
  return unit;
}

Sampler::Input Sampler::input_of(const Controller& controller, const model::Output& input, const model::Model& model,
                                 const std::vector<Channel>& all_channels, Findings& findings) {
  if (const int signal = model::find_signal(model, input.channel); signal >= 0) return {signal, {}};
  const auto channel = std::ranges::find(all_channels, input.channel, &Channel::name);
  if (channel != all_channels.end()) {
    reads_reactions_ = reads_reactions_ || channel->of_reactions;
    return {-1, channel->value};
  }
  findings.add(input.where,
               "controller \"" + controller.name + "\" reads \"" + input.channel +
                   "\", which is neither a channel nor a controller.",
               advice_on_channel(input.channel, all_channels));
  return {};
}

double Sampler::sample_time(std::size_t i) const { return time_of(*units_[i].controller, state_.clocks[i].next); }

double Sampler::arrival_time(std::size_t i) const {
  const State::Clock& clock = state_.clocks[i];
  const Controller& c = *units_[i].controller;
  return clock.arrived < clock.next ? time_of(c, clock.arrived) + c.delay : never;
}

// The first sample that is not before t.
long Sampler::first_at(const Controller& c, double t) const {
  return std::max(0L, static_cast<long>(std::ceil((t - rounding_of(t, c) - c.offset) / c.sample_time)));
}

void Sampler::restart(std::size_t i, double t) {
  State::Clock& clock = state_.clocks[i];
  clock.next = clock.arrived = first_at(*units_[i].controller, t);
  std::ranges::copy(units_[i].start_memory, memory_of(i).begin());
}

std::span<double> Sampler::memory_of(std::size_t i) {
  return std::span(state_.memory).subspan(units_[i].memory, units_[i].start_memory.size());
}

double Sampler::next() const {
  double t = never;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (state_.clocks[i].on) t = std::min({t, sample_time(i), arrival_time(i)});
  }
  return t;
}

bool Sampler::samples_at(double t) const {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (state_.clocks[i].on && is_reached(sample_time(i), t, *units_[i].controller)) return true;
  }
  return false;
}

bool Sampler::act(double t, const Snapshot& snapshot, const Running& running, model::Held& held) {
  std::ranges::copy(held.signals, before_.begin());
  problem_.clear();
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (!state_.clocks[i].on) continue;
    take_over(i, t, held);
    units_[i].is_due = is_reached(sample_time(i), t, *units_[i].controller);
  }
  state_.instants += std::ranges::any_of(units_, &Unit::is_due);
  const auto for_due = [&](bool feeds_through, auto visit) {
    for (const int number : order_) {
      const auto i = static_cast<std::size_t>(number);
      if (units_[i].is_due && units_[i].feeds_through == feeds_through) visit(i);
    }
  };
  for_due(false, [&](std::size_t i) { foretell(i, t, held); });
  for_due(true, [&](std::size_t i) { update(i, t, snapshot, running, held); });
  for_due(false, [&](std::size_t i) { update(i, t, snapshot, running, held); });
  for (Unit& unit : units_) unit.is_due = false;
  return !std::ranges::equal(held.signals, before_);
}

void Sampler::take_over(std::size_t i, double t, model::Held& held) {
  const Unit& unit = units_[i];
  State::Clock& clock = state_.clocks[i];
  const auto outputs = static_cast<long>(unit.start_outputs.size());
  for (; is_reached(arrival_time(i), t, *unit.controller); ++clock.arrived) {
    const auto from = state_.pending.begin() + static_cast<long>(unit.pending) + clock.arrived % unit.slots * outputs;
    std::copy_n(from, outputs, held.signals.begin() + unit.controller->first_signal);
  }
}

// The outputs of a law that does not feed through, whatever its inputs will be.
void Sampler::foretell(std::size_t i, double t, model::Held& held) {
  const Unit& unit = units_[i];
  const auto memory = std::span(scratch_).first(unit.start_memory.size());
  std::ranges::copy(memory_of(i), memory.begin());
  const auto inputs = std::span(inputs_).first(unit.inputs.size());
  std::ranges::fill(inputs, 0.0);
  unit.controller->law->update(t, inputs, memory, std::span(outputs_).first(unit.start_outputs.size()));
  say(i, t, held);
}

void Sampler::update(std::size_t i, double t, const Snapshot& snapshot, const Running& running, model::Held& held) {
  const Unit& unit = units_[i];
  for (std::size_t k = 0; k < unit.inputs.size(); ++k) {
    const Input& input = unit.inputs[k];
    inputs_[k] =
        input.signal >= 0 ? held.signals[static_cast<std::size_t>(input.signal)] : input.channel(snapshot, running);
  }
  if (unit.tables) {
    looks_.clear();
    unit.tables->look(std::span(inputs_).first(unit.inputs.size()), looks_);
    state_.tables.add("controller", unit.controller->name, unit.controller->where, looks_, t);
    if (problem_.empty()) problem_ = state_.tables.problem();
  }
  unit.controller->law->update(t, std::span(inputs_).first(unit.inputs.size()), memory_of(i),
                               std::span(outputs_).first(unit.start_outputs.size()));
  say(i, t, held);
  State::Clock& clock = state_.clocks[i];
  ++clock.next;
  ++clock.samples;
  if (unit.slots == 0) clock.arrived = clock.next;
}

// At once, or after the delay.
void Sampler::say(std::size_t i, double t, model::Held& held) {
  const Unit& unit = units_[i];
  for (std::size_t k = 0; k < unit.start_outputs.size(); ++k) {
    if (!std::isfinite(outputs_[k])) return blame(unit, k, t);
  }
  const auto outputs = static_cast<long>(unit.start_outputs.size());
  const auto to = unit.slots == 0 ? held.signals.begin() + unit.controller->first_signal
                                  : state_.pending.begin() + static_cast<long>(unit.pending) +
                                        state_.clocks[i].next % unit.slots * outputs;
  std::copy_n(outputs_.begin(), outputs, to);
}

void Sampler::blame(const Unit& unit, std::size_t output, double t) {
  if (!problem_.empty()) return;
  const auto signal = static_cast<std::size_t>(unit.controller->first_signal) + output;
  problem_ = fmt::format("Controller \"{}\" gives no finite number for \"{}\" at t = {:.6g} s", unit.controller->name,
                         model_->signals[signal].name, t);
  for (std::size_t k = 0; k < unit.inputs.size(); ++k)
    problem_ += fmt::format("{}{} = {:.6g}", k == 0 ? "; its inputs are " : ", ", unit.controller->inputs[k].channel,
                            inputs_[k]);
  problem_ += ". Look for a root, a logarithm or a division in its law that these do not allow, or limit its inputs.";
}

bool Sampler::switch_controller(int index, bool on, double t, model::Held& held) {
  const auto i = static_cast<std::size_t>(index);
  State::Clock& clock = state_.clocks[i];
  if (clock.on == on) return false;
  clock.on = on;
  restart(i, t);
  if (on) return false;
  const Unit& unit = units_[i];
  const auto signals = std::span(held.signals)
                           .subspan(static_cast<std::size_t>(unit.controller->first_signal), unit.start_outputs.size());
  const bool changes = !std::ranges::equal(signals, unit.start_outputs);
  std::ranges::copy(unit.start_outputs, signals.begin());
  return changes;
}

void Sampler::take_over(const Sampler& before, double t) {
  restore(before.state_);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const Controller &c = *units_[i].controller, &old = *before.units_[i].controller;
    if (c.sample_time == old.sample_time && c.offset == old.offset && c.delay == old.delay) continue;
    State::Clock& clock = state_.clocks[i];
    clock.next = first_at(c, t);
    if (is_reached(time_of(c, clock.next), t, c)) ++clock.next;
    clock.arrived = clock.next;
  }
}

// ---- saving and restoring

void Sampler::save(Saving& to, const model::Held& held) const {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const Unit& unit = units_[i];
    const Controller& c = *unit.controller;
    const Owner owner{"controller", c.name, c.type};
    const State::Clock& clock = state_.clocks[i];
    to.put(owner, "sample time", c.sample_time), to.put(owner, "offset", c.offset), to.put(owner, "delay", c.delay);
    to.put(owner, "on", clock.on);
    to.put(owner, "next", static_cast<double>(clock.next)),
        to.put(owner, "arrived", static_cast<double>(clock.arrived));
    const auto put_all = [&](const char* what, std::span<const double> numbers) {
      for (std::size_t k = 0; k < numbers.size(); ++k) to.put(owner, what, numbers[k], static_cast<int>(k));
    };
    const std::size_t outputs = unit.start_outputs.size(), on_way = static_cast<std::size_t>(unit.slots) * outputs;
    put_all("memory", std::span(state_.memory).subspan(unit.memory, unit.start_memory.size()));
    put_all("on its way", std::span(state_.pending).subspan(unit.pending, on_way));
    put_all("signal", std::span(held.signals).subspan(static_cast<std::size_t>(c.first_signal), outputs));
  }
}

void Sampler::restore(Restoring& from, double t, model::Held& held) {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const Controller& c = *units_[i].controller;
    if (restore(i, from, t, held)) {
      leave_out(i, t, held, from);
      continue;
    }
    const bool is_known = from.get({"controller", c.name, c.type}, "next").has_value();
    from.note(fmt::format("controller \"{}\" starts anew: {}", c.name,
                          is_known ? "its sample time, offset, delay, memory or outputs differ from those in the result"
                                   : "the result has no such controller"));
  }
}

// False: nothing has changed.
bool Sampler::restore(std::size_t i, const Restoring& from, double t, model::Held& held) {
  const Unit& unit = units_[i];
  const Controller& c = *unit.controller;
  const Owner owner{"controller", c.name, c.type};
  const auto get_all = [&](const char* what, std::size_t count) {
    std::vector<double> numbers;
    for (int k = 0; const auto x = from.finite(owner, what, k); ++k) numbers.push_back(*x);
    return numbers.size() == count ? std::optional(numbers) : std::nullopt;
  };
  const std::size_t outputs = unit.start_outputs.size(), on_way = static_cast<std::size_t>(unit.slots) * outputs;
  const auto memory = get_all("memory", unit.start_memory.size()), pending = get_all("on its way", on_way),
             signals = get_all("signal", outputs);
  if (!memory || !pending || !signals || from.get(owner, "sample time") != c.sample_time ||
      from.get(owner, "offset") != c.offset || from.get(owner, "delay") != c.delay)
    return false;
  // The next sample is due by one sample time from t, and what has not arrived fits into its slots.
  const auto next = from.whole(owner, "next", 0, first_at(c, t) + 1);
  const auto arrived = from.whole(owner, "arrived", next ? std::max(0L, *next - unit.slots) : 0, next.value_or(0));
  const auto on = from.flag(owner, "on");
  if (!next || !arrived || !on) return false;
  std::ranges::copy(*memory, memory_of(i).begin());
  std::ranges::copy(*pending, state_.pending.begin() + static_cast<long>(unit.pending));
  std::ranges::copy(*signals, held.signals.begin() + c.first_signal);
  State::Clock& clock = state_.clocks[i];
  clock.next = *next, clock.arrived = *arrived, clock.on = *on;
  return true;
}

// Samples between the instant that was saved and t: nobody knows what they would have read.
void Sampler::leave_out(std::size_t i, double t, model::Held& held, Restoring& notes) {
  State::Clock& clock = state_.clocks[i];
  const Controller& c = *units_[i].controller;
  const long first = first_at(c, t), missing = first - clock.next;
  if (!clock.on || missing <= 0) return;
  if (units_[i].slots > 0) take_over(i, t, held);
  clock.next = clock.arrived = first;
  notes.note(
      fmt::format("controller \"{}\" has {} sample{} between the instant that the result has stored and the start, "
                  "which are left out",
                  c.name, missing, missing == 1 ? "" : "s"));
}

int Sampler::find(const std::string& name) const {
  const auto found =
      std::ranges::find(units_, name, [](const Unit& u) -> const std::string& { return u.controller->name; });
  return found == units_.end() ? -1 : static_cast<int>(found - units_.begin());
}

}  // namespace skyhook::simulation
