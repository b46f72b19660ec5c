#include "skyhook/io/model_file/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "skyhook/io/model_file/text_lines.h"

namespace skyhook::io::model_file {
namespace {

struct Cell {
  std::string_view text;  // without blanks and quotes
  int column = 0;         // of the file, from 1
};
using Row = std::vector<Cell>;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text[0] == '+' || error != std::errc{} || end != text.data() + text.size()) return {};
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// The place of the first `c` that is not between quotes.
std::size_t find_outside_quotes(std::string_view line, char c) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == c && !quoted) return i;
  }
  return std::string_view::npos;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file), lines_(text) { check_encoding(text); }

  Csv read(const std::array<std::string, 2>& wanted) {
    Csv csv;
    bool has_row = next_row();
    if (!has_row)
      throw ModelError({file_}, "the file is empty: it has no row of numbers.",
                       "Write two columns at least, one row below another.");
    const bool has_names = has_row && is_words();
    if (has_names) {
      take_names(wanted, csv);
      check_columns_differ();
      has_row = next_row();
    } else {
      take_numbers_of_columns(wanted);
      check_columns_differ();
    }
    if (has_names && has_row && is_words()) {
      take_units(csv);
      has_row = next_row();
    }
    for (; has_row; has_row = next_row()) take_values(csv);
    return csv;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& advice, int column = 0) const {
    throw ModelError({file_, lines_.number(), column}, what, advice);
  }

  void check_encoding(std::string_view text) const {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
      throw ModelError({file_, 1}, "the file is written in UTF-16.", "Save it as CSV in UTF-8.");
  }

  // The next line that is neither blank nor a comment.
  bool next_row() {
    for (std::string_view line; lines_.next(line);) {
      const std::string_view bom = "\xef\xbb\xbf";
      if (lines_.number() == 1 && line.starts_with(bom)) line.remove_prefix(bom.size());
      const std::string_view content = line.substr(0, find_outside_quotes(line, '#'));
      if (trimmed(content).empty()) continue;
      const bool is_first = delimiter_ == 0;
      if (is_first) find_delimiter(content);
      split(content);
      is_first ? void(width_ = row_.size()) : check_width();
      return true;
    }
    return false;
  }

  void find_delimiter(std::string_view line) {
    for (const char c : {';', '\t', ','}) {
      if (delimiter_ == 0 && find_outside_quotes(line, c) != std::string_view::npos) delimiter_ = c;
    }
    if (delimiter_ == 0)
      fail("there is only one column.", "Write two columns at least, separated by comma, semicolon or tab.");
  }

  void split(std::string_view line) {
    row_.clear();
    std::size_t start = 0;
    for (bool last = false; !last;) {
      const std::size_t length = find_outside_quotes(line.substr(start), delimiter_);
      last = length == std::string_view::npos;
      const int column = static_cast<int>(start) + 1;
      row_.push_back({unquoted(trimmed(line.substr(start, length)), column), column});
      start += last ? 0 : length + 1;
    }
  }

  // Else 0,5 for 0.5 would be read as two numbers. Empty cells at the end come from spreadsheets.
  void check_width() const {
    for (std::size_t k = width_; k < row_.size(); ++k) {
      if (row_[k].text.empty()) continue;
      fail(fmt::format("the row has {} columns, but the first one {}.", row_.size(), width_),
           delimiter_ == ',' ? "A comma separates columns: write a decimal point, not a comma."
                             : "Remove what is too much, or name all columns.",
           row_[k].column);
    }
  }

  std::string_view unquoted(std::string_view cell, int column) const {
    if (!cell.starts_with('"')) return cell;
    if (cell.size() < 2 || !cell.ends_with('"'))
      fail("the text " + shown(cell) + " begins with a quote and does not end with one.",
           "Close the quote in the same line.", column);
    return trimmed(cell.substr(1, cell.size() - 2));
  }

  // A row of names or units has no number at all: one wrong number does not make a row of names.
  bool is_words() const {
    return std::none_of(row_.begin(), row_.end(), [](const Cell& c) { return number_of(c.text).has_value(); });
  }

  // Takes "mm/s" off "velocity [mm/s]" or "velocity (mm/s)".
  static std::optional<std::string> take_unit(std::string_view& name) {
    const std::size_t open = name.find_last_of("[(");
    if (name.empty() || open == std::string_view::npos || name.back() != (name[open] == '[' ? ']' : ')')) return {};
    const std::string unit(trimmed(name.substr(open + 1, name.size() - open - 2)));
    name = trimmed(name.substr(0, open));
    return unit;
  }

  static std::size_t number_in(const std::string& wanted) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    return error == std::errc{} && end == wanted.data() + wanted.size() ? number : 0;
  }

  void take_numbers_of_columns(const std::array<std::string, 2>& wanted) {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t number = number_in(wanted[i]);
      if (number == 0)
        fail("the column " + shown(wanted[i]) + " is wanted, but this row holds numbers, not names.",
             "Add a row of names to the file, or give the numbers of the columns, from 1.");
      index_[i] = number - 1;
    }
  }

  void take_names(const std::array<std::string, 2>& wanted, Csv& csv) {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t number = number_in(wanted[i]);
      index_[i] = number > 0 ? number - 1 : column_named(wanted[i]);
      if (index_[i] >= row_.size()) fail_short(index_[i]);
      std::string_view name = row_[index_[i]].text;
      csv.columns[i].unit = take_unit(name);
      csv.columns[i].unit_line = lines_.number();
      csv.columns[i].name = name;
    }
  }

  void check_columns_differ() const {
    if (index_[0] == index_[1])
      fail(fmt::format("column {} is wanted for both x and y.", index_[0] + 1), "Give two columns: [1, 2].");
  }

  std::size_t column_named(const std::string& wanted) const {
    std::vector<std::string> names;
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < row_.size(); ++k) {
      std::string_view name = row_[k].text;
      take_unit(name);
      if (name == wanted || row_[k].text == wanted) found.push_back(k);
      if (names.size() < 20) names.emplace_back(name);
    }
    if (found.empty()) fail("there is no column " + shown(wanted) + ".", suggest(wanted, names, "Columns"));
    if (found.size() > 1)
      fail(fmt::format("{} columns are called {}.", found.size(), shown(wanted)),
           "Give the number of the column, from 1.");
    return found[0];
  }

  void take_units(Csv& csv) const {
    for (std::size_t i = 0; i < 2; ++i) {
      if (index_[i] >= row_.size() || csv.columns[i].unit) continue;
      std::string_view text = row_[index_[i]].text;
      const auto bracketed = take_unit(text);
      csv.columns[i].unit = bracketed ? *bracketed : std::string(text);
      csv.columns[i].unit_line = lines_.number();
    }
  }

  [[noreturn]] void fail_short(std::size_t index) const {
    fail(fmt::format("the row has {} columns, but column {} is wanted.", row_.size(), index + 1),
         "Complete the row, or choose others with columns: [..].");
  }

  void take_values(Csv& csv) const {
    if (csv.lines.size() == most_rows)
      fail(fmt::format("the file has more than {} rows.", most_rows), "Thin it out: a table is interpolated anyway.");
    for (std::size_t i = 0; i < 2; ++i) {
      if (index_[i] >= row_.size()) fail_short(index_[i]);
      const Cell& cell = row_[index_[i]];
      const auto value = number_of(cell.text);
      if (!value) fail_number(cell);
      csv.columns[i].values.push_back(*value);
    }
    csv.lines.push_back(lines_.number());
  }

  [[noreturn]] void fail_number(const Cell& cell) const {
    if (cell.text.empty()) fail("a number is missing here.", "Complete the row or remove it.", cell.column);
    const bool has_comma = cell.text.find(',') != std::string_view::npos;
    fail(shown(cell.text) + " is no finite number.",
         has_comma ? "Write a decimal point, not a comma." : "Write a number such as -1.5e3, or a # before a comment.",
         cell.column);
  }

  const std::string& file_;
  Lines lines_;
  char delimiter_ = 0;
  std::size_t width_ = 0;  // of the first row
  Row row_;
  std::array<std::size_t, 2> index_{};
};

}  // namespace

Csv read_csv(std::string_view text, const std::string& file, const std::array<std::string, 2>& wanted) {
  Csv csv = Reader(text, file).read(wanted);
  if (csv.lines.size() < 2)
    throw ModelError({file}, fmt::format("the file has {} rows of numbers.", csv.lines.size()),
                     "A table needs at least two.");
  return csv;
}

}  // namespace skyhook::io::model_file
