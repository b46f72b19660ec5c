#include "skyhook/simulation/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/model/signals.h"
#include "skyhook/simulation/controller_order.h"

namespace skyhook::simulation {
namespace {

using model::Controller;

constexpr double never = std::numeric_limits<double>::infinity();

// A product and a sum are each rounded once, and what a file calls one sample time may be the rounded third of another.
double rounding_at(double t, const Controller& c) {
  return 16 * std::numeric_limits<double>::epsilon() * std::max({std::abs(t), std::abs(c.offset), c.sample_time});
}

double time_of(const Controller& c, long k) { return c.offset + static_cast<double>(k) * c.sample_time; }

bool is_reached(double due, double t, const Controller& c) { return due <= t + rounding_at(t, c); }

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
  std::vector<std::string> names;
  for (const Channel& c : all_channels) names.push_back(c.name);
  findings.add(input.where,
               "controller \"" + controller.name + "\" reads \"" + input.channel +
                   "\", which is neither a channel nor a controller.",
               suggest(input.channel, names, "Channels"));
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
  return std::max(0L, static_cast<long>(std::ceil((t - rounding_at(t, c) - c.offset) / c.sample_time)));
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

int Sampler::find(const std::string& name) const {
  const auto found =
      std::ranges::find(units_, name, [](const Unit& u) -> const std::string& { return u.controller->name; });
  return found == units_.end() ? -1 : static_cast<int>(found - units_.begin());
}

}  // namespace skyhook::simulation
