// Channels that outputs define as formulas of others: `load_transfer: "=left.load - right.load"`.
//
// A formula may use every channel of the model, other formulas, the names that outputs give to channels, and t. Its unit follows from
// those of the channels (expression/quantity_formula.h).
#pragma once
#include "skyhook/expression/expression.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::simulation {

struct ChannelFormula {
  expression::Expression expression;  // of the inputs, then t
  std::vector<Channel> inputs;

  double value(const Snapshot& s, const Running& run) const;
  double rate(const Snapshot& s, const Running& run) const;      // where those of all inputs are known
  std::optional<std::vector<std::size_t>> reads_forces() const;  // as Channel::reads_forces
  // The derivative with respect to each input, then t, by dual numbers: of outputs, for whoever knows those of the inputs.
  std::vector<double> gradient(const Snapshot& s, const Running& run) const;
};

// Behind the others, in the order of the file. Throws ModelError with file and line: an unknown channel with the nearest names, quantities
// that do not go together, a circle, a name that is taken.
void add_formulas(const model::Model& model, std::vector<Channel>& all);

}  // namespace skyhook::simulation
