// All evaluations of a rail vehicle at once, each under its own name.
#include <fmt/format.h>

#include <algorithm>

#include "skyhook/analysis/rail_wheels.h"
#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {
namespace {

void add(const Evaluation& one, Evaluation& out) {
  for (EvaluatedNumber n : one.numbers) n.name = one.standard + "." + n.name, out.numbers.push_back(std::move(n));
  for (const std::string& note : one.notes) out.notes.push_back(one.standard + ": " + note);
}

// Those of the same abscissa, at the places of the first.
void add_curves(const Evaluation& one, Evaluation& out) {
  for (const Signal& s : one.curves) {
    if (out.curves.empty() || s.abscissa.unit != out.curves.front().abscissa.unit) continue;
    Signal here = out.curves.front().like(s.name, s.unit);
    for (const double x : here.x) here.y.push_back(s.at(std::clamp(x, s.x.front(), s.x.back())));
    out.curves.push_back(std::move(here));
  }
}

bool has(const EvaluationInputs& inputs, const std::string& ending) {
  return std::ranges::any_of(inputs.run(0).signals.names,
                             [&](const std::string& name) { return name.ends_with(ending); });
}

// Forces over the distance. What the record does not have is told and left out, as long as something is left.
void add_safety(const EvaluationInputs& inputs, Evaluation& out) {
  Evaluation safety = inputs.by("en14363");
  add(safety, out);
  out.curves = std::move(safety.curves), out.sections = std::move(safety.sections);
}

void add_wear(const EvaluationInputs& inputs, Evaluation& out) {
  if (!has(inputs, ".power")) return out.notes.push_back("no wheel has a channel `power`: there is no wear number");
  const Evaluation wear = inputs.by("wear");
  add(wear, out), add_curves(wear, out);
}

void add_ride(const EvaluationInputs& inputs, Evaluation& out) {
  add(inputs.by("sperling"), out);
  const auto lateral = inputs.channel("lateral_acceleration");
  const double span = inputs.within(lateral ? *lateral : inputs.required("vertical_acceleration")).span(),
               block = inputs.quantity_or_refuse("block");
  if (span < block)
    return out.notes.push_back(fmt::format(
        "{:g} s are less than a block of {:g} s (--block): there is no comfort after en12299", span, block));
  add(inputs.by("en12299"), out);
}

}  // namespace

void evaluate_rail(const EvaluationInputs& inputs, Evaluation& out) {
  const bool has_ride = inputs.channel("lateral_acceleration") || inputs.channel("vertical_acceleration");
  const bool has_wheels =
      inputs.channel("guiding_force") || inputs.channel("wheel_force") || (has(inputs, ".Y") && has(inputs, ".Q"));
  const bool has_way = known_rail_distance(inputs).has_value();
  if ((has_wheels && has_way) || !has_ride)
    add_safety(inputs, out), add_wear(inputs, out);
  else if (!has_wheels)
    out.notes.push_back("no wheel has the channels `Y` and `Q`: neither safety nor wear is evaluated");
  else
    out.notes.push_back(
        "it is not known how far the vehicle has travelled (--distance, --speed): neither safety nor wear is "
        "evaluated");
  has_ride ? add_ride(inputs, out)
           : out.notes.push_back("no acceleration of the car body is named: there is neither Wz nor comfort");
}

}  // namespace skyhook::analysis
