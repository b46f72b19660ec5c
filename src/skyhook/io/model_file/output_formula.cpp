#include "skyhook/io/model_file/output_formula.h"

#include <cctype>

#include "skyhook/expression/expression.h"
#include "skyhook/io/model_file/scalar.h"

namespace skyhook::io::model_file {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool is_in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_in_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; }

// Goes through a formula and replaces its names.
class Rewriting {
 public:
  Rewriting(const std::string& text, std::function<std::optional<std::string>(const std::string&)> replaced)
      : text_(text), replaced_(std::move(replaced)) {}

  // nullopt: a name has no replacement.
  std::optional<std::string> all() {
    while (at_ < text_.size()) {
      if (is_in_number(text_[at_])) {
        take_number();
      } else if (begins_name(text_[at_])) {
        if (!take_name()) return {};
      } else {
        result_ += text_[at_++];
      }
    }
    return result_;
  }

 private:
  void skip_to_bracket_end() { at_ = std::min(text_.find(']', at_), text_.size() - 1) + 1; }
  char next_visible() const {
    const std::size_t at = text_.find_first_not_of(" \t\n", at_);
    return at == std::string::npos ? '\0' : text_[at];
  }

  // With its unit: 2.5e-3[kN/m].
  void take_number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_in_number(text_[at_])) ++at_;
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      while (at_ < text_.size() && is_in_number(text_[at_])) ++at_;
    }
    if (next_visible() == '[') skip_to_bracket_end();
    result_ += text_.substr(begin, at_ - begin);
  }

  bool take_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const bool goes_on = text_[at_] == '.' && at_ + 1 < text_.size() && begins_name(text_[at_ + 1]);
      if (text_[at_] == '[')
        skip_to_bracket_end();
      else if (is_in_name(text_[at_]) || goes_on)
        ++at_;
      else
        break;
    }
    const std::string name = text_.substr(begin, at_ - begin);
    if (next_visible() == '(' || is_reserved(name) || name == "t") {
      result_ += name;
      return true;
    }
    const auto other = replaced_(name);
    if (other) result_ += *other;
    return other.has_value();
  }

  const std::string& text_;
  std::function<std::optional<std::string>(const std::string&)> replaced_;
  std::size_t at_ = 0;
  std::string result_;
};

}  // namespace

std::optional<std::string> global_formula(const Node& formula, const Scope& scope, Reading& reading,
                                          const std::string& what,
                                          const std::function<bool(const std::string& channel)>& is_left_out) {
  const ScalarReader scalars(reading.report, reading.parameters, scope);
  const auto replaced = [&](const std::string& name) -> std::optional<std::string> {
    if (const Local* local = scope.find(name)) return literal(local->value);
    if (reading.parameters.is_defined(name)) {
      const auto value = reading.parameters.find(name);
      if (!value) throw Report::Known{};  // reported there
      return literal(*value);
    }
    Node node = text_node(name, formula);
    const auto channel = scalars.full_name(node, what);
    if (channel && reading.has_failed(*channel)) throw Report::Known{};
    if (!channel || is_left_out(*channel)) return {};
    return channel;
  };
  const std::string text = formula.text.substr(1);
  const auto global = Rewriting(text, replaced).all();
  if (!global) return {};
  try {
    expression::names_in(*global, place_of(formula, "=" + *global, reading));  // is it a formula at all?
  } catch (const ModelError& error) {
    reading.report.add(error, what);
    return {};
  }
  return "=" + *global;
}

Location place_of(const Node& formula, const std::string& global, const Reading& reading) {
  Location place = expression_place(reading.report.at(formula), formula.quoted);
  if (global != formula.text) place.column = 0;
  return place;
}

}  // namespace skyhook::io::model_file
