// References: the file of the examples; itself, written and read again.
#include "skyhook/element/tyre/magic_tyre.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace skyhook;
using namespace skyhook::element::tyre;

namespace {

std::string example() {
  return read_tir_text(std::string(SKYHOOK_SOURCE_DIR) + "/models/road/tyres/185_80R14.tir", {});
}
MagicTyre tyre_of(const std::string& text) { return magic_tyre(parse_tir(text, "t.tir")); }
std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}
std::string refusal(const std::string& text) {
  try {
    tyre_of(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}
bool has(const std::vector<std::string>& list, const std::string& name) { return std::ranges::count(list, name) > 0; }

}  // namespace

TEST_CASE("A file of PAC2002 without FITTYP is read, and says what it has and has not") {
  const MagicTyre t = tyre_of(example());
  CHECK(t.version == "PAC2002");
  CHECK_FALSE(t.law.is_61);
  CHECK(t.side == "LEFT");
  CHECK(t.use_mode == 4);
  CHECK(t.law.c.pky1 == -12.536);
  CHECK(t.law.c.ssz4 == -0.16022);
  CHECK(t.law.c.load_max == 8550);
  CHECK(has(t.unused, "QTZ1"));
  CHECK(has(t.unused, "MBELT"));
  CHECK(has(t.defaults, "QSX4"));
  CHECK_FALSE(has(t.defaults, "PPX1"));  // of 6.1: no file of this kind has it
}

TEST_CASE("Round trip: a file written and read again has the same numbers, bit for bit, and is written alike") {
  for (const std::string& text : {example(), replaced(example(), "PROPERTY_FILE_FORMAT = 'PAC2002'", "FITTYP = 61"),
                                  replaced(example(), "USE_MODE             = 4 ", "USE_MODE = -12")}) {
    const MagicTyre first = tyre_of(text), again = tyre_of(tir_text(first));
    for (const MagicEntry& entry : magic_entries()) {
      CAPTURE(entry.name);
      CHECK(first.law.c.*entry.value == again.law.c.*entry.value);
    }
    CHECK(tir_text(first) == tir_text(again));
    CHECK(first.law.mirrored == again.law.mirrored);
    CHECK(first.law.is_61 == again.law.is_61);
    CHECK(first.use_mode == again.use_mode);
    CHECK(again.unused.empty());
  }
}

TEST_CASE("USE_MODE: what is computed, and mirrored where it is negative") {
  const auto law = [](const std::string& mode) {
    return tyre_of(replaced(example(), "USE_MODE             = 4 ", "USE_MODE = " + mode)).law;
  };
  CHECK((!law("0").drives_x && !law("0").drives_y));
  CHECK((law("1").drives_x && !law("11").drives_y));
  CHECK((!law("2").drives_x && law("12").drives_y));
  CHECK((law("3").drives_x && law("3").drives_y && !law("13").combined));
  CHECK((law("14").combined && !law("14").mirrored));
  CHECK(law("-4").mirrored);
  CHECK(law("5").combined);
  CHECK(law("334").combined);
  CHECK(refusal(replaced(example(), "USE_MODE             = 4 ", "USE_MODE = 7")).find("t.tir:15") == 0);
}

TEST_CASE("Units are converted") {
  std::string text = replaced(example(), "LENGTH = 'meter'", "LENGTH = 'mm'");
  text = replaced(text, "FORCE  = 'newton'", "FORCE = 'kN'");
  const MagicTyre t = tyre_of(text);
  CHECK(t.law.c.radius == doctest::Approx(0.376e-3));
  CHECK(t.law.c.nominal_load == doctest::Approx(3.8e6));
  CHECK(t.law.c.stiffness == doctest::Approx(1.75e11));
  CHECK(t.law.c.pky1 == -12.536);
  CHECK(tyre_of(replaced(example(), "ANGLE  = 'radians'", "ANGLE = 'degrees'")).notes.size() == 1);
  CHECK(refusal(replaced(example(), "LENGTH = 'meter'", "LENGTH = 'furlong'")).find("t.tir:8: LENGTH is \"furlong\"") ==
        0);
}

TEST_CASE("What is missing or odd is refused with its line") {
  CHECK(refusal(replaced(example(), "PKY1 ", "PKY9 ")).find("PKY1 is missing") != std::string::npos);
  CHECK(refusal(replaced(example(), "UNLOADED_RADIUS", "RADIUS")).find("UNLOADED_RADIUS is missing") !=
        std::string::npos);
  CHECK(refusal(replaced(example(), "= 1.4675", "= -1.4675")).find("PCY1 is not above zero") != std::string::npos);
  CHECK(refusal(replaced(example(), "= -12.536", "= 12.536")).find("PKY1 is not below zero") != std::string::npos);
  CHECK(refusal(replaced(example(), "= 19.733", "= 'much'")).find("PKX1 is \"much\", but should be a number") !=
        std::string::npos);
  CHECK(refusal(replaced(example(), "TYRESIDE             = 'LEFT'", "TYRESIDE = 'TOP'")).find("TYRESIDE") !=
        std::string::npos);
  CHECK(refusal(replaced(example(), "'PAC2002'", "'FTIRE'")).find("t.tir:14") == 0);
  CHECK(
      refusal(replaced(example(), "PROPERTY_FILE_FORMAT = 'PAC2002'", "FITTYP = 94")).find("t.tir:14: FITTYP is 94") ==
      0);
  CHECK(refusal(replaced(example(), "FZMAX              = 8550", "FZMAX = 100")).find("FZMAX") != std::string::npos);
}
