// The parameters of a model: named constants that may refer to each other in any order.
#pragma once
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
  void define(const Node& key, const std::string& text, std::optional<expression::Value> value, Report& report);
  // Replaces the value of a parameter: the `set:` of an experiment, the command line's --set.
  void redefine(const std::string& name, const std::string& text, const Location& where, Report& report);
  // What is to be set, but is not there; `known` are the names that could be meant.
  static void refuse_unknown(const std::string& name, const std::vector<std::string>& known, const Location& where,
                             Report& report);
  // Computes all values. Reports circles with their whole path.
  void evaluate(Report& report);

  std::optional<expression::Value> find(const std::string& name) const;  // nullopt: unknown, or its value is wrong
  bool is_defined(const std::string& name) const {
    return index_.count(name) != 0 || (model_ && model_->is_defined(name));
  }
  const std::string* text(const std::string& name) const;  // as written; null: unknown
  const std::vector<std::string>& names() const { return names_; }
  std::vector<model::Parameter> list() const;
  bool all_known() const;  // no value is wrong
  // Names that expressions may use here: the locals win over parameters.
  expression::Scope scope(std::vector<Local> locals) const;
  // Compiles in a scope of this; a name that is not known gets a suggestion.
  expression::Expression compile(const std::string& text, const expression::Scope& scope, const Location& where) const;

 private:
  enum class State { open, being_read, done, failed };
  struct Definition {
    std::string text;
    bool quoted = false;
    Location where = {};
    std::vector<std::size_t> needs = {};
    State state = State::open;
    expression::Value value = {};
  };
  bool is_usable(const Node& key, Report& report) const;
  void find_needs(Definition& definition, const std::string& name, Report& report);
  void evaluate_from(std::size_t start, Report& report);
  void report_circle(const std::vector<std::size_t>& trail, std::size_t again, Report& report);
  void compute(std::size_t number, Report& report);

  const Parameters* model_ = nullptr;  // none: these are the model's
  const expression::Tables* tables_;
  std::vector<std::string> names_;
  std::vector<Definition> definitions_;
  std::unordered_map<std::string, std::size_t> index_;
};

bool is_identifier(const std::string& text);
bool is_reserved(const std::string& name);  // the expression language uses it itself
// A map of the values with their SI units.
Node expanded(const std::vector<model::Parameter>& parameters, const Node& place);

}  // namespace skyhook::io::model_file
