// Plane mechanisms from which several tests start: model files up to their joints.
#pragma once
#include <string>

namespace skyhook::testing {

// A crank of 0.2 m and a rod of 0.6 m: sin c = sin a / 3, so that c reaches asin(1/3) = 19.47 deg where a = 90 deg. 11 lines.
inline std::string slider_crank(const std::string& cut = "") {
  std::string text = R"(skyhook: 1
gravity: off
bodies:
  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0.1, 0, 0]}
  rod: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0.2, 0, 0], com: [0.5, 0, 0]}
  slider: {mass: 3, inertia: [0.1, 0.1, 0.1], at: [0.8, 0, 0]}
joints:
  a: {type: revolute, from: ground, to: crank, at: [0, 0, 0], axis: y}
  b: {type: revolute, from: crank, to: rod, at: [0.2, 0, 0], axis: y}
  c: {type: revolute, from: rod, to: slider, at: [0.8, 0, 0], axis: y}
  d: {type: prismatic, from: ground, to: slider, at: [0.8, 0, 0], axis: x}
)";
  if (cut.empty()) return text;
  const std::string joint = "  " + cut + ": {";
  return text.insert(text.find(joint) + joint.size(), "cut: true, ");
}

// Two equal cranks under a beam, a parallelogram; A turns at `rate`.
inline std::string cranks_under_beam(const std::string& rate) {
  return R"(skyhook: 1
gravity: off
bodies:
  a: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0, 0, 0.15]}
  b: {mass: 2, inertia: [0.02, 0.02, 0.02], at: [0.6, 0, 0], com: [0.6, 0, 0.15]}
  beam: {mass: 1.5, inertia: [0.03, 0.03, 0.03], at: [0, 0, 0.3], com: [0.3, 0, 0.3]}
joints:
  A: {type: revolute, from: ground, to: a, at: [0, 0, 0], axis: y, rate: )" +
         rate + R"(}
  B: {type: revolute, from: ground, to: b, at: [0.6, 0, 0], axis: y}
  C: {type: revolute, from: a, to: beam, at: [0, 0, 0.3], axis: y}
  D: {type: revolute, from: b, to: beam, at: [0.6, 0, 0.3], axis: y}
)";
}

}  // namespace skyhook::testing
