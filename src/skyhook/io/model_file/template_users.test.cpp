// What the user of a template may give it: sections of his own, points of other parts, names, values that are checked. References: the same model written out by hand.
#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

// A leg on a slide; line 4 is the template, `use` begins in line 6.
std::string legs(const std::string& use, const std::string& more = "") {
  return "skyhook: 1\nparameters: {big: 2 m}\ntemplates:\n"
         "  leg: {parameters: {foot: [0, 1, 0], rate: 25 kN/m, twice: =2*rate, on: true, listens_to: {text: push}}, "
         "require: {a leg stands on the left: =foot.y > 0}, bodies: {foot: {mass: 20 kg, at: =foot}}, "
         "joints: {slide: {type: prismatic, from: ground, to: foot, axis: z}}, "
         "forces: {spring: {type: spring_damper, joint: slide, stiffness: \"=on ? twice - rate : rate\"}, "
         "push: {type: actuator, joint: slide, signal: $parent.$listens_to}}}\n"
         "use:\n" +
         use + "signals: {push: \"=3[N]\", pull: \"=-3[N]\"}\n" + more;
}

double number(const model::Model& m, const std::string& name) {
  for (const model::Parameter& p : m.parameters) {
    if (p.name == name) return p.value;
  }
  FAIL("no parameter " << name);
  return 0;
}

double stiffness(const model::Model& m, std::size_t force) {
  return -m.contributions.at(force).coordinate->force(1, 0, 0);
}

}  // namespace

TEST_CASE("Sections beside `template` join those of the template, under its names") {
  const model::Model m =
      read_model_text(legs("  a: {template: leg, forces: {damper: {type: spring_damper, joint: slide, damping: "
                           "\"=rate*1[s]\"}}, signals: "
                           "{height: =slide.displacement}, outputs: [foot.z], markers: {toe: {body: foot}}}\n"),
                      "m.yaml");
  CHECK(m.contributions.at(2).name == "a.damper");
  CHECK(m.contributions.at(2).coordinate->force(0, 1, 0) == -25e3);
  CHECK(m.continuous.at(2).name == "a.height");
  CHECK(m.markers.at(0).name == "a.toe");
  CHECK(m.outputs.at(0).channel == "a.foot.z");
  CHECK(
      has(errors_of(legs("  a:\n    template: leg\n    joints:\n      slide: {type: fixed, from: ground, to: foot}\n")),
          "m.yaml:9:7: \"slide\" stands in the template already.\n  Choose another name"));
}

TEST_CASE("Values given to a part may use the parameters of parts before it") {
  const std::string use =
      "  group: {use: {a: {template: leg, foot: [1, =big, 0.5], rate: 3 kN/m, listens_to: $parent.push}}}\n"
      "  b: {template: leg, foot: =group.a.foot, rate: =2*group.a.rate, move: [=group.a.foot.y, 0, 0]}\n";
  const model::Model m = read_model_text(legs(use), "m.yaml");
  CHECK(m.bodies.at(1).at == Vec3d{3, 2, 0.5});
  CHECK(number(m, "b.rate") == 6e3);
  // Those behind it are not known yet; nor are they inside of the parts.
  CHECK(has(errors_of(legs("  b: {template: leg, rate: =c.rate}\n  c: {template: leg}\n")),
            "m.yaml:6:29: part \"b\": rate: unknown name \"c.rate\"."));
  const model::Model set = read_model_text(legs(use), "m.yaml", {{"group.a.foot.y", "4 m"}});
  CHECK(set.bodies.at(1).at == Vec3d{5, 4, 0.5});
}

TEST_CASE("A template says what it requires, at the value that is wrong") {
  CHECK(errors_of(legs("  a: {template: leg}\n")).empty());
  CHECK(has(errors_of(legs("  a: {template: leg, foot: [0, -1, 0]}\n")),
            "m.yaml:6:28: part \"a\": a leg stands on the left, but foot.y = -1 m."));
  CHECK(has(errors_of(legs("  a: {template: leg}\n"), {{"a.foot.y", "-2"}}),
            "a leg stands on the left, but foot.y = -2 m."));
  CHECK(has(errors_of("skyhook: 1\ntemplates: {t: {require: [1]}}\nuse: {a: {template: t}}\n"), "should be a map"));
}

