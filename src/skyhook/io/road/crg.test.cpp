// References: files written here, whose numbers must come back exactly; broken ones must be refused at their line.
#include "skyhook/io/road/crg.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "skyhook/base/error.h"

using namespace skyhook;
using namespace skyhook::io::road;
using doctest::Approx;
using Border = model::RoadGrid::Border;

namespace {

const std::string start =
    "$CT\nsome text = with signs\n$\n$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 0.5 ! every half metre\n";
const std::string places = "LONG_SECTION_V_RIGHT = -1\nlong_section_v_increment = 0.25\n$\n";

double height(std::size_t i, std::size_t j) {
  return std::sin(0.3 * static_cast<double>(i) + 0.7 * static_cast<double>(j));
}

// A file of 30 rows and 9 long sections; numbers of LDFI have all their digits.
std::string file(const std::string& format, const std::string& header = start + places) {
  std::string text = header + "$KD_DEFINITION\n#:" + format + "\nU:reference line u,m,0,0.5\n";
  for (int k = 1; k <= 9; ++k) text += fmt::format("D:long section {},m\n", k);
  text += "$\n$$$$$$\n";
  const std::size_t a_line = format == "LRFI" ? 8 : 4;
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < 9; ++j) {
      text += format == "LRFI" ? fmt::format("{:10.7f}", height(i, j)) : fmt::format("{:20.13e}", height(i, j));
      if (j % a_line == a_line - 1 || j == 8) text += "\n";
    }
  }
  return text;
}

