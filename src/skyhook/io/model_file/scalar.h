// Numbers, truth values and references as a model file writes them: "730 kg", "=2*m", "yes", "link[i-1]".
#pragma once
#include <array>
#include <optional>
#include <string>

#include "skyhook/base/field.h"
#include "skyhook/base/units.h"
#include "skyhook/io/model_file/parameters.h"

namespace skyhook::io::model_file {

bool is_expression(const std::string& text);
// A reference without the $parent before it.
std::string local_name(std::string reference);
// Of the first character behind the '='.
Location expression_place(Location scalar, bool quoted);
// A number, a quantity, true, false, or an expression that is constant. Throws ModelError.
expression::Value evaluate_text(const std::string& text, bool quoted, const Location& where,
                                const expression::Scope& scope, const Parameters& parameters);
// As it may stand in an expression: (3), (2.5[m]).
std::string literal(const expression::Value& value);
// "kg" or, for "-", "1"
std::string unit_text(const char* unit);
// "above 0 kg and at most 3 kg"; the range has an end
std::string range_text(const Range& range, const std::string& unit);

// What a scalar is wanted for.
struct Wanted {
  std::string what;  // body "car": mass
  const char* unit = "-";
  Range range = {};
};

// Reads scalars where a given set of names is known. What it cannot read it reports. What it reads it writes back into
// the node in its final form (a number in SI, a reference without index expressions): so the expanded model arises.
class ScalarReader {
 public:
  // All readers throw Report::Known when an expression needs a parameter whose own value is wrong: reported there.
  ScalarReader(Report& report, const Parameters& parameters, Scope scope);

  std::optional<expression::Value> value(const Node& node, const Wanted& wanted) const;
  // An expression of points: "=(a + b)/2".
  bool is_point(const Node& node) const;
  // Its coordinates, or those of a list of three.
  std::optional<std::array<expression::Value, 3>> point(const Node& node, const Wanted& wanted) const;
  // An expression of points becomes the list of its coordinates; all else stays. A direction may have any dimension.
  void spread_point(Node& node, const Wanted& wanted, bool is_direction = false) const;
  std::optional<double> number(Node& node, const Wanted& wanted) const;
  // A plain number counts in `plain`, not in SI.
  std::optional<double> number_in(Node& node, const Wanted& wanted, const Unit& plain) const;
  std::optional<long> integer(Node& node, const Wanted& wanted) const;
  // `choices` are those that a message names.
  std::optional<bool> boolean(Node& node, const Wanted& wanted, const std::string& choices = "true or false") const;
  // The text with each [expression] replaced by its whole number; wildcards stay.
  std::optional<std::string> reference(Node& node, const std::string& what) const;
  // A reference to a thing of the model by its full name: front.wheel for `wheel` in the instance `front`, and for
  // `$parent.front.wheel` in one beside it; `$name` is the text of a text parameter.
  std::optional<std::string> full_name(Node& node, const std::string& what) const;
  // The value of an index expression.
  std::optional<long> whole(const std::string& expression, const Location& where, const std::string& what) const;
  // "=..." compiled over `variables` ("t:s x:m"); the locals are written into the node as numbers.
  std::optional<expression::Expression> formula(Node& node, const Wanted& wanted, const std::string& variables) const;
  // The same over variables whose units nobody knows yet, or for a value of any unit: all are taken as numbers in SI, and no
  // dimensions are checked.
  std::optional<expression::Expression> formula_in_si(Node& node, const std::string& what,
                                                      const std::vector<std::string>& variables) const;
  bool is_text(const Node& node, const std::string& what) const;
  // `=name` of a text parameter becomes its text, placed where that is written: the name of a file counts from there. All else stays.
  void take_text(Node& node) const;
  // The same where nothing else can begin with '='. False: it is no text, reported.
  bool take_text(Node& node, const std::string& what) const;

  Report& report() const { return report_; }
  const Scope& scope() const { return scope_; }

 private:
  bool fits(const Node& node, const expression::Value& value, const Wanted& wanted) const;
  std::optional<std::array<expression::Value, 3>> point_named(const std::string& name) const;
  bool put_texts(std::string& name, const Node& node, const std::string& what) const;
  bool needs_wrong_parameter(const std::string& text) const;
  void add(const ModelError& error, const Node& node, const std::string& what) const;
  std::string with_locals(const std::string& text, const std::string& variables, const Location& where) const;

  Report& report_;
  const Parameters& parameters_;
  Scope scope_;
  expression::Scope names_;
};

}  // namespace skyhook::io::model_file
