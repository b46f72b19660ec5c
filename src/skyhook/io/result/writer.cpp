#include "skyhook/io/result/writer.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <fstream>

#include "skyhook/base/new_file.h"
#include "skyhook/io/refuse.h"
#include "skyhook/io/result/hdf5.h"
#include "skyhook/io/result/layout.h"
#include "skyhook/io/result/rows.h"
#include "skyhook/simulation/run_info.h"
#include "skyhook/simulation/run_state.h"
#include "skyhook/version.h"

namespace skyhook::io {

namespace fs = std::filesystem;
using hdf5::Id;
using hdf5::Rows;
using simulation::EventRecord;
using simulation::RunInfo;
using simulation::RunSummary;
using simulation::Sample;
using simulation::StepRecord;
using Clock = std::chrono::steady_clock;

namespace {

// 128 KB of doubles: one channel can be read without reading all, and a short run stays small; smaller ones cost the system more a
// byte. Of wide rows a chunk has fewer, since a band of chunks is held in memory.
constexpr hsize_t chunk_rows = 256, chunk_columns = 64, chunk_bodies = 8;
constexpr unsigned members_of_group = 40;  // or a few less
constexpr std::size_t most_buffered_bytes = 16 << 20;

bool is_empty_or_hdf5(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  char signature[8] = {};
  in.read(signature, sizeof signature);
  return in.gcount() == 0 || std::string_view(signature, sizeof signature) == "\x89HDF\r\n\x1a\n";
}

// Only results give way, and what a killed run has left of one.
void check_place(const fs::path& path) {
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::file_status status = fs::status(path, error);
  if (path.empty()) refuse(path, "no name is given for the result file.", "Name a file, for example run.h5.");
  if (fs::is_directory(status)) {
    refuse(path, "is a folder, so the result cannot be written there.",
           "Name a file in it, for example " + (path / "run.h5").string() + ".");
  }
  if (!fs::is_directory(folder, error)) {
    refuse(path, "the result cannot be written: there is no folder \"" + folder.string() + "\".",
           "Create the folder or choose another place.");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    refuse(path, "is not an ordinary file, so no result can be written to it.", "Choose another name.");
  }
  for (const fs::path& file : {path, NewFile::readable_part(path)}) {
    if (fs::exists(file, error) && !is_empty_or_hdf5(file)) {
      refuse(file, "exists and is not a result file, so it is not overwritten.",
             "Choose another name or delete the file.");
    }
  }
}

// Bytes that the file has before its first sample, with a margin.
std::size_t header_bytes(const RunInfo& info) {
  constexpr std::size_t margin = 256 << 10;
  std::size_t longest = 1, count = 0;
  const auto add = [&](const std::string& text) { longest = std::max(longest, text.size()), ++count; };
  for (const auto* list : {&info.channels, &info.states}) {
    for (const simulation::ChannelInfo& c : *list) add(c.name), add(c.unit);
  }
  for (const simulation::BodyInfo& body : info.bodies) add(body.name);
  for (const auto* list : {&info.joints, &info.forces, &info.constraints, &info.report, &info.run_state}) {
    for (const std::string& text : *list) add(text);
  }
  for (const auto& [name, value] : info.parameters) add(name), add(value);
  return margin + longest * count + info.source.size() + info.expanded.size() + info.scene.size() + info.found.size();
}

// Sends all further writing of an open file to nowhere, so that HDF5 can close it in order: after a failed write it
// fails again on closing and crashes at the end of the program. What was written stays readable.
void detach(hid_t file) {
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) return;
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, *static_cast<int*>(handle));
  ::close(nowhere);
}

Id create_file(const fs::path& path) {
  const Id properties = hdf5::creation_properties(H5P_FILE_CREATE, members_of_group);
  Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties, hdf5::access_properties()), "creating the file");
  hdf5::require(H5Fflush(file, H5F_SCOPE_LOCAL),
                "writing its signature");  // by which others know what a killed run has left
  return file;
}

