// Nominal forces and trim, as a library and as `skyhook nominal` is called; and fields of elements that --set and `nominal:` change.
#include "skyhook/analysis/nominal.h"

#include <doctest/doctest.h>

#include <cmath>

#include "program.testing.h"
#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"

using namespace skyhook;
using testing::Done;
using testing::has;

namespace {

// A beam of 12 kg on two springs, 1 m to the left and 2 m to the right of its centre of mass.
const std::string beam =
    "skyhook: 1\nname: beam\nbodies: {beam: {mass: 12, inertia: [1, 9, 1], at: [0, 0, 1]}}\n"
    "joints: {j: {type: planar, from: ground, to: beam, plane: xz, drive_1: 0}}\n"
    "forces:\n"
    "  left: {type: spring_damper, from: ground, to: beam, from_at: [-1, 0, 0], to_at: [-1, 0, 1], stiffness: 500}\n"
    "  right: {type: spring_damper, from: ground, to: beam, from_at: [2, 0, 0], to_at: [2, 0, 1], stiffness: 700}\n";

analysis::PrepareWith prepare_with(const std::string& text, const std::vector<analysis::NominalParameter>& list) {
  return [text, list](const std::vector<double>& values) {
    std::vector<io::Setting> set;
    for (std::size_t k = 0; k < list.size(); ++k) set.push_back({list[k].name, std::to_string(values[k])});
    for (std::size_t k = 0; k < list.size(); ++k) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%.17g", values[k]);
      set[k].value = digits;
    }
    return simulation::prepare(std::make_shared<const model::Model>(io::read_model_text(text, "test.yaml", set)), {});
  };
}

}  // namespace

// Reference: statics of the lever. 12 kg g = F1 + F2 and 1 m F1 = 2 m F2; preloads count in tension.
TEST_CASE("Nominal: preloads of a beam on two springs") {
  const std::vector<analysis::NominalParameter> list{{"left.preload", "N"}, {"right.preload", "N"}};
  const auto found = analysis::find_nominal(list, prepare_with(beam, list));
  REQUIRE_MESSAGE(found.found, found.problem);
  CHECK(found.rank == 2);
  CHECK(found.values[0] == doctest::Approx(-8 * 9.81).epsilon(1e-12));
  CHECK(found.values[1] == doctest::Approx(-4 * 9.81).epsilon(1e-12));
  // With them the drawn position is the equilibrium.
  const auto e = analysis::find_equilibrium(prepare_with(beam, list)(found.values));
  REQUIRE(e.found);
  for (const double x : e.state.q) CHECK(std::abs(x) < 1e-10);
}

// Reference: a third spring beside the right one shares its load by least squares: a + b = F2 with |a|^2 + |b|^2 least is F2 / 2 each, and
// with the weights 1 and 3 it is 9 : 1. From a start other than zero the deviations are shared, and not the forces.
TEST_CASE("Nominal: where more parameters than equations are free, they change least") {
  const std::string text =
      beam +
      "  third: {type: spring_damper, from: ground, to: beam, from_at: [2, 0, 0], to_at: [2, 0, 1], stiffness: 100}\n";
  std::vector<analysis::NominalParameter> list{{"left.preload", "N"}, {"right.preload", "N"}, {"third.preload", "N"}};
  const auto equal = analysis::find_nominal(list, prepare_with(text, list));
  REQUIRE_MESSAGE(equal.found, equal.problem);
  CHECK(equal.rank == 2);
  CHECK(equal.values[1] == doctest::Approx(-2 * 9.81));
  CHECK(equal.values[2] == doctest::Approx(-2 * 9.81));
  list[2].weight = 3;
  const auto weighted = analysis::find_nominal(list, prepare_with(text, list));
  CHECK(weighted.values[1] == doctest::Approx(-0.9 * 4 * 9.81));
  CHECK(weighted.values[2] == doctest::Approx(-0.1 * 4 * 9.81));
  list[2].weight = 1, list[2].value = -10;
  const auto shifted = analysis::find_nominal(list, prepare_with(text, list));
  CHECK(shifted.values[1] == doctest::Approx(-2 * 9.81 + 5));
  CHECK(shifted.values[2] == doctest::Approx(-2 * 9.81 - 5));
  // The limit alpha -> 0: the deviation of the regularised solution falls with alpha.
  list[2].value = 0;
  double last = 1e9;
  for (const double alpha : {1e-2, 1e-4, 1e-6}) {
    const auto regular = analysis::find_nominal(list, prepare_with(text, list), {.alpha = alpha});
    const double off = std::abs(regular.values[2] + 2 * 9.81);
    CHECK(off < 0.05 * last);
    last = off;
  }
}

