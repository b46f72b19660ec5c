#include "skyhook/simulation/formula_channels.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "skyhook/expression/quantity_formula.h"
#include "skyhook/math/dual.h"

namespace skyhook::simulation {
namespace {

constexpr const char* time_name = "t";

std::string subject(const model::Output& output) { return "output \"" + output.name + "\""; }

std::string text_of(const model::Output& output) { return output.channel.substr(1); }

class Formulas {
 public:
  Formulas(const model::Model& model, std::vector<Channel>& all) : tables_(model.tables), all_(all) {
    for (const model::Output& output : model.outputs) collect(output);
    for (const model::Experiment& experiment : model.experiments) {
      for (const model::Output& output : experiment.outputs) collect(output);
    }
  }

  void add() {
    if (given_.empty()) return;
    for (std::size_t k = 0; k < all_.size(); ++k) place_.emplace(all_[k].name, k);
    for (const model::Output* output : given_) {
      if (const auto taken = place_.find(output->name); taken != place_.end())
        findings_.add(output->where, subject(*output) + " has the name of a channel, which it would hide.",
                      "Choose another name.");
    }
    findings_.throw_if_any();
    for (std::size_t k = 0; k < given_.size(); ++k) define(k);
    findings_.throw_if_any();
    // In the order of the file, although a formula may use later ones.
    for (Channel& c : made_) all_.push_back(std::move(c));
  }

 private:
  enum class State { open, being_made, made, failed };

  void collect(const model::Output& output) {
    if (!output.is_formula()) {
      if (output.name != output.channel) named_.emplace(output.name, output.channel);
      return;
    }
    const auto [at, is_new] = number_.emplace(output.name, given_.size());
    if (is_new) {
      given_.push_back(&output), state_.push_back(State::open), made_.emplace_back();
      return;
    }
    const model::Output& first = *given_[at->second];
    if (first.channel != output.channel)
      findings_.add(output.where,
                    subject(output) + " is defined twice: in line " + std::to_string(first.where.line) + " it is \"" +
                        first.channel + "\".",
                    "Give one of them another name.");
  }

  bool define(std::size_t k) {
    if (state_[k] == State::being_made) {
      tell_circle(k);
      return false;
    }
    if (state_[k] != State::open) return state_[k] == State::made;
    state_[k] = State::being_made;
    trail_.push_back(k);
    const bool ok = make(k);
    trail_.pop_back();
    state_[k] = ok ? State::made : State::failed;
    return ok;
  }

  bool make(std::size_t k) {
    const model::Output& output = *given_[k];
    auto formula = std::make_shared<ChannelFormula>();
    std::vector<expression::NamedQuantity> quantities;
    expression::QuantityFormula compiled;
    try {
      for (const std::string& name : expression::names_in(text_of(output), output.where)) {
        if (name == time_name) continue;
        const Channel* input = find(name, output);
        if (!input) return false;
        formula->inputs.push_back(*input), quantities.push_back({name, input->unit});
      }
      compiled = expression::compile_quantities(text_of(output), quantities, tables_, output.where);
      formula->expression = compiled.expression;
    } catch (const ModelError& error) {
      for (const Finding& f : error.findings()) findings_.add(f.where, subject(output) + ": " + f.what, f.advice);
      return false;
    }
    made_[k] = channel_of(output, compiled.unit, formula);
    return true;
  }

  // A channel, another formula, or what an output calls a channel.
  const Channel* find(const std::string& name, const model::Output& reader) {
    if (const auto at = place_.find(name); at != place_.end()) return &all_[at->second];
    if (const auto at = number_.find(name); at != number_.end())
      return define(at->second) ? &made_[at->second] : nullptr;
    if (const auto at = named_.find(name); at != named_.end()) {
      if (const auto channel = place_.find(at->second); channel != place_.end()) return &all_[channel->second];
      if (const auto other = number_.find(at->second); other != number_.end())
        return define(other->second) ? &made_[other->second] : nullptr;
    }
    std::vector<Channel> known = all_;
    for (const model::Output* output : given_) known.push_back({output->name, "", {}});
    for (const auto& [alias, channel] : named_) known.push_back({alias, "", {}});
    findings_.add(reader.where,
                  subject(reader) + ": its formula \"" + text_of(reader) + "\" reads \"" + name +
                      "\", which is neither a channel nor a parameter.",
                  advice_on_channel(name, known));
    return nullptr;
  }

