// Formulas of recorded signals, evaluated after the run: "psd(car.az)", "butterworth(car.az, 2, low, 10 Hz)", "left.z - right.z".
//
// A call of one of signal_functions() is computed from whole signals; all else is an expression of the language of models, evaluated sample by
// sample, with rates by dual numbers. A formula gives a signal over time, one over frequency, or a number.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/analysis/signal.h"
#include "skyhook/base/error.h"

namespace skyhook::analysis {

// Where the names in a formula come from.
struct SignalSource {
  std::function<std::optional<Signal>(const std::string& name)> find;
  std::vector<std::string> names;        // what can be found, to suggest one for a misspelt name
  std::vector<std::string> states = {};  // those of them that are coordinates, which nobody asked to record
};

// A channel by its name, or a formula. ModelError at `where`: an unknown name or function, quantities that do not go together, a
// signal over time and one over frequency in one formula.
Signal evaluate_formula(const std::string& text, const SignalSource& source, const Location& where = {"command line"});

// It has an operator or a call, or begins with "="; what is a channel is for the caller to see first.
bool looks_like_formula(const std::string& text);

// The words in it that may be names of channels, functions and kinds of filters among them.
std::vector<std::string> words_of(const std::string& text);

// What a function gets: its arguments as signals, or as they are written.
class SignalArguments {
 public:
  SignalArguments(std::vector<std::string> texts, const SignalSource& source, Location where)
      : texts_(std::move(texts)), source_(source), where_(std::move(where)) {}
  std::size_t count() const { return texts_.size(); }
  const std::string& text(std::size_t k) const { return texts_[k]; }
  Signal signal(std::size_t k) const;                             // ModelError: it is a number
  double quantity(std::size_t k, const std::string& unit) const;  // "10 Hz", "10[Hz]", "10"
  [[noreturn]] void fail(const std::string& what, const std::string& advice) const;

 private:
  std::vector<std::string> texts_;
  const SignalSource& source_;
  Location where_;
};

struct SignalFunction {
  const char* name;
  const char* signature;
  const char* help;
  std::size_t least_arguments, most_arguments;
  std::function<Signal(const SignalArguments& arguments)> value;
};
const std::vector<SignalFunction>& signal_functions();

}  // namespace skyhook::analysis
