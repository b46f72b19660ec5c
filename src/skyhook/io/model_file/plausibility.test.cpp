// Reference: what a user should be told of a file that reads well and may yet be a slip, and that honest files are left alone.
#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

std::string warnings_of(const std::string& text) {
  std::string all;
  for (const Warning& w : read_model_text(text, "m.yaml").warnings) all += to_string(w) + "\n";
  return all;
}

}  // namespace

TEST_CASE("Plausibility: an inertia that no rigid body has is a warning") {
  CHECK(warnings_of(pendulum("mass: 1, inertia: [1, 5, 2]")) ==
        "m.yaml:3:27: body \"bob\": inertia about the principal axis y is 5 kg.m^2, more than the sum of the others, 1 "
        "+ 2: "
        "no rigid body has that. Check the values; reflected inertia and planar models are valid cases. [inertia]\n");
  CHECK(warnings_of(pendulum("mass: 1, inertia: [1, 1, 2]")) == "");
  CHECK(warnings_of(pendulum("mass: 1, inertia: [1, 5, 2]", "ignore_warnings: [inertia]\n")) == "");
}

TEST_CASE("Plausibility: plain numbers of more than a turn may be degrees") {
  CHECK(warnings_of(pendulum("mass: 1", "initial: {hinge.angle: 30}\n")) ==
        "m.yaml:6:24: initial: hinge.angle is 30 rad, more than a turn. A plain number counts in rad. If degrees are "
        "meant, "
        "write 30 deg; if not, 30 rad. [big_angle]\n");
  CHECK(has(warnings_of(pendulum("mass: 1, orientation: {cardan: [90, 0, 0]}")),
            "m.yaml:3:41: body \"bob\": orientation: cardan is 90 rad, more than a turn."));
  // With a unit it is said, up to a turn it is usual, and rates are no angles.
  for (const char* value : {"hinge.angle: 30 rad", "hinge.angle: 720 deg", "hinge.angle: 6.28", "hinge.angle: =10*pi",
                            "hinge.angle_rate: 300"})
    CHECK(warnings_of(pendulum("mass: 1", std::string("initial: {") + value + "}\n")) == "");
  // Parameters and expressions count as what they are made of.
  const auto angle = [](const std::string& value, const std::string& parameters) {
    return warnings_of(
        pendulum("mass: 1", "initial: {hinge.angle: " + value + "}\nparameters: {" + parameters + "}\n"));
  };
  CHECK(has(angle("=a", "a: 30"),
            "m.yaml:6:24: initial: hinge.angle is =a, 30 rad, more than a turn. Numbers without unit count in rad. If "
            "degrees are meant, give what it is made of the unit deg; if not, rad. [big_angle]\n"));
  CHECK(has(angle("=2*b", "a: 15, b: =a"), "hinge.angle is =2*b, 30 rad"));
  CHECK(angle("=a", "a: 720 deg") == "");
  CHECK(angle("=2*b", "a: 15 rad, b: =a") == "");
  CHECK(angle("\"=a + 1[rad]\"", "a: 30") == "");
  CHECK(angle("=a*pi", "a: 4") == "");
  CHECK(has(angle("=a*pine", "a: 4, pine: 3"), "big_angle"));
  // Nor does the expanded model, in SI, make degrees a plain number.
  const model::Model m = read_model_text(pendulum("mass: 1", "initial: {hinge.angle: 720 deg}\n"), "m.yaml");
  CHECK(warnings_of(m.expanded) == "");
  CHECK(read_model_text(m.expanded, "m.yaml").joints[0].position[0] == m.joints[0].position[0]);
}

