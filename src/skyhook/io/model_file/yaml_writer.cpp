#include "skyhook/io/model_file/yaml_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace skyhook::io::model_file {
namespace {

constexpr int deepest_block = 2;  // sections, their entries

// By character: what may stand in a text without quotes.
constexpr auto safe = [] {
  std::array<bool, 256> out{};
  for (const char c : std::string_view("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.+-/^()* ="))
    out[static_cast<unsigned char>(c)] = true;
  return out;
}();

bool is_plain(const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0; };
  const auto is_safe = [](unsigned char c) { return safe[c]; };
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

void scalar(const std::string& text, std::string& out) {
  if (is_plain(text)) return void(out += text);
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control_pair(text, i))
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    else if (safe[static_cast<unsigned char>(text[i])])
      out += text[i];
    else
      out += escaped(text[i]);
  }
  out += '"';
}

void flow(const Node& node, std::string& out) {
  switch (node.kind) {
    case Node::Kind::nothing: out += '~'; break;
    case Node::Kind::text: scalar(node.text, out); break;
    case Node::Kind::list:
      out += '[';
      for (const Node& item : node.items) out += &item == node.items.data() ? "" : ", ", flow(item, out);
      out += ']';
      break;
    default:
      out += '{';
      for (const Entry& entry : node.entries) {
        out += &entry == node.entries.data() ? "" : ", ";
        scalar(entry.key.text, out), out += ": ", flow(entry.value, out);
      }
      out += '}';
  }
}

void block(const Node& map, int depth, std::string& out) {
  for (const Entry& entry : map.entries) {
    out.append(2 * static_cast<std::size_t>(depth), ' ');
    scalar(entry.key.text, out), out += ':';
    if (entry.value.is_map() && !entry.value.entries.empty() && depth + 1 < deepest_block) {
      out += '\n';
      block(entry.value, depth + 1, out);
    } else {
      out += ' ', flow(entry.value, out), out += '\n';
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
