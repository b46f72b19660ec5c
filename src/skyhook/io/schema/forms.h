// The forms of values in the JSON Schema: what a number, a vector, a table, a map of named things looks like.
#pragma once
#include <optional>
#include <string>

#include "skyhook/io/schema/described.h"
#include "skyhook/io/schema/json.h"

namespace skyhook::io {

// {"$ref": "#/definitions/name"}
Json reference_to(const std::string& definition);
// The form of a field's value, with its help. `owner` is the name of the thing it belongs to.
Json form_of(const DescribedField& field, const std::string& owner);
// Of a field whose form does not follow from its type; nullopt if there is no rule for it.
std::optional<Json> rule_of(const std::string& owner, const std::string& field);
// A map with the fields of the thing, and no other keys. What `head` says comes first.
Json object_form(const Thing& thing, Json head = {});
// An entry of `use`: with `template` or without.
Json part_or_group_form();
Json signal_or_formula_form();

// What several forms share: quantity, vector, rows, name, names.
void add_shared_forms(Json& definitions);

}  // namespace skyhook::io
