// Reference: the mirror image. A part without any symmetry stands in one model five times: as it is, mirrored at y = 0,
// mirrored at x = 0, mirrored twice at the same plane, and at both. The equations of mechanics do not know left from
// right, so that all bodies must move as mirror images, to rounding. Gravity acts along z and is its own image.
#include <map>

#include "skyhook/element/catalogue.h"
#include "skyhook/io/model_file/named_file.h"
#include "skyhook/io/model_file/reader.testing.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

// Two bodies without symmetry.
const std::string bodies =
    "bodies: {a: {mass: 2, inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.04], at: [0.3, 0.5, 0.2], com: [0.4, 0.55, 0.1], "
    "orientation: {cardan: [0.3, -0.2, 0.5]}, markers: {m: {at: [0.5, 0.7, 0.3], orientation: {x: [1, 0.2, 0.1], y: "
    "[0, "
    "1, 0.3]}}}}, b: {mass: 1.5, inertia: {xx: 0.2, yy: 0.25, zz: 0.3, xz: 0.02}, at: [0.9, 1.1, 0.4], orientation: "
    "{quaternion: [0.8, 0.2, -0.4, 0.4]}}}, ";
// a slides along and turns about a skew axis; b is free
const std::string c_and_f =
    "c: {type: cylindrical, from: ground, to: a, axis: [0.2, 1, 0.3], displacement: 0.1, angle_rate: 0.7, angle: 0.2, "
    "reference_angle: 0.15}, f: {type: free, from: ground, to: b, at: [1, 1, 0.5], displacement: [0.01, 0.02, 0.03], "
    "velocity: [0.3, 0.2, 0.1], angles: [0.1, 0.2, -0.1], angular_velocity: [1, -0.5, 0.3]}";
const std::string free_b = ", f: {type: free, from: ground, to: b, velocity: [0.3, 0.2, 0.1]}";

std::string forces(const std::string& text) { return bodies + "joints: {" + c_and_f + "}, forces: {" + text + "}"; }
std::string joints(const std::string& text) { return bodies + "joints: {" + text + "}"; }

// b stands on a road that a part holds, and a on the same one that the body b carries.
std::string road(const std::string& text) {
  return forces(
             "w: {type: tyre_vertical, road: s, to: b, load: 20, stiffness: 100, damping: 3}, v: {type: tyre_vertical, "
             "road: carried, to: a, radius: 0.9, stiffness: 60, speed: 1}") +
         ", roads: {s: {" + text + "}, carried: {from: b, " + text + "}}";
}

std::string controller(const std::string& text) { return ", controllers: {" + text + ", sample_time: 0.05}}"; }
std::string controlled(const std::string& text) {
  return forces("l: {type: actuator, from: a.m, to: b, signal: s}") + controller("s: {" + text);
}
std::string hooked(const std::string& text) {
  return forces("l: {type: semi_active_damper, from: a.m, to: b, signal: s}") +
         controller("s: {" + text + ", damper_velocity: l.rate, gain: 20, minimum_damping: 5, maximum_damping: 50");
}

