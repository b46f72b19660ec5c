// Reference: what a user should be told. Each message names the place, the thing, what is wrong and what to do.
#include <filesystem>
#include <fstream>

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

TEST_CASE("A wrong unit names both units") {
  const std::string e = errors_of(pendulum("mass: 5 m"));
  CHECK(has(e, "m.yaml:3:15: body \"bob\": mass is \"5 m\", a quantity in m, but needs kg."));
  CHECK(has(e, "\n  Write a plain number (SI) or a unit of the same kind as kg."));
  CHECK(has(errors_of(pendulum("mass: =2*L", "parameters: {L: 1 m}\n")),
            "body \"bob\": mass is \"=2*L\", a quantity in m, but needs kg."));
  CHECK(has(errors_of(pendulum("mass: 5 kgg")), "body \"bob\": mass"));
  CHECK(has(errors_of(pendulum("mass: 1", "", "axis: [1 m, 0, 0]")), "needs a number without unit"));
}

TEST_CASE("Unknown keys are refused at every level, with a suggestion") {
  CHECK(has(errors_of(pendulum() + "bodis: {}\n"),
            "m.yaml:6:1: the model has the field \"bodis\", which is not known.\n  Did you mean \"bodies\"?"));
  CHECK(has(errors_of(pendulum("mas: 5")),
            "body \"bob\" has the field \"mas\", which is not known.\n  Did you mean \"mass\"?"));
  CHECK(has(errors_of(pendulum("mass: 5, orientation: {cradan: [0, 0, 0]}")),
            "body \"bob\": orientation has the field \"cradan\""));
  CHECK(has(errors_of(pendulum("mass: 5, inertia: {xx: 1, yy: 1, zz: 1, yx: 0}")),
            "body \"bob\": inertia has the field \"yx\""));
  CHECK(has(errors_of(pendulum("mass: 5", "", "axes: z")),
            "m.yaml:5:50: joint \"hinge\" has the field \"axes\", which is not known.\n  Did you mean \"axis\"?"));
  CHECK(has(errors_of(pendulum() + "experiments: {a: {untill: 3}}\n"), "experiment \"a\" has the field \"untill\""));
  CHECK(
      has(errors_of(pendulum() + "markers: {a: {body: bob, art: [0, 0, 0]}}\n"), "marker \"a\" has the field \"art\""));
}

TEST_CASE("Duplicate keys are refused at every level") {
  CHECK(has(errors_of(pendulum() + "joints: {}\n"),
            "m.yaml:6:1: \"joints\" stands here a second time, the first is in line 4."));
  CHECK(has(errors_of(pendulum("mass: 5, mass: 6")),
            "m.yaml:3:18: \"mass\" stands here a second time, the first is in line 3."));
  CHECK(has(errors_of(pendulum("mass: 1", "parameters: {a: 1, 'a': 2}\n")), "\"a\" stands here a second time"));
}

TEST_CASE("Merge keys are refused with advice") {
  CHECK(has(errors_of("skyhook: 1\nbodies:\n  a: &a {mass: 1}\n  b: {<<: *a}\n"),
            "m.yaml:4:7: the merge key \"<<\" is not supported.\n  Write the fields out;"));
}

TEST_CASE("Bodies, markers and joints that do not exist are named, with a suggestion") {
  const std::string e = errors_of(
      "skyhook: 1\nbodies: {bogie_1: {mass: 1}, bogie_2: {mass: 1}}\njoints:\n  a: {type: fixed, from: ground, to: "
      "bogie2}\n");
  CHECK(has(e,
            "m.yaml:4:38: joint \"a\": to is body \"bogie2\", which is not defined.\n  Did you mean \"bogie_2\"? "
            "Bodies here: ground, bogie_1, bogie_2."));
  CHECK(has(errors_of(pendulum() + "forces: {f: {type: spring_damper, from: ground, to: bobb, stiffness: 1}}\n"),
            "force \"f\": to is marker or body \"bobb\", which is not defined.\n  Did you mean \"bob\"?"));
  CHECK(has(
      errors_of(pendulum() + "forces: {f: {type: torque, joint: hing, value: 1}}\n"),
      "force \"f\": joint is joint \"hing\", which is not defined or has no coordinates.\n  Did you mean \"hinge\"?"));
  CHECK(has(errors_of(pendulum() + "forces: {f: {type: torque, joint: hinge.angel, value: 1}}\n"),
            "has no such coordinate.\n  Did you mean \"angle\"?"));
  CHECK(has(errors_of(pendulum() + "markers: {p: {body: bobb}}\n"),
            "marker \"p\": body is body \"bobb\", which is not defined."));
}

