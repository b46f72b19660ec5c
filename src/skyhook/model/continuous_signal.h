// Formulas of the motion that act inside the equations (docs/theory/09): what they may read, and who listens to them.
#pragma once
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/model/function.h"

namespace skyhook::model {

// What a law listens to: `speed_loop` of a controller, `brakes.left` where it has several, or a continuous signal.
struct SignalRef {
  int index = -1;  // among Model::signals or Model::continuous; none
  bool is_continuous = false;
  bool operator==(const SignalRef&) const = default;
};

// One number that a formula reads: all of them are functions of t, q, v and inner states. Channels of the same names have the same values.
struct SignalInput {
  enum class Of { body, marker, sensor, joint, element, controller, signal };
  enum class What {
    position,       // of a frame, global; of a sensor in its axes
    velocity,       //
    spin,           // angular velocity
    distance,       // of the two points of a sensor
    distance_rate,  //
    cardan,         // angles of the axes: within half a turn, no memory counts turns
    yaw_pitch_roll,
    yaw_pitch_roll_rate,
    coordinate,  // of a joint, or of a mass that an element has
    coordinate_rate,
    state,  // inner, of an element
    value,  // of a signal
  };
  Of of;
  int thing;  // its number in the list of the model
  What what;
  int part = 0;  // component, or number of the coordinate or state
  bool operator==(const SignalInput&) const = default;
};

struct ContinuousSignal {
  std::string name, unit = "-";
  Location where;
  std::string text;                 // channels and signals by their full names
  std::vector<SignalInput> inputs;  // of the formula, before t
  Formula formula;
  struct Need {  // of one who listens
    std::string unit, who;
    Location where;
  };
  std::vector<Need> needs;
};

}  // namespace skyhook::model
