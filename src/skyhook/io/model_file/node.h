// A model file as a tree of our own: every node knows its line, aliases are expanded, keys are unique.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace skyhook::io::model_file {

struct Entry;

struct Node {
  enum class Kind { nothing, text, list, map };
  Kind kind = Kind::nothing;
  bool quoted = false;
  int line = 0, column = 0;    // from 1
  int file = 0;                // number in the report's list of files
  std::string text;            // of a text, as written
  std::vector<Node> items;     // of a list
  std::vector<Entry> entries;  // of a map, in the order of the file

  bool is_nothing() const { return kind == Kind::nothing; }
  bool is_text() const { return kind == Kind::text; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
};

struct Entry {
  Node key, value;
};

Entry* find(Node& map, std::string_view key);  // nullptr: not there
const Entry* find(const Node& map, std::string_view key);
void erase(Node& map, std::string_view key);
std::size_t count_nodes(const Node& node);
// "a text", "a list", "a map", "nothing": for messages
const char* kind_name(const Node& node);
// Of the given kind, at a place of the file.
Node node_at(int line, int column, Node::Kind kind);
Node text_node(std::string text, const Node& place);
Node map_node(const Node& place);
Node list_node(const Node& place);
Node number_node(double value, const Node& place);
// [[x, y], ...]
Node rows_node(const std::vector<double>& x, const std::vector<double>& y, const Node& place);

}  // namespace skyhook::io::model_file
