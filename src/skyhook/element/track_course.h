// The pieces of a track from the segments and gradients of a model file.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/track_layout.h"
#include "skyhook/model/track_piece.h"

namespace skyhook::element {

struct CourseOptions {
  double base = 1.5;    // m, over which cant is measured
  double rounding = 5;  // m, of the corners of straight ramps of cant
  bool about_inner =
      true;  // cant lifts the outer rail, and the middle by half of that; else it turns the track about its middle
};

struct Course {
  std::vector<model::TrackPiece> pieces;
  // Where the curvature jumps without a turnout: a transition may be missing.
  struct Jump {
    Location where;
    double s, before, behind;  // 1/m
  };
  std::vector<Jump> jumps;
};

// ModelError (without the name of the track) where segments do not fit to each other.
Course course_of(const std::vector<model::TrackSegment>& segments, const std::vector<model::GradientChange>& gradients,
                 const CourseOptions& options);

// Every vehicle that stands on such a cant.
bool tips_over(double cant, double base);

// "1:40" or a number.
double ratio_of(const std::string& text, const Location& where, const char* what);

}  // namespace skyhook::element
