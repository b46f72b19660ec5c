// Formulas of the channels of a result, see analysis/signal_formula.h.
#pragma once
#include "skyhook/analysis/signal_formula.h"
#include "skyhook/io/result/reader.h"

namespace skyhook::io {

// Its channels, states and "time"; parameters of the model as numbers. The result must outlive it.
analysis::SignalSource signals_of(const ResultFile& result);

// Neither a channel nor a pattern that matches one, but with an operator or a call.
bool is_formula(const ResultFile& result, const std::string& text);

// A channel or a formula.
analysis::Signal signal_of(const ResultFile& result, const std::string& text);

// Of a list of names, patterns and formulas: names and patterns are replaced by what they match, formulas stay. None: all channels.
std::vector<std::string> select_with_formulas(const ResultFile& result, const std::vector<std::string>& list);

}  // namespace skyhook::io
