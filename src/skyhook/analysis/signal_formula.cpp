#include "skyhook/analysis/signal_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "skyhook/analysis/unknown.h"
#include "skyhook/base/units.h"
#include "skyhook/expression/function_table.h"
#include "skyhook/expression/quantity_formula.h"
#include "skyhook/math/dual.h"

namespace skyhook::analysis {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; }

const SignalFunction* find_function(const std::string& name) {
  for (const SignalFunction& f : signal_functions()) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

// The arguments of a call whose "(" stands at `at`, which moves behind its ")". nullopt: it is not closed.
std::optional<std::vector<std::string>> arguments_at(const std::string& text, std::size_t& at) {
  std::vector<std::string> out;
  int depth = 0;
  std::size_t begin = at + 1;
  for (std::size_t k = at; k < text.size(); ++k) {
    if (text[k] == '(' || text[k] == '[') ++depth;
    const bool ends = (text[k] == ')' || text[k] == ']') && --depth == 0;
    if (!ends && !(text[k] == ',' && depth == 1)) continue;
    out.push_back(trimmed(text.substr(begin, k - begin))), begin = k + 1;
    if (!ends) continue;
    at = k + 1;
    return out;
  }
  return {};
}

class Formula {
 public:
  Formula(const std::string& text, const SignalSource& source, const Location& where)
      : text_(text), source_(source), where_(where) {}

  Signal value() {
    const std::string rest = with_calls_computed();
    if (computed_.size() == 1 && trimmed(rest) == name_of(0)) return named(computed_[0]);
    if (auto channel = source_.find(trimmed(rest))) return named(std::move(*channel));
    return by_samples(rest);
  }

 private:
  static std::string name_of(std::size_t k) { return fmt::format("computed_{}", k + 1); }

  Signal named(Signal s) const {
    s.name = trimmed(text_);
    return s;
  }

  // Calls of signal functions become names of what they have given.
  std::string with_calls_computed() {
    std::string out;
    for (std::size_t at = 0; at < text_.size();) {
      if (!begins_name(text_[at])) {
        const bool is_number = std::isdigit(static_cast<unsigned char>(text_[at])) != 0;
        out += text_[at++];
        while (is_number && at < text_.size() && is_in_name(text_[at])) out += text_[at++];  // 2e3 has no name in it
        continue;
      }
      std::size_t end = at;
      while (end < text_.size() && is_in_name(text_[end])) ++end;
      const std::string name = text_.substr(at, end - at);
      std::size_t open = text_.find_first_not_of(" \t", end);
      if (open == std::string::npos || text_[open] != '(' || !call(name, open)) {
        out += name, at = end;
        continue;
      }
      out += name_of(computed_.size() - 1), at = open;
    }
    return out;
  }

  // False: it is none of ours. min and max of one signal are ours, of several they are those of the language.
  bool call(const std::string& name, std::size_t& open) {
    const SignalFunction* const f = find_function(name);
    std::size_t end = open;
    const auto arguments = arguments_at(text_, end);
    if (!f) {
      if (!expression::find_function(name) && !source_.find(name)) refuse_function(name);
      return false;
    }
    if (!arguments) throw ModelError(where_, "\"" + text_ + "\": a parenthesis is not closed.");
    if (expression::find_function(name) && arguments->size() > f->most_arguments) return false;
    if (arguments->size() < f->least_arguments || arguments->size() > f->most_arguments || arguments->front().empty())
      throw ModelError(where_, fmt::format("\"{}\": {} does not take {} arguments.", text_, name, arguments->size()),
                       fmt::format("Write {}: {}.", f->signature, f->help));
    try {
      calls_.push_back(name + text_.substr(open, end - open));
      computed_.push_back(f->value(SignalArguments(*arguments, source_, where_)));
    } catch (const ModelError& error) {
      std::vector<Finding> findings = error.findings();
      for (Finding& finding : findings) {
        if (finding.where.file.empty()) finding.where = where_;
      }
      throw ModelError(findings);
    }
    open = end;
    return true;
  }

  [[noreturn]] void refuse_function(const std::string& name) const {
    std::vector<std::string> known = expression::function_names();
    for (const SignalFunction& f : signal_functions()) known.emplace_back(f.name);
    throw ModelError(where_, "\"" + text_ + "\": unknown function \"" + name + "\".",
                     suggest(name, known, "Functions"));
  }

  Signal by_samples(const std::string& rest) {
    std::vector<Signal> inputs;
    std::vector<expression::NamedQuantity> quantities;
    for (const std::string& name : expression::names_in(rest, where_)) {
      if (name == "t" && !source_.find(name)) continue;
      inputs.push_back(input(name)), quantities.push_back({name, inputs.back().unit});
    }
    const Signal* over = nullptr;
    for (const Signal& s : inputs) {
      if (s.is_number()) continue;
      if (over) require_same_abscissa(*over, s);
      over = &s;
    }
    const auto formula = compiled(rest, quantities, over ? over->abscissa.unit : "s");
    return over ? sampled(formula, inputs, *over) : constant(formula, inputs);
  }

  // What is wrong is said of the calls as they are written.
  expression::QuantityFormula compiled(const std::string& rest,
                                       const std::vector<expression::NamedQuantity>& quantities,
                                       const std::string& unit_of_t) const {
    try {
      return expression::compile_quantities(rest, quantities, {}, where_, unit_of_t);
    } catch (const ModelError& error) {
      std::vector<Finding> findings = error.findings();
      for (Finding& finding : findings) {
        for (std::size_t k = computed_.size(); k-- > 0;) put_call(k, finding.what), put_call(k, finding.advice);
      }
      throw ModelError(findings);
    }
  }

  void put_call(std::size_t k, std::string& text) const {
    const std::string name = name_of(k);
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + calls_[k].size()))
      text.replace(at, name.size(), calls_[k]);
  }

  Signal input(const std::string& name) const {
    for (std::size_t k = 0; k < computed_.size(); ++k) {
      if (name == name_of(k)) return computed_[k];
    }
    if (auto found = source_.find(name)) return *found;
    throw ModelError(where_, "\"" + text_ + "\": there is no channel \"" + name + "\".",
                     suggest(name, source_.names, "Channels"));
  }

  void require_same_abscissa(const Signal& a, const Signal& b) const {
    if (a.abscissa.name != b.abscissa.name)
      throw ModelError(
          where_,
          fmt::format("\"{}\": {} is over {}, {} over {}.", text_, a.name, a.abscissa.name, b.name, b.abscissa.name),
          "A formula has signals over time, or over frequency, and numbers.");
    if (a.x != b.x)
      throw ModelError(where_, fmt::format("\"{}\": {} and {} do not have the same points.", text_, a.name, b.name),
                       "Take both from one result, spectra with the same segments.");
  }

  Signal sampled(const expression::QuantityFormula& formula, const std::vector<Signal>& inputs,
                 const Signal& over) const {
    Signal out = over.like(trimmed(text_), formula.unit);
    std::vector<Dual<1>> values(inputs.size() + 1);
    for (std::size_t k = 0; k < over.x.size(); ++k) {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        values[i] = Dual<1>(inputs[i].is_number() ? inputs[i].y[0] : inputs[i].y[k]);
        values[i].d[0] = inputs[i].is_number() ? 0.0 : inputs[i].node(k).v;
      }
      values.back() = Dual<1>(over.x[k]), values.back().d[0] = 1;
      const Dual<1> y = formula.expression.evaluate(std::span<const Dual<1>>(values));
      out.y.push_back(y.v), out.rate.push_back(y.d[0]);
    }
    return out;
  }

  Signal constant(const expression::QuantityFormula& formula, const std::vector<Signal>& inputs) const {
    std::vector<double> values;
    for (const Signal& s : inputs) values.push_back(s.y[0]);
    values.push_back(unknown);  // there is no time to a number
    return Signal::number(trimmed(text_), formula.unit, formula.expression.evaluate(std::span<const double>(values)));
  }

  const std::string& text_;
  const SignalSource& source_;
  const Location& where_;
  std::vector<Signal> computed_;
  std::vector<std::string> calls_;  // how they are written
};

}  // namespace

