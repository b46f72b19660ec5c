#include "skyhook/simulation/event_density.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::simulation {

Chattering::Chattering(double span, const Options& options)
    : options_(options), window_(std::min(options.window * span, options.longest)) {}

bool Chattering::add(std::string_view name, double t) {
  auto found = rings_.find(name);
  if (found == rings_.end()) found = rings_.emplace(std::string(name), Ring{}).first;
  Ring& ring = found->second;
  ring.times.resize(static_cast<std::size_t>(options_.most), -std::numeric_limits<double>::infinity());
  const double oldest = ring.times[ring.next];
  ring.times[ring.next] = t;
  ring.next = (ring.next + 1) % ring.times.size();
  if (t - oldest > window_) return false;
  const std::string* other = partner(name, oldest);
  name_ = name, partner_ = other ? *other : "", from_ = oldest, to_ = t;
  return true;
}

// The event that has occurred most among the others since then.
const std::string* Chattering::partner(std::string_view name, double since) const {
  const std::string* best = nullptr;
  long most = 0;
  for (const auto& [other, ring] : rings_) {
    const long count = std::ranges::count_if(ring.times, [&](double t) { return t >= since; });
    if (other != name && count > most) best = &other, most = count;
  }
  return best;
}

std::string Chattering::text(const std::string& what_to_do) const {
  return fmt::format(
      "The event \"{}\" chatters: it has occurred {} times between t = {:.9g} s and t = {:.9g} s{}. {}", name_,
      options_.most + 1, from_, to_, partner_.empty() ? "" : fmt::format(", in turn with \"{}\"", partner_),
      !what_to_do.empty()
          ? what_to_do
          : "Each time the motion leads straight back to it. Give the switching a width (hysteresis), use the smooth "
            "law of the element, or, if an "
            "action of an event causes it, let that action move the state away from where the formula is zero.");
}

void Accumulation::add(double t) {
  if (count_ == kept) std::ranges::rotate(times_, times_.begin() + 1);
  times_[static_cast<std::size_t>(std::min(count_, kept - 1))] = t;
  count_ = std::min(count_ + 1, kept);
}

// Geometric: each of the last gaps is shorter than the one before, and in about the same ratio. Locating events leaves errors
// in the gaps, so that the ratios of late ones agree only roughly.
std::optional<double> Accumulation::limit() const {
  constexpr double agreement = 0.1, largest_ratio = 0.995;
  if (count_ < kept) return {};
  std::array<double, kept - 1> gap;
  for (std::size_t k = 0; k < gap.size(); ++k) gap[k] = times_[k + 1] - times_[k];
  double least = 1e300, most = 0;
  for (std::size_t k = 1; k < gap.size(); ++k) {
    if (!(gap[k - 1] > 0)) return {};
    least = std::min(least, gap[k] / gap[k - 1]), most = std::max(most, gap[k] / gap[k - 1]);
  }
  if (!(least > 0 && most <= largest_ratio && most - least <= agreement * most)) return {};
  const double ratio = gap.back() / gap[gap.size() - 2];
  return times_.back() + gap.back() * ratio / (1 - ratio);
}

bool Accumulation::accumulates(double resolution) const {
  const auto end = limit();
  return end && *end - times_.back() <= resolution;
}

EventGuard::EventGuard(double span) : any_(span), impacts_(span, {.most = 4000}), resolution_(1e-4 * span) {}

std::string EventGuard::add(const Happened& h, double t) {
  Chattering& watch = h.kind == "contact" && h.name == "impact" ? impacts_ : any_;
  if (watch.add(h.element + ": " + h.name, t)) return watch.text(h.chattering);
  if (h.kind != "user") return {};
  Accumulation& times = rules_[h.name];
  times.add(t);
  if (!times.accumulates(resolution_)) return {};
  return fmt::format(
      "The event \"{}\" happens faster and faster, without end before t = {:.9g} s: there is no motion beyond. For a "
      "body that "
      "bounces use a rigid_contact, which comes to rest; or let the event stop the run.",
      h.name, *times.limit());
}

}  // namespace skyhook::simulation