template <class Items, class Member>
auto column(const Items& items, Member member) {
  std::vector<std::decay_t<decltype(items[0].*member)>> values;
  for (const auto& item : items) values.push_back(item.*member);
  return values;
}

void write_names(hid_t file, const RunInfo& info) {
  using simulation::BodyInfo;
  using simulation::ChannelInfo;
  hdf5::write_strings(file, "channel_names", column(info.channels, &ChannelInfo::name));
  hdf5::write_strings(file, "channel_units", column(info.channels, &ChannelInfo::unit));
  std::vector<std::string> errors;
  for (const ChannelInfo& c : info.channels) {
    if (c.is_error) errors.push_back(c.name);
  }
  hdf5::write_strings(file, "error_channels", errors);
  hdf5::write_strings(file, "state_names", column(info.states, &ChannelInfo::name));
  hdf5::write_strings(file, "state_units", column(info.states, &ChannelInfo::unit));
  hdf5::write_strings(file, "body_names", column(info.bodies, &BodyInfo::name));
  const std::vector<double> masses = column(info.bodies, &BodyInfo::mass);
  hdf5::write_array(file, "body_masses", H5T_NATIVE_DOUBLE, masses.data(), masses.size());
  hdf5::write_strings(file, "joint_names", info.joints);
  hdf5::write_strings(file, "force_names", info.forces);
  hdf5::write_strings(file, "constraint_names", info.constraints);
}

void write_model(hid_t file, const RunInfo& info) {
  const Id group = hdf5::create_group(file, "model", members_of_group);
  hdf5::write_text(group, "source", info.source);
  hdf5::write_text(group, "expanded", info.expanded);
  hdf5::write_strings(group, "report", info.report);
  hdf5::write_text(group, "scene", info.scene);
  if (!info.found.empty()) hdf5::write_text(group, "found", info.found);
  using Parameter = std::pair<std::string, std::string>;
  hdf5::write_strings(group, "parameter_names", column(info.parameters, &Parameter::first));
  hdf5::write_strings(group, "parameter_values", column(info.parameters, &Parameter::second));
}

void write_facts(hid_t file, const RunInfo& info) {
  hdf5::write_attribute(file, layout::format_attribute, layout::format);
  hdf5::write_attribute(file, "skyhook_version", std::string(version) + " (" + revision + ")");
  hdf5::write_attribute(file, "created", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
  layout::for_each_fact(info, [&](const char* name, const auto& value) { hdf5::write_attribute(file, name, value); });
  if (info.analysis != "simulate") hdf5::write_attribute(file, layout::analysis_attribute, info.analysis);
  if (info.abscissa.name == "time") return;
  hdf5::write_attribute(file, layout::abscissa_attribute, info.abscissa.name);
  hdf5::write_attribute(file, layout::abscissa_unit_attribute, info.abscissa.unit);
}

// Texts that come during the run: bytes, each text ended by a zero byte, since HDF5 cannot write strings of variable
// length meanwhile. A zero inside a text would split it and becomes a blank.
void append_text(Rows& rows, std::string text) {
  std::replace(text.begin(), text.end(), '\0', ' ');
  rows.append(text.c_str(), text.size() + 1);
}

}  // namespace

struct ResultWriter::File {
  Id id;  // first, so that it is closed last
  Rows time, side, channels, channel_rates, states, state_rates, poses, reactions, forces, residuals;
  Rows run_state, parameter_sample, parameter_text;
  Rows steps, event_time, event_text, event_source;
  Id status;
  std::vector<Id> numbers;
  Rows reason, limit_text, limit_steps;
  std::size_t buffered = 0, most_buffered = 1;
  hsize_t rows_of_chunk = chunk_rows;
  simulation::Parameters parameters;  // as last written
  long samples = 0;
  bool is_shared = false;    // with readers
  bool has_written = false;  // samples that a reader finds
  double last_time = 0;
  Clock::time_point flushed = Clock::now();

