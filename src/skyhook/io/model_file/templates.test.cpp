// References: the same model written out by hand.
#include <map>

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

model::Model read(const std::string& text, const std::vector<Setting>& settings = {},
                  const std::string& experiment = "") {
  return read_model_text(text, "m.yaml", settings, experiment);
}

// Two corners on a car; the template stands in line 4.
std::string car(const std::string& use, const std::string& more = "") {
  return "skyhook: 1\nparameters: {base: 3 m, rate: 20 kN/m}\ntemplates:\n"
         "  corner: {parameters: {x: 0 m, rate: 25 kN/m, half: =rate/2}, bodies: {wheel: {mass: 20 kg, at: [=x, 1, 0], "
         "markers: {hub: {at: [=x, 0.9, 0]}}}}, joints: {slide: {type: prismatic, from: $parent.car, to: wheel, axis: "
         "z}}, "
         "forces: {spring: {type: spring_damper, from: $parent.car, to: wheel.hub, stiffness: =half}, push: {type: "
         "force, "
         "joint: slide, value: \"=-rate*q\"}}, initial: {slide.displacement: =x/100}, outputs: [wheel.z]}\n"
         "bodies: {car: {mass: 700 kg}}\njoints: {fly: {type: free, from: ground, to: car}}\nuse: " +
         use + "\n" + more;
}

std::map<std::string, double> parameters(const model::Model& m) {
  std::map<std::string, double> all;
  for (const model::Parameter& p : m.parameters) all[p.name] = p.value;
  return all;
}

}  // namespace

TEST_CASE("A template used twice gives the things of both under the names of the instances") {
  const model::Model m =
      read(car("{front: {template: corner, x: =base/2}, rear: {template: corner, x: =-base/2, rate: =rate}}"));
  REQUIRE(m.bodies.size() == 3);
  CHECK(m.bodies[1].name == "front.wheel");
  CHECK(m.bodies[1].at == Vec3d{1.5, 1, 0});
  CHECK(m.bodies[2].name == "rear.wheel");
  CHECK(m.joints[1].name == "front.slide");
  CHECK((m.joints[1].from == 0 && m.joints[1].to == 1 && m.joints[2].to == 2));
  CHECK(m.joints[1].position[0] == 0.015);
  CHECK(m.markers[1].name == "rear.wheel.hub");
  CHECK(m.contributions[0].from.name == "car");
  CHECK(m.contributions[0].to.name == "front.wheel.hub");
  CHECK(m.contributions[1].coordinate->force(2.0, 0.0, 0.0) == -50e3);
  CHECK(m.contributions[3].coordinate->force(2.0, 0.0, 0.0) == -40e3);
  REQUIRE(m.outputs.size() == 2);
  CHECK(m.outputs[1].channel == "rear.wheel.z");
  const auto p = parameters(m);
  CHECK((p.at("front.rate") == 25e3 && p.at("rear.rate") == 20e3 && p.at("rear.half") == 10e3));
  CHECK(m.warnings.empty());
}

TEST_CASE("The expanded model is flat, reads back and stays as it is") {
  const model::Model m = read(car("{front: {template: corner, x: =base/2}}"));
  const model::Model again = read(m.expanded);
  CHECK(again.expanded == m.expanded);
  CHECK(parameters(again) == parameters(m));
  CHECK(m.expanded.find("template") == std::string::npos);
  CHECK(m.expanded.find("use:") == std::string::npos);
  CHECK(again.joints[1].position[0] == 0.015);
  CHECK(again.contributions[1].coordinate->force(2.0, 0.0, 0.0) == -50e3);
}

TEST_CASE("--set and an experiment's `set:` reach the parameters of an instance") {
  const std::string text =
      car("{front: {template: corner, rate: 1 N/m}}", "experiments: {stiff: {until: 1, set: {front.rate: 30 kN/m}}}\n");
  CHECK(parameters(read(text)).at("front.rate") == 1.0);
  CHECK(parameters(read(text, {}, "stiff")).at("front.half") == 15e3);
  CHECK(parameters(read(text, {{"front.rate", "40 kN/m"}}, "stiff")).at("front.half") == 20e3);
  CHECK(has(
      errors_of(text, {{"front.rat", "1"}}),
      "parameter \"front.rat\" is to be set, but the model has none of this name.\n  Did you mean \"front.rate\"?"));
  CHECK(
      has(errors_of(car("{front: {template: corner}}", "experiments: {a: {until: 1, set: {front.rat: 1}}}\n"), {}, "a"),
          "experiment \"a\" sets the parameter \"front.rat\", which the model does not have.\n  Did you mean "
          "\"front.rate\"?"));
}

