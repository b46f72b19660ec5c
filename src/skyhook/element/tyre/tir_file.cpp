#include "skyhook/element/tyre/tir_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "skyhook/base/utf8.h"

namespace skyhook::element::tyre {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";

std::string_view trimmed(std::string_view s) {
  const std::size_t begin = s.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(blanks) - begin + 1);
}

// Up to the comment; quotes protect what is in them.
std::string_view without_comment(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote) {
      if (line[i] == quote) quote = 0;
    } else if (line[i] == '\'' || line[i] == '"') {
      quote = line[i];
    } else if (line[i] == '$' || line[i] == '!') {
      return line.substr(0, i);
    }
  }
  return line;
}

std::string upper(std::string_view s) {
  std::string out(s);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return out;
}

bool is_name(std::string_view s) {
  return !s.empty() && std::ranges::all_of(s, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  });
}

// As Fortran writes them too: 1.5d-3.
std::optional<double> number_in(std::string_view s) {
  std::string plain(s.starts_with('+') ? s.substr(1) : s);
  std::ranges::replace_if(
      plain, [](char c) { return c == 'd' || c == 'D'; }, 'e');
  double x = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), x);
  if (error != std::errc{} || end != plain.data() + plain.size()) return std::nullopt;
  return x;
}

// Of a table without a head: numbers with blanks between them.
bool is_row(std::string_view s) {
  while (!s.empty()) {
    const std::size_t end = std::min(s.find_first_of(" \t"), s.size());
    if (!number_in(s.substr(0, end))) return false;
    s = trimmed(s.substr(end));
  }
  return true;
}

class Parser {
 public:
  explicit Parser(std::string file) { out_.file = std::move(file); }

  void line(std::string_view raw) {
    ++line_;
    const std::string_view s = trimmed(without_comment(raw));
    if (s.empty()) return;
    if (s.front() == '[') return section(s);
    if (s.front() == '{') return table(s);
    if (in_table_) return;  // its rows
    if (is_row(s)) return begin_table();
    entry(s);
  }
  TirFile done() {
    findings_.throw_if_any();
    if (out_.entries.empty() && out_.empty.empty())
      throw ModelError({out_.file, 0, 0}, "There is no entry in this tyre property file.",
                       "It should have sections such as [MODEL] with lines \"NAME = value\".");
    return std::move(out_);
  }

 private:
  void complain(std::string what, std::string advice) {
    constexpr int most = 20;
    if (complaints_++ < most) findings_.add(out_.at(line_), std::move(what), std::move(advice));
  }
  void section(std::string_view s) {
    in_table_ = false;
    const std::string_view name = trimmed(s.substr(1, s.find(']') == std::string_view::npos ? 0 : s.find(']') - 1));
    if (s.back() != ']' || !is_name(name))
      return complain(fmt::format("\"{}\" is no section.", printable(std::string(s))),
                      "Write [NAME] on a line of its own.");
    section_ = upper(name);
  }
  void table(std::string_view s) {
    if (s.back() != '}') return complain("a table's head does not end with }.", "Write {names of its columns}.");
    begin_table();
  }
  void begin_table() {
    if (section_.empty())
      return complain("a table stands before the first section.", "Put it behind a line [SECTION].");
    in_table_ = true;
    if (std::ranges::find(out_.tables, section_) == out_.tables.end()) out_.tables.push_back(section_);
  }
  void entry(std::string_view s) {
    const std::size_t equals = s.find('=');
    const std::string_view name = trimmed(s.substr(0, equals));
    if (equals == std::string_view::npos || !is_name(name))
      return complain(fmt::format("\"{}\" is no entry.", printable(std::string(s))),
                      "Write NAME = value; comments begin with $ or !.");
    if (section_.empty())
      return complain("an entry stands before the first section.", "Put it behind a line [SECTION].");
    TirEntry e;
    e.section = section_, e.name = upper(name), e.line = line_;
    const std::string_view right = trimmed(s.substr(equals + 1));
    if (right.empty()) return out_.empty.push_back(e.name);
    if (!value(right, e)) return;
    const auto [first, is_new] = first_.try_emplace({e.section, e.name}, line_);
    if (!is_new)
      return complain(fmt::format("{} stands in [{}] again; first at line {}.", e.name, e.section, first->second),
                      "Remove one of the two: which is meant cannot be told.");
    out_.entries.push_back(std::move(e));
  }
  bool value(std::string_view s, TirEntry& e) {
    const auto fails = [&](const char* what, const char* advice) {
      return complain(e.name + " " + what, advice), false;
    };
    if (s.front() == '\'' || s.front() == '"') {
      if (s.size() < 2 || s.back() != s.front() || s.substr(1, s.size() - 2).find(s.front()) != std::string_view::npos)
        return fails("is a text whose quotes do not match.", "Write 'text'.");
      e.text = trimmed(s.substr(1, s.size() - 2));
      return true;
    }
    const std::optional<double> x = number_in(s);
    e.text = s;
    if (!x) {  // a word
      if (!is_name(s)) return fails("is neither a number nor a text.", "Write a number such as 1.5e-3, or 'text'.");
      const std::string lower = upper(s);
      if (lower == "NAN" || lower == "INF" || (s.front() >= '0' && s.front() <= '9') || s.front() == '-' ||
          s.front() == '.')
        return fails("is not a finite number.", "Write a number such as 1.5e-3.");
      return true;
    }
    if (!std::isfinite(*x)) return fails("is not a finite number.", "Write a number such as 1.5e-3.");
    e.number = *x, e.is_number = true;
    return true;
  }

  TirFile out_;
  Findings findings_;
  std::map<std::pair<std::string, std::string>, int> first_;
  std::string section_;
  int line_ = 0, complaints_ = 0;
  bool in_table_ = false;
};

}  // namespace

const TirEntry* TirFile::find(std::string_view name) const {
  const TirEntry* found = nullptr;
  for (const TirEntry& e : entries) {
    if (e.name != name || e.section == "UNITS") continue;
    if (found)
      throw ModelError(
          at(e.line),
          fmt::format("{} stands in [{}] and, at line {}, in [{}].", e.name, e.section, found->line, found->section),
          "Remove one of the two: which is meant cannot be told.");
    found = &e;
  }
  return found;
}

const TirEntry* TirFile::find(std::string_view section, std::string_view name) const {
  const auto is_it = [&](const TirEntry& e) { return e.section == section && e.name == name; };
  const auto found = std::ranges::find_if(entries, is_it);
  return found == entries.end() ? nullptr : &*found;
}

TirFile parse_tir(std::string_view text, std::string file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Parser parser(std::move(file));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    parser.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.done();
}

std::string read_tir_text(const std::string& path, const Location& where) {
  constexpr std::size_t most = 10'000'000;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw ModelError(where, fmt::format("The tyre property file {} cannot be opened.", printable(path)),
                     "Check its name.");
  std::string text(most + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (in.bad() || text.size() > most)
    throw ModelError(where,
                     fmt::format("The tyre property file {} cannot be read, or has more than 10 MB.", printable(path)),
                     "Check its name.");
  return text;
}

}  // namespace skyhook::element::tyre