TEST_CASE("Plausibility: a point far outside of all others may be in millimetres") {
  const auto car = [](const std::string& at) {
    return "skyhook: 1\nbodies:\n  a: {mass: 1, at: [0, 0, 0.3]}\n  b: {mass: 1, at: [2.7, 0.7, 0.3]}\n  c: {mass: 1, "
           "at: [1.3, "
           "0, 0.6]}\n  d: {mass: 1, at: [" +
           at +
           ", 0.7, 0.3]}\njoints: {\"j_a\": {type: free, from: ground, to: a}, "
           "j_b: {type: free, from: ground, to: b}, j_c: {type: free, from: ground, to: c}, j_d: {type: fixed, from: "
           "a, "
           "to: d, at: [0, 0, 0]}}\n";
  };
  const std::string doubt = warnings_of(car("350"));
  CHECK(has(doubt,
            "m.yaml:6:20: body \"d\": at lies 350 m away from the middle of the model, whose usual size is 1.3 m. "));
  CHECK(has(doubt, "A plain number counts in m: are these millimetres? Then write mm; if not, m. [far_away]"));
  CHECK(warnings_of(car("350 mm")) == "");
  CHECK(warnings_of(car("35")) == "");  // a trailer
  // Who writes a unit means it, also in the expanded model and by way of a parameter.
  for (const char* meant : {"350 m", "\"=350[m]\"", "=far"}) {
    const std::string text = car(meant) + "parameters: {far: 350 m}\nignore_warnings: [unused]\n";
    CHECK(warnings_of(text) == "");
    CHECK(warnings_of(read_model_text(text, "m.yaml").expanded) == "");
  }
  CHECK(has(warnings_of(car("=far") + "parameters: {far: 350}\n"), "body \"d\": at lies 350 m away"));
}

TEST_CASE("Plausibility: points and lengths of forces may be in millimetres, in small models too") {
  const auto strut = [](const std::string& fields) {
    return warnings_of(
        pendulum("mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, -0.5]",
                 "forces: {s: {type: spring_damper, stiffness: 100, from: ground, to: bob, " + fields + "}}\n"));
  };
  CHECK(strut("from_at: [0, 0.2, 0]") == "");
  CHECK(has(strut("from_at: [0, 200, 0]"),
            "m.yaml:6:83: force \"s\": from_at lies 200 m away from the middle of the model"));
  CHECK(has(strut("from_at: [0, 0.2, 0], to_at: [0, 0, -350]"), "\"s\": to_at lies 350 m away"));
  CHECK(has(strut("from_at: [0, 0.2, 0], free_length: 350"),
            "\"s\": free_length is 350 m in a model whose usual size is 0.2 m. A plain number counts in m"));
  CHECK(strut("from_at: [0, 0.2, 0], free_length: 350 mm") == "");
  CHECK(strut("from_at: [0, 0.2, 0], free_length: 350 m") == "");
  // With nothing but one body its own radius of gyration, 0.1 m, tells.
  const auto alone = [](const std::string& at) {
    return warnings_of("skyhook: 1\nbodies: {b: {mass: 1, inertia: [0.01, 0.01, 0.01], at: " + at +
                       "}}\njoints: {j: {type: revolute, from: ground, to: b, at: [0, 0, 0], axis: y}}\n");
  };
  CHECK(has(alone("[0, 0, -350]"), "body \"b\": at lies 350 m away"));
  CHECK(alone("[0, 0, -5]") == "");
}

TEST_CASE("Plausibility: six moments of inertia may be three with decimal commas") {
  CHECK(warnings_of(pendulum("mass: 1, inertia: [9,1, 9,0, 0,0]")) ==
        "m.yaml:3:27: body \"bob\": inertia is read as 6 numbers, but every second comma stands between digits without "
        "a space. If "
        "these are decimal commas, write points; if not, put spaces after them. [decimal_comma]\n");
  CHECK(warnings_of(pendulum("mass: 1, inertia: [9,1,9,0,0,0]")) == "");
  CHECK(warnings_of(pendulum("mass: 1, inertia: [9, 1, 9, 0, 0, 0]")) == "");
  CHECK(warnings_of(pendulum("mass: 1, inertia: [9,1,9, 0,0,0]")) == "");
}

TEST_CASE("Plausibility: a hydraulic actuator without command is told, one that is kept closed is not") {
  const auto cylinder = [](const std::string& more) {
    return warnings_of(
        pendulum("mass: 1, at: [0, 0, 1]",
                 "forces: {h: {type: hydraulic_actuator, from: ground, to: bob, piston_area: 1e-3, push_volume: "
                 "1e-4, pull_volume: 1e-4, valve_area: 1e-5, supply: 1e7" +
                     more + "}}\n"));
  };
  CHECK(cylinder("") ==
        "m.yaml:6:10: \"h\": it has no command, so its valve stays closed. Give the formula `opening` or a `signal`; "
        "to keep it "
        "closed, opening: 0. [no_command]\n");
  CHECK(cylinder(", opening: 0") == "");
}

