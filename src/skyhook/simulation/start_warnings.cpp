#include "skyhook/simulation/start_warnings.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "skyhook/simulation/describe.h"

namespace skyhook::simulation {
namespace {

const char* const in_loop = "but the constraints do not allow that with the other given values";

Warning other_closure(const formalism::OtherClosure& c, const Location& where) {
  const bool named = !c.name.empty();  // balls alone have no number that tells them apart
  const std::string here = named ? fmt::format(", with {} = {}", c.name, in_users_unit(c.value_here, c.unit)) : "";
  const std::string other = named ? fmt::format("with {}", in_users_unit(c.value, c.unit)) : "in the other way";
  return {"ambiguous_closure", where,
          fmt::format("The loops close in more than one way with the given values. The run starts with the one that "
                      "moves the mass least from design: the integral of |dx|^2 dm is {:.6g} kg.m^2{}; {} it is "
                      "{:.6g} kg.m^2.",
                      c.displacement_here, here, other, c.displacement),
          fmt::format("Give {} too, or draw the model nearer to where it starts.",
                      named ? c.name : "values of other joints of the loop")};
}

Warning near_dead_centre(const formalism::NearDeadCentre& d) {
  return {"dead_centre", d.given.where,
          fmt::format("{} is given as {} close to a dead centre: other rates must be {:.3g} times as large for it, {} "
                      "is {:.6g} in SI units.",
                      d.given.name, in_users_unit(d.given.given, d.given.unit), d.leverage, d.fastest, d.rate),
          "Give the rate of a joint that moves there, or start further away."};
}

// The first line that gives a position of a loop.
Location first_given(const Prepared& p) {
  const std::vector<bool> loops = formalism::joints_in_loops(*p.model);
  for (const auto& given : formalism::initial_values(*p.model, {}, {}).positions) {
    if (loops[static_cast<std::size_t>(given.joint)]) return given.where;
  }
  return {};
}

constexpr int fewest_digits = 6;

std::string shown(double value, const std::string& unit, double size, int digits) {
  constexpr double nothing = 1e-6;                                 // as many digits as are shown
  if (std::abs(value) <= nothing * size || value == 0) value = 0;  // and not -0
  const bool turns = unit.starts_with("rad");
  return turns ? fmt::format("{:.{}g} deg{}", value * 180 / std::numbers::pi, digits, unit.substr(3))
               : fmt::format("{:.{}g} {}", value, digits, unit);
}

// With as many digits as it takes to tell them apart.
struct GivenAndUsed {
  std::string given, used;
};
GivenAndUsed told_apart(const formalism::Changed& c) {
  constexpr int most_digits = 17;
  const double size = 1 + std::abs(c.given);
  GivenAndUsed out;
  for (int digits = fewest_digits; digits <= most_digits && out.given == out.used; ++digits)
    out = {shown(c.given, c.unit, 0, digits), shown(c.used, c.unit, size, digits)};
  return out;
}

// As where all bodies run on joints of type `track`.
void tell_of_coordinates(Prepared& p) {
  if (!p.topology.any_absolute || coordinates_of(p) != "joint") return;
  p.warnings.push_back(
      {"no_effect",
       {},
       "Absolute coordinates change nothing here: every joint is a guide or track, which stays in the tree.",
       "Leave out `coordinates`; a body has its own on a `free` joint, or on none."});
}

}  // namespace

std::string in_users_unit(double value, const std::string& unit, double size) {
  return shown(value, unit, size, fewest_digits);
}

void tell_changes(const std::vector<formalism::Changed>& changes, const model::Experiment& experiment, Prepared& p) {
  Findings refused;
  for (const formalism::Changed& c : changes) {
    const auto [given, nearest] = told_apart(c);
    const std::string what = fmt::format("{} is given as {}, {}: ", c.name, given, c.why.empty() ? in_loop : c.why);
    const std::string used = nearest + ".";
    const std::string change = c.why.empty() ? "Change or remove a given value of this loop" : "Change or remove it";
    if (experiment.strict)
      refused.add(c.where, what + "nearest is " + used, change + ", or leave out `strict: true`.");
    else
      p.warnings.push_back({"initial_value_changed", c.where, what + "the run starts with " + used,
                            change + "; `strict: true` in the experiment refuses it."});
  }
  refused.throw_if_any();
}

void tell_of_start(Prepared& p) {
  tell_of_coordinates(p);
  if (p.positions.other_closure) p.warnings.push_back(other_closure(*p.positions.other_closure, first_given(p)));
  if (p.positions.short_of_least > 1e-6)
    p.warnings.push_back({"not_least",
                          {},
                          fmt::format("The search for the positions that are not given, where the mass moves least, "
                                      "has stopped {:.2g} rad or m short of them: with other cuts the run may start "
                                      "elsewhere.",
                                      p.positions.short_of_least),
                          "Give more initial values, or draw the model nearer to where it starts."});
  if (p.velocities.near_dead_centre) p.warnings.push_back(near_dead_centre(*p.velocities.near_dead_centre));
}

}  // namespace skyhook::simulation