TEST_CASE("Several coordinates need a name, those of a ball have none") {
  const std::string start = "skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: ";
  const std::string force = ", from: ground, to: b}}\nforces: {f: {type: torque, joint: j, value: 1}}\n";
  CHECK(has(
      errors_of(start + "cylindrical" + force),
      "which does not have exactly one coordinate.\n  Write joint.coordinate. Coordinates here: displacement, angle."));
  CHECK(has(errors_of(start + "spherical" + force), "which does not have exactly one coordinate."));
  CHECK(has(
      errors_of(start + "spherical, from: ground, to: b}}\nforces: {f: {type: torque, joint: j.rotation, value: 1}}\n"),
      "has no such coordinate"));
}

TEST_CASE("Unknown and missing types list what there is") {
  CHECK(has(errors_of("skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: revolut, from: ground, to: b}}\n"),
            "joint \"j\" has the type \"revolut\", which is not known under joints.\n  Did you mean \"revolute\"?"));
  CHECK(has(errors_of("skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {from: ground, to: b}}\n"),
            "joint \"j\" needs \"type\"."));
  CHECK(has(errors_of(pendulum() + "forces: {f: {type: revolute}}\n"), "not known under forces"));
  CHECK(has(errors_of(pendulum() + "forces: {f: 3}\n"), "force \"f\" should be a map of fields, but is a text."));
}

TEST_CASE("Missing fields say what they are") {
  CHECK(has(errors_of(pendulum("at: [0, 0, 0]")), "m.yaml:3:3: body \"bob\" needs \"mass\".\n  Add it: mass."));
  CHECK(has(errors_of("skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: fixed, to: b}}\n"),
            "joint \"j\" needs \"from\".\n  Add it: body that carries the joint"));
  CHECK(has(errors_of(pendulum("mass: ")), "body \"bob\": \"mass\" has no value."));
}

TEST_CASE("Values outside their range") {
  CHECK(
      has(errors_of(pendulum("mass: -3 kg")), "m.yaml:3:15: body \"bob\": mass is -3 kg, but must be at least 0 kg."));
  CHECK(has(errors_of(pendulum() + "experiments: {a: {until: 1, tolerance: 0}}\n"),
            "experiment \"a\": tolerance is 0, but must be above 0 and at most 0.1."));
}

// The inverse is the usual size of an angle: of a lever of 1e-310 m it would be infinite.
TEST_CASE("Errors: levers that no vehicle has are refused, and named with their bounds") {
  const auto of = [](const std::string& joint) {
    return errors_of("skyhook: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\ntracks: {line: {}}\njoints: {j: {" +
                     joint + "}}\nexperiments: {e: {until: 1}}\n");
  };
  const std::string hinge = "type: revolute, from: ground, to: b, axis: y, lever: ",
                    track = "type: track, track: line, to: b, pitch_lever: ";
  for (const auto& [value, told] : {std::pair{"1e-310 m", "1e-310"},
                                    {"0", "0"},
                                    {"-0.5 m", "-0.5"},
                                    {"9.9 mm", "0.0099"},
                                    {"1e300", "1e+300"},
                                    {"100.1 m", "100.1"}}) {
    CAPTURE(std::string(value));
    CHECK(has(of(hinge + value),
              std::string("joint \"j\": lever is ") + told + " m, but must be at least 0.01 m and at most 100 m."));
    CHECK(has(of(track + value), std::string("joint \"j\": pitch_lever is ") + told +
                                     " m, but must be at least 0.01 m and at most 100 m."));
  }
  for (const std::string value : {"10 mm", "100 m"})
    CHECK(of(hinge + value) == of("type: revolute, from: ground, to: b, axis: y"));
}

TEST_CASE("Inertias that no body has name the axis and the values") {
  CHECK(has(errors_of(pendulum("mass: 1, inertia: [1, 1, -1]")),
            "body \"bob\": inertia about the principal axis z is -1 kg.m^2, but cannot be negative."));
  CHECK(has(errors_of(pendulum("mass: 1, inertia: [3, 3, 3, 4, 0, 4]")),
            "principal axis [0.5, -0.707, 0.5] is -2.65685 kg.m^2"));
  CHECK(errors_of(pendulum("mass: 1, inertia: [1, 1, 2]")) == "");  // a flat body
  CHECK(errors_of(pendulum("mass: 1, inertia: [0, 1, 1]")) == "");  // a rod
  CHECK(has(errors_of(pendulum("mass: 1, inertia: [1, 2]")), "inertia should be a tensor, but is a list of 2."));
}

