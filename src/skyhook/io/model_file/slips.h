// What people write by mistake where a number is wanted, and what they should have written.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "skyhook/base/error.h"
#include "skyhook/io/model_file/node.h"

namespace skyhook::io::model_file {

// "2*k", "k", "100*sin(t)": it reads as an expression of names that are known here, and only the '=' is missing.
// nullopt: it is a quantity, or something else.
std::optional<Finding> forgotten_equals(const std::string& text, const Location& where,
                                        const std::function<bool(const std::string& name)>& is_known);
// "0,5", "0,5 kg"
std::optional<Finding> decimal_comma(const std::string& text, const Location& where);
// "12:30", which some readers of YAML take for minutes
std::optional<Finding> sexagesimal(const std::string& text, const Location& where);
// true, yes, on, false, no, off
std::optional<bool> truth_of(std::string_view text);

// {mass: 0,5 kg}: inside brackets the comma has ended the value, and a key "5 kg" without value follows.
bool is_behind_decimal_comma(const Entry& entry);
// [0,5, 0, 1]: some commas of a list stand between digits without a space and others do not.
bool has_decimal_comma(const Node& list);
// [0,5, 0,2, 1,0]: every second one.
bool has_decimal_commas_only(const Node& list);

}  // namespace skyhook::io::model_file
