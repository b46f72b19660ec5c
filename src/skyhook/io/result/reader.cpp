#include "skyhook/io/result/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include "skyhook/base/new_file.h"
#include "skyhook/io/refuse.h"
#include "skyhook/io/result/hdf5.h"
#include "skyhook/io/result/layout.h"
#include "skyhook/io/result/rows.h"

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

// HDF5 reads a piece that a writer is just changing again, and doubles its pause from 1 ns each time. 25 attempts take
// 70 ms; its default of 100 would sleep for ever on a damaged file.
constexpr unsigned read_attempts = 25;
constexpr std::size_t chunk_cache_bytes = 64 << 20;  // a band of chunks, so that reading column by column is cheap

// Negative if that fails; `why` is then HDF5's error stack, which any further call would clear.
hid_t try_to_open(const fs::path& path, unsigned flags, std::string& why) {
  const Id access = hdf5::access_properties();
  if (flags & H5F_ACC_SWMR_READ) H5Pset_metadata_read_attempts(access, read_attempts);
  H5Pset_cache(access, 0, 12421, chunk_cache_bytes, 0.75);
  const hid_t id = H5Fopen(path.c_str(), flags, access);
  if (id < 0) why = hdf5::error_stack();
  return id;
}

// Whether the file is open for writing beside readers, or was when its program died: bit 2 of the superblock's flags
// (HDF5 file format 3.0, II.A).
bool is_unfinished(const fs::path& path) {
  char head[12] = {};
  std::ifstream(path, std::ios::binary).read(head, sizeof head);
  return std::string_view(head, 4) == "\x89HDF" && head[8] == 3 && (head[11] & 4) != 0;
}

[[noreturn]] void refuse_to_open(const fs::path& path, const std::string& why) {
  const auto says = [&](const char* text) { return why.find(text) != std::string::npos; };
  if (says("signature not found")) {
    refuse(path, "is not a Skyhook result (not an HDF5 file).", "Name a file that `skyhook run` has written.");
  }
  if (says("truncated file")) refuse(path, "is cut off: its end is missing.", "Copy it again or repeat the run.");
  if (says("Permission denied")) refuse(path, "cannot be read: permission denied.", "Ask for the right to read it.");
  refuse(path, "cannot be opened as a result file; it is damaged.", "Copy it again or repeat the run.");
}

// A file that was closed in order opens plainly, and HDF5 then checks that it is whole. An unfinished one opens only for
// reading beside a writer, but plainly again if that writer is in the same program.
Id open_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse(path, "there is no such file.", "Check the name; `skyhook run` writes result files.");
  if (fs::is_directory(status)) refuse(path, "is a folder, not a result file.", "Name a file in it.");
  std::string why, ignored;
  hid_t id = is_unfinished(path) ? try_to_open(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, ignored) : -1;
  if (id < 0) id = try_to_open(path, H5F_ACC_RDONLY, why);
  if (id < 0) refuse_to_open(path, why);
  return Id(id, "opening");
}

void check_format(hid_t file, const fs::path& path) {
  if (H5Aexists(file, layout::format_attribute) <= 0) {
    refuse(path, "is an HDF5 file, but not a Skyhook result.", "Name a file that `skyhook run` has written.");
  }
  long format = 0;
  hdf5::read_attribute(file, layout::format_attribute, format);
  if (format > layout::format) {
    refuse(path, fmt::format("has format {}, and this Skyhook reads up to {}.", format, layout::format),
           "Read it with the newer Skyhook that wrote it, or repeat the run with this one.");
  }
}

std::vector<ChannelInfo> read_channels(hid_t file, const std::string& kind) {
  const std::vector<std::string> names = hdf5::read_strings(file, kind + "_names");
  const std::vector<std::string> units = hdf5::read_strings(file, kind + "_units");
  if (names.size() != units.size()) throw Failure(kind + " names and units do not match");
  std::vector<ChannelInfo> list;
  for (std::size_t i = 0; i < names.size(); ++i) list.push_back({names[i], units[i]});
  return list;
}

Id open_dataset(hid_t file, const std::string& name) {
  return Id(H5Dopen2(file, name.c_str(), H5P_DEFAULT), "opening " + name);
}

