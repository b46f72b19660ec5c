#include "skyhook/expression/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace skyhook::expression {
namespace {

using Kind = Token::Kind;

constexpr int deepest_nesting = 200;
constexpr int or_level = 1, and_level = 2, not_level = 3, comparison_level = 4, sum_level = 5, product_level = 6;

bool is_reserved(std::string_view word) {
  constexpr std::array<std::string_view, 6> reserved = {"and", "or", "not", "pi", "true", "false"};
  return std::ranges::find(reserved, word) != reserved.end();
}

// "in N/m" or "a plain number"
std::string described(const Dimension& d) { return d.is_dimensionless() ? "a plain number" : "in " + to_string(d); }

}  // namespace

struct Parser::BinaryOperator {
  std::string_view text;
  int precedence;
  Op op;
};

const Parser::BinaryOperator Parser::binary_operators[] = {
    {"or", or_level, Op::logical_or},
    {"and", and_level, Op::logical_and},
    {"<", comparison_level, Op::less},
    {"<=", comparison_level, Op::less_equal},
    {">", comparison_level, Op::greater},
    {">=", comparison_level, Op::greater_equal},
    {"==", comparison_level, Op::equal},
    {"!=", comparison_level, Op::not_equal},
    {"+", sum_level, Op::add},
    {"-", sum_level, Op::subtract},
    {"*", product_level, Op::multiply},
    {"/", product_level, Op::divide},
};