TEST_CASE("Uses and things in templates repeat") {
  const model::Model m = read(
      "skyhook: 1\nparameters: {N: 2}\ntemplates: {row: {parameters: {x: 0, n: 1}, bodies: {\"b[i=1..n]\": {mass: =i, "
      "at: "
      "[=x, =i, 0]}}, joints: {\"j[i=1..n]\": {type: revolute, from: ground, to: \"b[i]\"}}, forces: {\"f[i=1..n]\": "
      "{type: "
      "torque, joint: \"j[i]\", value: \"=i*x*1[N.m]\"}}, initial: {\"j[i=1..n].angle\": =i}}}\n"
      "use: {\"row[i=1..N]\": {template: row, x: =10*i, n: =i}}\n");
  REQUIRE(m.bodies.size() == 3);
  CHECK(m.bodies[2].name == "row[2].b[2]");
  CHECK(m.bodies[2].at == Vec3d{20, 2, 0});
  CHECK(m.joints[2].position[0] == 2.0);
  CHECK(m.contributions[2].coordinate->force(0, 0, 0) == 40.0);
  CHECK(read(m.expanded).expanded == m.expanded);
}

TEST_CASE("Templates nest, and $parent goes out level by level") {
  const model::Model m = read(
      "skyhook: 1\ntemplates:\n  inner: {parameters: {k: }, bodies: {b: {mass: =k}}, joints: {a: {type: revolute, "
      "from: "
      "$parent.b, to: b}, c: {type: fixed, from: $parent.$parent.base, to: b}}}\n"
      "  outer: {parameters: {k: 2}, bodies: {b: {mass: 1}}, joints: {j: {type: fixed, from: ground, to: b}}, use: "
      "{in: "
      "{template: inner, k: =k+1}}}\n"
      "bodies: {base: {mass: 1}}\njoints: {j: {type: fixed, from: ground, to: base}, top: {type: fixed, from: "
      "one.in.b, to: base}}\nuse: {one: {template: outer}}\n");
  REQUIRE(m.bodies.size() == 3);
  CHECK(m.bodies[2].name == "one.in.b");
  CHECK(m.bodies[2].mass == 3.0);
  CHECK(m.joints[1].from == 2);  // top
  CHECK((m.joints[3].name == "one.in.a" && m.joints[3].from == 1));
  CHECK((m.joints[4].name == "one.in.c" && m.joints[4].from == 0));
}

TEST_CASE("A group holds things without a template, and sees the names of its place") {
  const model::Model m = read(
      "skyhook: 1\nparameters: {m: 2}\nuse: {\"g[i=1..2]\": {bodies: {b: {mass: =m*i}}, joints: {j: {type: fixed, "
      "from: "
      "ground, to: b}}}}\n");
  REQUIRE(m.bodies.size() == 2);
  CHECK((m.bodies[1].name == "g[2].b" && m.bodies[1].mass == 4.0));
}

