// All that a run has beside q and v: signals held, memory and clocks of controllers, modes, contacts and what sticks, parameters
// set by events, books of energy, turns counted. A run that starts from it goes on as the one that was saved.
//
// One value: numbers by name, and parameters as text. Who has something to keep puts it there and gets it back by name, so
// that another model takes what it knows, and what is missing can be told.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skyhook::simulation {

using Parameters = std::vector<std::pair<std::string, std::string>>;  // name and text, each name once
void set_parameter(Parameters& list, const std::string& name, const std::string& value);

struct RunState {
  std::vector<std::string> names;  // "controller lift (pid): memory 0"
  std::vector<double> numbers;
  Parameters parameters;    // set by events since the start
  std::string source = {};  // "run.h5, sample at t = 0.6 s"; empty: it comes from no file
};

// Whose a number is. The type belongs to the name: the memory of a law means nothing to another one.
struct Owner {
  std::string_view kind;  // "controller"
  std::string_view name;  // as in the model
  std::string_view type = {};
};
std::string text_of(const Owner& owner);  // "controller lift (pid)"

// Puts numbers in a fixed order. Names are made for the first time only: nothing is allocated after it.
class Saving {
 public:
  explicit Saving(RunState& to) : to_(to), is_first_(to.names.empty()) { to_.numbers.clear(); }
  void put(const Owner& owner, const char* what, double value, int index = -1);
  void put(const char* what, double value);  // of the run itself

 private:
  RunState& to_;
  bool is_first_;
};

// Whatever a number decides about is checked: one that no run can have saved means a damaged result and throws ModelError.
class Restoring {
 public:
  explicit Restoring(const RunState& from);
  std::optional<double> get(const Owner& owner, const char* what, int index = -1) const;  // whatever it is
  std::optional<double> get(const char* what) const;
  std::optional<double> finite(const Owner& owner, const char* what, int index = -1) const;
  std::optional<long> whole(const Owner& owner, const char* what, long low, long high) const;
  std::optional<bool> flag(const Owner& owner, const char* what) const;
  // Of instants that have been reached: not behind `now`.
  std::optional<double> past(const Owner& owner, const char* what, double now, int index = -1) const;
  std::optional<double> past(const char* what, double now) const;
  // Tells that something starts anew, and why.
  void note(const std::string& what) { notes_.push_back(what); }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::optional<double> find(const std::string& name) const;
  std::optional<double> past(const std::string& name, double now) const;
  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse(const std::string& name, double value, const std::string& should_be) const;

  std::string source_;
  std::map<std::string, double> numbers_;
  std::vector<std::string> notes_;
};

}  // namespace skyhook::simulation
