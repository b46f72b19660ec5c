#include "skyhook/simulation/formula_inputs.h"

#include <algorithm>

namespace skyhook::simulation {

void FormulaInputs::begin(const std::vector<Channel>& channels) {
  inputs_.clear(), formulas_.clear(), places_.clear();
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (channels[k].formula) places_.emplace_back(k, operand(channels[k]).place);
  }
  results_.resize(formulas_.size());
}

FormulaInputs::Operand FormulaInputs::operand(const Channel& channel) {
  if (!channel.formula) {
    const auto at = std::ranges::find(inputs_, channel.name, &Channel::name);
    const auto place = static_cast<std::size_t>(at - inputs_.begin());
    if (at == inputs_.end()) inputs_.push_back(channel);
    return {false, place};
  }
  const auto known = std::ranges::find(formulas_, channel.formula, &Formula::formula);
  if (known != formulas_.end()) return {true, static_cast<std::size_t>(known - formulas_.begin())};
  Formula made{channel.formula, {}};
  for (const Channel& input : channel.formula->inputs) made.operands.push_back(operand(input));
  formulas_.push_back(std::move(made));
  return {true, formulas_.size() - 1};
}

void FormulaInputs::read(const Snapshot& s, const Running& run, Span inputs) const {
  for (std::size_t k = 0; k < inputs_.size(); ++k) inputs[k] = inputs_[k].value(s, run);
}

void FormulaInputs::evaluate(double t, CSpan inputs, Span values) {
  for (std::size_t k = 0; k < formulas_.size(); ++k) {
    operands_.clear();
    for (const Operand& o : formulas_[k].operands)
      operands_.push_back(o.is_formula ? results_[o.place] : inputs[o.place]);
    operands_.push_back(t);
    results_[k] = formulas_[k].formula->expression.evaluate(CSpan(operands_));
  }
  for (const auto& [channel, formula] : places_) values[channel] = results_[formula];
}

}  // namespace skyhook::simulation
