#include "skyhook/io/model_file/templates.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/points.h"
#include "skyhook/io/model_file/template_checks.h"
#include "skyhook/io/model_file/template_fields.h"
#include "skyhook/io/model_file/yaml_parser.h"

namespace skyhook::io::model_file {
namespace {

// "corner -> hub -> corner", from the outermost to the first that comes again.
std::string path_to(const Scope& scope, const std::string& name) {
  std::vector<std::string> names{name};
  for (const Scope* s = &scope; s; s = s->outer.get()) {
    if (!s->template_name.empty()) names.push_back(s->template_name);
    if (s->template_name == name) break;
  }
  std::string path;
  for (auto n = names.rbegin(); n != names.rend(); ++n) path += (path.empty() ? "" : " -> ") + *n;
  return path;
}

int depth_of(const Scope& scope) { return scope.outer ? 1 + depth_of(*scope.outer) : 0; }

class Expansion {
 public:
  Expansion(Node templates, Reading& reading) : templates_(std::move(templates)), reading_(reading) {}

  void check_templates();
  void add(Scope scope, Node sections);
  void warn_of_unused() const;
  std::vector<Level> take() { return std::move(levels_); }

 private:
  void add_part(Pending& part, const std::shared_ptr<const Scope>& outer);
  void add_instance(Pending& part, FieldReader& reader, Scope scope);
  void add_group(Pending& part, FieldReader& reader, Scope scope);
  Node* find_template(const std::string& name, const FieldReader& reader, const std::string& what);
  void check_is_map(const Part& section, const std::string& what, const char* advice) const;
  void check_names(const Part& parameters, const std::string& what) const;
  void check_fields(FieldReader& reader, const Node& definition) const;
  void check_group(FieldReader& reader) const;
  void check_off(Pending& part);
  void check_given(const Node& given, const Node& known, const Pending& part, const Scope& scope);
  void know_parts_before(Pending& part, const std::string& prefix) const;
  void know_parts_before(const Node& value, Pending& part, const std::string& prefix) const;
  void join_sections(Node& sections, Node& part);
  bool read_parameters(const Node& definition, const UseFields& given, Pending& part, Scope& scope);
  void define(const Entry& parameter, const Node* given, Pending& part, const Scope& scope, Parameters& own);
  void define_known(const Entry& parameter, const Node& value, const std::string& what, const ScalarReader& scalars,
                    Parameters& own);
  void define_text(const Entry& parameter, const Node* given, Pending& part, const Scope& scope, Parameters& own);
  void refuse_without_value(const Entry& parameter, const Pending& part, const Scope& scope, Parameters& own);
  bool fits_default(const Entry& parameter, const Node& value, bool is_point, const std::string& what);
  Reading::PartSetting* find_setting(const std::string& name);
  bool has_set_coordinates(const Entry& parameter, const Scope& scope);
  void set_coordinates(const Pending& part, const Scope& scope, Parameters& own);
  Placement placement_of(const PlacementFields& given, const FieldReader& reader, const std::string& what) const;

