#include "skyhook/base/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "skyhook/base/utf8.h"

namespace skyhook {
namespace {

constexpr std::size_t gap = 2;  // blanks between columns

const std::string& words_of(const Cell& cell) {
  const Structured* structured = std::get_if<Structured>(&cell);
  return structured ? structured->text : std::get<std::string>(cell);
}

std::string text_of(const Cell& cell, int digits) {
  if (const double* number = std::get_if<double>(&cell))
    return std::isnan(*number) ? "-" : fmt::format("{:.{}g}", *number, digits);
  if (const long* number = std::get_if<long>(&cell)) return std::to_string(*number);
  return printable(words_of(cell));
}

std::string json_of(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return json_number(*number);
  if (const long* number = std::get_if<long>(&cell)) return std::to_string(*number);
  if (const Structured* structured = std::get_if<Structured>(&cell)) return structured->json;
  return json_string(std::get<std::string>(cell));
}

std::string csv_of(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return std::isnan(*number) ? "" : fmt::format("{}", *number);
  if (const long* number = std::get_if<long>(&cell)) return std::to_string(*number);
  const std::string& text = words_of(cell);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

void append_padded(std::string& line, const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - display_width(text), ' ');
  line += right ? blanks + text : text + blanks;
}

void trim_right(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

}  // namespace

void Table::add_column(std::string name, std::string unit, int digits) {
  assert(rows_.empty());
  columns_.push_back({std::move(name), std::move(unit), digits});
}

void Table::add_row(std::vector<Cell> cells) {
  assert(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

bool Table::is_numeric(std::size_t column) const {
  return !rows_.empty() && std::none_of(rows_.begin(), rows_.end(), [column](const std::vector<Cell>& row) {
    return std::holds_alternative<std::string>(row[column]) || std::holds_alternative<Structured>(row[column]);
  });
}

std::string Table::title(std::size_t column) const {
  const Column& c = columns_[column];
  return c.unit.empty() ? c.name : c.name + " [" + c.unit + "]";
}

std::string Table::to_csv() const {
  std::string out;
  const auto add = [&](std::size_t column, const Cell& cell) { out += (column > 0 ? "," : "") + csv_of(cell); };
  for (std::size_t c = 0; c < columns_.size(); ++c) add(c, title(c));
  out += '\n';
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) add(c, row[c]);
    out += '\n';
  }
  return out;
}

std::string Table::to_text() const {
  std::vector<std::vector<std::string>> lines(rows_.size() + 1, std::vector<std::string>(columns_.size()));
  std::vector<std::size_t> widths(columns_.size());
  std::vector<bool> right(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    right[c] = is_numeric(c);
    lines[0][c] = printable(title(c));
    for (std::size_t r = 0; r < rows_.size(); ++r) lines[r + 1][c] = text_of(rows_[r][c], columns_[c].digits);
    for (const auto& line : lines) widths[c] = std::max(widths[c], display_width(line[c]));
  }

  std::string text;
  for (std::size_t r = 0; r < lines.size(); ++r) {
    std::string line, rule;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string before(c ? gap : 0, ' ');
      append_padded(line += before, lines[r][c], widths[c], right[c]);
      rule += before + std::string(widths[c], '-');
    }
    trim_right(line);
    text += line + '\n';
    if (r == 0) text += rule + '\n';
  }
  return text;
}

std::string Table::row_to_json(std::size_t row) const {
  std::string text = "{";
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    text += (c ? ", " : "") + json_string(columns_[c].name) + ": " + json_of(rows_[row][c]);
  }
  return text + "}";
}

std::string Table::to_json() const {
  std::string text = "[";
  for (std::size_t r = 0; r < rows_.size(); ++r) text += (r ? ",\n " : "") + row_to_json(r);
  return text + "]";
}

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (const char32_t c : decode_utf8(text)) {
    if (c == U'"' || c == U'\\') {
      json += {'\\', static_cast<char>(c)};
    } else if (c < 0x20 || (c >= 0x7F && c < 0xA0)) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      append_utf8(json, c);
    }
  }
  return json + '"';
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const auto& text : texts) list += (list.empty() ? "" : ", ") + json_string(text);
  return "[" + list + "]";
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

}  // namespace skyhook
