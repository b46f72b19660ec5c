#include "skyhook/io/flexible/calculix_materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ranges>

namespace skyhook::io::fe {
namespace {

std::string option(const Keyword& k, const char* name) {
  const auto found = k.options.find(name);
  return found == k.options.end() ? std::string() : upper_case(found->second);
}

}  // namespace

Keyword keyword_of(std::string_view line) {
  const auto parts = split(line.substr(1), ',');
  Keyword k{upper_case(parts[0]), {}};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t eq = parts[i].find('=');
    const std::string value =
        eq == std::string::npos ? "" : std::string(trimmed(std::string_view(parts[i]).substr(eq + 1)));
    k.options[upper_case(trimmed(std::string_view(parts[i]).substr(0, eq)))] = value;
  }
  return k;
}

std::vector<int> generated(const std::vector<std::string>& cells, const Location& where) {
  if (cells.size() < 2)
    throw ModelError(where, "GENERATE needs a first and a last number.", "Write: first, last, step.");
  const long first = fe_integer(cells[0], where), last = fe_integer(cells[1], where);
  const long step = cells.size() > 2 && !cells[2].empty() ? fe_integer(cells[2], where) : 1;
  constexpr long most = 10'000'000;
  if (step <= 0 || last < first || (last - first) / step >= most)
    throw ModelError(where, fmt::format("GENERATE from {} to {} by {} makes no list.", first, last, step),
                     fmt::format("Rising numbers, at most {}.", most));
  std::vector<int> out;
  for (long n = first; n <= last; n += step) out.push_back(static_cast<int>(n));
  return out;
}

void CalculixMaterials::begin(const Keyword& keyword) {
  keyword_ = keyword;
  if (keyword.name == "MATERIAL") material_ = option(keyword, "NAME");
  constexpr std::array sections{"SOLID SECTION", "SHELL SECTION", "BEAM SECTION"};
  if (std::ranges::count(sections, keyword.name) > 0)
    sections_.emplace_back(option(keyword, "ELSET"), option(keyword, "MATERIAL"));
}

void CalculixMaterials::data(std::string_view line, const Location& where) {
  if (keyword_.name == "ELSET") element_set(line, where);
  if (keyword_.name == "ELASTIC") elastic(line, where);
  if (keyword_.name.ends_with("SECTION")) section(line, where);
}

// ccx does not come to an end with such sizes.
void CalculixMaterials::section(std::string_view line, const Location& where) const {
  for (const std::string& cell : split(line, ',')) {
    char* end = nullptr;
    const double size = std::strtod(cell.c_str(), &end);
    if (end != cell.c_str() && *end == 0 && !std::isfinite(size))
      throw ModelError(where, "a section has no size of " + cell + ".", "Write a number.");
  }
}

void CalculixMaterials::add_element(int number, const Keyword& element) {
  sets_[option(element, "ELSET")].insert(number);
}

void CalculixMaterials::element_set(std::string_view line, const Location& where) {
  std::set<int>& members = sets_[option(keyword_, "ELSET")];
  const auto cells = split(line, ',');
  if (keyword_.options.contains("GENERATE")) {
    const auto numbers = generated(cells, where);
    return members.insert(numbers.begin(), numbers.end());
  }
  for (const std::string& cell : cells) {
    if (cell.empty()) continue;
    if (const auto other = sets_.find(upper_case(cell)); !fe_number(cell) && other != sets_.end())
      members.insert(other->second.begin(), other->second.end());
    else if (fe_number(cell))
      members.insert(fe_integer(cell, where));
  }
}

// The first line: modulus and Poisson's ratio, perhaps with a temperature.
void CalculixMaterials::elastic(std::string_view line, const Location& where) {
  const std::string type = option(keyword_, "TYPE");
  const bool is_isotropic = type.empty() || type.starts_with("ISO");
  if (!is_isotropic || materials_.contains(material_)) return;
  const auto cells = split(line, ',');
  const double young = fe_number(cells[0], where), poisson = cells.size() > 1 ? fe_number(cells[1], where) : 0;
  materials_[material_] = {young, young / (2 * (1 + poisson)), 0};
}

std::optional<flexible::Material> CalculixMaterials::of(int element) const {
  for (const auto& [set, material] : std::views::reverse(sections_)) {
    const auto members = sets_.find(set);
    if (members == sets_.end() || !members->second.contains(element)) continue;
    const auto found = materials_.find(material);
    return found == materials_.end() ? std::nullopt : std::optional(found->second);
  }
  return {};
}

}  // namespace skyhook::io::fe
