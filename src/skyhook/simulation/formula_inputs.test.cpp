// Reference: the formulas as channels, which find their values in a snapshot.
#include "skyhook/simulation/formula_inputs.h"

#include <doctest/doctest.h>

#include "skyhook/expression/quantity_formula.h"

using namespace skyhook;
using namespace skyhook::simulation;

namespace {

Channel formula_of(const std::string& name, const std::string& text, const std::vector<Channel>& inputs) {
  static const expression::Tables tables;
  auto formula = std::make_shared<ChannelFormula>();
  std::vector<expression::NamedQuantity> quantities;
  for (const Channel& input : inputs) quantities.push_back({input.name, input.unit});
  const auto compiled = expression::compile_quantities(text, quantities, tables, {});
  formula->inputs = inputs, formula->expression = compiled.expression;
  Channel out{name, compiled.unit, [formula](const Snapshot& s, const Running& run) { return formula->value(s, run); }};
  out.formula = formula;
  return out;
}

}  // namespace

TEST_CASE("Formulas are found from what they read, each channel read once, formulas of formulas too") {
  const Channel work{"work", "J", [](const Snapshot&, const Running& run) { return run.work; }};
  const Channel start{"start", "J", [](const Snapshot&, const Running& run) { return run.start_energy; }};
  const Channel sum = formula_of("sum", "2*work + start", {work, start});
  const Channel jump = formula_of("jump", "if(sum > 5[J], work, start*t/1[s])", {sum, work, start});
  const std::vector<Channel> channels{jump, work, sum};
  FormulaInputs formulas;
  formulas.begin(channels);
  REQUIRE(formulas.size() == 2);
  Snapshot s;
  s.t = 3;
  for (const double w : {0.5, 4.0}) {
    Running run;
    run.work = w, run.start_energy = 1;
    std::vector<double> inputs(2), values{-1, -1, -1};
    formulas.read(s, run, inputs);
    formulas.evaluate(s.t, inputs, values);
    CHECK(values[0] == channels[0].value(s, run));
    CHECK(values[1] == -1);  // is no formula
    CHECK(values[2] == channels[2].value(s, run));
  }
}