// Everything of a dataset of one dimension.
template <class T>
std::vector<T> read_all(hid_t file, const std::string& name, hid_t type) {
  const Id dataset = open_dataset(file, name);
  const std::vector<hsize_t> size = hdf5::extent(dataset);
  if (size.size() != 1) throw Failure(name + " is not a list");
  std::vector<T> values(size[0]);
  hdf5::read_part(dataset, type, {.count = size[0]}, values.data());
  return values;
}

std::vector<char> read_bytes(hid_t file, const std::string& name) {
  return read_all<char>(file, name, H5T_NATIVE_UINT8);  // as stored: to signed char HDF5 would clip
}

// Datasets that the first Skyhooks did not write may be missing.
bool has(hid_t file, const char* name) { return H5Lexists(file, name, H5P_DEFAULT) > 0; }

RunInfo read_info(hid_t file) {
  RunInfo info;
  layout::for_each_fact(info, [&](const char* name, auto& value) { hdf5::read_attribute(file, name, value); });
  if (H5Aexists(file, layout::abscissa_attribute) > 0) {
    hdf5::read_attribute(file, layout::abscissa_attribute, info.abscissa.name);
    hdf5::read_attribute(file, layout::abscissa_unit_attribute, info.abscissa.unit);
  }
  if (H5Aexists(file, layout::analysis_attribute) > 0)
    hdf5::read_attribute(file, layout::analysis_attribute, info.analysis);
  info.source = hdf5::read_text(file, "model/source");
  info.expanded = hdf5::read_text(file, "model/expanded");
  info.report = hdf5::read_strings(file, "model/report");
  const std::vector<std::string> names = hdf5::read_strings(file, "model/parameter_names");
  const std::vector<std::string> values = hdf5::read_strings(file, "model/parameter_values");
  for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i)
    info.parameters.emplace_back(names[i], values[i]);
  info.channels = read_channels(file, "channel");
  info.states = read_channels(file, "state");
  const std::vector<std::string> bodies = hdf5::read_strings(file, "body_names");
  const std::vector<double> masses = read_all<double>(file, "body_masses", H5T_NATIVE_DOUBLE);
  if (masses.size() != bodies.size()) throw Failure("body names and masses do not match");
  for (std::size_t i = 0; i < bodies.size(); ++i) info.bodies.push_back({bodies[i], masses[i]});
  info.joints = hdf5::read_strings(file, "joint_names");
  info.constraints = hdf5::read_strings(file, "constraint_names");
  if (has(file, "forces")) info.forces = hdf5::read_strings(file, "force_names");
  if (has(file, "run_state")) info.run_state = hdf5::read_strings(file, "run_state/names");
  if (has(file, "model/scene")) info.scene = hdf5::read_text(file, "model/scene");
  if (has(file, "model/found")) info.found = hdf5::read_text(file, "model/found");
  return info;
}

// Rows of a dataset whose bytes the file really has. HDF5 reads zeros beyond the end of a file, which a copy of an
// unfinished file may lack. Chunks lie in the file in the order of time, so looking at the last ones suffices. Where missing rows are left
// out, what has no chunk reads as NaN and is as complete as it can be.
hsize_t rows_in_file(hid_t dataset, hsize_t file_bytes) {
  const std::vector<hsize_t> size = hdf5::extent(dataset);
  const Id properties(H5Dget_create_plist(dataset), "asking for chunks");
  if (size.empty() || H5Pget_layout(properties) != H5D_CHUNKED) return size.empty() ? 0 : size[0];
  std::vector<hsize_t> chunk(size.size()), origin(size.size(), 0);
  if (H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) < 0) throw Failure("asking for chunks");
  hsize_t rows = size[0];
  const bool may_be_left_out = hdf5::is_left_out(dataset);
  const auto is_missing = [&] {
    unsigned mask = 0;
    haddr_t address = 0;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info_by_coord(dataset, origin.data(), &mask, &address, &bytes) < 0) return true;
    return address == HADDR_UNDEF ? !may_be_left_out : address + bytes > file_bytes;
  };
  while (rows > 0) {
    origin[0] = (rows - 1) / chunk[0] * chunk[0];
    bool missing = false;
    const hsize_t columns = size.size() > 1 ? size[1] : 1, step = size.size() > 1 ? chunk[1] : 1;
    for (hsize_t c = 0; c < columns && !missing; c += step) {
      if (size.size() > 1) origin[1] = c;
      missing = is_missing();
    }
    if (!missing) return rows;
    rows = origin[0];
  }
  return rows;
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

}  // namespace

