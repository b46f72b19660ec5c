// Recursive descent over the tokens of an expression: checks dimensions and hands instructions to a CodeBuilder.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/expression/code_builder.h"
#include "skyhook/expression/expression.h"
#include "skyhook/expression/function_table.h"
#include "skyhook/expression/lexer.h"

namespace skyhook::expression {

class Parser {
 public:
  // scope == nullptr: look nothing up, only collect names(). All arguments must outlive the parser.
  // component 'x', 'y' or 'z': that of a point, which is what names mean that the scope knows with .x, .y and .z behind them.
  Parser(std::string_view text, const Scope* scope, const Location& where, char component = '\0');

  // The whole text; returns its dimension.
  Dimension parse();

  const CodeBuilder& code() const { return code_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  // A part of the expression that has been parsed; its instructions are in code_.
  struct Operand {
    Range source;
    std::size_t mark = 0;  // of its first instruction
    Dimension dimension;
    bool fits_all = false;       // a literal zero
    bool is_comparison = false;  // not in parentheses
    bool is_point = false;
  };
  class Nesting;
  struct BinaryOperator;
  static const BinaryOperator binary_operators[];

  Operand conditional();
  Operand binary(int least_precedence);
  Operand prefixed();
  Operand powered();
  Operand primary();
  Operand parenthesised();
  Operand number();
  Operand named();
  Operand call(const Token& name);
  Operand call_table(const Token& name, const std::shared_ptr<const Table>& table);
  void index_into(std::string& name);
  Unit unit_of(const Token& token) const;

  const BinaryOperator* binary_operator() const;
  Operand apply_binary(const BinaryOperator& op, const Operand& a, const Operand& b);
  Operand apply_power(const Operand& base, const Operand& exponent, Range source);
  Operand apply_choice(const Operand& condition, const Operand& a, const Operand& b, Range source);
  Operand apply_function(const Function& f, const std::vector<Operand>& arguments, Range source);
  Operand resolve(const std::string& name, Range source);
  bool is_known(const std::string& name) const;

  bool checks() const { return scope_ && scope_->check_dimensions; }
  Operand same_dimension(const Operand& a, const Operand& b, std::string_view what, Range source) const;
  void require_dimensionless(const Operand& a, std::string_view what) const;
  void require_number(const Operand& a, std::string_view what) const;  // not a point
  bool is_point(const std::string& name) const;

  const Token& token() const { return tokens_[at_]; }
  bool is(std::string_view symbol_or_word) const;
  bool accept(std::string_view symbol_or_word);
  void close(const Token& opening, std::string_view closing);
  Range since(const Token& first) const { return {first.begin, tokens_[at_ - 1].end}; }
  std::string quoted(Range source) const;
  [[noreturn]] void fail(std::size_t offset, std::string what, std::string advice = {}) const;
  [[noreturn]] void fail_unexpected() const;
  [[noreturn]] void fail_unknown_name(const std::string& name, std::size_t offset) const;
  [[noreturn]] void fail_unknown_function(const Token& name) const;

  std::string_view text_;
  const Scope* scope_;
  const Location& where_;
  char component_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  CodeBuilder code_;
  std::vector<std::string> names_;
};

}  // namespace skyhook::expression