  File(const fs::path& path, const RunInfo& info, const WriterOptions& options);
  void append(const Sample& sample);
  void append(const simulation::RunState* state);
  void write();  // what is gathered, to HDF5
  void flush();  // and to readers
  void write_summary(const RunSummary& summary);

 private:
  void create_series(const RunInfo& info);
  void create_run_states(const RunInfo& info);
  void create_records();
  void create_summary();
};

ResultWriter::File::File(const fs::path& path, const RunInfo& info, const WriterOptions& options)
    : id(create_file(path)) {
  const std::size_t row = 8 * simulation::numbers_a_sample(info);
  const std::size_t room = std::max<std::size_t>(most_buffered_bytes / row, 1);
  most_buffered = std::clamp<std::size_t>(options.buffered_samples, 1, room);
  rows_of_chunk = std::min<hsize_t>(chunk_rows, room);
  try {
    write_facts(id, info);
    write_names(id, info);
    write_model(id, info);
    create_series(info);
    create_run_states(info);
    create_records();
    create_summary();
  } catch (const hdf5::Failure&) {
    detach(id);
    throw;
  }
}

void ResultWriter::File::create_series(const RunInfo& info) {
  const hsize_t wider = chunk_rows / rows_of_chunk, columns = wider * chunk_columns;
  const auto rows = [&](const char* name, std::vector<hsize_t> row, std::vector<hsize_t> chunk,
                        Rows::Missing missing = Rows::Missing::written) {
    chunk.insert(chunk.begin(), rows_of_chunk);
    return Rows(id, name, H5T_NATIVE_DOUBLE, {std::move(row), std::move(chunk)}, missing);
  };
  time = Rows(id, "time", H5T_NATIVE_DOUBLE, {{}, {4 * chunk_rows}});
  side = Rows(id, "side", H5T_NATIVE_INT8, {{}, {4 * chunk_rows}});
  channels = rows("channels", {info.channels.size()}, {columns});
  channel_rates = rows("channel_rates", {info.channels.size()}, {columns});
  states = rows("states", {info.states.size()}, {columns});
  state_rates = rows("state_rates", {info.states.size()}, {columns});
  poses = rows("poses", {info.bodies.size(), 7}, {chunk_bodies * wider, 7});
  reactions = rows("reactions", {info.joints.size(), 6}, {2 * wider, 6}, Rows::Missing::left_out);
  forces = rows("forces", {info.forces.size(), 6}, {chunk_bodies * wider, 6});
  residuals = rows("residuals", {info.constraints.size(), 2}, {columns / 2, 2});
}

void ResultWriter::File::create_run_states(const RunInfo& info) {
  const Id group = hdf5::create_group(id, "run_state", members_of_group);
  hdf5::write_strings(group, "names", info.run_state);
  const hsize_t columns = chunk_rows / rows_of_chunk * chunk_columns;
  run_state = Rows(group, "numbers", H5T_NATIVE_DOUBLE, {{info.run_state.size()}, {rows_of_chunk, columns}});
  parameter_sample = Rows(group, "parameter_sample", H5T_NATIVE_LONG, {{}, {256}});
  parameter_text = Rows(group, "parameter_text", H5T_NATIVE_UINT8, {{}, {4096}});
}

void ResultWriter::File::create_records() {
  steps = Rows(id, "steps", layout::step_type(), {{}, {1024}});
  const Id group = hdf5::create_group(id, "events", members_of_group);
  event_time = Rows(group, "time", H5T_NATIVE_DOUBLE, {{}, {256}});
  event_text = Rows(group, "text", H5T_NATIVE_UINT8, {{}, {4096}});
  event_source = Rows(group, "source", H5T_NATIVE_UINT8, {{}, {4096}});
}

