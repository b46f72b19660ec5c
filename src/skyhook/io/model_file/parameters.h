// The parameters of a model: named constants that may refer to each other in any order. A point is three of them, name.x, name.y and
// name.z (points.h); a text stands beside them, and no formula takes it.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "skyhook/expression/expression.h"
#include "skyhook/io/model_file/report.h"
#include "skyhook/io/model_file/scope.h"
#include "skyhook/model/model.h"

namespace skyhook::io::model_file {

class Parameters {
 public:
  // Those of an instance; expressions know the parameters of the model as well.
  explicit Parameters(const Parameters* of_model) : model_(of_model), tables_(of_model->tables_) {}
  // Those that formulas may call, as they are read.
  explicit Parameters(const expression::Tables* tables) : tables_(tables) {}

  // Reports names that no expression could use.
  void define(const Node& key, const Node& value, Report& report);
  // One whose value is known already. nullopt: it is wrong, reported.
  struct Known {
    std::string text;
    std::optional<expression::Value> value;
    Location where;
  };
  void define(const Node& key, Known known, Report& report);
  void define(const Node& key, std::array<Known, 3> point, Report& report);
  // One that is a text.
  void define_text(const Node& key, const Node& value, Report& report);
  // Which parameters are points because their expressions are: after all are defined.
  void find_points();
  // Replaces the value of a parameter, a point or a coordinate of it: the `set:` of an experiment, the command line's --set.
  void redefine(const std::string& name, const Node& value, Report& report);
  void redefine(const std::string& name, Known known);
  // What is to be set, but is not there; `known` are the names that could be meant.
  static void refuse_unknown(const std::string& name, const std::vector<std::string>& known, const Location& where,
                             Report& report);
  // Computes all values. Reports circles with their whole path.
  void evaluate(Report& report);

  std::optional<expression::Value> find(const std::string& name) const;  // nullopt: unknown, or its value is wrong
  bool is_defined(const std::string& name) const {
    return index_.count(name) != 0 || text_named(name) || is_point(name) || (model_ && model_->is_defined(name));
  }
  // A text, as the name of a file: fields that take a text ask for it by `=name`, formulas cannot. Null: none of that name.
  const Node* text_named(const std::string& name) const;
  const std::map<std::string, Node>& texts() const { return texts_; }
  bool is_point(const std::string& name) const;
  bool is_wrong(const std::string& name) const;            // defined, but without a value
  const std::string* text(const std::string& name) const;  // as written; null: unknown
  const std::vector<std::string>& names() const { return names_; }
  std::vector<model::Parameter> list() const;
  bool all_known() const;   // no value is wrong
  bool none_wrong() const;  // nor is one of the model
  // Names that expressions may use here: the locals win over parameters.
  expression::Scope scope(Locals locals) const;
  // Compiles in a scope of this; a name that is not known gets a suggestion.
  expression::Expression compile(const std::string& text, const expression::Scope& scope, const Location& where) const;
  // The same of one coordinate of an expression of points.
  expression::Value coordinate(const std::string& text, char axis, const expression::Scope& scope,
                               const Location& where) const;

 private:
  enum class State { open, being_read, done, failed };
  struct Definition {
    std::string text;
    bool quoted = false;
    Location where = {};
    char axis = '\0';                     // of a point that is an expression
    std::optional<Dimension> plain = {};  // of a coordinate that is given without unit
    std::vector<std::size_t> needs = {};
    State state = State::open;
    expression::Value value = {};
  };
  bool is_usable(const Node& key, Report& report) const;
  void add(const std::string& name, Definition definition);
  bool has_point(const std::string& name) const;  // among these, not the model's
  void define_point(const Node& key, const Node& list, Report& report);
  void split(std::size_t number);
  void check_points(Report& report) const;
  expression::Scope named(const expression::Scope& scope) const;
  void find_needs(Definition& definition, const std::string& name, Report& report);
  void evaluate_from(std::size_t start, Report& report);
  void report_circle(const std::vector<std::size_t>& trail, std::size_t again, Report& report);
  void compute(std::size_t number, Report& report);

  const Parameters* model_ = nullptr;  // none: these are the model's
  const expression::Tables* tables_;
  std::vector<std::string> names_;
  std::vector<Definition> definitions_;
  std::unordered_map<std::string, std::size_t> index_;
  std::map<std::string, Node> texts_;
};

// Of `{text: value}`, as which a text parameter is declared; null: it is something else.
const Node* declared_text(const Node& value);

bool is_identifier(const std::string& text);
bool is_reserved(const std::string& name);  // the expression language uses it itself
// A map of the values with their SI units.
Node expanded(const std::vector<model::Parameter>& parameters, const Node& place);

}  // namespace skyhook::io::model_file
