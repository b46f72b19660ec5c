// `skyhook tyre` as a user calls it: of a file and of a model, pictures, points, wrong input.
#ifdef SKYHOOK_APP
#include "program.testing.h"

using namespace skyhook;
using testing::has;

namespace {

const std::string file = SKYHOOK_SOURCE_DIR "/models/road/tyres/185_80R14.tir";
const std::string wheel = SKYHOOK_SOURCE_DIR "/models/road/driven_wheel.yaml";

}  // namespace

TEST_CASE("Tyre: numbers of a file, what of it is not used, points and pictures") {
  const testing::Place at("tyre");
  const auto done = at.run("tyre " + file + " --out t.svg --csv points.csv");
  REQUIRE_MESSAGE(done.code == 0, done.err);
  CHECK(has(done.out, "PAC2002, TYRESIDE LEFT, USE_MODE 4, unloaded radius 0.376 m, nominal load 3800 N"));
  CHECK(has(done.out, "not used: "));
  CHECK(has(done.out, "QTZ1"));
  CHECK(has(done.out, "cornering_stiffness"));
  CHECK(has(at.text("t.svg"), "<svg"));
  CHECK(has(at.text("points.csv"), "ellipse"));
  REQUIRE(at.run("tyre " + file + " --load 3800 --camber 0 --camber 3 --json").code == 0);
  // PKY1 Fz0 sin(2 atan(1/PKY2)) = 12.536 * 3800 * 2 * 1.3856 / (1 + 1.3856^2) at the shift; at no slip a little less
  CHECK(at.json("len(d['numbers']) == 1 and 0.9 < d['numbers'][0]['cornering_stiffness'] / 45208.5 < 1.0"));
  CHECK(at.json("sorted(set(p['camber'] for p in d['points'])) == [0.0, 3.0]"));
  CHECK(at.json("'QTZ1' in d['unused'] and 'QSX4' in d['defaults']"));
}

TEST_CASE("Tyre: of a model by name") {
  const testing::Place at("tyre");
  REQUIRE(at.run("tyre " + wheel + " tyre --load 4000 --json").code == 0);
  CHECK(at.json("abs(d['numbers'][0]['slip_stiffness'] - 60000) < 1 and 'unused' not in d"));
  const auto wrong = at.run("tyre " + wheel + " tire");
  CHECK(wrong.code == 2);
  CHECK(has(wrong.err, "Did you mean \"tyre\"?"));
}

TEST_CASE("Tyre: wrong input is told, with the line of the file") {
  const testing::Place at("tyre");
  CHECK(has(at.run("tyre " + file + " --load -100").err, "loads above zero"));
  CHECK(has(at.run("tyre " + file + " --load 0").err, "loads above zero"));
  CHECK(has(at.run("tyre " + file + " --camber 90").err, "less than 80 degrees"));
  CHECK(has(at.run("tyre " + file + " name").err, "has one tyre"));
  CHECK(at.run("tyre none.tir").code == 2);
  at.write("bad.tir", "[MODEL]\nFITTYP = 61\nFITTYP = 52\n");
  const auto bad = at.run("tyre bad.tir");
  CHECK(bad.code == 2);
  CHECK(has(bad.err, "bad.tir:3: FITTYP stands in [MODEL] again; first at line 2."));
}
#endif
