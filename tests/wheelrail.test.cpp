// `skyhook wheelrail` as a user calls it: tables, JSON, conicity, cases, pictures, wrong input.
#ifdef SKYHOOK_APP
#include "program.testing.h"

using namespace skyhook;
using testing::has;

namespace {

const std::string models = SKYHOOK_SOURCE_DIR "/models/rail/";
const std::string manchester =
    "--wheel " + models + "profiles/s1002_manchester.csv --rail " + models + "profiles/uic60_1in40_manchester.csv ";

}  // namespace

TEST_CASE("Wheelrail: contacts over the shift, as a table, JSON, CSV and picture") {
  const testing::Place at("wheelrail");
  const auto done = at.run(
      "wheelrail --wheel s1002 --rail uic60_1in40 --gauge \"1435 mm\" --flange-back \"1360 mm\" --radius \"460 mm\" "
      "--shift "
      "-6.5..6.5:0.5 --csv rows.csv -o rows.svg");
  REQUIRE_MESSAGE(done.code == 0, done.err);
  CHECK(has(done.out, "delta_r [mm]"));
  CHECK(has(done.out, "smoothed over"));
  CHECK(has(at.text("rows.csv"), "l_wheel_y [mm]"));
  CHECK(has(at.text("rows.svg"), "<svg"));
  REQUIRE(at.run("wheelrail --shift -6.5..6.5:0.5 --json").code == 0);
  CHECK(at.json("len(d['rows']) == 27 and abs(d['rows'][13]['delta_r']) < 1e-12 and d['rows'][13]['roll'] == 0"));
  // mirrored
  CHECK(at.json("abs(d['rows'][0]['delta_r'] + d['rows'][26]['delta_r']) < 1e-9"));
  CHECK(at.json(
      "abs(d['rows'][20]['left']['y'] + d['rows'][6]['right']['y']) < 1e-9 and d['rows'][20]['left']['y'] > 0.7"));
  CHECK(at.json("set(['angle', 'radius', 'a', 'b', 'wheel_y', 'rail_y', 'rival_gap']) <= set(d['rows'][0]['left'])"));
}

TEST_CASE("Wheelrail: a cone has the conicity of its slope") {
  const testing::Place at("wheelrail");
  REQUIRE(at.run("wheelrail --wheel conical:1/20 --rail circular:300 --conicity 1..7:1 --json").code == 0);
  CHECK(at.json(
      "len(d['conicity']) == 7 and all(abs(c['harmonic'] - 0.05) < 1e-9 and abs(c['integral'] - 0.05) < 1e-7 for c in "
      "d['conicity'])"));
}

// Reference: EN 15302:2021 annex K.2.
TEST_CASE("Wheelrail: wheel A on rail A of EN 15302") {
  const testing::Place at("wheelrail");
  REQUIRE(at.run("wheelrail --wheel en15302_wheel_a --rail en15302_rail_a --gauge 1435.1646 --conicity 1,3,5,7 --json")
              .code == 0);
  CHECK(at.json("all(abs(c['integral'] - e) < 6e-4 for c, e in zip(d['conicity'], [0.125, 0.188, 0.254, 0.505]))"));
}

TEST_CASE("Wheelrail: rows of the Manchester benchmark, beside its results") {
  const testing::Place at("wheelrail");
  REQUIRE(
      at.run("wheelrail " + manchester + "--cases " + models + "benchmarks/manchester_a22_sample.csv --json").code ==
      0);
  CHECK(at.json("len(d['cases']) == 14 and all(abs(c['z_ws']) < 1 for c in d['differences'])"));                   // um
  CHECK(at.json("all(abs(c['y']) < 0.5 for c in d['differences'])"));                                              // mm
  CHECK(at.json("all(abs(c[k]) < 2 for c in d['differences'] for k in ['approach', 'pmax', 'Fn', 'Fx', 'Fs'])"));  // %
  CHECK(at.json("all(abs(c['z_w']) < 1e-3 and abs(c['delta']) < 1e-4 for c in d['differences'])"));
  CHECK(at.json("'doubtful' not in d"));
  const auto table = at.run("wheelrail " + manchester + "--cases " + models + "benchmarks/manchester_a22_sample.csv");
  CHECK(has(table.out, "beside the results in the file"));
}