struct ResultFile::File {
  fs::path asked, path;  // as asked for; what it is called until the run has ended
  Id id;
  std::string version, created;
  RunInfo info;
  std::vector<double> time;

  explicit File(const fs::path& where);
  void read_time();
  Place place(const std::string& name) const;
  std::vector<double> read_column(const char* dataset, hsize_t column, hsize_t first, hsize_t count) const;
  Block read_block(const char* name) const;
  Bracket bracket(double& t, Side side) const;
  // Runs `read`; a failure inside names the file.
  template <class Read>
  auto reading(Read&& read) const;
};

template <class Read>
auto ResultFile::File::reading(Read&& read) const {
  const hdf5::Quiet quiet;
  try {
    return read();
  } catch (const Failure& failure) {
    refuse(path, "cannot be read (" + std::string(failure.what()) + "); the file is damaged.",
           "Copy it again or repeat the run.");
  }
}

ResultFile::File::File(const fs::path& where) : asked(where), path(NewFile::readable(where)) {
  reading([&] {
    id = open_file(path);
    check_format(id, path);
    hdf5::read_attribute(id, "skyhook_version", version);
    hdf5::read_attribute(id, "created", created);
    info = read_info(id);
    read_time();
    return 0;
  });
}

// The samples that every series has: while the file is written some may be ahead of others.
void ResultFile::File::read_time() {
  struct Expected {
    const char* name;
    std::vector<hsize_t> row;
  };
  std::vector<Expected> all = {{"time", {}},
                               {"side", {}},
                               {"channels", {info.channels.size()}},
                               {"channel_rates", {info.channels.size()}},
                               {"states", {info.states.size()}},
                               {"state_rates", {info.states.size()}},
                               {"poses", {info.bodies.size(), 7}},
                               {"reactions", {info.joints.size(), 6}},
                               {"residuals", {info.constraints.size(), 2}}};
  if (has(id, "forces")) all.push_back({"forces", {info.forces.size(), 6}});
  if (has(id, "run_state")) all.push_back({"run_state/numbers", {info.run_state.size()}});
  const hsize_t bytes = fs::file_size(path);
  hsize_t count = std::numeric_limits<hsize_t>::max();
  for (const Expected& series : all) {
    const Id dataset = open_dataset(id, series.name);
    const std::vector<hsize_t> size = hdf5::extent(dataset);
    if (size.empty() || !std::equal(size.begin() + 1, size.end(), series.row.begin(), series.row.end())) {
      throw Failure(std::string(series.name) + " does not have the size its names say");
    }
    if (series.row.empty() || series.row[0] > 0) count = std::min(count, rows_in_file(dataset, bytes));
  }
  time.resize(count);
  hdf5::read_part(open_dataset(id, "time"), H5T_NATIVE_DOUBLE, {.count = count}, time.data());
}

Place ResultFile::File::place(const std::string& name) const {
  if (const auto i = find(info.channels, name)) return {"channels", "channel_rates", *i, info.channels[*i].unit};
  if (const auto i = find(info.states, name)) return {"states", "state_rates", *i, info.states[*i].unit};
  refuse(path, "there is no channel \"" + name + "\".", suggest(name, names_of(info.channels), "Channels"));
}

std::vector<double> ResultFile::File::read_column(const char* dataset, hsize_t column, hsize_t first,
                                                  hsize_t count) const {
  std::vector<double> values(count);
  hdf5::read_part(open_dataset(id, dataset), H5T_NATIVE_DOUBLE, {first, count, column, 1}, values.data());
  return values;
}

Block ResultFile::File::read_block(const char* name) const {
  return reading([&] {
    const Id dataset = open_dataset(id, name);
    Block block{.rows = time.size(), .width = 1, .values = {}};
    const std::vector<hsize_t> size = hdf5::extent(dataset);
    for (std::size_t i = 1; i < size.size(); ++i) block.width *= size[i];
    block.values.resize(block.rows * block.width);
    if (block.width > 0) hdf5::read_part(dataset, H5T_NATIVE_DOUBLE, {.count = block.rows}, block.values.data());
    return block;
  });
}