const std::map<std::string, std::string> parts{
    {"fixed", joints("j: {type: fixed, from: ground, to: a}" + free_b)},
    {"revolute",
     joints("j: {type: revolute, from: ground, to: a, axis: [0.2, 1, 0.3], at: [0.1, 0.2, 0.3], angle: 0.3, "
            "rate: 1.5, reference: 0.1}, k: {type: revolute, from: a, to: b, drive: "
            "\"=0.3*sin(2[1/s]*t)\"}")},
    {"prismatic",
     joints("j: {type: prismatic, from: ground, to: a, axis: [0.2, 1, 0.3], displacement: 0.1, rate: 0.4}, "
            "k: {type: prismatic, from: a, to: b, axis: -y, drive: {table: [[0, 0], [0.2, 0.1], [1, 0.05], "
            "[2, 0]]}}")},
    {"cylindrical", joints("j: {type: cylindrical, from: ground, to: a, axis: [0.2, 1, 0.3], displacement_rate: 0.4, "
                           "reference_displacement: 0.3, reference_angle: 0.1}, k: {type: cylindrical, from: a, to: b, "
                           "axis: [1, 1, 0], drive_angle: \"=0.3*t/1[s] + 0.1*(t/1[s])^2\", displacement: 0.05}") +
                        ", initial: {j.angle: 0.2, j.angle_rate: 0.6}"},
    {"universal",
     joints("j: {type: universal, from: ground, to: a, axis_1: [1, 0.5, 0], axis_2: [-0.5, 1, 0], angle_1: "
            "0.2, angle_2_rate: 1, reference_2: 0.1}, k: {type: universal, from: a, to: b, axis_1: x, "
            "axis_2: z, drive_1: \"=t/1[s]\"}")},
    {"spherical", joints("j: {type: spherical, from: ground, to: a, at: [0.1, 0.2, 0.9], angles: [0.1, 0.2, 0.3], "
                         "angular_velocity: [1, 2, -1]}, k: {type: spherical, from: a, to: b, drive_angle_x: "
                         "\"=0.2*t/1[s]\", angles: [0, 0.1, 0.2]}")},
    {"planar",
     joints("j: {type: planar, from: ground, to: a, axis: [0.2, 1, 0.5], displacement_1: 0.1, "
            "displacement_2_rate: 0.3, angle_rate: 1, reference_1: 0.05}, k: {type: planar, from: a, to: b, "
            "plane: xy, displacement_1: 0.1, drive_2: \"=0.2[m/s]*t\", angle: 0.2, reference_angle: 0.1}") +
         ", forces: {s: {type: spring_damper, joint: j.u, stiffness: 20, preload: 3}, q: {type: force, joint: "
         "j.v, value: \"=2[N] - 3[N/m]*q\"}, r: {type: torque, joint: k.angle, value: \"=1[N.m] - 2[N.m]*q\"}}"},
    {"free",
     joints("j: {type: free, from: ground, to: a, velocity: [1, 2, 3], displacement: [0.1, 0.2, 0.3]}, k: {type: "
            "free, from: ground, to: b, coordinates: cardan, angles: [0.1, 0.2, 0.3], drive_y: "
            "\"=0.3[m/s]*t\"}") +
         ", initial: {j.angle_x: 0.1, j.angular_velocity_z: 2, k.x_rate: 0.4, k.angle_z_rate: 0.5}"},
    {"rod",
     joints("f: {type: spherical, from: ground, to: a, at: [0, 0.1, 1]}, g: {type: free, from: ground, to: b}, r: "
            "{type: rod, from: a.m, to: b, to_at: [0.8, 1, 0.1]}, s: {type: rod, from: ground, to: b, from_at: [1, "
            "2, 1], drive: \"=1.2[m] + 0.1[m/s]*t\"}")},
    {"point_on_curve",
     joints("c: {type: cylindrical, from: ground, to: a, axis: [0.2, 1, 0.3], angle_rate: 0.5}" + free_b +
            ", w: {type: point_on_curve, from: a.m, to: b, points: [[0.5, 0, 0.1], [0, 0.6, -0.1], [-0.5, 0, 0.2], [0, "
            "-0.6, 0]], closed: true}, x: {type: point_on_curve, from: ground, to: b, to_at: [1.2, 1.1, 0.4], x: "
            "=1.2+0.1*sin(s), y: =1.1+s, z: =0.4+0.2*s, range: [-9, 9]}")},
    {"point_on_line",
     "bodies: {wire: {beam: {from: [0.5, 1.1, 0.3], to: [1.4, 1.2, 0.5], elements: 2, type: cable, round: 0.1, young: "
     "2000, density: 100}}, " +
         bodies.substr(std::string("bodies: {").size()) + "joints: {" + c_and_f +
         ", w: {type: point_on_line, from: wire, to: b, damping: 3}}"},
    {"guide",
     joints(
         "g: {type: guide, from: ground, to: a, x: =0.3+0.1*sin(s), y: =0.5+s, z: =0.2+0.2*s+0.1*s^2, range: [-3, 3], "
         "up: [0.3, 0.1, 1], rate: 0.4}, h: {type: guide, from: a.m, from_at: [0.9, 1.1, 0.4], to: b, points: [[0.5, "
         "0, 0.1], [0, 0, 0], [-0.5, 0.1, -0.2], [-1, 0.1, 0.3]], position: 0.6}") +
         ", forces: {s: {type: spring_damper, joint: h.position, stiffness: 20, preload: 3}}"},
    {"wheel_rail",  // above its rail
     forces("w: {type: wheel_rail, track: m, to: {body: b, orientation: {x: [1, 0, 0], y: [0, 1, 0]}}, side: left, "
            "wheel: s1002, "
            "radius: 0.3, half: 0, rail_half: 1.1}") +
         ", tracks: {m: {rail: uic60}}"},
    {"track",
     joints("t: {type: track, track: m, to: a, speed: 3, lateral: 0.52, lateral_rate: 0.3, yaw: 0.1, yaw_rate: 0.5, "
            "roll: -0.1, roll_rate: 0.2, "
            "pitch: 0.3, pitch_rate: 1}" +
            free_b) +
         ", tracks: {m: {layout: [{type: transition, length: 1, shape: bloss}, {type: curve, length: 30, radius: 10, "
         "turn: left, cant: 0.2}]}}"},
    {"line",
     joints("t: {type: track, track: m, to: a, speed: 3, lateral_rate: 0.3, roll_rate: 0.2}" + free_b) +
         ", tracks: {m: {type: line, gauge: 1, pivot: centre, curvature: {table: [[0, 0.1], [1, 0.2], [20, 0.1]]}, "
         "cant: {table: [[0, 0], [5, 0.1], [20, 0]]}}}"},
    {"curve_contact",
     joints(
         "p: {type: planar, from: ground, to: a, plane: xz, angle_rate: 0.5}, q: {type: planar, from: ground, to: b, "
         "plane: xz, displacement_1_rate: 0.2}, k: {type: curve_contact, from: {body: a, orientation: {x: [1, 0, 0], "
         "y: [0, 1, 0]}}, to: {body: b, orientation: {x: [1, 0, 0], y: [0, 1, 0]}}, from_points: [[0.4, 0], [0, 0.3], "
         "[-0.2, 0], [0, -0.25]], from_closed: true, to_x: =0.3*cos(s), to_z: =0.25*sin(s), to_range: [0, =2*pi], "
         "to_closed: true, rolling: true}")},
    {"coupler",
     joints("c: {type: cylindrical, from: ground, to: a, axis: [0.2, 1, 0.3], angle_rate: 1}, d: {type: "
            "cylindrical, from: ground, to: b, axis: [1, 0.3, 0], displacement_rate: 0.5}, k: {type: coupler, "
            "coordinate_1: c.angle, coordinate_2: d.displacement, ratio_2: 2, coordinate_3: d.angle}, l: "
            "{type: coupler, coordinate_1: c.displacement, coordinate_2: d.angle, drive: "
            "\"=0.1*t/1[s]\"}")},
    {"gear", joints("c: {type: cylindrical, from: ground, to: a, axis: [0.2, 1, 0.3], angle_rate: 1}, d: {type: "
                    "revolute, from: ground, to: b, axis: [1, 0.3, 0]}, g: {type: gear, joint_1: c.angle, joint_2: "
                    "d.angle, ratio: 2}")},
    {"in_plane",
     joints(
         "j: {type: in_plane, from: ground, to: a, axis: [0.2, 1, 0.5], displacement_1: 0.1, displacement_2_rate: 0.3, "
         "angular_velocity: [1, 2, -1]}, k: {type: in_plane, from: a, to: b, plane: xy, displacement_1_rate: 0.2, "
         "drive_2: \"=0.2[m/s]*t\", angles: [0.1, 0.2, 0.3]}")},
    {"translation",
     joints(
         "j: {type: translation, from: ground, to: a, displacement: [0.1, 0.2, 0.3], velocity: [0.5, 0.2, -0.1]}, k: "
         "{type: translation, from: a, to: b, velocity: [0.1, 0.2, 0.3], drive_y: \"=0.3[m/s]*t\"}")},
    {"leaf_spring",
     forces(
         "l: {type: leaf_spring, from: a.m, to: b, along: [0.2, 0.3, 1], stiffness: 100, preload: 5, damping: 2, "
         "friction: 3, friction_ratio: 0.1, friction_travel: 0.05, stop_length: 0.05, stop_stiffness: 200}, m: {type: "
         "leaf_spring, from: ground, to: b, force: {table: [[-1, -20], [0, 0], [1, 10]]}}")},
    {"air_spring",
     forces(
         "l: {type: air_spring, from: a.m, to: b, load: 20, area: 3 cm^2, volume: 1 l}, m: {type: air_spring, from: "
         "ground, to: b, along: [0.3, 0.2, 1], load: 15, area: 3 cm^2, volume: 1 l, tank_volume: 2 l, orifice: 1e-8}")},
    {"brake", forces("s: {type: brake, joint: c.angle, pressure: \"=1[bar]*ramp(t, 0.1[s], 0.2[s])\", "
                     "torque_per_pressure: 0.3 N.m/bar}")},
    {"spring_damper", forces("l: {type: spring_damper, from: a.m, to: b, stiffness: 100, damping: 3, preload: 5}, u: "
                             "{type: spring_damper, from: a.m, to: b, about: [0.3, 1, -0.2], angular_stiffness: 2, "
                             "angular_damping: 0.1, angular_preload: 0.3}, w: {type: spring_damper, from: a, to: b, "
                             "along: [0.3, 1, -0.2], stiffness: 20, preload: 1}, q: "
                             "{type: spring_damper, joint: c.angle, angular_stiffness: 5, free_angle: 0.4, "
                             "angular_preload: 1, damper_moment: \"=2[N.m.s]*v + 1[N.m.s^2]*v^2\"}, r: {type: "
                             "spring_damper, joint: c.angle, moment: {table: [[-1, -2], [0, 0.5], [1, 4]]}}, y: {type: "
                             "spring_damper, joint: f.y, stiffness: 10, free_length: 0.1, force: ~}")},
    {"rubber_bushing",
     forces("h: {type: rubber_bushing, from: a.m, to: b, stiffness: [100, 200, 300], angular_stiffness: [5, 6, 7], "
            "branches: [[30, 20, 10]], angular_branches: [[1, 2, 3]], branch_times: [0.05], friction: [2, 3, 4], "
            "friction_stiffness: [50, 60, 70], angular_friction: [0.1, 0.2, 0.3], angular_friction_stiffness: [2, 3, "
            "4]}")},
    {"track_mass",
     forces(
         "h: {type: track_mass, from: a.m, to: b, mass: 0.7, stiffness: 40, damping: 2, radius: 1, contact_stiffness: "
         "30, contact_damping: 0.1, deflection: 0.1}, k: {type: track_mass, from: ground, to: b, mass: 2, stiffness: "
         "50, radius: 0.4, deflection_rate: 0.3}")},
    {"bushing",
     forces(
         "h: {type: bushing, from: a.m, to: b, stiffness: [100, 200, 300], damping: [1, 2, 3], "
         "angular_stiffness: [5, 6, 7], angular_damping: [0.1, 0.2, 0.3], force: [1, 2, 3], moment: [0.1, "
         "-0.2, 0.3]}, i: {type: bushing, from: a.m, to: b, spring_x: {table: [[-1, -20], [0, 0], [2, 90]]}, spring_y: "
         "\"=30[N/m]*x + 20[N/m^2]*x^2\", damper_z: {table: [[-1, -2], [0, 0], [1, 5]]}, angular_spring_x: \"=2[N.m]*x "
         "+ "
         "1[N.m]*x^2\", angular_spring_z: {table: [[-2, -3], [0, 0], [1, 4]]}, angular_damper_y: \"=0.2[N.m.s]*v + "
         "0.1[N.m.s^2]*v^2\"}")},
    {"bump_stop",
     forces("s: {type: bump_stop, joint: c.angle, engage_angle: 0.1, engage_angle_max: 0.3, "
            "angular_stiffness: 50, angular_depth: 0.05}, u: {type: bump_stop, joint: f.y, "
            "engage_length_max: 0.05, stiffness: 500}, l: {type: bump_stop, from: a, to: b, engage_length: "
            "1.2, stiffness: 1000}")},
    {"force",
     forces("f1: {type: force, from: a.m, to: b, x: \"=3[N] - 2[N/m]*y\", y: \"=1[N.s/m]*vz*x/1[m] - 2[N]\", z: "
            "\"=1[N] + 1[N/m^2]*x*y\"}, f2: {type: force, joint: c.displacement, value: \"=2[N] - 3[N/m]*q\"}, "
            "f3: {type: force, joint: f.y, value: \"=2[N]*cos(t/1[s]) - 3[N/m^2]*q^2\"}, f4: {type: force, from: "
            "ground, to: a, y: 3}, f5: {type: force, from: a, to: b, axes: to, x: 1, y: \"=2[N] + 1[N/m]*z\", z: 3}")},
    {"torque",
     forces("t1: {type: torque, from: a.m, to: b, x: \"=0.1[N.m] + 0.2[N.m.s]*wy\", y: -0.1, z: "
            "\"=-0.1[N.m.s^2]*wx*wz\"}, t2: {type: torque, joint: c.angle, value: \"=2[N.m]*sin(t/1[s]) - "
            "1[N.m]*q - 0.3[N.m]*q^2 - 0.1[N.m.s]*qd\"}, t3: {type: torque, from: a.m, to: b, about: [0.3, 1, -0.2], "
            "value: \"=0.3[N.m]*sin(q) - 0.1[N.m.s]*qd\"}")},
    {"actuator",
     forces("l: {type: actuator, from: a, to: b, force: \"=5[N] - 2[N.s/m]*v\"}, q: {type: actuator, joint: "
            "c.angle, moment: \"=1[N.m] - 2[N.m]*x + 0.2[N.m]*x^2 + 0.1[N.m.s]*v*t/1[s]\", moment_limit: 3}, "
            "r: {type: actuator, joint: c.angle, moment_table: [[0, 0], [1, 2], [2, -1]]}")},
    {"tyre_vertical",
     forces("w: {type: tyre_vertical, from: ground, to: b, load: 20, stiffness: 100, damping: 3, profile: "
            "\"=0.1[m]*sin(2*x/1[m])\", bump_height: 0.1, bump_length: 0.2, bump_at: 0.9, step_at: 1.05, step_height: "
            "-0.05}, m: {type: tyre_vertical, from: a.m, to: b, radius: 3, stiffness: 50, profile: [[-1, 0], [0, 0.1], "
            "[2, "
            "0]]}, p: {type: tyre_vertical, from: ground, to: a, load: 10, stiffness: 100, speed: 2, profile: "
            "\"=0.1[m]*sin(2*x/1[m])\"}")},
    {"tyre_linear",
     forces("w: {type: tyre_linear, from: ground, to: b, radius: 0.6, stiffness: 100, damping: 3, slip_stiffness: 30, "
            "cornering_stiffness: 20, camber_stiffness: 5, trail: 0.1, friction: 0.8, relaxation_x: 0.3, relaxation_y: "
            "0.2, profile: \"=0.05[m]*sin(2*x/1[m])\"}, m: {type: tyre_linear, from: a.m, to: b, radius: 1, "
            "stiffness: 50, cornering_stiffness: 20, spin: free}")},
    {"tyre_calspan",
     forces("w: {type: tyre_calspan, from: ground, to: b, radius: 0.6, stiffness: 100, a0: 20, a1: 5, a2: 80, a3: 2, "
            "a4: 90, b3: 1.1, b1: -0.01, af1: -0.002, af2: 0.002, relaxation_y: 0.2}")},
    {"tyre_fiala",
     forces("w: {type: tyre_fiala, from: ground, to: b, radius: 0.6, stiffness: 100, slip_stiffness: 30, "
            "cornering_stiffness: 20, camber_stiffness: 5, friction: 0.8, trail: 0.1, relaxation_x: 0.3, relaxation_y: "
            "0.2}")},
    {"tyre_tmeasy",
     forces("w: {type: tyre_tmeasy, from: ground, to: b, radius: 0.6, stiffness: 100, nominal_load: 15, slope_x: [400, "
            "600], peak_slip_x: [0.1, 0.12], peak_x: [13, 24], sliding_slip_x: [0.4, 0.5], sliding_x: [12, 22], "
            "slope_y: [300, 500], peak_slip_y: [0.15, 0.17], peak_y: [12, 23], sliding_slip_y: [0.4, 0.5], sliding_y: "
            "[11, 21], camber_factor: 0.2, trail: 0.1, relaxation_x: 0.3, relaxation_y: 0.2}")},
    {"tyre_magic_formula", forces("w: {type: tyre_magic_formula, from: ground, to: b, file: \"" SKYHOOK_SOURCE_DIR
                                  "/models/road/tyres/185_80R14.tir\", side: -1, spin: free}")},
    {"contact",
     forces(
         "g: {type: contact, from: ground, to: b, from_at: [0.5, 0, 0.3], radius: 0.25, stiffness: 2000, depth: 0.1, "
         "damping: 0.1, friction: 0.4, slip_speed: 0.5, profile: \"=0.05[m]*sin(2*x/1[m])\"}, h: {type: contact, from: "
         "a.m, to: b, radius: 1, stiffness: 100, depth: 1, profile: \"=0.1[m]*sin(x/1[m])\"}")},
    {"coulomb",
     forces("l: {type: coulomb, from: a, to: b, sliding_force: 3, slip_speed: 0.1}, q: {type: coulomb, joint: c.angle, "
            "sliding_moment: 0.2, static_moment: 0.3, angular_slip_speed: 0.2}")},
    {"rigid_contact",
     forces("g: {type: rigid_contact, from: ground, to: b, radius: 0.1, restitution: 0.5}, p: {type: rigid_contact, "
            "from: a.m, to: b, with: profile, radius: 0.05, profile: \"=0.1*x - 3[m]\"}, s: {type: rigid_contact, "
            "from: a, to: b, with: sphere, radius: 0.1, other_radius: 0.05}")},
    {"stick_slip",
     forces("s: {type: stick_slip, joint: c.angle, angular_hold: 0.02}, t: {type: stick_slip, joint: f.y, "
            "hold: 0.3, slide: 0.2}")},
    {"semi_active_damper",
     forces("l: {type: semi_active_damper, from: a.m, to: b, signal: s, maximum_damping: 50}, q: {type: "
            "semi_active_damper, joint: c.angle, angular_damping: 3}") +
         controller("s: {type: expression, inputs: {x: l.length}, outputs: {c: =20*x}, initial: 12")},
    {"pid", controlled("type: pid, input: l.length, setpoint: 1, kp: 20, ki: 5, initial: 4")},
    {"state_space", controlled("type: state_space, inputs: [l.length, l.rate], A: 0.5, B: [[1, 2]], C: 3, initial: 4")},
    {"lookup", controlled("type: lookup, input: a.vz, table: [[-1, 5], [1, -5]], initial: 4")},
    {"skyhook", hooked("type: skyhook, body_velocity: b.vz")},
    {"groundhook", hooked("type: groundhook, wheel_velocity: a.vz")},
    {"input", forces("l: {type: actuator, from: a.m, to: b, signal: s}") +
                  ", controllers: {s: {type: input, unit: N, value: 3}}"},
    {"expression", controlled("type: expression, inputs: {v: l.rate}, memory: {r: 3}, next: {r: =r + v}, outputs: {F: "
                              "=r - v}, initial: 4")},
    {"maxwell", forces("l: {type: maxwell, from: a.m, to: b, stiffness: 100, damping: 5}, q: {type: maxwell, joint: "
                       "c.angle, angular_stiffness: 5, angular_damping: 0.3, free_angle: 0.4}")},
    {"lag_actuator",
     forces("l: {type: lag_actuator, from: a, to: b, time_constant: 0.1, force: \"=5[N] - 2[N.s/m]*v\"}, q: {type: "
            "lag_actuator, joint: c.angle, time_constant: 0.2, moment: \"=1[N.m] - 2[N.m]*x\", moment_limit: 3}")},
    {"hydraulic_damper",
     forces("l: {type: hydraulic_damper, from: a.m, to: b, piston_area: 90 mm^2, rod_area: 15 mm^2, rebound_area: 4 "
            "mm^2, compression_area: 8 mm^2, base_area: 3 mm^2, compression_volume: 0.15 l, rebound_volume: 0.1 l}")},
    {"hydraulic_actuator",
     forces("l: {type: hydraulic_actuator, from: a.m, to: b, piston_area: 1 cm^2, rod_area: 0.5 cm^2, push_volume: 0.5 "
            "l, pull_volume: 0.4 l, valve_area: 1 mm^2, supply: 1 bar, opening: \"=0.1*t/1[s]\"}")},
    {"joint_friction",
     joints("c: {type: revolute, from: ground, to: a, axis: [0.2, 1, 0.3], at: [0.1, 0.2, 0.9]}, d: {type: prismatic, "
            "from: ground, to: b, axis: [1, 0.3, 0]}") +
         ", forces: {r: {type: joint_friction, joint: c, coefficient: 0.2, radius: 20 mm, stick_speed: 0.1}, s: {type: "
         "joint_friction, joint: d, coefficient: 0.3, stick_speed: 0.1}}"},
    {"flat",
     road("type: flat, friction: 0.5, lift: \"=0.2[m/s]*t\", patches: [{x: [0, 1], y: [0, 2], friction: 0.1}]")},
    {"ramp", road("type: ramp, slope: 0.3, at: 0.4, bank: 0.2, rounding: 0.5")},
    {"bump", road("type: bump, height: 0.2, length: 0.7, at: 0.7, y: [0.2, 0.9], flank: 0.5")},
    {"cosine", road("type: cosine, height: 0.2, length: 0.7, at: 0.1, count: 3")},
    {"stair", road("type: stair, at: 0.95, height: 0.1")},
    {"sine", road("type: sine, amplitude: 0.1, wavelength: 0.8, at: 0.2")},
    {"sine_sweep", road("type: sine_sweep, amplitude: 0.1, wavelengths: [1, 0.3], length: 4, at: -1.2")},
    {"iso8608", road("type: iso8608, class: H, length: 40, wavelengths: [0.5, 20]")},
    {"profile",
     road("type: profile, left: [[-1, 0], [0, 0.1], [2, 0]], right: [[-1, 0.2], [1, 0], [2, 0.1]], track: 2")},
    {"surface", road("type: surface, height: \"=0.1[m]*sin(x/0.3[m] + y/0.5[m])\"")},
    {"posts", road("type: posts, front: 0.8, rear: -2, front_left: \"=0.3[m/s]*t\"")},
    {"crg", road("type: crg, file: " SKYHOOK_SOURCE_DIR "/models/road/bend.crg")},
    {"plugin", forces("p1: {type: plugin, library: " SKYHOOK_PLUGINS
                      "/skew_law.so, from: a.m, to: b, parameters: {scale: 2}}, p2: "
                      "{type: plugin, library: " SKYHOOK_PLUGINS "/skew_law.so, from: ground, to: a}")}};

