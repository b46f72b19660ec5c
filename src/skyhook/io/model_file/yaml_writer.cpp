#include "skyhook/io/model_file/yaml_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace skyhook::io::model_file {
namespace {

constexpr int deepest_block = 2;  // sections, their entries

bool is_plain(const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0; };
  const auto is_safe = [&](unsigned char c) {
    return is_letter(c) || std::string_view("_.+-/^()* =").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (text.empty() || text.back() == ' ' || !std::all_of(text.begin(), text.end(), is_safe)) return false;
  const bool is_negative = text.size() > 1 && text[0] == '-' && is_letter(static_cast<unsigned char>(text[1]));
  const bool is_null = text.size() == 4 && (text == "null" || text == "Null" || text == "NULL");
  return !is_null && (is_letter(static_cast<unsigned char>(text[0])) || text[0] == '=' || is_negative);
}

std::string escaped(char c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
}

// U+0080 to U+009F, which YAML does not let stand as they are.
bool is_control_pair(const std::string& text, std::size_t at) {
  return text[at] == '\xC2' && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

std::string scalar(const std::string& text) {
  if (is_plain(text)) return text;
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control_pair(text, i))
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    else
      quoted += escaped(text[i]);
  }
  return quoted + "\"";
}

std::string flow(const Node& node) {
  std::string text;
  const auto separate = [&] { text += text.empty() ? "" : ", "; };
  switch (node.kind) {
    case Node::Kind::nothing: return "~";
    case Node::Kind::text: return scalar(node.text);
    case Node::Kind::list:
      for (const Node& item : node.items) separate(), text += flow(item);
      return "[" + text + "]";
    default:
      for (const Entry& entry : node.entries) separate(), text += scalar(entry.key.text) + ": " + flow(entry.value);
      return "{" + text + "}";
  }
}

void block(const Node& map, int depth, std::string& out) {
  for (const Entry& entry : map.entries) {
    out += std::string(2 * static_cast<std::size_t>(depth), ' ') + scalar(entry.key.text) + ":";
    if (entry.value.is_map() && !entry.value.entries.empty() && depth + 1 < deepest_block) {
      out += "\n";
      block(entry.value, depth + 1, out);
    } else {
      out += " " + flow(entry.value) + "\n";
    }
  }
}

}  // namespace

std::string write_yaml(const Node& map) {
  std::string out;
  block(map, 0, out);
  return out;
}

}  // namespace skyhook::io::model_file
