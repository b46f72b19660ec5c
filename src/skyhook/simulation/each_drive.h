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
  for (const model::Rod& rod : model.rods) {
    if (rod.drive) visit(Owner{"drive of rod", rod.name}, 0, *rod.drive);
  }
  for (const model::Coupler& coupler : model.couplers) {
    if (coupler.drive) visit(Owner{"drive of coupler", coupler.name}, 0, *coupler.drive);
  }
}

}  // namespace skyhook::simulation
