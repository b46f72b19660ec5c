// A body with modes as one HDF5 file, .flex.h5 (format: docs/manual/flexible.md).
#pragma once
#include <string>

#include "skyhook/model/modal_body.h"

namespace skyhook::io::fe {

// `made_of` says what it was reduced from and how, for people.
void write_flex(const model::ModalBody& body, const std::string& path, const std::string& made_of);
// From the bytes of a file; `path` for messages. Throws ModelError: no such file, another version, sizes that do not fit, no units.
model::ModalBody read_flex(const std::string& bytes, const std::string& path);

}  // namespace skyhook::io::fe
