// What a road is like: its heights along tracks, their spectrum, and the class of ISO 8608 that fits it.
#pragma once
#include <optional>
#include <vector>

#include "skyhook/model/surface.h"

namespace skyhook::analysis {

struct RoadTrack {
  double y = 0;
  std::vector<double> x, z;                      // m
  double lowest = 0, highest = 0, steepest = 0;  // m, m, -
  double rms = 0;                                // about its mean straight line, m
  std::vector<double> n, density;                // 1/m, m^3: one-sided, of third octaves
  // Of the line through the densities between 0.011 and 2.83 waves per metre; absent where fewer than five third octaves are there.
  std::optional<double> roughness;  // at 0.1 waves per metre with waviness 2, m^3
  std::optional<double> waviness;
  char degree = '-';  // class of that roughness
};

struct RoadSurvey {
  std::vector<RoadTrack> tracks;
  double least_friction = 1, largest_friction = 1;
};

struct SurveyRange {
  double first = 0, last = 100, step = 0.05;  // m
  std::vector<double> y = {0};
};

RoadSurvey survey(const model::Surface& surface, const SurveyRange& range);

// One-sided density of samples `step` apart by Welch's method, as means over third octaves: Hann windows over a quarter of the samples, which
// overlap by half, without their mean line.
struct Density {
  std::vector<double> n, value;
};
Density density_of(const std::vector<double>& z, double step);

char degree_of(double roughness);  // A to H; classes meet at twice their means

}  // namespace skyhook::analysis
