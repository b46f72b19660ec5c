// References: the numbers written, read back by a CSV parser of this file and by libmatio.
#include "skyhook/io/result/export.h"

#include <doctest/doctest.h>
#include <matio.h>

#include <sstream>

#include "skyhook/base/error.h"
#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using example::Numbers;
using example::TemporaryFile;

namespace {

// RFC 4180: fields separated by commas, quoted ones may hold anything with quotes doubled.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      rows.back().emplace_back();
    } else if (!quoted && text[i] == '\n') {
      if (i + 1 < text.size()) rows.push_back({""});
    } else {
      rows.back().back() += text[i];
    }
  }
  return rows;
}

std::vector<double> read_vector(mat_t* file, const char* name) {
  matvar_t* variable = Mat_VarRead(file, name);
  REQUIRE(variable != nullptr);
  REQUIRE(variable->class_type == MAT_C_DOUBLE);
  CHECK(variable->dims[1] == 1);
  const auto* values = static_cast<const double*>(variable->data);
  std::vector<double> copy(values, values + variable->dims[0]);
  Mat_VarFree(variable);
  return copy;
}

std::vector<std::u16string> read_cells(mat_t* file, const char* name) {
  matvar_t* variable = Mat_VarRead(file, name);
  REQUIRE(variable != nullptr);
  std::vector<std::u16string> texts;
  for (std::size_t i = 0; i < variable->dims[0]; ++i) {
    const matvar_t* cell = Mat_VarGetCell(variable, static_cast<int>(i));
    texts.emplace_back(static_cast<const char16_t*>(cell->data), cell->dims[1]);
  }
  Mat_VarFree(variable);
  return texts;
}

}  // namespace

TEST_CASE("The event log as CSV: every digit of the time, texts quoted where they must be") {
  const TemporaryFile file;
  {
    ResultWriter writer(file);
    writer.begin(example::info());
    writer.event({1.0 / 3.0, "lift-off", "mode 1, \"contact\", to 2", "front.tyre", "switching"});
    writer.event({2.0, "stop", "", "", ""});
    writer.end(example::summary());
  }
  std::ostringstream out;
  export_events(ResultFile::open(file), out, "text");
  const auto rows = parse_csv(out.str());
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == std::vector<std::string>{"time [s]", "event", "element", "kind", "detail"});
  CHECK(std::stod(rows[1][0]) == 1.0 / 3.0);
  CHECK(rows[1][1] == "lift-off");
  CHECK(rows[1][2] == "front.tyre");
  CHECK(rows[1][4] == "mode 1, \"contact\", to 2");
  CHECK(rows[2] == std::vector<std::string>{"2", "stop", "", "", ""});
}

TEST_CASE("CSV is read back bit for bit") {
  const TemporaryFile file, csv(".csv");
  example::write(file, 101);
  export_csv(ResultFile::open(file), {}, csv);
  const auto rows = parse_csv(example::slurp(csv));
  REQUIRE(rows.size() == 102);
  CHECK(rows[0] == std::vector<std::string>{"time [s]", "chassis.z [m]", "strut.force [N]", "cubic [-]"});
  bool same = true;
  for (std::size_t i = 0; i < 101; ++i) {
    const Numbers n(static_cast<double>(i) / 100.0);
    same = same && std::stod(rows[i + 1][0]) == n.t;
    for (std::size_t c = 0; c < 3; ++c) same = same && std::stod(rows[i + 1][c + 1]) == n.channels[c];
  }
  CHECK(same);
}

TEST_CASE("CSV quotes names with commas, quotes and line ends, and has only what was asked for") {
  const TemporaryFile file, csv(".csv");
  simulation::RunInfo info = example::info();
  info.channels[1].name = "a, \"b\"\nc";
  {
    ResultWriter writer(file);
    writer.begin(info);
    writer.sample(Numbers(0.25).sample());
  }
  export_csv(ResultFile::open(file), {"a*", "heave.z"}, csv);
  const auto rows = parse_csv(example::slurp(csv));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == std::vector<std::string>{"time [s]", "a, \"b\"\nc [N]", "heave.z [m]"});
  CHECK(std::stod(rows[1][2]) == Numbers(0.25).y[0]);
}

TEST_CASE("CSV to a stream is what a file would hold; a stream that fails is named") {
  const TemporaryFile file, csv(".csv");
  example::write(file);
  const ResultFile result = ResultFile::open(file);
  std::ostringstream out;
  export_csv(result, {"cubic"}, out, "standard output");
  export_csv(result, {"cubic"}, csv);
  CHECK(out.str() == example::slurp(csv));
  out.setstate(std::ios::badbit);
  CHECK(example::holds(example::message_of([&] { export_csv(result, {}, out, "standard output"); }),
                       "standard output: the table cannot be written"));
}

TEST_CASE("A MAT file holds a vector a channel and the original names") {
  const TemporaryFile file, mat(".mat");
  simulation::RunInfo info = example::info();
  info.channels[0].name = "\u03c9 \U0001F697";
  {
    ResultWriter writer(file);
    writer.begin(info);
    for (int i = 0; i < 11; ++i) writer.sample(Numbers(i / 10.0).sample());
  }
  export_mat(ResultFile::open(file), {}, mat);
  mat_t* opened = Mat_Open(mat.path.c_str(), MAT_ACC_RDONLY);
  REQUIRE(opened != nullptr);
  CHECK(Mat_GetVersion(opened) == MAT_FT_MAT5);
  CHECK(read_vector(opened, "time") == ResultFile::open(file).time());
  CHECK(read_vector(opened, "strut_force") == ResultFile::open(file).series("strut.force").values);
  CHECK(read_cells(opened, "skyhook_names") ==
        std::vector<std::u16string>{u"time", u"\u03c9 \U0001F697", u"strut.force", u"cubic"});
  CHECK(read_cells(opened, "skyhook_units") == std::vector<std::u16string>{u"s", u"m", u"N", u"-"});
  CHECK(read_cells(opened, "skyhook_variables") ==
        std::vector<std::u16string>{u"time", u"x____", u"strut_force", u"cubic"});
  Mat_Close(opened);
}

TEST_CASE("Names for MATLAB are legal and different") {
  CHECK(mat_names({"a.b", "a b", "a_b", "1st", "end", "", "_x"}) ==
        std::vector<std::string>{"a_b", "a_b_2", "a_b_3", "x_1st", "x_end", "x_", "x__x"});
  const auto names = mat_names({std::string(100, 'a'), std::string(101, 'a')});
  CHECK(names[0].size() == 63);
  CHECK(names[1].size() == 63);
  CHECK(names[0] != names[1]);
}

TEST_CASE("What cannot be written is refused") {
  const TemporaryFile file, folder("");
  example::write(file);
  std::filesystem::create_directory(folder);
  const ResultFile result = ResultFile::open(file);
  CHECK_THROWS_AS(export_csv(result, {}, folder), ModelError);
  CHECK_THROWS_AS(export_mat(result, {}, folder), ModelError);
  CHECK_THROWS_AS(export_csv(result, {}, folder.path / "none/a.csv"), ModelError);
  CHECK_THROWS_AS(export_mat(result, {}, folder.path / "none/a.mat"), ModelError);
  CHECK_THROWS_AS(export_csv(result, {}, "/dev/full"), ModelError);
  CHECK_THROWS_AS(export_csv(result, {"none"}, folder.path / "a.csv"), ModelError);
}