TEST_CASE("Wrong uses are reported with what is known") {
  CHECK(has(
      errors_of(car("{front: {template: corne}}")),
      "m.yaml:7:25: part \"front\" uses the template \"corne\", which is not defined.\n  Did you mean \"corner\"?"));
  CHECK(has(errors_of(car("{front: {template: corner, rat: 1}}")),
            "part \"front\" has the field \"rat\", which is not known.\n  Did you mean \"rate\"?"));
  CHECK(has(errors_of(car("{front: {template: corner, parameters: {rat: 1}}}")),
            "part \"front\" gives the parameter \"rat\", which template \"corner\" does not have.\n  Did you mean "
            "\"rate\"?"));
  CHECK(has(errors_of(car("{front: {template: corner, rate: =nothing}}")), "part \"front\": rate: "));
  CHECK(has(errors_of(car("{front: 3}")), "part \"front\" should be a map of fields, but is a text."));
  CHECK(has(errors_of(car("{car: {template: corner}}")), "there is a part of this name already, in line 7"));
  CHECK(has(errors_of(car("{front: {template: corner}}", "markers: {m: {body: front.whel}}\n")),
            "body \"front.whel\", which is not defined.\n  Did you mean \"front.wheel\"?"));
  CHECK(has(errors_of(car("{front: {template: corner}}", "markers: {m: {body: $parent.car}}\n")),
            "\"$parent.car\" goes out beyond the model."));
  CHECK(has(errors_of("skyhook: 1\ntemplates: {a: {parameters: {k: }}}\nuse: {x: {template: a}}\n"),
            "part \"x\" needs \"k\": template \"a\" has no default for this parameter."));
  CHECK(has(errors_of("skyhook: 1\ntemplates: {a: {bodys: {}}}\n"), "template \"a\" has the field \"bodys\""));
}

TEST_CASE("Wrong coordinates in a part are called by their full names") {
  const auto wrong = [](const std::string& more) {
    return errors_of(
        "skyhook: 1\ntemplates: {a: {bodies: {b: {mass: 1}}, joints: {j: {type: prismatic, from: ground, to: b}}, " +
        more + "}}\nuse: {x: {template: a}}\n");
  };
  CHECK(has(wrong("forces: {f: {type: force, joint: jj, value: 1}}"), "joint is joint \"x.jj\", which is not defined"));
  CHECK(has(wrong("forces: {f: {type: force, joint: j.angle, value: 1}}"),
            "is \"x.j.angle\", but joint \"x.j\" has no such"));
  CHECK(has(wrong("initial: {j: 1}"), "initial: \"x.j\" does not name a coordinate."));
  CHECK(has(wrong("initial: {j.angle: 1}"), "initial: joint \"x.j\" has no coordinate or rate \"angle\"."));
}

TEST_CASE("Parameters given as a list, and fields that are nearly `if`, are reported") {
  CHECK(has(errors_of(car("{front: {template: corner, parameters: [1]}}")),
            "part \"front\": parameters should be a map, but are a list.\n  Write name: value."));
  CHECK(has(errors_of(car("{front: {template: corner, iff: true}}")), "Did you mean \"if\"?"));
  CHECK(has(errors_of("skyhook: 1\nbodies: {b: {mass: 1, iff: true}}\n"), "Did you mean \"if\"?"));
}

TEST_CASE("A wrong part is reported once, not by everything that refers to it") {
  const std::string errors = errors_of(car("{front: {template: corner, rate: 3 kgg}}",
                                           "markers: {m: {body: front.wheel}}\nforces: {f: {type: spring_damper, from: "
                                           "ground, to: front.wheel.hub}}\ninitial: {front.slide.displacement: 1}\n"));
  CHECK(has(errors, "kgg"));
  CHECK(errors.find("front.wheel") == std::string::npos);
}

TEST_CASE("A template that uses itself ends by `if`, or is an error with its path") {
  const auto chain = [](const std::string& condition) {
    return "skyhook: 1\ntemplates:\n  a: {parameters: {n: 0}, bodies: {b: {mass: 1}}, joints: {j: {type: fixed, from: "
           "ground, to: b}}, use: {next: {template: c, n: =n" +
           condition +
           "}}}\n"
           "  c: {parameters: {n: 0}, use: {next: {template: a, n: =n+1}}}\nuse: {x: {template: a}}\n";
  };
  CHECK(read(chain(", if: =n<3")).bodies.size() == 4);
  CHECK(has(errors_of(chain("")), "templates are nested more than 32 deep: a -> c -> a."));
  const std::string twice =
      "skyhook: 1\ntemplates: {a: {use: {l: {template: a, if: true}, r: {template: a}}}}\nuse: {x: {template: a}}\n";
  CHECK(has(errors_of(twice), "a -> a."));
}

TEST_CASE("A template that nothing uses is a warning, but not in a file of parts") {
  const std::string parts = "skyhook: 1\ntemplates: {a: {bodies: {b: {mass: 1}}}}\n";
  CHECK(read(parts).warnings.empty());
  const model::Model m = read(parts + "bodies: {c: {mass: 1}}\njoints: {j: {type: free, from: ground, to: c}}\n");
  REQUIRE(m.warnings.size() == 1);
  CHECK(m.warnings[0].what == "template \"a\" is used nowhere.");
}

