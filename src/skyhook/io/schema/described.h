// All that a model file may hold, as one list: the elements of the catalogue and the other things, each with its fields,
// what kind of value they take and what holds without one. Reference and schema are made from it.
#pragma once
#include <string>
#include <vector>

#include "skyhook/base/field.h"

namespace skyhook::io {

enum class FieldKind {
  number,
  whole,
  truth,
  text,
  numbers,      // one or a list
  vector,       // with a unit
  direction,    // a vector without, or the name of an axis
  orientation,  // see the thing of that name
  tensor,
  body,
  marker,
  coordinate,
  formula,
  curve,   // formula or table
  motion,  // formula or table, of time
  file,    // its name
  values,  // a map of numbers whose names are not known here
  signal,  // of a controller, by its name
  channel,
  channels,  // a list, or a map with names of the model's own
  names,
  formulas,  // a map with names of the model's own
  rows,      // of a matrix
  road,      // by its name
  roads,
  track,     // by its name
  segments,  // see the thing `track_segment`
  gradients,
  irregularities,
  patches,  // see the thing `patch`
  part      // has a form of its own, see its help
};

struct DescribedField {
  FieldInfo info;
  FieldKind kind;
  std::string otherwise;  // the default as a file would have it; empty: none, or said in the help

  std::string type_text() const;   // "formula over t, x, v"
  std::string range_text() const;  // "at least 0"; empty: any
};

struct Thing {
  std::string name;     // of an element its `type:`
  std::string section;  // where it stands: "joints", "bodies"; empty: inside others
  std::string summary;  // one line of help
  bool is_element = false;
  std::vector<DescribedField> fields;

  bool has_required() const;
};

// The elements, in the order of the catalogue.
const std::vector<Thing>& described_elements();
// The rest: model, body, marker, experiment, and the forms of their values.
const std::vector<Thing>& described_parts();
// The part of that name, which must be there.
const Thing& described_part(const std::string& name);

}  // namespace skyhook::io
