// Reference: the numbers as they stand in the texts.
#include "skyhook/io/model_file/csv.h"

#include <fmt/format.h>

#include <ctime>

#include "skyhook/io/model_file/folder.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using namespace skyhook::io::model_file;

namespace {

using Numbers = std::vector<double>;

std::string error_of(const std::string& text, const std::array<std::string, 2>& wanted = {"1", "2"}) {
  try {
    read_csv(text, "a.csv", wanted);
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

void check_example(const std::string& text) {
  CAPTURE(text);
  const Csv csv = read_csv(text, "a.csv");
  CHECK(csv.columns[0].values == Numbers{-1.5, 0, 2e3});
  CHECK(csv.columns[1].values == Numbers{10, 0, 30.25});
}

std::string driven(const std::string& table) { return pendulum("mass: 1", "", "drive: " + table); }

}  // namespace

TEST_CASE("CSV: delimiters, comments, blanks, ends of lines, quotes") {
  check_example("-1.5,10\n0,0\n2e3,30.25\n");
  check_example("-1.5;10\n0;0\n2e3;30.25");
  check_example("-1.5\t10\n0\t0\n2e3\t30.25\n");
  check_example("# made by hand, today\n\n  -1.5 , +10, so  # first\n\n0,0,\n\t\n2e3,30.25,ignored\n");
  check_example("\xef\xbb\xbf-1.5,10\r\n0,0\r\n2e3,30.25\r\n");
  check_example("-1.5,10\r0,0\r2e3,30.25\r");
  check_example("\"x, or # so\",\"y\"\n\"-1.5\",\"10\"\n0,0\n2e3,30.25\n");
  check_example("x,y\n-1.5,10\n0,0\n2e3,30.25\n");
}

TEST_CASE("CSV: names and units") {
  const Csv a = read_csv("t,velocity [mm/s] , force (kN)\n0,1,2\n1,3,4\n", "a.csv", {"velocity", "force"});
  CHECK(a.columns[0].values == Numbers{1, 3});
  CHECK(a.columns[1].values == Numbers{2, 4});
  CHECK((a.columns[0].name == "velocity" && a.columns[0].unit == "mm/s"));
  CHECK((a.columns[1].name == "force" && a.columns[1].unit == "kN" && a.columns[1].unit_line == 1));
  const Csv b = read_csv("t;v;F\n[s];mm/s;\n0;1;2\n1;3;4\n", "a.csv", {"F", "1"});
  CHECK((b.columns[0].values == Numbers{2, 4} && b.columns[1].values == Numbers{0, 1}));
  CHECK((b.columns[0].unit == "" && b.columns[1].unit == "s" && b.columns[1].unit_line == 2));
  CHECK(!read_csv("x,y\n0,1\n1,2\n", "a.csv").columns[0].unit);
  CHECK(a.lines == std::vector<int>{2, 3});
}

TEST_CASE("CSV: what is wrong stands with its line") {
  CHECK(has(error_of("0,1\n1,2x\n"), "a.csv:2:3: \"2x\" is no finite number."));
  CHECK(has(error_of("0,1x\n1,2\n"), "a.csv:1:3: \"1x\" is no finite number."));  // no row of names
  CHECK(has(error_of("0;1,5\n1;2\n"), "Write a decimal point, not a comma."));
  CHECK(
      has(error_of("x,y\n0,0,0,5\n1,0,2,5\n"),
          "a.csv:2:5: the row has 4 columns, but the first one 2.\n  A comma separates columns: write a decimal point, "
          "not a comma."));
  CHECK(has(error_of("x;y\n0;1;2\n1;2\n"), "a.csv:2:5: the row has 3 columns, but the first one 2.\n  Remove"));
  CHECK(has(error_of("x,y\n0,1\n1,2\n", {"1", "1"}), "a.csv:1: column 1 is wanted for both x and y."));
  CHECK(has(error_of("x,y\n0,1\n1,2\n", {"x", "1"}), "column 1 is wanted for both x and y."));
  CHECK(has(error_of("0,1\n1,2\n", {"2", "2"}), "column 2 is wanted for both x and y."));
  CHECK(error_of("x,y\n0,1,,\n1,2,\n").empty());  // as spreadsheets write it
  CHECK(has(error_of("0,1\n1,nan\n"), "\"nan\" is no finite number."));
  CHECK(has(error_of("0,1\n1,1e999\n"), "\"1e999\" is no finite number."));
  CHECK(has(error_of("0,1\n1,\n"), "a.csv:2:3: a number is missing here."));
  CHECK(has(error_of("0,1\n1\n"), "a.csv:2: the row has 1 columns, but column 2 is wanted."));
  CHECK(has(error_of("0 1\n1 2\n"), "a.csv:1: there is only one column."));
  CHECK(has(error_of("0,1\n"), "a.csv: the file has 1 rows of numbers."));
  for (const auto& wanted : {std::array<std::string, 2>{"1", "2"}, {"x", "F"}}) {
    CHECK(has(error_of("", wanted), "a.csv: the file is empty"));
    CHECK(has(error_of("# nothing\n\n", wanted), "a.csv: the file is empty"));
  }
  CHECK(has(error_of("x,y\n0,1\n1,2\n", {"x", "z"}), "a.csv:1: there is no column \"z\"."));
  CHECK(has(error_of("velocity,force\n0,1\n1,2\n", {"velocity", "farce"}), "Did you mean \"force\"?"));
  CHECK(has(error_of("x,x\n0,1\n1,2\n", {"x", "2"}), "2 columns are called \"x\"."));
  CHECK(has(error_of("0,1\n1,2\n", {"x", "y"}), "this row holds numbers, not names."));
  CHECK(has(error_of("0,1\n1,2\n", {"1", "3"}), "column 3 is wanted"));
  CHECK(has(error_of("x,\"y\n0,1\n"), "begins with a quote and does not end with one."));
  CHECK(has(error_of("\xff\xfe"
                     "0"),
            "UTF-16"));
}

TEST_CASE("A table from a file equals the same table in the model") {
  const Folder folder;
  const std::string path = folder.write("drive.csv", "time [ms], angle [deg]\n0, 0\n500, 45\n1500, 90\n");
  const model::Model a = folder.read(driven("{file: drive.csv}"));
  const model::Model b =
      read_model_text(driven("{table: [[0, 0], [500, 45], [1500, 90]], units: [ms, deg]}"), "m.yaml");
  CHECK(a.expanded == b.expanded);  // the rows stand inline, in SI
  for (const double t : {0.1, 0.7, 1.2}) CHECK(a.joints[0].drive[0]->at(t).value == b.joints[0].drive[0]->at(t).value);
  CHECK(std::count(a.files.begin(), a.files.end(), path) == 1);
  CHECK(read_model_text(a.expanded, "m.yaml").expanded == a.expanded);
  folder.write("plain.csv", "0, 500, 1\n45, 1000, 2\n");
  CHECK(has(folder.read(driven("{file: plain.csv, columns: [2, 1], units: [ms, rad]}")).expanded,
            "{table: [[0.5, 0], [1, 45]]}"));
}

TEST_CASE("Wrong tables in files") {
  const Folder folder;
  folder.write("a.csv",
               "t [s], angle [deg], mass [kg], note (left), empty\n0, 0, 1, 1, 1\n1, 1, 1, 1, 1\n1, 2, 1, 1, 1\n");
  const auto with = [&](const std::string& table) { return folder.errors(driven(table)); };
  CHECK(has(with("{file: a.csv}"), "a.csv:4: joint \"hinge\": drive: x = 1 is not above 1 of the row before."));
  CHECK(has(with("{file: a.csv, columns: [t, mass]}"),
            "a.csv:1: joint \"hinge\": drive: column \"mass\" is in kg, but 1"));
  CHECK(has(with("{file: a.csv, units: [ms, deg]}"), "column \"t\" is in s, but the model says otherwise."));
  CHECK(has(with("{file: a.csv, columns: [t, note]}"), "or write units: [.., ..] in the model."));
  CHECK(has(with("{file: a.csv, columns: [t]}"), "columns should be a list of two."));
  CHECK(has(with("{file: b.csv}"), "drive: file: the file \"b.csv\" is not found."));
  CHECK(has(with("{file: [a.csv]}"), "drive: file should be a single value"));
  CHECK(has(with("{file: a.csv, table: [[0, 1], [1, 2]]}"), "drive has a table and a file."));
  CHECK(has(with("{columns: [1, 2], table: [[0, 1], [1, 2]]}"),
            "drive has columns, which are those of a file, and a table."));
  CHECK(has(errors_of(driven("{file: a.csv}")), "the model is given as a text, so other files are not read."));
}

// Cost, in time of the processor: measured 0.2 s. Builds without optimisation get more.
TEST_CASE("A table of 100 000 rows is read in less than half a second") {
  const Folder folder;
  std::string rows = "t, angle\n";
  for (int i = 0; i < 100'000; ++i) rows += fmt::format("{:.4f},{:.6f}\n", 1e-3 * i, 1e-5 * i);
  folder.write("long.csv", rows);
  const auto start = std::clock();
  const model::Model m = folder.read(driven("{file: long.csv}"));
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  MESSAGE("100 000 rows in " << seconds << " s");
  CHECK(m.joints[0].drive[0]->at(50.0).value == doctest::Approx(0.5));
#ifdef NDEBUG
  CHECK(seconds < 0.5);
#else
  CHECK(seconds < 5.0);
#endif
}
