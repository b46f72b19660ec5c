#include "skyhook/element/joint/fixed.h"

#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

void Fixed::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  const Triad t = triad({0, 0, 1});
  joint.shape.rows = no_motion_along({t.e, t.u, t.v}) + fixed_orientation(t);
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
