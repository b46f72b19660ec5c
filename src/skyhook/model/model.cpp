#include "skyhook/model/model.h"

#include <cmath>

#include "skyhook/model/contribution.h"

namespace skyhook::model {
namespace {

template <class Wanted>
std::vector<const Contribution*> those(const Model& model, Wanted wanted) {
  std::vector<const Contribution*> found;
  for (const Contribution& what : model.contributions) {
    if (wanted(what)) found.push_back(&what);
  }
  return found;
}

}  // namespace

bool Contribution::acts() const { return !inner || inner->acts() != StateElement::Force::none; }

bool Contribution::closes_loop() const { return is_rod() || (law && !law->declared().rows.empty()); }

std::vector<const Contribution*> those_that_hold(const Model& model, Row::Holds when) {
  return those(model, [when](const Contribution& what) { return what.holds(when); });
}

std::vector<const Contribution*> forces_of(const Model& model) {
  return those(model, [](const Contribution& what) { return !what.holds(Row::Holds::always) && what.acts(); });
}

double largest_hold(const Contribution& what, double t, double signal) {
  if (what.row->hold_ratio <= 0) return what.row->hold;
  return what.row->hold_ratio *
         std::abs(what.coordinate->force(0.0, 0.0, t, {.signal = signal, .mode = Stick::slips_up}));
}

std::size_t number_of(const Model& model, const Contribution& what) {
  return static_cast<std::size_t>(&what - model.contributions.data());
}

}  // namespace skyhook::model
