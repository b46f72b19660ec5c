// What the nodal coordinates of a beam are, which of them its ends hold, and a point of it as a frame.
#pragma once
#include <string>
#include <vector>

#include "skyhook/flexible/ancf.h"

namespace skyhook::flexible {

enum class AncfVector { r, rx, ry, rz };  // position, and its derivatives along and across the beam

int dimension_of(AncfBeam::Kind kind);
bool is_cable(AncfBeam::Kind kind);
// Of a node, in the order of its coordinates.
std::vector<AncfVector> vectors_of(AncfBeam::Kind kind);
inline bool is_across(AncfVector v) { return v == AncfVector::ry || v == AncfVector::rz; }
// Whether an end holds component c: hinged the position; clamped also the section of a beam, the direction of a cable. What stretches and shears there
// stays free.
bool is_held(AncfBeam::Kind kind, AncfBeam::End end, AncfVector v, int c);

// Coordinates of the mesh with their factors.
using AncfSum = std::vector<std::pair<int, double>>;

// The frame at a point of a line, which follows the section of a beam and the line of a cable: x along the beam, y along r_y, z across both; of a cable in space
// the shortest turn from design.
//
// `r`, `first`, `second`: displacement, and changes of the directions that the frame follows, each by components in the axes of the line. Of a cable `first` is r_x,
// of beams r_y, and of those in space `second` is r_z.
struct AncfFrame {
  Mat3d axes;  // of the line at design, global
  AncfBeam::Kind kind;
  AncfSum r[3], first[3], second[3];
};
model::MeshStation station_of(const AncfFrame& frame, const std::string& name, const Vec3d& at);

}  // namespace skyhook::flexible
