#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "model_commands.h"
#include "skyhook/base/error.h"

namespace skyhook::app {

int expand(const ExpandCommand& options) {
  const model::Model m = read(options, options.experiment);
  if (options.out.empty()) {
    fmt::print("{}", m.expanded);
    return success;
  }
  std::ofstream file(options.out, std::ios::binary);
  file << m.expanded;
  file.close();
  if (!file) throw ModelError({options.out}, "the file cannot be written.", "Check the path and the permissions.");
  return success;
}

}  // namespace skyhook::app
