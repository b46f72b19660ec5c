// References: the class that a road is drawn from; what the file says.
#ifdef SKYHOOK_APP
#include <filesystem>

#include "program.testing.h"

using namespace skyhook;
using testing::Done, testing::has, testing::Place;

TEST_CASE("Command line: road") {
  const Place at("road");
  const std::string folder = SKYHOOK_SOURCE_DIR "/models/road/";
  const Done all = at.run("road " + folder + "rough_road.yaml");
  CHECK(all.code == 0);
  for (const char* part : {"rough", "hump", "main", "iso8608", "class"}) CHECK(has(all.out, part));
  CHECK(at.run("road " + folder + "rough_road.yaml rough --json").code == 0);
  CHECK(at.json("len(d) == 2 and d[0]['class'] == 'C' and d[1]['class'] == 'C' and abs(d[0]['waviness'] - 2) < 0.25"));
  CHECK(at.run("road " + folder + "rough_road.yaml main --to 120 --y -0.75 --json").code == 0);
  CHECK(at.json(
      "len(d) == 1 and d[0]['y'] == -0.75 and d[0]['least_friction'] < 0.11 and d[0]['largest_friction'] == 1"));
  CHECK(at.run("road " + folder + "bend.crg --out bend.svg").code == 0);
  CHECK(std::filesystem::file_size(at.path / "bend.svg") > 1000);
  const Done unknown = at.run("road " + folder + "rough_road.yaml ruogh");
  CHECK(unknown.code == 2);
  CHECK(has(unknown.err, "Roads: rough, hump, main"));
  CHECK(has(at.run("road mechanisms/four_bar.yaml").err, "no road"));
  CHECK(at.run("road " + folder + "rough_road.yaml --from 3 --to 2").code == 2);
}
#endif
