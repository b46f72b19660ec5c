#include "skyhook/io/result/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "skyhook/io/result/layout.h"
#include "skyhook/io/result/opened_result.h"
#include "skyhook/math/unresolved_rates.h"

namespace skyhook::io {

namespace fs = std::filesystem;
using hdf5::Failure;
using hdf5::Id;
using simulation::ChannelInfo;
using simulation::EventRecord;
using simulation::RunInfo;
using simulation::RunSummary;
using simulation::StepRecord;

namespace {

std::vector<char> read_bytes(hid_t file, const std::string& name) {
  return read_all<char>(file, name, H5T_NATIVE_UINT8);  // as stored: to signed char HDF5 would clip
}

std::vector<std::string> split_at_zeros(const std::vector<char>& text) {
  std::vector<std::string> parts;
  for (auto begin = text.begin(); begin != text.end();) {
    const auto end = std::find(begin, text.end(), '\0');
    parts.emplace_back(begin, end);
    begin = end == text.end() ? end : end + 1;
  }
  return parts;
}

std::vector<std::string> names_of(const std::vector<ChannelInfo>& list) {
  std::vector<std::string> names;
  for (const ChannelInfo& channel : list) names.push_back(channel.name);
  return names;
}

std::optional<std::size_t> find(const std::vector<ChannelInfo>& list, const std::string& name) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const ChannelInfo& c) { return c.name == name; });
  if (at == list.end()) return std::nullopt;
  return static_cast<std::size_t>(at - list.begin());
}

// Where the numbers of a channel or state stand.
struct Place {
  const char* values;
  const char* rates;
  hsize_t column;
  std::string unit;
};

const char* dataset_of(Wide series) {
  switch (series) {
    case Wide::poses: return "poses";
    case Wide::reactions: return "reactions";
    case Wide::forces: return "forces";
    case Wide::residuals: return "residuals";
  }
  return "";
}

Place find_place(const OpenedResult& file, const std::string& name) {
  if (const auto i = find(file.info.channels, name))
    return {"channels", "channel_rates", *i, file.info.channels[*i].unit};
  if (const auto i = find(file.info.states, name)) return {"states", "state_rates", *i, file.info.states[*i].unit};
  refuse(file.path, "there is no channel \"" + name + "\".", suggest(name, names_of(file.info.channels), "Channels"));
}

std::vector<double> read_column(const OpenedResult& file, const char* dataset, hsize_t column, hsize_t first,
                                hsize_t count) {
  std::vector<double> values(count);
  hdf5::read_part(open_dataset(file.id, dataset), H5T_NATIVE_DOUBLE, {first, count, column, 1}, values.data());
  return values;
}

Block read_block(const OpenedResult& file, const char* name) {
  return file.reading([&] {
    const Id dataset = open_dataset(file.id, name);
    Block block{.rows = file.time.size(), .width = 1, .values = {}};
    const std::vector<hsize_t> size = hdf5::extent(dataset);
    for (std::size_t i = 1; i < size.size(); ++i) block.width *= size[i];
    block.values.resize(block.rows * block.width);
    if (block.width > 0) hdf5::read_part(dataset, H5T_NATIVE_DOUBLE, {.count = block.rows}, block.values.data());
    return block;
  });
}

// Moves t to the end of the range if only rounding has carried it beyond.
Bracket bracket(const OpenedResult& file, double& t, Side side) {
  if (file.time.empty())
    refuse(file.path, "has no samples yet.", "Wait for the run, or find out why it stopped: `skyhook show --cost`.");
  const double slack = 1e-12 * std::max(std::abs(file.time.front()), std::abs(file.time.back()));
  if (!(t >= file.time.front() - slack && t <= file.time.back() + slack)) {
    const std::string& unit = file.info.abscissa.unit;
    refuse(file.path,
           fmt::format("has no values at {} = {} {}.",
                       file.info.abscissa.name == "time" ? "t" : file.info.abscissa.name, t, unit),
           fmt::format("Its samples reach from {} {} to {} {}.", file.time.front(), unit, file.time.back(), unit));
  }
  t = std::clamp(t, file.time.front(), file.time.back());
  return find_bracket(file.time, t, side);
}

}  // namespace

double Series::at(double t, Side side) const {
  const auto [a, b] = find_bracket(time, t, side);
  return a == b ? values[a] : hermite({time[a], values[a], rates[a]}, {time[b], values[b], rates[b]}, t);
}

ResultFile::ResultFile(std::unique_ptr<OpenedResult> file) : file_(std::move(file)) {}
ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile& ResultFile::operator=(ResultFile&&) noexcept = default;
ResultFile::~ResultFile() = default;

ResultFile ResultFile::open(const fs::path& path) { return ResultFile(std::make_unique<OpenedResult>(path)); }

