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
  CHECK(t.law.form == MagicForm::pac2002);
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
    CHECK(first.law.form == again.law.form);
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

TEST_CASE("Names of other programs, empty entries, tables without a head and unknown sides") {
  const auto with = [&](const std::string& more) { return example() + more; };
  const MagicTyre t =
      tyre_of(replaced(with("[TIRE_CONDITIONS]\nIP = 2.4\nIP_NOM = 2\n[VERTICAL]\nQREO = 0.99\nQPFZ1 = 0.5\n"),
                       "FORCE  = 'newton'", "FORCE  = 'newton'\nPRESSURE = 'bar'"));
  CHECK(t.law.pressure_change() == doctest::Approx(0.2));
  CHECK(t.law.vertical().radius == doctest::Approx(0.99 * 0.376));
  CHECK(t.law.vertical().stiffness == doctest::Approx(1.1 * 1.75e5));
  CHECK(refusal(with("[VERTICAL]\nQFZ2 = 1\nQ_FZ2 = 1\n")).find("Q_FZ2 says the same as QFZ2") != std::string::npos);
  // 4 Q_FZ2 must stay below (k R0 / Fz0)^2 = 299.8
  CHECK(refusal(with("[VERTICAL]\nQ_FZ2 = 75\n")).find("Q_FZ2 is more") != std::string::npos);
  CHECK(refusal(with("[VERTICAL]\nQ_FZ2 = 74\n")).empty());

  const MagicTyre e = tyre_of(replaced(example(), "PHY3               = 0.037561", "PHY3 ="));
  CHECK(e.law.c.phy3 == 0);
  CHECK(has(e.defaults, "PHY3"));
  CHECK(e.notes == std::vector<std::string>{"without a value, and taken as absent: PHY3"});
  CHECK(refusal(replaced(example(), "PKY1               = -12.536", "PKY1 =")).find("PKY1 is missing") !=
        std::string::npos);

  CHECK(has(tyre_of(with("[SHAPE]\n1.0 0.0\n1.0  0.4\n0.9 1\n")).unused, "table of [SHAPE]"));
  CHECK(tyre_of(replaced(example(), "'LEFT'", "'UNKNOWN'")).side == "SYMMETRIC");
  // as older files have it: the same curve
  MagicTyre down = tyre_of(replaced(example(), "PDY1               = 0.94002", "PDY1 = -0.94002"));
  CHECK(down.notes.size() == 1);
  down.law.c.pdy2 = -down.law.c.pdy2;
  const Slip<double> s{0, 0.05, 0.01, 3000, 20};
  MagicTyre up = tyre_of(example());
  up.law.c.rvy6 = down.law.c.rvy6 = 0;
  CHECK(down.law(s).fy == doctest::Approx(up.law(s).fy).epsilon(1e-13));
}

TEST_CASE("Which form a file has: PROPERTY_FILE_FORMAT and FITTYP") {
  const auto form = [](const std::string& by) {
    return tyre_of(replaced(example(), "PROPERTY_FILE_FORMAT = 'PAC2002'", by)).law.form;
  };
  CHECK(form("FITTYP = 6") == MagicForm::mf52);
  CHECK(form("PROPERTY_FILE_FORMAT = 'MF_05'") == MagicForm::mf52);
  CHECK(form("PROPERTY_FILE_FORMAT = 'MF_05'\nFITTYP = 52") == MagicForm::mf52);
  CHECK(form("PROPERTY_FILE_FORMAT = 'PAC2002'\nFITTYP = 6") == MagicForm::pac2002);
  CHECK(form("FITTYP = 61") == MagicForm::mf61);
  const MagicTyre t = tyre_of(replaced(example(), "PROPERTY_FILE_FORMAT = 'PAC2002'", "FITTYP = 61"));
  CHECK(t.notes == std::vector<std::string>{"without effect in MF 6.1: PHY3"});
}
