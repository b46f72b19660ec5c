// References: files by hand, with the line that each error must name.
#include "skyhook/element/tyre/tir_file.h"

#include <doctest/doctest.h>

using namespace skyhook;
using namespace skyhook::element::tyre;

namespace {

const std::string good =
    "$ a comment = 3\n[MODEL]\nFITTYP = 61  $ version\nNAME='with $ and ! and = in it' ! more\nside = Left\r\n\n! "
    "another\n"
    "[Shape]\n{radial width}\n1.0 0.0\n0.9 1.0\n[VERTICAL]\nFNOMIN = 4.0d+3\nFZ=+1e3\nX = -.5\n";

// Line and text of the first finding.
std::pair<int, std::string> refusal(const std::string& text) {
  try {
    parse_tir(text, "t.tir");
  } catch (const ModelError& error) {
    CHECK(error.findings()[0].where.file == "t.tir");
    return {error.findings()[0].where.line, error.findings()[0].what};
  }
  return {-1, ""};
}

}  // namespace

TEST_CASE("A tyre property file: sections, numbers, texts, comments, tables") {
  const TirFile f = parse_tir(good, "t.tir");
  REQUIRE(f.entries.size() == 6);
  CHECK(f.find("FITTYP")->number == 61);
  CHECK(f.find("FITTYP")->line == 3);
  CHECK(f.find("NAME")->text == "with $ and ! and = in it");
  CHECK_FALSE(f.find("NAME")->is_number);
  CHECK(f.find("SIDE")->text == "Left");
  CHECK(f.find("VERTICAL", "FNOMIN")->number == 4000);
  CHECK(f.find("FZ")->number == 1000);
  CHECK(f.find("X")->number == -0.5);
  CHECK(f.find("nothing") == nullptr);
  CHECK(f.tables == std::vector<std::string>{"SHAPE"});
}

TEST_CASE("A tyre property file: what is odd is told with its line") {
  CHECK(refusal("[A]\nX = 1\nX = 2\n") == std::pair<int, std::string>{3, "X stands in [A] again; first at line 2."});
  CHECK(refusal("[A]\n\nX 1\n").first == 3);
  CHECK(refusal("X = 1\n").first == 1);
  CHECK(refusal("[A\nX = 1\n").first == 1);
  CHECK(refusal("[A] b\nX = 1\n").first == 1);
  CHECK(refusal("[A]\nX 1 2\n").first == 2);
  CHECK(refusal("1 2\n[A]\nX = 1\n").first == 1);
  CHECK(refusal("[A]\nX = 1.5 2\n").first == 2);
  CHECK(refusal("[A]\nX = 1,5\n").first == 2);
  CHECK(refusal("[A]\nX = 1e999\n").first == 2);
  CHECK(refusal("[A]\nX = nan\n").first == 2);
  CHECK(refusal("[A]\nX = 'open\n").first == 2);
  CHECK(refusal("[A]\n{a b\n").first == 2);
  CHECK(refusal("").first == 0);
  CHECK(refusal("$ only a comment\n").first == 0);
  try {  // all of them at once
    parse_tir("[A]\nX = 1\nX = 2\nY\nZ = 'a\n", "t.tir");
  } catch (const ModelError& error) {
    CHECK(error.findings().size() == 3);
  }
}

TEST_CASE("Entries without a value count as absent; rows of numbers are a table with or without a head") {
  const TirFile f = parse_tir("[A]\nX =\nY = $ nothing\nX = 2\n[SHAPE]\n 1.00  0.00\n 0.9\t1d0\n[B]\nZ = 1\n", "t.tir");
  CHECK(f.empty == std::vector<std::string>{"X", "Y"});
  CHECK(f.find("X")->number == 2);
  CHECK(f.find("Y") == nullptr);
  CHECK(f.tables == std::vector<std::string>{"SHAPE"});
  CHECK(f.find("Z")->number == 1);
}

TEST_CASE("One name in two sections is refused where it is asked for") {
  const TirFile f = parse_tir("[UNITS]\nMASS='kg'\n[A]\nX = 1\nMASS = 9\n[B]\nX = 2\n", "t.tir");
  CHECK(f.find("MASS")->number == 9);
  CHECK_THROWS_AS(f.find("X"), ModelError);
  CHECK_THROWS_AS(read_tir_text("no/such.tir", {}), ModelError);
}