Signal evaluate_formula(const std::string& text, const SignalSource& source, const Location& where) {
  if (auto channel = source.find(text)) return *channel;
  const std::string formula = text.starts_with('=') ? text.substr(1) : text;
  return Formula(formula, source, where).value();
}

bool looks_like_formula(const std::string& text) { return text.find_first_of("=(+-*/^") != std::string::npos; }

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (is_in_name(text[end]) || text[end] == '[' || text[end] == ']')) ++end;
    if (end > at && begins_name(text[at])) out.push_back(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return out;
}

Signal SignalArguments::signal(std::size_t k) const {
  Signal s = evaluate_formula(texts_[k], source_, where_);
  if (s.is_number()) fail("\"" + texts_[k] + "\" is a number, where a signal is expected.", "Name a channel.");
  return s;
}

double SignalArguments::quantity(std::size_t k, const std::string& unit) const {
  std::string text = texts_[k];
  std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
  const Quantity q = parse_quantity(text, where_);
  if (q.unit && q.unit->dimension != parse_unit(unit).dimension)
    fail("\"" + texts_[k] + "\" does not fit.",
         unit == "-" ? "Write a plain number." : "It is a quantity in " + unit + ".");
  return q.si();
}

void SignalArguments::fail(const std::string& what, const std::string& advice) const {
  throw ModelError(where_, what, advice);
}

}  // namespace skyhook::analysis
