// Any bytes either give a mesh whose elements have nodes that are there, or results of one, or a ModelError.
#include "skyhook/io/flexible/calculix.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "skyhook/io/flexible/frd.h"

namespace {

void check(const skyhook::flexible::FeModel& part) {
  const int nodes = static_cast<int>(part.nodes.size());
  const auto is_there = [&](int n) { return n >= 0 && n < nodes; };
  for (const auto& solid : part.solids) {
    for (const int n : solid.nodes) {
      if (!is_there(n)) std::abort();
    }
  }
  for (const auto& corners : part.triangles) {
    for (const int n : corners) {
      if (!is_there(n)) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace skyhook::io::fe;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check(read_calculix_mesh(text, "fuzz.inp").part);
  } catch (const skyhook::ModelError&) {}
  try {
    const Frd frd = read_frd(text, "fuzz.frd");
    skyhook::flexible::FeModel part;
    for (const auto& [number, at] : frd.nodes) {
      part.nodes.push_back({std::to_string(number), at, {part.dofs, part.dofs + 1, part.dofs + 2, -1, -1, -1}, {}});
      part.dofs += 3;
    }
    shapes_of(frd, part, "fuzz.frd");
  } catch (const skyhook::ModelError&) {}
  return 0;
}
