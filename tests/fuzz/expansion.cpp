// Any bytes as what ccx writes of beams and shells, .12d and behind a line "====" .dof, either give unknowns to nodes that are there, or a ModelError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "skyhook/io/flexible/calculix_expansion.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace skyhook::io::fe;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t between = std::min(text.find("===="), size), behind = std::min(between + 4, size);
  static const char* const strip =
      "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 2, 0, 0\n*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, "
      "4\n*ELEMENT, TYPE=B31, ELSET=B\n2, 2, 5\n";
  try {
    CalculixMesh mesh = read_calculix_mesh(strip, "fuzz.inp");
    std::map<int, skyhook::Vec3d> places;
    for (int i = 1; i < 40; ++i) places[i] = {0.1 * i, 0.2, 0.3};
    take_unknowns(read_expansion(text.substr(0, between), "fuzz.12d"), places, text.substr(behind), mesh);
    for (const auto& node : mesh.part.nodes) {
      for (const int unknown : node.dof) {
        if (unknown >= mesh.part.dofs) std::abort();
      }
    }
    for (const auto& solid : mesh.part.solids) {
      for (const int n : solid.nodes) {
        if (n < 0 || n >= static_cast<int>(mesh.part.nodes.size())) std::abort();
      }
    }
  } catch (const skyhook::ModelError&) {}
  return 0;
}
