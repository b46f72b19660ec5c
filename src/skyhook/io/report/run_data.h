// What a report takes from a result: everything small, and a choice of samples of what is long.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/io/report/statistics.h"
#include "skyhook/io/report/thinning.h"
#include "skyhook/io/result/reader.h"

namespace skyhook::io::report {

// How many samples of each channel and how many pictures of the animation, at most (about).
struct Detail {
  std::size_t samples = 20'000, frames = 1200;
  std::size_t turning_frames = 1200;  // where that many are needed to show fast rotations
};

struct ChannelData {
  simulation::ChannelInfo info;
  Statistics statistics;
  Rows rows;                  // of the result
  std::vector<float> values;  // at these; NaN where not finite
};

// Series by series: number s at frame f stands at s * rows.size() + f.
struct FrameData {
  Rows rows;  // of the result
  std::vector<float> positions, quaternions, reactions, forces, moments, states;
  std::vector<std::string> state_names;  // of those that the scene draws by
};

// The largest residuals of all constraints.
struct DriftData {
  Rows rows;
  std::vector<float> position, velocity;
};

struct RunData {
  const ResultFile* result = nullptr;
  std::string label;               // set by who shows it
  std::string scene, found;        // JSON; "null" if there is none
  std::vector<double> turned;      // see turning.h
  std::vector<std::string> notes;  // on what is wrong in the result
  std::vector<int> sides;
  std::vector<ChannelData> channels;
  FrameData frames;
  DriftData drift;
  std::vector<simulation::StepRecord> steps;
  std::vector<simulation::EventRecord> events;
};

// ModelError if the times of the result decrease or are not finite.
RunData gather(const ResultFile& result, const Detail& detail);

// Names in lists "states" of a scene, each once: what it draws by.
std::vector<std::string> states_of_scene(std::string_view scene);

// Fewer samples and frames of what was gathered, without reading the result again.
void reduce(RunData& run, const Detail& detail);

// What the reader of the report should know: notes of the result, and that rotations are too fast for the frames.
std::vector<std::string> notes_of(const RunData& run);

}  // namespace skyhook::io::report