const fs::path& ResultFile::path() const { return file_->asked; }
const std::string& ResultFile::skyhook_version() const { return file_->version; }
const std::string& ResultFile::created() const { return file_->created; }
const RunInfo& ResultFile::info() const { return file_->info; }
const std::vector<double>& ResultFile::time() const { return file_->time; }

// Closed first: HDF5 keeps what it knows of a file as long as it is open anywhere in the program.
void ResultFile::refresh() {
  const fs::path name = file_->asked;
  file_->id = Id();
  file_ = std::make_unique<OpenedResult>(name);
}

std::vector<int> ResultFile::sides() const {
  return file_->reading([&] {
    std::vector<int> sides(samples());
    hdf5::read_part(open_dataset(file_->id, "side"), H5T_NATIVE_INT, {.count = samples()}, sides.data());
    return sides;
  });
}

Series ResultFile::series(const std::string& name) const {
  if (name == "time" && !find(channels(), name))
    return {info().abscissa.name, info().abscissa.unit, time(), time(), std::vector<double>(samples(), 1.0)};
  const Place place = find_place(*file_, name);
  return file_->reading([&] {
    Series out{name, place.unit, time(), read_column(*file_, place.values, place.column, 0, samples()),
               read_column(*file_, place.rates, place.column, 0, samples())};
    if (info().analysis == "simulate") fill_unknown_rates(out.time, out.values, out.rates);
    out.unresolved = forget_unresolved_rates(out.time, out.values, out.rates);
    return out;
  });
}

std::vector<std::string> ResultFile::select(const std::vector<std::string>& patterns) const {
  std::vector<std::string> chosen;
  const auto add = [&](const std::string& name) {
    if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
  };
  if (patterns.empty()) return names_of(channels());
  for (const std::string& pattern : patterns) {
    if (pattern == "time" || find(channels(), pattern) || find(states(), pattern)) {  // a name may hold a "*"
      add(pattern);
      continue;
    }
    bool any = false;
    for (const ChannelInfo& channel : channels()) {
      if (matches(pattern, channel.name)) add(channel.name), any = true;
    }
    if (!any) find_place(*file_, pattern);  // says what is there
  }
  return chosen;
}

std::vector<double> ResultFile::channel_values(std::size_t channel) const {
  return file_->reading([&] { return read_column(*file_, "channels", channel, 0, samples()); });
}

double ResultFile::value_at(const std::string& name, double t, Side side) const {
  bracket(*file_, t, side);  // refuses times outside of the run
  if (name == "time" && !find(channels(), name)) return t;
  return series(name).at(t, side);
}

RestartState ResultFile::state_at(double t, Side side) const {
  const auto [a, b] = bracket(*file_, t, side);
  const std::size_t n = states().size();
  const auto read_row = [&](const char* name, std::size_t row) {
    std::vector<double> values(n);
    if (n > 0)
      hdf5::read_part(open_dataset(file_->id, name), H5T_NATIVE_DOUBLE, {.first = row, .count = 1}, values.data());
    return values;
  };
  return file_->reading([&, a = a, b = b] {
    RestartState state{t, read_row("states", a), read_row("state_rates", a), names_of(states())};
    if (a == b) return state;
    const std::vector<double> y = read_row("states", b), yp = read_row("state_rates", b);
    for (std::size_t i = 0; i < n; ++i) {
      const Node left{time()[a], state.y[i], state.yp[i]}, right{time()[b], y[i], yp[i]};
      state.y[i] = hermite(left, right, t);
      state.yp[i] = hermite_rate(left, right, t);
    }
    return state;
  });
}

std::optional<simulation::RunState> ResultFile::run_state(std::size_t sample) const {
  if (info().run_state.empty()) return std::nullopt;
  return file_->reading([&]() -> std::optional<simulation::RunState> {
    const hid_t file = file_->id;
    simulation::RunState state{info().run_state, std::vector<double>(info().run_state.size()), {}};
    hdf5::read_part(open_dataset(file, "run_state/numbers"), H5T_NATIVE_DOUBLE, {.first = sample, .count = 1},
                    state.numbers.data());
    if (std::ranges::all_of(state.numbers, [](double x) { return std::isnan(x); })) return std::nullopt;
    const std::vector<long> from = read_all<long>(file, "run_state/parameter_sample", H5T_NATIVE_LONG);
    const std::vector<std::string> texts = split_at_zeros(read_bytes(file, "run_state/parameter_text"));
    if (texts.size() < 2 * from.size()) throw Failure("parameters set by events have lost their text");
    if (!std::ranges::is_sorted(from) || (!from.empty() && from[0] < 0))
      throw Failure("parameters set by events do not follow each other");
    for (std::size_t k = 0; k < from.size() && from[k] <= static_cast<long>(sample); ++k)
      simulation::set_parameter(state.parameters, texts[2 * k], texts[2 * k + 1]);
    state.source = fmt::format("{}, sample at t = {:.9g} s", file_->path.string(), time()[sample]);
    return state;
  });
}

