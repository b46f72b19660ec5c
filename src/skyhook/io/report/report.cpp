#include "skyhook/io/report/report.h"

#include <algorithm>

#include "skyhook/base/error.h"
#include "skyhook/io/report/compress.h"
#include "skyhook/io/report/json_object.h"
#include "skyhook/io/report/run_json.h"

namespace skyhook::io {

using report::Detail;
using report::RunData;

namespace {

constexpr Detail least{.samples = 100, .frames = 50, .turning_frames = 50};

// Of a channel's sample and of a frame, before they are compressed.
constexpr std::size_t sample_bytes = 8;
std::size_t frame_bytes(const simulation::RunInfo& info) {
  return 8 + 20 * info.bodies.size() + 6 * info.joints.size() + 12 * info.forces.size();
}

// Where to begin: what cannot fit even if it compresses to a tenth is not tried, nor more samples than a larger page is
// worth: 20 000 a channel in 3 MB.
Detail first_detail(const std::vector<const ResultFile*>& results, std::size_t max_bytes) {
  std::size_t a_sample = 1, a_frame = 1;
  for (const ResultFile* result : results) {
    a_sample += 4 * result->channels().size();
    a_frame += frame_bytes(result->info());
  }
  const std::size_t room = 10 * max_bytes;
  const std::size_t samples = std::max(max_bytes / 150, least.samples), frames = Detail{}.frames;
  const std::size_t most_frames = std::max(room / a_frame, least.frames);
  return {std::clamp(room / a_sample, least.samples, samples), std::min(most_frames, frames), most_frames};
}

std::string data_of(const std::vector<RunData>& runs) {
  report::Payload payload;
  const std::string list = report::json_list(runs, [&](const RunData& run) { return run_json(run, payload); });
  const std::string json = report::JsonObject().json("version", "1").json("runs", list).str();
  return report::base64(report::gzip(payload.container(json)));
}

// The part of the frames in all that can be left out.
double share_of_frames(const std::vector<RunData>& runs) {
  std::size_t frames = 1, samples = 1;
  for (const RunData& run : runs) {
    frames += frame_bytes(run.result->info()) * run.frames.rows.size();
    for (const report::ChannelData& channel : run.channels) samples += sample_bytes * channel.rows.size();
  }
  return static_cast<double>(frames) / static_cast<double>(frames + samples);
}

// So that `excess` (below 1) of the bytes remains. What has little part in the size stays as it is, while there is another.
Detail smaller(const Detail& detail, double excess, double share) {
  const bool only_samples = share < 0.4 && detail.samples > least.samples;
  const bool only_frames = share > 0.6 && detail.frames > least.frames;
  const double part = only_samples ? 1 - share : only_frames ? share : 1;
  const double factor = std::clamp(1 - (1 - 0.97 * excess) / part, 0.3, 0.9);
  const auto less = [&](std::size_t n, std::size_t lowest) {
    return std::max(static_cast<std::size_t>(static_cast<double>(n) * factor), lowest);
  };
  return {only_frames ? detail.samples : less(detail.samples, least.samples),
          only_samples ? detail.frames : less(detail.frames, least.frames), 0};
}

// What the runs have, which may be less or more than was asked for.
Detail detail_of(const std::vector<RunData>& runs) {
  Detail detail = least;
  for (const RunData& run : runs) {
    detail.frames = std::max(detail.frames, run.frames.rows.size());
    for (const report::ChannelData& c : run.channels) detail.samples = std::max(detail.samples, c.rows.size());
  }
  return detail;
}

// Leaves out samples and frames until the data have no more than `most` bytes, or nothing more may be left out.
std::string data_within(std::size_t most, std::vector<RunData>& runs) {
  Detail detail = detail_of(runs);
  std::string data = data_of(runs);
  while (data.size() > most && (detail.samples > least.samples || detail.frames > least.frames)) {
    const double excess = static_cast<double>(most) / static_cast<double>(data.size());
    detail = smaller(detail, excess, share_of_frames(runs));
    for (RunData& run : runs) reduce(run, detail);
    data = data_of(runs);
  }
  return data;
}

std::string title_of(const std::vector<RunData>& runs) {
  std::string title;
  for (const RunData& run : runs) title += (title.empty() ? "" : " and ") + run.label;
  return title + " - Skyhook";
}

std::vector<std::string> notes_of_all(const std::vector<RunData>& runs) {
  std::vector<std::string> notes;
  for (const RunData& run : runs) {
    for (const std::string& note : notes_of(run)) notes.push_back(run.label + ": " + note);
  }
  return notes;
}

}  // namespace

void require_viewer() {
  if (!report::viewer_page().empty()) return;
  throw ModelError({"skyhook"}, "this build has no viewer, so it makes no reports.",
                   "Install node and npm (Debian: apt-get install nodejs npm) and build Skyhook again; its build says "
                   "what it leaves out.");
}

Report make_report(const std::vector<const ResultFile*>& results, const ReportOptions& options) {
  if (options.page.empty()) require_viewer();
  const Detail detail = first_detail(results, options.max_bytes);
  const std::vector<std::string> labels = report::labels_of(results);
  std::vector<RunData> runs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    runs.push_back(report::gather(*results[i], detail));
    runs.back().label = labels[i];
  }
  const std::size_t frame = std::min(options.page.size(), options.max_bytes);
  std::string data = data_within(options.max_bytes - frame, runs);
  return {report::fill_page(options.page, {title_of(runs), options.live, std::move(data)}), notes_of_all(runs)};
}

}  // namespace skyhook::io