  static Channel channel_of(const model::Output& output, const std::string& unit,
                            std::shared_ptr<const ChannelFormula> formula) {
    Channel c{output.name, unit, [formula](const Snapshot& s, const Running& run) { return formula->value(s, run); }};
    c.meaning = "formula of other channels, under outputs";
    bool of_energy_alone = true;
    for (const Channel& input : formula->inputs) {
      c.of_reactions |= input.of_reactions, c.of_accelerations |= input.of_accelerations;
      c.reads_energy |= input.reads_energy;
      c.of_work |= input.of_work, of_energy_alone &= !input.of_accelerations || input.of_energy;
      if (input.memory >= 0) c.reads_memories.push_back(input.memory);
      c.reads_memories.insert(c.reads_memories.end(), input.reads_memories.begin(), input.reads_memories.end());
    }
    c.of_energy = c.of_accelerations && of_energy_alone;
    c.is_error = !formula->inputs.empty() && std::ranges::all_of(formula->inputs, &Channel::is_error);
    c.reads_forces = formula->reads_forces();
    if (std::ranges::all_of(formula->inputs, [](const Channel& input) { return bool(input.rate); }))
      c.rate = [formula](const Snapshot& s, const Running& run) { return formula->rate(s, run); };
    c.formula = std::move(formula);
    return c;
  }

  void tell_circle(std::size_t k) {
    const auto begin = std::ranges::find(trail_, k);
    std::string path;
    for (auto at = begin; at != trail_.end(); ++at) path += "\"" + given_[*at]->name + "\" -> ";
    const std::string own = "\"" + given_[k]->name + "\"";
    findings_.add(given_[k]->where, subject(*given_[k]) + " depends on itself: " + path + own + ".",
                  "Let one of them depend on channels of the model alone.");
  }

  const expression::Tables& tables_;
  std::vector<Channel>& all_;
  std::vector<const model::Output*> given_;
  std::unordered_map<std::string, std::size_t> number_;      // of formulas
  std::unordered_map<std::string_view, std::size_t> place_;  // of channels
  std::unordered_map<std::string, std::string> named_;       // channel by the name that an output gives it
  std::vector<State> state_;
  std::vector<Channel> made_;
  std::vector<std::size_t> trail_;
  Findings findings_;
};

// Formulas call each other: each takes its values from the end of one list, which allocates no more once it is long enough.
class OperandValues {
 public:
  OperandValues(const ChannelFormula& formula, const Snapshot& s, const Running& run) : first_(list().size()) {
    for (const Channel& input : formula.inputs) {
      const double value = input.value(s, run);
      list().push_back(value);
    }
    list().push_back(s.t);
  }
  ~OperandValues() { list().resize(first_); }
  OperandValues(const OperandValues&) = delete;
  OperandValues& operator=(const OperandValues&) = delete;
  std::span<const double> all() const { return std::span<const double>(list()).subspan(first_); }

 private:
  static std::vector<double>& list() {
    static thread_local std::vector<double> values;
    return values;
  }
  std::size_t first_;
};

}  // namespace

double ChannelFormula::value(const Snapshot& s, const Running& run) const {
  const OperandValues values(*this, s, run);
  return expression.evaluate(values.all());
}

double ChannelFormula::rate(const Snapshot& s, const Running& run) const {
  const OperandValues values(*this, s, run);
  static thread_local std::vector<Dual<1>> list;
  std::vector<Dual<1>> along = std::exchange(list, {});  // an input may be a formula too
  along.assign(values.all().begin(), values.all().end());
  for (std::size_t i = 0; i < inputs.size(); ++i) along[i].d[0] = inputs[i].rate(s, run);
  along.back().d[0] = 1;  // the time
  const double found = expression.evaluate(std::span<const Dual<1>>(along)).d[0];
  list = std::move(along);
  return found;
}

std::optional<std::vector<std::size_t>> ChannelFormula::reads_forces() const {
  std::vector<std::size_t> all;
  for (const Channel& input : inputs) {
    if (!input.reads_forces) return {};
    all.insert(all.end(), input.reads_forces->begin(), input.reads_forces->end());
  }
  return all;
}

std::vector<double> ChannelFormula::gradient(const Snapshot& s, const Running& run) const {
  const OperandValues values(*this, s, run);
  std::vector<Dual<1>> duals(values.all().begin(), values.all().end());
  std::vector<double> out;
  for (Dual<1>& variable : duals) {
    variable.d[0] = 1;
    out.push_back(expression.evaluate(std::span<const Dual<1>>(duals)).d[0]);
    variable.d[0] = 0;
  }
  return out;
}

void add_formulas(const model::Model& model, std::vector<Channel>& all) { Formulas(model, all).add(); }

}  // namespace skyhook::simulation
