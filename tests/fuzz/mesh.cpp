// Any bytes either give a mesh whose corners are vertices that are finite, or a ModelError.
#include "skyhook/io/model_file/mesh.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "skyhook/base/error.h"

namespace {

template <class Read>
void check(Read read, std::string_view bytes) {
  try {
    const skyhook::model::Mesh mesh = read(bytes, "fuzz");
    for (const std::uint32_t corner : mesh.corners) {
      if (3 * std::size_t{corner} + 2 >= mesh.vertices.size()) std::abort();
    }
    for (const float x : mesh.vertices) {
      if (!std::isfinite(x)) std::abort();
    }
    if (mesh.corners.empty() || mesh.corners.size() % 3 != 0) std::abort();
  } catch (const skyhook::ModelError&) {}
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(skyhook::io::model_file::read_stl, bytes);
  check(skyhook::io::model_file::read_obj, bytes);
  return 0;
}
