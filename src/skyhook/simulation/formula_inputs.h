// What the formulas among some channels read, each channel once, and the formulas of what was read: so they can be evaluated where there is no snapshot, between samples
// that are solved (thinned_samples.h). A formula may jump where all that it reads is smooth.
#pragma once
#include "skyhook/simulation/formula_channels.h"

namespace skyhook::simulation {

class FormulaInputs {
 public:
  void begin(const std::vector<Channel>& channels);

  std::size_t size() const { return inputs_.size(); }
  const std::string& unit(std::size_t k) const { return inputs_[k].unit; }
  void read(const Snapshot& s, const Running& run, Span inputs) const;
  // Puts the values of the formulas into the places of their channels.
  void evaluate(double t, CSpan inputs, Span values);

 private:
  struct Operand {
    bool is_formula;
    std::size_t place;  // among the inputs, or the formulas before
  };
  struct Formula {
    std::shared_ptr<const ChannelFormula> formula;
    std::vector<Operand> operands;
  };
  Operand operand(const Channel& channel);

  std::vector<Channel> inputs_;
  std::vector<Formula> formulas_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // of a channel, of its formula
  std::vector<double> results_, operands_;
};

}  // namespace skyhook::simulation