TEST_CASE("Parameters of templates that are not used, or hidden by variables, are warnings") {
  const model::Model m = read(
      "skyhook: 1\ntemplates: {a: {parameters: {q: 1, k: 2}, bodies: {b: {mass: 1}}, joints: {j: {type: prismatic, "
      "from: "
      "ground, to: b}}, forces: {f: {type: force, joint: j, value: \"=-1[N/m]*q\"}}}}\nuse: {x: {template: a}}\n");
  std::vector<std::string> told;
  for (const Warning& w : m.warnings) told.push_back(w.what);
  CHECK(told == std::vector<std::string>{"parameter \"k\" of template \"a\" is used nowhere.",
                                         "parameter or index \"q\" is hidden by the variable of the same name in "
                                         "formulas of force \"x.f\"."});
  CHECK(m.contributions[0].coordinate->force(3.0, 0.0, 0.0) == -3.0);
  CHECK(read(m.expanded).contributions[0].coordinate->force(3.0, 0.0, 0.0) == -3.0);
}

TEST_CASE("A parameter of a template is given once, and is called unlike the fields of `use`") {
  const auto mass = [](const std::string& use) {
    return "skyhook: 1\ntemplates: {a: {parameters: {m: 1 kg}, bodies: {b: {mass: =m}}, joints: {j: {type: free, from: "
           "ground, to: b}}}}\nuse: {x: {template: a" +
           use + "}}\n";
  };
  CHECK(read(mass(", m: 2 kg")).bodies[0].mass == 2.0);
  CHECK(read(mass(", parameters: {m: 3 kg}")).bodies[0].mass == 3.0);
  CHECK(has(errors_of(mass(", m: 2 kg, parameters: {m: 3 kg}")), "part \"x\" gives the parameter \"m\" twice."));
  for (const std::string name : {"template", "mirror", "move", "parameters", "if"}) {
    CHECK(has(errors_of("skyhook: 1\ntemplates: {a: {parameters: {" + name + ": 1}}}\n"),
              "template \"a\": parameter \"" + name + "\" has the name of a field of `use`."));
  }
}

TEST_CASE("A mistyped `template` is suggested") {
  CHECK(has(errors_of(car("{front: {tempalte: corner}}")),
            "part \"front\" has the field \"tempalte\", which is not known.\n  Did you mean \"template\"?"));
}

TEST_CASE("The number of a repeat has no unit") {
  CHECK(has(errors_of("skyhook: 1\nparameters: {N: 2}\nbodies: {\"b[i=1..N]\": {mass: 1}}\n", {{"N", "2 m"}}),
            "the index \"N\" is a quantity in m, but must be a number without unit."));
}

TEST_CASE("A parameter is found hidden wherever the formula uses it") {
  const auto warnings = [](const std::string& formula) {
    return read(
               "skyhook: 1\nparameters: {qq: 1}\ntemplates: {a: {parameters: {q: 1}, bodies: {b: {mass: =q}}, joints: "
               "{j: {type: prismatic, from: ground, to: b}}, forces: {f: {type: force, joint: j, value: \"" +
               formula + "\"}}}}\nuse: {x: {template: a}}\n")
        .warnings.size();
  };
  CHECK(warnings("=-1[N]*qq") == 0);
  CHECK(warnings("=-1[N]*qq - 1[N/m]*q") == 1);
}

TEST_CASE("Repeats of outputs and initial values count") {
  const char* many = "the model holds more than a million values once its repeats are unrolled.";
  CHECK(has(errors_of("skyhook: 1\nuse: {\"g[i=1..900]\": {outputs: [\"j[i=1..100000].d\"]}}\n"), many));
  CHECK(has(errors_of("skyhook: 1\nuse: {\"g[i=1..900]\": {outputs: {\"o[i=1..100000]\": j.d}}}\n"), many));
  CHECK(has(
      errors_of("skyhook: 1\nuse: {\"g[k=1..900]\": {use: {s: {if: false}}, initial: {\"s.j[i=1..100000].x\": 0}}}\n"),
      many));
}