TEST_CASE("Bodies that nothing connects to the ground") {
  const std::string e = errors_of(
      pendulum("mass: 1}\n  car: {mass: 1}\n  bogie: {mass: 2", "  k: {type: fixed, from: car, to: bogie}\n"));
  CHECK(has(e,
            "m.yaml:4:3: body \"car\" is not connected to the ground by joints or rods.\n  Connect it; if it should "
            "fly, add a joint {type: free, from: ground, to: car}."));
  CHECK(has(e, "body \"bogie\" is not connected"));
}

TEST_CASE("Values that are not finite numbers") {
  for (const char* value : {".nan", ".inf", "-.inf", "nan", "inf", "1e999", "=1/0", "=log(0)", "=sqrt(-1)"}) {
    CAPTURE(value);
    CHECK(has(errors_of(pendulum(std::string("mass: ") + value)), "m.yaml:3:"));
  }
  CHECK(has(errors_of(pendulum("mass: .inf")), "\".inf\" is not a finite number."));
}

TEST_CASE("Circles of parameters are shown whole, unknown names with a suggestion") {
  CHECK(has(errors_of("skyhook: 1\nparameters: {a: =b+1, b: =2*c, c: =a}\n"),
            "parameter \"a\" depends on itself: a -> b -> c -> a."));
  CHECK(has(errors_of("skyhook: 1\nparameters: {a: =a}\n"), "parameter \"a\" depends on itself: a -> a."));
  const std::string e = errors_of(pendulum("mass: =masss", "parameters: {mass: 3}\n"));
  CHECK(has(e, "m.yaml:3:16: body \"bob\": mass: "));
  CHECK(has(e, "masss"));
  CHECK(has(e, "Did you mean \"mass\"?"));
  CHECK(has(errors_of("skyhook: 1\nparameters: {sin: 3}\n"), "has a name that the expression language uses itself"));
  CHECK(has(errors_of("skyhook: 1\nparameters: {a-b: 3}\n"), "has a name that expressions cannot use"));
  CHECK(has(errors_of("skyhook: 1\nparameters: {a: {b: 1}}\n"), "parameter \"a\" needs a value, but has a map."));
}

TEST_CASE("What follows from a wrong parameter is not reported again") {
  const std::string e = errors_of(pendulum("mass: =c", "parameters: {a: 3 kgg, b: =a, c: =b}\n"));
  CHECK(has(e, "parameter \"a\""));
  CHECK(e.find("bob") == std::string::npos);
  CHECK(e.find("parameter \"b\"") == std::string::npos);
}

TEST_CASE("Wrong repeats") {
  const auto with = [](const std::string& key) {
    return errors_of("skyhook: 1\nparameters: {N: 2.5, big: 200000, L: 1 m}\nbodies:\n  " + key + ": {mass: 1}\n");
  };
  CHECK(has(with("b[i=1...]"), "body \"b[i=1...]\""));
  CHECK(has(with("b[i=1]"), "the repeat in \"b[i=1]\" is not understood.\n  Write it as name[i=1..N]."));
  CHECK(has(with("b[i=1..N]"), "the index \"N\" is 2.5, but must be a whole number."));
  CHECK(has(with("b[i=1..L]"), "must be a number without unit"));
  CHECK(has(with("b[i=1..M]"), "m.yaml:4:10: body \"b[i=1..M]\": "));
  CHECK(has(with("b[i=1..big]"), "repeats from 1 to 200000 are more than 100000."));
  CHECK(has(with("b[i=1..3]x"), "has a name that cannot be used"));
}

TEST_CASE("Wrong tables") {
  const auto with = [](const std::string& table) { return errors_of(pendulum("mass: 1", "", "drive: " + table)); };
  CHECK(has(with("{table: [[0, 1]]}"), "joint \"hinge\": drive: a table needs a list of at least two rows."));
  CHECK(has(with("{table: [[0, 1], [1]]}"), "drive: row 2 of the table is a list of 1."));
  CHECK(has(with("{table: [[0, 1], [1, 2], [1, 3]]}"),
            "row 3 of the table has x = 1, which is not above 1 of the row before."));
  CHECK(has(with("{table: [[0, 1], [1 m, 2]]}"), "row 2 of the table is \"1 m\", a quantity in m, but needs s."));
  CHECK(has(with("{table: [[0, 1], [1, 2]], units: [m, deg]}"), "the unit m is given, but s is needed."));
  CHECK(has(with("{units: [s, deg]}"), "drive needs \"table\"."));
}