// Some name files.
model::Model read(const std::string& text, const std::vector<Setting>& set = {}, const std::string& experiment = "") {
  ReadOptions options;
  options.open = model_file::bytes_on_disk;
  return read_model_text(text, "m.yaml", set, experiment, options);
}

struct Poses : simulation::MemorySink {
  std::vector<std::vector<double>> poses;
  void sample(const simulation::Sample& s) override {
    MemorySink::sample(s);
    if (s.side == 0) poses.emplace_back(s.poses.begin(), s.poses.end());
  }
};

std::string five_times(std::string part) {
  if (const auto at = part.find(", force: ~"); at != std::string::npos) part.erase(at, 10);
  return "skyhook: 1\ntemplates:\n  t: {" + part +
         "}\nuse:\n  left: {template: t}\n  right: {template: t, mirror: y}\n  front: {template: t, mirror: x}\n"
         "  back: {mirror: y, use: {in: {template: t, mirror: true}}}\n"
         "  both: {mirror: x, use: {in: {template: t, mirror: y}}}\n"
         "experiments: {e: {until: 0.4, output_step: 0.04, tolerance: 1e-8}}\n";
}

Poses run(const model::Model& m) {
  auto shared = std::make_shared<model::Model>(m);
  auto prepared = simulation::prepare(shared, m.experiments[0]);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  Poses sink;
  simulation::simulate(prepared, m.experiments[0], sink);
  REQUIRE_MESSAGE(sink.summary.status == simulation::RunStatus::finished, sink.summary.reason);
  return sink;
}

