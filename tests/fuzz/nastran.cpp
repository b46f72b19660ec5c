// Any bytes either give beams and matrices, or a ModelError.
#include "skyhook/io/flexible/nastran.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace skyhook;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const io::fe::NastranPart given = io::fe::read_nastran(text, "fuzz.bdf");
    if (size < 4096 && !given.beams.beams.empty()) flexible::assemble(given.beams);
    flexible::FeModel part;
    for (const auto& g : given.grids) part.nodes.push_back({g.name, g.at, {-1, -1, -1, -1, -1, -1}, g.where});
    io::fe::read_dmig(text, "fuzz.bdf", "K", "M", part);
    if (part.stiffness.rows() != part.dofs || part.mass.rows() != part.dofs) std::abort();
  } catch (const ModelError&) {}
  return 0;
}
