#include "skyhook/io/report/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "skyhook/base/error.h"
#include "skyhook/io/report/json_check.h"
#include "skyhook/io/report/turning.h"

namespace skyhook::io::report {
namespace {

constexpr std::size_t most_steps = 5000, most_events = 2000, most_drift = 2000;

void check_times(const ResultFile& result) {
  const std::vector<double>& time = result.time();
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (std::isfinite(time[i]) && (i == 0 || time[i] >= time[i - 1])) continue;
    throw ModelError({result.path().string()},
                     fmt::format("the time of sample {} is {} s, after {} s: times must be finite and not decrease.", i,
                                 time[i], i == 0 ? 0.0 : time[i - 1]),
                     "The result is damaged or was not written by Skyhook: run the model again.");
  }
}

// JSON of the result for the page; "null" where there is none, or it is damaged.
std::string sound(const std::string& json, const std::string& name, const char* what, RunData& run) {
  if (json.empty()) return "null";
  if (is_json_object(json)) return json;
  run.notes.push_back("The dataset model/" + name + " of the result is damaged, so " + what + " is not shown.");
  return "null";
}

float finite(double x) {
  const auto value = static_cast<float>(x);
  return std::isfinite(value) ? value : std::numeric_limits<float>::quiet_NaN();
}

template <class T>
std::vector<T> pick(const std::vector<T>& values, const Rows& rows) {
  std::vector<T> picked;
  picked.reserve(rows.size());
  for (const auto row : rows) picked.push_back(values[row]);
  return picked;
}

// The channel's values are all held for a moment, those of no other.
ChannelData gather_channel(const RunData& run, std::size_t number, std::size_t most) {
  const ResultFile& result = *run.result;
  const std::vector<double> values = result.channel_values(number);
  std::vector<float> single(values.size());
  std::transform(values.begin(), values.end(), single.begin(), finite);
  ChannelData channel{result.channels()[number], statistics_of(result.time(), values), {}, {}};
  channel.rows = keep_extremes(single, run.sides, most);
  channel.values = pick(single, channel.rows);
  return channel;
}

// Numbers [first, first + 3) of each group of `group` numbers of a row, for each chosen row, series by series.
struct Picked {
  Wide series;
  std::size_t group, first, count;
};

std::vector<float> gather_frames(const ResultFile& result, const Rows& rows, std::size_t items, const Picked& what) {
  std::vector<float> out(items * what.count * rows.size());
  std::size_t frame = 0;
  result.for_each_row(what.series, rows, [&](std::size_t, CSpan values) {
    for (std::size_t item = 0; item < items; ++item) {
      for (std::size_t c = 0; c < what.count; ++c)
        out[(item * what.count + c) * rows.size() + frame] = finite(values[item * what.group + what.first + c]);
    }
    ++frame;
  });
  return out;
}

// q and -q are the same rotation; the page interpolates, so neighbours must be on the same side.
void make_continuous(std::vector<float>& quaternions, std::size_t frames) {
  for (std::size_t begin = 0; begin < quaternions.size(); begin += 4 * frames) {
    std::array<float, 4> last{};
    for (std::size_t f = 0; f < frames; ++f) {
      const auto at = [&](std::size_t c) -> float& { return quaternions[begin + c * frames + f]; };
      const float dot = at(0) * last[0] + at(1) * last[1] + at(2) * last[2] + at(3) * last[3];
      for (std::size_t c = 0; c < 4 && dot < 0; ++c) at(c) = -at(c);
      if (!std::isnan(dot)) last = {at(0), at(1), at(2), at(3)};
    }
  }
}

// Values of the states that the scene draws by, as far as the result has them.
void gather_states(const RunData& run, FrameData& frames) {
  const ResultFile& result = *run.result;
  std::set<std::string> known;
  for (const auto& state : result.states()) known.insert(state.name);
  for (const std::string& name : states_of_scene(run.scene)) {
    if (!known.contains(name)) continue;
    frames.state_names.push_back(name);
    const std::vector<double> values = result.series(name).values;
    for (const auto row : frames.rows) frames.states.push_back(finite(values[row]));
  }
}

FrameData gather_frames(const RunData& run, const Detail& detail) {
  const ResultFile& result = *run.result;
  const simulation::RunInfo& info = result.info();
  FrameData frames;
  frames.rows = keep_turning(result.time(), run.sides, run.turned, detail.frames, detail.turning_frames);
  const auto gather = [&](std::size_t items, const Picked& what) {
    return gather_frames(result, frames.rows, items, what);
  };
  frames.positions = gather(info.bodies.size(), {Wide::poses, 7, 0, 3});
  frames.quaternions = gather(info.bodies.size(), {Wide::poses, 7, 3, 4});
  frames.reactions = gather(info.joints.size(), {Wide::reactions, 6, 0, 3});
  frames.forces = gather(info.forces.size(), {Wide::forces, 6, 0, 3});
  frames.moments = gather(info.forces.size(), {Wide::forces, 6, 3, 3});
  make_continuous(frames.quaternions, frames.rows.size());
  gather_states(run, frames);
  return frames;
}

// Rows where one or the other is largest, of each of equally many samples.
Rows drift_rows(const DriftData& drift, std::size_t most) {
  const auto largest = [&](const std::vector<float>& values) {
    std::vector<double> negative(values.size());
    std::transform(values.begin(), values.end(), negative.begin(), [](float x) { return std::isnan(x) ? 0.0 : -x; });
    return keep_smallest(negative, most / 2);
  };
  if (drift.rows.size() <= most) return keep_smallest(std::vector<double>(drift.rows.size()), most);
  const Rows a = largest(drift.position), b = largest(drift.velocity);
  Rows rows;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rows));
  return rows;
}

