#include "skyhook/simulation/drive_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace skyhook::simulation {
namespace {

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

bool differ(double a, double b, double tolerance) {
  return std::abs(a - b) > tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

void save_drives(const model::Model& model, double t, Saving& to) {
  for_each_drive(model, [&](const Owner& owner, int k, const model::Motion& motion) {
    const model::Motion2 m = motion.value_and_rate(t);
    to.put(owner, "value", m.value, k), to.put(owner, "rate", m.rate, k);
  });
}

std::vector<std::string> changed_drives(const model::Model& model, const Restoring& from, double tolerance) {
  std::vector<std::string> list;
  const auto t = from.get("t");
  if (!t) return list;
  for_each_drive(model, [&](const Owner& owner, int k, const model::Motion& motion) {
    const auto value = from.get(owner, "value", k), rate = from.get(owner, "rate", k);
    const model::Motion2 m = motion.value_and_rate(*t);
    if (!value || !rate)
      list.push_back(fmt::format("the {} was not there", text_of(owner)));
    else if (differ(m.value, *value, tolerance))
      list.push_back(fmt::format("the {} had {:.6g} at t = {:.6g} s and has {:.6g} here, in SI units: the motion jumps",
                                 text_of(owner), *value, *t, m.value));
    else if (differ(m.rate, *rate, tolerance))
      list.push_back(
          fmt::format("the rate of the {} was {:.6g} at t = {:.6g} s and is {:.6g} here, in SI units: the "
                      "velocities jump",
                      text_of(owner), *rate, *t, m.rate));
  });
  return list;
}

}  // namespace skyhook::simulation
