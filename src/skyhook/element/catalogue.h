// The catalogue of elements: what can stand under `joints:`, `forces:`, `controllers:`, `roads:`, `tracks:` and `profiles:` of a model
// file. One line registers one.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct ElementType {
  std::string name;     // the file's `type:`
  std::string section;  // "joints", "forces", "controllers", "roads", "tracks" or "profiles"
  std::string summary;  // one line of help
  std::vector<FieldInfo> fields;
  // Reads the element's fields and adds it to the model. Reports findings by throwing ModelError.
  std::function<void(model::FieldSource&, model::Model&)> read;
  // Offers the fields of a default element to the source and adds nothing: types and defaults for manual and schema.
  std::function<void(model::FieldSource&)> offer_fields;
  bool refers_to_coordinates = false;  // may name coordinates of other joints: read it after those
};

const std::vector<ElementType>& catalogue();
// nullptr where there is none
const ElementType* find(const std::string& section, const std::string& name);
// That of a section that has one type only, which need not be written; else nullptr.
const ElementType* only_type_of(const std::string& section);

}  // namespace skyhook::element
