// The command flex: tables, JSON, a file, and that file in a model.
#include <fmt/format.h>

#include "program.testing.h"

using namespace skyhook;

TEST_CASE("skyhook flex: beams of a model as tables, as JSON and as a file that models read") {
  const testing::Place place("flex");
  const std::string models = SKYHOOK_SOURCE_DIR "/models/flexible/";
  const auto shown = place.run("flex " + models + "slider_crank.yaml -o rod.flex.h5");
  CHECK(shown.code == 0);
  CHECK(shown.out.find("shapes of 6 vibrations, 12 static ones") != std::string::npos);
  CHECK(shown.out.find("chord from \"pin\" to \"wrist\"") != std::string::npos);
  CHECK(place.run("flex " + models + "slider_crank.yaml -o rod.flex.h5").code == 0);  // a second time
  CHECK(place.run("run " + models + "slider_crank.yaml --until 1e-3 -o run.h5").code == 0);
  std::filesystem::rename(place.path / "run.h5", place.path / "run.flex.h5");
  CHECK(place.run("flex " + models + "slider_crank.yaml -o run.flex.h5")
            .err.find("exists and is a result, so it is not overwritten") != std::string::npos);
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

// Reference: the same body as .flex.h5. Its data have 12 digits as standard input data.
TEST_CASE("skyhook flex: standard input data, written, read, and in a run the same motion") {
  const testing::Place place("flex_sid");
  const std::string crank = SKYHOOK_SOURCE_DIR "/models/flexible/slider_crank.yaml";
  CHECK(place.run("flex " + crank + " -o rod.flex.h5 --sid rod.SID_FEM").code == 0);
  const auto without_units = place.run("flex rod.SID_FEM -o back.flex.h5");
  CHECK(without_units.code == 2);
  CHECK(without_units.err.find("rod.SID_FEM: nobody knows the units of this file: modes would be without") !=
        std::string::npos);
  CHECK(place.run("flex rod.SID_FEM --units m-kg-s -o back.flex.h5").code == 0);
  CHECK(place.run("flex back.flex.h5 --sid again.SID_FEM").code == 0);
  const auto model = [&](const std::string& name, const std::string& file, const std::string& tip) {
    place.write(name, "skyhook: 1\nbodies: {rod: {at: [0.15, 0, 0], flexible: " + file +
                          ", markers: {tip: {node: " + tip +
                          "}}}}\njoints: {hinge: {type: revolute, from: ground, to: rod, axis: z, at: [0.15, 0, 0]}}\n"
                          "gravity: [0, -9.81, 0]\noutputs: {tip: rod.tip.y}\nexperiments: {fall: {until: 0.1 s, "
                          "tolerance: 1e-8}}\n");
    return place.run("run " + name + " -o " + name + ".h5");
  };
  CHECK(model("a.yaml", "rod.flex.h5", "wrist").code == 0);
  CHECK(model("b.yaml", "back.flex.h5", "2").code == 0);  // nodes have numbers
  const auto same = place.run("diff a.yaml.h5 b.yaml.h5 --tol 1e-6");
  CHECK(same.code == 0);
  CHECK(place.run("flex " + crank + " --sid rod.txt").err.find("does not end in .SID_FEM") != std::string::npos);
}

// Every way of choosing shapes that the manual names, by what the command says it did.
TEST_CASE("skyhook flex: shapes by frequency, participation, channels, forces, responses and heat") {
  const testing::Place place("flex_choice");
  place.write("frame.yaml",
              "skyhook: 1\nbodies:\n  frame:\n    at: [0, 0, 0]\n    flexible:\n"
              "      nodes: {a: [0, 0, 0], b: [1, 0, 0], c: [1, 0.6, 0], d: [0, 0.6, 0]}\n      beams:\n"
              "        ab: {from: a, to: b, material: steel, rectangle: [30 mm, 40 mm], wall: 2 mm}\n"
              "        bc: {from: b, to: c, material: steel, rectangle: [30 mm, 40 mm], wall: 2 mm}\n"
              "        cd: {from: c, to: d, material: steel, rectangle: [30 mm, 40 mm], wall: 2 mm}\n"
              "        da: {from: d, to: a, material: steel, rectangle: [30 mm, 40 mm], wall: 2 mm}\n"
              "      boundary: mode_choice\njoints: {j: {type: free, from: ground, to: frame}}\n");
  const std::string text = place.text("frame.yaml");
  const auto chosen = [&](const std::string& by, const std::string& boundary = "free\n      ") {
    std::string own = text;
    own.replace(own.find("mode_choice"), 11, boundary + by);
    place.write("m.yaml", own);
    const auto done = place.run("flex m.yaml");
    return done.code == 0 ? done.out + done.err : done.err;
  };
  const auto has = [](const std::string& all, const std::string& part) { return all.find(part) != std::string::npos; };
  CHECK(has(chosen("modes: 5"), "of 5 vibrations, 24 static ones, 0 responses, 0 by heat"));
  CHECK(has(chosen("static: false\n      up_to: 150 Hz"), "vibrations, 0 static ones"));
  CHECK(has(chosen("static_at: [a.z, c.rx]\n      modes: 3"), "5 shapes of 3 vibrations, 2 static ones"));
  CHECK(has(chosen("static: false\n      response_at: [80 Hz, 120 Hz]\n      modes: 2"),
            "of 2 vibrations, 0 static ones, 48 responses"));
  CHECK(has(chosen("static: false\n      thermal: [ab, cd.z]\n      modes: 2"), "0 responses, 2 by heat"));
  CHECK(has(chosen("static: false\n      modes: 12\n      channels: [a.z > c.z]\n      contribution: 0.05"),
            "vibrations that contribute less than 0.05 to each channel are left out"));
  CHECK(has(chosen("static: false\n      places: [a, b]\n      modes: 12\n      participation: 0.01", "held\n      "),
            "vibrations that carry less than 0.01 of the mass are left out"));
  CHECK(has(chosen("up_to: 1 Hz"), "m.yaml:3"));
  CHECK(has(chosen("up_to: 1 Hz"), "no vibration lies between 0 and 1 Hz"));
  CHECK(has(chosen("static_at: [a.w]"), "static_at \"a.w\": \"a.w\" is no direction of a place"));
  CHECK(has(chosen("drop_above: 1 Hz"), "no shape is below 1 Hz"));
}

TEST_CASE("A frame that is tangent at a hinge is warned of, a chord is not") {
  const testing::Place place("flex_hinge");
  const std::string text = testing::text_of(SKYHOOK_SOURCE_DIR "/models/flexible/slider_crank.yaml");
  const auto check = [&](const std::string& frame) {
    std::string own = text;
    own.replace(own.find("chord: [pin, wrist]"), 19, frame);
    place.write("m.yaml", own);
    const auto done = place.run("check m.yaml");
    return done.out + done.err;
  };
  const std::string tangent = check("tangent: pin");
  CHECK(tangent.find("The frame of body \"rod\" is tangent at \"pin\", where joint \"pin\" lets it turn") !=
        std::string::npos);
  CHECK(tangent.find("[hinged_frame]") != std::string::npos);
  CHECK(check("chord: [pin, wrist]").find("hinged_frame") == std::string::npos);
  const auto driven = place.run(std::string("check ") + SKYHOOK_SOURCE_DIR + "/models/flexible/rotating_blade.yaml");
  CHECK((driven.out + driven.err).find("hinged_frame") == std::string::npos);
  CHECK(check("tangent: pin\n      stiffening: false").find("hinged_frame") == std::string::npos);
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
      "a = float(s[-1]['middle element 1 at bush_left torsion [Pa]']); b = float(l[-1]['middle element 1 at bush_left "
      "Mx [N.m]']); "
      "assert len(s[0]) == 1 + 6*2*10 and len(s) == 201, (len(s[0]), len(s)); assert abs(b) > 1; assert abs(a - "
      "b*16/(3.141592653589793*0.019**3)) < 1e-6*abs(a), (a, b)";
  CHECK(std::system(("cd " + place.path.string() + " && python3 -c \"" + check + "\"").c_str()) == 0);
  const auto unknown = place.run("flex " + model + " axle.bar.bar --result run.h5 --stresses s.csv --beams nobody");
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("there is no beam or plate \"nobody\"") != std::string::npos);
}

