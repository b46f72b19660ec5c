// Bogies of rail vehicles: bodies to which springs fasten two wheelsets or more, directly or by the arms that carry these. Above each stands the body that most springs and joints fasten it to.
// In a curve of radius R the outermost bogies of a body stand on the line and their distance 2b is a chord of it. A bogie the distance x ahead of the middle is turned by asin(x/R) to the body then,
// and off the chord by sqrt(R^2 - x^2) - sqrt(R^2 - b^2) to the outer side of the curve. All as drawn, on a straight line.
#pragma once
#include <set>
#include <vector>

#include "skyhook/element/rail/standing.h"

namespace skyhook::analysis {

struct Bogie {
  int frame = 0, above = 0;          // bodies
  std::set<int> wheelsets, members;  // bodies; members: its frame, its wheelsets and what stands on these by joints
  const model::Track* track = nullptr;
  const element::rail::WheelOnRail* wheel = nullptr;  // one of them
  Vec3d middle;                                       // of its wheelsets
  double base = 0;                                    // m, from its first to its last wheelset
  double ahead = 0;                                   // m, of the middle of its body
  double half_chord = 0;                              // m, at least |ahead|

  double turn(double bend) const;   // rad, to its body, in a curve of that curvature, both positive to the left
  double shift(double bend) const;  // m, to the left of the chord
};
std::vector<Bogie> bogies_of(const model::Model& model);

struct Bend {
  double s = 0, bend = 0;  // m, where it begins; 1/m, to the left positive
};
// The sharpest curves of a line to the left and to the right, the sharper first. Those that it has not have no bend.
std::vector<Bend> sharpest_bends(const model::TrackLine& line);

}  // namespace skyhook::analysis