TEST_CASE(
    "A plain number for a parameter with a unit is in SI; what measures something else is told where it was given") {
  const model::Model m =
      read_model_text(legs("  a: {template: leg, rate: 24000}\n  b: {template: leg, rate: 24 kN/m}\n"), "m.yaml");
  CHECK(stiffness(m, 0) == stiffness(m, 2));
  CHECK(stiffness(m, 0) == 24e3);
  CHECK(has(errors_of(legs("  a: {template: leg, rate: 3 kg}\n")),
            "m.yaml:6:28: part \"a\": rate is in kg, but its default in the template, \"25 kN/m\", is in N/m."));
  CHECK(has(
      errors_of(legs("  a: {template: leg, twice: 9}\n")),
      "m.yaml:6:29: part \"a\": twice is a plain number, but its default in the template, \"=2*rate\", is in N/m."));
  CHECK(stiffness(read_model_text(legs("  a: {template: leg}\n"), "m.yaml", {{"a.rate", "5"}}), 0) == 5);
  const std::string plain =
      "skyhook: 1\ntemplates: {t: {parameters: {x: 2}, markers: {m: {body: ground, at: [=x, 0, 0]}}}}\n";
  CHECK(errors_of(plain + "use: {a: {template: t, x: 3 mm}}\n").empty());  // 2 is in SI, where it is a length
}

TEST_CASE("A text parameter may be a name, or a part of one") {
  const model::Model m =
      read_model_text(legs("  a: {template: leg}\n  b: {template: leg, listens_to: pull}\n"), "m.yaml");
  CHECK(m.contributions.at(1).signal.index == 0);
  CHECK(m.contributions.at(3).signal.index == 1);
  CHECK(has(errors_of(legs("  a: {template: leg, listens_to: none}\n")), "signal is \"none\", which is no signal."));
  CHECK(has(errors_of(legs("", "markers: {x: {body: $other.foot}}\n")),
            "\"$other\" in \"$other.foot\" is neither $parent nor a text parameter."));
  CHECK(warnings_of(legs("  a: {template: leg, foot: [=big, 1, 0]}\n")).find("unused") == std::string::npos);
}

TEST_CASE("A signal with a limit is cut there, and what it was asked is a signal too") {
  const std::string start =
      "skyhook: 1\nparameters: {most: 2 N}\nbodies: {b: {mass: 1}}\njoints: {j: {type: prismatic, from: ground, to: "
      "b}}\nsignals: ";
  const model::Model m =
      read_model_text(start + "{push: {formula: \"=5[N/m]*j.displacement\", limit: =most}}\n", "m.yaml");
  REQUIRE(m.continuous.size() == 2);
  CHECK(m.continuous[0].name == "push.asked");
  CHECK(m.continuous[1].name == "push");
  CHECK(m.continuous[1].unit == "N");
  CHECK(read_model_text(m.expanded, "e.yaml").continuous[1].text == m.continuous[1].text);
  CHECK(has(errors_of(start + "{push: {formula: \"=5[N/m]*j.displacement\", limit: 0 N}}\n"), "limit is not above 0."));
  CHECK(has(errors_of(start + "{push: {formula: \"=5[N/m]*j.displacement\", limit: 2 m}}\n"), "push"));
  CHECK(has(errors_of(start + "{push: {rate: \"=5[1/s]\", limit: 2}}\n"), "is given by its rate."));
}

TEST_CASE("A road that `move` of a part has put up or down is told") {
  const auto with = [](const std::string& move, const std::string& tyre) {
    return warnings_of("skyhook: 1\nroad: {type: flat}\nuse:\n  axle:\n    " + move +
                       "\n    bodies: {wheel: {mass: 20 kg, inertia: [1, 1, 1]}}\n    joints: {j: {type: free, from: "
                       "ground, to: wheel}}\n"
                       "    forces: {tyre: {type: tyre_vertical, to: wheel, radius: 0.3 m, stiffness: 200 kN/m, " +
                       tyre + "}}\n");
  };
  CHECK(has(with("move: [1, 0, 0.3]", "from: ground"),
            "force \"axle.tyre\": `from: ground` is the ground of its part, which `move` puts 0.3 m up: its road lies "
            "there."));
  CHECK(with("move: [1, 0, 0]", "from: ground").empty());
  CHECK(with("move: [1, 0, 0.3]", "from: ground, from_at: [0, 0, -0.3]").empty());
  CHECK(with("move: [1, 0, 0.3]", "road: $parent.road").empty());
}
