// What a track is like over the way: its layout, how its rails deviate from that, and the spectra of these deviations.
#pragma once
#include <array>
#include <vector>

#include "skyhook/analysis/road_survey.h"
#include "skyhook/model/model.h"

namespace skyhook::analysis {

struct TrackRow {
  double s = 0;
  double curvature = 0, cant = 0, gradient = 0;  // 1/m, left positive; m, right rail higher; rise over length
  Vec3d at;                                      // in the axes of the frame that carries it
  double heading = 0;                            // rad
  double gauge = 0, alignment = 0, level = 0, cross_level = 0;  // m, deviations
};

struct TrackSurvey {
  std::vector<TrackRow> rows;
  struct Signal {
    const char* name;
    double rms = 0;   // about its mean line, m
    Density density;  // of third octaves, over waves per metre
  };
  std::vector<Signal> signals;  // those that are not zero
};

struct TrackRange {
  double first = 0, last = 100, step = 1;  // m: of the rows
  double fine = 0.25;                      // m: of the spectra
};
TrackSurvey survey(const model::Track& track, const TrackRange& range);

}  // namespace skyhook::analysis
