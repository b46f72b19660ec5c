// What every command prints: a table with aligned columns, or the same as JSON.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace skyhook {

// A cell that programs get as an object or a list.
struct Structured {
  std::string text, json;
};
using Cell = std::variant<std::string, double, long, Structured>;

class Table {
 public:
  // `digits` are the significant digits of numbers in text; JSON always has all of them.
  void add_column(std::string name, std::string unit = {}, int digits = 6);
  void add_row(std::vector<Cell> cells);  // one cell a column

  std::size_t columns() const { return columns_.size(); }
  std::size_t rows() const { return rows_.size(); }
  const Cell& at(std::size_t row, std::size_t column) const { return rows_[row][column]; }

  // A header "name [unit]", a rule, the rows. A column of numbers is right-aligned.
  std::string to_text() const;
  // [{"name": value, ...}, ...] with one object a row. NaN and infinity are null.
  std::string to_json() const;
  // A header "name [unit],...", then the rows, quoted as RFC 4180 says. Numbers are as short as reads back the same; NaN is
  // an empty cell.
  std::string to_csv() const;
  // {"name": value, ...} of one row.
  std::string row_to_json(std::size_t row) const;

 private:
  struct Column {
    std::string name, unit;
    int digits;
  };
  std::string title(std::size_t column) const;
  bool is_numeric(std::size_t column) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// "text" with quotes and escapes as JSON wants them; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);
std::string json_list(const std::vector<std::string>& texts);
std::string json_number(double value);

}  // namespace skyhook
