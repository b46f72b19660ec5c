// Triangles from STL (binary or ASCII) and OBJ files. Equal vertices become one, triangles without area go, and colours,
// normals and textures are not read.
#pragma once
#include <string>
#include <string_view>

#include "skyhook/model/model.h"

namespace skyhook::io::model_file {

constexpr std::size_t most_triangles = 200'000;

// By the ending of its name.
bool is_mesh_file(const std::string& file);
// `file` gives the kind by its ending, and the place of what is wrong. Throws ModelError.
model::Mesh read_mesh(std::string_view bytes, const std::string& file);

model::Mesh read_stl(std::string_view bytes, const std::string& file);
model::Mesh read_obj(std::string_view text, const std::string& file);

}  // namespace skyhook::io::model_file