// Moves t to the end of the range if only rounding has carried it beyond.
Bracket ResultFile::File::bracket(double& t, Side side) const {
  if (time.empty())
    refuse(path, "has no samples yet.", "Wait for the run, or find out why it stopped: `skyhook show --cost`.");
  const double slack = 1e-12 * std::max(std::abs(time.front()), std::abs(time.back()));
  if (!(t >= time.front() - slack && t <= time.back() + slack)) {
    const std::string& unit = info.abscissa.unit;
    refuse(
        path,
        fmt::format("has no values at {} = {} {}.", info.abscissa.name == "time" ? "t" : info.abscissa.name, t, unit),
        fmt::format("Its samples reach from {} {} to {} {}.", time.front(), unit, time.back(), unit));
  }
  t = std::clamp(t, time.front(), time.back());
  return find_bracket(time, t, side);
}

double Series::at(double t, Side side) const {
  const auto [a, b] = find_bracket(time, t, side);
  return a == b ? values[a] : hermite({time[a], values[a], rates[a]}, {time[b], values[b], rates[b]}, t);
}

ResultFile::ResultFile(std::unique_ptr<File> file) : file_(std::move(file)) {}
ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile& ResultFile::operator=(ResultFile&&) noexcept = default;
ResultFile::~ResultFile() = default;

ResultFile ResultFile::open(const fs::path& path) { return ResultFile(std::make_unique<File>(path)); }

const fs::path& ResultFile::path() const { return file_->asked; }
const std::string& ResultFile::skyhook_version() const { return file_->version; }
const std::string& ResultFile::created() const { return file_->created; }
const RunInfo& ResultFile::info() const { return file_->info; }
const std::vector<double>& ResultFile::time() const { return file_->time; }

// Closed first: HDF5 keeps what it knows of a file as long as it is open anywhere in the program.
void ResultFile::refresh() {
  const fs::path name = file_->asked;
  file_->id = Id();
  file_ = std::make_unique<File>(name);
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
  const Place place = file_->place(name);
  return file_->reading([&] {
    return Series{name, place.unit, time(), file_->read_column(place.values, place.column, 0, samples()),
                  file_->read_column(place.rates, place.column, 0, samples())};
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
    if (!any) file_->place(pattern);  // says what is there
  }
  return chosen;
}

std::vector<double> ResultFile::channel_values(std::size_t channel) const {
  return file_->reading([&] { return file_->read_column("channels", channel, 0, samples()); });
}

double ResultFile::value_at(const std::string& name, double t, Side side) const {
  const auto [a, b] = file_->bracket(t, side);
  if (name == "time" && !find(channels(), name)) return t;
  const Place place = file_->place(name);
  return file_->reading([&, a = a, b = b] {
    const std::vector<double> x = file_->read_column(place.values, place.column, a, b - a + 1);
    if (a == b) return x[0];
    const std::vector<double> v = file_->read_column(place.rates, place.column, a, 2);
    return hermite({time()[a], x[0], v[0]}, {time()[b], x[1], v[1]}, t);
  });
}

RestartState ResultFile::state_at(double t, Side side) const {
  const auto [a, b] = file_->bracket(t, side);
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

Block ResultFile::state_values() const { return file_->read_block("states"); }
Block ResultFile::state_rates() const { return file_->read_block("state_rates"); }
Block ResultFile::poses() const { return file_->read_block("poses"); }
Block ResultFile::reactions() const { return file_->read_block("reactions"); }
Block ResultFile::forces() const {
  return info().forces.empty() ? Block{.rows = samples()} : file_->read_block("forces");
}
Block ResultFile::residuals() const { return file_->read_block("residuals"); }

// In pieces as long as the writer's chunks; those without a wanted row are skipped.
void ResultFile::for_each_row(Wide series, std::span<const std::uint32_t> rows,
                              const std::function<void(std::size_t, CSpan)>& visit) const {
  constexpr std::size_t piece = 256;
  file_->reading([&] {
    if (!has(file_->id, dataset_of(series))) return;
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
    if (has(file_->id, "events/source")) sources = split_at_zeros(read_bytes(file_->id, "events/source"));
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
