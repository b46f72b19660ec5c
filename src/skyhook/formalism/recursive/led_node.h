// A node that a drive leads along a guide: its one coordinate is a function of time, and no unknown. It is a `slid` node that has a guide in place of an axis.
#pragma once
#include "skyhook/formalism/recursive/passes.h"

namespace skyhook::formalism::recursive {

inline bool is_led(const Node& node) { return node.kind == Node::Kind::slid && node.guide != nullptr; }

// Position, rotation and S at x.drive.
void move_led(const Node& node, const NodeState& up, NodeState& x);
// Accelerations against the parent's: what the velocities and the drive cause.
void led_products(const Node& node, const NodeState& up, const NodeState& x, Vec3d& al, Vec3d& a);

}  // namespace skyhook::formalism::recursive
