// References: the promises that the reader, the manual and the editor's schema build on.
#include "skyhook/element/catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "skyhook/element/source.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

// Fills what a joint asks for: bodies and axis; all else keeps its default.
struct JointSource : TestSource {
  bool read(const FieldInfo& info, model::FieldTarget target) override {
    if (std::string(info.name) != "to") return false;
    std::get<model::BodyRef*>(target)->index = 1;
    return true;
  }
};

bool is_name(const std::string& name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

void check_variables(const FieldInfo& info) {
  std::istringstream words(info.variables);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    REQUIRE(colon != std::string::npos);
    CHECK(is_name(word.substr(0, colon)));
    CHECK_NOTHROW(parse_unit(word.substr(colon + 1)));
  }
}

}  // namespace

TEST_CASE("Each type stands once in its section and is found there") {
  std::set<std::pair<std::string, std::string>> seen;
  for (const ElementType& type : catalogue()) {
    CAPTURE(type.name);
    CHECK(seen.emplace(type.section, type.name).second);
    CHECK((type.section == "joints" || type.section == "forces" || type.section == "controllers" ||
           type.section == "roads" || type.section == "tracks" || type.section == "profiles"));
    CHECK(is_name(type.name));
    CHECK_FALSE(type.summary.empty());
    CHECK(find(type.section, type.name) == &type);
  }
  CHECK(find("joints", "spring_damper") == nullptr);
  CHECK(find("forces", "no such") == nullptr);
}

TEST_CASE("Each field has a name of its own, help, and units that can be parsed") {
  for (const ElementType& type : catalogue()) {
    std::set<std::string> names;
    for (const FieldInfo& info : type.fields) {
      CAPTURE(type.name);
      CAPTURE(info.name);
      CHECK((is_name(info.name) || (type.name == "state_space" && std::string(info.name).size() == 1)));  // A, B, C, D
      CHECK(names.insert(info.name).second);
      CHECK(std::string(info.help).size() > 5);
      if (std::string(info.unit) != "any") CHECK_NOTHROW(parse_unit(info.unit));
      check_variables(info);
    }
  }
}

TEST_CASE("Defaults lie within their own range") {
  struct RangeSource : TestSource {
    bool read(const FieldInfo& info, model::FieldTarget target) override {
      CAPTURE(info.name);
      const auto* number = std::get_if<double*>(&target);
      if (number && !info.is_required) CHECK(info.range.contains(**number));  // what is required has no default
      return false;
    }
  } source;
  for (const ElementType& type : catalogue()) type.offer_fields(source);
}

TEST_CASE("Every field is offered once, in the order of the description") {
  for (const ElementType& type : catalogue()) {
    TestSource source;
    type.offer_fields(source);
    REQUIRE(source.asked.size() == type.fields.size());
    for (std::size_t i = 0; i < source.asked.size(); ++i) CHECK(source.asked[i] == type.fields[i].name);
  }
}

TEST_CASE("Reading gives the joint the name of its type") {
  JointSource source;
  model::Model model = two_bodies();
  find("joints", "revolute")->read(source, model);
  CHECK(model.joints.at(0).type == "revolute");
  CHECK(model.joints[0].name == "part");
  CHECK(model.joints[0].to == 1);
}

TEST_CASE("Types that name coordinates of other joints say so") {
  CHECK(find("joints", "coupler")->refers_to_coordinates);
  CHECK(find("joints", "gear")->refers_to_coordinates);
  CHECK(find("forces", "spring_damper")->refers_to_coordinates);
  CHECK_FALSE(find("joints", "revolute")->refers_to_coordinates);
  CHECK_FALSE(find("joints", "rod")->refers_to_coordinates);
}

TEST_CASE("Each type has a page that leaves the table of parameters to the generator") {
  for (const ElementType& type : catalogue()) {
    CAPTURE(type.name);
    const std::string folder = type.section == "joints"     ? "joint/"
                               : type.section == "forces"   ? "force/"
                               : type.section == "roads"    ? "road/"
                               : type.section == "tracks"   ? "track/"
                               : type.section == "profiles" ? "profile/"
                                                            : "controller/";
    std::ifstream file(std::string(SKYHOOK_SOURCE_DIR "/src/skyhook/element/") + folder + type.name + ".md");
    const std::string page((std::istreambuf_iterator<char>(file)), {});
    CHECK(page.starts_with("# "));
    CHECK(page.find("```yaml") != std::string::npos);
    CHECK(page.find("type: " + type.name) != std::string::npos);
    CHECK(page.find("## Channels") != std::string::npos);
  }
}