Block ResultFile::state_values() const { return read_block(*file_, "states"); }
Block ResultFile::state_rates() const { return read_block(*file_, "state_rates"); }
Block ResultFile::poses() const { return read_block(*file_, "poses"); }
Block ResultFile::reactions() const { return read_block(*file_, "reactions"); }
Block ResultFile::forces() const {
  return info().forces.empty() ? Block{.rows = samples()} : read_block(*file_, "forces");
}
Block ResultFile::residuals() const { return read_block(*file_, "residuals"); }

// In pieces as long as the writer's chunks; those without a wanted row are skipped.
void ResultFile::for_each_row(Wide series, std::span<const std::uint32_t> rows,
                              const std::function<void(std::size_t, CSpan)>& visit) const {
  constexpr std::size_t piece = 256;
  file_->reading([&] {
    if (!file_->has(dataset_of(series))) return;
    const Id dataset = open_dataset(file_->id, dataset_of(series));
    const std::vector<hsize_t> size = hdf5::extent(dataset);
    std::size_t width = 1;
    for (std::size_t i = 1; i < size.size(); ++i) width *= size[i];
    std::vector<double> values(piece * width);
    for (std::size_t k = 0, begin = 0; k < rows.size() && width > 0;) {
      begin = rows[k] / piece * piece;
      const std::size_t count = std::min(piece, samples() - begin);
      hdf5::read_part(dataset, H5T_NATIVE_DOUBLE, {.first = begin, .count = count}, values.data());
      for (; k < rows.size() && rows[k] < begin + count; ++k)
        visit(rows[k], CSpan(values).subspan((rows[k] - begin) * width, width));
    }
  });
}

std::vector<StepRecord> ResultFile::steps() const {
  return file_->reading([&] { return read_all<StepRecord>(file_->id, "steps", layout::step_type()); });
}

std::vector<EventRecord> ResultFile::events() const {
  return file_->reading([&] {
    const std::vector<double> times = read_all<double>(file_->id, "events/time", H5T_NATIVE_DOUBLE);
    const std::vector<std::string> texts = split_at_zeros(read_bytes(file_->id, "events/text"));
    std::vector<std::string> sources;  // older files have none
    if (file_->has("events/source")) sources = split_at_zeros(read_bytes(file_->id, "events/source"));
    sources.resize(std::max(sources.size(), 2 * times.size()));
    std::vector<EventRecord> events;
    for (std::size_t i = 0; i < times.size() && 2 * i + 1 < texts.size(); ++i)
      events.push_back({times[i], texts[2 * i], texts[2 * i + 1], sources[2 * i], sources[2 * i + 1]});
    return events;
  });
}

RunSummary ResultFile::summary() const {
  return file_->reading([&] {
    RunSummary summary;
    const hid_t file = file_->id;
    const std::string status = hdf5::read_text(file, "summary/status");
    const auto known = simulation::run_status(status);
    if (!known) throw Failure("the status of the run is \"" + status + "\", which means nothing");
    summary.status = *known;
    const std::vector<char> reason = read_bytes(file, "summary/reason");
    summary.reason.assign(reason.begin(), reason.end());
    layout::for_each_number(summary, [&](const char* name, auto& value) {
      const std::string path = std::string("summary/") + name;
      if (layout::was_added_later(name) && H5Lexists(file, path.c_str(), H5P_DEFAULT) == 0) return;
      const Id dataset = open_dataset(file, path);
      if (!hdf5::extent(dataset).empty()) throw Failure(std::string(name) + " is not a number");
      hdf5::require(H5Dread(dataset, layout::native(value), H5S_ALL, H5S_ALL, H5P_DEFAULT, &value),
                    std::string("reading ") + name);
    });
    const std::vector<std::string> texts = split_at_zeros(read_bytes(file, "summary/limit_text"));
    const std::vector<long> steps = read_all<long>(file, "summary/limit_steps", H5T_NATIVE_LONG);
    for (std::size_t i = 0; i < steps.size() && 2 * i + 1 < texts.size(); ++i) {
      summary.limits.push_back({texts[2 * i], texts[2 * i + 1], steps[i]});
    }
    for (const simulation::EventRecord& e : events()) {
      if (e.kind == simulation::EventRecord::warning) summary.warnings.push_back({e.name, {}, e.detail});
    }
    if (summary.status == simulation::RunStatus::running && !time().empty()) summary.t_reached = time().back();
    return summary;
  });
}

}  // namespace skyhook::io
