#include "skyhook/io/schema/forms.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "skyhook/analysis/standards.h"

namespace skyhook::io {
namespace {

// A type that is a union, with keywords for each of its members, gives better messages than anyOf: a keyword that does
// not belong to the type at hand is ignored.

// "=2*mass", "730 kg", "1e-3": a formula, or a number with or without a unit.
const char* const quantity_pattern = R"(^=|^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*([^0-9\s].*)?$)";
const char* const quantity_message = "A number, a quantity such as \"85 kN/m\", or an expression that starts with =";
const char* const truth_pattern = "^(=.*|[Yy]es|[Nn]o|[Oo]n|[Oo]ff|[Tt]rue|[Ff]alse)$";
// A name, perhaps repeated: link[i=1..N]
const char* const name_pattern = R"([A-Za-z0-9_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff-]*(\[[^\]]*\])?)";

Json types(const std::vector<std::string>& names) { return Json().set("type", Json::texts(names)); }

Json of_type(const char* name) { return Json().set("type", name); }

// A reference that has its own help beside it: what stands beside a plain $ref does not count in draft 7.
Json refers_to(const std::string& definition) { return Json().set("allOf", Json::list({reference_to(definition)})); }

Json quantity() {
  return types({"number", "string"}).set("pattern", quantity_pattern).set("patternErrorMessage", quantity_message);
}

Json number_in(const Range& range) {
  Json form = quantity();
  if (std::isfinite(range.low)) form.set(range.low_excluded ? "exclusiveMinimum" : "minimum", range.low);
  if (std::isfinite(range.high)) form.set("maximum", range.high);
  return form;
}

Json list_of(const char* definition, int least, int most = -1) {
  Json form = of_type("array").set("items", reference_to(definition)).set("minItems", least);
  if (most >= 0) form.set("maxItems", most);
  return form;
}

Json map_of(const std::string& definition) {
  return types({"object", "null"}).set("additionalProperties", reference_to(definition));
}

Json named(const std::string& definition) {
  return map_of(definition).set("propertyNames", reference_to("thing_name"));
}

// Inside a part or a body, where names have no dots.
Json named_inside(const std::string& definition) {
  return map_of(definition).set("propertyNames", reference_to("local_name"));
}

// What may be a list is one of three.
Json point_or(Json form) { return form.set("items", reference_to("quantity")).set("minItems", 3).set("maxItems", 3); }

Json direction() {
  return point_or(types({"array", "string"}))
      .set("pattern", "^([+-]?[xyz]$|=)")
      .set("patternErrorMessage", "x, y, z, -x, -y, -z, [x, y, z] or an expression of points")
      .set("examples", Json::texts({"x", "y", "z"}));
}

Json object_with(Json form, const Thing& thing) {
  Json properties;
  std::vector<std::string> required;
  for (const DescribedField& f : thing.fields) {
    properties.set(f.info.name, form_of(f, thing.name));
    if (f.info.is_required) required.push_back(f.info.name);
  }
  form.set("properties", properties);
  form.set("additionalProperties", thing.name == "part" ? reference_to("constant") : Json(false));  // its parameters
  if (!required.empty()) form.set("required", Json::texts(required));
  return form;
}

Json tensor() {
  const Json three_or_six = Json::list({Json().set("maxItems", 3), Json().set("minItems", 6)});
  return object_with(types({"array", "object", "string"}), described_part("tensor"))
      .set("pattern", "^=")
      .set("items", reference_to("quantity"))
      .set("minItems", 3)
      .set("maxItems", 6)
      .set("anyOf", three_or_six);
}

Json orientation() {
  const auto needs = [](const std::vector<std::string>& names) { return Json().set("required", Json::texts(names)); };
  return object_with(of_type("object"), described_part("orientation"))
      .set("oneOf", Json::list({needs({"cardan"}), needs({"quaternion"}), needs({"x", "y"})}));
}

// A formula, the rows of a table, or a map with them or with a file.
Json function() {
  const auto needs = [](const char* name) { return Json().set("required", Json::texts({name})); };
  return object_with(types({"number", "string", "array", "object"}), described_part("table"))
      .set("pattern", quantity_pattern)
      .set("patternErrorMessage", "An expression that starts with =, a number or quantity, or a table")
      .set("items", reference_to("row"))
      .set("minItems", 2)
      .set("anyOf", Json::list({needs("table"), needs("file")}));  // holds for what is no map
}

// In place of a name: there is nothing to be switched off.
Thing nameless_marker() {
  Thing marker = described_part("marker");
  std::erase_if(marker.fields, [](const DescribedField& f) { return f.info.name == std::string("if"); });
  return marker;
}

Json marker() { return object_with(types({"string", "number", "object"}), nameless_marker()); }

// Of an end of a bar.
Json point_or_marker() {
  return object_with(types({"array", "string", "number", "object"}), nameless_marker())
      .set("items", reference_to("quantity"))
      .set("minItems", 3)
      .set("maxItems", 3);
}

Json gravity() {
  return types({"number", "string", "array"})
      .set("pattern", std::string("^off$|") + quantity_pattern)
      .set("patternErrorMessage", "g, [x, y, z] or off")
      .set("items", reference_to("quantity"))
      .set("minItems", 3)
      .set("maxItems", 3);
}

Json files() { return types({"array", "string", "number"}).set("items", reference_to("name")).set("minLength", 1); }

Json mirror() {
  return types({"boolean", "string"})
      .set("pattern", std::string("^[xyz]$|^none$|") + truth_pattern)
      .set("patternErrorMessage", "x, y, z, none, true or false")
      .set("examples", Json::texts({"x", "y", "z"}));
}

// {text: ...} declares a text.
Json constant_or_text(const std::vector<std::string>& kinds) {
  return point_or(types(kinds))
      .set("properties", Json().set("text", types({"string", "number", "null"})))
      .set("additionalProperties", Json(false));
}

Json parameters() {
  return types({"object", "null"})
      .set("additionalProperties", constant_or_text({"number", "string", "boolean", "array", "object"}));
}

// What needs no value has to be given by the users of the template.
Json defaults() {
  return types({"object", "null"})
      .set("additionalProperties", constant_or_text({"number", "string", "boolean", "array", "object", "null"}));
}

Json outputs() {
  return types({"array", "object", "null"})
      .set("items", reference_to("name"))
      .set("additionalProperties", reference_to("name"));
}

// One of them, or a list.
Json texts() { return types({"array", "string"}).set("items", reference_to("name")).set("minItems", 1); }

Json action(const std::vector<std::string>& allowed) {
  return object_with(types(allowed), described_part("action"))
      .set("minProperties", 1)
      .set("pattern", "^stop$")
      .set("patternErrorMessage", "stop, or one of the actions with its value");
}

// A list of them, or one; a word is a whole action.
Json actions() {
  return action({"array", "object", "string"}).set("items", action({"object", "string"})).set("minItems", 1);
}

Json form_of_kind(const DescribedField& field) {
  switch (field.kind) {
    case FieldKind::number:
    case FieldKind::whole:
    case FieldKind::formula: return number_in(field.info.range);
    case FieldKind::truth: return types({"boolean", "string"}).set("pattern", truth_pattern);
    case FieldKind::text: return types({"string", "number", "boolean"});
    case FieldKind::numbers: return types({"number", "string", "array"}).set("items", reference_to("quantity"));
    case FieldKind::vector:
      return point_or(types({"array", "string"}))
          .set("pattern", "^=")
          .set("patternErrorMessage", "[x, y, z] or an expression of points");
    case FieldKind::direction: return direction();
    case FieldKind::orientation: return refers_to("orientation");
    case FieldKind::tensor: return refers_to("tensor");
    case FieldKind::body:
    case FieldKind::signal:
    case FieldKind::channel:
    case FieldKind::road:
    case FieldKind::track:
    case FieldKind::coordinate: return types({"string", "number"});
    case FieldKind::roads: return list_of("name", 1);
    case FieldKind::patches: return list_of("patch", 0);
    case FieldKind::segments: return list_of("track_segment", 1);
    case FieldKind::gradients: return list_of("gradient_change", 1);
    case FieldKind::irregularities: return refers_to("irregularities");
    case FieldKind::marker: return refers_to("marker_or_name");
    case FieldKind::curve:
    case FieldKind::motion: return refers_to("function");
    case FieldKind::file: return of_type("string");
    case FieldKind::values: return of_type("object").set("additionalProperties", reference_to("quantity"));
    case FieldKind::channels:
      return types({"array", "object"})
          .set("items", reference_to("name"))
          .set("additionalProperties", reference_to("name"));
    case FieldKind::names: return list_of("name", 1);
    case FieldKind::formulas: return of_type("object").set("additionalProperties", reference_to("quantity"));
    case FieldKind::rows:
      return types({"array", "number", "string"})
          .set("items", of_type("array").set("items", reference_to("quantity")))
          .set("pattern", quantity_pattern);
    case FieldKind::part: return Json();
  }
  return {};
}

// "linear rate [N/m], at least 0; default 0"
std::string help_of(const DescribedField& field) {
  std::string text = field.info.help;
  const std::string unit = field.info.unit, range = field.range_text(), type = field.type_text();
  if (!unit.empty() && unit != "-") text += " [" + unit + "]";
  if (!range.empty()) text += ", " + range;
  if (field.kind != FieldKind::part && type != "text") text += " (" + type + ")";
  if (!field.otherwise.empty()) text += "; default " + field.otherwise;
  return text;
}

using Rules = std::map<std::string, std::function<Json()>>;

// The sections that a model, a template, its uses and a group have in common.
void add_sections(Rules& rules, const std::string& owner, Json (*things)(const std::string&)) {
  for (const char* section : {"joints", "roads", "tracks", "profiles", "forces", "controllers"})
    rules[owner + "." + section] = [section, things] { return things(section); };
  rules[owner + ".bodies"] = [things] { return things("body"); };
  rules[owner + ".markers"] = [things] { return things("marker"); };
  rules[owner + ".sensors"] = [things] { return things("sensor"); };
  rules[owner + ".signals"] = [things] { return things("signal_or_formula"); };
  rules[owner + ".use"] = [things] { return things("part_or_group"); };
  rules[owner + ".events"] = [things] { return things("event"); };
  rules[owner + ".initial"] = [] { return map_of("quantity"); };
  rules[owner + ".outputs"] = outputs;
}

// The fields whose form does not follow from their type, because code of their own reads them: the one place to extend
// when such a field is added.
Rules own_rules() {
  return {
      {"model.skyhook", [] { return Json().set("const", 1); }},
      {"model.gravity", gravity},
      {"model.parameters", parameters},
      {"model.nominal", [] { return map_of("constant"); }},
      {"model.tables", [] { return map_of("function"); }},
      {"model.include", files},
      {"model.templates", [] { return map_of("template"); }},
      {"template.parameters", defaults},
      {"template.require", [] { return map_of("quantity"); }},
      {"part.parameters", [] { return map_of("constant"); }},
      {"part.mirror", mirror},
      {"group.mirror", mirror},
      {"model.plots",
       [] {
         return types({"object", "null"}).set("additionalProperties", list_of("panel", 1));
       }},
      {"panel.curves", texts},
      {"panel.units", texts},
      {"model.experiments", [] { return map_of("experiment"); }},
      {"model.ignore_warnings", [] { return list_of("name", 0); }},
      {"model.road", [] { return refers_to("roads"); }},
      {"model.ground", [] { return refers_to("ground"); }},
      {"body.markers", [] { return named_inside("body_marker"); }},
      {"body.wheel", [] { return refers_to("body_wheel"); }},
      {"body.flexible",
       [] {
         Json form = object_with(types({"string", "object"}), described_part("flexible"));
         return form;
       }},
      {"body.beam", [] { return refers_to("nodal_beam"); }},
      {"body.beams", [] { return map_of("nodal_beam"); }},
      {"flexible.nodes",
       [] {
         return of_type("object").set("additionalProperties", point_or(types({"array", "string"})));
       }},
      {"flexible.preload",
       [] {
         return of_type("object").set("additionalProperties", point_or(types({"array", "string"})));
       }},
      {"flexible.beams", [] { return map_of("beam"); }},
      {"flexible.plates", [] { return map_of("plate"); }},
      {"plate.corners", [] { return list_of("name", 4, 4); }},
      {"plate.elements", [] { return list_of("quantity", 2, 2); }},
      {"flexible.masses", [] { return map_of("lumped_mass"); }},
      {"flexible.places", texts},
      {"flexible.chord", [] { return list_of("name", 2, 2); }},
      {"flexible.held", texts},
      {"flexible.channels", texts},
      {"flexible.static_at", texts},
      {"flexible.thermal", texts},
      {"body.shape", [] { return refers_to("shape"); }},
      {"body.shapes", [] { return list_of("shape", 0); }},
      {"ground.shape", [] { return refers_to("shape"); }},
      {"ground.shapes", [] { return list_of("shape", 0); }},
      {"event.inputs", [] { return map_of("name"); }},
      {"signal.formula", [] { return of_type("string").set("pattern", "^="); }},
      {"signal.rate", [] { return of_type("string").set("pattern", "^="); }},
      {"signal.start", [] { return refers_to("quantity"); }},
      {"signal.limit", [] { return refers_to("quantity"); }},
      {"event.when", [] { return of_type("string").set("pattern", "^="); }},
      {"event.do", actions},
      {"action.set", [] { return map_of("constant"); }},
      {"action.state", [] { return map_of("quantity"); }},
      {"action.stop",
       [] {
         return types({"boolean", "null"});
       }},
      {"action.switch_on", [] { return refers_to("name"); }},
      {"action.switch_off", [] { return refers_to("name"); }},
      {"experiment.independent", [] { return list_of("name", 0); }},
      {"experiment.set", [] { return map_of("constant"); }},
      {"experiment.initial", [] { return map_of("quantity"); }},
      {"experiment.spin", [] { return map_of("quantity"); }},
      {"experiment.steer", [] { return refers_to("name"); }},
      {"experiment.rolling", [] { return list_of("name", 1); }},
      {"experiment.outputs", outputs},
      {"experiment.travel", [] { return types({"object"}).set("additionalProperties", reference_to("range")); }},
      {"experiment.loads",
       [] {
         return types({"object"})
             .set("additionalProperties", types({"object"}).set("additionalProperties", reference_to("range")));
       }},
      {"experiment.hold", [] { return list_of("name", 0); }},
      {"experiment.without", [] { return list_of("name", 0); }},
      {"experiment.wheels", [] { return list_of("name", 1); }},
      {"experiment.steering", [] { return refers_to("name"); }},
      {"experiment.inputs", [] { return list_of("name", 1); }},
      {"experiment.vary",  // or the word none
       [] {
         return types({"array", "string"})
             .set("items", reference_to("name"))
             .set("minItems", 1)
             .set("pattern", "^none$");
       }},
      {"experiment.also", [] { return map_of("quantity"); }},
      {"experiment.beside", [] { return map_of("quantity"); }},
      {"experiment.weights", [] { return map_of("quantity"); }},
      {"experiment.evaluations",
       [] {
         std::vector<std::string> names;
         for (const analysis::Standard& s : analysis::standards()) names.push_back(s.name);
         const Json standard = of_type("string").set("enum", Json::texts(names));
         Json one = of_type("object").set("properties", Json().set("standard", standard));
         return of_type("array").set("minItems", 1).set("items", one.set("required", Json::texts({"standard"})));
       }},
      {"body_wheel.steering_axis", [] { return list_of("name", 2, 2); }},
      {"table.table", [] { return list_of("row", 2); }},
      {"table.units", [] { return list_of("name", 2, 2); }},
      {"table.file", [] { return refers_to("name"); }},
      {"table.columns", [] { return list_of("name", 2, 2); }},
      {"tensor.xx", quantity},
      {"tensor.yy", quantity},
      {"tensor.zz", quantity},
      {"tensor.xy", quantity},
      {"tensor.xz", quantity},
      {"tensor.yz", quantity},
      {"shape.cylinder.from", point_or_marker},
      {"shape.cylinder.to", point_or_marker},
      {"shape.rod.from", point_or_marker},
      {"shape.rod.to", point_or_marker},
  };
}

const Rules& rules() {
  static const Rules all = [] {
    Rules rules = own_rules();
    add_sections(rules, "model", named);
    add_sections(rules, "template", named_inside);
    add_sections(rules, "group", named_inside);
    add_sections(rules, "part", named_inside);
    return rules;
  }();
  return all;
}

}  // namespace

Json reference_to(const std::string& definition) { return Json().set("$ref", "#/definitions/" + definition); }

std::optional<Json> rule_of(const std::string& owner, const std::string& field) {
  const std::string name = owner + "." + field;
  if (std::ranges::count(described_parts(), name, &Thing::name) > 0) return refers_to(name);  // shape.box
  const auto rule = rules().find(name);
  if (rule == rules().end()) return {};
  return rule->second();
}

Json form_of(const DescribedField& field, const std::string& owner) {
  Json form = rule_of(owner, field.info.name).value_or(form_of_kind(field));
  if (const auto choices = words_of(field.info.choices); !choices.empty()) {
    form.set("enum", Json::texts(choices));
    if (field.info.name != std::string_view("type"))
      form = Json().set("anyOf", Json::list({form, of_type("string").set("pattern", "^=")}));
  }
  const std::string help = help_of(field);
  if (!help.empty()) form.set("description", help);
  return form;
}

Json object_form(const Thing& thing, Json head) {
  head.set("type", thing.has_required() ? Json("object") : Json::texts({"object", "null"}));
  if (thing.name == "body") {
    const auto needs = [](const char* field) { return Json().set("required", Json::texts({field})); };
    head.set("type", "object")
        .set("anyOf", Json::list({needs("mass"), needs("flexible"), needs("beam"), needs("beams")}));
  }
  if (thing.name == "shape") head.set("minProperties", 1).set("maxProperties", 1);
  return object_with(std::move(head), thing).set("description", thing.summary);
}

Json part_or_group_form() {
  const Json has_template = Json().set("required", Json::texts({"template"}));
  return of_type("object").set("if", has_template).set("then", reference_to("part")).set("else", reference_to("group"));
}

Json signal_or_formula_form() {
  return types({"string", "object"})
      .set("pattern", "^=")
      .set("if", of_type("object"))
      .set("then", reference_to("signal"));
}

namespace {

Json name_form(const std::string& pattern) {
  return Json().set("pattern", pattern).set("patternErrorMessage", "Letters, digits, _ and -; name[i=1..N] repeats");
}

}  // namespace

void add_shared_forms(Json& definitions) {
  definitions.set("quantity", quantity())
      .set("constant", point_or(types({"number", "string", "boolean", "array"})))
      .set("name", types({"string", "number"}))
      .set("thing_name", name_form(std::string("^") + name_pattern + "(\\." + name_pattern + ")*$"))
      .set("local_name", name_form(std::string("^") + name_pattern + "$"))
      .set("row", list_of("quantity", 2, 2))
      .set("range", types({"number", "string", "array"})
                        .set("pattern", quantity_pattern)
                        .set("patternErrorMessage", "[from, to], or one value")
                        .set("items", reference_to("quantity"))
                        .set("minItems", 2)
                        .set("maxItems", 2))
      .set("function", function())
      .set("tensor", tensor())
      .set("orientation", orientation())
      .set("marker_or_name", marker());
}

}  // namespace skyhook::io
