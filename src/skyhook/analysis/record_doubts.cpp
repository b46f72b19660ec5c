#include "skyhook/analysis/record_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/analysis/signal_over.h"

namespace skyhook::analysis {
namespace {

constexpr double turned_far =
    5 * std::numbers::pi /
    180;  // then a hundredth of the one acceleration, and a tenth of the other, is in the wrong place

// "car.front." of car.front.ay, "" of ay; none of others.
std::optional<std::string> owner_of_global(const std::string& channel) {
  for (const std::string word : {"ax", "ay"}) {
    if (channel == word) return "";
    if (channel.ends_with("." + word) && !looks_like_formula(channel))
      return channel.substr(0, channel.size() - word.size());
  }
  return {};
}

// Of the track under the first wheel that knows its curvature, over its way.
std::optional<Signal> heading_of_track(const SignalSource& signals) {
  for (const std::string& name : signals.names) {
    if (!name.ends_with(".curvature")) continue;
    const auto curvature = signals.find(name), along = signals.find(name.substr(0, name.rfind('.')) + ".along");
    if (!curvature || !along || curvature->size() != along->size()) continue;
    Signal heading = along->like("heading", "rad");
    double sum = 0;
    for (std::size_t k = 0; k < along->size(); ++k) {
      if (k > 0) sum += (curvature->y[k] + curvature->y[k - 1]) / 2 * (along->y[k] - along->y[k - 1]);
      heading.y.push_back(sum);
    }
    return heading;
  }
  return {};
}

double turned(const std::string& owner, const SignalSource& signals) {
  auto heading = signals.find(owner + "yaw");
  if (!heading) heading = heading_of_track(signals);
  return heading && !heading->is_number() ? largest(*heading) - smallest(*heading) : 0.0;
}

}  // namespace

std::vector<EvaluatedRun> watched(const std::vector<EvaluatedRun>& runs, Unresolved& unresolved) {
  std::vector<EvaluatedRun> out = runs;
  for (EvaluatedRun& run : out) {
    run.signals.find = [find = run.signals.find, prefix = runs.size() > 1 ? run.name + ": " : "",
                        &unresolved](const std::string& name) {
      auto signal = find(name);
      if (signal && signal->unresolved > 0) unresolved[prefix + name] = signal->unresolved;
      return signal;
    };
  }
  return out;
}

std::vector<std::string> notes_of(const Unresolved& unresolved) {
  if (unresolved.empty()) return {};
  std::size_t all = 0;
  for (const auto& [name, count] : unresolved) all += count;
  const auto most = std::ranges::max_element(unresolved, {}, [](const auto& each) { return each.second; });
  return {
      fmt::format("{} samples of {} (most of {}: {}) have a rate that the samples beside them do not bear out: the "
                  "curve between these is a line. A smaller output_step shows what passes there.",
                  all, unresolved.size() == 1 ? "a channel" : fmt::format("{} channels", unresolved.size()),
                  most->first, most->second)};
}

std::vector<std::string> notes_of_turning(const Evaluation& evaluation, const EvaluatedRun& run) {
  std::vector<std::string> out;
  for (const auto& [role, channel] : evaluation.channels) {
    if (role != "lateral_acceleration" && role != "longitudinal_acceleration") continue;
    const auto owner = owner_of_global(channel);
    const double angle = owner ? turned(*owner, run.signals) : 0.0;
    if (!(angle > turned_far)) continue;
    const bool is_lateral = role == "lateral_acceleration";
    out.push_back(
        fmt::format("{} is in global axes, but the vehicle turns by {:.3g} deg: as {} take \"{}\", with the body's yaw",
                    channel, angle * 180 / std::numbers::pi, role,
                    is_lateral ? *owner + "ay*cos(yaw) - " + *owner + "ax*sin(yaw)"
                               : *owner + "ax*cos(yaw) + " + *owner + "ay*sin(yaw)"));
  }
  return out;
}

}  // namespace skyhook::analysis
