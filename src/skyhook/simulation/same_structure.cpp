#include "skyhook/simulation/same_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "skyhook/formalism/parts.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/modal_body.h"
#include "skyhook/model/nodal_mesh.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::simulation {
namespace {

// The first thing of one list that the other has not, or in another place. Contributions are called by their types.
template <class Thing, class Same>
std::string difference(const char* kind, const std::vector<Thing>& before, const std::vector<Thing>& after, Same same) {
  const auto has = [](const std::vector<Thing>& list, const std::string& name) {
    return std::ranges::find(list, name, &Thing::name) != list.end();
  };
  const auto noun = [&](const Thing& thing) {
    if constexpr (std::is_same_v<Thing, model::Contribution>)
      return thing.type.empty() ? std::string(kind) : thing.type;
    return std::string(kind);
  };
  for (const Thing& thing : before) {
    if (!has(after, thing.name)) return fmt::format("{} \"{}\" is no longer there", noun(thing), thing.name);
  }
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (!has(before, after[k].name)) return fmt::format("{} \"{}\" has come in", noun(after[k]), after[k].name);
    if (before[k].name != after[k].name)
      return fmt::format("{} \"{}\" stands in another place of the file", noun(after[k]), after[k].name);
    if (!same(before[k], after[k]))
      return fmt::format("{} \"{}\" connects other bodies or is of another kind", noun(after[k]), after[k].name);
  }
  return {};
}

bool same_dofs(const model::JointShape& a, const model::JointShape& b) {
  return a.rows.size() == b.rows.size() &&
         std::ranges::equal(a.dofs, b.dofs, [](const model::Dof& x, const model::Dof& y) {
           return x.kind == y.kind && (!x.guide || x.guide->signature() == y.guide->signature());
         });
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

bool same_row(const std::optional<model::Row>& a, const std::optional<model::Row>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  const auto same_term = [](const auto& x, const auto& y) { return x.joint == y.joint && x.dof == y.dof; };
  return a->kind == b->kind && a->holds == b->holds && a->drive.has_value() == b->drive.has_value() &&
         std::ranges::equal(a->terms, b->terms, same_term);
}

bool same_law(const model::ContributionLaw* a, const model::ContributionLaw* b) {
  if (!a || !b) return a == b;
  const auto sizes = [](const model::Declared& d) {
    return std::array{d.coordinates.size(), d.states.size(), d.algebraic.size(), d.contact_variables.size(),
                      d.rows.size()};
  };
  return sizes(a->declared()) == sizes(b->declared()) && a->signature() == b->signature();
}

// All parts, whatever kind of element it is.
bool same_contribution(const model::Contribution& a, const model::Contribution& b) {
  const auto states = [](const model::Contribution& what) { return what.inner ? what.inner->states().size() : 0; };
  const auto parts = [](const model::Contribution& what) {
    return std::array{what.wrench != nullptr,   what.coordinate != nullptr, what.inner != nullptr,
                      what.friction != nullptr, what.axis.has_value(),      what.counts_turns()};
  };
  return a.type == b.type && same_ends(a, b) && a.joint == b.joint && a.dof == b.dof && a.signal == b.signal &&
         parts(a) == parts(b) && states(a) == states(b) && same_law(a.law.get(), b.law.get()) && same_row(a.row, b.row);
}

bool same_inputs(const model::ContinuousSignal& a, const model::ContinuousSignal& b) {
  return std::ranges::equal(a.inputs, b.inputs);
}

bool same_controller(const model::Controller& a, const model::Controller& b) {
  return a.type == b.type && a.outputs == b.outputs && a.inputs.size() == b.inputs.size();
}

// Modal coordinates mean the same; how stiff a mode is may change.
bool same_shapes(const model::ModalBody* a, const model::ModalBody* b) {
  if (!a || !b) return !a && !b;
  const auto same = [](const model::ModalPoint& x, const model::ModalPoint& y) {
    return x.at == y.at && x.shift == y.shift;
  };
  return a->modes == b->modes && std::ranges::equal(a->points, b->points, same);
}

bool same_nodes(const model::NodalMesh* a, const model::NodalMesh* b) {
  if (!a || !b) return !a && !b;
  return a->names == b->names && a->design == b->design;
}

bool same_rule(const model::EventRule& a, const model::EventRule& b) {
  return a.when.has_value() == b.when.has_value() && a.at.has_value() == b.at.has_value() &&
         a.actions.size() == b.actions.size();
}

}  // namespace

