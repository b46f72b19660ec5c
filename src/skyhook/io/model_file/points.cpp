#include "skyhook/io/model_file/points.h"

#include <algorithm>

#include "skyhook/io/model_file/scalar.h"
#include "skyhook/io/model_file/slips.h"
#include "skyhook/io/model_file/yaml_parser.h"

namespace skyhook::io::model_file {

bool is_list_of_point(const Node& value, const std::string& what, Report& report) {
  const auto is_number = [](const Node& item) { return item.is_text() && !truth_of(item.text); };
  const auto wrong = std::ranges::find_if_not(value.items, is_number);
  if (value.items.size() != 3)
    report.add(value, what + " is a list of " + std::to_string(value.items.size()) + ", but a point has three numbers.",
               "Write [x, y, z].");
  else if (wrong != value.items.end())
    report.add(*wrong,
               what + " is a point of three numbers, but one of them is " +
                   (wrong->is_text() ? "a truth value" : kind_name(*wrong)) + ".",
               "Write [x, y, z].");
  return value.items.size() == 3 && wrong == value.items.end();
}

std::optional<Dimension> dimension_of_quantity(const Node& value) {
  if (!value.is_text() || is_expression(value.text)) return {};
  try {
    if (const auto unit = parse_quantity(value.text).unit) return unit->dimension;
  } catch (const ModelError&) {}  // told where it is read
  return {};
}

std::optional<Dimension> dimension_of_list(const Node& list) {
  for (const Node& item : list.items) {
    if (const auto dimension = dimension_of_quantity(item)) return dimension;
  }
  return {};
}

Node node_of_setting(const std::string& text, int file, Report& report) {
  Node place;
  place.file = file;
  if (text.find_first_not_of(' ') == std::string::npos || text[text.find_first_not_of(' ')] != '[')
    return text_node(text, place);
  Node list = text_node(text, place);
  try {
    Node map = parse_yaml("value: " + text, report.at(place).file, report, file);
    if (map.is_map() && map.entries.size() == 1 && map.entries[0].value.is_list()) list = map.entries[0].value;
  } catch (const ModelError&) {}  // then it is a text, and told where it is read
  list.line = list.column = 0;    // the command line has none
  for (Node& item : list.items) item.line = item.column = 0;
  return list;
}

std::string text_of_setting(const Node& value) {
  if (!value.is_list()) return value.text;
  std::string text;
  for (const Node& item : value.items) text += (text.empty() ? "[" : ", ") + item.text;
  return text + "]";
}

}  // namespace skyhook::io::model_file
