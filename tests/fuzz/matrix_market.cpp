// Any bytes either give a square matrix or a table of nodes, or a ModelError.
#include "skyhook/io/flexible/matrix_market.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace skyhook;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const flexible::Sparse a = io::fe::read_matrix_market(text, "fuzz.mtx");
    if (a.rows() != a.cols()) std::abort();
  } catch (const ModelError&) {}
  try {
    flexible::FeModel part;
    io::fe::read_node_table(text, "fuzz.csv", part);
    for (const auto& node : part.nodes) {
      if (node.dof[2] >= part.dofs || node.dof[0] < 0) std::abort();
    }
  } catch (const ModelError&) {}
  return 0;
}
