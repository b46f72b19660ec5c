#include "skyhook/element/controller/expression.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "skyhook/element/finding.h"

namespace skyhook::element {
namespace {

// The variables of all formulas: t, inputs, memory.
struct ExpressionLaw final : model::SampledLaw {
  std::size_t inputs = 0;
  std::vector<double> start;
  std::vector<model::Formula> outputs;
  std::vector<std::pair<std::size_t, model::Formula>> next;  // by position in the memory

  std::vector<double> memory() const override { return start; }
  bool feeds_through() const override {
    return std::ranges::any_of(outputs, [&](const model::Formula& f) {
      return std::ranges::any_of(f.used_variables(), [&](int v) { return v > 0 && v <= static_cast<int>(inputs); });
    });
  }
  void update(double t, std::span<const double> in, std::span<double> r, std::span<double> out) const override {
    std::array<double, most_variables> variables;
    variables[0] = t;
    std::ranges::copy(r, std::ranges::copy(in, variables.begin() + 1).out);
    const std::span<const double> known(variables.data(), 1 + in.size() + r.size());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = outputs[k].evaluate<double>(known);
    for (const auto& [position, formula] : next) r[position] = formula.evaluate<double>(known);
  }
};

bool is_variable(const std::string& name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && name != "t" && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, fits);
}

void check_names(const ExpressionController& controller, const model::FieldSource& source) {
  std::vector<std::string> names;
  const auto check = [&](const std::string& name, const char* field) {
    if (!is_variable(name) || std::ranges::count(names, name) > 0) {
      fail(source, field,
           name.empty() ? "inputs need names that formulas can use."
                        : "\"" + name + "\" is no name that formulas can use, or there twice.",
           "Write {name: channel}; names have letters, digits and _, and t is the time.");
    }
    names.push_back(name);
  };
  for (const model::Output& input : controller.inputs) check(input.name, "inputs");
  for (const model::OpenValue& value : controller.memory) check(value.name, "memory");
}

}  // namespace

void ExpressionController::add_to(model::FieldSource& source, model::Model& model) const {
  if (outputs.empty()) fail(source, "outputs", "it has no outputs.", "Write outputs: {name: =formula}.");
  check_names(*this, source);
  if (1 + inputs.size() + memory.size() > most_variables)
    fail(source, "inputs", "it has more than " + std::to_string(most_variables) + " variables.", "Use fewer.");
  auto law = std::make_shared<ExpressionLaw>();
  law->inputs = inputs.size();
  std::vector<std::string> remembered;
  for (const model::OpenValue& value : memory) {
    law->start.push_back(value.value);
    remembered.push_back(value.name);
  }
  for (const model::NamedFormula& n : next) {
    const auto found = std::ranges::find(remembered, n.name);
    if (found == remembered.end())
      fail(source, "next", "next has \"" + n.name + "\", which is not in its memory.",
           suggest(n.name, remembered, "Memory"));
    law->next.emplace_back(static_cast<std::size_t>(found - remembered.begin()), n.formula);
  }
  std::vector<std::string> names;
  for (const model::NamedFormula& output : outputs) {
    law->outputs.push_back(output.formula);
    names.push_back(output.name);
  }
  add_controller(*this, inputs, {std::move(names), unit}, std::move(law), source, model);
}

}  // namespace skyhook::element
