#include "skyhook/io/result/opened_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "skyhook/base/new_file.h"
#include "skyhook/io/result/layout.h"
#include "skyhook/io/result/rows.h"

namespace skyhook::io {

namespace fs = std::filesystem;
using hdf5::Failure;
using hdf5::Id;
using simulation::ChannelInfo;
using simulation::RunInfo;

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

// Records come to the file a moment after its beginning, since a short run is over by then.
void refuse_if_part(const fs::path& path) {
  if (path.extension() == ".part")
    refuse(path, "holds nothing yet: its run has just begun, or was killed before its first records were written.",
           "Run it again, which replaces this file, or delete it.");
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
  if (id < 0) refuse_if_part(path), refuse_to_open(path, why);
  return Id(id, "opening");
}

void check_format(hid_t file, const fs::path& path) {
  if (H5Aexists(file, layout::format_attribute) <= 0) {
    refuse_if_part(path);
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

bool has(hid_t file, const char* name) { return H5Lexists(file, name, H5P_DEFAULT) > 0; }

// Results of older Skyhooks do not list them: there they are known by their own names alone.
void mark_errors(hid_t file, std::vector<ChannelInfo>& channels) {
  std::vector<std::string> errors;
  if (has(file, "error_channels")) errors = hdf5::read_strings(file, "error_channels");
  for (ChannelInfo& c : channels)
    c.is_error = std::ranges::find(errors, c.name) != errors.end() || c.name == "energy.balance" ||
                 c.name.starts_with("constraints.");
}

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
  mark_errors(file, info.channels);
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

std::vector<double> read_time(hid_t file, const fs::path& path, const RunInfo& info) {
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
  if (has(file, "forces")) all.push_back({"forces", {info.forces.size(), 6}});
  if (has(file, "run_state")) all.push_back({"run_state/numbers", {info.run_state.size()}});
  const hsize_t bytes = fs::file_size(path);
  hsize_t count = std::numeric_limits<hsize_t>::max();
  for (const Expected& series : all) {
    const Id dataset = open_dataset(file, series.name);
    const std::vector<hsize_t> size = hdf5::extent(dataset);
    if (size.empty() || !std::equal(size.begin() + 1, size.end(), series.row.begin(), series.row.end())) {
      throw Failure(std::string(series.name) + " does not have the size its names say");
    }
    if (series.row.empty() || series.row[0] > 0) count = std::min(count, rows_in_file(dataset, bytes));
  }
  std::vector<double> time(count);
  hdf5::read_part(open_dataset(file, "time"), H5T_NATIVE_DOUBLE, {.count = count}, time.data());
  return time;
}

}  // namespace

Id open_dataset(hid_t file, const std::string& name) {
  return Id(H5Dopen2(file, name.c_str(), H5P_DEFAULT), "opening " + name);
}

bool OpenedResult::has(const char* dataset) const { return io::has(id, dataset); }

OpenedResult::OpenedResult(const fs::path& where) : asked(where), path(NewFile::readable(where)) {
  reading([&] {
    id = open_file(path);
    check_format(id, path);
    hdf5::read_attribute(id, "skyhook_version", version);
    hdf5::read_attribute(id, "created", created);
    info = read_info(id);
    time = read_time(id, path, info);
    return 0;
  });
}

}  // namespace skyhook::io
