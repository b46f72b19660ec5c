// All evaluations of a rail vehicle at once, each under its own name.
#include <algorithm>

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

bool has_power(const EvaluationInputs& inputs) {
  return std::ranges::any_of(inputs.run(0).signals.names, [](const std::string& name) { return name.ends_with(".power"); });
}

}  // namespace

void evaluate_rail(const EvaluationInputs& inputs, Evaluation& out) {
  Evaluation safety = inputs.by("en14363");
  add(safety, out);
  out.curves = std::move(safety.curves), out.sections = std::move(safety.sections);
  if (has_power(inputs)) {
    const Evaluation wear = inputs.by("wear");
    add(wear, out), add_curves(wear, out);
  } else {
    out.notes.push_back("no wheel has a channel `power`: there is no wear number");
  }
  if (!inputs.channel("lateral_acceleration") && !inputs.channel("vertical_acceleration")) {
    out.notes.push_back("no acceleration of the car body is named: there is neither Wz nor comfort");
    return;
  }
  add(inputs.by("sperling"), out), add(inputs.by("en12299"), out);
}

}  // namespace skyhook::analysis
