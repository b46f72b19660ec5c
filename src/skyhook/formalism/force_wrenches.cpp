#include "skyhook/formalism/force_wrenches.h"

#include "skyhook/formalism/frame.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

void for_each_wrench(const Snapshot& s, const PutWrench& put) {
  const recursive::Equations& eq = s.equations();
  const auto put_along = [&](const model::Contribution& force, double value) {
    const model::Joint& joint = eq.model().joints[static_cast<std::size_t>(force.joint)];
    if (joint.shape.dofs.size() != 1 || !joint.shape.dofs[0].has_axis()) return;
    const Vec3d along =
        value * (turn_of(s, frame_of(eq, model::Marker{{}, {}, joint.from, joint.at_from})) * joint.shape.dofs[0].axis);
    const bool turns = joint.shape.dofs[0].kind == model::Dof::Kind::revolute;
    put(force, turns ? Vec3d{} : along, turns ? along : Vec3d{});
  };
  const auto multiplier = [&](int row) { return s.all_multipliers[static_cast<std::size_t>(row)]; };
  for (std::size_t k = 0; k < eq.forces().size(); ++k) {
    const model::Wrench<double> on_to = s.force_of(k);
    put(*eq.forces()[k].force, on_to.f, on_to.n);
  }
  for (std::size_t k = 0; k < eq.coordinate_forces().size(); ++k)
    put_along(*eq.coordinate_forces()[k].force, s.coordinate_forces[k]);
  for (std::size_t k = 0; k < eq.state_forces().size(); ++k) {
    const auto& item = eq.state_forces()[k];
    const Snapshot::StateForce& f = s.state_forces[k];
    item.on_coordinate() ? put_along(*item.force, -f.pull) : put(*item.force, f.f, f.n);
  }
  for (std::size_t k = 0; k < eq.frictions().size(); ++k) put_along(*eq.frictions()[k].what, s.frictions[k].force);
  for (std::size_t k = 0; k < eq.contributions().size(); ++k) {
    const model::Wrench<double> on_to = s.wrench_of(k);
    put(*eq.contributions()[k].what, on_to.f, on_to.n);
  }
  for (int k = 0; k < static_cast<int>(eq.contacts().size()); ++k) {  // of an open one the multiplier is 0
    const auto& c = eq.contact(k);
    put(*c.what, contact_force(c, s.nodes, multiplier(c.rows[0].row_all)), {});
  }
  for (const SwitchRow& at : eq.switch_rows()) {
    if (at.what->holds(model::Row::Holds::stuck) && s.holds(at.row)) put_along(*at.what, 0.0 - multiplier(at.row));
  }
}

}  // namespace skyhook::formalism
