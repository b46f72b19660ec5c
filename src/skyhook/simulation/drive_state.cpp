#include "skyhook/simulation/drive_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/simulation/each_drive.h"

namespace skyhook::simulation {
namespace {

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
