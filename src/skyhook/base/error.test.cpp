// References: the message format of the house style, and suggestions a reader would make by hand.
#include "skyhook/base/error.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace skyhook;

TEST_CASE("A finding is printed as file:line:column, what is wrong, then the advice indented") {
  CHECK(to_string({{"coach.yaml", 41, 7}, "joint \"a\" is loose.", "Connect it."}) ==
        "coach.yaml:41:7: joint \"a\" is loose.\n  Connect it.");
}

TEST_CASE("Unknown parts of a location are left out") {
  CHECK(to_string({{"coach.yaml", 41, 0}, "wrong.", ""}) == "coach.yaml:41: wrong.");
  CHECK(to_string({{"coach.yaml", 0, 0}, "wrong.", ""}) == "coach.yaml: wrong.");
  CHECK(to_string({{"coach.yaml", 0, 7}, "wrong.", ""}) == "coach.yaml: wrong.");  // a column needs its line
  CHECK(to_string({{}, "wrong.", "Mend it."}) == "wrong.\n  Mend it.");
}

TEST_CASE("A ModelError of one finding carries it and prints it") {
  const ModelError error({"a.yaml", 3, 1}, "mass is negative.", "Give a mass above 0 kg.");
  CHECK(std::string(error.what()) == "a.yaml:3:1: mass is negative.\n  Give a mass above 0 kg.");
  REQUIRE(error.findings().size() == 1);
  CHECK(error.findings()[0].where.line == 3);
  CHECK(error.findings()[0].advice == "Give a mass above 0 kg.");
}

TEST_CASE("Nothing is thrown when nothing was found") {
  const Findings findings;
  CHECK(findings.empty());
  CHECK_NOTHROW(findings.throw_if_any());
}

TEST_CASE("Several findings are reported together in the order they were made") {
  Findings findings;
  findings.add({"a.yaml", 9, 2}, "second line first.");
  findings.add(ModelError({{{"b.yaml", 1, 0}, "from another reader.", "Look there."}, {{}, "no place.", ""}}));
  CHECK_FALSE(findings.empty());
  try {
    findings.throw_if_any();
    FAIL("throw_if_any did not throw");
  } catch (const ModelError& error) {
    CHECK(error.findings().size() == 3);
    CHECK(std::string(error.what()) ==
          "a.yaml:9:2: second line first.\nb.yaml:1: from another reader.\n  Look there.\nno place.");
  }
}

TEST_CASE("A near miss is suggested, with all that is known") {
  CHECK(suggest("bogie2", {"car", "bogie_1", "bogie_2"}, "Bodies") ==
        "Did you mean \"bogie_2\"? Bodies here: car, bogie_1, bogie_2.");
}

TEST_CASE("Two neighbouring letters exchanged count as one slip") {
  // As two substitutions "wheel" would be no nearer to "hweel" than "steel" is, and "steel" stands first.
  CHECK(suggest("hweel", {"steel", "wheel"}, "Bodies").starts_with("Did you mean \"wheel\"?"));
}

TEST_CASE("A name of up to three letters tolerates one slip and must have a letter in common") {
  for (const auto& [wrong, known] :
       {std::pair{"zz", "a"}, {"bdf", "ida"}, {"a", "m"}, {"q", "N"}, {"", "m"}, {"ab", "ba_"}}) {
    CAPTURE(std::string(wrong));
    CHECK(suggest(wrong, {known}, "Names") == std::string("Names here: ") + known + ".");
  }
  for (const auto& [wrong, known] : {std::pair{"mm", "m"}, {"sni", "sin"}, {"rid", "ride"}, {"kM", "km"}, {"n", "N"}}) {
    CAPTURE(std::string(wrong));
    CHECK(suggest(wrong, {known}, "Names").starts_with(std::string("Did you mean \"") + known + "\"?"));
  }
}

TEST_CASE("A name of four letters or more tolerates two slips, a long one a third of its letters") {
  CHECK(suggest("abcd", {"abxy"}, "Bodies").starts_with("Did you mean \"abxy\"?"));
  CHECK(suggest("abcd", {"axyz"}, "Bodies") == "Bodies here: axyz.");
  CHECK(suggest("abcdefghi", {"abcdefxyz"}, "Bodies").starts_with("Did you mean \"abcdefxyz\"?"));
  CHECK(suggest("abcdefghi", {"abcdewxyz"}, "Bodies") == "Bodies here: abcdewxyz.");
}

TEST_CASE("The nearest wins, the first among equals") {
  CHECK(suggest("damper_fl", {"damper_rr", "damper_fr", "damper_rl"}, "Forces")
            .starts_with("Did you mean \"damper_fr\"?"));
}

TEST_CASE("Nothing known is said so") { CHECK(suggest("car", {}, "Bodies") == "Bodies here: none."); }

TEST_CASE("A long list is cut and its length given") {
  std::vector<std::string> known;
  for (int i = 0; i < 12; ++i) known.push_back("part_" + std::to_string(i));
  const std::string whole =
      "Bodies here: part_0, part_1, part_2, part_3, part_4, part_5, part_6, part_7, part_8, "
      "part_9, part_10, part_11";
  CHECK(suggest("quite different", known, "Bodies") == whole + ".");
  known.push_back("part_12");
  const std::string cut = suggest("quite different", known, "Bodies");
  CHECK(cut.starts_with("Bodies, nearest first: part_"));
  CHECK(cut.ends_with(", ... (13 in all)."));
  CHECK(std::ranges::count(cut, ',') == 13);
}

TEST_CASE("Of many the nearest are listed, those of the same owner or the same quantity first") {
  std::vector<std::string> known;
  for (const std::string owner : {"arm", "wheel", "wheel_2", "car"}) {
    for (const std::string quantity : {"x", "y", "z", "angle_x", "angle_y", "steer"})
      known.push_back(owner + "." + quantity);
  }
  CHECK(suggest("wheel.stere", known, "Channels")
            .starts_with("Did you mean \"wheel.steer\"? Channels, nearest first: wheel.steer, "));
  const std::string whel = suggest("whel.z", known, "Channels");
  CHECK(whel.starts_with("Did you mean \"wheel.z\"? Channels, nearest first: wheel.z, "));
  CHECK(whel.find("wheel_2.z") < whel.find("wheel.angle_x"));
  const std::string heading = suggest("wheel.heading", known, "Channels");
  for (const char* name : {"wheel.x", "wheel.steer", "wheel.angle_x"})
    CHECK_MESSAGE(heading.find(name) < heading.find("arm."), name);
}

TEST_CASE("A near miss beyond the cut is still suggested") {
  std::vector<std::string> known(20, "something");
  known.push_back("strut");
  CHECK(suggest("sturt", known, "Forces").starts_with("Did you mean \"strut\"?"));
}
