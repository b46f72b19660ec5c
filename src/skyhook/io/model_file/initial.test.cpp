// References: the values as written, at the level that counts.
#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

const std::string leg =
    "skyhook: 1\ntemplates:\n  leg: {bodies: {a: {mass: 1, inertia: [1, 1, 1]}}, joints: {rz: {type: revolute, from: "
    "ground, to: a, axis: z}}, initial: {rz.rate: 0.3}}\n  pair: {use: {in: {template: leg}}, initial: {in.rz.rate: "
    "0.5}}\n";

// Two parts that give the rate of a joint of the model.
std::string shared(const std::string& first, const std::string& second, const std::string& more = "") {
  return "skyhook: 1\ntemplates: {t: {parameters: {w: }, initial: {$parent.j.rate: =w}}}\nbodies: {b: {mass: 1, "
         "inertia: [1, 1, 1]}}\njoints: {j: {type: revolute, from: ground, to: b, axis: z}}\nuse: {p: {template: t, "
         "w: " +
         first + "}, q: {template: t, w: " + second + "}}\n" + more;
}

double rate(const std::string& text) {
  const model::Model m = read_model_text(text, "m.yaml");
  const model::Model again = read_model_text(m.expanded, "m.yaml");
  CHECK(again.expanded == m.expanded);
  CHECK(again.joints[0].velocity[0] == m.joints[0].velocity[0]);
  return m.joints[0].velocity[0].value_or(0.0);
}

}  // namespace

TEST_CASE("An initial value of the model wins over that of a part, and that of a part over those of parts in it") {
  CHECK(rate(leg + "use: {l: {template: leg}}\n") == 0.3);
  CHECK(rate(leg + "use: {l: {template: leg}}\ninitial: {l.rz.rate: 0.9}\n") == 0.9);
  CHECK(rate(leg + "use: {l: {template: leg}}\ninitial: {l.rz.angle_rate: 0.9}\n") == 0.9);  // the same by another name
  CHECK(rate(leg + "use: {l: {template: pair}}\n") == 0.5);
  CHECK(rate(leg + "use: {l: {template: pair}}\ninitial: {l.in.rz.rate: 0}\n") == 0.0);
}

TEST_CASE("Two initial values of one level, or of parts beside each other, must agree") {
  CHECK(rate(shared("2", "2")) == 2.0);
  CHECK(has(errors_of(shared("2", "3")),
            "initial: j.rate is 3 here, but 2 in m.yaml:2.\n  Remove one of the two, or give the value in the model"));
  CHECK(rate(shared("2", "3", "initial: {j.rate: 4}\n")) == 4.0);
  CHECK(has(errors_of(shared("2", "2", "initial: {j.rate: 4, j.angle_rate: 5}\n")),
            "initial: j.angle_rate is 5 here, but 4 in m.yaml:6."));
  CHECK(has(errors_of(shared("2", "2", "experiments: {e: {until: 1, initial: {j.rate: 4, j.angle_rate: 5}}}\n")),
            "experiment \"e\": initial: j.angle_rate is 5 here, but 4"));
}

TEST_CASE("A joint and `initial` that contradict each other in one file are told; who overrides from outside is not") {
  const auto told = [](const std::string& joint, const std::string& more) {
    return warnings_of(
        "skyhook: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n  j: {type: revolute, from: ground, to: b, "
        "axis: z" +
        joint + "}\n" + more);
  };
  const std::string contradiction = told(", angle: 10 deg", "initial: {j.angle: 20 deg}\n");
  CHECK(has(contradiction, "m.yaml:4"));
  CHECK(has(contradiction,
            "joint \"j\" begins with 0.174533 rad here, but initial: j.angle in line 5 says 20 deg, which holds."));
  CHECK(told(", angle: 10 deg", "initial: {j.angle: 10 deg}\n").empty());
  CHECK(told("", "initial: {j.angle: 20 deg}\n").empty());
  CHECK(told(", angle: 10 deg", "experiments: {e: {until: 1, initial: {j.angle: 20 deg}}}\n").empty());
  CHECK(warnings_of("skyhook: 1\ntemplates: {t: {bodies: {b: {mass: 1, inertia: [1, 1, 1]}}, joints: {j: {type: "
                    "revolute, from: ground, to: b, angle: 1}}}}\n"
                    "use: {p: {template: t}}\ninitial: {p.j.angle: 2}\n")
            .empty());
  CHECK(
      warnings_of("skyhook: 1\ntemplates: {long_name: {initial: {$parent.j.rate: 2}}}\nbodies: {b: {mass: 1, inertia: "
                  "[1, 1, 1]}}\njoints: {j: {type: revolute, from: ground, to: b, rate: 1}}\n"
                  "use: {long_name: {template: long_name}}\n")
          .empty());
}

TEST_CASE("An initial value of an oblique joint outside of the mirrored part is reported") {
  const auto text = [](const std::string& axis) {
    return "skyhook: 1\ntemplates: {t: {initial: {$parent.j.rate: 2}}}\nbodies: {b: {mass: 1, inertia: [1, 1, "
           "1]}}\njoints: {j: {type: revolute, from: ground, to: b, axis: " +
           axis + "}}\nuse: {p: {template: t, mirror: y}}\n";
  };
  CHECK(rate(text("z")) == -2.0);
  CHECK(rate(text("y")) == 2.0);
  CHECK(has(errors_of(text("[0, 1, 1]")),
            "initial: j.rate is a coordinate outside of the mirrored part, and its axis lies neither along nor across "
            "the mirror plane."));
}

TEST_CASE("Inner states of forces take initial values, in their units; the experiment wins") {
  const std::string text =
      "skyhook: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], at: [0, 0, -1]}}\njoints: {j: {type: prismatic, from: "
      "ground, to: b, axis: z}}\nforces: {m: {type: maxwell, from: ground, to: b, stiffness: 100, damping: 5}}\n";
  const model::Model m = read_model_text(text + "initial: {m.damper_length: 20 mm}\n", "m.yaml");
  REQUIRE(m.contributions[0].initial.size() == 1);
  CHECK(m.contributions[0].initial[0].name == "damper_length");
  CHECK(m.contributions[0].initial[0].value == 0.02);
  CHECK(read_model_text(m.expanded, "m.yaml").contributions[0].initial[0].value == 0.02);
  const model::Model chosen = read_model_text(
      text + "initial: {m.damper_length: 20 mm}\nexperiments: {e: {until: 1, initial: {m.damper_length: 3 m}}}\n",
      "m.yaml", {}, "e");
  REQUIRE(chosen.contributions[0].initial.size() == 1);
  CHECK(chosen.contributions[0].initial[0].value == 3);
  const std::string why = errors_of(text + "initial: {m.pressure: 2}\n");
  CHECK(why.find("has no state \"pressure\"") != std::string::npos);
}
