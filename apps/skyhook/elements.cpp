#include <fmt/format.h>

#include <algorithm>

#include "language_commands.h"
#include "reference_page.h"
#include "skyhook/base/error.h"
#include "skyhook/base/table.h"
#include "skyhook/io/schema/json.h"

namespace skyhook::app {
namespace {

using io::DescribedField;
using io::Json;
using io::Thing;
using Things = std::vector<const Thing*>;

Things all_things() {
  Things things;
  for (const Thing& element : io::described_elements()) things.push_back(&element);
  for (const Thing& part : io::described_parts()) things.push_back(&part);
  return things;
}

template <class Wanted>
Things those(const Things& things, Wanted wanted) {
  Things found;
  std::ranges::copy_if(things, std::back_inserter(found), wanted);
  return found;
}

// A joint and a force may have the same name: then both.
Things things_named(const std::string& name) {
  const Things all = all_things();
  const Things by_name = those(all, [&](const Thing* t) { return t->name == name; });
  const Things found = by_name.empty() ? those(all, [&](const Thing* t) { return t->section == name; }) : by_name;
  if (!found.empty() && !name.empty()) return found;
  std::vector<std::string> known;
  for (const Thing* thing : all) known.push_back(thing->name);
  throw ModelError({"command line"}, "there is no element \"" + name + "\".", suggest(name, known, "Elements"));
}

Table overview(const Things& things) {
  Table table;
  for (const char* column : {"section", "name", "summary"}) table.add_column(column);
  for (const Thing* thing : things) table.add_row({thing->section, thing->name, thing->summary});
  return table;
}

std::string unit_of(const DescribedField& f) { return f.info.unit == std::string("-") ? "" : f.info.unit; }

Table fields(const Thing& thing) {
  Table table;
  for (const char* column : {"field", "type", "unit", "range", "default", "meaning"}) table.add_column(column);
  for (const DescribedField& f : thing.fields) {
    table.add_row({std::string(f.info.name), f.type_text(), unit_of(f), f.range_text(),
                   f.info.is_required ? std::string("required") : f.otherwise, std::string(f.info.help)});
  }
  return table;
}

Json to_json(const DescribedField& f) {
  Json json = Json()
                  .set("name", f.info.name)
                  .set("type", f.type_text())
                  .set("unit", unit_of(f))
                  .set("range", f.range_text())
                  .set("required", f.info.is_required);
  if (!f.otherwise.empty()) json.set("default", f.otherwise);
  return json.set("help", f.info.help);
}

Json to_json(const Thing& thing) {
  std::vector<Json> described;
  for (const DescribedField& f : thing.fields) described.push_back(to_json(f));
  return Json()
      .set("name", thing.name)
      .set("section", thing.section)
      .set("summary", thing.summary)
      .set("fields", Json::list(described));
}

void print_json(const Things& things) {
  std::vector<Json> all;
  for (const Thing* thing : things) all.push_back(to_json(*thing));
  fmt::print("{}", Json::list(all).to_text());
}

void print_markdown(const Things& things) {
  const bool is_one = things.size() == 1;
  if (!is_one) fmt::print("# Reference of the elements\n");
  for (const Thing* thing : things) fmt::print("{}{}", is_one ? "" : "\n", reference_page(*thing, is_one ? 1 : 2));
}

void print_text(const Things& things, bool in_detail) {
  if (!in_detail) {
    fmt::print("{}\n`skyhook elements NAME` shows the fields of one.\n", overview(things).to_text());
    return;
  }
  for (const Thing* thing : things) {
    const std::string place = thing->section.empty() ? "" : " (" + thing->section + ")";
    fmt::print("{}{}: {}\n\n{}", thing->name, place, thing->summary, fields(*thing).to_text());
  }
}

}  // namespace

int elements(const ElementsOptions& options) {
  const Things things = options.name.empty() ? all_things() : things_named(options.name);
  if (options.json)
    print_json(things);
  else if (options.markdown)
    print_markdown(things);
  else
    print_text(things, !options.name.empty() && things.front()->name == options.name);
  return 0;
}

}  // namespace skyhook::app
