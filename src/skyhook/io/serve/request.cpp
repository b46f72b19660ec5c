#include "skyhook/io/serve/request.h"

#include <algorithm>
#include <optional>
#include <string>

namespace skyhook::io::serve {
namespace {

constexpr std::string_view line_end = "\r\n";

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find(line_end), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + line_end.size(), text.size()));
  return line;
}

bool is_plain(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](unsigned char c) { return (c >= 0x20 && c != 0x7f) || c == '\t'; });
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

struct FirstLine {
  std::string_view method, target;
};

std::optional<FirstLine> read_first_line(std::string_view line) {
  const std::size_t a = line.find(' '), b = line.rfind(' ');
  if (a == line.npos || a == 0 || b <= a + 1) return {};
  const std::string_view version = line.substr(b + 1), target = line.substr(a + 1, b - a - 1);
  if ((version != "HTTP/1.1" && version != "HTTP/1.0") || target.find(' ') != target.npos) return {};
  return FirstLine{line.substr(0, a), target};
}

// The one Host of the head; none if a line is malformed, or there is not exactly one.
std::optional<std::string> read_host(std::string_view lines) {
  std::optional<std::string> host;
  while (!lines.empty()) {
    const std::string_view line = next_line(lines);
    const std::size_t colon = line.find(':');
    if (colon == line.npos || colon == 0 || line[0] == ' ' || line[0] == '\t') return {};
    if (lower(line.substr(0, colon)) != "host") continue;
    if (host) return {};
    host = lower(trimmed(line.substr(colon + 1)));
  }
  return host;
}

}  // namespace

Judgement judge(std::string_view head, int port) {
  for (std::string_view rest = head; !rest.empty();) {
    if (!is_plain(next_line(rest))) return {400};
  }
  const auto first = read_first_line(next_line(head));
  const auto host = read_host(head);
  if (!first || !host) return {400};
  const std::string number = ":" + std::to_string(port);
  if (*host != "127.0.0.1" + number && *host != "localhost" + number) return {403};
  if (first->method != "GET") return {405};
  if (first->target == "/") return {200, Asked::page};
  if (first->target == "/version") return {200, Asked::version};
  return {404};
}

}  // namespace skyhook::io::serve