struct Refusal {
  int line = 0;
  std::string what;
};
Refusal refusal(const std::string& text) {
  try {
    read_crg(text, "road.crg");
  } catch (const ModelError& error) {
    return {error.findings().at(0).where.line, error.what()};
  }
  return {};
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  REQUIRE(text.find(what) != std::string::npos);
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("A grid is read back exactly, in both text formats") {
  for (const char* format : {"LRFI", "LDFI"}) {
    const CrgFile crg = read_crg(file(format), "road.crg");
    const model::RoadGrid& g = crg.grid;
    REQUIRE(g.rows() == 30);
    REQUIRE(g.v.size() == 9);
    CHECK(g.v.front() == -1.0);
    CHECK(g.v.back() == 1.0);
    CHECK(g.u_step == 0.5);
    CHECK(g.headings.empty());
    CHECK(g.border_u == Border::none);
    for (std::size_t i = 0; i < 30; ++i) {
      for (std::size_t j = 0; j < 9; ++j) {
        const std::string written = format == std::string("LRFI") ? fmt::format("{:10.7f}", height(i, j))
                                                                  : fmt::format("{:20.13e}", height(i, j));
        CHECK(g.at(i, j) == std::stod(written));
      }
    }
  }
}

TEST_CASE("Heading, slope, banking, offsets and border modes count as the header says") {
  const std::string text =
      start +
      "REFERENCE_LINE_START_U = 3\nREFERENCE_LINE_START_X = 10\nREFERENCE_LINE_START_Y = -4\nREFERENCE_LINE_START_Z = "
      "2\n"
      "$\n$ROAD_CRG_OPTS\nBORDER_MODE_U = 3\nBORDER_MODE_V = 1\nWARN_MSGS = 1\n$\n$ROAD_CRG_MODS\nSCALE_Z_GRID = 2\n"
      "REFLINE_OFFSET_Z = 1\nREFLINE_OFFSET_X = 5\n$\n$KD_DEFINITION\n#:LRFI\nD:reference line phi,rad\nD:reference "
      "line "
      "slope,m/m\nD:reference line banking,m/m\nD:long section at v = 1.5,m\nD:long section at v = -0.5,m\n$\n$$\n"
      "**unused****unused** 0.0200000 0.1000000 0.2000000\n"
      " 0.1000000 0.0100000 0.0300000 0.3000000*missing* \n"
      " 0.2000000 2.00D-02  0.0400000 0.5000000 0.6000000\n";
  const CrgFile crg = read_crg(text, "road.crg");
  const model::RoadGrid& g = crg.grid;
  CHECK(g.v == std::vector<double>{-0.5, 1.5});  // rising, the columns too
  CHECK(g.u_first == 3.0);
  CHECK(g.x == 15.0);
  CHECK(g.y == -4.0);
  CHECK(g.headings == std::vector<double>{0.1, 0.2});
  CHECK(g.border_u == Border::repeat);
  CHECK(g.border_v == Border::zero);
  CHECK(g.at(0, 1) == Approx(2 + 1 + 0.02 * 1.5 + 2 * 0.1));
  CHECK(g.at(0, 0) == Approx(2 + 1 - 0.02 * 0.5 + 2 * 0.2));
  CHECK(g.at(1, 1) == Approx(3 + 0.5 * 0.01 + 0.03 * 1.5 + 2 * 0.3));
  CHECK(g.at(1, 0) == Approx(3 + 0.5 * 0.01 - 0.03 * 0.5 + 2 * 0.3));  // from its neighbour
  CHECK(g.at(2, 1) == Approx(3 + 0.5 * 0.03 + 0.04 * 1.5 + 2 * 0.5));
  CHECK(crg.filled == 1);
  CHECK(crg.ignored == std::vector<std::string>{"WARN_MSGS"});
}

TEST_CASE("What is missing between two heights lies on the line between them") {
  const std::string row =
      "  0.100000*missing* *missing*   0.400000  0.500000  0.600000  0.700000  0.800000\n  0.900000\n";
  std::string text = file("LRFI");
  text = text.substr(0, text.find("$$$$$$\n") + 7) + row + row;
  const CrgFile crg = read_crg(text, "road.crg");
  CHECK(crg.filled == 4);
  CHECK(crg.grid.at(1, 1) == Approx(0.2));
  CHECK(crg.grid.at(1, 2) == Approx(0.3));
}

TEST_CASE("A constant slope and banking, and a height at the end, hold without columns of their own") {
  const CrgFile a =
      read_crg(file("LRFI", start + "REFERENCE_LINE_START_S = 0.1\nREFERENCE_LINE_START_B = 0.2\n" + places), "r");
  CHECK(a.grid.at(4, 0) - a.grid.at(0, 0) == Approx(0.1 * 2 + height(4, 0) - height(0, 0)).epsilon(1e-6));
  CHECK(a.grid.at(0, 8) - a.grid.at(0, 0) == Approx(0.2 * 2 + height(0, 8) - height(0, 0)).epsilon(1e-6));
  const CrgFile b =
      read_crg(file("LRFI", start + "REFERENCE_LINE_START_Z = 1\nREFERENCE_LINE_END_Z = 3\n" + places), "r");
  CHECK(b.grid.at(29, 0) == Approx(3 + height(29, 0)).epsilon(1e-6));
}

TEST_CASE("Broken files are refused at their line, with what to do") {
  const std::string good = file("LRFI");
  const auto at = [](const Refusal& r, int line, const char* what) {
    CHECK(r.line == line);
    CHECK_MESSAGE(r.what.find(what) != std::string::npos, r.what);
  };
  at(refusal(replaced(good, "= 0.5 !", "= half !")), 5, "NAME = number");
  at(refusal(replaced(good, "REFERENCE_LINE_INCREMENT = 0.5", "REFERENCE_LINE_INCREMENT = 0")), 5, "not positive");
  at(refusal(replaced(good, "$\n$KD", "LONG_SECTION_V_RIGHT = -2\n$\n$KD")), 8, "line 6 already");
  at(refusal(replaced(good, "#:LRFI", "#:KRBI")), 10, "KRBI");
  at(refusal(replaced(good, "D:long section 3", "D:long section 4")), 14, "long section 3 is expected");
  at(refusal(replaced(good, "D:long section 3,m", "D:colour,m")), 14, "no column that is known");
  at(refusal(replaced(good, "D:long section 3", "D:long section at v = 3")), 14, "by place and by number");
  at(refusal(replaced(good, "$KD", "$ROAD_CRG_MODS\nSCALE_LENGTH = 2\n$KD")), 10, "SCALE_LENGTH");
  at(refusal(replaced(good, "$KD", "$ROAD_CRG_OPTS\nBORDER_MODE_U = 7\n$KD")), 10, "0 to 4");
  at(refusal(replaced(good, "$KD", "$ROAD_CRG_FILE\nother.crg\n$KD")), 9, "another file");
  at(refusal(replaced(good, " 0.6442177", " 0,6442177")), 23, "no number");
  at(refusal(good.substr(0, good.size() - 11)), 81, "ends within a row");
  at(refusal(replaced(good, "$$$$$$\n", "")), 81, "within its header");
  at(refusal(good + "  0.0000000 0.0\n"), 83, "fewer numbers");
  at(refusal(""), 0, "within its header");
  CHECK(refusal(good).line == 0);
}
