// The model that commands are tried on, in a folder of its own as m.yaml: a mass of 1 kg on 100 N/m and 4 N s/m, whose foot is lifted.
// w = 10 rad/s, damping 0.2, at rest 98.1 mm below the drawing.
#pragma once
#include "program.testing.h"

namespace skyhook::testing {

struct Oscillator : Place {
  Oscillator(const std::string& name, const std::string& experiments, const std::string& lift = "=10[mm]*sin(2*t/1[s])")
      : Place(name) {
    write("m.yaml", R"yaml(
skyhook: 1
name: oscillator
parameters: {rate: 100 N/m, damping: 4 N.s/m}
bodies:
  foot: {mass: 1, at: [0, 0, 0]}
  load: {mass: 1, at: [0, 0, 1]}
joints:
  lift: {type: prismatic, from: ground, to: foot, drive: ")yaml" +
                        lift + R"yaml("}
  ride: {type: prismatic, from: ground, to: load}
forces:
  strut: {type: spring_damper, from: foot, to: load, stiffness: =rate, damping: =damping}
outputs: {foot: lift.displacement, load: ride.displacement, force: strut.force}
experiments:
)yaml" + experiments);
  }
};

}  // namespace skyhook::testing
