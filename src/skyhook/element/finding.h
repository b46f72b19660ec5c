// Errors of elements: what is wrong with which field of which element.
#pragma once
#include <string>

#include "skyhook/model/field_source.h"

namespace skyhook::element {

// Throws: `"strut": what` at the place of `field`, or of the element where the file does not have the field.
[[noreturn]] inline void fail(const model::FieldSource& source, const char* field, const std::string& what,
                              const std::string& advice) {
  throw ModelError(source.where(field), '"' + source.name() + "\": " + what, advice);
}

}  // namespace skyhook::element