// Reference: one spring alone cannot hold the lever; least squares of force and moment, f = 12 g - F and m = F 1 m: F = 6 g.
TEST_CASE("Nominal: what parameters cannot hold is named with the force that is missing") {
  const std::vector<analysis::NominalParameter> list{{"left.preload", "N"}};
  const auto found = analysis::find_nominal(list, prepare_with(beam, list));
  CHECK(!found.found);
  CHECK(found.values[0] == doctest::Approx(-6 * 9.81));
  REQUIRE(found.remaining.size() == 2);
  CHECK(std::abs(found.remaining[0].force) == doctest::Approx(6 * 9.81));
  CHECK(has(found.problem, "j.z"));
  CHECK(has(found.problem, "j.angle"));
  CHECK(!analysis::find_nominal({}, prepare_with(beam, {})).found);
}

// Reference: by hand, for a parameter that enters by its square root: k l^2 with l = 1 + x drawn.
TEST_CASE("Nominal: parameters that enter nonlinearly") {
  const std::string text =
      "skyhook: 1\nparameters: {n: 2}\nbodies: {b: {mass: 1, at: [0, 0, 1]}}\n"
      "joints: {j: {type: prismatic, from: ground, to: b, axis: z}}\n"
      "forces: {k: {type: spring_damper, joint: j, stiffness: 10, preload: \"=-n^3*1[N]\"}}\n";
  const std::vector<analysis::NominalParameter> list{{"n", "-", 1.0}};
  const auto found = analysis::find_nominal(list, prepare_with(text, list));
  REQUIRE_MESSAGE(found.found, found.problem);
  CHECK(found.values[0] == doctest::Approx(std::cbrt(9.81)).epsilon(1e-12));
}

// Reference: the truck's own nominal forces; springs without preload are given back theirs. Of its nine springs nine coordinates decide.
TEST_CASE("Nominal: the planar truck gets its forces back") {
  const auto truth = io::read_model(testing::model_path("road/truck_planar"));
  std::vector<analysis::NominalParameter> list;
  for (const char* name : {"rear_tyre", "rear_spring", "front_tyre", "front_spring", "cab_rear", "cab_front",
                           "bed_front", "bed_rear_1", "bed_rear_2"})
    list.push_back({std::string(name) + ".preload", "N"});
  const auto prepare = [&](const std::vector<double>& values) {
    std::vector<io::Setting> set;
    for (std::size_t k = 0; k < list.size(); ++k) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%.17g", values[k]);
      set.push_back({list[k].name, digits});
    }
    return simulation::prepare(
        std::make_shared<const model::Model>(io::read_model(testing::model_path("road/truck_planar"), set)), {});
  };
  const auto found = analysis::find_nominal(list, prepare);
  REQUIRE_MESSAGE(found.found, found.problem);
  const std::vector<double> published{-2329145.162,     -246872.662,      -1147434.838,
                                      -84924.838,       -127842.88235294, -127208.11764706,
                                      -854905.94111111, -766354.91099974, -766354.91099974};
  for (std::size_t k = 0; k < list.size(); ++k) {
    CAPTURE(list[k].name);
    CHECK(std::abs(found.values[k] - published[k]) < 2e-8 * 2e6);  // digits of the source
  }
  const auto e = analysis::find_equilibrium(prepare(found.values));
  REQUIRE(e.found);
  for (const double x : e.state.q) CHECK(std::abs(x) < 1e-10);
}

