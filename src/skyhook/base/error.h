// The three kinds of failure: bad input is a ModelError (here), numerics returns a value, a bug asserts.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace skyhook {

// Where in a text file something was written. Lines and columns count from 1; 0 means unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

// One finding in the input: what is wrong and what the user can do about it.
struct Finding {
  Location where;
  std::string what;    // "joint \"a\" connects body \"bogie2\", which is not defined."
  std::string advice;  // "Did you mean \"bogie_2\"? Bodies here: car, bogie_1, bogie_2."
};

// "file:line:column: what\n  advice"
std::string to_string(const Finding& finding);

// Bad input. Carries every finding of a reading, not only the first.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Finding> findings);
  ModelError(Location where, std::string what, std::string advice = {});
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::vector<Finding> findings_;
};

// Collects findings so that several can be reported together.
class Findings {
 public:
  void add(Location where, std::string what, std::string advice = {});
  void add(const ModelError& error);
  bool empty() const { return list_.empty(); }
  void throw_if_any() const;

 private:
  std::vector<Finding> list_;
};

// "Did you mean \"bogie_2\"? Bodies here: car, bogie_1, bogie_2." `noun` is the plural, capitalised. Of many the nearest are
// listed.
std::string suggest(const std::string& wrong, const std::vector<std::string>& known, const std::string& noun);

}  // namespace skyhook
