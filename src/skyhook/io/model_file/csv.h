// Two columns of numbers from a CSV file.
//
//   # anything behind a # is a comment          velocity;force
//   velocity [mm/s], force (N)                  mm/s;N
//   -100, -200                                  -100;-200
//
// Comma, semicolon or tab separate, whichever the first row has (semicolon before tab before comma); numbers have a
// decimal point. A row of names may come first, with units in brackets or in a second row. Names may stand in quotes. No
// row has more columns than the first one.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/base/error.h"

namespace skyhook::io::model_file {

constexpr std::size_t most_rows = 200'000;

struct Csv {
  struct Column {
    std::string name;                 // "" without a row of names
    std::optional<std::string> unit;  // as written
    int unit_line = 0;
    std::vector<double> values;  // as written
  };
  std::array<Column, 2> columns;
  std::vector<int> lines;  // of the file, one a row
};

// `wanted` names the two columns, or gives their numbers from 1. Throws ModelError with line and column of `file`.
Csv read_csv(std::string_view text, const std::string& file, const std::array<std::string, 2>& wanted = {"1", "2"});

}  // namespace skyhook::io::model_file
