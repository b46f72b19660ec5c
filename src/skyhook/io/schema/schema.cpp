#include "skyhook/io/schema/schema.h"

#include "skyhook/element/catalogue.h"
#include "skyhook/io/schema/forms.h"

namespace skyhook::io {
namespace {

std::string definition_of(const Thing& element) { return element.section + "." + element.name; }

// An entry of `joints`, `roads`, `tracks`, `profiles`, `forces` or `controllers`: which fields it has depends on its type. if/then for each type, since editors offer
// the fields of the one that is written, and complain about that one only; with oneOf they name all at once.
Json element_form(const std::string& section) {
  if (const auto* only = element::only_type_of(section)) return reference_to(section + "." + only->name);
  std::vector<std::string> names, summaries;
  std::vector<Json> cases;
  for (const Thing& thing : described_elements()) {
    if (thing.section != section) continue;
    names.push_back(thing.name);
    summaries.push_back(thing.summary);
    const Json type = Json().set("type", Json().set("const", thing.name));
    cases.push_back(Json()
                        .set("if", Json().set("properties", type).set("required", Json::texts({"type"})))
                        .set("then", reference_to(definition_of(thing))));
  }
  const Json type = Json()
                        .set("enum", Json::texts(names))
                        .set("enumDescriptions", Json::texts(summaries))
                        .set("description", "which element of the catalogue");
  return Json()
      .set("type", "object")
      .set("required", Json::texts({"type"}))
      .set("properties", Json().set("type", type))
      .set("allOf", Json::list(cases));
}

Json definitions() {
  Json all;
  add_shared_forms(all);
  for (const Thing& part : described_parts()) {
    if (!part.section.empty()) all.set(part.name, object_form(part));
  }
  all.set("part_or_group", part_or_group_form()).set("signal_or_formula", signal_or_formula_form());
  for (const char* section : {"joints", "roads", "tracks", "profiles", "forces", "controllers"})
    all.set(section, element_form(section));
  for (const Thing& element : described_elements()) all.set(definition_of(element), object_form(element));
  return all;
}

}  // namespace

Json model_schema() {
  const Json head = Json().set("$schema", "http://json-schema.org/draft-07/schema#").set("title", "Skyhook model");
  return object_form(described_part("model"), head).set("definitions", definitions());
}

std::vector<std::string> parts_without_form() {
  std::vector<std::string> names;
  for (const Thing& part : described_parts()) {
    for (const DescribedField& f : part.fields) {
      if (f.kind == FieldKind::part && !rule_of(part.name, f.info.name)) names.push_back(part.name + "." + f.info.name);
    }
  }
  return names;
}

}  // namespace skyhook::io
