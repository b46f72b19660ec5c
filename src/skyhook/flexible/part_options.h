// What is said of a part beside its mesh: where it is attached, which frame it has, how it is reduced.
#pragma once
#include "skyhook/flexible/modal_moments.h"
#include "skyhook/flexible/quality.h"

namespace skyhook::flexible {

// A place by its node, by several, or by the nodes within a distance of a point.
struct PlaceChoice {
  std::string name;
  Location where;
  std::vector<std::string> nodes;
  std::optional<Vec3d> near;
  double radius = 0;
};

// "strut.z > seat.z": how the second place moves when a force acts on the first; x, y, z, rx, ry or rz of each.
struct ChannelChoice {
  std::string text;
  Location where;
};

// A force that the part bears as it is drawn: on a place, in the axes of the reference frame.
struct Preload {
  std::string place;
  Location where;
  Vec3d force;  // N
};

struct PartOptions {
  Location where;
  std::vector<PlaceChoice> places;  // empty: none, and only vibrations
  enum class Frame { tangent, chord, mean };
  Frame frame = Frame::mean;
  std::vector<std::string> frame_places;  // one (tangent), two (chord): places or nodes
  ReductionOptions reduction;             // without channels
  std::vector<ChannelChoice> channels;
  std::vector<ChannelChoice> static_at;  // "strut.z": of static shapes of a free part only these; empty: all
  DampingOptions damping;
  bool with_stiffening = true;
  std::vector<std::string> held;  // for stress that stiffens: places or nodes; empty: those of the frame
  std::vector<Preload> preload;   // its stress stiffens (or softens) always; held as for the stress of motion
};

struct ReducedPart {
  std::vector<Place> places;
  Reduced reduced;
  model::ModalBody body;
};

// Throws ModelError: places and nodes that are not there, frames that do not fit, ranges that leave nothing.
ReducedPart reduce_part(const FeModel& part, const PartOptions& options);

}  // namespace skyhook::flexible
