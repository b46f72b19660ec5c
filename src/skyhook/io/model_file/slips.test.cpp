// Reference: what a user has meant who made one of the usual slips. Each message gives the place, what is wrong and what to write.
#include <algorithm>

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

TEST_CASE("Slips: an expression without its '=' is recognised by the names it uses") {
  const auto spring = [](const std::string& stiffness) {
    return errors_of(pendulum("mass: 1",
                              "parameters: {k: 100 N/m}\nforces: {s: {type: spring_damper, from: ground, to: "
                              "bob, to_at: [0, 0, 1], stiffness: " +
                                  stiffness + "}}\n"));
  };
  CHECK(spring("2*k") ==
        "m.yaml:7:87: force \"s\": stiffness: \"2*k\" is not a number.\n"
        "  Did you forget the '='? An expression begins with it: \"=2*k\".");
  CHECK(has(spring("k"), "stiffness: \"k\" is not a number.\n  Did you forget the '='? "));
  CHECK(has(spring("2*3"), "Did you forget the '='? An expression begins with it: \"=2*3\"."));
  CHECK(has(spring("sqrt(4)"), "Did you forget the '='?"));
  // Names that nobody knows are no expression, and a wrong unit stays a wrong unit.
  CHECK(has(spring("soft"), "\"soft\" is not a number.\n  Write a finite number and a unit"));
  CHECK(has(spring("5 kq"), "unknown unit \"kq\""));
  // Formulas have variables of their own, and parameters refer to each other.
  CHECK(has(errors_of(pendulum("mass: 1", "forces: {f: {type: torque, joint: hinge, value: 5*t}}\n")),
            "m.yaml:6:49: force \"f\": value: \"5*t\" is not a number.\n"
            "  Did you forget the '='? An expression begins with it: \"=5*t\"."));
  CHECK(has(errors_of(pendulum("mass: 1", "parameters: {a: 2*b, b: 3}\n")),
            "m.yaml:6:17: parameter \"a\": \"2*b\" is not a number.\n  Did you forget the '='?"));
}

TEST_CASE("Slips: decimal commas are told wherever YAML has put the comma") {
  CHECK(
      errors_of("skyhook: 1\nbodies:\n  bob:\n    mass: 0,5 kg\njoints: {h: {type: free, from: ground, to: bob}}\n") ==
      "m.yaml:4:11: body \"bob\": mass: \"0,5 kg\" has a decimal comma.\n  Write a decimal point: 0.5 kg.");
  CHECK(has(errors_of(pendulum("mass: 0,5 kg")),
            "m.yaml:3:17: body \"bob\" has the field \"5 kg\", which is not known.\n"
            "  Is it the rest of a number with a decimal comma? Write a decimal point: 0.5 for 0,5."));
  CHECK(has(errors_of(pendulum("mass: 1, at: [0,5, 0, 0]")),
            "m.yaml:3:22: body \"bob\": at should be a vector, but is a list of 4.\n"
            "  Write [x, y, z]. Numbers have a decimal point: 0.5 for 0,5."));
  CHECK(errors_of(pendulum("mass: 1, at: [0,0,1]")) == "");
}

TEST_CASE("Slips: decimal commas of parameters, and those that make something else wrong") {
  CHECK(errors_of(pendulum("mass: 1", "parameters: {k: 1,5 kg}\n")) ==
        "m.yaml:6:19: parameter \"5 kg\" has a name that begins with a digit, and no value.\n"
        "  Is it the rest of a number with a decimal comma? Write a decimal point: 0.5 for 0,5.");
  CHECK(has(errors_of(pendulum("mass: 1", "parameters: {5k: 3}\n")), "has a name that expressions cannot use"));
  // The tensor [0 1 0; 1 2 0; 0 0 3] is what the six numbers say.
  const std::string inertia = errors_of(pendulum("mass: 1, inertia: [0,1, 0,2, 0,3]"));
  CHECK(has(inertia, "cannot be negative"));
  CHECK(has(inertia,
            "inertia is read as 6 numbers, but every second comma stands between digits without a space.\n"
            "  If these are decimal commas, write points"));
}

TEST_CASE("Slips: the gains of a controller by other names") {
  const auto pid = [](const char* gain) {
    return errors_of(pendulum(
        "mass: 1",
        std::string("controllers: {c: {type: pid, sample_time: 1 ms, input: hinge.angle, ") + gain + ": 2}}\n"));
  };
  CHECK(has(pid("proportional"), "Did you mean \"kp\"?"));
  CHECK(has(pid("integral"), "Did you mean \"ki\"?"));
  CHECK(has(pid("derivative"), "Did you mean \"kd\"?"));
  CHECK(has(pid("derivative_filte"), "Did you mean \"derivative_filter\"?"));
}

