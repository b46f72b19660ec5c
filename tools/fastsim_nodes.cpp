// fastsim_nodes FILE: writes the nodes of the table of FASTSIM for its usual slices, which the program has built in.
#include "skyhook/element/rail/fastsim_nodes.h"

#include <fstream>

int main(int, char** arguments) {
  using namespace skyhook::element::rail;
  const auto nodes = fastsim_nodes::evaluated(Fastsim());
  std::ofstream file(arguments[1], std::ios::binary);
  file.write(reinterpret_cast<const char*>(nodes.data()),
             static_cast<std::streamsize>(nodes.size() * sizeof(nodes[0])));
  return file.good() ? 0 : 1;
}
