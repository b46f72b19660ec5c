#include "skyhook/simulation/same_structure.h"

#include <fmt/format.h>

#include <algorithm>

namespace skyhook::simulation {
namespace {

// The first thing of one list that the other has not, or in another place.
template <class Thing, class Same>
std::string difference(const char* noun, const std::vector<Thing>& before, const std::vector<Thing>& after, Same same) {
  const auto has = [](const std::vector<Thing>& list, const std::string& name) {
    return std::ranges::find(list, name, &Thing::name) != list.end();
  };
  for (const Thing& thing : before) {
    if (!has(after, thing.name)) return fmt::format("{} \"{}\" is no longer there", noun, thing.name);
  }
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (!has(before, after[k].name)) return fmt::format("{} \"{}\" has come in", noun, after[k].name);
    if (before[k].name != after[k].name)
      return fmt::format("{} \"{}\" stands in another place of the file", noun, after[k].name);
    if (!same(before[k], after[k]))
      return fmt::format("{} \"{}\" connects other bodies or is of another kind", noun, after[k].name);
  }
  return {};
}

bool same_dofs(const model::JointShape& a, const model::JointShape& b) {
  return a.rows.size() == b.rows.size() &&
         std::ranges::equal(a.dofs, b.dofs, [](const model::Dof& x, const model::Dof& y) { return x.kind == y.kind; });
}

bool same_drives(const model::Joint& a, const model::Joint& b) {
  return std::ranges::equal(a.drive, b.drive,
                            [](const auto& x, const auto& y) { return x.has_value() == y.has_value(); });
}

bool same_joint(const model::Joint& a, const model::Joint& b) {
  return a.type == b.type && a.from == b.from && a.to == b.to && a.cut == b.cut && same_dofs(a.shape, b.shape) &&
         same_drives(a, b);
}

bool same_ends(const auto& a, const auto& b) { return a.from.body == b.from.body && a.to.body == b.to.body; }

bool same_force(const model::Force& a, const model::Force& b) {
  const auto states = [](const model::Force& f) { return f.inner ? f.inner->states().size() : 0; };
  return a.type == b.type && same_ends(a, b) && a.joint == b.joint && a.dof == b.dof && a.signal == b.signal &&
         states(a) == states(b);
}

bool same_terms(const model::Coupler& a, const model::Coupler& b) {
  return std::ranges::equal(a.terms, b.terms,
                            [](const auto& x, const auto& y) { return x.joint == y.joint && x.dof == y.dof; });
}

}  // namespace

std::string structural_difference(const model::Model& before, const model::Model& after) {
  const auto any = [](const auto&, const auto&) { return true; };
  const auto channels = [](const auto& a, const auto& b) {
    const auto is_in_middle = [](const auto& body) { return body.wheel->side == model::Wheel::Side::middle; };
    return a.wheel.has_value() == b.wheel.has_value() && (!a.wheel || is_in_middle(a) == is_in_middle(b));
  };
  const auto ends = [](const auto& a, const auto& b) { return same_ends(a, b); };
  const auto coordinate = [](const auto& a, const auto& b) { return a.joint == b.joint && a.dof == b.dof; };
  const auto outputs = [](const auto& a, const auto& b) { return a.type == b.type && a.outputs == b.outputs; };
  for (const std::string& found :
       {difference("body", before.bodies, after.bodies, channels),
        difference("sensor", before.sensors, after.sensors, any),
        difference("joint", before.joints, after.joints, same_joint), difference("rod", before.rods, after.rods, ends),
        difference("coupler", before.couplers, after.couplers, same_terms),
        difference("force", before.forces, after.forces, same_force),
        difference("contact", before.contacts, after.contacts, ends),
        difference("friction", before.stick_slips, after.stick_slips, coordinate),
        difference("controller", before.controllers, after.controllers, outputs),
        difference("event", before.events, after.events, any)}) {
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace skyhook::simulation