TEST_CASE("skyhook flex: options that would do nothing are refused") {
  const testing::Place place("flex_idle");
  const std::string model = SKYHOOK_SOURCE_DIR "/models/flexible/slider_crank.yaml";
  CHECK(place.run("flex " + model + " -o rod.flex.h5 --sid rod.SID_FEM").code == 0);
  CHECK(place.run("run " + model + " -o run.h5 --until 0.01").code == 0);
  const auto refused = [&](const std::string& options, const std::string& what) {
    CAPTURE(options);
    const auto done = place.run("flex " + options);
    CHECK(done.code == 2);
    CHECK(done.err.find("command line: ") != std::string::npos);
    CHECK_MESSAGE(done.err.find(what) != std::string::npos, done.err);
  };
  const std::string run = model + " rod --result run.h5 ";
  refused(model + " --heat foo", "--heat foo is not of the form NAME=STRAIN");
  refused(model + " --heat =1e-3", "--heat =1e-3 is not of the form NAME=STRAIN");
  refused(model + " --heat bar=1e-3", "--heat is of a run, and nothing is written of one");
  refused(model + " --result run.h5", "--result is of a run, and nothing is written of one");
  refused(model + " --beams bar", "--beams is of a run, and nothing is written of one");
  refused(model + " --loads l.csv", "--loads and --stresses need a run");
  refused(run + "--loads l.inp --heat bar=1e-3", "--heat changes nothing in the cards of --loads l.inp");
  refused(run + "--loads l.inp --beams bar", "--beams changes nothing in the cards of --loads l.inp");
  refused(run + "--loads l.csv --heat nobeam=1e-3", "there is no beam or plate \"nobeam\"");
  refused(run + "--stresses s.csv --heat nobeam=1e-3", "there is no beam or plate \"nobeam\"");
  refused(model + " --frd nofile.frd", "--frd is of a mesh, and ");
  refused(model + " --units m-kg-s", "--units is of a mesh, and ");
  refused(model + " --static-at pin.z", "--static-at is of a mesh; of a model, ");
  refused(model + " --modes 3", "--modes is of a mesh; of a model, ");
  for (const char* option : {"--stresses s.csv", "--loads l.csv", "--result run.h5"})
    refused(std::string("rod.SID_FEM --units m-kg-s ") + option,
            " needs the mesh or the beams, and rod.SID_FEM has only the shapes");
  refused("rod.flex.h5 --modes 3", "--modes is of the reduction of a mesh, and rod.flex.h5 is reduced already");
  refused("rod.flex.h5 --frd nofile.frd", "--frd is of a mesh, and rod.flex.h5 is a flexible body");
  refused("part.inp --set a=1", "--set is of a model, and part.inp is a mesh");
  refused(run + "--loads l.inp", "--loads l.inp: cards for CalculiX name nodes of its mesh by their numbers, and ");
  for (const char* name : {"l.inp", "l.csv", "s.csv"}) CHECK(!std::filesystem::exists(place.path / name));
  CHECK(place.run("flex " + run + "--loads l.csv --heat bar=1e-3 --beams bar").code == 0);
}