const double* pose(const Poses& r, std::size_t sample, const std::string& body) {
  for (std::size_t b = 0; b < r.info.bodies.size(); ++b) {
    if (r.info.bodies[b].name == body) return r.poses[sample].data() + 7 * b;
  }
  FAIL("no body " << body);
  return nullptr;
}

// Largest difference between a body and the mirror image of its model, at all samples.
double difference(const Poses& r, const std::string& model, const std::string& image, const Vec3d& s) {
  double worst = 0;
  const double det = s.x * s.y * s.z;
  for (std::size_t i = 0; i < r.poses.size(); ++i) {
    const double *p = pose(r, i, model), *q = pose(r, i, image);
    const double same = p[3] * q[3] + det * (s.x * p[4] * q[4] + s.y * p[5] * q[5] + s.z * p[6] * q[6]);
    const double turn = same < 0 ? -1.0 : 1.0;  // q and -q are the same rotation
    for (int k = 0; k < 3; ++k) {
      worst = std::max(worst, std::abs(q[k] - s[k] * p[k]));
      worst = std::max(worst, std::abs(turn * q[4 + k] - det * s[k] * p[4 + k]));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("Each element moves as the mirror image of itself where its part is mirrored") {
  for (const element::ElementType& type : element::catalogue()) {
    CAPTURE(type.name);
    if (type.section == std::string("profiles")) continue;  // stand nowhere: wheels and rails place them
    REQUIRE_MESSAGE(parts.count(type.name) == 1, "an element of the catalogue without test of its mirror image");
    if (type.name == std::string("wheel_rail")) continue;  // refuses to be mirrored at x: the next test
    const model::Model m = read(five_times(parts.at(type.name)));
    const Poses r = run(m);
    double moved = 0;
    for (const char* body : {"a", "b"}) {
      CAPTURE(body);
      const std::string name = std::string(".") + body;
      const Vec3d first{pose(r, 0, "left" + name)[0], pose(r, 0, "left" + name)[1], pose(r, 0, "left" + name)[2]};
      const double* last = pose(r, r.poses.size() - 1, "left" + name);
      moved = std::max(moved, norm(Vec3d{last[0], last[1], last[2]} - first));
      CHECK(difference(r, "left" + name, "right" + name, {1, -1, 1}) < 1e-9);
      CHECK(difference(r, "left" + name, "front" + name, {-1, 1, 1}) < 1e-9);
      CHECK(difference(r, "left" + name, "back.in" + name, {1, 1, 1}) < 1e-9);
      CHECK(difference(r, "left" + name, "both.in" + name, {-1, -1, 1}) < 1e-9);
    }
    CHECK(moved > 0.01);  // else the test would say nothing
    const model::Model again = read(m.expanded);
    CHECK(again.expanded == m.expanded);
    const Poses r2 = run(again);
    CHECK(r2.poses == r.poses);  // bit for bit
    CHECK(r2.states == r.states);
  }
}

// A wheel with a flange rolls aside on the left rail, and its image on the right one.
TEST_CASE("A wheel on a rail moves as its mirror image on the other rail, and is not mirrored at x") {
  const auto text = [](const std::string& image) {
    return "skyhook: 1\ntracks: {m: {rail: uic60, inclination: 0.025}}\ntemplates:\n  t:\n"
           "    bodies: {w: {mass: 500, inertia: [40, 80, 40], at: [0, 0.75, 0.46]}}\n"
           "    joints: {f: {type: free, from: ground, to: w, velocity: [5, 0.1, 0], angular_velocity: [0, 10, 0.2]}}\n"
           "    forces: {c: {type: wheel_rail, track: $parent.m, to: w, side: left, wheel: s1002, radius: 0.46, half: "
           "0, creep: polach}}\n"
           "use:\n  left: {template: t}\n  right: {template: t, mirror: " +
           image +
           "}\n"
           "experiments: {e: {until: 0.04, output_step: 0.004, tolerance: 1e-8}}\n";
  };
  const Poses r = run(read(text("y")));
  CHECK(difference(r, "left.w", "right.w", {1, -1, 1}) < 1e-9);
  CHECK(std::abs(pose(r, r.poses.size() - 1, "left.w")[1] - 0.75) > 1e-3);
  CHECK(has(errors_of(text("x")), "mirrored at x"));
}

// Toggles the first element of its kind, in both directions, in a run. What cannot be read at first is left out.
std::vector<std::string> ends_of_toggling(const element::ElementType& type) {
  std::string part = parts.at(type.name);
  if (const auto at = part.find(", force: ~"); at != std::string::npos) part.erase(at, 10);
  const std::string mark = "type: " + type.name;
  part.insert(part.find(mark), "if: =there, ");
  std::vector<std::string> ends;
  for (const std::string first : {"true", "false"}) {
    const std::string text =
        "skyhook: 1\nparameters: {there: " + first + "}\nuse: {p: {template: t}}\ntemplates:\n  t: {" + part +
        "}\nevents: {toggle: {at: 0.02, do: {set: {there: " + (first == "true" ? "false" : "true") +
        "}}}}\nexperiments: {e: {until: 0.04, output_step: 0.01}}\n";
    simulation::Prepared p;
    model::Model m;
    try {
      m = read(text, {}, "e");
      p = simulation::prepare(std::make_shared<model::Model>(m), m.experiments[0]);
    } catch (const ModelError&) {
      continue;
    }
    if (!p.ok()) continue;
    simulation::MemorySink sink;
    simulation::RunOptions options;
    options.reread = [&](const auto& changes) {
      std::vector<Setting> set;
      for (const auto& [name, value] : changes) set.push_back({name, value});
      return std::make_shared<const model::Model>(read(text, set, "e"));
    };
    try {
      const auto s = simulation::simulate(p, m.experiments[0], sink, options);
      ends.push_back(s.status == simulation::RunStatus::failed ? s.reason : to_text(s.status));
    } catch (const ModelError& e) {
      if (!sink.steps.empty()) ends.push_back(e.what());  // in mid-run
    }
  }
  return ends;
}

// Reference: memory. Equations of another structure have states and rows of other numbers, so that whoever goes on with the
// old ones writes beside them; make sanitize would show it.
TEST_CASE("An event that brings in or removes an element of any kind is refused, by name") {
  for (const element::ElementType& type : element::catalogue()) {
    CAPTURE(type.name);
    if (type.section == std::string("profiles")) continue;  // nothing of the structure
    const std::vector<std::string> ends = ends_of_toggling(type);
    CHECK(!ends.empty());
    for (const std::string& end : ends) {
      CAPTURE(end);
      CHECK(has(end, "An event sets a parameter, but the run cannot go on with it: "));
      CHECK(has(end, "p."));  // the element, or what refers to it
    }
  }
}

TEST_CASE("Mirrored fields are in the expanded model") {
  const auto joint = [](const std::string& use) {
    return read_model_text(
               "skyhook: 1\ntemplates: {t: {bodies: {b: {mass: 1, inertia: [1, 1, 1, 0.1, 0.2, 0.3], at: [1, "
               "2, 3], orientation: {x: [1, 1, 0], y: [0, 1, 1]}}, o: {mass: 1}}, joints: {j: {type: "
               "revolute, from: ground, to: b}, k: {type: free, from: ground, to: o}}, forces: {s: {type: "
               "spring_damper, from: ground, to: b}}, markers: {g: {body: ground}}}}\nuse: {p: " +
                   use + "}\n",
               "m.yaml")
        .expanded;
  };
  const std::string text = joint("{template: t, mirror: y, move: [10, 20, 30]}");
  CHECK(has(text, "at: [11, 18, 33]"));
  CHECK(has(text, "inertia: [1, 1, 1, -0.1, 0.2, -0.3]"));
  CHECK(has(text, "orientation: {x: [1, -1, 0], y: [0, 1, -1]}"));
  CHECK(has(text, "p.j: {type: revolute, from: ground, to: p.b, axis: [0, 0, -1]}"));
  CHECK(has(text, "p.o: {mass: 1, at: [10, 20, 30]}"));
  CHECK(has(text, "from: {body: ground, at: [10, 20, 30]}"));
  CHECK(has(text, "p.g: {body: ground, at: [10, 20, 30]}"));
  CHECK(has(joint("{template: t, mirror: false}"), "at: [1, 2, 3]"));
  CHECK(has(joint("{template: t, mirror: none}"), "at: [1, 2, 3]"));
  CHECK(has(joint("{mirror: y, move: [0, 1, 0], use: {q: {template: t, move: [0, 5, 0]}}}"), "at: [1, -6, 3]"));
}

TEST_CASE("Coordinates outside of a mirrored part take its sign if the mirror plane allows it") {
  const auto rack = [](const std::string& axis, const std::string& more = "") {
    return "skyhook: 1\ntemplates: {t: {forces: {f: {type: force, joint: $parent.j, value: \"=1[N] - 2[N/m]*q\"}" +
           more +
           "}}}\nbodies: {rack: {mass: 1, orientation: {cardan: [0, 0, 0.3]}}, c: {mass: 1}}\njoints: {j: {type: "
           "prismatic, from: ground, to: rack, axis: " +
           axis + "}, k: {type: free, from: ground, to: c}}\nuse: {l: {template: t}, r: {template: t, mirror: y}}\n";
  };
  const model::Model m = read_model_text(rack("y"), "m.yaml");
  CHECK(m.contributions[0].coordinate->force(0.5, 0, 0) == 0.0);
  CHECK(m.contributions[1].coordinate->force(0.5, 0, 0) == -2.0);  // -(1 - 2 (-0.5))
  CHECK(read_model_text(rack("x"), "m.yaml").contributions[1].coordinate->force(0.5, 0, 0) == 0.0);
  CHECK(has(errors_of(rack("[1, 1, 0]")), "neither along nor across the mirror plane"));
  CHECK(has(errors_of(rack("y", ", b: {type: bushing, from: $parent.rack, to: $parent.c, stiffness: [1, 2, 3]}")),
            "force \"r.b\": stiffness is given in the axes of `from`, which lies outside of the mirrored part"));
  CHECK(has(errors_of(rack("y", ", b: {type: plugin, from: $parent.rack, to: $parent.c, library: a.so}")),
            "force \"r.b\": library is given in the axes of `from`, which lies outside of the mirrored part"));
}

// Both mirrors together are none, but the joint stands in the outer one only.
TEST_CASE("A mirrored part in a mirrored part moves a joint of the outer one as its mirror image") {
  const std::map<std::string, std::string> inner{
      {"force", "forces: {k: {type: spring_damper, joint: $parent.rz, angular_preload: 1 N.m}}"},
      {"formula", "forces: {k: {type: torque, joint: $parent.rz, value: \"=1[N.m] - 2[N.m]*q\"}}"},
      {"stop",
       "forces: {k: {type: bump_stop, joint: $parent.rz, engage_angle: 0.1, angular_stiffness: 50}, s: "
       "{type: bump_stop, joint: $parent.rz, engage_angle_max: 0.3, angular_stiffness: 20}}"},
      {"initial", "initial: {$parent.rz.rate: 0.7}"},
      {"coupler",
       "joints: {k: {type: coupler, coordinate_1: $parent.rz.angle, coordinate_2: $parent.sx.displacement, "
       "drive: \"=0.2*t/1[s]\"}}"}};
  for (const auto& [name, part] : inner) {
    CAPTURE(name);
    const Poses r = run(read_model_text(
        "skyhook: 1\ngravity: off\ntemplates:\n  inner: {" + part +
            "}\n  outer: {bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1}}, joints: {rz: {type: revolute, "
            "from: ground, to: a, axis: z}, sx: {type: prismatic, from: ground, to: b, axis: x}}, use: {in: "
            "{template: inner, mirror: y}}}\nuse: {l: {template: outer}, r: {template: outer, mirror: y}}\n"
            "experiments: {e: {until: 0.4, output_step: 0.04, tolerance: 1e-8}}\n",
        "m.yaml"));
    CHECK(std::abs(pose(r, r.poses.size() - 1, "l.a")[6]) > 0.01);
    CHECK(difference(r, "l.a", "r.a", {1, -1, 1}) < 1e-9);
    CHECK(difference(r, "l.b", "r.b", {1, -1, 1}) < 1e-9);
  }
}

TEST_CASE("A mirror that is none is reported") {
  CHECK(has(errors_of("skyhook: 1\ntemplates: {t: {}}\nuse: {a: {template: t, mirror: xy}}\n"),
            "part \"a\": mirror is \"xy\", but must be x, y, z, true, false or none."));
}