TEST_CASE("Wheelrail: two points of contact in one row") {
  const testing::Place at("wheelrail");
  at.write("two.csv", "side,case,y_ws,roll_ws,yaw_ws,vpitch_ws\nright,11,5.000,-3.554E-04,1.200E-02,-4.3353637\n");
  REQUIRE(at.run("wheelrail " + manchester + "--cases two.csv --patch hertz --json --csv two_out.csv").code == 0);
  CHECK(at.json("d['cases'][0]['n_patch'] == 2 and len(d['cases'][0]['patches']) == 2"));
  CHECK(at.json("abs(sum(p['Fx'] for p in d['cases'][0]['patches']) - d['cases'][0]['Fx_tr']) < 1e-6"));
  CHECK(has(at.text("two_out.csv"), ",Fn_2,"));
}

// Where the wheel touches at the end of its profile.
TEST_CASE("Wheelrail: what has not settled is told, in tables and JSON") {
  const testing::Place at("wheelrail");
  const std::string command = "wheelrail --shift 60 --patch half_space";
  CHECK(has(at.run(command).out, "doubtful: at a shift of 60 mm"));
  REQUIRE(at.run(command + " --json").code == 0);
  CHECK(at.json("any('derailed' in t for t in d['doubtful'])"));
  at.write("edge.csv", "side,case,y_ws,roll_ws,yaw_ws\nright,1,-90,0,0\n");
  CHECK(has(at.run("wheelrail --cases edge.csv").out,
            "doubtful: case right 1: the patch reaches the end of its grid, or that of a profile"));
}

TEST_CASE("Wheelrail: a result and a report show the shift") {
  const testing::Place at("wheelrail");
  REQUIRE(at.run("wheelrail --shift -5..5:1 -o found.h5").code == 0);
  const auto shown = at.run("show found.h5");
  CHECK(shown.code == 0);
  CHECK(has(shown.out, "delta_r"));
  CHECK(has(at.run("wheelrail --conicity 1..3:1 -o other.h5").err, "shows a shift"));
}

TEST_CASE("Wheelrail: profiles of a model file") {
  const testing::Place at("wheelrail");
  at.write("m.yaml",
           "skyhook: 1\nprofiles:\n  cone: {type: conical, slope: 0.1}\n  head: {type: circular, radius: 300 mm}\n"
           "  flat: {type: standard, profile: s1002, worn_flat: [-15 mm, 20 mm]}\n");
  REQUIRE(at.run("wheelrail --model m.yaml --wheel cone --rail head --conicity 2,4 --json").code == 0);
  CHECK(at.json("abs(d['conicity'][0]['harmonic'] - 0.1) < 1e-9"));
  CHECK(at.run("wheelrail --model m.yaml --wheel flat --shift 0").code == 0);
  CHECK(has(at.run("wheelrail --model m.yaml --wheel con").err, "Did you mean \"cone\"?"));
}

TEST_CASE("Wheelrail: wrong input is told") {
  const testing::Place at("wheelrail");
  const auto unknown = at.run("wheelrail --wheel S1002");
  CHECK(unknown.code == 2);
  CHECK(has(unknown.err, "Did you mean \"s1002\"?"));
  CHECK(has(at.run("wheelrail --wheel uic60").err, "is the profile of a rail"));
  CHECK(has(at.run("wheelrail --wheel none.csv").err, "cannot be opened"));
  CHECK(has(at.run("wheelrail --shift 300").err, "not above the rail"));
  CHECK(has(at.run("wheelrail --gauge \"1700 mm\" --shift 0").err, "between the rails"));
  CHECK(has(at.run("wheelrail --shift 1..x").err, "--shift"));
  CHECK(has(at.run("wheelrail --gauge \"3 kg\"").err, "--gauge"));
  CHECK(has(at.run("wheelrail --load 0").err, "above zero"));
  CHECK(has(at.run("wheelrail --conicity 0..2:1").err, "not above zero"));
  CHECK(has(at.run("wheelrail --shift 1 --speed 0").err, "--speed is zero"));
  CHECK(has(at.run("wheelrail --shift 1 --law half_space").err, "needs the grid of --patch half_space"));
  CHECK(has(at.run("wheelrail --shift 1 --cell 0.2").err, "--cell is of the grid of the half-space"));
  CHECK(has(at.run("wheelrail --shift 1 --patch half_space --cell 5").err, "--cell is \"5\""));
  CHECK(has(at.run("wheelrail --shift 1 --patch half_space --weaken 9").err, "--weaken is \"9\""));
  CHECK(has(at.run("wheelrail --shift 60").out, "stands on the rail: it has derailed"));
  at.write("gap.csv", "y_mm,z_mm\n-40,-20\n-35,-10\n-30,-4\n-20,-2\n0,0\n5,0\n10,0.1\n20,0.3\n30,0.5\n");
  const auto gap = at.run("wheelrail --wheel gap.csv");
  CHECK(gap.code == 2);
  CHECK(has(gap.err, "gap.csv:"));
  CHECK(has(gap.err, "a gap of"));
}
#endif
