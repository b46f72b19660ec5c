// All prescribed motions of a model, whether they stand in the tree or are constraints.
#pragma once
#include "skyhook/model/model.h"
#include "skyhook/simulation/run_state.h"

namespace skyhook::simulation {

// visit(owner, number of the coordinate, motion), in a fixed order.
template <class Visit>
void for_each_drive(const model::Model& model, Visit&& visit) {
  for (const model::Joint& joint : model.joints) {
    for (std::size_t k = 0; k < joint.drive.size(); ++k) {
      if (joint.drive[k]) visit(Owner{"drive of joint", joint.name}, static_cast<int>(k), *joint.drive[k]);
    }
  }
  for (const model::Contribution& what : model.contributions) {
    if (what.row && what.row->drive)
      visit(Owner{what.is_rod() ? "drive of rod" : "drive of coupler", what.name}, 0, *what.row->drive);
  }
}

}  // namespace skyhook::simulation
