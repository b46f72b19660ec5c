#include "skyhook/formalism/given_values.h"

#include <algorithm>
#include <iterator>

#include "skyhook/formalism/joint_motion.h"

namespace skyhook::formalism {
namespace {

int scalars_of(const model::Joint& joint) { return static_cast<int>(joint.position.size()); }

void add_given(const model::Joint& joint, int j, bool rates, GivenValues& out) {
  const auto& list = rates ? joint.velocity : joint.position;
  const auto& where = rates ? joint.velocity_where : joint.position_where;
  for (int k = 0; k < scalars_of(joint); ++k) {
    if (!list[k] || joint.drive[k]) continue;
    const bool known = static_cast<std::size_t>(k) < where.size();
    out.push_back({j, k, *list[k], false, known ? where[k] : joint.where});
  }
}

void must_hold(const model::Model& m, const std::pair<int, int>& at, bool rates, GivenValues& out) {
  const auto found =
      std::ranges::find_if(out, [&](const GivenValue& v) { return v.joint == at.first && v.scalar == at.second; });
  if (found != out.end()) return void(found->must = true);
  const model::Joint& joint = m.joints[at.first];
  out.push_back({at.first, at.second, rates ? 0.0 : joint.reference[at.second], true, joint.where});
}

GivenValues select(const GivenValues& values, bool must) {
  GivenValues out;
  std::ranges::copy_if(values, std::back_inserter(out), [&](const GivenValue& v) { return v.must == must; });
  return out;
}

}  // namespace

GivenValues held_values(const GivenValues& values) { return select(values, true); }
GivenValues released_values(const GivenValues& values) { return select(values, false); }

std::vector<std::pair<int, int>> find_coordinates(const model::Model& m, const std::vector<std::string>& names,
                                                  const Location& where) {
  std::vector<std::pair<int, int>> found;
  for (const std::string& name : names) {
    const std::size_t before = found.size();
    std::vector<std::string> known;
    bool is_driven = false;
    for (int j = 0; j < static_cast<int>(m.joints.size()); ++j) {
      const model::Joint& joint = m.joints[j];
      for (int k = 0; k < scalars_of(joint); ++k) {
        if (is_in_ball(joint, k)) continue;
        const std::string its_name = coordinate_name(joint, k, false);
        const bool is_it = its_name == name || joint.name == name;
        is_driven = is_driven || (is_it && joint.drive[k]);
        if (joint.drive[k]) continue;
        known.push_back(its_name);
        if (is_it) found.emplace_back(j, k);
      }
    }
    if (found.size() == before && is_driven)
      throw ModelError(where, "\"" + name + "\" follows its drive: its value and its rate are given.",
                       "Leave out the drive, or name another coordinate.");
    if (found.size() == before)
      throw ModelError(where, "\"" + name + "\" is not a coordinate of a joint.", suggest(name, known, "Coordinates"));
  }
  return found;
}

InitialValues initial_values(const model::Model& m, const std::vector<std::string>& independent,
                             const Location& where) {
  InitialValues out;
  for (int j = 0; j < static_cast<int>(m.joints.size()); ++j) {
    add_given(m.joints[j], j, false, out.positions);
    add_given(m.joints[j], j, true, out.rates);
  }
  for (const auto& at : find_coordinates(m, independent, where))
    must_hold(m, at, false, out.positions), must_hold(m, at, true, out.rates);
  return out;
}

}  // namespace skyhook::formalism
