#include "skyhook/analysis/compare_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "skyhook/base/error.h"
#include "skyhook/base/wildcard.h"
#include "skyhook/corrector/strategy.h"

namespace skyhook::analysis {
namespace {

// What is wrong with an option as it was written.
class Written {
 public:
  Written(std::string option, std::string advice) : option_(std::move(option)), advice_(std::move(advice)) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw ModelError({"command line"}, option_ + ": " + why + ".", advice_);
  }

  double number(const std::string& text) const {
    char* rest = nullptr;
    const double value = std::strtod(text.c_str(), &rest);
    if (text.empty() || *rest != '\0') refuse("\"" + text + "\" is no number");
    return value;
  }

  double tolerance(const std::string& text) const {
    const double value = number(text);
    if (!(value > 0 && value <= loosest_tolerance))  // NaN too
      refuse(fmt::format("a tolerance is {}, but must be above 0 and at most {}", text, loosest_tolerance));
    if (value < tightest_tolerance)
      refuse(fmt::format("a tolerance of {} is finer than double precision; {} is the tightest", text,
                         tightest_tolerance));
    return value;
  }

 private:
  std::string option_, advice_;
};

std::string trimmed(const std::string& s) {
  const std::size_t first = s.find_first_not_of(" \t"), last = s.find_last_not_of(" \t");
  return first == std::string::npos ? "" : s.substr(first, last - first + 1);
}

std::vector<std::string> items(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    out.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

int values_a_decade(const std::string& text, const Written& written) {
  const double n = written.number(text);
  if (!(n >= 1 && n <= 10 && n == std::floor(n)))
    written.refuse("after the colon comes the number of values a decade, 1 to 10");
  return static_cast<int>(n);
}

void add_range(const std::string& item, const Written& written, std::vector<double>& out) {
  const std::size_t dots = item.find("..");
  std::string rest = item.substr(dots + 2);
  if (rest.starts_with('.')) written.refuse("\"...\" is ambiguous");
  int each = 1;
  if (const std::size_t colon = rest.find(':'); colon != std::string::npos) {
    each = values_a_decade(trimmed(rest.substr(colon + 1)), written);
    rest = rest.substr(0, colon);
  }
  const std::string first = trimmed(item.substr(0, dots)), last = trimmed(rest);
  const double from = written.tolerance(first), to = written.tolerance(last);
  if (from < to) written.refuse(fmt::format("the loosest comes first: write {}..{}", last, first));
  const auto count = static_cast<int>(std::floor(each * std::log10(from / to) + 1e-9));
  for (int k = 0; k <= count; ++k) out.push_back(rounded(from * std::pow(10.0, -static_cast<double>(k) / each)));
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::vector<std::string> matching(const std::string& pattern, const std::vector<std::string>& names) {
  std::vector<std::string> out;
  std::copy_if(names.begin(), names.end(), std::back_inserter(out),
               [&](const std::string& name) { return matches(pattern, name); });
  return out;
}

[[noreturn]] void refuse_pattern(const std::string& option, const std::string& pattern, const SolverNames& names) {
  std::vector<std::string> known = names.working;
  known.insert(known.end(), names.study.begin(), names.study.end());
  throw ModelError({"command line"}, option + ": there is no solver \"" + pattern + "\".",
                   suggest(pattern, known, "Solvers"));
}

std::vector<std::string> meant_by(const std::string& item, const std::string& option, const SolverNames& names) {
  const bool is_pattern = item == "all" || item.find_first_of("*?") != std::string::npos;
  if (!is_pattern) return {names.resolve(item)};
  const std::string pattern = item == "all" ? "*" : item;
  std::vector<std::string> out = matching(pattern, names.working);
  if (out.empty()) out = matching(pattern, names.study);
  if (out.empty()) refuse_pattern(option, item, names);
  return out;
}

}  // namespace

double rounded(double tolerance) { return std::strtod(fmt::format("{:.6g}", tolerance).c_str(), nullptr); }

std::vector<double> parse_tolerances(const std::string& text) {
  const Written written("--tolerances " + text,
                        "For example --tolerances 1e-3..1e-9 (each decade), 1e-3..1e-9:2 (two a decade), 1e-4,1e-6.");
  std::vector<double> out;
  for (const std::string& item : items(text)) {
    if (item.find("..") != std::string::npos)
      add_range(item, written, out);
    else
      out.push_back(written.tolerance(item));
  }
  std::sort(out.begin(), out.end(), std::greater<>());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::string> expand_solvers(const std::string& text, const SolverNames& names) {
  if (trimmed(text).empty()) return names.recommended;
  std::vector<std::string> out;
  for (const std::string& item : items(text)) {
    for (const std::string& name : meant_by(item, "--solvers " + text, names)) {
      if (!contains(out, name)) out.push_back(name);
    }
  }
  return out;
}

std::vector<std::string> parse_jacobians(const std::string& text) {
  const std::string given = trimmed(text);
  if (given.empty() || given == "all") {
    std::vector<std::string> all = jacobian_names();
    std::ranges::stable_partition(all, [](const std::string& name) { return name.starts_with("dense"); });
    return all;
  }
  std::vector<std::string> out;
  for (const std::string& item : items(given)) {
    if (!find_jacobian(item))
      throw ModelError({"command line"}, "--jacobians " + text + ": there is no Jacobian strategy \"" + item + "\".",
                       suggest(item, jacobian_names(), "Strategies"));
    if (!contains(out, item)) out.push_back(item);
  }
  return out;
}

SolverAtTolerance parse_reference(const std::string& text, const SolverNames& names) {
  const Written written("--reference " + text, "It is SOLVER@TOLERANCE, for example --reference ida@1e-11.");
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos) written.refuse("it has no tolerance");
  const std::string solver = names.resolve(trimmed(text.substr(0, at)));
  return {solver, written.tolerance(trimmed(text.substr(at + 1)))};
}

}  // namespace skyhook::analysis
