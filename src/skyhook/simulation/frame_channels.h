// Channels of frames: where they are, how they stand, how wheels lean and steer, what sensors see.
#pragma once
#include "skyhook/formalism/frame.h"
#include "skyhook/simulation/channel_list.h"

namespace skyhook::simulation {

void add_frame(ChannelList& list, const std::string& name, const formalism::Frame& frame);
void add_body(ChannelList& list, const Equations& eq, int body);
void add_sensor(ChannelList& list, const Equations& eq, const model::Sensor& sensor);

// The heading and lean of a wheel by its axis n, which points to the left, and the rate of n, in axes x forward, y left, z up.
// The wheel plane meets the ground along n x z: steer is the angle from x to this line, about z. Inclination is the angle from
// z to the wheel plane, about this line: positive where the top leans to the right.
struct WheelAxis {
  Vec3d n, n_rate;
  double steer() const;  // 0 where it lies flat and has no heading
  double inclination() const;
  double steer_rate() const;
  double inclination_rate() const;
};

}  // namespace skyhook::simulation