void ResultWriter::File::create_summary() {
  const Id group = hdf5::create_group(id, "summary", members_of_group);
  std::string running = simulation::to_text(simulation::RunStatus::running);
  running.resize(layout::status_bytes);
  status = hdf5::create_scalar(group, "status", hdf5::string_type(layout::status_bytes), running.c_str());
  const RunSummary none;
  layout::for_each_number(none, [&](const char* name, auto zero) {
    numbers.push_back(hdf5::create_scalar(group, name, layout::native(zero), &zero));
  });
  reason = Rows(group, "reason", H5T_NATIVE_UINT8, {{}, {1024}});
  limit_text = Rows(group, "limit_text", H5T_NATIVE_UINT8, {{}, {4096}});
  limit_steps = Rows(group, "limit_steps", H5T_NATIVE_LONG, {{}, {256}});
}

void ResultWriter::File::append(const Sample& sample) {
  const auto put = [](Rows& rows, CSpan values) {
    values.empty() ? rows.append_missing() : rows.append(values.data());
  };
  const auto side_byte = static_cast<signed char>(sample.side);
  time.append(&sample.t);
  side.append(&side_byte);
  put(channels, sample.channels);
  put(channel_rates, sample.channel_rates);
  put(states, sample.y);
  put(state_rates, sample.yp);
  put(poses, sample.poses);
  put(reactions, sample.reactions);
  put(forces, sample.forces);
  put(residuals, sample.residuals);
  append(sample.run_state);
  ++samples;
  last_time = sample.t;
  ++buffered;
}

// Parameters are written where they change, with the first sample that has them.
void ResultWriter::File::append(const simulation::RunState* state) {
  if (!state) return run_state.append_missing();
  run_state.append(state->numbers.data());
  if (state->parameters == parameters) return;
  for (const auto& [name, value] : state->parameters) {
    const auto known = std::ranges::find(parameters, name, &simulation::Parameters::value_type::first);
    if (known != parameters.end() && known->second == value) continue;
    append_text(parameter_text, name);
    append_text(parameter_text, value);
    parameter_sample.append(&samples);
  }
  parameters = state->parameters;
}

// Time comes last: a reader that sees a time finds all that belongs to it.
void ResultWriter::File::write() {
  for (Rows* rows :
       {&channels,     &channel_rates, &states,         &state_rates,      &poses,       &reactions, &forces,
        &residuals,    &run_state,     &parameter_text, &parameter_sample, &side,        &steps,     &event_text,
        &event_source, &event_time,    &reason,         &limit_text,       &limit_steps, &time}) {
    rows->write();
    if (is_shared) rows->flush();
  }
}

// Sharing costs as much as writing a short run, of which nobody reads the part.
void ResultWriter::File::flush() {
  const hdf5::Quiet quiet;
  if (!is_shared) hdf5::require(H5Fstart_swmr_write(id), "preparing the file for readers");
  is_shared = true;
  write();
  has_written = has_written || buffered > 0;
  buffered = 0;
  flushed = Clock::now();
}

void ResultWriter::File::write_summary(const RunSummary& summary) {
  reason.append(summary.reason.data(), summary.reason.size());
  for (const simulation::StepLimit& limit : summary.limits) {
    append_text(limit_text, limit.state);
    append_text(limit_text, limit.element);
    limit_steps.append(&limit.steps);
  }
  write();
  auto number = numbers.begin();
  layout::for_each_number(summary, [&](const char* name, auto value) {
    hdf5::require(H5Dwrite(*number++, layout::native(value), H5S_ALL, H5S_ALL, H5P_DEFAULT, &value),
                  std::string("writing ") + name);
  });
  std::string text = to_text(summary.status);
  text.resize(layout::status_bytes);
  hdf5::require(H5Dwrite(status, hdf5::string_type(text.size()), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()),
                "writing status");
  hdf5::require(H5Fflush(id, H5F_SCOPE_GLOBAL), "flushing the file");
}

