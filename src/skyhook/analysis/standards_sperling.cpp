// Ride index Wz after Sperling: the filters are those of the German and Swedish railways as [Garg 1984] quotes them.
#include <fmt/format.h>

#include <cmath>

#include "skyhook/analysis/filters.h"
#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {
namespace {

const char* word_of(double Wz, bool of_person) {
  if (of_person)
    return Wz < 1      ? "just noticeable"
           : Wz < 2    ? "clearly noticeable"
           : Wz < 2.5  ? "more pronounced but not unpleasant"
           : Wz < 3    ? "strong, irregular, but still tolerable"
           : Wz < 3.25 ? "very irregular"
           : Wz < 3.5  ? "extremely irregular, unpleasant"
                       : "harmful for long";
  return Wz < 1   ? "very good"
         : Wz < 2 ? "good to very good"
         : Wz < 3 ? "satisfactory to good"
         : Wz < 4 ? "acceptable for running"
                  : "not acceptable for running";
}

void evaluate_direction(const char* role, const std::string& name, SperlingIndex index, const EvaluationInputs& inputs,
                        Evaluation& out) {
  const auto a = inputs.channel(role);
  if (!a) return;
  Signal weighted = inputs.within(filtered(sperling(index), *a));
  weighted.name = name + ".weighted";
  const double effective = rms(weighted), Wz = ride_index(effective);
  out.numbers.push_back({name + ".Wz", "-", Wz, "ride index"});
  out.numbers.push_back({name + ".rms", "m/s^2", effective, "rms of the weighted acceleration"});
  out.notes.push_back(fmt::format("{}: {}", name, word_of(Wz, index != SperlingIndex::ride)));
  out.curves.push_back(std::move(weighted));
}

}  // namespace

double ride_index(double weighted_rms) { return std::pow(100 * std::sqrt(2.0) * weighted_rms, 0.3); }

void evaluate_sperling(const EvaluationInputs& inputs, Evaluation& out) {
  const std::string use = inputs.text("use");
  if (use != "comfort" && use != "ride")
    inputs.fail("use is \"" + use + "\".", "Give comfort, of passengers, or ride, of the vehicle.");
  const bool comfort = use == "comfort";
  evaluate_direction("lateral_acceleration", "lateral", comfort ? SperlingIndex::horizontal : SperlingIndex::ride,
                     inputs, out);
  evaluate_direction("vertical_acceleration", "vertical", comfort ? SperlingIndex::vertical : SperlingIndex::ride,
                     inputs, out);
  if (out.numbers.empty()) (void)inputs.required("lateral_acceleration");  // says what is missing
}

}  // namespace skyhook::analysis
