#include "skyhook/analysis/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace skyhook::analysis {
namespace {

using simulation::MemorySink;

constexpr double never = std::numeric_limits<double>::infinity();

// Times of each event of the model, by who and what.
using EventTimes = std::map<std::string, std::vector<double>>;

EventTimes times_of(const MemorySink& run) {
  EventTimes times;
  for (const simulation::EventRecord& e : run.events) {
    if (!e.is_of_the_model()) continue;
    times[e.kind == "user" ? fmt::format("event \"{}\"", e.name) : fmt::format("\"{}\" of {}", e.name, e.element)]
        .push_back(e.t);
  }
  return times;
}

struct Shift {
  std::string event;
  double a, b;  // times in the run and in the finer one
  double size() const { return std::abs(a - b); }
  bool has_between(double t) const { return a != b && t >= std::min(a, b) && t <= std::max(a, b); }
};

// The first event that has no partner in the other run, and whose it is.
struct Parting {
  double t = never;
  std::string text;
  void at(double time, const std::string& event, bool in_finer) {
    if (time >= t) return;
    t = time;
    text =
        fmt::format("{} happens at {:.9g} s {}", event, time,
                    in_finer ? "in the run at the finer tolerance only" : "but not in the run at the finer tolerance");
  }
};

double gap_beside(const std::vector<double>& times, std::size_t k) {
  const double before = k > 0 ? times[k] - times[k - 1] : never;
  return std::min(before, k + 1 < times.size() ? times[k + 1] - times[k] : never);
}

// Are the k-th events of both lists one and the same? Nearer to each other than to others of their own run.
bool belong_together(const std::vector<double>& a, const std::vector<double>& b, std::size_t k) {
  return std::abs(a[k] - b[k]) <= 0.5 * std::min(gap_beside(a, k), gap_beside(b, k));
}

void match(const std::string& event, const std::vector<double>& a, const std::vector<double>& b,
           std::vector<Shift>& shifts, Parting& parting) {
  std::size_t k = 0;
  for (; k < a.size() && k < b.size() && belong_together(a, b, k); ++k) shifts.push_back({event, a[k], b[k]});
  const double first_a = k < a.size() ? a[k] : never, first_b = k < b.size() ? b[k] : never;
  if (k < a.size() || k < b.size()) parting.at(std::min(first_a, first_b), event, first_b < first_a);
}

bool is_error(const std::string& channel) {
  return channel == "energy.balance" || channel.rfind("constraints.", 0) == 0;
}

// The sample of `run` at this time, but for rounding.
std::optional<std::size_t> sample_at(const MemorySink& run, double t) {
  const double slack = 1e-12 * std::max(1.0, std::abs(t));
  const auto at = std::lower_bound(run.time.begin(), run.time.end(), t - slack);
  if (at == run.time.end() || *at > t + slack) return std::nullopt;
  return static_cast<std::size_t>(at - run.time.begin());
}

void tell_shift(const std::vector<Shift>& shifts, std::vector<std::string>& notes) {
  const auto largest = std::ranges::max_element(shifts, {}, &Shift::size);
  if (largest == shifts.end() || largest->size() == 0) return;
  notes.push_back(
      fmt::format("Events happen at other times, most {}: at {:.9g} s, with the finer tolerance at {:.9g} s. Samples "
                  "between two such "
                  "times are not compared.",
                  largest->event, largest->a, largest->b));
}

}  // namespace

Verification verify(const MemorySink& run, const MemorySink& finer) {
  Verification out;
  std::vector<Shift> shifts;
  Parting parting;
  const EventTimes a = times_of(run), b = times_of(finer);
  const auto of = [](const EventTimes& times, const std::string& event) {
    const auto found = times.find(event);
    return found == times.end() ? std::vector<double>{} : found->second;
  };
  for (const auto& [event, times] : a) match(event, times, of(b, event), shifts, parting);
  for (const auto& [event, times] : b) {
    if (!a.contains(event)) match(event, {}, times, shifts, parting);
  }
  const double end_a = run.summary.t_reached, end_b = finer.summary.t_reached;
  out.until = std::min({end_a, end_b, parting.t});
  tell_shift(shifts, out.notes);
  if (parting.t < never)
    out.notes.push_back(parting.text + ". From there on the runs are two motions: no error is estimated.");
  if (std::abs(end_a - end_b) > 1e-9 * std::max(1.0, std::abs(end_b)))
    out.notes.push_back(
        fmt::format("The run ends at {:.9g} s, that at the finer tolerance at {:.9g} s.", end_a, end_b));
  for (const simulation::ChannelInfo& c : run.info.channels) out.errors.push_back({c.name, c.unit});
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const double t = run.time[k];
    const auto other = sample_at(finer, t);
    if (!other || t > out.until || std::ranges::any_of(shifts, [t](const Shift& s) { return s.has_between(t); }))
      continue;
    ++out.compared;
    for (std::size_t c = 0; c < out.errors.size(); ++c) {
      const double x = run.channels[k][c], y = finer.channels[*other][c];
      const double off = std::abs(x - y);
      if (!(off <= out.errors[c].largest)) out.errors[c].largest = off;  // what is no number stays
      out.errors[c].size = std::max(out.errors[c].size, std::abs(y));
    }
  }
  std::erase_if(out.errors, [&](const Verification::Error& e) { return out.compared == 0 || is_error(e.channel); });
  return out;
}

}  // namespace skyhook::analysis
