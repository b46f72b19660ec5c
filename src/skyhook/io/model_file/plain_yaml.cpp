#include "skyhook/io/model_file/plain_yaml.h"

#include <array>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "skyhook/io/model_file/yaml_parser.h"

namespace skyhook::io::model_file {
namespace {

struct NotPlain {};

constexpr auto is_in(std::string_view list) {
  std::array<bool, 256> out{};
  for (const char c : list) out[static_cast<unsigned char>(c)] = true;
  return out;
}
// What begins something else than a text: YAML 1.2, section 5.3, "indicators".
constexpr auto indicators = is_in("-?:,[]{}#&*!|>'\"%@`"), closers = is_in(",]}");
bool is(char c, const std::array<bool, 256>& of_these) { return of_these[static_cast<unsigned char>(c)]; }

bool is_null(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

constexpr std::size_t longest_key =
    1000;  // yaml-cpp takes no key behind which a colon comes after more than 1024 characters

class Parser {
 public:
  Parser(std::string_view text, int file) : text_(text), file_(file) {}
  Node document();

 private:
  struct Depth {  // of lists and maps within each other
    explicit Depth(int& count) : count_(count) { require(++count_ < most_depth); }
    ~Depth() { --count_; }
    int& count_;
  };

  static void require(bool is_plain) {
    if (!is_plain) throw NotPlain{};
  }
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\n'; }
  char here() const { return at(i_); }
  bool is_blank(std::size_t i) const { return at(i) == ' ' || at(i) == '\n'; }
  bool is_dash() const { return here() == '-' && is_blank(i_ + 1); }
  bool is_colon(std::size_t i) const { return at(i) == ':' && is_blank(i + 1); }
  bool ends() const { return i_ >= text_.size(); }
  bool line_ends() const { return ends() || here() == '\n' || here() == '#'; }
  int column() const { return static_cast<int>(i_ - line_begin_); }

  Node node(Node::Kind kind);
  void skip_blanks();
  void end_line();
  void to_content();
  void to_next();
  void to_next_in_brackets();
  Node block(int indent);
  Node map(int indent);
  Node list(int indent);
  Node value_in_block(int indent);
  Node value_behind(int indent);
  Node item(int indent);
  Node folded(int indent);
  Node anchored(const std::function<Node()>& read);
  Node alias(bool in_brackets);
  std::string_view name();
  Node value_here(bool in_brackets);
  bool is_key() const;
  Node brackets();
  Node map_in_brackets();
  Node list_in_brackets();
  Node value_in_brackets();
  Node text(bool in_brackets);
  Node quoted();
  std::size_t end_of_plain(std::size_t i, bool in_brackets) const;
  void add(Node& map, Node key, Node value);
  static void require_once_each(const Node& map);

  std::string_view text_;
  int file_;
  std::size_t i_ = 0, line_begin_ = 0;
  int line_ = 1, depth_ = 0;
  std::size_t nodes_ = 0;
  std::unordered_map<std::string_view, Node> anchors_;
};

Node Parser::node(Node::Kind kind) {
  require(++nodes_ < most_nodes);
  Node node = node_at(line_, column() + 1, kind);
  node.file = file_;
  return node;
}

void Parser::skip_blanks() {
  while (!ends() && text_[i_] == ' ') ++i_;
}

// Where only a comment may still stand.
void Parser::end_line() {
  const std::size_t begin = i_;
  skip_blanks();
  require(ends() || here() == '\n' || (here() == '#' && i_ > begin));
}

// From the end of a line, or from its comment on, to the first character of the next line that holds more.
void Parser::to_content() {
  while (!ends() && (here() == '\n' || here() == '#')) {
    i_ = text_.find('\n', i_);
    if (i_ == text_.npos) return void(i_ = text_.size());
    line_begin_ = ++i_, ++line_;
    skip_blanks();
  }
}

void Parser::to_next() {
  end_line();
  to_content();
}

void Parser::to_next_in_brackets() {
  const std::size_t begin = i_;
  skip_blanks();
  require(here() != '#' || i_ > begin);
  to_content();
  require(!ends() && !(column() == 0 && (here() == '-' || here() == '.')));  // of a mark between documents
}

Node Parser::document() {
  require(!text_.empty() && static_cast<unsigned char>(text_[0]) < 128 && text_.find('\t') == text_.npos &&
          text_.find('\r') == text_.npos);
  skip_blanks();
  to_content();
  require(!ends());
  Node root = block(-1);
  require(ends());
  return root;
}

// Below a key or a dash that stands at `indent`.
Node Parser::block(int indent) {
  if (is_dash()) return list(column());
  return is_key() ? map(column()) : value_behind(indent);
}

bool Parser::is_key() const {
  if (here() == '{' || here() == '[') return false;
  const char quote = here();
  const bool has_quotes = quote == '"' || quote == '\'';
  const std::size_t end = has_quotes ? text_.find(quote, i_ + 1) + 1 : end_of_plain(i_, false);
  return end - i_ < longest_key && is_colon(end);
}

Node Parser::map(int indent) {
  const Depth depth(depth_);
  Node map = node(Node::Kind::map);
  while (!ends() && column() == indent) {
    require(is_key());
    Node key = text(false);
    require(is_colon(i_));
    ++i_;
    add(map, std::move(key), value_in_block(indent));
  }
  require(ends() || column() < indent);
  require_once_each(map);
  return map;
}

// Behind the colon, on the same line or below; a list may begin where its key does.
Node Parser::value_in_block(int indent) {
  skip_blanks();
  if (here() == '&') return anchored([&] { return value_in_block(indent); });
  if (!line_ends()) return value_behind(indent);
  to_content();
  require(!ends());
  return column() > indent || (column() == indent && is_dash()) ? block(indent) : node(Node::Kind::nothing);
}

// A text or brackets, with nothing behind them on the line.
Node Parser::value_behind(int indent) {
  Node value = here() == '>' ? folded(indent) : value_here(false);
  to_next();
  require(ends() || column() <= indent);  // else the text goes on
  return value;
}

// ">-": the lines below, of which none is empty and all begin in the same column, as one.
Node Parser::folded(int indent) {
  Node node = this->node(Node::Kind::text);
  node.quoted = true;
  require(at(i_ + 1) == '-');
  i_ += 2, skip_blanks();
  int column_of_lines = -1;
  while (i_ + 1 < text_.size() && here() == '\n') {
    const std::size_t begin = text_.find_first_not_of(' ', i_ + 1),
                      end = std::min(text_.find('\n', i_ + 1), text_.size());
    require(begin < end && text_[end - 1] != ' ');
    const int own = static_cast<int>(begin - i_) - 1;
    if (column_of_lines < 0) require(own > indent), column_of_lines = own;
    if (own < column_of_lines) break;
    require(own == column_of_lines);
    line_begin_ = i_ + 1, ++line_, i_ = end;
    node.text += (node.text.empty() ? "" : " ") + std::string(text_.substr(begin, end - begin));
  }
  require(!node.text.empty());
  return node;
}

Node Parser::list(int indent) {
  const Depth depth(depth_);
  Node list = node(Node::Kind::list);
  while (!ends() && column() == indent && is_dash()) {
    ++i_;
    list.items.push_back(item(indent));
  }
  require(ends() || column() <= indent);
  return list;
}

Node Parser::item(int indent) {
  skip_blanks();
  if (here() == '&') return anchored([&] { return require(line_ends() || (!is_dash() && !is_key())), item(indent); });
  if (line_ends()) {
    to_content();
    require(!ends() && column() > indent);
  }
  return block(indent);
}

std::string_view Parser::name() {
  const std::size_t begin = ++i_;
  while (std::isalnum(static_cast<unsigned char>(here())) != 0 || here() == '_') ++i_;
  return text_.substr(begin, i_ - begin);
}

// The value stands where its anchor does, for yaml-cpp.
Node Parser::anchored(const std::function<Node()>& read) {
  const int line = line_, at = column() + 1;
  const std::string_view own = name();
  require(!own.empty() && is_blank(i_) && anchors_.count(own) == 0);
  skip_blanks();
  require(here() != '*' && here() != '&');
  Node value = read();
  require(!value.is_nothing());
  value.line = line, value.column = at;
  require(anchors_.emplace(own, value).second);
  return value;
}

Node Parser::alias(bool in_brackets) {
  const auto found = anchors_.find(name());
  require(found != anchors_.end() && (is_blank(i_) || (in_brackets && is(here(), closers))));
  require((nodes_ += count_nodes(found->second)) < most_nodes && depth_ + depth_of(found->second) < most_depth);
  return found->second;
}

Node Parser::value_here(bool in_brackets) {
  if (here() == '*') return alias(in_brackets);
  return here() == '{' || here() == '[' ? brackets() : text(in_brackets);
}

Node Parser::brackets() {
  const Depth depth(depth_);
  return here() == '{' ? map_in_brackets() : list_in_brackets();
}

Node Parser::map_in_brackets() {
  Node map = node(Node::Kind::map);
  ++i_, to_next_in_brackets();
  while (here() != '}') {
    Node key = text(true);
    require(key.text.size() < longest_key && is_colon(i_));
    ++i_, to_next_in_brackets();
    const bool is_nothing = here() == ',' || here() == '}';
    add(map, std::move(key), is_nothing ? node(Node::Kind::nothing) : value_in_brackets());
    if (here() == '}') break;
    require(here() == ',');
    ++i_, to_next_in_brackets();
    require(here() != '}');
  }
  ++i_;
  require_once_each(map);
  return map;
}

Node Parser::list_in_brackets() {
  Node list = node(Node::Kind::list);
  list.items.reserve(3);  // a point
  ++i_, to_next_in_brackets();
  while (here() != ']') {
    list.items.push_back(value_in_brackets());
    if (here() == ']') break;
    require(here() == ',');
    ++i_, to_next_in_brackets();
    require(here() != ']');
  }
  ++i_;
  return list;
}

Node Parser::value_in_brackets() {
  if (here() == '&') return anchored([&] { return to_next_in_brackets(), value_in_brackets(); });
  Node value = value_here(true);
  to_next_in_brackets();
  return value;
}

Node Parser::quoted() {
  Node node = this->node(Node::Kind::text);
  const char quote = here();
  const std::size_t end = text_.find(quote, i_ + 1);
  require(end != text_.npos && at(end + 1) != quote);
  node.text = text_.substr(i_ + 1, end - i_ - 1);
  require(node.text.find_first_of("\n\\") ==
          std::string::npos);  // a backslash is one between single quotes, which is rare
  node.quoted = true;
  i_ = end + 1;
  return node;
}

// Where a colon, a comment or the end of the line ends it; between brackets they and commas do.
std::size_t Parser::end_of_plain(std::size_t i, bool in_brackets) const {
  for (; at(i) != '\n'; ++i) {
    if (is_colon(i) || (at(i) == ' ' && at(i + 1) == '#')) break;
    if (!in_brackets) continue;
    if (at(i) == ',' || at(i) == ']' || at(i) == '}') break;
    require(at(i) != '[' && at(i) != '{' && at(i) != '?' && !(at(i) == ':' && is(at(i + 1), closers)));
  }
  return i;
}

Node Parser::text(bool in_brackets) {
  if (here() == '"' || here() == '\'') return quoted();
  const bool is_minus = here() == '-' && !is_blank(i_ + 1) && !is(at(i_ + 1), closers);
  require(!is(here(), indicators) || is_minus);
  Node node = this->node(Node::Kind::text);
  std::size_t end = end_of_plain(i_, in_brackets);
  const std::size_t next = end;
  while (end > i_ && text_[end - 1] == ' ') --end;
  node.text = text_.substr(i_, end - i_);
  require(!is_null(node.text));
  require(!(column() == 0 && (node.text.starts_with("---") || node.text.starts_with("..."))));
  i_ = next;
  return node;
}

void Parser::add(Node& map, Node key, Node value) {
  require(key.text != "<<");
  if (map.entries.empty()) map.entries.reserve(4);  // few have fewer
  map.entries.push_back({std::move(key), std::move(value)});
}

void Parser::require_once_each(const Node& map) {
  constexpr std::size_t few = 12;  // as many are compared sooner one by one
  if (map.entries.size() <= few) {
    for (auto a = map.entries.begin(); a != map.entries.end(); ++a)
      for (auto b = map.entries.begin(); b != a; ++b) require(a->key.text != b->key.text);
    return;
  }
  std::unordered_set<std::string_view> seen;
  for (const Entry& entry : map.entries) require(seen.insert(entry.key.text).second);
}

}  // namespace

std::optional<Node> parse_plain_yaml(std::string_view text, int file_number) {
  try {
    return Parser(text, file_number).document();
  } catch (const NotPlain&) {
    return {};
  }
}

}  // namespace skyhook::io::model_file
