// The command flex: tables, JSON, a file, and that file in a model.
#include "program.testing.h"

using namespace skyhook;

TEST_CASE("skyhook flex: beams of a model as tables, as JSON and as a file that models read") {
  const testing::Place place("flex");
  const std::string models = SKYHOOK_SOURCE_DIR "/models/flexible/";
  const auto shown = place.run("flex " + models + "slider_crank.yaml -o rod.flex.h5");
  CHECK(shown.code == 0);
  CHECK(shown.out.find("shapes of 6 vibrations, 12 static ones") != std::string::npos);
  CHECK(shown.out.find("chord from \"pin\" to \"wrist\"") != std::string::npos);
  CHECK(place.run("flex rod.flex.h5 --json").code == 0);
  CHECK(place.json("len(d) == 12 and d[11]['name'] == 'mode_12' and d[0]['frequency'] > 100"));
  place.write("m.yaml",
              "skyhook: 1\nbodies: {rod: {at: [0.15, 0, 0], flexible: rod.flex.h5, markers: {tip: {node: wrist}}}}\n"
              "joints: {j: {type: free, from: ground, to: rod}}\n");
  CHECK(place.run("expand m.yaml").out.find("flexible: rod.flex.h5") != std::string::npos);
  for (const char* name : {"stabiliser", "ladder_frame"}) {
    CHECK(place.run("flex " + models + name + ".yaml --json").code == 0);
    CHECK(place.json(
        "len(d) == 1 and d[0]['moment_error'] < 1e-9 and max(abs(v['error']) for v in d[0]['vibrations'][:4]) < 1e-3"));
  }
  const auto unknown = place.run("flex " + models + "slider_crank.yaml nobody");
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("\"nobody\" is no flexible body of beams") != std::string::npos);
  CHECK(place.run("flex " + models + "slider_crank.yaml -o rod.h5").code == 2);
}

TEST_CASE("skyhook flex: stresses of a run as a table") {
  const testing::Place place("flex_stresses");
  const std::string model = SKYHOOK_SOURCE_DIR "/models/library/rigs/flexible_bar.yaml";
  CHECK(place.run("run " + model + " -o run.h5").code == 0);
  CHECK(place.run("flex " + model + " axle.bar.bar --result run.h5 --stresses s.csv --beams middle").code == 0);
  CHECK(place.run("flex " + model + " axle.bar.bar --result run.h5 --loads l.csv --beams middle").code == 0);
  // Torsion over the section modulus pi d^3 / 16 of a bar of 19 mm, at the first element; 6 elements with two ends of eight fibres, torsion and mises.
  const std::string check =
      "import csv; s = list(csv.DictReader(open('s.csv'))); l = list(csv.DictReader(open('l.csv'))); "
      "a = float(s[-1]['middle element 1 at bush_left torsion [Pa]']); b = float(l[-1]['middle element 1 at bush_left Mx [N.m]']); "
      "assert len(s[0]) == 1 + 6*2*10 and len(s) == 201, (len(s[0]), len(s)); assert abs(b) > 1; assert abs(a - b*16/(3.141592653589793*0.019**3)) < 1e-6*abs(a), (a, b)";
  CHECK(std::system(("cd " + place.path.string() + " && python3 -c \"" + check + "\"").c_str()) == 0);
  const auto unknown = place.run("flex " + model + " axle.bar.bar --result run.h5 --stresses s.csv --beams nobody");
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("there is no beam or plate \"nobody\"") != std::string::npos);
}
