// The schema is held against models that are right and wrong by tools/check_schema; here it is held against the
// descriptions it is made from.
#include "skyhook/io/schema/schema.h"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "skyhook/corrector/strategy.h"
#include "skyhook/element/catalogue.h"
#include "skyhook/io/model_file/fields.h"
#include "skyhook/io/schema/described.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

const Thing& element_named(const std::string& section, const std::string& name) {
  const auto& all = described_elements();
  const auto found = std::ranges::find_if(all, [&](const Thing& t) { return t.section == section && t.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

const DescribedField& field_named(const Thing& thing, const std::string& name) {
  const auto found = std::ranges::find_if(thing.fields, [&](const DescribedField& f) { return f.info.name == name; });
  REQUIRE_MESSAGE(found != thing.fields.end(), name);
  return *found;
}

}  // namespace

TEST_CASE("JSON is written in the order given, short parts on one line") {
  const Json json =
      Json().set("b", Json::list({1, 2.5, true, "x\"y"})).set("a", Json()).set("long", std::string(100, 'x'));
  CHECK(json.to_text() ==
        "{\n  \"b\": [1, 2.5, true, \"x\\\"y\"],\n  \"a\": {},\n  \"long\": \"" + std::string(100, 'x') + "\"\n}\n");
  CHECK(Json().to_text() == "{}\n");
}

TEST_CASE("Descriptions: kinds, units, ranges and defaults of fields") {
  const Thing& spring = element_named("forces", "spring_damper");
  const DescribedField& stiffness = field_named(spring, "stiffness");
  CHECK(stiffness.type_text() == "number");
  CHECK(stiffness.range_text() == "at least 0");
  CHECK(stiffness.otherwise == "0");
  CHECK(field_named(spring, "free_length").otherwise.empty());  // none that could be written down
  CHECK(field_named(spring, "force").type_text() == "formula over x, or table");
  CHECK(field_named(spring, "from").type_text() == "marker or body");
  CHECK(field_named(spring, "joint").type_text() == "joint coordinate");
  CHECK(field_named(element_named("joints", "revolute"), "axis").otherwise == "z");
  CHECK(field_named(element_named("joints", "revolute"), "drive").type_text() == "formula over t, or table");
  CHECK(field_named(element_named("forces", "force"), "x").type_text() == "formula over t, x, y, z, vx, vy, vz");
  CHECK(field_named(described_part("experiment"), "jacobian").type_text() ==
        fmt::format("{}", fmt::join(jacobian_names(), " or ")));  // the strategies that there are
  CHECK(field_named(described_part("experiment"), "jacobian").otherwise == "auto");
  CHECK(field_named(described_part("experiment"), "tolerance").range_text() == "above 0 and at most 0.1");
  CHECK(field_named(described_part("body"), "inertia").type_text() == "tensor");
}

TEST_CASE("Descriptions: every element has its type and all fields of the catalogue") {
  CHECK(described_elements().size() == element::catalogue().size());
  for (const element::ElementType& type : element::catalogue()) {
    const Thing& thing = element_named(type.section, type.name);
    CAPTURE(type.name);
    CHECK(std::string(thing.fields.front().info.name) == "type");
    for (const FieldInfo& info : type.fields) field_named(thing, info.name);
  }
}

TEST_CASE("Descriptions: whatever has a name may have a condition") {
  for (const char* name : {"body", "marker", "body_marker", "part", "group"})
    CHECK_MESSAGE(field_named(described_part(name), "if").type_text() == "true or false", name);
  for (const Thing& thing : described_elements()) CHECK(field_named(thing, "if").otherwise == "true");
  CHECK(std::ranges::count(described_part("template").fields, std::string("if"),
                           [](const DescribedField& f) { return std::string(f.info.name); }) == 0);
}

TEST_CASE("Schema: the form of every part of a model file is known") {
  for (const std::string& name : parts_without_form()) {
    FAIL_CHECK("the schema allows anything as " << name << ": add a rule to io/schema/forms.cpp");
  }
}

TEST_CASE("Schema: every element has a definition that names its fields") {
  const std::string schema = model_schema().to_text();
  for (const Thing& thing : described_elements()) {
    const std::size_t begin = schema.find("\n    \"" + thing.section + "." + thing.name + "\": {");
    REQUIRE_MESSAGE(begin != std::string::npos, thing.name);
    const std::string definition = schema.substr(begin, schema.find("\n    }", begin) - begin);
    for (const DescribedField& f : thing.fields) {
      CHECK_MESSAGE(definition.find("\"" + std::string(f.info.name) + "\": {") != std::string::npos,
                    thing.name << "." << f.info.name);
    }
  }
}

TEST_CASE("the solvers that the schema names are those that there are") {
  std::vector<std::string> expected{"auto"};
  for (const auto& integrator : simulation::integrators()) expected.push_back(integrator.name);
  for (const auto& s : simulation::all_solvers()) {
    if (s.grade != simulation::Grade::refused) expected.push_back(s.solver.name());
  }
  std::vector<std::string> named;
  for (const FieldInfo& info : infos_of(io::model_file::ExperimentFields::fields)) {
    if (info.name == std::string("solver")) named = words_of(info.choices);
  }
  std::ranges::sort(expected);
  std::ranges::sort(named);
  CHECK(named == expected);
}
