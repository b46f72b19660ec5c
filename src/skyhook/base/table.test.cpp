// References: tables aligned by hand, and JSON as RFC 8259 writes it.
#include "skyhook/base/table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace skyhook;

namespace {

Table two_columns() {
  Table table;
  table.add_column("state");
  table.add_column("h", "ms", 3);
  table.add_row({"crank", 0.123456});
  table.add_row({"wheel.travel", 12.0});
  return table;
}

}  // namespace

TEST_CASE("Text stands left, numbers right, both under their header") {
  CHECK(two_columns().to_text() ==
        "state         h [ms]\n"
        "------------  ------\n"
        "crank          0.123\n"
        "wheel.travel      12\n");
}

TEST_CASE("JSON has one object a row with all digits") {
  CHECK(two_columns().to_json() ==
        "[{\"state\": \"crank\", \"h\": 0.123456},\n {\"state\": \"wheel.travel\", \"h\": 12}]");
  CHECK(two_columns().row_to_json(1) == "{\"state\": \"wheel.travel\", \"h\": 12}");
}

TEST_CASE("A table without rows is a header, or an empty array") {
  Table table;
  table.add_column("name");
  CHECK(table.to_text() == "name\n----\n");
  CHECK(table.to_json() == "[]");
}

TEST_CASE("Whole numbers are not rounded to digits") {
  Table table;
  table.add_column("steps");
  table.add_row({123456789L});
  CHECK(table.to_text() == "    steps\n---------\n123456789\n");
}

TEST_CASE("JSON has no NaN and no infinity") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(json_number(std::nan("")) == "null");
  CHECK(json_number(-infinity) == "null");
  CHECK(std::stod(json_number(0.1 + 0.2)) == 0.1 + 0.2);
  CHECK(std::stod(json_number(2.3e-308)) == 2.3e-308);
}

TEST_CASE("JSON strings are escaped, also when they are no UTF-8") {
  CHECK(json_string("a \"b\" \\ \n\x01") == "\"a \\\"b\\\" \\\\ \\u000a\\u0001\"");
  CHECK(json_string("\u03c9\xFF") == "\"\u03c9\uFFFD\"");
  CHECK(json_string("\x7f\xC2\x9B[2J") == "\"\\u007f\\u009b[2J\"");
  CHECK(json_list({"a", "\""}) == "[\"a\", \"\\\"\"]");
  CHECK(json_list({}) == "[]");
}

TEST_CASE("Columns align by what a terminal shows, not by bytes, and a newline keeps to its line") {
  Table table;
  table.add_column("name");
  table.add_column("x");
  table.add_row({"\u4e2d\u6587", 1L});
  table.add_row({"a\nb", 2L});
  CHECK(table.to_text() == "name  x\n----  -\n\u4e2d\u6587  1\na\\nb  2\n");
}

TEST_CASE("CSV has as many digits as numbers need, empty cells for NaN, and quotes what would break it") {
  Table table;
  table.add_column("k, stiff", "N/m");
  table.add_column("note");
  table.add_row({0.1, "say \"no\""});
  table.add_row({-2.0, "plain"});
  table.add_row({1e-6, ""});
  table.add_row({std::nan(""), ""});
  CHECK(table.to_csv() == "\"k, stiff [N/m]\",note\n0.1,\"say \"\"no\"\"\"\n-2,plain\n1e-06,\n,\n");
}

TEST_CASE("A structured cell is a text for people and a list for programs") {
  Table table;
  table.add_column("warnings");
  table.add_row({Structured{"a, b", "[1, 2]"}});
  CHECK(table.to_json() == "[{\"warnings\": [1, 2]}]");
  CHECK(table.to_csv() == "warnings\n\"a, b\"\n");
  CHECK(table.to_text() == "warnings\n--------\na, b\n");
}
