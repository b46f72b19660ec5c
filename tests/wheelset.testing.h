// The hunting wheelset of the IVP test set (part II-22; data as in integrator/wheelset_problem.testing.h), as a model: cones on round rails, scale 1:4,
// held by springs to a carriage that moves at 30 m/s. Axes of ours: x ahead, y left, z up; theirs: z, x, y.
#pragma once
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/element/rail/rigid_contact.h"

namespace skyhook::testing {

struct WheelsetWish {
  std::string solver = "bdf/ggl";
  double until = 10, tolerance = 1e-7, output_step = 0.05;
  int variables = 1;
  double nu = 0;           // above zero: quasi-elastic
  bool simplified = true;  // creepages as the test set has them
  std::string more = {};   // of the experiment
};

constexpr double wheelset_cone = 0.0262, wheelset_half = 0.1506, wheelset_rail_radius = 0.06, wheelset_radius = 0.1;

inline element::rail::ConstraintOptions wheelset_contact(double side, const WheelsetWish& wish) {
  using namespace element::rail;
  static const ProfilePtr wheel = conical(std::tan(wheelset_cone)),
                          rail = circular(wheelset_rail_radius, std::tan(wheelset_cone));
  const Elastic steel{.shear = 7.92e10, .poisson = 0.28};
  static const auto creep = make_creep_law(
      {.law = "tanh", .material = steel, .coefficients = FixedCoefficients{4.72772197, 4.27526987, 1.97203505}});
  const WheelOnRail place{wheel, rail, side, wheelset_radius, wheelset_half, wheelset_half};
  const RollingOptions rolling{
      .creep = creep, .material = steel, .friction = {.value = 0.12}, .slowest = wish.simplified ? 0 : 1e-3};
  return {.place = place,
          .rolling = wish.simplified ? simplified(rolling, place) : rolling,
          .variables = wish.variables,
          .nu = wish.nu};
}

inline Loaded wheelset(const WheelsetWish& wish) {
  Loaded loaded = load_text(fmt::format(R"yaml(skyhook: 1
bodies:
  carriage: {{mass: 1, at: [0, 0, 0.1]}}
  slide: {{mass: 0, at: [0, 0, 0.1]}}
  box: {{mass: 0, at: [0, 0, 0.1]}}
  wheelset: {{mass: 16.08, inertia: [0.366, 0.0605, 0.366], at: [0, 0, 0.1]}}
joints:
  ahead: {{type: prismatic, from: ground, to: carriage, axis: x, drive: "=30[m/s]*t"}}
  place: {{type: translation, from: carriage, to: slide, displacement: [1.1241e-6, 1.4941e-3, 4.0089e-7], velocity: [0, 0, 0]}}
  turn: {{type: universal, from: slide, to: box, axis_1: z, axis_2: x, angle_1: -2.8573e-4, angle_1_rate: 0, angle_2: 2.6459e-4}}
  spin: {{type: revolute, from: box, to: wheelset, axis: y, rate: 300}}
forces:
  lateral: {{type: spring_damper, joint: place.y, stiffness: 12800}}
  longitudinal: {{type: spring_damper, joint: place.x, stiffness: 12800}}
  yaw: {{type: spring_damper, joint: turn.angle_1, angular_stiffness: 462.08}}
  along_axle: {{type: actuator, joint: spin.angle, signal: yaw_along_axle}}
signals:
  yaw_along_axle: "=-462.08[N.m/rad]*turn.angle_1*sin(turn.angle_2)"
outputs: ["*"]
experiments: {{go: {{until: {}, output_step: {}, tolerance: {}, solver: {}{}}}}}
)yaml",
                                        wish.until, wish.output_step, wish.tolerance, wish.solver, wish.more));
  int body = 0;
  for (std::size_t k = 0; k < loaded.model->bodies.size(); ++k) {
    if (loaded.model->bodies[k].name == "wheelset") body = static_cast<int>(k);
  }
  for (const double side : {1.0, -1.0}) {
    model::Marker rail, wheel;
    rail.body = model::ground, wheel.body = body;
    wheel.at = loaded.model->bodies[static_cast<std::size_t>(body)].at;
    const auto options = wheelset_contact(side, wish);
    loaded.model->contributions.push_back(
        {.name = side > 0 ? "left" : "right",
         .type = "wheel_rail",
         .where = {"test.yaml", 7},
         .from = rail,
         .to = wheel,
         .law = wish.nu > 0 ? element::rail::quasi_elastic_contact(options) : element::rail::rigid_contact(options)});
  }
  return loaded;
}

}  // namespace skyhook::testing