std::string structural_difference(const model::Model& before, const model::Model& after) {
  const auto any = [](const auto&, const auto&) { return true; };
  const auto channels = [](const auto& a, const auto& b) {
    const auto is_in_middle = [](const auto& x) { return x.wheel->side == model::Wheel::Side::middle; };
    return a.wheel.has_value() == b.wheel.has_value() && (!a.wheel || is_in_middle(a) == is_in_middle(b)) &&
           same_shapes(a.modal.get(), b.modal.get()) && same_nodes(model::mesh_of(a), model::mesh_of(b));
  };
  const auto body = [](const auto& a, const auto& b) { return a.body == b.body; };
  for (const std::string& found : {difference("body", before.bodies, after.bodies, channels),
                                   difference("marker", before.markers, after.markers, body),
                                   difference("sensor", before.sensors, after.sensors, any),
                                   difference("joint", before.joints, after.joints, same_joint),
                                   difference("element", before.contributions, after.contributions, same_contribution),
                                   difference("controller", before.controllers, after.controllers, same_controller),
                                   difference("signal", before.signals, after.signals, any),
                                   difference("signal", before.continuous, after.continuous, same_inputs),
                                   difference("event", before.events, after.events, same_rule)}) {
    if (!found.empty()) return found;
  }
  return {};
}

std::string difference_of_names(const std::string& what, const std::vector<std::string>& before,
                                const std::vector<std::string>& after) {
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::ranges::find(list, name) != list.end();
  };
  for (const std::string& name : before) {
    if (!has(after, name)) return fmt::format("{} \"{}\" is no longer there", what, name);
  }
  for (const std::string& name : after) {
    if (!has(before, name)) return fmt::format("{} \"{}\" has come in", what, name);
  }
  return before == after ? "" : fmt::format("{}s stand in another order", what);
}

std::string structural_difference(const Equations& before, const Equations& after) {
  const auto rows = [](const Equations& eq) {
    std::vector<std::string> names;
    for (const auto& row : eq.rows()) names.push_back(row.name());
    return names;
  };
  const auto channels = [](const Equations& eq) {
    std::vector<std::string> names;
    for (const Channel& channel : all_channels(eq)) names.push_back(channel.name + " [" + channel.unit + "]");
    return names;
  };
  const auto drives = [](const Equations& eq) {
    std::vector<std::string> names;
    for (const auto& driven : eq.driven())
      names.push_back(eq.model().joints[static_cast<std::size_t>(driven.joint)].name);
    return names;
  };
  const auto states = [](const Equations& eq) {
    std::vector<std::string> names;
    for (const auto& state : eq.inner_states()) names.push_back(state.name);
    return names;
  };
  for (const std::string& found : {difference_of_names("the position", before.position_names(), after.position_names()),
                                   difference_of_names("the velocity", before.velocity_names(), after.velocity_names()),
                                   difference_of_names("the inner state", states(before), states(after)),
                                   difference_of_names("the constraint", rows(before), rows(after)),
                                   difference_of_names("the driven joint", drives(before), drives(after)),
                                   difference_of_names("the channel", channels(before), channels(after))}) {
    if (!found.empty()) return found;
  }
  const bool same = before.nq() == after.nq() && before.nv() == after.nv() && before.ns() == after.ns() &&
                    before.switch_rows().size() == after.switch_rows().size() &&
                    before.parts().frictions.size() == after.parts().frictions.size() && before.cuts() == after.cuts();
  return same ? "" : "the equations are others";
}

}  // namespace skyhook::simulation