  Node templates_;
  Reading& reading_;
  std::vector<Level> levels_;
  std::unordered_set<std::string> used_;
};

std::string subject(const Pending& part) { return "part \"" + part.name + "\""; }

void Expansion::check_is_map(const Part& section, const std::string& what, const char* advice) const {
  if (!section.node || section.node->is_map()) return;
  reading_.report.add(*section.node, what + " should be a map, but are " + kind_name(*section.node) + ".", advice);
}

// Its users write them beside the fields of `use`.
void Expansion::check_names(const Part& parameters, const std::string& what) const {
  const auto fields = infos_of(UseFields::fields);
  for (const Entry& p : parameters.node ? parameters.node->entries : std::vector<Entry>{}) {
    const auto is_it = [&](const FieldInfo& info) { return p.key.text == info.name; };
    if (std::any_of(fields.begin(), fields.end(), is_it))
      reading_.report.add(p.key, what + ": parameter \"" + p.key.text + "\" has the name of a field of `use`.",
                          "Choose another name.");
  }
}

void Expansion::check_templates() {
  if (templates_.is_nothing()) return;
  if (!templates_.is_map()) {
    reading_.report.add(templates_, std::string("templates should be a map, but are ") + kind_name(templates_) + ".",
                        "Write name: {parameters: ..., bodies: ..., ...}.");
    templates_ = map_node(templates_);
  }
  for (Entry& entry : templates_.entries) {
    try {
      TemplateFields given;
      FieldReader reader(reading_, entry.value, "template \"" + entry.key.text + "\"", entry.key.text, entry.key);
      read_described(reader, given);
      check_is_map(given.parameters, "template \"" + entry.key.text + "\": parameters", "Write name: default.");
      check_is_map(given.require, "template \"" + entry.key.text + "\": conditions of require",
                   "Write what must hold: =condition.");
      check_names(given.parameters, "template \"" + entry.key.text + "\"");
    } catch (const Report::Known&) {
      entry.value = map_node(entry.value);
    }
  }
}

void Expansion::add(Scope scope, Node sections) {
  Node uses;
  if (Entry* use = find(sections, "use")) uses = std::move(use->value);
  erase(sections, "use");
  auto outer = std::make_shared<const Scope>(scope);
  levels_.push_back({std::move(scope), std::move(sections)});
  std::vector<Pending> off;
  auto parts = things_of(uses, "part", reading_, *outer, {}, &off);
  for (Pending& part : off) {
    try {
      check_off(part);
    } catch (const Report::Known&) {}
  }
  for (Pending& part : parts) {
    try {
      add_part(part, outer);
    } catch (const Report::Known&) {
      reading_.failed.insert(part.name);
    }
  }
}

void Expansion::add_part(Pending& part, const std::shared_ptr<const Scope>& outer) {
  know_parts_before(part, outer->prefix);
  FieldReader reader(reading_, part.value, subject(part), part.name, part.key, part.scope);
  if (!part.value.is_map()) {
    reading_.report.add(part.key, subject(part) + " should be a map of fields, but is " + kind_name(part.value) + ".",
                        "Write {template: ..., parameter: value, ...}.");
    throw Report::Known{};
  }
  Scope scope;
  scope.prefix = part.name + ".";
  scope.outer = outer;
  find(part.value, "template") ? add_instance(part, reader, std::move(scope))
                               : add_group(part, reader, std::move(scope));
}

void Expansion::add_group(Pending& part, FieldReader& reader, Scope scope) {
  GroupFields given;
  check_group(reader);
  for_each_field(GroupFields::fields, given, [&](const FieldInfo& info, auto& member) { reader.read(info, &member); });
  scope.locals = part.scope.locals;
  scope.placement = scope.outer->placement * placement_of(given, reader, subject(part));
  scope.coordinates = given.coordinates == "model" ? scope.outer->coordinates : given.coordinates;
  if (reader.has_failed()) throw Report::Known{};
  erase(part.value, "mirror");
  erase(part.value, "move");
  erase(part.value, "coordinates");
  add(std::move(scope), std::move(part.value));
}

void Expansion::add_instance(Pending& part, FieldReader& reader, Scope scope) {
  UseFields given;
  for_each_field(UseFields::fields, given, [&](const FieldInfo& info, auto& member) { reader.read(info, &member); });
  check_is_map(given.parameters, subject(part) + ": parameters", "Write name: value.");
  if (reader.has_failed()) throw Report::Known{};
  const Node* definition = find_template(given.of, reader, subject(part));
  check_fields(reader, *definition);
  if (depth_of(*scope.outer) >= deepest_use) {
    throw ModelError(reader.where("template"),
                     subject(part) + ": templates are nested more than " + std::to_string(deepest_use) +
                         " deep: " + path_to(*scope.outer, given.of) + ".",
                     "Let an `if` end it.");
  }
  scope.placement = scope.outer->placement * placement_of(given, reader, subject(part));
  scope.coordinates = given.coordinates == "model" ? scope.outer->coordinates : given.coordinates;
  scope.template_name = given.of;
  if (!read_parameters(*definition, given, part, scope) || reader.has_failed()) throw Report::Known{};
  count(*definition, part.key, reading_);
  Node sections = *definition;
  for (const char* told : {"parameters", "description", "require"}) erase(sections, told);
  join_sections(sections, part.value);
  add(std::move(scope), std::move(sections));
}

// What stands beside `template` joins what the template has.
void Expansion::join_sections(Node& sections, Node& part) {
  for (const FieldInfo& info : infos_of(PartFields::fields)) {
    Entry* own = find(part, info.name);
    if (!own || own->value.is_nothing()) continue;
    Entry* there = find(sections, info.name);
    if (!there || there->value.is_nothing()) {
      erase(sections, info.name);
      sections.entries.push_back(std::move(*own));
    } else if (own->value.is_list() && there->value.is_list()) {
      std::ranges::move(own->value.items, std::back_inserter(there->value.items));
    } else if (own->value.is_map() && there->value.is_map()) {
      for (Entry& entry : own->value.entries) {
        if (find(there->value, entry.key.text))
          reading_.report.add(entry.key, "\"" + entry.key.text + "\" stands in the template already.",
                              "Choose another name, or change it by a parameter.");
        else
          there->value.entries.push_back(std::move(entry));
      }
    } else {
      reading_.report.add(own->value,
                          std::string(info.name) + " is " + kind_name(own->value) + " here, but " +
                              kind_name(there->value) + " in the template.",
                          "Write both alike.");
    }
  }
}

// Values may use the parameters of parts that stand before: =suspension.centre. Only those that are asked for become known.
void Expansion::know_parts_before(const Node& value, Pending& part, const std::string& prefix) const {
  for (const Node& item : value.items) know_parts_before(item, part, prefix);
  if (!value.is_text() || !is_expression(value.text) || value.text.find('.') == std::string::npos) return;
  std::vector<std::string> names;
  try {
    names = expression::names_in(value.text.substr(1), {});
  } catch (const ModelError&) {  // told where it is read
  }
  const auto know = [&](const std::string& name) {
    const model::Parameter* known = reading_.instance_parameter(prefix + name);
    if (known && !part.scope.find(name))
      part.scope.locals.push_back(
          {name, {known->value, known->unit == "-" ? Dimension{} : parse_unit(known->unit).dimension}});
  };
  for (const std::string& name : names) {
    if (name.find('.') == std::string::npos) continue;
    know(name);
    for (const char axis : point_axes) know(coordinate_name(name, axis));
  }
}

void Expansion::know_parts_before(Pending& part, const std::string& prefix) const {
  for (const Entry& entry : part.value.entries) {
    know_parts_before(entry.value, part, prefix);
    if (entry.key.text != "parameters") continue;
    for (const Entry& given : entry.value.entries) know_parts_before(given.value, part, prefix);
  }
}

Node* Expansion::find_template(const std::string& name, const FieldReader& reader, const std::string& what) {
  used_.insert(name);
  if (Entry* entry = find(templates_, name)) return &entry->value;
  std::vector<std::string> known;
  for (const Entry& entry : templates_.entries) known.push_back(entry.key.text);
  reading_.report.add(reader.where("template"), what + " uses the template \"" + name + "\", which is not defined.",
                      suggest(name, known, "Templates"));
  throw Report::Known{};
}

void Expansion::check_fields(FieldReader& reader, const Node& definition) const {
  std::vector<FieldInfo> known = infos_of(UseFields::fields);
  if (const Entry* parameters = find(definition, "parameters")) {
    for (const Entry& p : parameters->value.entries) known.push_back({p.key.text.c_str(), "-", {}, ""});
  }
  reader.check_keys(known);
}

// `template` is known as well: who mistypes it gets here.
void Expansion::check_group(FieldReader& reader) const {
  std::vector<FieldInfo> known = infos_of(GroupFields::fields);
  known.push_back(std::get<0>(UseFields::fields));
  reader.check_keys(known);
}

// What is switched off is not expanded, but its fields must be there when it is switched on.
void Expansion::check_off(Pending& part) {
  FieldReader reader(reading_, part.value, subject(part), part.name, part.key, part.scope);
  const Entry* of = find(part.value, "template");
  of ? check_fields(reader, *find_template(of->value.text, reader, subject(part))) : check_group(reader);
}

void Expansion::check_given(const Node& given, const Node& known, const Pending& part, const Scope& scope) {
  std::vector<std::string> list;
  for (const Entry& p : known.entries) list.push_back(p.key.text);
  for (const Entry& entry : given.entries) {
    if (find(known, entry.key.text)) continue;
    reading_.report.add(entry.key,
                        subject(part) + " gives the parameter \"" + entry.key.text + "\", which template \"" +
                            scope.template_name + "\" does not have.",
                        suggest(entry.key.text, list, "Parameters"));
  }
}

bool Expansion::read_parameters(const Node& definition, const UseFields& given, Pending& part, Scope& scope) {
  const Entry* parameters = find(definition, "parameters");
  const Node none = map_node(part.key);
  const Node& known = parameters ? parameters->value : none;
  const Node& more = given.parameters.node ? *given.parameters.node : none;
  check_given(more, known, part, scope);
  Parameters own(&reading_.parameters);
  for (const Entry& p : known.entries) {
    const Entry* beside = find(part.value, p.key.text);
    const Entry* inside = find(more, p.key.text);
    if (beside && inside)
      reading_.report.add(inside->key, subject(part) + " gives the parameter \"" + p.key.text + "\" twice.",
                          "Remove it here, or beside `template`.");
    define(p, beside ? &beside->value : inside ? &inside->value : nullptr, part, scope, own);
  }
  own.find_points();
  set_coordinates(part, scope, own);
  own.evaluate(reading_.report);
  const TemplateChecks checks(part, more, own, reading_);
  checks.check_units(known);
  if (const Entry* required = find(definition, "require")) checks.check_required(required->value);
  for (model::Parameter p : own.list()) {
    if (const auto value = own.find(p.name)) scope.locals.push_back({p.name, *value});
    p.name = scope.prefix + p.name;
    reading_.add_instance_parameter(std::move(p));
  }
  for (const auto& [name, text] : own.texts()) scope.locals.push_back({name, {}, std::make_shared<const Node>(text)});
  return own.all_known();
}

// What --set or an experiment says wins over the user of the template, who wins over its default.
void Expansion::define(const Entry& parameter, const Node* given, Pending& part, const Scope& scope, Parameters& own) {
  if (declared_text(parameter.value)) return define_text(parameter, given, part, scope, own);
  const std::string& name = parameter.key.text;
  const ScalarReader scalars(reading_.report, reading_.parameters, part.scope);
  if (const auto* setting = find_setting(scope.prefix + name)) {
    define_known(parameter, setting->value, scope.prefix + name, scalars, own);
  } else if (given) {
    define_known(parameter, *given, subject(part) + ": " + name, scalars, own);
  } else if (parameter.value.is_nothing() && has_set_coordinates(parameter, scope)) {
    own.define(parameter.key, std::array<Parameters::Known, 3>{}, reading_.report);  // their values come behind
  } else if (parameter.value.is_nothing()) {
    refuse_without_value(parameter, part, scope, own);
  } else {
    own.define(parameter.key, parameter.value, reading_.report);
  }
}

void Expansion::refuse_without_value(const Entry& parameter, const Pending& part, const Scope& scope, Parameters& own) {
  const std::string& name = parameter.key.text;
  reading_.report.add(part.key,
                      subject(part) + " needs \"" + name + "\": template \"" + scope.template_name +
                          "\" has no default for this parameter.",
                      "Add " + name + ": value.");
  own.define(parameter.key, Parameters::Known{}, reading_.report);
}

// A text is taken as it is written, or handed on from a text parameter: `=tyre`.
void Expansion::define_text(const Entry& parameter, const Node* given, Pending& part, const Scope& scope,
                            Parameters& own) {
  const std::string name = scope.prefix + parameter.key.text;
  const auto* setting = find_setting(name);
  if (setting) reading_.set_fields.insert(name);  // an experiment asks what it has set
  const std::string what = setting ? name : subject(part) + ": " + parameter.key.text;
  Node value = setting ? setting->value : given ? *given : *declared_text(parameter.value);
  if (value.is_nothing()) return refuse_without_value(parameter, part, scope, own);
  if (ScalarReader(reading_.report, reading_.parameters, part.scope).take_text(value, what))
    own.define_text(parameter.key, value, reading_.report);
  else
    own.define(parameter.key, Parameters::Known{}, reading_.report);
}

// A default that is an expression may be either.
bool Expansion::fits_default(const Entry& parameter, const Node& value, bool is_point, const std::string& what) {
  const bool is_open = parameter.value.is_nothing() || is_expression(parameter.value.text);
  if (is_open || is_point == parameter.value.is_list()) return true;
  reading_.report.add(
      value, what + (is_point ? " is a point, but must be a number." : " must be a point."),
      is_point ? "Write a number, a quantity or an expression." : "Write [x, y, z], or an expression of points.");
  return false;
}

// Computed where the `use` stands, or the setting.
void Expansion::define_known(const Entry& parameter, const Node& value, const std::string& what,
                             const ScalarReader& scalars, Parameters& own) {
  const bool is_point = value.is_list() || scalars.is_point(value);
  const Location where = reading_.report.at(value);
  if (!fits_default(parameter, value, is_point, what)) {
    own.define(parameter.key, Parameters::Known{}, reading_.report);
  } else if (!is_point) {
    auto read = scalars.value(value, {what});
    const auto unit = dimension_of_quantity(parameter.value);
    if (read && unit && read->dimension.is_dimensionless())
      read->dimension = *unit;  // a plain number is in SI, as everywhere
    own.define(parameter.key, Parameters::Known{value.text, read, where}, reading_.report);
  } else if (const auto point = scalars.point(value, {what}); !point) {
    own.define(parameter.key, Parameters::Known{}, reading_.report);
  } else {
    const auto by_default = dimension_of_list(parameter.value);
    const Dimension plain = dimension_of_list(value).value_or(by_default.value_or(usual_dimension));
    std::array<Parameters::Known, 3> known;
    for (std::size_t i = 0; i < 3; ++i) {
      expression::Value coordinate = (*point)[i];
      if (value.is_list() && coordinate.dimension.is_dimensionless()) coordinate.dimension = plain;
      known[i] = {value.is_list() ? value.items[i].text : value.text, coordinate, where};
    }
    own.define(parameter.key, known, reading_.report);
  }
}

Reading::PartSetting* Expansion::find_setting(const std::string& name) {
  const auto found = reading_.part_settings.find(name);
  if (found == reading_.part_settings.end()) return nullptr;
  found->second.is_used = true;
  return &found->second;
}

bool Expansion::has_set_coordinates(const Entry& parameter, const Scope& scope) {
  return std::ranges::all_of(point_axes, [&](char axis) {
    return reading_.part_settings.count(scope.prefix + coordinate_name(parameter.key.text, axis)) != 0;
  });
}

// Of points, one by one: --set front_left.lower_ball.z=0.2.
void Expansion::set_coordinates(const Pending& part, const Scope& scope, Parameters& own) {
  const ScalarReader scalars(reading_.report, reading_.parameters, part.scope);
  for (const std::string& name : own.names()) {
    if (name.find('.') == std::string::npos) continue;
    if (const auto* setting = find_setting(scope.prefix + name))
      own.redefine(name, {setting->value.text, scalars.value(setting->value, {scope.prefix + name}),
                          reading_.report.at(setting->value)});
  }
}

Placement Expansion::placement_of(const PlacementFields& given, const FieldReader& reader,
                                  const std::string& what) const {
  Placement placement;
  placement.move = given.move;
  if (!given.mirror.node || given.mirror.node->text == "none") return placement;
  Node mirror = *given.mirror.node;
  if (mirror.is_text() && mirror.text.size() == 1 && mirror.text[0] >= 'x' && mirror.text[0] <= 'z') {
    placement.sign[mirror.text[0] - 'x'] = -1.0;
  } else if (reader.scalars().boolean(mirror, {what + ": mirror"}, "x, y, z, true, false or none").value_or(false)) {
    placement.sign.y = -1.0;  // left and right of a vehicle
  }
  return placement;
}

void Expansion::warn_of_unused() const {
  for (const Entry& entry : templates_.entries) {
    if (used_.count(entry.key.text) == 0 && entry.key.file == 0)  // a file of parts may offer more than is used
      reading_.warn("unused", reading_.report.at(entry.key), "template \"" + entry.key.text + "\" is used nowhere.");
  }
}

}  // namespace

std::vector<Level> levels_of(Node model, Reading& reading) {
  Node templates;
  if (Entry* entry = find(model, "templates")) templates = std::move(entry->value);
  erase(model, "templates");
  Expansion expansion(std::move(templates), reading);
  expansion.check_templates();
  const bool is_for_others = !find(model, "bodies") && !find(model, "use");
  expansion.add({}, std::move(model));
  if (!is_for_others) expansion.warn_of_unused();
  return expansion.take();
}

}  // namespace skyhook::io::model_file
