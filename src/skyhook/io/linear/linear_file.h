// A linear system for other programs: as JSON, CSV or a MATLAB file.
#pragma once
#include <filesystem>
#include <string>

#include "skyhook/analysis/linear_outputs.h"

namespace skyhook::io {

struct LinearSystem {
  std::string title;  // model and where
  analysis::Linearisation linear;
  analysis::LinearOutputs outputs;
};

// The same with these inputs alone, in their order.
void keep_inputs_of(LinearSystem& system, const std::vector<int>& inputs);

// {"title", "inputs": [{"name", "unit"}], "outputs", "states", "A": [[...], ...], "B", "C", "D",
//  "second_order": {"coordinates", "M", "D", "K", "E", "B"}, "at": {"outputs": [...]}}, matrices row by row.
std::string to_json(const LinearSystem& system);
// [A B; C D] with names: a header, then a row for the rate of each state and for each output.
std::string to_csv(const LinearSystem& system);
// A MATLAB file (version 5): A, B, C, D; mass, damping, stiffness, inner, force; cell arrays state_names, state_units and so on.
void write_mat(const LinearSystem& system, const std::filesystem::path& path);

}  // namespace skyhook::io