TEST_CASE("Wrong formulas") {
  const auto with = [](const std::string& value) {
    return errors_of(pendulum() + "forces: {f: {type: torque, joint: hinge, value: " + value + "}}\n");
  };
  CHECK(has(with("=t*qqd"), "force \"f\": value: "));
  CHECK(has(with("=t"), "force \"f\": value is \"=t\", a quantity in s, but needs N.m."));
  CHECK(has(with("=max(1, 2)"), "Inside [ ] or { } a comma ends the text: put the expression between quotes."));
  CHECK(with("\"=max(1, 2)\"") == "");
}

TEST_CASE("Wrong vectors, orientations and truth values") {
  CHECK(has(errors_of(pendulum("mass: 1, at: [1, 2]")),
            "body \"bob\": at should be a vector, but is a list of 2.\n  Write [x, y, z]."));
  CHECK(has(errors_of(pendulum("mass: 1", "", "axis: w")),
            "joint \"hinge\": axis should be a vector, but is \"w\".\n  Write x, y, z,"));
  CHECK(has(errors_of(pendulum("mass: 1, orientation: {cardan: [0, 0, 0], quaternion: [1, 0, 0, 0]}")),
            "orientation should be given in one way."));
  CHECK(has(errors_of(pendulum("mass: 1, orientation: {quaternion: [1, 1, 0, 0]}")),
            "the quaternion has 4 entries and length 1.414"));
  CHECK(has(errors_of(pendulum("mass: 1, orientation: {x: x, y: -x}")), "the directions of x and y are parallel"));
  CHECK(has(errors_of(pendulum("mass: 1", "", "cut: maybe")),
            "joint \"hinge\": cut is \"maybe\", but must be true or false."));
  CHECK(errors_of(pendulum("mass: 1", "", "cut: no")) == "");
}

TEST_CASE("Names are unique over all sections, and ground is taken") {
  CHECK(has(errors_of(pendulum() + "markers: {hinge: {body: bob}}\n"),
            "joint \"hinge\": there is a marker of this name already, in line 6."));
  CHECK(has(errors_of("skyhook: 1\nbodies: {ground: {mass: 1}}\n"),
            "body \"ground\": this name belongs to the ground itself."));
  CHECK(has(errors_of("skyhook: 1\nbodies: {a..b: {mass: 1}}\n"), "has a name that cannot be used"));
  CHECK(has(errors_of("skyhook: 1\nbodies: {\"a[1]\": {mass: 1}, \"a[i=0..2]\": {mass: 1}}\n"),
            "body \"a[1]\": there is a body of this name already"));
}

TEST_CASE("Wrong experiments") {
  const auto with = [](const std::string& fields) {
    return errors_of(pendulum() + "parameters: {k: 1}\nexperiments: {a: {" + fields + "}}\n");
  };
  CHECK(has(with("analysis: simulat, until: 1"),
            "experiment \"a\": analysis is \"simulat\", which is not known.\n  Did you mean \"simulate\"?"));
  CHECK(has(with("until: 1, jacobian: dens"),
            "experiment \"a\": jacobian is \"dens\", which is not known.\n  Did you mean"));
  CHECK(has(with("analysis: simulate"), "experiment \"a\" ends before it begins"));
  CHECK(has(with("until: 1, from_time: 2"), "experiment \"a\" ends before it begins"));
  CHECK(with("analysis: equilibrium").empty());
  CHECK(has(with("until: 1, set: {kk: 2}"),
            "experiment \"a\" sets the parameter \"kk\", which the model does not have.\n  Did you mean \"k\"?"));
  CHECK(has(
      with("until: 1, initial: {hinge.angel: 2}"),
      "experiment \"a\": initial: joint \"hinge\" has no coordinate or rate \"angel\".\n  Did you mean \"angle\"?"));
  CHECK(has(with("until: 1, initial: {hing.angle: 2}"),
            "joint \"hing\" is not defined or has no coordinates.\n  Did you mean \"hinge\"?"));
  CHECK(has(with("until: 1, initial: {hinge.rate: 2 m}"), "a quantity in m, but needs 1/s"));
  CHECK(has(with("until: 1, outputs: 3"), "outputs should be a list or a map, but is a text."));
}

TEST_CASE("Several findings come together, in the order of the file") {
  const std::string e = errors_of(pendulum("mass: -1, at: [1, 2]", "forces: {f: {type: sprong}}\n", "axis: w"));
  const std::size_t mass = e.find("mass is -1"), at = e.find("at should be"), axis = e.find("axis should be"),
                    type = e.find("sprong");
  CHECK((mass < at && at < axis && axis < type && type != std::string::npos));
}

