#include "skyhook/element/rail/creep_law.h"

#include <cassert>

#include "skyhook/element/rail/fastsim_table.h"
#include "skyhook/element/rail/plain_creep.h"

namespace skyhook::element::rail {
namespace {

// One table serves all wheels: it is in units of the patch.
struct Tabulated {
  std::shared_ptr<const FastsimTable> table;
  ReducedForce<double> force(const ReducedCreep<double>& u) const { return table->force(u); }
  ReducedForce<Dual<4>> slopes(const ReducedCreep<double>& u) const { return table->slopes(u); }
};

}  // namespace

std::shared_ptr<const CreepLaw> make_creep_law(const CreepOptions& options) {
  if (options.law == "kalker") return std::make_shared<LinearCreep>(options);
  if (options.law == "she") return std::make_shared<SaturatedCreep>(options);
  if (options.law == "tanh") return std::make_shared<TanhCreep>(options);
  if (options.law == "polach") return std::make_shared<PolachCreep>(options);
  const FastsimGrid grid{options.across, options.along};
  if (options.law == "fastsim_table")
    return std::make_shared<FastsimCreep<Tabulated>>(options, Tabulated{fastsim_table(grid)});
  assert(options.law == "fastsim");
  return std::make_shared<FastsimCreep<Fastsim>>(options, Fastsim(grid));
}

}  // namespace skyhook::element::rail
