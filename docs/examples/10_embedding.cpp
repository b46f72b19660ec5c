// Example 10: Skyhook as a library. A model built in code, and a program that steps it.
//
//   c++ -std=c++20 ... 10_embedding.cpp      as the target `embedding` of CMakeLists.txt; build/embedding
//
// A rod stands on a hinge, 3 deg off the vertical, and would fall. Every 5 ms the program reads its angle and sets the moment of a motor:
// what it says is an input, a signal that no controller of the model computes. Halfway it looks ahead: it saves the simulation, lets
// the motor go, sees where the rod would be, and takes the simulation back.
#include <cstdio>

#include "skyhook/element/joint_rows.h"
#include "skyhook/simulation/simulation.h"

using namespace skyhook;

struct Motor : model::CoordinateElement {  // its moment is the signal that it listens to
  double force(double, double, double, const model::Setting& set) const override { return set.signal; }
  Dual<2> force(const Dual<2>&, const Dual<2>&, double, const model::Setting& set) const override {
    return {set.signal};
  }
};

std::shared_ptr<model::Model> standing_rod() {
  auto m = std::make_shared<model::Model>();  // gravity is -9.81 m/s^2 along z
  m->bodies = {{.name = "rod", .where = {}, .mass = 2, .com = {0, 0, 0.5}, .inertia = (1 / 6.0) * Mat3d::identity()}};
  using element::operator+;
  const element::Triad y = element::triad({0, 1, 0});
  model::Joint hinge{.name = "hinge", .type = "revolute", .where = {}, .to = 0, .axis = y.e};
  hinge.shape = {{{model::Dof::Kind::revolute, y.e, "angle"}},
                 element::no_motion_along({y.e, y.u, y.v}) + element::parallel_axis(y)};
  hinge.reference = {0}, hinge.position = {0.05}, hinge.velocity = {0}, hinge.drive = {{}}, hinge.drive_where = {{}};
  m->joints = {hinge};
  m->signals = {{.name = "moment", .unit = "N.m"}};
  m->contributions = {{.name = "motor", .type = "motor", .where = {}, .joint = 0, .signal = 0}};
  m->contributions[0].coordinate = std::make_shared<Motor>();
  return m;
}

int main() {
  model::Experiment e{.name = "balance", .where = {}, .until = 2, .solver = "dopri5"};
  const simulation::Prepared prepared = simulation::prepare(standing_rod(), e);
  simulation::Simulation rod(prepared, e);
  for (int k = 0; k < 400; ++k) {
    rod.set("moment", -40 * rod.channel("hinge.angle") - 8 * rod.channel("hinge.angle_rate"));
    rod.advance(0.005 * (k + 1));
    if (k != 20) continue;
    const auto saved = rod.save();
    rod.set("moment", 0);
    rod.advance(rod.t() + 1);
    std::printf("let go at 0.105 s: %.3f rad at t = %.3f s\n", rod.channel("hinge.angle"), rod.t());
    rod.restore(saved);
  }
  std::printf("held: %.2g rad at t = %.3f s, after %ld steps\n", rod.channel("hinge.angle"), rod.t(),
              rod.finish().cost.steps);
}
