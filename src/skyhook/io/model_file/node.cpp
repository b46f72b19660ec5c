#include "skyhook/io/model_file/node.h"

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

}  // namespace skyhook::io::model_file
