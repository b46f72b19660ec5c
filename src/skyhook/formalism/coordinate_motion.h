// How one scalar coordinate of a joint moves, whether it stands in the state, follows its drive or is measured between the frames of a
// joint that is cut. Values count from the design position.
#pragma once
#include <memory>

#include "skyhook/formalism/snapshot.h"

namespace skyhook::formalism {

class CoordinateMotion {
 public:
  // Of a coordinate that is no part of a ball. The equations may be exchanged for others with the same tree.
  CoordinateMotion(const recursive::Equations& eq, int joint, int scalar);

  int velocity() const { return iv_; }  // its place in the state; -1: it has none
  double value(const Snapshot& s) const;
  double rate(const Snapshot& s) const;
  double acceleration(const Snapshot& s) const;
  double value(const recursive::Equations& eq, const State& s) const;
  double rate(const recursive::Equations& eq, const State& s) const;

 private:
  struct Measured;
  int iq_ = -1, iv_ = -1, node_ = -1;  // in the state, or that follows the drive
  std::shared_ptr<const Measured> measured_;
};

}  // namespace skyhook::formalism
