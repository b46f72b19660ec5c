// References: what the file says; messages by hand.
#include "skyhook/io/model_file/reader.testing.h"
#include "skyhook/model/profile.h"

using namespace skyhook;
using namespace skyhook::io;

TEST_CASE("Profiles are read by name, with units, from text of points too") {
  const std::string text =
      "skyhook: 1\nprofiles:\n  cone: {type: conical, slope: 0.05}\n  head: {type: circular, radius: 300 mm, slope: "
      "0.05}\n"
      "  rail: {type: standard, profile: uic60, inclination: 0.025}\n";
  const model::Model m = read_model_text(text, "m.yaml");
  REQUIRE(m.profiles.size() == 3);
  CHECK(m.profiles[0].name == "cone");
  CHECK(m.profiles[0].type == "conical");
  CHECK(m.profiles[0].profile->height(0.02) == doctest::Approx(0.001));
  CHECK(m.profiles[2].profile->angle(0.0) == doctest::Approx(std::atan(1.0 / 40)).epsilon(1e-5));
  const model::Model again = read_model_text(m.expanded, "m.yaml");
  CHECK(again.expanded == m.expanded);
}

TEST_CASE("What is wrong with a profile is told at its line") {
  const auto with = [](const std::string& profile) { return "skyhook: 1\nprofiles: {p: {" + profile + "}}\n"; };
  CHECK(has(errors_of(with("type: round")), "which is not known under profiles"));
  CHECK(has(errors_of(with("type: conical")), "slope"));
  CHECK(has(errors_of(with("type: standard, profile: s1003")), "Did you mean \"s1002\"?"));
  CHECK(has(errors_of(with("type: standard, profile: s1002, inclination: 0.025")), "a wheel does not lean"));
  CHECK(has(errors_of(with("type: standard, profile: s1002, worn_flat: [20 mm, 10 mm]")), "no range"));
  CHECK(has(errors_of(with("type: standard, profile: s1002, worn_flat: [0 mm, 100 mm]")), "within"));
  CHECK(has(errors_of(with("type: points, file: none.csv")), "m.yaml:2:36: profile \"p\": file"));
}

TEST_CASE("A track whose rails have unknown profiles is refused at its line, wheels on it or not, and once") {
  const auto with = [](const std::string& track) {
    return "skyhook: 1\nprofiles: {worn: {type: standard, profile: uic60, inclination: 0.025}}\ntracks:\n  line: {" +
           track + "}\n";
  };
  CHECK(has(errors_of(with("rail: uic61")), "m.yaml:4:16: \"line\": the profile \"uic61\" is not known."));
  const std::string changes = errors_of(with("rail: uic60, rails: [worn, wron], rails_from: [10, 20]"));
  CHECK(has(changes, "m.yaml:4:"));
  CHECK(has(changes, "the profile \"wron\" is not known"));
  CHECK(has(changes, "Did you mean \"worn\"?"));
  CHECK(errors_of(with("rail: worn, rails: [uic60], rails_from: [10]")).empty());
}