TEST_CASE("After twenty findings only their number is given") {
  std::string text = "skyhook: 1\nbodies:\n";
  for (int i = 0; i < 33; ++i) text += "  b" + std::to_string(i) + ": {mass: -1}\n";
  CHECK(has(errors_of(text), "\nand 13 more findings."));
  try {
    read_model_text(text, "m.yaml");
  } catch (const ModelError& error) {
    CHECK(error.findings().size() == 21);
  }
  CHECK(has(errors_of("skyhook: 1\nbodies: {\"b[i=1..50000]\": {mass: -1}}\n"), "and at least 181 more findings"));
}

TEST_CASE("Thousands of duplicate keys are a finding too") {
  std::string text = "skyhook: 1\n";
  for (int i = 0; i < 3000; ++i) text += "name: a\n";
  CHECK(has(errors_of(text), "and at least 181 more findings"));
}

TEST_CASE("The version of the language is required and checked") {
  CHECK(has(errors_of("name: a\n"), "the model needs \"skyhook\"."));
  CHECK(has(errors_of("skyhook: 2\nnews: 3\n"),
            "m.yaml:1:10: this file is written in version 2 of the language, but version 1 is known."));
}

TEST_CASE("Files that are none") {
  const auto open = [](const std::string& path) {
    try {
      read_model(path);
      return std::string();
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
  };
  CHECK(has(open("/nowhere/a.yaml"), "/nowhere/a.yaml: the file cannot be opened."));
  CHECK(has(open("/tmp"), "/tmp: this is a folder, not a model file."));
}

TEST_CASE("Texts that are no model") {
  CHECK(has(errors_of(""), "m.yaml: the file is empty."));
  CHECK(has(errors_of("# nothing\n"), "m.yaml: the file is empty."));
  CHECK(has(errors_of("- 1\n- 2\n"), "a model is a map of sections, but here is a list."));
  CHECK(has(errors_of("skyhook: 1\nbodies: {a: {mass: 1\n"), "this is not valid YAML"));
  CHECK(has(errors_of("skyhook: 1\njoints:\n  a: {from: link[i-1], to: b}\n"),
            "Inside { } or [ ] put a text that holds brackets or commas between quotes: \"link[i-1]\"."));
  CHECK(has(errors_of("skyhook: 1\n---\nskyhook: 1\n"), "a second document (after \"---\") begins here."));
  CHECK(has(errors_of(std::string("\x7f"
                                  "ELF\x02\x01\0\0",
                                  8)),
            "this is not a text file"));
  CHECK(has(errors_of("\x89HDF\r\n\x1a\n"), "this is a result, not a model."));
  CHECK(has(errors_of("skyhook: 1\n? [a, b]\n: c\n"), "a key must be a text, but here is a list."));
  CHECK(has(errors_of("skyhook: 1\nbodies: [1, 2]\n"), "a map of bodies by name is expected here, but it is a list."));
}

TEST_CASE("Nesting and aliases have limits") {
  CHECK(has(errors_of("skyhook: 1\nname: " + std::string(5000, '[')), "m.yaml:2:"));
  CHECK(has(errors_of("skyhook: 1\nname: " + std::string(150, '[') + std::string(150, ']')),
            "nested more than 100 deep"));
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 9; ++k) bomb += before + ", ";
    bomb += before + "]\n";
  }
  CHECK(has(errors_of(bomb), "the file holds more than a million values once its aliases are expanded."));
  CHECK(has(errors_of("skyhook: 1\nname: &a [*a]\n"), "m.yaml:2:"));
  CHECK(has(errors_of("skyhook: 1\nbodies: {\"a[i=1..100000]\": {mass: 1, at: [0, 0, 0]}, \"b[i=1..100000]\": {mass: "
                      "1, at: [0, 0, 0]}}\n"),
            "more than a million values once its repeats are unrolled"));
}

TEST_CASE("Names of outputs are visible, and angles are no direction") {
  for (const std::string name : {"", " ", "a\\nb", "a\\tb"}) {
    CAPTURE(name);
    CHECK(has(errors_of(pendulum("mass: 1", "outputs: {\"" + name + "\": bob.z}\n")),
              "cannot be the name of an output."));
  }
  CHECK(has(errors_of("skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: spherical, from: ground, to: b, angles: "
                      "z}}\n"),
            "joint \"j\": angles should be a vector, but is \"z\".\n  Write [x, y, z]."));
}
