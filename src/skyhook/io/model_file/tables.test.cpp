// References: numbers by hand.
#include "skyhook/io/model_file/folder.testing.h"
#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

const std::string engine =
    "tables:\n  engine: {table: [[0, 80], [1000, =top], [3000, 160]], units: [rpm, N.m], beyond: hold}\n"
    "parameters: {top: 0.15 kN.m}\n";

std::string driven(const std::string& tables, const std::string& value) {
  return pendulum("mass: 2 kg", tables + "forces:\n  f: {type: torque, joint: hinge, value: \"" + value + "\"}\n");
}

double torque_at(const model::Model& m, double rate) { return m.contributions.at(0).coordinate->force(0, rate, 0); }

}  // namespace

TEST_CASE("Formulas call the tables of the model, in SI and with units checked") {
  const model::Model m = read_model_text(driven(engine, "=2*engine(qd)"), "m.yaml");
  const double rpm = 2 * 3.14159265358979323846 / 60;
  CHECK(torque_at(m, 1000 * rpm) == doctest::Approx(300));
  CHECK(torque_at(m, 3000 * rpm) == doctest::Approx(320));
  CHECK(torque_at(m, 9000 * rpm) == doctest::Approx(320));  // held
  CHECK(has(errors_of(driven(engine, "=engine(t)")), "the table engine is over a value in 1/s"));
  CHECK(has(errors_of(driven(engine, "=engine(qd)*qd")), "N.m"));
  CHECK(has(errors_of(driven(engine, "=engin(qd)")), "engine"));
}

TEST_CASE("The expanded model has its tables in SI and reads back as the same") {
  const model::Model m = read_model_text(driven(engine, "=engine(qd)"), "m.yaml");
  const model::Model again = read_model_text(m.expanded, "m.yaml");
  for (const double rate : {-5.0, 30.0, 200.0, 500.0}) CHECK(torque_at(again, rate) == torque_at(m, rate));
}

TEST_CASE("A table must say its units and what holds beyond its rows, under a name that is free") {
  const auto with = [](const std::string& table) {
    return errors_of(pendulum("mass: 2 kg", "tables: {" + table + "}\n"));
  };
  CHECK(with("a: {table: [[0, 1], [1, 2]], units: [m, N], beyond: straight}").empty());
  CHECK(has(with("a: {table: [[0, 1], [1, 2]], units: [m, N]}"), "beyond its rows"));
  CHECK(has(with("a: {table: [[0, 1], [1, 2]], units: [m, N], beyond: refuse}"), "beyond its rows"));
  CHECK(has(with("a: {table: [[0, 1], [1, 2]], beyond: hold}"), "units should be a list of two"));
  CHECK(has(with("a: {table: [[0, 1], [1, 2]], units: [m, blub], beyond: hold}"), "blub"));
  CHECK(has(with("a: {table: [[1, 1], [0, 2]], units: [m, N], beyond: hold}"), "not above"));
  CHECK(has(with("a: [[0, 1], [1, 2]]"), "should be a map"));
  CHECK(has(with("sin: {table: [[0, 1], [1, 2]], units: [m, N], beyond: hold}"), "name of a function"));
  CHECK(has(with("2a: {table: [[0, 1], [1, 2]], units: [m, N], beyond: hold}"), "formulas cannot use"));
  CHECK(has(errors_of(pendulum("mass: 2 kg", "tables: [1]\n")), "tables should be a map"));
  CHECK(has(errors_of(pendulum("mass: 2 kg",
                               "parameters: {a: 1}\ntables: {a: {table: [[0, =a], [1, 2]], units: [m, N], "
                               "beyond: hold}}\n")),
            "name of a parameter"));
}

TEST_CASE("Drives, curves, controllers and outputs call tables; instances of templates too, mirrored as they are") {
  const std::string text =
      "skyhook: 1\ntables: {rise: {table: [[0, 0], [1, 0.5]], units: [s, -], beyond: hold}, pull: {table: [[-1, -10], "
      "[0, 0], [2, 40]], units: [m, N], beyond: straight}}\n"
      "templates:\n  part:\n    parameters: {k: 2}\n    bodies: {b: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0]}}\n"
      "    joints: {j: {type: revolute, from: ground, to: b, axis: x, drive: \"=k*rise(t)\"}}\n"
      "bodies: {c: {mass: 1}}\njoints: {s: {type: prismatic, from: ground, to: c, axis: x}}\n"
      "forces: {f: {type: spring_damper, joint: s, force: \"=2*pull(x)\"}}\n"
      "controllers: {u: {type: expression, inputs: {x: s.displacement}, outputs: {F: =pull(x)}, sample_time: 0.1}}\n"
      "use: {left: {template: part}, right: {template: part, mirror: y}}\noutputs: {twice: "
      "\"=2*pull(s.displacement)\"}\n";
  const model::Model m = read_model_text(text, "m.yaml");
  CHECK(m.tables.size() == 2);
  CHECK(m.joints.at(1).drive[0]->at(1.0).value == doctest::Approx(1.0));
  CHECK(m.joints.at(2).drive[0]->at(1.0).value == doctest::Approx(m.joints[1].drive[0]->at(1.0).value));
  CHECK(m.contributions.at(0).coordinate->force(2.0, 0, 0) == doctest::Approx(-80));
}
