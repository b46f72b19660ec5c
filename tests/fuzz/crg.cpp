// Any bytes either give a grid of finite heights on which every place has a finite height, or a ModelError.
#include "skyhook/io/road/crg.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "skyhook/base/error.h"
#include "skyhook/element/grid_relief.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto crg = skyhook::io::road::read_crg(text, "fuzz.crg");
    const auto& g = crg.grid;
    if (g.v.size() < 2 || g.rows() < 2 || g.z.size() != g.rows() * g.v.size()) std::abort();
    for (const double z : g.z) {
      if (!std::isfinite(z)) std::abort();
    }
    const skyhook::element::GridRelief relief(std::make_shared<const skyhook::model::RoadGrid>(g));
    for (const double x : {-1e12, -3.0, 0.0, 0.7, 1e12}) (void)relief.at(x, 0.3 * x);
  } catch (const skyhook::ModelError&) {}
  return 0;
}