// Guards the call stack against a thousand parentheses.
class Parser::Nesting {
 public:
  explicit Nesting(Parser& parser) : depth_(parser.depth_) {
    if (++depth_ > deepest_nesting + 1) {
      parser.fail(parser.token().begin, fmt::format("the expression is nested deeper than {} levels.", deepest_nesting),
                  "Split it into several parameters.");
    }
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int& depth_;
};

Parser::Parser(std::string_view text, const Scope* scope, const Location& where, char component)
    : text_(text), scope_(scope), where_(where), component_(component), tokens_(tokens_of(text, where)) {}

Dimension Parser::parse() {
  if (token().kind == Kind::end) fail(0, "the expression is empty.");
  const Operand all = conditional();
  if (token().kind != Kind::end) fail_unexpected();
  if (component_ && !all.is_point) fail(0, fmt::format("{} is a number, not a point.", quoted(all.source)));
  if (scope_ && code_.stack_needed() > stack_size) {
    fail(0, fmt::format("the expression needs more than {} intermediate values.", stack_size),
         "Split it into several parameters.");
  }
  if (const Range* bad = scope_ ? code_.not_finite() : nullptr) {
    fail(bad->begin, fmt::format("{} has no finite value.", quoted(*bad)));
  }
  return checks() ? all.dimension : Dimension{};
}

Parser::Operand Parser::conditional() {
  const Nesting nesting(*this);
  const Token first = token();
  const Operand condition = binary(or_level);
  if (!accept("?")) return condition;
  const Operand a = conditional();
  if (!accept(":")) fail(token().begin, "\":\" is missing after \"?\".", "A choice looks like c ? a : b.");
  const Operand b = conditional();
  return apply_choice(condition, a, b, since(first));
}

Parser::Operand Parser::binary(int least_precedence) {
  const Token first = token();
  Operand left;
  if (least_precedence <= not_level && is("not")) {
    const Nesting nesting(*this);
    ++at_;
    left = binary(not_level);
    require_dimensionless(left, "The operand of \"not\"");
    left.source = since(first);
    left.is_comparison = false;
    code_.apply(Op::logical_not, left.source);
  } else {
    left = prefixed();
  }
  for (const BinaryOperator* op = binary_operator(); op && op->precedence >= least_precedence; op = binary_operator()) {
    if (op->precedence == comparison_level && left.is_comparison) {
      fail(token().begin, "comparisons cannot be chained.", "Write a < b and b < c.");
    }
    ++at_;
    const Operand right = binary(op->precedence + 1);
    left = apply_binary(*op, left, right);
  }
  return left;
}

Parser::Operand Parser::prefixed() {
  const Token first = token();
  if (!is("-") && !is("+")) return powered();
  const Nesting nesting(*this);
  ++at_;
  Operand a = prefixed();
  a.source = since(first);
  if (first.text == "-") code_.apply(Op::negate, a.source);
  return a;
}

Parser::Operand Parser::powered() {
  const Token first = token();
  const Operand base = primary();
  if (!accept("^")) return base;
  const Nesting nesting(*this);
  const Operand exponent = prefixed();  // to the right first: 2^3^2 is 2^9
  return apply_power(base, exponent, since(first));
}

Parser::Operand Parser::primary() {
  if (token().kind == Kind::number) return number();
  if (token().kind == Kind::identifier) return named();
  if (is("(")) return parenthesised();
  fail_unexpected();
}

Parser::Operand Parser::parenthesised() {
  const Token opening = token();
  ++at_;
  Operand inner = conditional();
  close(opening, ")");
  inner.source = since(opening);
  inner.is_comparison = false;
  return inner;
}

Parser::Operand Parser::number() {
  const Token first = token();
  Operand a{.source = {}, .mark = code_.mark(), .dimension = {}};
  double value = first.value;
  ++at_;
  if (token().kind == Kind::unit) {
    const Unit unit = unit_of(token());
    value = unit.to_si(value);
    a.dimension = unit.dimension;
    ++at_;
  } else {
    a.fits_all = value == 0.0;
  }
  a.source = since(first);
  code_.push_constant(value, a.source);
  return a;
}

Unit Parser::unit_of(const Token& token) const try {
  return parse_unit(token.text);
} catch (const ModelError&) {  // finding the place costs a pass over the text: only when it is needed
  return parse_unit(token.text, advanced(where_, text_, token.begin + 1));
}

// A name, its dots and indices attached without spaces, or a function call.
Parser::Operand Parser::named() {
  const Token first = token();
  std::string name(first.text);
  if (is("and") || is("or") || is("not")) fail_unexpected();
  ++at_;
  if (is("(") && !is_reserved(name)) return call(first);
  while (token().begin == tokens_[at_ - 1].end) {
    if (is("[")) {
      index_into(name);
    } else if (is(".") && tokens_[at_ + 1].kind == Kind::identifier && tokens_[at_ + 1].begin == token().end) {
      name += fmt::format(".{}", tokens_[at_ + 1].text);
      at_ += 2;
    } else {
      break;
    }
  }
  return resolve(name, since(first));
}

// Appends "[2]" to the name. Without a scope only a plain number has a value, else the index is kept as written.
void Parser::index_into(std::string& name) {
  const Token opening = token();
  ++at_;
  const Operand index = conditional();
  close(opening, "]");
  if (!code_.is_constant_since(index.mark)) {
    if (scope_) fail(index.source.begin, fmt::format("the index {} depends on a variable.", quoted(index.source)));
    std::string written(text_.substr(index.source.begin, index.source.end - index.source.begin));
    std::erase_if(written, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
    name += '[' + written + ']';
  } else {
    const double value = code_.last_value();
    require_dimensionless(index, "An index");
    if (!(value >= 0.0 && value <= 1e9) || value != std::floor(value)) {
      fail(index.source.begin,
           fmt::format("the index {} is {}, not a whole number from 0 on.", quoted(index.source), value));
    }
    name += fmt::format("[{}]", static_cast<long>(value));
  }
  code_.drop_since(index.mark);
}

Parser::Operand Parser::call(const Token& name) {
  const Function* f = find_function(name.text);
  if (!f) {
    const auto table = scope_ && scope_->tables ? scope_->tables(std::string(name.text)) : nullptr;
    if (scope_ && !table) fail_unknown_function(name);
    return call_table(name, table);
  }
  const Token opening = token();
  ++at_;
  std::vector<Operand> arguments;
  if (!is(")")) {
    do {
      arguments.push_back(conditional());
      if (f->is_pairwise() && arguments.size() > 1) code_.apply(f->op, {name.begin, tokens_[at_ - 1].end});
    } while (accept(","));
  }
  close(opening, ")");
  const int n = static_cast<int>(arguments.size());
  if (n < f->least_arguments || n > f->most_arguments) {
    fail(name.begin,
         fmt::format("{} takes {}{} argument{}, not {}.", f->name, f->is_pairwise() ? "at least " : "",
                     f->least_arguments, f->least_arguments == 1 ? "" : "s", n),
         fmt::format("Write {}.", f->signature));
  }
  Operand result = apply_function(*f, arguments, since(name));
  result.is_comparison = false;
  return result;
}

// Without a scope nothing is known of it, and it may be a misspelt function.
Parser::Operand Parser::call_table(const Token& name, const std::shared_ptr<const Table>& table) {
  const Token opening = token();
  ++at_;
  const Operand x = conditional();
  if (table && is(",")) fail(token().begin, fmt::format("the table {} takes one argument.", name.text));
  require_number(x, fmt::format("The argument of {}", name.text));
  while (accept(",")) conditional();
  close(opening, ")");
  Operand result{.source = since(name), .mark = x.mark, .dimension = {}};
  if (!table) return result;
  if (checks() && !x.fits_all && x.dimension != table->of_x)
    fail(x.source.begin,
         fmt::format("the table {} is over a value {}, but {} is {}.", name.text, described(table->of_x),
                     quoted(x.source), described(x.dimension)),
         "Give it what its `units` say.");
  result.dimension = table->of_y;
  code_.apply_table(table, result.source);
  return result;
}

const Parser::BinaryOperator* Parser::binary_operator() const {
  for (const BinaryOperator& op : binary_operators) {
    if (is(op.text)) return &op;
  }
  return nullptr;
}

Parser::Operand Parser::apply_binary(const BinaryOperator& op, const Operand& a, const Operand& b) {
  const Range source{a.source.begin, b.source.end};
  Operand result{.source = source, .mark = a.mark, .dimension = {}};
  if (op.precedence <= and_level) {
    require_dimensionless(a, fmt::format("The left side of \"{}\"", op.text));
    require_dimensionless(b, fmt::format("The right side of \"{}\"", op.text));
  } else if (op.precedence == comparison_level) {
    for (const Operand& side : {a, b}) require_number(side, fmt::format("Each side of \"{}\"", op.text));
    same_dimension(a, b, op.text, source);
    result.is_comparison = true;
  } else if (op.precedence == sum_level) {
    result = same_dimension(a, b, op.text, source);
  } else {
    if (a.is_point || op.op == Op::divide) require_number(b, fmt::format("What stands behind \"{}\"", op.text));
    result.dimension = op.op == Op::multiply ? a.dimension * b.dimension : a.dimension / b.dimension;
    result.is_point = a.is_point || b.is_point;
  }
  code_.apply(op.op, source);
  return result;
}

Parser::Operand Parser::apply_power(const Operand& base, const Operand& exponent, Range source) {
  require_dimensionless(exponent, "An exponent");
  require_number(base, "The base of a power");
  Operand result{.source = source, .mark = base.mark, .dimension = {}};
  if (checks() && !base.dimension.is_dimensionless()) {
    if (!code_.is_constant_since(exponent.mark)) {
      fail(exponent.source.begin,
           fmt::format("the exponent {} varies, but {} is {}.", quoted(exponent.source), quoted(base.source),
                       described(base.dimension)),
           "Only a plain number can have a varying exponent: divide by a reference first.");
    }
    const auto dimension = pow(base.dimension, code_.last_value());
    if (!dimension) {
      fail(exponent.source.begin, fmt::format("{} to the power of {} has no dimension that can be expressed.",
                                              to_string(base.dimension), code_.last_value()));
    }
    result.dimension = *dimension;
  }
  code_.apply_power(exponent.mark, source);
  return result;
}

Parser::Operand Parser::apply_choice(const Operand& condition, const Operand& a, const Operand& b, Range source) {
  require_dimensionless(condition, "A condition");
  Operand result = same_dimension(a, b, "?:", source);
  result.mark = condition.mark;
  code_.apply_select(condition.mark, a.mark, b.mark, source);
  return result;
}

Parser::Operand Parser::apply_function(const Function& f, const std::vector<Operand>& arguments, Range source) {
  using enum DimensionRule;
  if (f.rule == DimensionRule::power) return apply_power(arguments[0], arguments[1], source);
  if (f.rule == choice) return apply_choice(arguments[0], arguments[1], arguments[2], source);
  for (const Operand& a : arguments) require_number(a, fmt::format("An argument of {}", f.name));
  Operand result = arguments[0];
  const bool is_angle = f.rule == of_angle && checks() && result.dimension == scope_->angle;
  if (f.rule == none || f.rule == arc || (f.rule == of_angle && !is_angle))
    require_dimensionless(result, fmt::format("The argument of {}", f.name));
  if (f.rule == keep || f.rule == ratio || f.rule == arc_of_ratio) {
    for (const Operand& a : arguments) {
      same_dimension(result, a, f.name, source);
      if (result.fits_all) result = a;  // a literal zero leaves the dimension to the next argument
    }
  }
  if (f.rule == square_root && checks()) {
    const auto root = pow(result.dimension, 0.5);
    if (!root) {
      fail(source.begin,
           fmt::format("the square root of {} has no dimension that can be expressed.", to_string(result.dimension)));
    }
    result.dimension = *root;
  }
  if (f.rule == none || f.rule == of_angle || f.rule == ratio || f.rule == forget) result.dimension = {};
  if (f.rule == arc || f.rule == arc_of_ratio) result.dimension = checks() ? scope_->angle : Dimension{};
  result.fits_all = result.fits_all && f.rule == keep;
  result.source = source;
  result.mark = arguments[0].mark;
  if (!f.is_pairwise()) code_.apply(f.op, source);
  return result;
}

bool Parser::is_known(const std::string& name) const {
  if (!scope_) return false;
  return std::ranges::find(scope_->variables, name, &Symbol::name) != scope_->variables.end() ||
         (scope_->constants && scope_->constants(name));
}

Parser::Operand Parser::resolve(const std::string& name, Range source) {
  Operand a{.source = source, .mark = code_.mark(), .dimension = {}};
  if (name == "pi" || name == "true" || name == "false") {
    code_.push_constant(name == "pi" ? std::numbers::pi : name == "true" ? 1.0 : 0.0, source);
    return a;
  }
  if (!scope_) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
    code_.push_variable(0, source);
    return a;
  }
  const auto& variables = scope_->variables;
  if (const auto found = std::ranges::find(variables, name, &Symbol::name); found != variables.end()) {
    a.dimension = found->dimension;
    code_.push_variable(static_cast<int>(found - variables.begin()), source);
  } else if (const auto value = scope_->constants ? scope_->constants(name) : std::nullopt) {
    a.dimension = value->dimension;
    code_.push_constant(value->value, source);
  } else if (const auto entry =
                 component_ && scope_->constants ? scope_->constants(name + "." + component_) : std::nullopt) {
    a.dimension = entry->dimension;
    a.is_point = true;
    code_.push_constant(entry->value, source);
  } else {
    fail_unknown_name(name, source.begin);
  }
  return a;
}

bool Parser::is_point(const std::string& name) const {
  return scope_->constants && scope_->constants(name + ".x") && scope_->constants(name + ".y") &&
         scope_->constants(name + ".z");
}

Parser::Operand Parser::same_dimension(const Operand& a, const Operand& b, std::string_view what, Range source) const {
  Operand result{.source = source,
                 .mark = a.mark,
                 .dimension = a.fits_all ? b.dimension : a.dimension,
                 .fits_all = a.fits_all && b.fits_all,
                 .is_point = a.is_point};
  if (a.is_point != b.is_point) {
    fail(b.source.begin,
         fmt::format("\"{}\" needs two points or two numbers, but {} is a {} and {} a {}.", what, quoted(a.source),
                     a.is_point ? "point" : "number", quoted(b.source), b.is_point ? "point" : "number"));
  }
  if (!checks() || a.fits_all || b.fits_all || a.dimension == b.dimension) return result;
  const bool plain = a.dimension.is_dimensionless() || b.dimension.is_dimensionless();
  fail(b.source.begin,
       fmt::format("\"{}\" needs equal dimensions, but {} is {} and {} is {}.", what, quoted(a.source),
                   described(a.dimension), quoted(b.source), described(b.dimension)),
       plain ? "A number takes a unit in brackets: 5[mm]." : "");
}

void Parser::require_number(const Operand& a, std::string_view what) const {
  if (!a.is_point) return;
  fail(a.source.begin, fmt::format("{} must be a number, but {} is a point.", what, quoted(a.source)),
       "Take one of its coordinates: .x, .y or .z behind its name.");
}

void Parser::require_dimensionless(const Operand& a, std::string_view what) const {
  require_number(a, what);
  if (!checks() || a.dimension.is_dimensionless()) return;
  fail(a.source.begin,
       fmt::format("{} must be a plain number, but {} is {}.", what, quoted(a.source), described(a.dimension)));
}

bool Parser::is(std::string_view symbol_or_word) const {
  return (token().kind == Kind::symbol || token().kind == Kind::identifier) && token().text == symbol_or_word;
}

bool Parser::accept(std::string_view symbol_or_word) {
  if (!is(symbol_or_word)) return false;
  ++at_;
  return true;
}

void Parser::close(const Token& opening, std::string_view closing) {
  if (accept(closing)) return;
  if (token().kind != Kind::end && !is(")") && !is("]") && !is(",") && !is(":")) fail_unexpected();
  fail(token().begin,
       fmt::format("\"{}\" is missing for the \"{}\" at character {}.", closing, opening.text, opening.begin + 1));
}

std::string Parser::quoted(Range source) const {
  constexpr std::size_t longest = 60;
  const std::string_view part = text_.substr(source.begin, source.end - source.begin);
  return part.size() <= longest ? fmt::format("\"{}\"", part) : fmt::format("\"{}...\"", part.substr(0, longest));
}

void Parser::fail(std::size_t offset, std::string what, std::string advice) const {
  throw ModelError(advanced(where_, text_, offset), std::move(what), std::move(advice));
}

void Parser::fail_unexpected() const {
  const Token& t = token();
  if (t.kind == Kind::end) fail(t.begin, "the expression ends where a value is expected.");
  const std::string shown = quoted({t.begin, t.end});
  const Kind before = at_ > 0 ? tokens_[at_ - 1].kind : Kind::end;
  const bool value_before = before == Kind::number || before == Kind::unit || before == Kind::identifier;
  const bool value_here =
      t.kind == Kind::number || (t.kind == Kind::identifier && !is_reserved(t.text)) || t.text == "(";
  if (before == Kind::number && t.kind == Kind::identifier) {
    fail(t.begin, fmt::format("an operator is missing before {}.", shown),
         fmt::format("A unit stands in brackets: {}[{}].", tokens_[at_ - 1].text, t.text));
  }
  if ((value_before || (at_ > 0 && tokens_[at_ - 1].text == ")")) && value_here) {
    fail(t.begin, fmt::format("an operator is missing before {}.", shown));
  }
  fail(t.begin, fmt::format("unexpected {}.", shown));
}

void Parser::fail_unknown_name(const std::string& name, std::size_t offset) const {
  if (const Function* f = find_function(name)) {
    fail(offset, fmt::format("\"{}\" is a function.", name), fmt::format("Write {}.", f->signature));
  }
  if (is_point(name))
    fail(offset, fmt::format("\"{}\" is a point, but a number is expected here.", name),
         fmt::format("Write {0}.x, {0}.y or {0}.z.", name));
  std::vector<std::string> known;
  for (const Symbol& v : scope_->variables) known.push_back(v.name);
  known.insert(known.end(), scope_->constant_names.begin(), scope_->constant_names.end());
  fail(offset, fmt::format("unknown name \"{}\".", name), suggest(name, known, "Names"));
}

void Parser::fail_unknown_function(const Token& name) const {
  const std::string text(name.text);
  if (is_known(text))
    fail(token().begin, fmt::format("\"{}\" is not a function: an operator is missing before \"(\".", text));
  std::vector<std::string> known = function_names();
  known.insert(known.end(), scope_->table_names.begin(), scope_->table_names.end());
  fail(name.begin, fmt::format("unknown function \"{}\".", text), suggest(text, known, "Functions"));
}

}  // namespace skyhook::expression