TEST_CASE("Plausibility: controllers in mirrored parts are not mirrored, and that is told") {
  const auto part = [](const std::string& how) {
    return warnings_of(
        "skyhook: 1\ntemplates:\n  corner:\n    bodies: {w: {mass: 1, at: [0, 1, 0]}}\n    joints: {s: {type: "
        "prismatic, from: "
        "ground, to: w, axis: z}}\n    controllers: {c: {type: pid, input: s.displacement, kp: 1, sample_time: 1}}\n"
        "    forces: {f: {type: actuator, joint: s, signal: c}}\nuse: {left: {template: corner" +
        how + "}}\n");
  };
  CHECK(part("") == "");
  CHECK(has(part(", mirror: y"), "controller \"left.c\" stands in a mirrored part, but its law is not mirrored."));
}

TEST_CASE("Plausibility: an empty list of outputs is not what is recorded") {
  CHECK(has(warnings_of(pendulum() + "outputs: [bob.x]\nexperiments: {a: {until: 1, outputs: []}}\n"),
            "m.yaml:7:38: experiment \"a\": outputs: it names none, so those of the model are recorded."));
}

// A C2 spline through the corners of a trapezoid must swing: between rows of equal value, where it has a slope, it leaves them.
TEST_CASE("Plausibility: a table of time whose smooth curve swings far beyond its rows is told") {
  const auto driven = [](const std::string& table) {
    return warnings_of(pendulum("mass: 1", "", "axis: y, drive: {table: " + table + "}"));
  };
  const std::string told = driven("[[0, 0], [0.5, 0], [0.6, 0.05], [1, 0.05], [2, 0.05]]");
  CHECK(told ==
        "m.yaml:5:66: joint \"hinge\": drive: the smooth curve through the rows of the table swings to -0.1229 rad at "
        "0.2049 s, but the rows lie between 0 and 0.05 rad. Add rows on both sides of its corners, or "
        "write a formula, as with ramp(). [table_overshoots]\n");
  CHECK(has(warnings_of(pendulum("mass: 1",
                                 "forces: {a: {type: actuator, joint: hinge, moment_table: {table: [[0, 0], [0.5, 0], "
                                 "[0.505, 200], [0.51, 0], [1, 0]]}}}\n")),
            "force \"a\": moment_table: the smooth curve through the rows of the table swings to -3.052e+05 N.m"));
  // t (1 - t) through its zeros and one more row, 0.16 at 0.2: the exact extreme is 0.25 at 0.5, 0.09 or 56 % above the rows.
  CHECK(
      has(driven("[[0, 0], [0.2, 0.16], [1, 0]]"), "swings to 0.25 rad at 0.5 s, but the rows lie between 0 and 0.16"));
  // The same parabola with a row at 0.4, 0.24: 0.01 or 4 % above.
  CHECK(driven("[[0, 0], [0.4, 0.24], [1, 0]]") == "");
  // Lines, constants, a ramp with rows on both sides of its corners, and six rows for each turn of a sine, none of them at its top.
  for (const char* smooth :
       {"[[0, 0], [1, 1]]", "[[0, 2], [0.1, 2], [1, 2], [5, 2]]",
        "[[0, 0], [0.1, 0], [0.2, 0], [0.3, 0], [0.4, 0.025], [0.5, 0.05], [0.6, 0.05], [0.7, 0.05], [0.8, 0.05]]",
        "[[0, 0], [1, 0.866], [2, 0.866], [3, 0], [4, -0.866], [5, -0.866], [6, 0], [7, 0.866]]"})
    CHECK(driven(smooth) == "");
  // Curves over deflection are monotone between their rows and never swing.
  CHECK(warnings_of(pendulum("mass: 1",
                             "forces: {a: {type: spring_damper, joint: hinge, moment: {table: [[-1, 0], [-0.5, "
                             "0], [-0.4, 5], [1, 5]]}}}\n")) == "");
}
