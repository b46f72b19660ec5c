#include "skyhook/io/model_file/node.h"

#include <fmt/format.h>

#include <algorithm>

namespace skyhook::io::model_file {

Entry* find(Node& map, std::string_view key) {
  const auto found =
      std::find_if(map.entries.begin(), map.entries.end(), [&](const Entry& e) { return e.key.text == key; });
  return found == map.entries.end() ? nullptr : &*found;
}

const Entry* find(const Node& map, std::string_view key) { return find(const_cast<Node&>(map), key); }

void erase(Node& map, std::string_view key) {
  std::erase_if(map.entries, [&](const Entry& e) { return e.key.text == key; });
}

std::size_t count_nodes(const Node& node) {
  std::size_t count = 1;
  for (const Node& item : node.items) count += count_nodes(item);
  for (const Entry& entry : node.entries) count += 1 + count_nodes(entry.value);
  return count;
}

const char* kind_name(const Node& node) {
  switch (node.kind) {
    case Node::Kind::text: return "a text";
    case Node::Kind::list: return "a list";
    case Node::Kind::map: return "a map";
    default: return "nothing";
  }
}

Node node_at(int line, int column, Node::Kind kind) {
  Node node;
  node.kind = kind;
  node.line = line;
  node.column = column;
  return node;
}

Node text_node(std::string text, const Node& place) {
  Node node = node_at(place.line, place.column, Node::Kind::text);
  node.file = place.file;
  node.text = std::move(text);
  return node;
}

Node map_node(const Node& place) {
  Node node = node_at(place.line, place.column, Node::Kind::map);
  node.file = place.file;
  return node;
}

Node list_node(const Node& place) {
  Node list = text_node("", place);
  list.kind = Node::Kind::list;
  return list;
}

Node number_node(double value, const Node& place) { return text_node(fmt::format("{}", value), place); }

Node rows_node(const std::vector<double>& x, const std::vector<double>& y, const Node& place) {
  Node rows = list_node(place);
  rows.items.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    Node& row = rows.items.emplace_back(list_node(place));
    row.items = {number_node(x[i], place), number_node(y[i], place)};
  }
  return rows;
}

}  // namespace skyhook::io::model_file
