// Wear number of wheels on rails: what creep dissipates a metre, T gamma = |T_x nu_x + T_y nu_y + M phi|, [British Rail, as commonly quoted].
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/rail_wheels.h"
#include "skyhook/analysis/signal_over.h"

namespace skyhook::analysis {
namespace {

// Pearce and Sherratt (1991): up to 100 N mild wear, from 200 N on severe, at this steel.
const char* regime_of(double number) {
  return number < 100 ? "mild" : number < 200 ? "between mild and severe" : "severe";
}

}  // namespace

void evaluate_wear(const EvaluationInputs& inputs, Evaluation& out) {
  const SignalSource& signals = inputs.run(0).signals;
  const Signal distance = rail_distance(inputs);
  double most = 0;
  for (const std::string& name : signals.names) {
    if (!name.ends_with(".power") || !signals.find(name.substr(0, name.size() - 6) + ".Q")) continue;
    const std::string wheel = name.substr(0, name.size() - 6);
    Signal work = integral(*signals.find(name));  // over time, J
    work.name = wheel;
    const auto over_distance = over(inputs.within(work), inputs.within(distance));
    if (!over_distance)
      inputs.fail("the distance does not rise throughout.",
                  "Give --from and --to so that the vehicle goes forward between them.");
    Signal number = derivative(*over_distance);  // J/m
    number.name = "wear." + wheel, number.unit = "N", number.rate.clear();
    const double mean_number = (over_distance->y.back() - over_distance->y.front()) / over_distance->span();
    out.numbers.push_back({wheel + ".mean", "N", mean_number, "mean wear number: energy dissipated a metre"});
    out.numbers.push_back({wheel + ".p95", "N", percentile(number, 95), "below it on 95 % of the way"});
    most = std::max(most, mean_number);
    out.curves.push_back(std::move(number));
  }
  if (out.curves.empty())
    inputs.fail("the record has no power of wheels on rails: no channels NAME.power with NAME.Q.",
                "Record those of the wheel_rail elements, with outputs: [\"*.power\", \"*.Q\"].");
  out.notes.push_back(fmt::format("largest mean wear number: {:.4g} N, {} wear", most, regime_of(most)));
}

}  // namespace skyhook::analysis
