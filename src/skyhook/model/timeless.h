// Beside WrenchElement or CoordinateElement: a law of the motion and what is set, which does not read the time, or may not. Between frames that
// stand still to each other its force stays as it is.
#pragma once

namespace skyhook::model {

struct Timeless {
  virtual ~Timeless() = default;
  // A formula may read it.
  virtual bool is_timeless() const { return true; }
  // Whether it asks where the one frame stands in the other: a law of an angle alone does not.
  virtual bool reads_position() const { return true; }
};

}  // namespace skyhook::model
