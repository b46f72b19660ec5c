#include "skyhook/simulation/drive_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/simulation/drive_jumps.h"
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

std::string DriveSet::text() const {
  return fmt::format("{}: its value was {:.6g} and is {:.6g}, its rate was {:.6g} and is {:.6g}, in SI units", drive,
                     value_before, value, rate_before, rate);
}

std::vector<DriveSet> drives_set(const model::Model& before, const model::Model& after, double t, double tolerance) {
  std::vector<model::Motion2> old;
  for_each_drive(before, [&](const Owner&, int, const model::Motion& m) { old.push_back(m.value_and_rate(t)); });
  std::vector<DriveSet> list;
  std::size_t next = 0;
  for_each_drive(after, [&](const Owner& owner, int k, const model::Motion& motion) {
    if (next >= old.size()) return;
    const model::Motion2 was = old[next++], is = motion.value_and_rate(t);
    if (differ(was.value, is.value, tolerance) || differ(was.rate, is.rate, tolerance))
      list.push_back(
          {name_of_drive(after, owner, k), place_of_drive(after, owner, k), was.value, is.value, was.rate, is.rate});
  });
  return list;
}

}  // namespace skyhook::simulation
