#include "reference_page.h"

#include <fmt/format.h>

#include <sstream>

#include "embedded.h"

namespace skyhook::app {
namespace {

// "joints" stand in src/skyhook/element/joint.
std::string page_path(const io::Thing& element) {
  const std::string folder = element.section.substr(0, element.section.size() - 1);
  return "src/skyhook/element/" + folder + "/" + element.name + ".md";
}

// The page without its title, its other headings lowered to `level` + 1 and below.
std::string body_of(std::string_view page, int level) {
  std::istringstream lines{std::string(page)};
  std::string body;
  bool is_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) is_code = !is_code;
    if (!is_code && line.starts_with("# ")) continue;
    const bool is_heading = !is_code && line.starts_with("#");
    body += (is_heading ? std::string(static_cast<std::size_t>(level - 1), '#') : "") + line + "\n";
  }
  return body;
}

std::string cell(std::string text) {
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

std::string field_table(const io::Thing& thing) {
  std::string table = "| field | type | unit | range | default | meaning |\n|---|---|---|---|---|---|\n";
  for (const io::DescribedField& f : thing.fields) {
    const std::string unit = f.info.unit;
    table += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", f.info.name, f.type_text(), unit == "-" ? "" : unit,
                         f.range_text(), f.info.is_required ? "required" : f.otherwise, cell(f.info.help));
  }
  return table;
}

}  // namespace

std::string reference_page(const io::Thing& thing, int level) {
  const std::string mark(static_cast<std::size_t>(level), '#');
  const std::string place = thing.section.empty() ? "" : fmt::format(" Stands under `{}`.", thing.section);
  std::string page = fmt::format("{} {}\n\n*{}.*{}\n", mark, thing.name, thing.summary, place);
  if (thing.is_element) page += body_of(embedded(page_path(thing)), level);
  return page + fmt::format("\n{}# Fields\n\n{}", mark, field_table(thing));
}

}  // namespace skyhook::app