// HDF5 starts now: its exit handler closes all files, and a program that wants to act before that sets its own later.
ResultWriter::ResultWriter(fs::path path, WriterOptions options) : path_(std::move(path)), options_(options) {
  H5open();
}

ResultWriter::~ResultWriter() {
  try {
    abandon(simulation::RunStatus::interrupted, "The program stopped before the run ended.");
  } catch (const std::exception&) {  // a destructor has nobody to tell; what was flushed is in the file
  }
}

void ResultWriter::abandon(simulation::RunStatus status, const std::string& reason) {
  if (!file_) return;
  RunSummary summary;
  summary.status = status, summary.reason = reason, summary.t_reached = file_->last_time;
  end(summary);
}

// Runs `work`; when it fails the file is closed, so that no later call writes after a gap.
template <class Work>
void ResultWriter::writing(const Work& work) {
  try {
    work();
  } catch (const hdf5::Failure& failure) {
    give_up(failure);
  }
}

// What is left to write goes nowhere: HDF5 closes no file that lacks a chunk for which it has made room.
void ResultWriter::leave_file() {
  const hdf5::Quiet quiet;
  detach(file_->id);
  try {
    file_->write();
  } catch (const hdf5::Failure&) {  // it has been told
  }
  file_.reset();
}

// What others can read of the part stays; an older result of the name was not touched.
void ResultWriter::give_up(const hdf5::Failure& failure) {
  const bool has_samples = file_ && file_->has_written;
  const std::string part = place_->part().string();
  if (file_) leave_file();
  if (has_samples) place_->keep();
  place_.reset();
  const std::string kept = has_samples ? "What was written before is in " + part + "." : "";
  if (failure.error != 0) refuse_to_write(path_, "the result", failure.error, kept);
  refuse(path_, "the result cannot be written (" + std::string(failure.what()) + ").",
         "Check that the disk has space and that you may write there, or choose another place. " + kept);
}

// HDF5 crashes when it cannot even create its datasets, so the room for them is asked for beforehand.
void ResultWriter::begin(const RunInfo& info) {
  assert(!file_);
  check_place(path_);
  place_ = std::make_unique<NewFile>(path_, "the result", NewFile::Part::readable);
  place_->reserve(header_bytes(info));
  const hdf5::Quiet quiet;
  writing([&] { file_ = std::make_unique<File>(place_->part(), info, options_); });
  if (options_.share_at_once) flush();
}

bool ResultWriter::due() const {
  const double seconds = file_->is_shared ? options_.flush_seconds : 0.3 * options_.flush_seconds;
  return file_->buffered >= file_->most_buffered ||
         Clock::now() - file_->flushed > std::chrono::duration<double>(seconds);
}

// A band of chunks that is full is written.
void ResultWriter::sample(const Sample& sample) {
  if (!file_) return;
  writing([&] { file_->append(sample); });
  if (due()) flush();
}

void ResultWriter::step(const StepRecord& step) {
  if (!file_) return;
  writing([&] { file_->steps.append(&step); });
  if (due()) flush();
}

void ResultWriter::event(const EventRecord& event) {
  if (!file_) return;
  writing([&] {
    append_text(file_->event_text, event.name);
    append_text(file_->event_text, event.detail);
    append_text(file_->event_source, event.element);
    append_text(file_->event_source, event.kind);
    file_->event_time.append(&event.t);
  });
}

void ResultWriter::flush() {
  if (file_) writing([&] { file_->flush(); });
}

void ResultWriter::end(const RunSummary& summary) {
  if (!file_) return;
  const bool wanted = options_.keep_interrupted || summary.status != simulation::RunStatus::interrupted;
  const hdf5::Quiet quiet;
  writing([&] {
    file_->write_summary(summary);
    file_.reset();
  });
  if (wanted) place_->finish();
  place_.reset();
}

}  // namespace skyhook::io
