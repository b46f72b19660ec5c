// What the nodal coordinates of a beam are, which of them its ends hold, and a node as a frame.
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
// Whether the frame at a node follows this vector: position, and directions of the section (beams) or the line (cables).
bool moves_frame(AncfBeam::Kind kind, AncfVector v);

struct AncfStation {
  Mat3d axes;  // of the beam, global
  AncfBeam::Kind kind;
  bool is_clamped = false;
  int first = 0;
  struct Coordinate {
    AncfVector vector;
    int component;
  };
  std::vector<Coordinate> coordinates;  // those that are not held
};
model::MeshStation station_of(const AncfStation& given, const std::string& name, const Vec3d& at);

}  // namespace skyhook::flexible
