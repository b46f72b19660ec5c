// Random model files for tests and benchmarks: mechanisms with closed loops, redundant constraints, all joints, drives, dry friction
// with and without load, contacts, hydraulics, tables, sampled controllers and events; plug-ins alone are left out. They are made
// as text, so that the language takes part; before that they are lists of entries, so that they can be written in another order
// or in other axes.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "skyhook/formalism/random_model.testing.h"

namespace skyhook::io::testing {

// What stands behind a key. Vectors and axes are global, and turn with the model; text does not.
struct Value {
  enum class Kind { text, vector, axes };
  Kind kind = Kind::text;
  std::string text = {};
  Vec3d vector = {};
  Mat3d axes = {};
};

struct Entry {
  std::string name;
  std::vector<std::pair<std::string, Value>> fields;
};

struct RandomMechanism {
  unsigned seed = 0;
  Vec3d gravity{0, 0, -9.81};
  std::vector<Entry> parameters, bodies, markers, joints, forces, controllers, events;
  std::vector<std::vector<std::string>> loops;  // joints of each; whichever is cut, the motion is the same
  std::vector<std::string> features;            // "loop", "redundant", "quaternion", ...
  double until = 1;
  bool has(const std::string& feature) const;
};

struct RandomWish {
  bool rests = false;  // with a slab more that comes to rest on a floor: contacts that stay closed
};

// The same mechanism for the same seed.
RandomMechanism random_mechanism(unsigned seed, const RandomWish& wish = {});

std::string text_of(const RandomMechanism& mechanism);

// The same in other axes, gravity included.
RandomMechanism turned(const RandomMechanism& mechanism, const Mat3d& R);
// Bodies, joints, forces and so on in another order.
RandomMechanism shuffled(const RandomMechanism& mechanism, unsigned seed);
// With other joints of its loops cut.
RandomMechanism cut_elsewhere(const RandomMechanism& mechanism, unsigned seed);
// As a part that is used once, mirrored at y = 0 or not. Its names then begin with "part.".
std::string part_text_of(const RandomMechanism& mechanism, bool mirror);

}  // namespace skyhook::io::testing
