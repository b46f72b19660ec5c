#include "skyhook/element/controller/state_space.h"

#include <algorithm>
#include <array>

#include "skyhook/element/finding.h"

namespace skyhook::element {
namespace {

// sum of M_ij x_j; a matrix without rows is zero.
double row_times(const model::Rows& M, std::size_t i, std::span<const double> x) {
  double sum = 0;
  for (std::size_t j = 0; i < M.size() && j < x.size(); ++j) sum += M[i][j] * x[j];
  return sum;
}

struct LinearLaw final : model::SampledLaw {
  model::Rows A, B, C, D;
  std::vector<double> x0;

  std::vector<double> memory() const override { return x0; }
  bool feeds_through() const override {
    const auto is_zero = [](const std::vector<double>& row) { return std::ranges::count(row, 0.0) == std::ssize(row); };
    return !std::ranges::all_of(D, is_zero);
  }
  void update(double, std::span<const double> u, std::span<double> x, std::span<double> y) const override {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = row_times(C, i, x) + row_times(D, i, u);
    std::array<double, most_variables> next;
    for (std::size_t i = 0; i < x.size(); ++i) next[i] = row_times(A, i, x) + row_times(B, i, u);
    std::copy_n(next.begin(), x.size(), x.begin());
  }
};

std::string size_text(std::size_t rows, std::size_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

void check_size(const model::Rows& M, const char* name, std::size_t rows, std::size_t columns,
                const model::FieldSource& source) {
  if (M.empty()) {
    if (rows == 0 || columns == 0 || *name == 'D') return;
    fail(source, name, std::string(name) + " is missing.", "Give its " + size_text(rows, columns) + " numbers.");
  }
  const auto fits = [&](const std::vector<double>& row) { return row.size() == columns; };
  if (M.size() == rows && std::ranges::all_of(M, fits)) return;
  fail(source, name, std::string(name) + " should have " + size_text(rows, columns) + " numbers.",
       "A has as many rows and columns as there are states, B a column and C and D rows for each input and output.");
}

std::size_t outputs_of(const StateSpace& s, const model::FieldSource& source) {
  const std::size_t count = std::max(s.C.size(), s.D.size());
  if (count == 0) fail(source, "C", "it has no outputs.", "Give C, or D.");
  if (!s.outputs.empty() && s.outputs.size() != count) {
    fail(source, "outputs",
         std::to_string(s.outputs.size()) + " names are given for " + std::to_string(count) + " outputs.",
         "Give a name for each row of C and D.");
  }
  return count;
}

}  // namespace

void StateSpace::add_to(model::FieldSource& source, model::Model& model) const {
  const std::size_t states = A.size(), count = outputs_of(*this, source);
  if (states > most_variables)
    fail(source, "A", "it has more than " + std::to_string(most_variables) + " states.", "Use fewer.");
  check_size(A, "A", states, states, source);
  check_size(B, "B", states, inputs.size(), source);
  check_size(C, "C", count, states, source);
  check_size(D, "D", count, inputs.size(), source);
  if (!x0.empty() && x0.size() != states) {
    fail(source, "x0", "x0 has " + std::to_string(x0.size()) + " numbers for " + std::to_string(states) + " states.",
         "Give one for each row of A.");
  }
  auto law = std::make_shared<LinearLaw>();
  law->A = A, law->B = B, law->C = C, law->D = D;
  law->x0 = x0.empty() ? std::vector<double>(states, 0.0) : x0;
  std::vector<std::string> names = outputs;
  for (std::size_t k = names.size(); k < count; ++k) names.push_back("y" + std::to_string(k + 1));
  add_controller(*this, inputs, {std::move(names), unit}, std::move(law), source, model);
}

}  // namespace skyhook::element
