// What a plug-in is asked and what it answers, and how its variables are moved for differences.
#pragma once
#include <array>

#include "skyhook/element/plugin_instance.h"
#include "skyhook/model/contribution.h"

namespace skyhook::element::plugin {

// A mirror image across planes of A's axes: polar vectors take the signs s, axial ones det(s) s, rotations s_i s_j.
struct Image {
  Vec3d s;
  double det() const { return s.x * s.y * s.z; }
  double axial(int i) const { return det() * s[i]; }
};

skyhook_motion seen(const model::Relative<double>& m, const Image& image);

// Of the unknowns the first ones count.
struct Place {
  model::Relative<double> m;
  std::array<double, most_unknowns> c, w;
};
struct Answer {
  model::Wrench<double> wrench;
  std::array<double, most_unknowns> rates, b;
};

// One variable of a place: of the motion as model::Local counts them, or an unknown. The step is sqrt(eps) of its size, which for
// rotations is 1 rad. Where the frames are together or at rest, the size is that of what a vehicle's elements do: 0.1 m, 0.1 m/s, 1 rad/s.
struct Direction {
  enum class Of { nothing, motion, state, algebraic };
  Of of = Of::nothing;
  int index = 0;
  double step = 0;
};

Place place_of(const model::LoadInput<model::Local>& in);
model::Relative<double> values_of(const model::Relative<model::Local>& m);
bool is_seeded(const model::Relative<model::Local>& m);

// Which variable of a place varies in each of the twelve directions: those of the motion where it is seeded, else unknowns.
std::array<Direction, 12> varying(const model::LoadInput<model::Local>& in, const model::Declared& declared);

// A variable of a place while it is moved by about its step, forward or back.
class Moved {
 public:
  Moved(Place& place, const Direction& along, double sign);
  ~Moved();  // puts it back
  Moved(const Moved&) = delete;
  Moved& operator=(const Moved&) = delete;
  double by() const { return by_; }

 private:
  bool turns() const { return along_.of == Direction::Of::motion && along_.index / 3 == 1; }
  double& variable();

  Place& place_;
  const Direction& along_;
  Mat3d rotation_;  // before it was moved
  double value_ = 0, by_ = 0;
};

}  // namespace skyhook::element::plugin