TEST_CASE("Slips: tabs are named, and not as a missing colon") {
  CHECK(errors_of("skyhook: 1\nbodies:\n\tbob: {mass: 1}\n") ==
        "m.yaml:3:1: a tab stands at the beginning of this line.\n  YAML is indented with spaces: replace it.");
  CHECK(has(errors_of("skyhook: 1\nbodies:\n  bob:\n  \tmass: 1\n"), "m.yaml:4:1: a tab stands"));
  CHECK(errors_of("skyhook: 1\t# one\nbodies: {}\n") == "");
}

TEST_CASE("Slips: YAML's other numbers and truth values are no numbers here") {
  // YAML 1.1 reads 12:30 as 750 and `yes` as true, which the reader took for 1 kg.
  CHECK(errors_of(pendulum("mass: 12:30")) ==
        "m.yaml:3:15: body \"bob\": mass: \"12:30\" is not a number: minutes after a colon are not known.\n"
        "  Write one number and its unit, for example 12.5 min.");
  for (const char* word : {"yes", "On", "true", "no", "off", "FALSE"}) {
    CAPTURE(word);
    CHECK(errors_of(pendulum(std::string("mass: ") + word)) ==
          "m.yaml:3:15: body \"bob\": mass is \"" + std::string(word) +
              "\", a truth value, but must be a number.\n"
              "  Write a finite number and a unit, like 85 kN/m or -2.5.");
  }
  CHECK(read_model_text(pendulum("mass: 010"), "m.yaml").bodies[0].mass == 10.0);  // decimal: no octal numbers
  // A parameter may be a truth value, for the `if` of things.
  CHECK(errors_of(pendulum("mass: 1, markers: {p: {if: =heavy}}", "parameters: {heavy: yes}\n")) == "");
}

TEST_CASE("Slips: keys as other programs call them lead to ours") {
  const auto advice = [](const std::string& key) {
    return errors_of(pendulum() + "experiments: {a: {" + key + ": 1}}\n");
  };
  struct Word {
    const char *written, *meant;
  };
  for (const Word& w : {Word{"step", "output_step"}, Word{"dt", "output_step"}, Word{"end", "until"},
                        Word{"duration", "until"}, Word{"t_end", "until"}, Word{"rtol", "tolerance"},
                        Word{"relative_tolerance", "tolerance"}, Word{"atol", "absolute_tolerance"},
                        Word{"max_step", "largest_step"}, Word{"integrator", "solver"}, Word{"t0", "from_time"}}) {
    CAPTURE(w.written);
    CHECK(has(advice(w.written), "m.yaml:6:19: experiment \"a\" has the field \"" + std::string(w.written) +
                                     "\", which is not known.\n  Did you mean \"" + w.meant +
                                     "\"? Fields, nearest first: "));
  }
  CHECK(has(errors_of(pendulum("mass: 1, cog: [0, 0, 0]")), "Did you mean \"com\"?"));
  CHECK(has(errors_of(pendulum("mass: 1", "forces: {s: {type: spring_damper, from: ground, to: bob, k: 1}}\n")),
            "Did you mean \"stiffness\"?"));
  CHECK(has(errors_of(pendulum() + "constraints: {}\n"), "Did you mean \"joints\"?"));
}

TEST_CASE("Slips: a negative gravity would pull up") {
  CHECK(errors_of(pendulum("mass: 1", "gravity: -9.81\n")) ==
        "m.yaml:6:10: gravity is -9.81 m/s^2, but a single number says how strongly it pulls down, along -z.\n"
        "  Write 9.81, or the vector [0, 0, 9.81] if it should point up.");
  CHECK(read_model_text(pendulum("mass: 1", "gravity: [0, 0, 9.81]\n"), "m.yaml").gravity.z == 9.81);
  CHECK(has(errors_of(pendulum("mass: 1", "gravity: no\n")), "gravity is \"no\", a truth value"));
}

TEST_CASE("Slips: a torsion spring between two points is led to what can turn") {
  const std::string e = errors_of(
      pendulum("mass: 1",
               "forces: {s: {type: spring_damper, from: ground, to: bob, to_at: [0, 0, 1], angular_stiffness: 5}}\n"));
  CHECK(e ==
        "m.yaml:6:95: \"s\": angular_stiffness does not fit: the force acts on a length.\n"
        "  A line between two points has no angle. To act on an angle give its axis as `about`, or the coordinate as "
        "`joint`; for a length use the fields of lengths: N instead of N.m.");
}

TEST_CASE("Slips: an output with the name of a parameter, where a formula says that name") {
  const auto warned = [](const std::string& outputs) {
    const auto m =
        read_model_text(pendulum("mass: 1", "parameters: {speed: 2 m/s}\noutputs: " + outputs + "\n"), "m.yaml");
    return std::ranges::count(m.warnings, "hidden_name", &Warning::name);
  };
  CHECK(warned("{speed: bob.vx, twice: =2*speed}") == 1);
  CHECK(warned("{speed: bob.vx, twice: =2*bob.vx}") == 0);
  CHECK(warned("{rate: bob.vx, twice: =2*speed}") == 0);
}
