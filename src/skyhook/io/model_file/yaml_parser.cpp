#include "skyhook/io/model_file/yaml_parser.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "skyhook/io/model_file/plain_yaml.h"

namespace skyhook::io::model_file {
namespace {

// Builds the tree from the parser's events. yaml-cpp's own tree is not used: it keeps duplicate keys silently and
// expands aliases without limit.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& file, int file_number, Report& report)
      : file_(file), file_number_(file_number), report_(report) {}
  Node take_root() { return std::move(*root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    attach(node_of(mark, Node::Kind::nothing), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    Node node = node_of(mark, Node::Kind::text);
    node.text = text;
    node.quoted = tag == "!";
    attach(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(node_of(mark, Node::Kind::list), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(node_of(mark, Node::Kind::map), anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor;
    std::optional<Node> key;
  };
  struct Anchored {
    Node node;
    std::size_t size;
    int depth;
  };

  Node node_of(const YAML::Mark& mark, Node::Kind kind) const {
    Node node = node_at(mark.line + 1, mark.column + 1, kind);
    node.file = file_number_;
    return node;
  }
  [[noreturn]] void refuse(const Node& node, std::string what, std::string advice) const {
    throw ModelError({file_, node.line, node.column}, std::move(what), std::move(advice));
  }
  void open(Node node, YAML::anchor_t anchor);
  void close();
  void attach(Node node, YAML::anchor_t anchor);
  void add_to_map(Open& map, Node value);
  void drop_duplicates(Node& map);
  void count(const Node& node, std::size_t nodes);
  void check_depth(const Node& node, int below) const;

  std::string file_;
  int file_number_;
  Report& report_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::optional<Node> root_;
  std::size_t nodes_ = 0;
};

void Builder::count(const Node& node, std::size_t nodes) {
  if ((nodes_ += nodes) > most_nodes) {
    refuse(node, "the file holds more than a million values once its aliases are expanded.",
           "Use fewer aliases, or move tables into files of their own.");
  }
}

void Builder::check_depth(const Node& node, int below) const {
  if (static_cast<int>(stack_.size()) + below > most_depth) {
    refuse(node, "lists and maps are nested more than " + std::to_string(most_depth) + " deep.",
           "Write the file flatter.");
  }
}

void Builder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  Node place = node_of(mark, Node::Kind::nothing);
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) refuse(place, "this alias stands inside the value it repeats.", "Write the value out.");
  count(place, found->second.size);
  check_depth(place, found->second.depth);
  attach(found->second.node, 0);
}

void Builder::open(Node node, YAML::anchor_t anchor) {
  check_depth(node, 1);
  count(node, 1);
  stack_.push_back({std::move(node), anchor, {}});
}

void Builder::close() {
  Open done = std::move(stack_.back());
  stack_.pop_back();
  if (done.node.is_map()) drop_duplicates(done.node);
  attach(std::move(done.node), done.anchor);
}

void Builder::attach(Node node, YAML::anchor_t anchor) {
  if (anchor != 0) {
    const std::size_t size = count_nodes(node);
    count(node, size);
    anchors_.insert_or_assign(anchor, Anchored{node, size, depth_of(node)});
  }
  if (!node.is_map() && !node.is_list()) count(node, 1);
  if (stack_.empty()) {
    root_ = std::move(node);
  } else if (stack_.back().node.is_list()) {
    stack_.back().node.items.push_back(std::move(node));
  } else {
    add_to_map(stack_.back(), std::move(node));
  }
}

void Builder::add_to_map(Open& map, Node value) {
  if (map.key) {
    map.node.entries.push_back({std::move(*map.key), std::move(value)});
    map.key.reset();
  } else if (value.is_text()) {
    map.key = std::move(value);
  } else {
    refuse(value, std::string("a key must be a text, but here is ") + kind_name(value) + ".",
           "Inside { } or [ ] put a text that holds brackets or commas between quotes: \"link[i-1]\".");
  }
}

// yaml-cpp keeps a second value of the same key and ignores `<<`; both would change the model silently.
void Builder::drop_duplicates(Node& map) {
  std::unordered_map<std::string_view, int> seen;
  std::vector<Entry> kept;
  kept.reserve(map.entries.size());  // the views in `seen` point into it
  for (Entry& entry : map.entries) {
    const Node& key = entry.key;
    if (key.text == "<<" && !key.quoted) {
      report_.add(key, "the merge key \"<<\" is not supported.",
                  "Write the fields out; aliases of whole values (*name), parameters and repeats (name[i=1..3]) work.");
    } else if (const auto first = seen.find(key.text); first != seen.end()) {
      report_.add(
          key,
          "\"" + key.text + "\" stands here a second time, the first is in line " + std::to_string(first->second) + ".",
          "Remove or rename one of the two.");
    } else {
      kept.push_back(std::move(entry));
      seen.emplace(kept.back().key.text, kept.back().key.line);
    }
  }
  map.entries = std::move(kept);
}

void check_is_text(const std::string& text, const std::string& file) {
  if (text.size() > most_bytes) {
    throw ModelError({file}, "the file is larger than 64 MB.", "Move tables into files of their own.");
  }
  if (text.starts_with("\x89HDF"))
    throw ModelError({file}, "this is a result, not a model.",
                     "Give the model file; --from starts from a result, and `skyhook show` tells what is in it.");
  const auto is_odd = [](char c) {
    return (static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\r' && c != '\t') || c == 127;
  };
  const auto odd = std::find_if(text.begin(), text.end(), is_odd);
  if (odd == text.end()) return;
  const int line = 1 + static_cast<int>(std::count(text.begin(), odd, '\n'));
  throw ModelError({file, line, 0},
                   "this is not a text file: it holds the byte " + std::to_string(static_cast<int>(*odd)) + ".",
                   "Give a model file: YAML text in UTF-8 that starts with \"skyhook: 1\".");
}

// The first line, up to that of the error, whose indentation holds a tab; 0: none.
int line_with_tab(const std::string& text, int last) {
  std::istringstream stream(text);
  std::string row;
  for (int line = 1; line <= last && std::getline(stream, row); ++line) {
    if (row.substr(0, row.find_first_not_of(" \t")).find('\t') != std::string::npos) return line;
  }
  return 0;
}

ModelError syntax_error(const YAML::Exception& error, const std::string& text, const std::string& file) {
  if (const int line = line_with_tab(text, error.mark.line + 1); line > 0)
    return {
        {file, line, 1}, "a tab stands at the beginning of this line.", "YAML is indented with spaces: replace it."};
  const Location where{file, std::max(0, error.mark.line + 1), std::max(0, error.mark.column + 1)};
  return {
      where, "this is not valid YAML: " + error.msg + ".",
      "Look at this line and the one before: indentation, a missing ':' or bracket. Inside { } or [ ] put a text that "
      "holds brackets or commas between quotes: \"link[i-1]\"."};
}

}  // namespace

int depth_of(const Node& node) {
  int below = 0;
  for (const Node& item : node.items) below = std::max(below, depth_of(item));
  for (const Entry& entry : node.entries) below = std::max(below, depth_of(entry.value));
  return 1 + below;
}

Node parse_yaml(const std::string& text, const std::string& file, Report& report, int file_number) {
  check_is_text(text, file);
  if (auto plain = parse_plain_yaml(text, file_number); plain && plain->is_map()) return std::move(*plain);
  return parse_any_yaml(text, file, report, file_number);
}

Node parse_any_yaml(const std::string& text, const std::string& file, Report& report, int file_number) {
  check_is_text(text, file);
  const std::string start = "Start with \"skyhook: 1\".";
  std::istringstream stream(text);
  Builder builder(file, file_number, report);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) throw ModelError({file}, "the file is empty.", start);
    Node root = builder.take_root();
    Builder second(file, file_number, report);
    if (parser.HandleNextDocument(second)) {
      throw ModelError(report.at(second.take_root()), "a second document (after \"---\") begins here.",
                       "One file holds one model.");
    }
    if (root.is_nothing()) throw ModelError({file}, "the file is empty.", start);
    if (!root.is_map())
      throw ModelError(report.at(root),
                       std::string("a model is a map of sections, but here is ") + kind_name(root) + ".", start);
    return root;
  } catch (const YAML::Exception& error) {
    throw syntax_error(error, text, file);
  }
}

}  // namespace skyhook::io::model_file
