#include "skyhook/io/result/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "skyhook/base/error.h"

namespace skyhook::io {
namespace {

constexpr double smallest_scale = 1e-6;  // of the largest value in that unit, and in the unit itself
constexpr double infinity = std::numeric_limits<double>::infinity();

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isnan(d) ? infinity : d;
}

bool nearly_equal(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Which side of an event each sample of a is on, taken from its neighbours with the same time.
Side side_of(const std::vector<double>& time, std::size_t i) {
  return i + 1 < time.size() && time[i + 1] == time[i] ? Side::before : Side::after;
}

// Where a channel of b is read, for one sample of a.
struct Instant {
  double t;
  Side side;
};

std::vector<double> event_times(const std::vector<double>& time) {
  std::vector<double> out;
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (time[i] == time[i - 1] && (out.empty() || out.back() != time[i])) out.push_back(time[i]);
  }
  return out;
}

double nearest(const std::vector<double>& times, double t) {  // times rise, and there is one
  const auto next = std::ranges::lower_bound(times, t);
  if (next == times.end()) return times.back();
  return next != times.begin() && t - *(next - 1) < *next - t ? *(next - 1) : *next;
}

// One event, at two times: each is the nearest to the other.
struct Shift {
  double in_a, in_b;
};
std::vector<Shift> common_events(const ResultFile& a, const ResultFile& b, const Difference& how) {
  constexpr double largest = 1e-3;  // of the range compared: what is farther apart is another event
  const std::vector<double> of_a = event_times(a.time()), of_b = event_times(b.time());
  std::vector<Shift> out;
  if (of_b.empty()) return out;
  for (const double t : of_a) {
    const double other = nearest(of_b, t);
    if (std::abs(other - t) <= largest * (how.to - how.from) && nearest(of_a, other) == t) out.push_back({t, other});
  }
  return out;
}

// Two runs have one event at two times. In between one of them is before it and the other behind: there b is read at its own event, on
// the side on which a is.
std::vector<Instant> places_in_b(const ResultFile& a, const ResultFile& b, const Difference& how) {
  const std::vector<Shift> events = common_events(a, b, how);
  const std::vector<double>& time = a.time();
  std::vector<Instant> out;
  auto event = events.begin();
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double t = time[i];
    while (event != events.end() && std::max(event->in_a, event->in_b) < t) ++event;
    const Side own = side_of(time, i);
    if (event == events.end() || t < std::min(event->in_a, event->in_b))
      out.push_back({t, own});
    else
      out.push_back({event->in_b, t < event->in_a ? Side::before : t > event->in_a ? Side::after : own});
  }
  return out;
}

// What a channel's size is judged by: the element it belongs to, and the unit. The components of a vector share both.
using Family = std::pair<std::string, std::string>;

Family family_of(const std::string& name, const std::string& unit) { return {name.substr(0, name.rfind('.')), unit}; }

double largest_value(const std::vector<double>& values) {
  double largest = 0;
  for (const double x : values) {
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  }
  return largest;
}

// What the channels of each family are judged by.
std::map<Family, double> scales(const ResultFile& file) {
  std::map<Family, double> scale;
  std::map<std::string, double> of_unit;
  for (std::size_t k = 0; k < file.channels().size(); ++k) {
    const simulation::ChannelInfo& channel = file.channels()[k];
    const double largest = largest_value(file.channel_values(k));
    double &in_family = scale[family_of(channel.name, channel.unit)], &in_unit = of_unit[channel.unit];
    in_family = std::max(in_family, largest), in_unit = std::max(in_unit, largest);
  }
  for (auto& [family, size] : scale) size = std::max({size, smallest_scale * of_unit[family.second], smallest_scale});
  return scale;
}

ChannelDifference compare(const Series& a, const Series& b, double scale, const Difference& how,
                          const std::vector<Instant>& places) {
  ChannelDifference result{.name = a.name, .unit = a.unit, .scale = scale, .at = how.from};
  for (std::size_t i = 0; i < a.time.size(); ++i) {
    const double t = a.time[i];
    if (t < how.from || t > how.to) continue;
    const double other = how.same_times ? b.values[i] : b.at(places[i].t, places[i].side);
    if (const double d = distance(a.values[i], other); d > result.largest) result.largest = d, result.at = t;
  }
  if (a.unit != b.unit) {
    result.unit += " against " + b.unit;
    result.largest = infinity;
  }
  result.scaled = result.largest / scale;
  return result;
}

// The channels of `file` that are meant, whether or not the other has them. Two good runs do not agree in their errors.
std::vector<std::string> chosen(const ResultFile& file, const std::vector<std::string>& patterns) {
  std::vector<std::string> names;
  for (const simulation::ChannelInfo& channel : file.channels()) {
    const bool listed = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) {
      return p == channel.name || matches(p, channel.name);
    });
    if (listed || (patterns.empty() && !channel.is_error)) names.push_back(channel.name);
  }
  return names;
}

void find_common_range(const ResultFile& a, const ResultFile& b, Difference& difference) {
  for (const ResultFile* file : {&a, &b}) {
    if (file->time().empty())
      throw ModelError({file->path().string()}, "has no samples, so there is nothing to compare.");
  }
  difference.from = std::max(a.time().front(), b.time().front());
  difference.to = std::min(a.time().back(), b.time().back());
  if (difference.from > difference.to) {
    throw ModelError({b.path().string()},
                     fmt::format("has no time in common with {}: {} to {} s against {} to {} s.", a.path().string(),
                                 b.time().front(), b.time().back(), a.time().front(), a.time().back()),
                     "Compare runs over the same time.");
  }
  difference.same_times = a.time() == b.time();
  difference.same_begin = nearly_equal(a.time().front(), b.time().front());
  difference.same_end = nearly_equal(a.time().back(), b.time().back());
}

}  // namespace

bool Difference::within(double tolerance, bool common) const {
  return (same_end || common) && only_in_a.empty() && only_in_b.empty() &&
         std::all_of(channels.begin(), channels.end(),
                     [=](const ChannelDifference& c) { return c.scaled <= tolerance; });
}

Difference compare(const ResultFile& a, const ResultFile& b, const std::vector<std::string>& patterns) {
  Difference difference;
  find_common_range(a, b, difference);
  const std::vector<std::string> in_a = chosen(a, patterns), in_b = chosen(b, patterns);
  if (in_a.empty() && in_b.empty() && !patterns.empty()) a.select(patterns);  // says what there is
  if (in_a.empty() && in_b.empty()) {
    throw ModelError({a.path().string()}, "has no channels to compare, nor has " + b.path().string() + ".",
                     "The errors energy.balance and constraints.* are compared only if you list them.");
  }
  const std::map<Family, double> scale = scales(a);
  const std::vector<Instant> places = difference.same_times ? std::vector<Instant>{} : places_in_b(a, b, difference);
  for (const std::string& name : in_b) {
    if (!contains(in_a, name)) difference.only_in_b.push_back(name);
  }
  for (const std::string& name : in_a) {
    if (contains(in_b, name)) {
      const Series of_a = a.series(name);
      const double size = scale.at(family_of(name, of_a.unit));
      difference.channels.push_back(compare(of_a, b.series(name), size, difference, places));
    } else {
      difference.only_in_a.push_back(name);
    }
  }
  std::stable_sort(difference.channels.begin(), difference.channels.end(),
                   [](const ChannelDifference& x, const ChannelDifference& y) { return x.scaled > y.scaled; });
  return difference;
}

}  // namespace skyhook::io
