// What a report takes from a result: everything small, and a choice of samples of what is long.
#pragma once
#include <string>
#include <vector>

#include "skyhook/io/report/statistics.h"
#include "skyhook/io/report/thinning.h"
#include "skyhook/io/result/reader.h"

namespace skyhook::io::report {

// How many samples of each channel and how many pictures of the animation, at most (about).
struct Detail {
  std::size_t samples = 2000, frames = 1200;
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
  std::vector<float> positions, quaternions, reactions, forces, moments;
};

// The largest residuals of all constraints.
struct DriftData {
  Rows rows;
  std::vector<float> position, velocity;
};

struct RunData {
  const ResultFile* result = nullptr;
  std::vector<int> sides;
  std::vector<ChannelData> channels;
  FrameData frames;
  DriftData drift;
  std::vector<simulation::StepRecord> steps;
  std::vector<simulation::EventRecord> events;
};

RunData gather(const ResultFile& result, const Detail& detail);

// Fewer samples and frames of what was gathered, without reading the result again.
void reduce(RunData& run, const Detail& detail);

}  // namespace skyhook::io::report