void reduce(DriftData& drift, std::size_t most) {
  const Rows rows = drift_rows(drift, most);
  drift = {pick(drift.rows, rows), pick(drift.position, rows), pick(drift.velocity, rows)};
}

DriftData gather_drift(const ResultFile& result, std::size_t most) {
  DriftData drift;
  if (result.info().constraints.empty()) return drift;
  drift.rows.resize(result.samples());
  std::iota(drift.rows.begin(), drift.rows.end(), 0u);
  drift.position.reserve(result.samples()), drift.velocity.reserve(result.samples());
  result.for_each_row(Wide::residuals, drift.rows, [&](std::size_t, CSpan values) {
    double position = std::numeric_limits<double>::quiet_NaN(), velocity = position;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
      position = std::fmax(position, std::abs(values[i]));  // fmax takes the number where the other is NaN
      velocity = std::fmax(velocity, std::abs(values[i + 1]));
    }
    drift.position.push_back(finite(position)), drift.velocity.push_back(finite(velocity));
  });
  reduce(drift, most);
  return drift;
}

std::vector<simulation::StepRecord> gather_steps(const ResultFile& result) {
  const std::vector<simulation::StepRecord> steps = result.steps();
  std::vector<double> h;
  for (const auto& step : steps) h.push_back(step.h);
  return pick(steps, keep_smallest(h, most_steps));
}

// The first and the last; the page could not show a hundred thousand.
std::vector<simulation::EventRecord> gather_events(const ResultFile& result) {
  std::vector<simulation::EventRecord> events = result.events();
  if (events.size() <= most_events) return events;
  const auto begin = events.begin() + most_events / 2, end = events.end() - most_events / 2;
  const simulation::EventRecord note{begin->t, "...", fmt::format("{} events are left out here", end - begin)};
  events.insert(events.erase(begin, end), note);
  return events;
}

void reduce(ChannelData& channel, const std::vector<int>& sides, std::size_t most) {
  const std::vector<int> own_sides = pick(sides, channel.rows);
  const Rows rows = keep_extremes(channel.values, own_sides, most);
  channel.rows = pick(channel.rows, rows);
  channel.values = pick(channel.values, rows);
}

void keep_frames(std::vector<float>& series, std::size_t frames, const Rows& kept) {
  const std::size_t count = frames == 0 ? 0 : series.size() / frames;
  std::vector<float> out;
  out.reserve(count * kept.size());
  for (std::size_t s = 0; s < count; ++s) {
    for (const auto f : kept) out.push_back(series[s * frames + f]);
  }
  series = std::move(out);
}

// The text of a JSON string that begins at `at` behind its quotation mark, which moves behind its end. Names of states have no escapes other than of
// quotation marks and backslashes.
std::string string_at(std::string_view text, std::size_t& at) {
  std::string out;
  for (; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out += text[at];
  }
  ++at;
  return out;
}

}  // namespace

// In a string of the scene a quotation mark has a backslash before it, so the key below can only be one.
std::vector<std::string> states_of_scene(std::string_view scene) {
  constexpr std::string_view key = "\"states\":[";
  std::vector<std::string> names;
  std::set<std::string> known;
  for (std::size_t at = scene.find(key); at != std::string_view::npos; at = scene.find(key, at)) {
    at += key.size();
    while (at < scene.size() && scene[at] == '"') {
      std::string name = string_at(scene, ++at);
      if (known.insert(name).second) names.push_back(std::move(name));
      if (at < scene.size() && scene[at] == ',') ++at;
    }
  }
  return names;
}

RunData gather(const ResultFile& result, const Detail& detail) {
  check_times(result);
  RunData run{.result = &result, .turned = turned(result), .sides = result.sides()};
  run.scene = sound(result.info().scene, "scene", "the scene", run);
  run.found = sound(result.info().found, "found", "what the analysis has found", run);
  for (std::size_t c = 0; c < result.channels().size(); ++c)
    run.channels.push_back(gather_channel(run, c, detail.samples));
  run.frames = gather_frames(run, detail);
  run.drift = gather_drift(result, std::min(detail.samples, most_drift));
  run.steps = gather_steps(result);
  run.events = gather_events(result);
  return run;
}

void reduce(RunData& run, const Detail& detail) {
  for (ChannelData& channel : run.channels) reduce(channel, run.sides, detail.samples);
  reduce(run.drift, std::min(detail.samples, most_drift));
  FrameData& frames = run.frames;
  const std::size_t before = frames.rows.size();
  const Rows kept = keep_evenly(pick(run.result->time(), frames.rows), pick(run.sides, frames.rows), detail.frames);
  for (auto* series :
       {&frames.positions, &frames.quaternions, &frames.reactions, &frames.forces, &frames.moments, &frames.states})
    keep_frames(*series, before, kept);
  frames.rows = pick(frames.rows, kept);
}

std::vector<std::string> notes_of(const RunData& run) {
  std::vector<std::string> notes = run.notes;
  const double turn = largest_turn(run.turned, run.frames.rows);
  if (turn <= most_turn) return notes;
  const bool has_all = run.frames.rows.size() == run.result->samples();
  notes.push_back(fmt::format(
      "Bodies turn by up to {:.2g} rad between two frames of the animation, so fast rotations may look slower or "
      "backwards. {}",
      turn, has_all ? "Record more samples with a smaller output_step." : "A larger --max-size holds more frames."));
  return notes;
}

}  // namespace skyhook::io::report