TEST_CASE("Nominal: the command, its fragment, and the drawn position back") {
  testing::Place at("nominal");
  at.write("beam.yaml", beam);
  const Done json = at.run("nominal beam.yaml --json -o preloads.yaml");
  CHECK(json.code == 0);
  CHECK(has(json.out, "\"forces\": {\"left.preload\": -78.4"));
  CHECK(has(json.out, "\"residual\": "));
  const std::string fragment = testing::text_of(at.path / "preloads.yaml");
  CHECK(has(fragment, "nominal:\n  \"left.preload\": -78.4"));
  const Done again = at.run("nominal beam.yaml -q -o preloads.yaml");  // which it knows as its own
  CHECK(again.code == 0);
  CHECK(again.out == "nominal values in preloads.yaml\n");
  CHECK(testing::text_of(at.path / "preloads.yaml") == fragment);
  CHECK(has(at.run("nominal beam.yaml -o beam.yaml").err, "beam.yaml: "));
  at.write("trimmed.yaml", "include: [preloads.yaml]\n" + beam);
  const Done rest = at.run("equilibrium trimmed.yaml --json");
  CHECK(rest.code == 0);
  CHECK(has(rest.out, "\"iterations\": 0"));
  const Done wrong = at.run("nominal beam.yaml --vary right.prelaod");
  CHECK(wrong.code == 2);
  CHECK(has(wrong.err, "right.prelaod: there is no parameter and no number of an element of this name"));
  const Done one = at.run("nominal beam.yaml --vary left.stiffness");
  CHECK(one.code == 3);
  CHECK(has(one.err, "The parameters cannot hold the drawn position"));
  CHECK(has(one.out, "without effect on the drawn position: left.stiffness"));
  at.write("bare.yaml", beam.substr(0, beam.find("forces:")));
  const Done bare = at.run("nominal bare.yaml");
  CHECK(bare.code == 2);
  CHECK(has(bare.err, "there is nothing to vary"));
}

// Reference: the springs of the beam have no force as drawn, and its weight is left over, 12 kg g, at a third of the way.
TEST_CASE("Nominal: where nothing is varied, forces of the drawn position by name, and what is missing") {
  testing::Place at("nominal_look");
  const std::string looks =
      "experiments: {look: {analysis: nominal, vary: none, outputs: {one: left.force, other: right.length}}}\n";
  at.write("beam.yaml", beam + looks);
  const Done json = at.run("nominal beam.yaml --json");
  CHECK(json.code == 0);
  CHECK(
      at.json("d['forces'] == {'one': 0, 'other': 1} and d['units'] == {'one': 'N', 'other': 'm'} and not d['found']"));
  CHECK(at.json("abs(sum(d['remaining'].values()) - 12*9.81) < 1e-9"));
  CHECK(has(json.err,
            "The drawn position is not in equilibrium: N or N.m missing are 117.72 along j.z. Nothing is varied."));
  const Done text = at.run("nominal beam.yaml -o preloads.yaml");
  CHECK(has(text.out, "one "));
  CHECK(has(text.err, "preloads.yaml is not written: there are no nominal values."));
  // With something to vary the values are those that hold it.
  CHECK(at.run("nominal beam.yaml --vary \"*.preload\" --json").code == 0);
  CHECK(at.json("abs(d['forces']['one'] + 8*9.81) < 1e-9 and d['forces']['one'] == d['forces']['left.preload']"));
}

TEST_CASE("Fields of elements can be set by name: --set, set: of an experiment and nominal:") {
  const auto preload = [](const std::string& text, const std::vector<io::Setting>& set,
                          const std::string& experiment = "") {
    const auto m = io::read_model_text(text, "test.yaml", set, experiment);
    const auto e = analysis::find_equilibrium(simulation::prepare(std::make_shared<const model::Model>(m), {}));
    REQUIRE(e.found);
    return e.state.q[0];
  };
  const std::string text =
      "skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: prismatic, from: ground, to: b, axis: z}}\n"
      "forces: {k: {type: spring_damper, joint: j, stiffness: 100}}\n"
      "experiments: {soft: {analysis: equilibrium, set: {k.stiffness: 50}}}\n";
  CHECK(preload(text, {}) == doctest::Approx(-0.0981));
  CHECK(preload(text, {{"k.stiffness", "200 N/m"}}) == doctest::Approx(-0.04905));
  CHECK(preload(text, {}, "soft") == doctest::Approx(-0.1962));
  CHECK(preload(text + "nominal: {k.preload: -9.81 N}\n", {}) == doctest::Approx(0));
  CHECK(preload(text + "nominal: {k.preload: -9.81 N}\n", {{"k.preload", "0"}}) == doctest::Approx(-0.0981));
  CHECK_THROWS_AS(io::read_model_text(text, "test.yaml", {{"k.stifness", "200"}}), ModelError);
  CHECK_THROWS_AS(io::read_model_text(text + "nominal: {q.preload: 3}\n", "test.yaml", {}), ModelError);
}