// A bar of eight bricks that is clamped and falls under its weight. What ccx finds by the cards is the statics of the nodal forces; the run has its left end as the mean of four
// nodes, which bend a little, where ccx holds each: 0.6 % of the deflection.
TEST_CASE("skyhook flex: ccx takes the cards of loads, and moves the part as the run did") {
  if (std::system("command -v ccx >/dev/null") != 0) return;
  const testing::Place place("flex_cards");
  constexpr int bricks = 8, tip = 4 * bricks + 4;
  std::string mesh = "*NODE\n", elements = "*ELEMENT, TYPE=C3D8, ELSET=BAR\n";
  for (int i = 0; i <= bricks; ++i) {
    for (int k = 0; k < 4; ++k)
      mesh += fmt::format("{}, {}, {}, {}\n", 4 * i + k + 1, i / 8.0, k == 1 || k == 2 ? 0.05 : 0, k > 1 ? 0.05 : 0);
  }
  for (int i = 0; i < bricks; ++i) {
    const int a = 4 * i + 1, b = a + 4;
    elements +=
        fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", i + 1, a, b, b + 1, a + 1, a + 3, b + 3, b + 2, a + 2);
  }
  mesh += elements +
          "*NSET, NSET=LEFT\n1, 2, 3, 4\n*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n*SOLID SECTION, "
          "ELSET=BAR, MATERIAL=STEEL\n";
  place.write("part.inp", mesh);
  place.write("m.yaml",
              "skyhook: 1\nbodies: {bar: {at: [0, 0, 0], flexible: part.flex.h5, markers: {tip: {node: tip}}}}\n"
              "joints: {clamp: {type: fixed, from: ground, to: bar, at: [0, 0.025, 0.025]}}\ngravity: [0, 0, -9.81]\n"
              "outputs: [bar.tip.z]\nexperiments: {run: {until: 6 ms, output_step: 1 ms}}\n");
  const std::string part =
      fmt::format(" --units m-kg-s --place LEFT=LEFT --place tip={} --tangent LEFT --modes 4 ", tip);
  REQUIRE(place.run("flex part.inp" + part + "-o part.flex.h5").code == 0);
  REQUIRE(place.run("run m.yaml -o run.h5").code == 0);
  REQUIRE(place.run("flex part.inp bar" + part + "--result run.h5 --loads loads.inp").code == 0);
  std::string cards = place.text("loads.inp");
  cards.replace(cards.find("*NODE FILE"), 10, "*NODE PRINT, NSET=TIP\nU\n*NODE FILE");
  place.write("job.inp", mesh + fmt::format("*BOUNDARY\nLEFT, 1, 3\n*NSET, NSET=TIP\n{}\n", tip) + cards);
  REQUIRE(std::system(("cd " + place.path.string() + " && ccx job >ccx.out 2>&1").c_str()) == 0);
  CHECK(place.text("ccx.out").find("*ERROR") == std::string::npos);
  REQUIRE(place.run("show run.h5 bar.tip.z --at 0.006 --json").code == 0);
  CHECK_MESSAGE(place.json("abs(float([l for l in open('job.dat') if l.split()][-1].split()[3]) / (d[0]['bar.tip.z'] - "
                           "0.05) - 1) < 0.01"),
                place.text("out"));
}

TEST_CASE("skyhook wheelrail: --weaken without the grid of the half-space is refused") {
  const testing::Place place("weaken");
  const auto done = place.run("wheelrail --weaken \"4 mm\"");
  CHECK(done.code == 2);
  CHECK(done.err.find("--weaken is of the grid of the half-space, and the patch is hertz") != std::string::npos);
}
