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

struct RunState {
  std::vector<std::string> names;  // "controller lift (pid): memory 0"
  std::vector<double> numbers;
  std::vector<std::pair<std::string, std::string>> parameters;  // set by events since the start, name and text
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

class Restoring {
 public:
  explicit Restoring(const RunState& from);
  std::optional<double> get(const Owner& owner, const char* what, int index = -1) const;
  std::optional<double> get(const char* what) const;
  // Tells that something starts anew, and why.
  void note(const std::string& what) { notes_.push_back(what); }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::map<std::string, double> numbers_;
  std::vector<std::string> notes_;
};

}  // namespace skyhook::simulation
