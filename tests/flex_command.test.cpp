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
