#include "skyhook/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace skyhook {
namespace {

struct NamedUnit {
  std::string_view name;
  double factor;
  Dimension dimension;
  bool takes_prefix = false;
};

constexpr Dimension none{};
constexpr Dimension length = Dimension::of(1);
constexpr Dimension mass = Dimension::of(0, 1);
constexpr Dimension time = Dimension::of(0, 0, 1);
constexpr Dimension force = Dimension::of(1, 1, -2);
constexpr Dimension pressure = Dimension::of(-1, 1, -2);
constexpr Dimension energy = Dimension::of(2, 1, -2);
constexpr Dimension power = Dimension::of(2, 1, -3);
constexpr Dimension voltage = Dimension::of(2, 1, -3, -1);
constexpr double pound = 0.45359237, inch = 0.0254, standard_gravity = 9.80665;

// The most common first: messages list the head of this table.
constexpr NamedUnit units[] = {
    {"m", 1.0, length, true},
    {"kg", 1.0, mass},
    {"s", 1.0, time, true},
    {"N", 1.0, force, true},
    {"rad", 1.0, none, true},
    {"deg", std::numbers::pi / 180.0, none},
    {"Hz", 1.0, none / time, true},
    {"mm", 1e-3, length},
    {"kN", 1e3, force},
    {"km", 1e3, length},
    {"h", 3600.0, time},
    {"rpm", 2.0 * std::numbers::pi / 60.0, none / time},
    {"Pa", 1.0, pressure, true},
    {"J", 1.0, energy, true},
    {"W", 1.0, power, true},
    {"min", 60.0, time},
    {"g", 1e-3, mass, true},
    {"t", 1e3, mass},
    {"bar", 1e5, pressure, true},
    {"L", 1e-3, Dimension::of(3), true},
    {"l", 1e-3, Dimension::of(3), true},
    {"rev", 2.0 * std::numbers::pi, none},
    {"%", 0.01, none},
    {"A", 1.0, Dimension::of(0, 0, 0, 1), true},
    {"V", 1.0, voltage, true},
    {"ohm", 1.0, voltage / Dimension::of(0, 0, 0, 1), true},
    {"H", 1.0, voltage* time / Dimension::of(0, 0, 0, 1), true},
    {"K", 1.0, Dimension::of(0, 0, 0, 0, 1), true},
    {"in", inch, length},
    {"ft", 12.0 * inch, length},
    {"mile", 5280.0 * 12.0 * inch, length},
    {"mph", 5280.0 * 12.0 * inch / 3600.0, length / time},
    {"lb", pound, mass},
    {"lbf", pound* standard_gravity, force},
    {"psi", pound* standard_gravity / (inch * inch), pressure},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {{"n", 1e-9}, {"u", 1e-6}, {"µ", 1e-6}, {"m", 1e-3}, {"c", 1e-2},
                               {"d", 1e-1}, {"k", 1e3},  {"M", 1e6},  {"G", 1e9}};

// Whole names win over prefixes: "min" is a minute.
std::optional<Unit> find_unit(std::string_view name) {
  for (const NamedUnit& u : units) {
    if (u.name == name) return Unit{u.factor, u.dimension};
  }
  for (const Prefix& p : prefixes) {
    if (!name.starts_with(p.name)) continue;
    for (const NamedUnit& u : units) {
      if (u.takes_prefix && u.name == name.substr(p.name.size())) return Unit{p.factor * u.factor, u.dimension};
    }
  }
  return std::nullopt;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80 || c == '_' ||
         c == '%';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// What people write for a unit, and what they mean.
struct NearMiss {
  std::string_view written, meant;
};
constexpr NearMiss near_misses[] = {
    {"kgs", "kg"},         {"Kg", "kg"},         {"KG", "kg"},          {"kilogram", "kg"}, {"kilograms", "kg"},
    {"gram", "g"},         {"grams", "g"},       {"ton", "t"},          {"tons", "t"},      {"tonne", "t"},
    {"tonnes", "t"},       {"pound", "lb"},      {"pounds", "lb"},      {"lbs", "lb"},      {"sec", "s"},
    {"secs", "s"},         {"second", "s"},      {"seconds", "s"},      {"msec", "ms"},     {"msecs", "ms"},
    {"usec", "us"},        {"minute", "min"},    {"minutes", "min"},    {"mins", "min"},    {"hr", "h"},
    {"hrs", "h"},          {"hour", "h"},        {"hours", "h"},        {"meter", "m"},     {"meters", "m"},
    {"metre", "m"},        {"metres", "m"},      {"mtr", "m"},          {"mms", "mm"},      {"millimeter", "mm"},
    {"millimeters", "mm"}, {"millimetre", "mm"}, {"millimetres", "mm"}, {"inch", "in"},     {"inches", "in"},
    {"feet", "ft"},        {"foot", "ft"},       {"miles", "mile"},     {"degree", "deg"},  {"degrees", "deg"},
    {"degs", "deg"},       {"°", "deg"},         {"radian", "rad"},     {"radians", "rad"}, {"rads", "rad"},
    {"newton", "N"},       {"newtons", "N"},     {"Newton", "N"},       {"pascal", "Pa"},   {"mpa", "MPa"},
    {"kph", "km/h"},       {"kmh", "km/h"},      {"kmph", "km/h"},      {"mps", "m/s"},     {"kps", "km/s"},
    {"liter", "L"},        {"litre", "L"},       {"percent", "%"},      {"turn", "rev"},    {"turns", "rev"},
};

// The same letters with other capitals: "KN" is kN, "hz" is Hz.
std::optional<std::string> with_right_capitals(const std::string& name) {
  const auto same = [&](const std::string& other) {
    return std::ranges::equal(
        name, other, {}, [](unsigned char c) { return std::tolower(c); },
        [](unsigned char c) { return std::tolower(c); });
  };
  for (const NamedUnit& u : units) {
    if (same(std::string(u.name))) return std::string(u.name);
  }
  for (const NamedUnit& u : units) {
    for (const Prefix& p : prefixes) {
      const std::string prefixed = std::string(p.name) + std::string(u.name);
      if (u.takes_prefix && p.name != "n" && same(prefixed)) return prefixed;  // "Nm" is no nanometre
    }
  }
  return {};
}

// What people write instead: "Nm" for N.m, "kNs" for kN.s, "degC" for a temperature with an offset.
std::string advice_for_unknown(const std::string& name) {
  if (name == "degC" || name == "C" || name == "degF" || name == "F") return "Temperatures are written in K.";
  const auto miss = std::ranges::find(near_misses, name, &NearMiss::written);
  if (miss != std::end(near_misses)) return fmt::format("Did you mean \"{}\"?", miss->meant);
  if (const auto right = with_right_capitals(name)) return fmt::format("Did you mean \"{}\"?", *right);
  for (std::size_t i = 1; i < name.size(); ++i) {
    const std::string head = name.substr(0, i), tail = name.substr(i);
    if (find_unit(head) && find_unit(tail))
      return fmt::format("Did you mean \"{}.{}\"? A product needs a dot.", head, tail);
  }
  return suggest(name, unit_names(), "Units");
}

class UnitParser {
 public:
  UnitParser(std::string_view text, const Location& where) : text_(text), where_(where) {}

  Unit parse() {
    if (const std::string_view all = trimmed(text_); all.empty() || all == "-") return {};
    const Unit unit = product();
    if (at_ < text_.size()) {
      fail(at_, fmt::format("unexpected \"{}\" in the unit \"{}\".", next_character(), text_),
           is_name_character(text_[at_]) ? "A product needs a dot, as in N.m." : "");
    }
    if (!std::isfinite(unit.factor) || unit.factor == 0.0)
      fail(0, fmt::format("the unit \"{}\" is out of range.", text_));
    return unit;
  }

 private:
  [[noreturn]] void fail(std::size_t offset, std::string what, std::string advice = {}) const {
    throw ModelError(advanced(where_, text_, offset), std::move(what), std::move(advice));
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool accept(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // A whole UTF-8 character, so that messages stay readable.
  std::string_view next_character() const {
    std::size_t n = 1;
    while (at_ + n < text_.size() && (static_cast<unsigned char>(text_[at_ + n]) & 0xC0) == 0x80) ++n;
    return text_.substr(at_, n);
  }

  Unit product() {
    Unit result = factor();
    for (bool divided = false;;) {
      skip_space();
      const std::size_t at_operator = at_;
      if (accept('/')) {
        const Unit f = factor();
        result = {result.factor / f.factor, result.dimension / f.dimension};
        divided = true;
      } else if (accept('.') || accept('*')) {
        if (divided) fail_ambiguous(at_operator);
        const Unit f = factor();
        result = {result.factor * f.factor, result.dimension * f.dimension};
      } else {
        return result;
      }
    }
  }

  [[noreturn]] void fail_ambiguous(std::size_t offset) const {
    fail(offset, fmt::format("the unit \"{}\" is ambiguous: a product follows a division.", text_),
         "Write a/(b.c) or a.c/b.");
  }

  Unit factor() {
    skip_space();
    const Unit base = accept('(') ? parenthesised() : symbol();
    if (!accept('^')) return base;
    const std::size_t at_exponent = at_;
    const double n = exponent();
    const auto dimension = pow(base.dimension, n);
    if (!dimension) fail(at_exponent, fmt::format("the exponent {} in the unit \"{}\" is not usable.", n, text_));
    return {std::pow(base.factor, n), *dimension};
  }

  Unit parenthesised() {
    constexpr int deepest = 20;
    const std::size_t opened = at_ - 1;
    if (++depth_ > deepest) fail(opened, "the unit has too many nested parentheses.");
    const Unit inner = product();
    if (!accept(')')) fail(opened, fmt::format("a parenthesis in the unit \"{}\" is not closed.", text_));
    --depth_;
    return inner;
  }

  Unit symbol() {
    const std::size_t begin = at_;
    if (accept('1') && (at_ == text_.size() || !is_digit(text_[at_]))) return {};
    at_ = begin;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (name.empty()) fail_missing();
    const std::optional<Unit> unit = find_unit(name);
    if (unit && at_ < text_.size() && is_digit(text_[at_])) {
      fail(at_, fmt::format("\"{}{}\" is no unit.", name, text_[at_]),
           fmt::format("Powers are written with a hat: {}^{}.", name, text_[at_]));
    }
    if (!unit) fail(begin, fmt::format("unknown unit \"{}\".", name), advice_for_unknown(name));
    return *unit;
  }

  [[noreturn]] void fail_missing() const {
    if (at_ >= text_.size()) fail(at_, fmt::format("the unit \"{}\" ends where a unit name is expected.", text_));
    fail(at_, fmt::format("unexpected \"{}\" in the unit \"{}\".", next_character(), text_),
         "A unit looks like kN.s/m, km/h or N/m^1.5.");
  }

  // "2", "-1", "1.5" or "(3/2)"
  double exponent() {
    const bool in_parentheses = accept('(');
    double value = signed_number();
    if (in_parentheses && accept('/')) value /= signed_number();
    if (in_parentheses && !accept(')'))
      fail(at_, fmt::format("a parenthesis in the unit \"{}\" is not closed.", text_));
    return value;
  }
  double signed_number() {
    const double sign = accept('-') ? -1.0 : 1.0;
    skip_space();
    const std::size_t begin = at_;
    skip_digits();
    const bool fraction = at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1]);
    if (fraction) ++at_, skip_digits();  // the dot of m^2.s is a product
    std::size_t position = 0;
    const auto number = read_number(text_.substr(begin, at_ - begin), position);
    if (!number) fail(begin, fmt::format("a number is expected after \"^\" in the unit \"{}\".", text_));
    return sign * *number;
  }
  void skip_digits() {
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  }

  std::string_view text_;
  Location where_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

constexpr std::array<std::string_view, 5> base_names = {"m", "kg", "s", "A", "K"};
constexpr std::array<std::size_t, 5> base_order = {1, 0, 2, 3, 4};  // kg first, as in kg.m^2

// "kg.m^2" of the base units whose exponents have this sign, and how many they are.
std::pair<std::string, int> factors_with_sign(const Dimension& dimension, int sign) {
  std::string text;
  int count = 0;
  for (const std::size_t i : base_order) {
    const int twice = sign * dimension.twice[i];
    if (twice <= 0) continue;
    if (count++ > 0) text += '.';
    text += base_names[i];
    if (twice != 2) text += fmt::format("^{}", twice / 2.0);
  }
  return {text, count};
}

}  // namespace

std::optional<Dimension> pow(const Dimension& base, double exponent) {
  constexpr double largest = 200.0;
  Dimension result;
  for (std::size_t i = 0; i < base.twice.size(); ++i) {
    const double twice = base.twice[i] * exponent;
    if (!(std::abs(twice) <= largest) || std::abs(twice - std::round(twice)) > 1e-9) return std::nullopt;
    result.twice[i] = static_cast<int>(std::round(twice));
  }
  return result;
}

std::string to_string(const Dimension& dimension) {
  static constexpr std::array<std::string_view, 12> usual = {"N",  "N/m", "N.s/m",   "N.m",  "N.m.s", "N.s",
                                                             "Pa", "W",   "N/m^1.5", "Pa.s", "V",     "ohm"};
  static const auto dimensions = [] {  // each number of a model file asks
    std::array<Dimension, usual.size()> all;
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = parse_unit(usual[k]).dimension;
    return all;
  }();
  const auto known = std::ranges::find(dimensions, dimension);
  if (known != dimensions.end()) return std::string(usual[static_cast<std::size_t>(known - dimensions.begin())]);
  const auto [numerator, count] = factors_with_sign(dimension, 1);
  const auto [denominator, count_below] = factors_with_sign(dimension, -1);
  const std::string above = count == 0 ? "1" : numerator;
  if (count_below == 0) return above;
  return above + (count_below == 1 ? "/" + denominator : "/(" + denominator + ")");
}

double Unit::to_si(double value) const {
  const double divisor = std::round(1.0 / factor);
  return factor < 1.0 && 1.0 / divisor == factor ? value / divisor : value * factor;
}

Unit parse_unit(std::string_view text, const Location& where) { return UnitParser(text, where).parse(); }

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const NamedUnit& u : units) names.emplace_back(u.name);
  return names;
}

Quantity parse_quantity(std::string_view text, const Location& where) {
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at])) ++at;
  const std::size_t begin = at;
  const bool negative = at < text.size() && text[at] == '-';
  if (negative || (at < text.size() && text[at] == '+')) ++at;
  const std::size_t at_number = at;
  const auto number = read_number(text, at);
  if (!number) {
    const std::string shown(trimmed(text));
    if (at > at_number)
      throw ModelError(advanced(where, text, begin), fmt::format("the number \"{}\" is out of range.", shown));
    throw ModelError(advanced(where, text, begin), fmt::format("\"{}\" is not a number.", shown),
                     "Write a finite number and a unit, like 85 kN/m or -2.5.");
  }
  Quantity quantity{negative ? -*number : *number, std::nullopt};
  while (at < text.size() && is_space(text[at])) ++at;
  if (at < text.size()) quantity.unit = parse_unit(trimmed(text.substr(at)), advanced(where, text, at));
  return quantity;
}

std::optional<double> read_number(std::string_view text, std::size_t& position) {
  const std::string_view rest = text.substr(std::min(position, text.size()));
  const bool starts = !rest.empty() && (is_digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1])));
  if (!starts) return std::nullopt;  // from_chars would take "inf", "nan" and a sign
  double value = 0.0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  position += static_cast<std::size_t>(end - rest.data());
  if (error != std::errc{}) return std::nullopt;
  return value;
}

Location advanced(Location where, std::string_view text, std::size_t offset) {
  if (where.column <= 0) return where;
  for (const char c : text.substr(0, offset)) {
    where.column = c == '\n' ? 1 : where.column + 1;
    where.line += c == '\n' ? 1 : 0;
  }
  return where;
}

}  // namespace skyhook
