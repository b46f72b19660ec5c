#include "skyhook/element/rail/creep_law.h"

#include <cassert>

#include "skyhook/element/rail/fastsim.h"
#include "skyhook/element/rail/plain_creep.h"

namespace skyhook::element::rail {

std::shared_ptr<const CreepLaw> make_creep_law(const CreepOptions& options) {
  if (options.law == "kalker") return std::make_shared<LinearCreep>(options);
  if (options.law == "she") return std::make_shared<SaturatedCreep>(options);
  if (options.law == "tanh") return std::make_shared<TanhCreep>(options);
  if (options.law == "polach") return std::make_shared<PolachCreep>(options);
  assert(options.law == "fastsim");
  return std::make_shared<FastsimCreep<Fastsim>>(options, Fastsim({options.across, options.along}));
}

}  // namespace skyhook::element::rail
